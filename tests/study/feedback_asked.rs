//! Questions about runs whose users react: single jobs, rows beside a replay, more users.

use packfair::metric::{Counted, CountedJobs, Measure, Metric};
use packfair::study::query::{Answer, Begun, BoxesAsked, JobField, JobsQuery, Query, begin_lived};
use packfair::study::{
    Ended, Rules, Run, RunReport, Running, Study, Treatment, Workloads, compare_with_plain, fair_starts_of, habits,
    verify,
};
use packfair::workload::{Feedback, FeedbackRule, JobId, Log, Seconds, Summary, Workload, reading};

/// A log of three users on eight processors over some weeks. Their jobs of some minutes queue up, and the users come
/// back after them.
fn log() -> Log {
    let mut text = "; MaxProcs: 8\n".to_owned();
    let mut number = 0;
    for round in 0..220_i64 {
        for user in 1..=3_i64 {
            number += 1;
            let submit = round * 9_000 + user * 40 + (round * user) % 17 * 30;
            let (wait, run) = ((round * 7 + user * 13) % 90, 60 + (round * 31 + user * 97) % 900);
            let width = 1 + (round + 3 * user) % 8;
            text += &format!("{number} {submit} {wait} {run} {width} -1 -1 {width} 1200 -1 1 {user} 1 1 1 1 -1 -1\n");
            if round % 3 == user % 3 {
                number += 1;
                let submit = submit + wait + run + 20 + round % 50;
                text += &format!("{number} {submit} 0 30 4 -1 -1 4 1200 -1 1 {user} 1 1 1 1 -1 -1\n");
            }
        }
    }
    reading::read("log", text.as_bytes()).expect("a log")
}

fn treatment() -> Treatment {
    Treatment { feedback: FeedbackRule::sessions(), shrink: 0.12, ..Treatment::default() }
}

fn run(scheduler: &str) -> Run {
    Run::new(scheduler.parse().unwrap(), "requested".parse().unwrap())
}

fn ended<'a>(run: &Run, workload: &'a Workload) -> Ended<'a> {
    Running::begin(run, workload, Rules::default()).unwrap().ended().unwrap()
}

fn answered(begun: Result<Begun<'_>, String>) -> Answer {
    match begun.unwrap() {
        Begun::Answered(answer) => answer,
        Begun::UnderWay(mut under_way) => under_way.advance(usize::MAX).unwrap().unwrap(),
    }
}

#[test]
fn jobs_are_named_by_their_places_in_the_log_under_every_run() {
    let workload = treatment().apply(&log()).unwrap();
    let runs = [run("easy"), run("laf-justbf")];
    let came: Vec<Ended<'_>> = runs.iter().map(|run| ended(run, &workload)).collect();
    let place = |run: &Run| runs.iter().position(|of| of == run);
    let schedule = |run: &Run| Some(&came[place(run)?].schedule);
    let lived = |run: &Run| Some(&*came[place(run)?].workload);
    let ask = |query: &Query| answered(begin_lived(query, &workload, None, &schedule, &lived));
    let orders: Vec<_> = came.iter().map(|ended| ended.workload.life().unwrap().places.clone()).collect();
    assert!(orders[0].iter().is_sorted() != orders[1].iter().is_sorted() || orders[0] != orders[1], "orders differ");
    let all = JobsQuery {
        search: String::new(),
        sort: JobField::Difference.into(),
        descending: true,
        first: 0,
        count: workload.len(),
        runs: runs.to_vec(),
    };
    let Answer::Jobs { matching, rows } = ask(&Query::Jobs(all)) else { panic!("jobs are answered with jobs") };
    assert_eq!((matching, rows.len()), (workload.len(), workload.len()));
    for row in &rows {
        assert_eq!(&row.request, workload.request(row.job));
        for (ended, outcome) in came.iter().zip(&row.outcomes) {
            let (outcome, job) = (outcome.unwrap(), ended.workload.job_of_place(row.job).unwrap());
            assert_eq!(outcome.submit, ended.workload.request(job).submit);
            assert_eq!((outcome.start, outcome.end), (ended.schedule.start(job), ended.schedule.end(job)));
            assert!(outcome.wait() >= 0);
        }
    }
    let wait = |row: &packfair::study::query::JobRow, run: usize| row.outcomes[run].unwrap().wait();
    assert!(rows.windows(2).all(|pair| {
        let difference = |row| wait(row, 0) - wait(row, 1);
        difference(&pair[0]) >= difference(&pair[1])
    }));
    // a job that came elsewhere in the lived order than in the log
    let moved = |&(at, place): &(usize, &JobId)| at != place.index();
    let (at, &of) = orders[1].iter().enumerate().skip(50).find(moved).expect("some job comes in another order");
    let rules = Rules::default();
    let fair = fair_starts_of(&runs[1], &came[1].workload, rules, &came[1].schedule, 0..workload.len()).unwrap();
    let (strict, relaxed) = fair.of(JobId(at as u32)).unwrap();
    let asked = ask(&Query::FairStart { run: runs[1].clone(), rules, job: of });
    assert_eq!(asked, Answer::FairStart(strict, relaxed));
    let window = (came[1].schedule.starts[at], came[1].schedule.ends[at]);
    let boxes = BoxesAsked { most: 1_000_000, only: None };
    let query = Query::Gantt { run: runs[1].clone(), from: window.0, until: window.1, boxes };
    let Answer::Gantt { boxes, .. } = ask(&query) else { panic!("a chart is answered with boxes") };
    assert!(boxes.iter().any(|found| found.job == of));
    assert!(boxes.iter().all(|found| found.number == workload.request(found.job).number));
    let (lived, schedule_lived) = (&came[1].workload, &came[1].schedule);
    assert_eq!(verify(&runs[1], rules, lived, schedule_lived).faults, Vec::<String>::new());
    let same = compare_with_plain(&runs[1], rules, lived, schedule_lived).unwrap();
    assert!(same.is_equal(), "{same}");
    // without its lived order there is no answer, because the log's own order is another
    let query = Query::UserWaits { run: runs[1].clone() };
    let lost = begin_lived(&query, &workload, None, &schedule, &|_| None);
    assert!(lost.is_err());
}

#[test]
fn the_workload_that_came_about_follows_from_the_schedule() {
    let workload = treatment().apply(&log()).unwrap();
    let Ended { workload: lived, schedule } = ended(&run("easy"), &workload);
    assert_eq!(schedule.workload(&workload).requests(), lived.requests());
    let open = Treatment::default().apply(&log()).unwrap();
    let schedule = ended(&run("easy"), &open).schedule;
    assert!(matches!(schedule.workload(&open), std::borrow::Cow::Borrowed(_)));
}

#[test]
fn each_run_stands_beside_its_replay() {
    let log = log();
    let mut study = Study::first_visit();
    study.schedulers = vec!["easy".parse().unwrap(), "as-logged".parse().unwrap()];
    study.methods = vec!["requested".parse().unwrap()];
    study.treatment = treatment();
    study.beside_replay = true;
    let ids: Vec<String> = study.runs().iter().map(Run::id).collect();
    assert_eq!(ids, ["easy__requested", "easy__requested__replay", "as-logged__requested"]);
    let workloads = Workloads::of(&study, &log).unwrap();
    let reports: Vec<RunReport> = study.runs()[..2]
        .iter()
        .map(|run| {
            let Ended { workload, schedule } = ended(run, workloads.of_run(run));
            RunReport::of(run.clone(), &workload, &schedule, &Measure::default(), 0.0)
        })
        .collect();
    let value = |place: usize, metric| reports[place].values.get(&metric).copied();
    let open = Treatment { feedback: FeedbackRule::default(), ..treatment() }.apply(&log).unwrap();
    let alone = ended(&run("easy"), &open).schedule;
    let alone = RunReport::of(run("easy"), &open, &alone, &Measure::default(), 0.0);
    assert_eq!(reports[1].values, alone.values, "a replay is what it is by itself");
    assert!(value(0, Metric::SessionsDone).is_some() && value(1, Metric::SessionsDone).is_none());
    assert!(value(0, Metric::LivedSpan) >= value(1, Metric::Makespan).map(|_| 0.0));
    for place in [0, 1] {
        assert!(value(place, Metric::JobsDone).unwrap() <= open.len() as f64);
    }
    study.treatment.feedback.feedback = Feedback::Off;
    assert_eq!(study.runs().len(), 2, "without users who react there is nothing to stand beside");
}

#[test]
fn more_users_are_a_row_each_and_react_too() {
    let log = log();
    let mut study = Study::first_visit();
    study.schedulers = vec!["easy".parse().unwrap()];
    study.methods = vec!["requested".parse().unwrap()];
    study.treatment = treatment();
    study.set_users(&[1.0, 2.0, 3.0]);
    let ids: Vec<String> = study.runs().iter().map(Run::id).collect();
    assert_eq!(ids, ["easy__requested__users1", "easy__requested__users2", "easy__requested__users3"]);
    let workloads = Workloads::of(&study, &log).unwrap();
    let done: Vec<(usize, f64)> = study
        .runs()
        .iter()
        .map(|run| {
            let Ended { workload, schedule } = ended(run, workloads.of_run(run));
            let report = RunReport::of(run.clone(), &workload, &schedule, &Measure::default(), 0.0);
            (workload.len(), report.values[&Metric::WorkDone])
        })
        .collect();
    assert_eq!((done[1].0, done[2].0), (2 * done[0].0, 3 * done[0].0));
    assert!(done[0].1 < done[1].1, "twice as many users do more: {done:?}");
    // with the starts of the log all users come as in the log, the further users too
    let many = workloads.of_run(&study.runs()[2]);
    assert!(
        many.reactions().unwrap().dependent_batches() > 2 * workloads.first().reactions().unwrap().dependent_batches()
    );
    let text = serde_json::to_string(&study).unwrap();
    assert_eq!(serde_json::from_str::<Study>(&text).unwrap(), study);
    study.set_users(&[100.0]);
    assert!(study.check().unwrap_err()[0].to_string().contains("multiple of users"), "{:?}", study.check());
}

#[test]
fn a_summary_tells_what_users_do_where_they_react() {
    let summary = Summary::of(&treatment().apply(&log()).unwrap());
    let habits = summary.habits.expect("its users react");
    assert_eq!(habits.sessions.jobs, 3, "three users");
    assert!(habits.thinks.jobs > 100 && habits.dependence.is_some());
    let lines = habits::lines(&habits);
    assert!(lines.iter().any(|(what, ..)| *what == "Do they react?"), "{lines:?}");
    assert_eq!(Summary::of(&Treatment::default().apply(&log()).unwrap()).habits, None);
}

#[test]
fn what_counts_is_the_same_for_lived_workloads() {
    let workload = treatment().apply(&log()).unwrap();
    let Ended { workload: lived, schedule } = ended(&run("easy"), &workload);
    let counted = CountedJobs { counted: Counted::All, only: None };
    let query = Query::Accuracy { run: run("easy"), counted };
    let answer = answered(begin_lived(&query, &workload, None, &|_| Some(&schedule), &|_| Some(&lived)));
    assert!(matches!(answer, Answer::Accuracy(_)));
    let late: Seconds = lived.requests().last().unwrap().submit;
    assert!(late >= workload.requests().last().unwrap().submit);
}

#[test]
fn repeats_draw_users_with_their_sessions() {
    use packfair::study::sureness::{RepeatedLoads, RepeatedWorkloads, Repeats};

    let loads = RepeatedLoads { shrinks: vec![0.12], users: vec![1.0, 2.0] };
    let unshrunk = Treatment { shrink: 1.0, ..treatment() }.apply(&log()).unwrap();
    let drawn = RepeatedWorkloads::of(&loads, &Repeats::of(2), &unshrunk, 1).unwrap();
    let (lived, replay) = (run("easy"), run("easy").replayed(true));
    let reacting = drawn.of_run(&lived);
    let reactions = reacting.reactions().expect("the users of a draw react as those of the log");
    assert!(2 * reactions.dependent_batches() > reactions.batches(), "and come back after what they waited for");
    assert!(reactions.sessions().len() == reacting.len());
    assert!(drawn.of_run(&replay).reactions().is_none());
    assert_eq!(drawn.of_run(&replay).requests(), reacting.requests());
    let Ended { workload, schedule } = ended(&lived, reacting);
    assert!(workload.life().is_some() && schedule.submits.is_some());
    // the study may ask for repeats
    let mut study = Study::first_visit();
    study.treatment = treatment();
    study.repeats = Some(Repeats::of(2));
    assert_eq!(study.check(), Ok(()));
    // more users give more jobs, which are those of the draw
    let more = drawn.of_run(&lived.clone().with_users(Some(2.0)));
    assert_eq!(more.len(), 2 * reacting.len());
    assert!(more.reactions().unwrap().dependent_batches() > reactions.dependent_batches());
    study.set_users(&[1.0, 2.0]);
    assert_eq!(study.check(), Ok(()));
}

#[test]
fn what_a_log_states_is_stated_of_copies_too() {
    use packfair::workload::times_users;
    use std::fmt::Write as _;

    // each second job comes 50 s after the end of the one before
    let mut text = "; MaxProcs: 8\n".to_owned();
    for number in 1..=400_i64 {
        let (user, submit) = (number / 2 % 5 + 1, number / 2 * 9_000 + number % 2 * 110);
        let after = if number % 2 == 1 { number - 1 } else { -1 };
        let line = format!("{number} {submit} 0 60 4 -1 -1 4 100 -1 1 {user} 1 1 1 1 {after} -1");
        writeln!(text, "{line}").unwrap();
    }
    let log = reading::read("log", text.as_bytes()).unwrap();
    let stated = FeedbackRule { feedback: Feedback::Stated, ..FeedbackRule::default() };
    let workload = Treatment { feedback: stated, ..Treatment::default() }.apply(&log).unwrap();
    let counts = workload.reactions().unwrap().stated();
    assert_eq!((counts.followed, counts.all()), (199, 199));
    for twice in [
        times_users(&workload, 2.0).unwrap(),
        Treatment { feedback: stated, users: 2.0, ..Treatment::default() }.apply(&log).unwrap(),
    ] {
        assert_eq!(twice.len(), 800);
        assert_eq!(twice.reactions().unwrap().dependent_batches(), 398);
        let late = ended(&run("fcfs"), &twice);
        assert!(late.schedule.submits.is_some());
    }
    let drawn = packfair::workload::Resampling::Users.workload(&workload, 1, 0).unwrap();
    let waits = drawn.reactions().unwrap().dependent_batches();
    assert!(10 * waits > 4 * drawn.len(), "{waits} of {}", drawn.len());
}

#[test]
fn each_part_of_a_search_has_users_who_react() {
    use packfair::study::{LogPart, measured};

    let log = log();
    let parts = [LogPart::First(0.6), LogPart::Last(0.2)];
    let of = |shrink| {
        let whole = Treatment { shrink, ..treatment() }.apply(&log).unwrap();
        parts.map(|part| part.of(&whole))
    };
    let (plain, shrunk) = (of(1.0), of(0.5));
    for (plain, shrunk) in plain.iter().zip(&shrunk) {
        let batches = |part: &Workload| {
            let reactions = part.reactions().expect("they react");
            (reactions.batches(), reactions.dependent_batches())
        };
        assert_eq!(batches(plain), batches(shrunk), "whatever the load");
        assert!(batches(plain).1 > 100);
        let metrics = [Metric::Af, Metric::JobsDone];
        let values = measured(&run("easy"), shrunk, Rules::default(), &Measure::default(), &metrics, &[]).unwrap();
        let replayed = measured(&run("easy"), &shrunk.replayed(), Rules::default(), &Measure::default(), &metrics, &[]);
        assert_ne!(values, replayed.unwrap(), "users who react come at other times");
    }
}

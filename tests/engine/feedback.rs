//! Users who react: the engine is compared with a plain replay, and with logs.

use crate::random::{cases, estimates};
use crate::shared;
use packfair::model::{Actions, Scheduler, Token, View};
use packfair::scheduler::PRESETS;
use packfair::simulation::{Options, ReactingSimulation, Simulation};
use packfair::study::{CannotRun, Ended, Rules, Run, Running, Treatment, fair_starts_of};
use packfair::workload::{Feedback, FeedbackRule, JobId, Log, NoFeedback, Seconds, SessionBy, Workload, reading};
use proptest::prelude::*;
use std::collections::HashMap;

/// A job as (seconds since the last submission, processors, run time, wait in the log, user).
type Job = (Seconds, u32, Seconds, Seconds, i32);

/// A log of jobs on 8 processors. Its own schedule may take more than these.
fn log(jobs: &[Job]) -> Log {
    let mut submit = 0;
    let lines = jobs.iter().zip(1..).map(|(&(gap, processors, run, wait, user), number)| {
        submit += gap;
        format!(
            "{number} {submit} {wait} {run} {processors} -1 -1 {processors} {} -1 1 {user} 1 {} 1 1 -1 -1\n",
            run + 5,
            number % 2
        )
    });
    let text = format!("; MaxProcs: 8\n{}", lines.collect::<String>());
    reading::read("log", text.as_bytes()).expect("a log")
}

fn jobs() -> impl Strategy<Value = Vec<Job>> {
    let gap = prop_oneof![2 => Just(0), 2 => 1..=4_i64, 2 => 5..=40_i64];
    let job = (gap, 1..=8_u32, 0..=12_i64, prop_oneof![Just(0), 0..=30_i64], 1..=3_i32);
    prop::collection::vec(job, 1..=50)
}

/// The treatment with the cleaning of FAIRNESS, which keeps jobs that run for no time.
fn treatment(rule: FeedbackRule) -> Treatment {
    Treatment { feedback: rule, cleaning: packfair::workload::Cleaning::Fairness, ..Treatment::default() }
}

fn reacting(jobs: &[Job]) -> Workload {
    treatment(FeedbackRule::sessions()).apply(&log(jobs)).expect("a workload")
}

fn end(workload: &Workload, job: usize, start: Seconds) -> Seconds {
    // a job that runs for no time counts as ended a second after its start
    start + workload.runs()[job].max(1)
}

/// A plain replay: second by second, first come first served, with batches and their dependencies by their definitions.
/// Returns when each job is submitted, and when it starts, by its place in the log.
fn replay(workload: &Workload) -> (Vec<Seconds>, Vec<Seconds>) {
    let count = workload.len();
    let submit = |job: usize| workload.requests()[job].submit;
    let logged_end = |job: usize| end(workload, job, submit(job) + workload.logged_wait(JobId(job as u32)).unwrap());
    // batches by user, in the order of submissions
    let mut batches: Vec<Vec<usize>> = Vec::new();
    for user in 1..=3 {
        let mut open: Vec<usize> = Vec::new();
        for job in (0..count).filter(|&job| workload.requests()[job].user == user) {
            if open.iter().any(|&other| logged_end(other) <= submit(job)) {
                batches.push(std::mem::take(&mut open));
            }
            open.push(job);
        }
        batches.extend((!open.is_empty()).then_some(open));
    }
    let user = |batch: &Vec<usize>| workload.requests()[batch[0]].user;
    let last = |batch: &Vec<usize>| batch.iter().map(|&job| logged_end(job)).max().unwrap();
    let waited =
        |b: usize, a: usize| user(&batches[a]) == user(&batches[b]) && last(&batches[a]) <= submit(batches[b][0]);
    let depends: Vec<Vec<usize>> = (0..batches.len())
        .map(|b| {
            let all: Vec<usize> = (0..batches.len()).filter(|&a| waited(b, a)).collect();
            all.iter().copied().filter(|&a| !all.iter().any(|&between| waited(between, a))).collect()
        })
        .collect();
    let (mut submits, mut starts) = (vec![Seconds::MAX; count], vec![Seconds::MAX; count]);
    let mut queue: Vec<usize> = Vec::new();
    let mut free = workload.machine.processors;
    for now in 0.. {
        if starts.iter().all(|&start| start < now) {
            break;
        }
        // batches whose time is known now
        for (batch, depends) in batches.iter().zip(&depends) {
            let end_of = |a: usize| batches[a].iter().map(|&job| end(workload, job, starts[job])).max().unwrap();
            let is_known =
                depends.iter().all(|&a| batches[a].iter().all(|&job| starts[job] < now && starts[job] < Seconds::MAX));
            if is_known && submits[batch[0]] == Seconds::MAX {
                let think = |a: usize| submit(batch[0]) - last(&batches[a]);
                let at = depends.iter().map(|&a| end_of(a) + think(a)).max().unwrap_or(submit(batch[0]));
                batch.iter().for_each(|&job| submits[job] = at + submit(job) - submit(batch[0]));
            }
        }
        queue.extend((0..count).filter(|&job| submits[job] == now));
        free += (0..count)
            .filter(|&job| starts[job] < now && starts[job] + workload.runs()[job] == now)
            .map(|job| workload.requests()[job].processors)
            .sum::<u32>();
        while let Some(&first) = queue.first().filter(|&&job| workload.requests()[job].processors <= free) {
            queue.remove(0);
            starts[first] = now;
            // a job that runs for no time is gone at once
            free -= if workload.runs()[first] == 0 { 0 } else { workload.requests()[first].processors };
        }
    }
    (submits, starts)
}

fn run(scheduler: &str, estimate: &str) -> Run {
    Run::new(scheduler.parse().unwrap(), estimate.parse().unwrap())
}

fn ended<'a>(run: &Run, workload: &'a Workload) -> Ended<'a> {
    Running::begin(run, workload, Rules::default()).unwrap().ended().unwrap()
}

/// A scheduler that starts every job when the log did.
#[derive(Clone)]
struct AsLogged(HashMap<i64, Seconds>);

impl Scheduler for AsLogged {
    fn round(&mut self, view: &View, actions: &mut Actions) {
        for job in view.waiting().collect::<Vec<_>>() {
            match self.0[&view.request(job.job).number] {
                start if start <= view.now() => actions.start(job, Token::default()),
                start => actions.wake_at(start),
            }
        }
    }
}

/// Asserts that a schedule with the log's starts gives the log's submissions, to the second.
fn comes_out_as_logged(workload: &Workload) {
    let start = |job: JobId| workload.request(job).submit + workload.logged_wait(job).unwrap_or(0);
    let starts = workload.jobs().map(|job| (workload.request(job).number, start(job))).collect();
    let mut ample = workload.clone();
    // the log's own schedule may not fit its machine
    ample.machine.processors = u32::MAX >> 1;
    let estimator = "requested".parse::<packfair::estimator::Estimate>().unwrap().build(&ample);
    let reactions = ample.reactions().expect("its users react");
    let simulation =
        ReactingSimulation::new(&ample, reactions, Box::new(AsLogged(starts)), estimator, Options::default());
    let (lived, schedule) = simulation.finish();
    let submits: Vec<Seconds> = workload.requests().iter().map(|request| request.submit).collect();
    assert_eq!(schedule.submits.as_ref(), Some(&submits));
    assert_eq!(lived.requests(), workload.requests());
    assert_eq!(schedule.starts, workload.jobs().map(start).collect::<Vec<_>>());
}

/// Asserts that on a machine without limit, where no job waits, no batch comes later than in the log, and each comes
/// after its think time.
fn none_comes_later_without_limit(workload: &Workload) {
    let mut ample = workload.clone();
    ample.machine.processors = u32::MAX >> 1;
    let (submits, starts) = {
        let ended = ended(&run("fcfs", "requested"), &ample);
        assert_eq!(ended.schedule.starts, ended.workload.requests().iter().map(|r| r.submit).collect::<Vec<_>>());
        (ended.schedule.submits.unwrap(), ended.schedule.starts)
    };
    assert_eq!(submits.len(), starts.len());
    let later = workload.jobs().filter(|job| submits[job.index()] > workload.request(*job).submit).count();
    assert_eq!(later, 0);
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn the_engine_does_what_a_plain_replay_does(jobs in jobs()) {
        let workload = reacting(&jobs);
        let (submits, starts) = replay(&workload);
        let Ended { workload: lived, schedule } = ended(&run("fcfs", "requested"), &workload);
        prop_assert_eq!(schedule.submits.as_ref(), Some(&submits));
        let places = &lived.life().unwrap().places;
        let found: Vec<Seconds> = places.iter().map(|place| starts[place.index()]).collect();
        prop_assert_eq!(&schedule.starts, &found);
    }

    #[test]
    fn with_the_log_s_own_starts_every_submission_comes_out_as_logged(
        jobs in jobs(), hours in any::<bool>(), max in any::<bool>()
    ) {
        let session = if max { SessionBy::Max } else { SessionBy::Arrival };
        let rule = FeedbackRule { hours, session, gap: Some(1), ..FeedbackRule::sessions() };
        comes_out_as_logged(&treatment(rule).apply(&log(&jobs)).unwrap());
    }

    #[test]
    fn on_a_machine_without_limit_nobody_comes_later_than_in_the_log(jobs in jobs()) {
        none_comes_later_without_limit(&reacting(&jobs));
    }

    /// A lived workload is an ordinary workload: simulating it gives the schedule of which it came about.
    #[test]
    fn the_lived_workload_simulated_again_has_the_same_schedule(
        jobs in jobs(), policy in policies(), estimate in prop_oneof![estimates(), learned()]
    ) {
        let workload = reacting(&jobs);
        let run = run(&policy, estimate);
        let Ended { workload: lived, schedule } = ended(&run, &workload);
        let again = ended(&run, &lived).schedule;
        let submits = schedule.submits.clone();
        prop_assert_eq!(&schedule, &packfair::model::Schedule { submits, ..again });
        if jobs.len() < 20 {
            let fair = fair_starts_of(&run, &lived, Rules::default(), &schedule, 0..lived.len()).unwrap();
            prop_assert!(fair.strict.iter().zip(lived.requests()).all(|(&fair, request)| fair >= request.submit));
        }
    }
}

/// Asserts that the lived workload of a run, simulated again, has the same schedule, and returns that workload.
fn is_the_same_again(workload: &Workload, run: &Run) -> Workload {
    let Ended { workload: lived, schedule } = ended(run, workload);
    let again = ended(run, &lived).schedule;
    let submits = schedule.submits.clone();
    assert_eq!(schedule, packfair::model::Schedule { submits, ..again }, "{}", run.id());
    lived.into_owned()
}

proptest! {
    #![proptest_config(cases(12))]

    /// Classifiers learn week by week, so the jobs are stretched over some weeks.
    #[test]
    fn classifiers_learn_from_jobs_as_they_come(jobs in jobs(), policy in classes()) {
        let stretched: Vec<Job> =
            jobs.iter().map(|&(gap, width, run, wait, user)| (gap * 9_000, width, run * 2_000, wait * 900, user)).collect();
        is_the_same_again(&reacting(&stretched), &run(&policy, "requested"));
    }
}

fn classes() -> impl Strategy<Value = String> {
    let by = prop::sample::select(vec!["forest", "last", "request", "clairvoyant"]);
    let known = prop::sample::select(vec!["online", "decoupled", "ahead"]);
    (by, known).prop_map(|(by, known)| format!("classes:by={by},known={known},trees=3"))
}

/// All schedulers that decide as time passes, which off-line schedules do not.
fn policies() -> impl Strategy<Value = String> {
    let is_one = |id: &str| id.parse::<packfair::scheduler::Policy>().unwrap().build().is_some();
    let presets = PRESETS.iter().map(|preset| preset.id.to_owned()).filter(move |id| is_one(id));
    let sharing = "easy:initial=formula:min(wait,24h)+24h*share".to_owned();
    prop::sample::select(presets.chain([sharing]).collect::<Vec<_>>())
}

fn learned() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["last2", "hierarchy", "sp2", "survival", "cvh"])
}

/// A job that is killed has not ended: a batch that waits for it waits on.
#[test]
fn a_killed_execution_does_not_end_a_batch() {
    /// Kills the first job after ten seconds, once.
    #[derive(Clone, Default)]
    struct Impatient(bool);
    impl Scheduler for Impatient {
        fn woken(&mut self, view: &View, actions: &mut Actions) -> bool {
            if view.now() == 10 && !std::mem::replace(&mut self.0, true) {
                actions.kill(JobId(0));
            }
            true
        }
        fn round(&mut self, view: &View, actions: &mut Actions) {
            for job in view.waiting().collect::<Vec<_>>() {
                if job.processors <= actions.free() {
                    actions.start(job, Token::default());
                }
            }
            if view.now() < 10 {
                actions.wake_at(10);
            }
        }
    }
    // the second came 5 s after the end of the first
    let workload = reacting(&[(0, 1, 20, 0, 1), (25, 1, 5, 0, 1)]);
    let estimator = "requested".parse::<packfair::estimator::Estimate>().unwrap().build(&workload);
    let reactions = workload.reactions().unwrap();
    let simulation =
        ReactingSimulation::new(&workload, reactions, Box::new(Impatient::default()), estimator, Options::default());
    let (lived, schedule) = simulation.finish();
    assert_eq!((schedule.killed.len(), &schedule.ends[..1]), (1, &[30][..]));
    assert_eq!(lived.requests()[1].submit, 35);
}

#[test]
fn what_a_log_states_is_followed_or_counted() {
    let line = |number: i64, submit: Seconds, user: i32, after: i64, think: Seconds| {
        format!("{number} {submit} 0 10 1 -1 -1 1 20 -1 1 {user} 1 1 1 1 {after} {think}\n")
    };
    // dependencies that are followed, missing, on the job itself, on a later job (a cycle of two), on a job not ended
    let jobs = [(1, 0, -1), (2, 15, 1), (3, 20, 99), (4, 30, 4), (5, 40, 6), (6, 60, 5), (7, 65, 6)];
    let text: String = jobs.iter().map(|&(number, submit, after)| line(number, submit, -1, after, 3)).collect();
    let read = |text: &str| reading::read("log", text.as_bytes()).unwrap();
    let rule = FeedbackRule { feedback: Feedback::Stated, ..FeedbackRule::default() };
    let workload = treatment(rule).apply(&read(&text)).unwrap();
    let counts = workload.reactions().unwrap().stated();
    assert_eq!(
        (counts.followed, counts.missing, counts.itself, counts.later, counts.contradicted),
        (2, 1, 1, 1, 1),
        "{counts:?}"
    );
    comes_out_as_logged(&workload);
    // one processor: the first ends at 10, the second comes 5 s later; all others as in the log
    let Ended { schedule, .. } = ended(&run("fcfs", "requested"), &workload);
    assert_eq!(schedule.submits.unwrap()[..3], [0, 15, 20]);
    let silent = read(&line(1, 0, -1, -1, -1));
    assert_eq!(treatment(rule).apply(&silent).unwrap_err().to_string(), NoFeedback::NothingStated.to_string());
    let sessions = treatment(FeedbackRule::sessions());
    assert_eq!(sessions.apply(&silent).unwrap_err().to_string(), NoFeedback::NoUsers.to_string());
    let generated = packfair::workload::lublin(50, 8, 1);
    let refused = sessions.apply(&generated).unwrap_err().to_string();
    assert!(refused.starts_with("users cannot react"), "{refused}");
}

#[test]
fn one_user_of_all_jobs_reacts_too() {
    let jobs: Vec<Job> = (0..200).map(|i| (7 + i % 5, 1 + (i % 3) as u32, 20, i % 9, 1)).collect();
    let workload = reacting(&jobs);
    comes_out_as_logged(&workload);
    none_comes_later_without_limit(&workload);
}

#[test]
fn who_knows_the_arrivals_beforehand_is_refused_with_the_reason() {
    let workload = reacting(&[(0, 1, 20, 0, 1), (25, 1, 5, 0, 1)]);
    let refused = |scheduler: &str| Running::begin(&run(scheduler, "requested"), &workload, Rules::default()).err();
    assert!(matches!(refused("off-af"), Some(CannotRun::ArrivalsUnknown { .. })));
    assert_eq!(refused("fcfs-ci"), None, "its classifier learns of jobs as they come");
    assert_eq!(refused("as-logged"), None, "its users did react");
}

#[test]
fn on_kth_sp2_every_submission_comes_out_as_logged() {
    let Some(log) = real("KTH-SP2") else { return };
    for hours in [false, true] {
        let rule = FeedbackRule { hours, ..FeedbackRule::sessions() };
        let workload = Treatment { feedback: rule, ..Treatment::default() }.apply(&log).unwrap();
        comes_out_as_logged(&workload);
        if !hours {
            none_comes_later_without_limit(&workload);
        }
    }
}

/// The wait times of SDSC-BLUE are lost, so EASY's take their place.
#[test]
fn on_sdsc_blue_every_submission_comes_out_as_scheduled() {
    let Some(log) = real("SDSC-BLUE") else { return };
    let refused = Treatment { feedback: FeedbackRule::sessions(), ..Treatment::default() }.apply(&log).unwrap_err();
    assert!(refused.to_string().contains("does not tell when its jobs started"), "{refused}");
    let log = with_starts_of_easy(log);
    let workload = Treatment { feedback: FeedbackRule::sessions(), ..Treatment::default() }.apply(&log).unwrap();
    assert!(workload.reactions().unwrap().dependent_batches() > 50_000);
    comes_out_as_logged(&workload);
    none_comes_later_without_limit(&workload);
    let again = ended(&run("easy", "requested"), &workload);
    assert_eq!(again.workload.requests(), workload.requests(), "and so with the scheduler that made it");
}

fn real(name: &str) -> Option<Log> {
    let file = std::fs::File::open(shared::folder()?.join(format!("traces/{name}.swf.gz"))).expect("the log is there");
    Some(reading::read(name, file).expect("the log can be read"))
}

/// The log with the starts of EASY as its own.
fn with_starts_of_easy(mut log: Log) -> Log {
    let plain = Treatment::default().apply(&log).unwrap();
    let easy = run("easy", "requested");
    let (scheduler, estimator) = (easy.scheduler.build().unwrap(), easy.estimate.build(&plain));
    let schedule = Simulation::new(&plain, scheduler, estimator, Options::default()).finish();
    for job in plain.jobs() {
        log.records[plain.record(job)].wait = schedule.start(job) - plain.request(job).submit;
    }
    log
}

/// A generated log has no starts, so those of a simulation take their place.
#[test]
fn on_generated_jobs_every_submission_comes_out_as_logged() {
    let generated = packfair::workload::lublin(1_000, 64, 3);
    let mut log = with_starts_of_easy(generated);
    for (record, user) in log.records.iter_mut().zip((1..=20).cycle()) {
        record.user = record.user.max(user);
    }
    let workload = Treatment { feedback: FeedbackRule::sessions(), ..Treatment::default() }.apply(&log).unwrap();
    assert!(workload.reactions().unwrap().dependent_batches() > 100);
    comes_out_as_logged(&workload);
    let again = ended(&run("easy", "requested"), &workload);
    assert_eq!(again.workload.requests(), workload.requests(), "and so with the scheduler that made it");
}

/// Some jobs ask for one of the cells, and nodes go while jobs run on them.
#[test]
fn on_a_machine_of_cells_users_react_too() {
    let text = r#"{"cells": [
        {"name": "cpu", "nodes": 4, "node": {"processors": 2}},
        {"name": "big", "nodes": 2, "node": {"processors": 4}}],
        "partitions": [{"name": "1", "cells": ["cpu", "big"]}, {"name": "2", "cells": ["big"]}],
        "changes": [{"from": 300, "until": 400, "cell": "big", "nodes": -1, "what": "kill"}]}"#;
    let described: packfair::machine::MachineDescription = serde_json::from_str(text).unwrap();
    let machine = described.machine(|_| Err("no clock".to_owned())).unwrap();
    let lines: String = (0..120_i64)
        .map(|i| {
            let (user, partition, width) = (i % 3 + 1, i % 2 + 1, 1 + i % 5);
            let run = 10 + i * 7 % 60;
            format!(
                "{} {} 0 {run} {width} -1 -1 {width} {} -1 1 {user} 1 1 1 {partition} -1 -1\n",
                i + 1,
                i * 9,
                run + 9
            )
        })
        .collect();
    let log = reading::read("log", lines.as_bytes()).unwrap();
    let on_cells = Treatment { machine: Some(Box::new(machine.into())), ..treatment(FeedbackRule::sessions()) };
    let workload = on_cells.apply(&log).unwrap();
    assert!(workload.cluster().is_some() && workload.reactions().unwrap().dependent_batches() > 20);
    for scheduler in ["fcfs", "easy", "saf-easy", "list:depth=2", "conservative", "dc"] {
        let run = run(scheduler, "requested");
        let lived = is_the_same_again(&workload, &run);
        assert_eq!(packfair::simulation::check(&lived, &ended(&run, &lived).schedule), [], "{scheduler}");
        assert!(lived.requests().iter().zip(workload.requests()).any(|(now, then)| now.submit != then.submit));
    }
}

/// The site knows the nodes of each job. A job keeps its own nodes when it comes in another order.
#[test]
fn at_a_slurm_site_users_react_too() {
    let conf = "NodeName=n[1-4] CPUs=4\nPartitionName=batch Nodes=n[1-4] Default=YES\nSchedulerType=sched/backfill\n\
        SelectType=select/cons_tres\n";
    let file = packfair::slurm::SiteFile { name: "slurm.conf", content: conf.as_bytes() };
    let named = file.named();
    let site = packfair::slurm::read_site(&[file], packfair::slurm::Version::default());
    let head = "JobIDRaw|User|Account|Partition|Submit|Start|ElapsedRaw|TimelimitRaw|NNodes|NCPUS|State\n".to_owned();
    let moment = |seconds: i64| {
        let time = chrono::DateTime::from_timestamp(1_770_000_000 + seconds, 0).unwrap();
        time.format("%Y-%m-%dT%H:%M:%S").to_string()
    };
    let lines: String = (0..80_i64)
        .map(|i| {
            let (user, nodes) = (["ann", "bob", "cyd"][i as usize % 3], 1 + i % 4);
            let (submit, run) = (i * 45, 120 + i * 37 % 200);
            let (submitted, start) = (moment(submit), moment(submit + 5));
            format!("{}|{user}|lab|batch|{submitted}|{start}|{run}|10|{nodes}|{}|COMPLETED\n", i + 1, nodes * 2)
        })
        .collect();
    let log = reading::read("sacct", (head + lines.as_str()).as_bytes()).unwrap();
    let log = Log { site: Some(std::sync::Arc::new(site)), ..log };
    let workload = Treatment { site: vec![named], ..treatment(FeedbackRule::sessions()) }.apply(&log).unwrap();
    assert!(workload.site().is_some());
    let lived = is_the_same_again(&workload, &run("slurm", "requested"));
    let places = &lived.life().unwrap().places;
    assert!(!places.is_sorted(), "they come in another order");
    for (job, place) in (0..).zip(places) {
        assert_eq!(lived.site().unwrap().asks(job), workload.site().unwrap().asks(place.index()));
    }
}

/// In a log that is shrunk to half, a day has twelve hours, and the user works in four of them.
#[test]
fn working_hours_shrink_with_the_load() {
    const HOUR: Seconds = 3_600;
    let of_day = |day: Seconds| (9..16).map(move |hour| (day * 24 + hour) * HOUR);
    let lines: String = (0..20)
        .flat_map(of_day)
        .zip(1..)
        .map(|(submit, number)| format!("{number} {submit} 0 900 1 -1 -1 1 1000 -1 1 1 1 1 1 1 -1 -1\n"))
        .collect();
    let log = reading::read("log", format!("; MaxProcs: 1\n{lines}").as_bytes()).unwrap();
    let rule = FeedbackRule { hours: true, ..FeedbackRule::sessions() };
    let workload = Treatment { feedback: rule, shrink: 0.5, ..Treatment::default() }.apply(&log).unwrap();
    let lived = is_the_same_again(&workload, &run("fcfs", "requested"));
    let first = lived.requests()[0].submit;
    let mut later = 0;
    for (now, then) in lived.requests().iter().zip(workload.requests()) {
        let hour = (first + 2 * (now.submit - first)).rem_euclid(24 * HOUR) / HOUR;
        assert!((8..16).contains(&hour), "at {hour} o'clock of the log");
        later += usize::from(now.submit > then.submit);
    }
    assert!(later > 100, "whose jobs take twice as long by the log's clock comes later: {later}");
}

#[test]
fn what_slurm_and_pbs_were_told_is_followed() {
    let head = "JobID|JobIDRaw|User|JobName|Submit|Eligible|Start|ElapsedRaw|NCPUS|State|Dependency\n";
    let job = |id: &str, raw: u32, submit: u32, eligible: u32, start: u32, after: &str| {
        let at = |seconds: u32| format!("2026-01-05T00:{:02}:{:02}", seconds / 60, seconds % 60);
        let (submit, eligible, start) = (at(submit), at(eligible), at(start));
        format!("{id}|{raw}|ann|fit|{submit}|{eligible}|{start}|100|1|COMPLETED|{after}\n")
    };
    let text = head.to_owned()
        + job("1", 1, 0, 0, 0, "").as_str()
        + job("5_1", 6, 1, 1, 1, "").as_str()
        + job("5_2", 5, 2, 2, 20, "").as_str()
        + job("7", 7, 3, 130, 130, "afterok:1,afterany:5(unfulfilled)").as_str()
        + job("8", 8, 4, 240, 240, "singleton").as_str()
        + job("9", 9, 5, 5, 5, "afterok:99").as_str()
        + job("10", 10, 6, 6, 6, "afterok:10").as_str()
        + job("11", 11, 7, 7, 7, "after:1").as_str();
    let log = reading::read("sacct", text.as_bytes()).unwrap();
    let rule = FeedbackRule { feedback: Feedback::Stated, ..FeedbackRule::default() };
    let of = |since| Treatment { since, ..treatment(rule) }.apply(&log);
    // by their submit times, jobs 7 and 8 had been submitted before the jobs that they come after ended
    let refused = of(packfair::workload::Since::Submit).unwrap_err().to_string();
    assert!(refused.contains("held until then"), "{refused}");
    let workload = of(packfair::workload::Since::Eligible).unwrap();
    let counts = workload.reactions().unwrap().stated();
    assert_eq!((counts.followed, counts.missing, counts.itself, counts.other), (7, 1, 1, 1), "{counts:?}");
    comes_out_as_logged(&workload);
    // on one processor the tasks of the array end last, at 700 s, with those for whose starts no job waits
    let mut one = workload.clone();
    one.machine.processors = 1;
    let Ended { workload: lived, schedule } = ended(&run("fcfs", "requested"), &one);
    let end = |number: i64| {
        let job = lived.jobs().find(|&job| lived.request(job).number == number).unwrap();
        (lived.request(job).submit, schedule.end(job))
    };
    assert_eq!(end(7).0, (end(1).1 + 30).max(end(6).1 + 29).max(end(5).1 + 10));
    assert!(end(8).0 > end(7).1);

    let entry = |kind: char, id: &str, start: u32, more: &str| {
        format!(
            "01/05/2026 12:00:00;{kind};{id};user=ann jobname=fit queue=q ctime={start} qtime={start} etime={start} \
             start={start} end={} exec_host=n1/0 Resource_List.walltime=00:05:00 {more}\n",
            start + 100
        )
    };
    let text = entry('E', "1.host", 1_000, "")
        + entry('Q', "2.host", 1_150, "depend=afterok:1.host@host").as_str()
        + entry('E', "2.host", 1_150, "").as_str()
        + entry('E', "3[1].host", 1_160, "").as_str()
        + entry('E', "4.host", 1_300, "depend=afterany:3[1].host@host:2.host@host,beforeany:5.host").as_str();
    let log = reading::read("pbs", text.as_bytes()).unwrap();
    let workload = treatment(rule).apply(&log).unwrap();
    assert_eq!(workload.reactions().unwrap().stated().followed, 3);
    assert_eq!(workload.reactions().unwrap().dependent_batches(), 2);
    comes_out_as_logged(&workload);
}

//! Futures whose run times are the true ones are what came; and nothing that comes later reaches a forecast.

use super::stage::Stage;
use super::*;
use packfair_base::random::Random;
use packfair_engine::simulation::Simulation;
use packfair_study::{Rules, Run};
use packfair_workload::{Cleaning, Header, JobId, Machine, MachineSource, Request, Seconds, Workload};

/// Jobs of twenty users whose run times have a law of each user's own, with limits that are up to ten times as long.
fn workload(jobs: usize, seed: u64) -> Workload {
    let machine = Machine { processors: 64, source: MachineSource::Given };
    let mut workload = Workload::empty("laws", machine, Header::default());
    let mut random = Random::seeded(seed);
    let mut submit = 0.0;
    for place in 0..jobs {
        submit += 1_700.0 * random.exponential();
        let user = random.below(20) as i32;
        let limit = [3_600, 14_400, 43_200][user as usize % 3];
        let processors = 1 << (user as usize % 6);
        let run = (limit as f64 * (0.1 + 0.03 * f64::from(user)) * random.exponential()).min(limit as f64) as Seconds;
        let request = Request {
            number: place as i64 + 1,
            submit: submit as Seconds,
            processors,
            limit,
            user,
            group: -1,
            executable: -1,
            queue: -1,
            partition: -1,
        };
        workload.push(request, run.max(1), -1, place as u32);
    }
    workload
}

fn question(scheduler: &str) -> Question {
    Question {
        run: Run::new(scheduler.parse().unwrap(), "requested".parse().unwrap()),
        rules: Rules::default(),
        arrivals: Arrivals::Again,
        futures: 10,
        seed: 7,
        horizon: HORIZON,
    }
}

fn begun<'a>(question: &Question, workload: &'a Workload) -> Simulation<'a> {
    question.run.simulation(workload, question.rules).unwrap()
}

fn starts(question: &Question, workload: &Workload) -> Vec<Seconds> {
    begun(question, workload).finish().starts
}

fn moments(past: &Past, count: usize) -> Vec<Seconds> {
    let last = past.workload().requests().last().unwrap().submit;
    past.waits().draw(last / 4, last, count, &mut Random::seeded(3))
}

/// Follows a future until nobody waits any more, and compares the starts with those that came.
fn assert_came(mut future: Simulation, workload: &Workload, came: impl Fn(JobId) -> Seconds, of: &str) {
    let mut seen = 0;
    future.follow(workload.len(), Seconds::MAX - 1, usize::MAX, &[], |job, at| {
        assert_eq!(at, came(job), "{of}: {job:?}");
        seen += 1;
        false
    });
    assert!(seen > 0, "{of}");
}

#[test]
fn a_future_with_the_true_run_times_is_what_came() {
    let workload = workload(500, 1);
    let families = [
        "fcfs",
        "easy",
        "easy-sjbf",
        "saf-easy",
        "justbf",
        "saf-justbf",
        "list:order=wfp",
        "conservative",
        "pc",
        "dc",
        "dynp",
        "slurm",
        "list:order=formula:min(wait,24h)+1h*share",
    ];
    for family in families {
        let question = question(family);
        let came = starts(&question, &workload);
        let past = Past::new(&workload, came.clone());
        let mut simulation = begun(&question, &workload);
        for now in moments(&past, 6) {
            simulation.live_until(now);
            let future = simulation.future(workload.runs(), workload.len()).unwrap();
            assert_came(future, &workload, |job| came[job.index()], &format!("{family} at {now}"));
        }
    }
}

#[test]
fn estimates_that_run_out_or_are_learned_go_on_in_a_future() {
    let workload = workload(400, 2);
    for estimate in ["requested*0.3", "last2", "sp2", "hierarchy"] {
        let run = Run::new("easy".parse().unwrap(), estimate.parse().unwrap());
        let question = Question { run, ..question("easy") };
        let came = starts(&question, &workload);
        let past = Past::new(&workload, came.clone());
        let mut simulation = begun(&question, &workload);
        for now in moments(&past, 6) {
            simulation.live_until(now);
            let future = simulation.future(workload.runs(), workload.len()).unwrap();
            assert_came(future, &workload, |job| came[job.index()], &format!("{estimate} at {now}"));
        }
    }
}

#[test]
fn jobs_that_are_placed_first_lead_to_what_came_too() {
    let workload = workload(500, 3);
    for family in ["fcfs", "easy", "easy-sjbf", "saf-easy", "justbf", "saf-justbf", "list:order=wfp"] {
        let question = question(family);
        assert!(question.is_memoryless(&workload), "{family}");
        let came = starts(&question, &workload);
        let past = Past::new(&workload, came.clone());
        for now in moments(&past, 8) {
            let (running, waiting) = past.present(now);
            let coming = (past.submitted(now) as u32..workload.len() as u32).map(JobId);
            let coming = coming.map(|job| (job, workload.request(job).submit)).collect();
            let stage = Stage::of(&past, &running, &waiting, &coming, now);
            let mut simulation = begun(&question, &stage.workload).with_runs(&stage.runs).opening(stage.running, now);
            simulation.live_until(now - 1);
            let placed: Vec<Seconds> = simulation.present().running.iter().map(|&(_, start)| start).collect();
            let ran: Vec<Seconds> = running.iter().map(|&(_, start)| start).collect();
            assert_eq!(placed, ran, "{family}");
            let runs: Vec<Seconds> = stage.cast.iter().map(|cast| workload.run(cast.of)).collect();
            let future = simulation.future(&runs, stage.workload.len()).unwrap();
            let came = |job: JobId| came[stage.cast[job.index()].of.index()];
            assert_came(future, &stage.workload, came, &format!("{family} at {now}"));
        }
    }
}

#[test]
fn a_past_that_is_lived_again_comes_to_the_same_moment() {
    let workload = workload(300, 4);
    for family in ["conservative", "dynp", "list:order=formula:min(wait,24h)+1h*share"] {
        let question = question(family);
        let past = Past::new(&workload, starts(&question, &workload));
        for now in moments(&past, 4) {
            let stage = Stage::relived(&past, &Vec::new(), now);
            let mut simulation = begun(&question, &stage.workload).with_runs(&stage.runs);
            simulation.live_until(now);
            let (mut running, waiting) = past.present(now);
            running.sort_unstable();
            let present = simulation.present();
            assert_eq!((present.running, present.waiting), (running, waiting), "{family}");
        }
    }
}

/// The workload with everything otherwise that comes after `now`, given the starts until then: those who run then run
/// on for other times, and others come.
fn otherwise(workload: &Workload, past: &Past, now: Seconds) -> Workload {
    let mut other = Workload::empty("laws", workload.machine, Header::default());
    for job in workload.jobs() {
        let (request, run) = (workload.request(job).clone(), workload.run(job));
        let (request, run) = match past.known(job, now) {
            Known::Ran(_) => (request, run),
            Known::Runs(elapsed) => (request, elapsed + 1 + run / 3),
            Known::Waits => (request, run / 2 + 40),
            Known::Nothing | Known::Left => {
                let processors = 65 - request.processors;
                (Request { submit: request.submit + 5_000, processors, user: 3, limit: 900, ..request }, 700)
            }
        };
        other.push(request, run, -1, job.0);
    }
    other
}

#[test]
fn nothing_of_the_future_reaches_a_forecast() {
    let workload = workload(600, 5);
    for (family, arrivals) in [
        ("easy", Arrivals::Drawn),
        ("easy", Arrivals::None),
        ("conservative", Arrivals::Drawn),
        ("conservative", Arrivals::None),
        ("dynp", Arrivals::Drawn),
        ("slurm", Arrivals::Drawn),
        ("list:order=formula:min(wait,24h)+1h*share", Arrivals::Drawn),
    ] {
        let question = Question { arrivals, ..question(family) };
        let past = Past::new(&workload, starts(&question, &workload));
        let history = History::of(&past);
        for now in moments(&past, 5) {
            let changed = otherwise(&workload, &past, now);
            let other_past = Past::new(&changed, starts(&question, &changed));
            let other_history = History::of(&other_past);
            let ensemble = Futures::new(&history, &question, StartSource::Simulated).of(&[now], &(0..10));
            assert_eq!(
                ensemble,
                Futures::new(&other_history, &question, StartSource::Simulated).of(&[now], &(0..10)),
                "{family}"
            );
            assert!(!ensemble[0].waiting.is_empty() && ensemble[0].starts.iter().all(|starts| starts.len() == 10));
            assert_eq!(
                ensemble,
                Futures::new(&history, &question, StartSource::Simulated).of(&[now], &(0..10)),
                "the same again"
            );
        }
    }
}

#[test]
fn what_cannot_be_forecast_says_so() {
    let workload = workload(20, 1);
    let said = |scheduler: &str, estimate: &str| {
        let run = Run::new(scheduler.parse().unwrap(), estimate.parse().unwrap());
        Question { run, ..question("easy") }.check(&workload).map_err(|error| error.to_string())
    };
    assert_eq!(said("easy", "requested"), Ok(()));
    assert!(said("easy", "actual").unwrap_err().contains("knows run times before"));
    assert!(said("as-logged", "requested").unwrap_err().contains("does not decide as time passes"));
    assert!(said("offline", "requested").unwrap_err().contains("does not decide as time passes"));
    assert!(said("classes:by=forest", "requested").unwrap_err().contains("trains a classifier"));
}

#[test]
fn jobs_without_requested_times_do_not_tell_how_long_they_ran() {
    let text =
        "; MaxProcs: 8\n1 0 0 100 8 -1 -1 8 -1 -1 1\n2 10 90 500 8 -1 -1 8 -1 -1 1\n3 20 580 900 8 -1 -1 8 -1 -1 1\n";
    let log = packfair_workload::reading::read("log", text.as_bytes()).unwrap();
    let mut workload = packfair_study::Treatment::default().apply(&log).unwrap();
    assert_eq!(without_run_times(&mut workload, &log, 620), Some((3, 500)), "the longest that had ended by then");
    assert!(workload.requests().iter().all(|request| request.limit == 500));
}

#[test]
fn a_log_that_is_cut_hides_what_came_later() {
    let text = "; MaxProcs: 8\n1 0 0 100 8 -1 -1 8 600 -1 1\n2 10 90 500 8 -1 -1 8 600 -1 1\n3 20 580 900 8 -1 -1 8 1000 -1 1\n\
        4 700 800 50 2 -1 -1 2 60 -1 1\n";
    let log = packfair_workload::reading::read("log", text.as_bytes()).unwrap();
    let seen = cut(&log, Cleaning::Metrics, 200, Later::Unknown);
    let told: Vec<_> = seen.records.iter().map(|record| (record.wait, record.run)).collect();
    assert_eq!(told, [(0, 100), (90, 600), (-1, 1_000), (-1, -1)]);
    let workload = packfair_study::Treatment::default().apply(&seen).unwrap();
    let past = Past::as_logged(&workload);
    assert_eq!(workload.len(), 3);
    assert_eq!(past.present(200), (vec![(JobId(1), 100)], vec![JobId(2)]));
    assert_eq!(past.known(JobId(0), 200), Known::Ran(100));
}

#[test]
fn a_job_that_comes_later_draws_what_it_would_have_drawn() {
    let workload = workload(500, 4);
    let question = Question { arrivals: Arrivals::Drawn, ..question("easy") };
    let past = Past::new(&workload, starts(&question, &workload));
    let history = History::of(&past);
    let now = moments(&past, 4).into_iter().find(|&now| past.present(now).1.len() > 2).unwrap();
    let waiting = past.present(now).1;
    let (first, last) = (waiting[0], waiting[waiting.len() - 1]);
    let base = Futures::new(&history, &question, StartSource::Logged).of(&[now], &(0..10)).pop().unwrap();
    let later = |submit: Seconds| {
        let request = Request { submit, ..workload.request(last).clone() };
        let change = Change { job: last, what: "later".to_owned(), request };
        changed(&history, &question, &change, now, &(0..10))
    };
    // the last of the queue, a second later: nobody else notices, and it starts when it did or a second later
    let soon = later(now + 1);
    let of = |ensemble: &Ensemble, job| {
        let place = ensemble.waiting.iter().position(|&of| of == job).unwrap();
        ensemble.starts[place].clone()
    };
    assert_eq!(of(&soon, first), of(&base, first));
    for (before, after) in of(&base, last).iter().zip(of(&soon, last)) {
        assert!(after == *before || after == 1 && *before == 0, "{before} {after}");
    }
    // a day later it starts no earlier than it is submitted
    assert!(of(&later(now + 86_400), last).iter().all(|&start| start >= 86_400));
}

#[test]
fn usage_before_a_moment_is_without_that_of_jobs_that_run() {
    let conf = "PriorityType=priority/multifactor\nPriorityWeightFairshare=10\nPriorityDecayHalfLife=0\n\
        NodeName=n[1-4] CPUs=4\nPartitionName=p Nodes=ALL Default=YES\n";
    let assoc = "Cluster|Account|User|Share|ParentName\nc|root|||\nc|a||1|root\nc|a|ann|1|\n";
    let text = "JobIDRaw|User|Account|Submit|Start|ElapsedRaw|TimelimitRaw|NCPUS|State|Partition\n\
        1|ann|a|2026-01-01T00:00:00|2026-01-01T00:00:00|10000|600|4|COMPLETED|p\n\
        2|ann|a|2026-01-01T06:00:00|2026-01-01T06:00:00|10000|600|2|COMPLETED|p\n";
    let used = |sshare: &str| {
        let files = [("slurm.conf", conf), ("assoc.txt", assoc), ("sshare.txt", sshare)];
        let files = files
            .iter()
            .filter(|(_, text)| !text.is_empty())
            .map(|(name, text)| packfair_slurm::SiteFile { name, content: text.as_bytes() });
        let mut log = packfair_workload::reading::read("sacct.txt", text.as_bytes()).unwrap();
        let site = packfair_slurm::read_site(&files.collect::<Vec<_>>(), packfair_slurm::Version::default());
        let treatment = packfair_study::Treatment { site: site.files.clone(), ..Default::default() };
        log.site = Some(std::sync::Arc::new(site));
        let workload = treatment.apply(&log).unwrap();
        let now = workload.request(JobId(1)).submit + 5_000;
        let past = Past::as_logged(&workload).with_usage_told(now);
        let (running, _) = past.present(now);
        assert_eq!(running.len(), 1);
        past.used_before(&running, now)
    };
    // root, the account, ann
    assert_eq!(used(""), [40_000.0; 3], "what the first job used");
    let sshare = "Account|User|RawShares|RawUsage\nroot|||70000\n a||1|70000\n  a|ann|1|70000\n";
    assert_eq!(used(sshare), [60_000.0; 3], "of 70,000 the second job has used 10,000 on the stage");
}

#[test]
fn what_differs_from_run_to_run_is_drawn_for_each_future() {
    let workload = workload(300, 6);
    let question = question("slurm");
    let past = Past::new(&workload, starts(&question, &workload));
    let now = moments(&past, 3)[1];
    let mut simulation = begun(&question, &workload);
    simulation.live_until(now);
    let lived = |seed: u64| {
        let mut future = simulation.future(workload.runs(), workload.len()).unwrap();
        future.redraw(seed, now);
        let mut all = Vec::new();
        future.follow(usize::MAX, Seconds::MAX, 1_000_000, &[], |job, at| {
            all.push((job, at));
            false
        });
        all
    };
    let history = History::of(&past);
    let futures = Futures::new(&history, &question, StartSource::Simulated);
    let seeds = [0, 1].map(|future| futures.seed_of_run(future));
    assert_ne!(seeds[0], seeds[1]);
    assert_eq!(lived(seeds[0]), lived(seeds[0]));
    assert_ne!(lived(seeds[0]), lived(seeds[1]));
}

/// A log of `sacct` of which the rows until the moment are the same, whatever came `later`; and the site that it is from.
fn log_with_holds(later: bool) -> (packfair_workload::Log, packfair_study::Treatment) {
    let at =
        |minutes: usize| format!("2026-01-{:02}T{:02}:{:02}:00", 1 + minutes / 1_440, minutes / 60 % 24, minutes % 60);
    let mut text = String::from(
        "JobIDRaw|User|Account|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|AllocCPUS|ReqCPUS|State|Partition|\
         SubmitLine|ConsumedEnergyRaw\n",
    );
    let mut row = |job: usize, submit: usize, eligible: usize, start: usize, (run, state, energy): (u32, &str, u32)| {
        let end = at(start + run as usize / 60);
        let (submit, eligible, start) = (at(submit), at(eligible), at(start));
        let (start, end, run) = match state {
            "PENDING" => ("Unknown".to_owned(), "Unknown".to_owned(), 0),
            "CANCELLED" => ("Unknown".to_owned(), start, 0),
            _ => (start, end, run),
        };
        // what jobs are given, for how long, and in which of their partitions, is seen once they run
        let waits = job > 102;
        let (given, limit, partition) = if waits && later { (3, 240, "q") } else { (4, 120, "p") };
        let (given, partition) = if run > 0 { (given, partition) } else { (0, "p,q") };
        let (asked, line) = if waits { (2, "sbatch -p p,q -t 90 run.sh") } else { (4, "") };
        text.push_str(&format!(
            "{job}|ann|a|{submit}|{eligible}|{start}|{end}|{run}|{limit}|{given}|{asked}|{state}|{partition}|{line}|{energy}\n"
        ));
    };
    // those that ended, one of them held for a while
    for job in 0..100 {
        let held = if job == 50 { 30 } else { 0 };
        row(job + 1, job * 60, job * 60 + held, job * 60 + held, (300 + 30 * job as u32, "COMPLETED", 9_000));
    }
    // at 6,000 minutes two run, three wait, two are held, and one has left
    let (run, state, energy, by) = if later { (7_000, "FAILED", 90_000, 400) } else { (3_000, "COMPLETED", 9_000, 0) };
    row(101, 5_980, 5_980, 5_985, (run, state, energy));
    row(102, 5_981, 5_990, 5_991, (run, state, energy));
    row(103, 5_990, 5_990, 6_050 + by, (run / 2, state, energy));
    row(104, 5_991, 6_020 + by, 6_050 + by, (run, state, energy));
    row(105, 5_992, 6_010 + 3 * by, 6_200 + 3 * by, (run, state, energy));
    row(106, 6_010 + by, 6_010 + by, 6_300 + by, (run, state, energy));
    // of those that wait one is cancelled, or it starts; one waits on, or it starts
    row(107, 5_994, 5_994, 6_020, if later { (run, state, energy) } else { (0, "CANCELLED", 0) });
    row(108, 5_995, 5_995, 6_020, if later { (run, state, energy) } else { (0, "PENDING", 0) });
    row(109, 5_996, 5_996, 5_999, (0, "CANCELLED", 0));
    let conf = "NodeName=n[1-2] CPUs=4\nPartitionName=p Nodes=ALL Default=YES\nPartitionName=q Nodes=ALL\n";
    let site = packfair_slurm::read_site(
        &[packfair_slurm::SiteFile { name: "slurm.conf", content: conf.as_bytes() }],
        packfair_slurm::Version::default(),
    );
    let mut log = packfair_workload::reading::read("sacct.txt", text.as_bytes()).unwrap();
    let treatment = packfair_study::Treatment { site: site.files.clone(), ..Default::default() };
    log.site = Some(std::sync::Arc::new(site));
    (log, treatment)
}

#[test]
fn what_is_known_of_a_job_only_later_does_not_reach_a_forecast() {
    let now = 6_000 * 60;
    for (family, arrivals) in
        [("slurm", Arrivals::Drawn), ("slurm", Arrivals::None), ("easy", Arrivals::Drawn), ("easy", Arrivals::None)]
    {
        let question = Question { arrivals, ..question(family) };
        let forecast = |later: bool, is_cut: bool| {
            let (log, treatment) = log_with_holds(later);
            let log = if is_cut {
                cut(&log, Cleaning::Metrics, now, Later::Unknown)
            } else {
                as_queued(&log, &treatment, StartSource::Logged).into_owned()
            };
            let workload = treatment.apply(&log).unwrap();
            assert_eq!(workload.request(JobId(0)).submit, 0);
            let past = Past::as_logged(&workload);
            let history = History::of(&past);
            let waits: Vec<i64> = past.present(now).1.iter().map(|&job| workload.request(job).number).collect();
            assert_eq!((waits, past.held(now)), (vec![103, 107, 108], 2), "{family}");
            Futures::new(&history, &question, StartSource::Logged).of(&[now], &(0..10))
        };
        // as --now sees a log, and as a back test does
        for is_cut in [true, false] {
            let ensemble = forecast(false, is_cut);
            assert_eq!(ensemble, forecast(true, is_cut), "{family}");
            assert_eq!((ensemble[0].waiting.len(), ensemble[0].starts[0].len()), (3, 10));
        }
    }
}

/// Three jobs of which at 100 s the first runs, on four processors of the four though it asked for one, and two wait for
/// four; the first of them is cancelled at 200 s.
const CANCELLED: &str = "JobIDRaw|User|Submit|Start|End|ElapsedRaw|TimelimitRaw|AllocCPUS|ReqCPUS|State\n\
    1|ann|2026-01-01T00:00:00|2026-01-01T00:00:00|2026-01-01T00:16:40|1000|20|4|1|COMPLETED\n\
    2|bob|2026-01-01T00:01:00|Unknown|2026-01-01T00:03:20|0|20|0|4|CANCELLED by 7\n\
    3|cyd|2026-01-01T00:01:10|2026-01-01T00:16:40|2026-01-01T00:20:00|200|20|4|4|COMPLETED\n\
    4|dan|2026-01-01T01:00:00|2026-01-01T01:00:00|2026-01-01T01:20:00|1200|20|4|4|COMPLETED\n";

#[test]
fn who_is_cancelled_waits_until_then_and_leaves_where_all_comes_again() {
    let log = packfair_workload::reading::read("sacct.txt", CANCELLED.as_bytes()).unwrap();
    let treatment = packfair_study::Treatment::default();
    let queued = as_queued(&log, &treatment, StartSource::Logged);
    let workload = treatment.apply(&queued).unwrap();
    assert_eq!(workload.machine.processors, 4);
    let past = Past::as_logged(&workload);
    let history = History::of(&past);
    let states = [50, 60, 199, 200].map(|now| past.known(JobId(1), now));
    assert_eq!(states, [Known::Nothing, Known::Waits, Known::Waits, Known::Left]);
    let of = |arrivals: Arrivals| {
        let question = Question { arrivals, ..question("fcfs") };
        Futures::new(&history, &question, StartSource::Logged).of(&[100], &(0..10)).pop().unwrap()
    };
    for arrivals in Arrivals::ALL {
        let ensemble = of(arrivals);
        assert_eq!(ensemble.waiting, [JobId(1), JobId(2)], "nobody knows who will be cancelled");
        assert_eq!(ensemble.free, 0, "a running job holds what it was given");
        assert_eq!(ensemble.starts[0].len(), 10);
        for (&first, &second) in ensemble.starts[0].iter().zip(&ensemble.starts[1]) {
            let has_left = arrivals == Arrivals::Again && first >= 100;
            assert!(first > 0 && (second == first) == has_left && second >= first, "{arrivals:?}: {first} {second}");
        }
    }
    let question = question("fcfs");
    let futures = Futures::new(&history, &question, StartSource::Logged);
    let tried = trials(&futures, &past, &[100], 10);
    let told: Vec<_> = tried.iter().map(|trial| (trial.job, trial.came, trial.left)).collect();
    assert_eq!(told[1], (JobId(2), 900, None));
    assert_eq!((told[0].0, told[0].2), (JobId(1), Some(100)));
    assert_eq!(BackTest::of(&tried, 0).predictions, 1, "who never started is not judged");
    // until it is known that it has left, its forecast counts as any other that has not come true
    let calibrated = |now: Seconds| known(&tried, now).len();
    assert_eq!([150, 250, 1_100].map(calibrated), [0, 0, 1]);
}

#[test]
fn a_machine_has_a_course_in_which_the_cancelled_leave() {
    let log = packfair_workload::reading::read("sacct.txt", CANCELLED.as_bytes()).unwrap();
    let seen = cut(&log, Cleaning::Metrics, 100, Later::Submitted);
    let workload = packfair_study::Treatment::default().apply(&seen).unwrap();
    let past = Past::as_logged(&workload);
    let history = History::of(&past);
    let question = question("easy");
    let futures = Futures::new(&history, &question, StartSource::Logged);
    let lived: Vec<_> = (0..5).filter_map(|future| futures.course(100, future)).collect();
    let course = MachineCourse::of(&lived, workload.machine.processors);
    assert_eq!((course.queue[0], course.free[0]), ([2.0; 3], [0.0; 3]));
    assert!(course.queue[1..].iter().all(|band| *band == [0.0; 3]), "{:?}", course.queue);
}

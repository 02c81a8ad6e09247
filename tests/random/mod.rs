//! Random workloads, and random settings to run on them.
#![allow(dead_code)] // each test file uses its part

use packfair::classifier::WEEK;
use packfair::metric::Measure;
use packfair::model::{Reestimation, RoundTrigger, Schedule};
use packfair::scheduler::{Order, PRESETS};
use packfair::simulation::Correction;
use packfair::study::{Rules, Run, execute};
use packfair::workload::{Header, Machine, MachineSource, Request, Seconds, Workload};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use std::fmt;

/// `cases` cases, always the same ones. `PACKFAIR_SEED` gives others, and `PACKFAIR_CASES` as many times more
/// (`scripts/test explore` sets them).
pub fn cases(cases: u32) -> Config {
    let number = |name: &str| {
        let text = std::env::var(name).ok()?;
        Some(text.parse::<u64>().unwrap_or_else(|_| panic!("{name} is {text:?}; it must be a whole number")))
    };
    Config {
        cases: cases.saturating_mul(number("PACKFAIR_CASES").unwrap_or(1) as u32),
        rng_seed: RngSeed::Fixed(number("PACKFAIR_SEED").unwrap_or(2022)),
        failure_persistence: None,
        max_shrink_iters: 20_000,
        ..Config::default()
    }
}

/// A job as (seconds since the last submission, processors, run time, requested time).
pub type Job = (Seconds, u32, Seconds, Seconds);

/// What a workload is made of, with a short form for messages.
#[derive(Clone)]
pub struct Jobs {
    pub processors: u32,
    pub jobs: Vec<Job>,
}

impl fmt::Debug for Jobs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} processors, {:?}", self.processors, self.jobs)
    }
}

/// Workloads with few processors, many submissions in the same second, run times from `shortest` on, and requests below
/// (as in a log that is not cleaned), at and above run times.
pub fn workloads(shortest: Seconds) -> impl Strategy<Value = Jobs> {
    let gap = prop_oneof![3 => Just(0), 2 => 1..=3_i64, 1 => 4..=30_i64];
    let request = prop_oneof![Just(0), 0..=12_i64, -3..=0_i64];
    let job = (gap, 1..=8_u32, shortest..=12_i64, request)
        .prop_map(|(gap, width, run, more)| (gap, width, run, (run + more).max(1)));
    (1..=8_u32, prop::collection::vec(job, 1..=60)).prop_map(|(processors, mut jobs)| {
        jobs.iter_mut().for_each(|job| job.1 = job.1.min(processors));
        Jobs { processors, jobs }
    })
}

/// Hundreds of jobs that come at about the same time, most of them short, and some that last far longer.
pub fn crowds() -> impl Strategy<Value = Jobs> {
    let run = prop_oneof![4 => 1..=6_i64, 2 => 5..=20_i64, 1 => 30..=80_i64];
    let job = (prop_oneof![3 => Just(0), 1 => Just(1_i64)], 1..=24_u32, run, 0..=20_i64)
        .prop_map(|(gap, width, run, more)| (gap, width, run, run + more));
    (24..=60_u32, prop::collection::vec(job, 200..=350)).prop_map(|(processors, jobs)| Jobs { processors, jobs })
}

pub fn workload(Jobs { processors, jobs }: &Jobs) -> Workload {
    let machine = Machine { processors: *processors, source: MachineSource::Given };
    let mut workload = Workload::empty("random", machine, Header::default());
    let mut submit = 0;
    for (i, &(gap, processors, run, limit)) in jobs.iter().enumerate() {
        submit += gap;
        let unknown = -1;
        let request = Request {
            number: i as i64 + 1,
            submit,
            processors,
            limit,
            user: i as i32 % 3,
            group: unknown,
            executable: i as i32 % 2,
            queue: unknown,
            partition: unknown,
        };
        workload.push(request, run, -1, i as u32);
    }
    workload
}

/// Estimates that are multiples of half a second.
pub fn plain_estimates() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["actual", "requested", "actual*0.5", "actual*2", "requested*0.5", "requested*1.5"])
}

/// Estimates of every kind.
pub fn estimates() -> impl Strategy<Value = &'static str> {
    prop_oneof![plain_estimates(), prop::sample::select(vec!["actual*1.149", "requested*0.3", "actual*0.7"])]
}

pub fn run(jobs: &Jobs, scheduler: &str, estimate: &str) -> Schedule {
    run_by(Correction::Request, jobs, scheduler, estimate)
}

pub fn run_by(rules: impl Into<Rules>, jobs: &Jobs, scheduler: &str, estimate: &str) -> Schedule {
    let run = Run::new(scheduler.parse().unwrap(), estimate.parse().unwrap());
    execute(&run, &workload(jobs), rules, &Measure::default()).unwrap().schedule
}

pub fn policies() -> impl Strategy<Value = String> {
    // off-line schedules are not made by schedulers
    let presets = PRESETS.iter().map(|preset| preset.id.to_owned()).filter(|id| !id.starts_with("off-"));
    let others = [
        "list:depth=2",
        "list:order=wfp",
        "easy:initial=wfp,threshold=20",
        "list:order=lrf,blocked=greedy",
        "optimised:depth=3,kept=off,lists=off",
        "optimised:objective=p2sf,budget=0,hold=30,over=5",
        "optimised:depth=2,lists=whole",
    ];
    prop::sample::select(presets.chain(others.map(str::to_owned)).collect::<Vec<_>>())
}

/// Queue orders, including formulas.
pub fn orders() -> impl Strategy<Value = String> {
    let named = prop::sample::select(Order::OPTIONS.iter().map(|(id, _)| (*id).to_owned()).collect::<Vec<_>>());
    let quarters = |quarters: i32| f64::from(quarters) / 4.0;
    let index = (0..=20_i32, -20..=20_i32, -20..=20_i32).prop_map(move |(a, b, c)| {
        format!("formula:wait^{}/(estimate^({})*processors^({}))", quarters(a), quarters(b), quarters(c))
    });
    let multifactor =
        (1..=2_u32, -200..=200_i32).prop_map(|(age, size)| format!("formula:min(wait,{age}h)+{size}*processors"));
    prop_oneof![6 => named, 2 => index, 2 => multifactor, 1 => formulas()]
}

/// Formulas that a user could write, of all that a scheduler sees.
pub fn formulas() -> impl Strategy<Value = String> {
    let written = [
        "(wait/estimate)^3*processors",
        "-estimate",
        "wait/requested",
        "-(requested*processors)",
        "if(wait>30,1,0)*1e6-area",
        "sqrt(wait+1)*processors-now/7",
        "-submit-user_running*10+user_waiting",
        "user_usage<100|hour==3",
        "min(free,processors)-queue_length*estimate",
        "0/(wait-5)+class",
        "if(processors>2,-wait,wait)",
        "wait*share+requested",
        "wait/(estimate*share)",
        "min(wait,50)+requested*share",
    ];
    prop::sample::select(written.map(|text| format!("formula:{text}")).to_vec())
}

/// Schedulers that count how much of the machine each user has had, with all their settings.
pub fn with_shares() -> impl Strategy<Value = String> {
    let order = || {
        let share = (1..=9_u32, -500..=500_i32, 0..=30_u32);
        let share =
            share.prop_map(|(age, size, share)| format!("formula:min(wait,{age}h)+({size}*processors+{share}h*share)"));
        prop_oneof![3 => share, 1 => orders()]
    };
    let blocked = prop::sample::select(vec!["strict", "greedy", "reserving"]);
    let list = (order(), blocked).prop_map(|(order, blocked)| format!("list:order={order},blocked={blocked}"));
    let easy = (order(), order(), prop::option::of(0..=9_000_u32)).prop_map(|(initial, backfill, threshold)| {
        let threshold = threshold.map_or(String::new(), |threshold| format!(",threshold={threshold}"));
        format!("easy:initial={initial},backfill={backfill}{threshold}")
    });
    prop_oneof![list, easy]
}

/// The same jobs, with all times `times` times as long.
pub fn stretched(Jobs { processors, jobs }: Jobs, times: Seconds) -> Jobs {
    let stretch = |(gap, width, run, limit): Job| (gap * times, width, run * times, limit * times);
    Jobs { processors, jobs: jobs.into_iter().map(stretch).collect() }
}

/// The same jobs, with the later ones in the second week, which has a divider.
pub fn over_two_weeks(mut jobs: Jobs) -> Jobs {
    let second = jobs.jobs.len() / 4;
    if let Some(job) = jobs.jobs.get_mut(second) {
        job.0 += WEEK;
    }
    jobs
}

/// Schedulers that have a plain counterpart, with all their settings.
pub fn settings() -> impl Strategy<Value = String> {
    let blocked = prop::sample::select(vec!["strict", "greedy", "reserving", "reserving"]);
    let list = (orders(), blocked, prop::option::of(1..=5_u32)).prop_map(|(order, blocked, depth)| {
        let depth = depth.map_or(String::new(), |depth| format!(",depth={depth}"));
        format!("list:order={order},blocked={blocked}{depth}")
    });
    let easy = (orders(), orders(), prop::option::of(0..=40_u32)).prop_map(|(initial, backfill, threshold)| {
        let threshold = threshold.map_or(String::new(), |threshold| format!(",threshold={threshold}"));
        format!("easy:initial={initial},backfill={backfill}{threshold}")
    });
    let conservative = prop::sample::select(vec!["profile", "submission"]);
    prop_oneof![
        2 => list,
        2 => easy,
        1 => conservative.prop_map(|compression| format!("conservative:compression={compression}")),
        1 => orders().prop_map(|order| format!("pc:order={order}")),
        1 => (orders(), prop::sample::select(vec!["nobody", "nobody", "first", "higher"]))
            .prop_map(|(order, protect)| format!("dc:order={order},protect={protect}")),
    ]
}

/// Schedulers that choose among policies, with all their settings.
pub fn tuning() -> impl Strategy<Value = String> {
    let choice = |options: &[&'static str]| prop::sample::select(options.to_vec());
    let policies = prop::sample::subsequence(Order::OPTIONS.to_vec(), 1..=4)
        .prop_map(|options| options.iter().map(|(id, _)| *id).collect::<Vec<_>>().join("+"));
    // a sum is written in parentheses
    let formula = formulas().prop_map(|formula| format!("formula:({})", formula.trim_start_matches("formula:")));
    let policies = (policies, prop::collection::vec(formula, 0..=2))
        .prop_map(|(named, formulas)| [vec![named], formulas].concat().join("+"));
    let off = |value: Option<u32>| value.map_or("off".to_owned(), |value| value.to_string());
    let selftuning = (
        choice(&["art", "artww", "ms", "sldww", "art+ms", "artww+ms", "artww+sldww"]),
        choice(&["simple", "advanced"]),
        prop_oneof![1 => Just("fcfs+sjf+ljf".to_owned()), 2 => policies],
        choice(&["0", "0", "5"]),
        prop::option::weighted(0.2, 1..=4_u32),
        prop::option::weighted(0.2, 0..=20_u32),
        choice(&["submission", "submission", "left", "resorted"]),
    )
        .prop_map(move |(quality, decider, policies, slackness, first, within, fcfs)| {
            let (first, within) = (off(first), off(within));
            format!(
                "dynp:quality={quality},decider={decider},policies={policies},slackness={slackness},first={first},\
                 within={within},fcfs={fcfs}"
            )
        });
    let basic =
        (1..=10_u32, 0..=10_u32).prop_map(|(lower, more)| format!("dynp-basic:lower={lower},upper={}", lower + more));
    prop_oneof![3 => selftuning, 1 => basic]
}

/// The classes family, with all its settings and classifiers that need no trees.
pub fn classes() -> impl Strategy<Value = String> {
    let choice = |options: &[&'static str]| prop::sample::select(options.to_vec());
    (
        orders(),
        choice(&["all", "last", "request", "clairvoyant"]),
        choice(&["on", "on", "on", "off"]),
        choice(&["limit", "capped"]),
        choice(&["always", "waiting", "useful"]),
        prop::option::weighted(0.2, 0..=40_u32),
    )
        .prop_map(|(policy, by, safeguard, estimate, kill, starvation)| {
            let starvation = starvation.map_or("off".to_owned(), |value| value.to_string());
            format!(
                "classes:policy={policy},by={by},safeguard={safeguard},estimate={estimate},kill={kill},\
                 starvation={starvation}"
            )
        })
}

/// Estimates that are learned, some of them distorted.
pub fn learned_estimates() -> impl Strategy<Value = &'static str> {
    let methods = ["last2", "hierarchy", "sp2", "sp:x=30", "survival", "survival:x=40", "cvh"];
    let distorted = ["last2*0.5", "hierarchy*0.7", "survival*0.4", "hierarchy*1.3"];
    prop::sample::select([methods.as_slice(), &distorted].concat())
}

/// All rules of a study.
pub fn rules() -> impl Strategy<Value = Rules> {
    (
        prop::sample::select(Correction::ALL.to_vec()),
        prop::option::of(prop::sample::select(Reestimation::ALL.to_vec())),
        prop::option::of(prop::sample::select(RoundTrigger::ALL.to_vec())),
    )
        .prop_map(|(correction, reestimation, trigger)| Rules { correction, reestimation, trigger })
}

/// Schedulers that guarantee starts.
pub fn guaranteeing() -> impl Strategy<Value = &'static str> {
    let policies = ["conservative", "conservative:compression=submission", "pc", "dc"];
    let orders = [
        "pc:order=sjf",
        "pc:order=wfp",
        "dc:order=lrf",
        "dc:order=wfp",
        "dc:protect=first",
        "dc:protect=higher",
        "dc:order=sjf,protect=higher",
        "dc:order=wfp,protect=first",
    ];
    prop::sample::select([policies.as_slice(), &orders].concat())
}

//! The cases: a run under rules, on a small and unusual workload with some treatment.

use super::draw::Draw;
use packfair::catalogue::{Catalogue, Configured, Family, Kind, Parameter};
use packfair::estimator::{Estimate, Method};
use packfair::machine::{Machine, MachineDescription};
use packfair::model::{Reestimation, RoundTrigger};
use packfair::scheduler::{Order, Policy};
use packfair::simulation::Correction;
use packfair::study::{Rules, Run, Treatment};
use packfair::workload::{Cleaning, Feedback, FeedbackRule, SessionBy};
use std::fmt;

/// A job: seconds since the last submission, processors, run time, requested time and wait in the log.
pub type Job = (i64, u32, i64, i64, i64);

/// A case.
#[derive(Clone)]
pub struct Case {
    /// The machine of the log.
    pub processors: u32,
    /// The log's jobs.
    pub jobs: Vec<Job>,
    /// The run.
    pub run: Run,
    /// The rules of the run.
    pub rules: Rules,
    /// The treatment of the log.
    pub treatment: Treatment,
    /// Which question is asked: any number.
    pub asked: usize,
    /// The job that is asked about, and where a computation is split: any numbers.
    pub places: (usize, usize),
    /// Whether the run is also made on repeats.
    pub repeats: bool,
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Case { processors, jobs, run, rules, treatment, asked, places, repeats } = self;
        write!(
            f,
            "{} under {rules:?}\non {processors} processors: {jobs:?}\n{treatment:?}\nasked {asked} {places:?} repeats {repeats}",
            run.id()
        )
    }
}

impl Case {
    /// The case with this number.
    pub fn of(seed: u64, number: u64) -> Self {
        let draw = &mut Draw::of(seed, number);
        let run = Run::new(policy(draw), estimate(draw));
        // this family has a round every few seconds, whether or not anything happens, so a log of years would take long
        let is_short = run.scheduler.family().entry.id == "slurm";
        let (processors, jobs) = jobs(draw, is_short);
        let treatment = treatment(draw, &jobs);
        Case {
            processors,
            jobs,
            run,
            rules: rules(draw),
            treatment,
            asked: draw.below(1 << 20),
            places: (draw.below(1 << 20), draw.below(1 << 20)),
            repeats: draw.one_in(6),
        }
    }

    /// The jobs as a log.
    pub fn swf(&self) -> String {
        let mut text = format!("; MaxProcs: {}\n; UnixStartTime: 1000000000\n", self.processors);
        let mut submit = 0;
        for (i, (gap, width, run, limit, wait)) in self.jobs.iter().enumerate() {
            submit += gap;
            let (user, executable) = (i % 3 + 1, i % 2);
            text.push_str(&format!(
                "{} {submit} {wait} {run} {width} -1 -1 {width} {limit} -1 1 {user} 1 {executable} 1 1 -1 -1\n",
                i + 1,
            ));
        }
        text
    }
}

/// Draws jobs: few processors, many submissions in the same second, run times from 0 s on, requests below, at and above
/// them; now and then a week between two jobs, or times as long as a log may have, unless `is_short`.
fn jobs(draw: &mut Draw, is_short: bool) -> (u32, Vec<Job>) {
    let processors = draw.between(1, 8) as u32;
    let most = draw.pick(&[4, 12, 12, 30, 60]);
    let count = 1 + draw.below(most);
    let times = draw.pick(&[1, 1, 1, 1, 1, 60, 3_600, 1_000_000_000]);
    let times = if is_short { 1 } else { times };
    let knows_waits = !draw.one_in(6);
    let mut jobs = Vec::new();
    for i in 0..count {
        let gap = match draw.below(6) {
            0..=2 => 0,
            3 | 4 => draw.between(1, 3),
            _ => draw.between(4, 30),
        };
        let width = draw.between(1, i64::from(processors)) as u32;
        let run = draw.between(0, 12);
        let more = match draw.below(3) {
            0 => 0,
            1 => draw.between(0, 12),
            _ => draw.between(-3, 0),
        };
        let wait = if knows_waits { draw.pick(&[0, 0, 1, i as i64, 20]) } else { -1 };
        let gap = if i > 0 && i == count / 4 && !is_short && draw.one_in(4) { 7 * 86_400 } else { gap };
        jobs.push((gap * times, width, run * times, (run + more).max(1) * times, wait));
    }
    (processors, jobs)
}

/// Changes that are possible for any site.
const CHANGES: [&str; 6] = [
    "bf_max_job_test=3",
    "bf_window=30,bf_interval=60",
    "PriorityType=priority/multifactor,PriorityWeightAge=1000,PriorityWeightJobSize=5000",
    "partition.debug.MaxTime=5,partition.debug.PriorityTier=3",
    "defer=yes,default_queue_depth=2",
    "SchedulerType=sched/builtin",
];

/// Draws a value of a parameter, as text; none leaves the default. Values that make runs slow are kept small, because
/// the test is about which questions can be asked, not about how much.
fn value(draw: &mut Draw, parameter: &Parameter) -> Option<String> {
    let is_said = draw.below(5) < 3;
    let text = match parameter.kind {
        Kind::File | Kind::Script => return None,
        Kind::Changes { .. } => draw.pick(&CHANGES).to_owned(),
        Kind::Choice { options, .. } => draw.pick(options).0.to_owned(),
        Kind::Formula { presets: [], .. } => "formula:wait/60".to_owned(),
        Kind::Formula { .. } => order(draw),
        Kind::Several { options, .. } | Kind::Orders { options, .. } => {
            let mut ids: Vec<&str> = options.iter().map(|(id, _)| *id).filter(|_| draw.one_in(3)).collect();
            if ids.is_empty() {
                ids.push(draw.pick(options).0);
            }
            // another draw here would change all later cases
            let is_own = matches!(parameter.kind, Kind::Orders { .. }) && ids.len() % 3 == 1;
            let own = is_own.then_some("formula:(wait/requested-user_running)");
            ids.into_iter().chain(own).collect::<Vec<_>>().join("+")
        }
        Kind::Whole { min, max, default, .. } => {
            let text = match default {
                None if draw.one_in(4) => "off".to_owned(),
                _ => draw.between(min, max.min(min.saturating_add(12))).to_string(),
            };
            // set in any case, because its default may be large
            return Some(text);
        }
        Kind::AtLeast { max, .. } => draw.between(0, max.min(40)).to_string(),
        Kind::Real { min, max, .. } => {
            let (eighths, span) = (draw.between(0, 8) as f64, max.min(min + 50.0) - min);
            (min + span * eighths / 8.0).to_string()
        }
    };
    is_said.then_some(text)
}

/// Draws a queue order: a named one or a formula.
fn order(draw: &mut Draw) -> String {
    let quarters = |draw: &mut Draw, first: i64, last: i64| draw.between(first, last) as f64 / 4.0;
    match draw.below(12) {
        0 => {
            let [wait, estimate, width] = [(0, 20), (-20, 20), (-20, 20)].map(|(a, b)| quarters(draw, a, b));
            format!("formula:wait^{wait}/(estimate^({estimate})*processors^({width}))")
        }
        1 => format!("formula:min(wait,{}h)+({})*processors", draw.between(1, 2), draw.between(-200, 200)),
        2 => {
            let [age, size, share] = [(1, 9), (-500, 500), (0, 30)].map(|(a, b)| draw.between(a, b));
            format!("formula:min(wait,{age}h)+(({size})*processors+{share}h*share)")
        }
        3 => {
            let written = [
                "(wait/estimate)^3*processors",
                "-estimate",
                "if(wait>30,1,0)*1e6-area",
                "-submit-user_running*10+user_waiting",
                "user_usage<100|hour==3",
                "0/(wait-5)+class",
                "min(free,processors)-queue_length*estimate",
            ];
            format!("formula:{}", draw.pick(&written))
        }
        _ => draw.pick(Order::OPTIONS).0.to_owned(),
    }
}

/// Draws a family with any settings that are possible together.
fn configured<C: Catalogue>(draw: &mut Draw) -> Configured<C> {
    loop {
        let family = C::FAMILIES[draw.below(C::FAMILIES.len())].entry();
        let mut said = Vec::new();
        for parameter in family.parameters {
            if let Some(value) = value(draw, parameter) {
                said.push(format!("{}={value}", parameter.id));
            }
        }
        let id = if said.is_empty() { family.id.to_owned() } else { format!("{}:{}", family.id, said.join(",")) };
        // a family that needs a file cannot be drawn
        if let Ok(configured) = id.parse() {
            return configured;
        }
    }
}

fn policy(draw: &mut Draw) -> Policy {
    Policy::from(configured(draw))
}

/// Draws any estimator, seldom a distorted one.
fn estimate(draw: &mut Draw) -> Estimate {
    let method = Method::from(configured(draw));
    Estimate { k: draw.pick(&[1.0, 1.0, 1.0, 0.3, 0.5, 1.149, 10.0]), ..Estimate::of(method) }
}

fn rules(draw: &mut Draw) -> Rules {
    Rules {
        correction: draw.pick(&Correction::ALL),
        reestimation: draw.one_in(2).then(|| draw.pick(&Reestimation::ALL)),
        trigger: draw.one_in(2).then(|| draw.pick(&RoundTrigger::ALL)),
    }
}

/// Draws a treatment of the log: some cleaning, a filter, a shrinking factor, another machine, one of cells with a
/// calendar, or users who react.
fn treatment(draw: &mut Draw, jobs: &[Job]) -> Treatment {
    let mut treatment = Treatment {
        cleaning: draw.pick(&Cleaning::ALL),
        shrink: draw.pick(&[1.0, 1.0, 0.05, 0.7, 20.0]),
        processors: draw.one_in(5).then(|| draw.between(1, 16) as u32),
        ..Treatment::default()
    };
    if draw.one_in(4) {
        treatment.filter.users = vec![1];
    }
    match draw.below(6) {
        0 => treatment.machine = machine(draw, jobs).map(|machine| Box::new(machine.into())),
        1 => {
            treatment.feedback = FeedbackRule {
                feedback: draw.pick(&[Feedback::Sessions, Feedback::Sessions, Feedback::Stated]),
                session: draw.pick(&SessionBy::ALL),
                gap: draw.one_in(2).then_some(1),
                hours: draw.one_in(3),
            }
        }
        _ => {}
    }
    treatment
}

/// Draws a machine of a few cells, whose nodes go and come back.
fn machine(draw: &mut Draw, jobs: &[Job]) -> Option<Machine> {
    let length: i64 = jobs.iter().map(|(gap, _, run, ..)| gap + run).sum::<i64>().max(1);
    let cells: Vec<_> = (0..1 + draw.below(4))
        .map(|cell| {
            let (nodes, processors) = (draw.between(1, 4), draw.between(1, 4));
            serde_json::json!({"name": format!("c{cell}"), "nodes": nodes, "node": {"processors": processors}})
        })
        .collect();
    let mut changes = Vec::new();
    for _ in 0..draw.below(5) {
        let from = draw.between(0, length);
        changes.push(serde_json::json!({
            "from": from,
            "until": from + draw.between(1, length),
            "cell": format!("c{}", draw.below(cells.len())),
            "nodes": draw.pick(&[-3, -2, -1, -1, 1]),
            "announced": draw.one_in(2).then(|| draw.between(0, length)),
            "what": draw.pick(&["kill", "drain"]),
        }));
    }
    let described = serde_json::json!({"cells": cells, "changes": changes});
    let described: MachineDescription = serde_json::from_value(described).expect("a description");
    // the description may remove more nodes than there are
    described.machine(|_| Err("no clock".to_owned())).ok()
}

//! How the time of a run grows with jobs, with the length of the queue, and with its settings.
//!
//! All numbers are microseconds for each job; where they are for each job that waits, they say so. They are fitted to what
//! `examples/cost.rs` measures (`tests/cost.txt`).

use super::Size;
use crate::study::Run;

/// The share of a machine that is used at most where nobody is backfilled: the queue grows from that load on.
const WITHOUT_BACKFILLING: f64 = 0.6;

/// A change that an off-line search tries.
const CHANGE: f64 = 5.0;

/// The list with which an off-line search begins, for each job that waits.
const FIRST_LIST: f64 = 0.15;

/// A placement that a planned round tries.
const PLACEMENT: f64 = 0.1;

/// Rounds that plan, for each job.
const PLANNED_ROUNDS: f64 = 0.8;

/// Lists with which a planned round begins.
const PLANNED_LISTS: f64 = 8.0;

/// All orders of a planned round of few jobs, on average.
const ALL_ORDERS: f64 = 20.0;

/// What is tried where weights adapt: candidates, days that each trial looks back, and jobs that a round of it plans.
const TRIALS: (f64, f64, f64) = (3.0, 14.0, 32.0);

/// What PC's compression takes for each two jobs that wait: where a job ends early, nearly every job
/// that waits moves, and each of them more often the more wait. That is so by PC's definition, which says in which order the
/// jobs move: on 8 to 10,000 processors 0.001 to 0.008, where they all come at once on 128 a tenth of that (docs/scaling.md).
const COMPRESSION: f64 = 0.003;

/// What keeping guarantees takes for each job that waits: of Conservative, and of DC, which looks in each round.
const GUARANTEES: [f64; 2] = [0.03, 0.04];

/// What each policy of dynP takes for each job that waits: where many have the same estimate and are placed at once, and where
/// nearly all have one of their own.
const POLICY: [f64; 2] = [0.015, 0.15];

/// What a tree takes to learn a feature of a row to the depth of one more level.
const LEARNED: f64 = 0.017;

/// From how many rows a tree is learned at most, each week.
const LEARNED_ROWS: f64 = 20_000.0;

/// How deep trees become: beyond that there are no rows to part.
const DEEPEST: f64 = 20.0;

/// What Slurm takes for each week, and how many jobs wait that double it: its rounds come each few seconds, whether or not
/// anything happens.
const SLURM: (f64, f64) = (1.3e6, 15.0);

/// What a script takes for each job, and for each job that waits: that is in the hands of who wrote it. In the middle of the
/// examples (`examples/scripts/`), which lie a factor of ten around it where many wait.
const SCRIPT: (f64, f64) = (85.0, 0.35);

/// Beyond this load a run takes no longer than where all jobs come at once.
const MOST_LOAD: f64 = 1_000.0;

/// What a scheduler takes that goes through all jobs in each round, for each job that waits and for each two: of those that
/// make a reservation for each.
const ALL_RESERVED: (f64, f64) = (4.0, 0.0015);

/// The same of those that do not, for each job that waits.
const ALL_LOOKED_AT: f64 = 0.25;

/// What a scheduler that runs plainly takes on cells, for each job that waits and for each two: each of them is looked for in
/// the whole profile, in each round.
const PLAIN: (f64, f64) = (0.75, 0.0095);

/// How many times as much PC and DC take, which move those that have a guarantee.
const PLAINLY_MOVED: [f64; 2] = [5.0, 6.0];

/// What Classes take there for each job that waits: most fit nowhere, and one alone has a reservation.
const PLAIN_CLASSES: f64 = 0.1;

/// What a kind of run takes for each job, seconds, by the model: simulating it alone.
pub(super) fn simulating(run: &Run, size: &Size) -> f64 {
    let policy = &run.scheduler;
    if policy.is_given() {
        return 0.0;
    }
    if policy.is_script() {
        let (each, waiting) = SCRIPT;
        return (each + waiting * size.queue(1.0)) * 1e-6;
    }
    // and more of them with the root of the queue's length
    let (base, growth, usable) = match (policy.family().entry.id, blocked(run)) {
        ("list", "strict") => (0.5, 0.05, WITHOUT_BACKFILLING),
        ("list", "greedy") => (0.2, 0.01, 1.0),
        ("list", _) => (0.4, 0.2, 1.0),
        ("easy", _) => (0.4, 0.03, 1.0),
        ("classes", _) => (0.6, 0.05, 1.0),
        ("conservative" | "dc", _) => (0.8, 0.3, 1.0),
        ("pc", _) => (0.8, 0.9, 1.0),
        _ => (0.8, 0.6, 1.0),
    };
    let queue = size.queue(usable);
    let plainly = if size.has_cells { plainly(run, size.queue(1.0)) } else { 0.0 };
    (base + growth * queue.sqrt() + learning(run, queue) + planning(run, size) + going_through(run, size) + plainly)
        * 1e-6
}

/// What happens at a job that does not fit, in the list family.
pub(super) fn blocked(run: &Run) -> &'static str {
    if run.scheduler.family().entry.id == "list" { run.scheduler.settings().choice("blocked") } else { "" }
}

/// What an estimator that learns takes for each job, with what most schedulers have it do again and again for those that wait.
fn learning(run: &Run, queue: f64) -> f64 {
    let each = match run.estimate.method.family().entry.id {
        _ if !run.estimate.method.family().learns => return 0.0,
        "cvh" => 3.0,
        "survival" => 1.5,
        _ => 0.5,
    };
    if keeps_estimates(run) { each } else { each + estimating_again(run, queue) }
}

/// Whether jobs that wait keep their estimates, where a study says nothing of it.
fn keeps_estimates(run: &Run) -> bool {
    run.scheduler.family().entry.id == "classes"
}

/// What it takes to estimate those that wait again and again: for the root of the queue's length, and for each job that waits.
fn estimating_again(run: &Run, queue: f64) -> f64 {
    let (growth, waiting) = match run.estimate.method.family().entry.id {
        _ if !run.estimate.method.family().learns => return 0.0,
        "cvh" => (0.2, 0.12),
        "survival" => (0.05, 0.004),
        "sp" => (0.03, 0.004),
        _ => (0.03, 0.01),
    };
    growth * queue.sqrt() + waiting * queue
}

/// What a study that has jobs estimated anew adds for each job, seconds, where a scheduler would not have done so by itself.
pub(super) fn asked_anew(run: &Run, size: &Size) -> f64 {
    if keeps_estimates(run) { estimating_again(run, size.queue(1.0)) * 1e-6 } else { 0.0 }
}

/// How many times as much moves where estimates are often wrong: who is guaranteed a start is given another.
fn unrest(run: &Run) -> f64 {
    match run.estimate.method.family().entry.id {
        "last2" => 10.0,
        "hierarchy" => 4.0,
        "cvh" => 2.0,
        _ => 1.0,
    }
}

/// Whether nearly all jobs have an estimate of their own.
fn are_distinct(run: &Run) -> bool {
    matches!(run.estimate.method.family().entry.id, "actual" | "cvh" | "external")
}

/// What planning takes, beside what keeping the queue does: of schedulers that look for a plan, keep one, or learn, for as long
/// as their settings say.
fn planning(run: &Run, size: &Size) -> f64 {
    let settings = run.scheduler.settings();
    let whole = |id| settings.whole(id).unwrap_or_default() as f64;
    let (jobs, waiting) = (size.jobs as f64, size.queue(1.0));
    match run.scheduler.family().entry.id {
        "optimised" => {
            let planned = waiting.min(whole("depth"));
            // few jobs have few orders
            let tried = whole("budget").min(libm::exp2(planned));
            let listed = if settings.choice("lists") == "whole" { planned + waiting } else { planned };
            let all_orders = if settings.choice("gap") == "on" && waiting > 1.0 { ALL_ORDERS } else { 0.0 };
            let adapting = if settings.choice("adapt") == "off" {
                0.0
            } else {
                let (candidates, days, depth) = TRIALS;
                let lists = PLANNED_LISTS * waiting.min(depth);
                // however soon all jobs come, they are tried again for as long as they are looked back on
                candidates * days * (1.0 + PLANNED_ROUNDS * PLACEMENT * lists)
            };
            PLANNED_ROUNDS * (PLACEMENT * (PLANNED_LISTS * listed + tried) + all_orders) + adapting
        }
        "offline" => CHANGE * whole("iterations") + FIRST_LIST * waiting,
        // where no job ends early, none moves
        "conservative" | "pc" if run.estimate.is_exact() => 0.0,
        "conservative" => GUARANTEES[0] * unrest(run) * waiting,
        "dc" => GUARANTEES[1] * unrest(run) * waiting,
        "pc" => COMPRESSION * waiting * waiting,
        "dynp" => {
            let policies = settings.several("policies").count() as f64;
            POLICY[usize::from(are_distinct(run))] * policies * waiting
        }
        "dynp-basic" => match run.estimate.method.family() {
            family if family.entry.id == "cvh" => 0.2 * waiting,
            family if family.learns => 0.05 * waiting,
            _ => POLICY[0] * waiting,
        },
        "classes" if matches!(settings.choice("by"), "forest" | "best") => {
            // half of the jobs are known in the middle of the log, and none in its first week
            let trainings = (size.weeks * 7.0 / whole("retrain").max(1.0) - 1.0).max(0.0);
            let rows = jobs.min(LEARNED_ROWS) / 2.0 * trainings;
            LEARNED * whole("trees") * whole("depth").min(DEEPEST) * rows / jobs.max(1.0)
        }
        "slurm" => {
            let (week, doubled) = SLURM;
            week * size.weeks * size.load.clamp(1.0, MOST_LOAD) * (1.0 + waiting / doubled) / jobs.max(1.0)
        }
        _ => 0.0,
    }
}

/// What it takes to go through all jobs that wait, where their order is made of what changes with each start: then nobody keeps
/// a queue, and the plain scheduler runs.
fn going_through(run: &Run, size: &Size) -> f64 {
    let waiting = size.queue(1.0);
    let (each, two) = ALL_RESERVED;
    match run.scheduler.family().entry.id {
        _ if !run.scheduler.needs_view() => 0.0,
        "list" | "pc" | "dc" => each * waiting + two * waiting * waiting,
        _ => ALL_LOOKED_AT * waiting,
    }
}

/// What a scheduler takes on cells that has no fast form for them.
fn plainly(run: &Run, waiting: f64) -> f64 {
    let (each, two) = PLAIN;
    let once = each * waiting + two * waiting * waiting;
    match run.scheduler.family().entry.id {
        "classes" => PLAIN_CLASSES * waiting,
        // where no job ends early, none moves
        "conservative" | "pc" if run.estimate.is_exact() => each * waiting,
        "list" | "conservative" | "dynp-basic" => once,
        "pc" => PLAINLY_MOVED[0] * once,
        "dc" => PLAINLY_MOVED[1] * once,
        "dynp" => run.scheduler.settings().several("policies").count() as f64 * once,
        // others are fast there, or know no cells
        _ => 0.0,
    }
}

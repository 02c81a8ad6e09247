//! How the time of a run grows with jobs, with the length of the queue, and with its settings.
//!
//! All numbers are microseconds for each job, or, where stated, for each job and each waiting job. They are fitted to
//! the measurements of `examples/cost.rs` (`tests/study/cost.txt`).

use super::Size;
use crate::study::Run;

/// The largest share of a machine that is used without backfilling. Above this load the queue grows.
const WITHOUT_BACKFILLING: f64 = 0.6;

/// Time to try one change in an off-line search.
const CHANGE: f64 = 5.0;

/// Time to make the list with which an off-line search begins, for each waiting job.
const FIRST_LIST: f64 = 0.15;

/// Time to try one placement in a planned round.
const PLACEMENT: f64 = 0.1;

/// Number of rounds that plan, for each job.
const PLANNED_ROUNDS: f64 = 0.8;

/// Number of lists with which a planned round begins.
const PLANNED_LISTS: f64 = 8.0;

/// Time to try all orders in a planned round of few jobs, on average.
const ALL_ORDERS: f64 = 20.0;

/// What adapting weights tries: candidates, days that each trial looks back, and jobs that one of its rounds plans.
const TRIALS: (f64, f64, f64) = (3.0, 14.0, 32.0);

/// Time of PC's compression for each pair of waiting jobs. Where a job ends early, nearly every waiting job moves, and
/// the more jobs wait, the more often each one moves. PC's definition prescribes the order of the moves, so this cannot
/// be avoided. On 8 to 10,000 processors 0.001 to 0.008 was measured; a tenth of that where all jobs come at once on
/// 128 (docs/scaling.md).
const COMPRESSION: f64 = 0.003;

/// Time to keep guarantees, for each waiting job: of Conservative, and of DC, which looks at them in each round.
const GUARANTEES: [f64; 2] = [0.03, 0.04];

/// Time of each policy of dynP for each waiting job: where many jobs have the same estimate and are placed together,
/// and where nearly all estimates differ.
const POLICY: [f64; 2] = [0.015, 0.15];

/// Time of a tree to learn one feature of one row, for each level of depth.
const LEARNED: f64 = 0.017;

/// Most rows from which a tree is learned, each week.
const LEARNED_ROWS: f64 = 20_000.0;

/// The depth at which trees stop growing, because no rows are left to split.
const DEEPEST: f64 = 20.0;

/// Time of Slurm for each week, and the number of waiting jobs that doubles it. Slurm's rounds come every few seconds,
/// whether or not anything happens.
const SLURM: (f64, f64) = (1.3e6, 15.0);

/// Time of a script for each job, and for each waiting job. It depends on the script; these are middle values of the
/// examples (`examples/scripts/`), which differ from them by up to a factor of ten where many jobs wait.
const SCRIPT: (f64, f64) = (85.0, 0.35);

/// Above this load a run takes no longer than with all jobs at once.
const MOST_LOAD: f64 = 1_000.0;

/// Time of a scheduler that goes through all jobs in each round and makes a reservation for each: for each waiting job,
/// and for each pair of them.
const ALL_RESERVED: (f64, f64) = (4.0, 0.0015);

/// Time of a scheduler that goes through all jobs in each round without reservations, for each waiting job.
const ALL_LOOKED_AT: f64 = 0.25;

/// Time of a plain scheduler on cells for each waiting job, and for each pair of them: it searches the whole profile
/// for each job, in each round.
const PLAIN: (f64, f64) = (0.75, 0.0095);

/// How many times as long PC and DC take there, because they move jobs that have a guarantee.
const PLAINLY_MOVED: [f64; 2] = [5.0, 6.0];

/// Time of Classes there for each waiting job: most jobs fit nowhere, and only one has a reservation.
const PLAIN_CLASSES: f64 = 0.1;

/// Time to simulate one job of a run by the model, seconds.
pub(super) fn simulating(run: &Run, size: &Size) -> f64 {
    let policy = &run.scheduler;
    if policy.is_given() {
        return 0.0;
    }
    if policy.is_script() {
        let (each, waiting) = SCRIPT;
        return (each + waiting * size.queue(1.0)) * 1e-6;
    }
    // The base, the part that grows with the root of the queue's length, and the usable share of the machine.
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

/// What the list family does at a job that does not fit; empty for other families.
pub(super) fn blocked(run: &Run) -> &'static str {
    if run.scheduler.family().entry.id == "list" { run.scheduler.settings().choice("blocked") } else { "" }
}

/// Time of a learning estimator for each job. It includes estimating the waiting jobs again and again, as most
/// schedulers ask for.
fn learning(run: &Run, queue: f64) -> f64 {
    let each = match run.estimate.method.family().entry.id {
        _ if !run.estimate.method.family().learns => return 0.0,
        "cvh" => 3.0,
        "survival" => 1.5,
        _ => 0.5,
    };
    if keeps_estimates(run) { each } else { each + estimating_again(run, queue) }
}

/// Whether waiting jobs keep their estimates by default.
fn keeps_estimates(run: &Run) -> bool {
    run.scheduler.family().entry.id == "classes"
}

/// Time to estimate the waiting jobs again and again: a part for the root of the queue's length, and a part for each
/// waiting job.
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

/// Time that estimating anew adds for each job, seconds, where the scheduler would not do so by default.
pub(super) fn asked_anew(run: &Run, size: &Size) -> f64 {
    if keeps_estimates(run) { estimating_again(run, size.queue(1.0)) * 1e-6 } else { 0.0 }
}

/// The factor by which guarantees move more often where estimates are often wrong.
fn unrest(run: &Run) -> f64 {
    match run.estimate.method.family().entry.id {
        "last2" => 10.0,
        "hierarchy" => 4.0,
        "cvh" => 2.0,
        _ => 1.0,
    }
}

/// Whether nearly every job has an estimate of its own.
fn are_distinct(run: &Run) -> bool {
    matches!(run.estimate.method.family().entry.id, "actual" | "cvh" | "external")
}

/// Time to plan, beside keeping the queue, of schedulers that search for a plan, keep one, or learn. It follows from
/// their settings.
fn planning(run: &Run, size: &Size) -> f64 {
    let settings = run.scheduler.settings();
    let whole = |id| settings.whole(id).unwrap_or_default() as f64;
    let (jobs, waiting) = (size.jobs as f64, size.queue(1.0));
    match run.scheduler.family().entry.id {
        "optimised" => {
            let planned = waiting.min(whole("depth"));
            // Few jobs have few orders.
            let tried = whole("budget").min(libm::exp2(planned));
            let listed = if settings.choice("lists") == "whole" { planned + waiting } else { planned };
            let all_orders = if settings.choice("gap") == "on" && waiting > 1.0 { ALL_ORDERS } else { 0.0 };
            let adapting = if settings.choice("adapt") == "off" {
                0.0
            } else {
                let (candidates, days, depth) = TRIALS;
                let lists = PLANNED_LISTS * waiting.min(depth);
                // However soon all jobs come, trials go on for as long as they look back.
                candidates * days * (1.0 + PLANNED_ROUNDS * PLACEMENT * lists)
            };
            PLANNED_ROUNDS * (PLACEMENT * (PLANNED_LISTS * listed + tried) + all_orders) + adapting
        }
        "offline" => CHANGE * whole("iterations") + FIRST_LIST * waiting,
        // Where no job ends early, none moves.
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
            // Half of the jobs are known in the middle of the log, and none in its first week.
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

/// Time to go through all waiting jobs, where their order depends on what changes with each start. No queue can be kept
/// in order then, so the plain scheduler runs.
fn going_through(run: &Run, size: &Size) -> f64 {
    let waiting = size.queue(1.0);
    let (each, two) = ALL_RESERVED;
    match run.scheduler.family().entry.id {
        _ if !run.scheduler.needs_view() => 0.0,
        "list" | "pc" | "dc" => each * waiting + two * waiting * waiting,
        _ => ALL_LOOKED_AT * waiting,
    }
}

/// Time on cells of a scheduler that has no fast form for them.
fn plainly(run: &Run, waiting: f64) -> f64 {
    let (each, two) = PLAIN;
    let once = each * waiting + two * waiting * waiting;
    match run.scheduler.family().entry.id {
        "classes" => PLAIN_CLASSES * waiting,
        // Where no job ends early, none moves.
        "conservative" | "pc" if run.estimate.is_exact() => each * waiting,
        "list" | "conservative" | "dynp-basic" => once,
        "pc" => PLAINLY_MOVED[0] * once,
        "dc" => PLAINLY_MOVED[1] * once,
        "dynp" => run.scheduler.settings().several("policies").count() as f64 * once,
        // Other schedulers are fast on cells, or do not know them.
        _ => 0.0,
    }
}

//! The sentences of a verdict.

use super::Concern;
use super::contrast::Contrast;
use super::measure::{and, name as measure_name};
use super::rows::{FEWEST_JOBS, FEWEST_WAITING, Jobs};
use crate::metric::Metric;
use crate::study::format::{SPACE, estimate, whole};
use crate::study::{Run, RunReport};

/// Most left-out runs that are named.
const MOST_NAMED: usize = 4;

/// If less than this share of the jobs wait, hardly any job waits.
const HARDLY_ANYBODY: f64 = 0.05;

/// The name of a run in a sentence: "SAF-JustBF (requested)".
pub(super) fn name(run: &Run) -> String {
    format!("{} ({})", run.scheduler.name(), estimate(&run.estimate))
}

/// The name of the run to compare with; short where only the scheduler differs.
pub(super) fn beside(run: &Run, basis: &Run) -> String {
    if run.estimate == basis.estimate { basis.scheduler.name() } else { name(basis) }
}

/// How far the study's runs are, where some are missing.
pub(super) fn so_far(done: usize, of: usize) -> String {
    if done == 0 {
        return format!("None of the {} runs is done yet: which serves best is told once all are.", whole(of as i64));
    }
    format!(
        "So far {} of {} runs are done: which serves best is told once all are.",
        whole(done as i64),
        whole(of as i64)
    )
}

/// The runs left out because their queues grow; `None` where there are none. `stable` are the runs whose queues do not.
pub(super) fn left_out(growing: &[&RunReport], stable: &[&RunReport]) -> Option<String> {
    let mut names: Vec<String> = Vec::new();
    for report in growing {
        // A scheduler whose queue grows with all of its estimates is named once.
        let is_partly_stable = stable.iter().any(|other| other.run.scheduler == report.run.scheduler);
        let name = if is_partly_stable { name(&report.run) } else { report.run.scheduler.name() };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let more = names.len().saturating_sub(MOST_NAMED);
    if more > 0 {
        names.truncate(MOST_NAMED);
        names.push(format!("{} more", whole(more as i64)));
    }
    match &names[..] {
        [] => None,
        [one] => Some(format!("{one} is left out: it is saturated.")),
        _ => Some(format!("{} are left out: they are saturated.", and(&names))),
    }
}

/// All queues grow, so nothing can be compared.
pub(super) const ALL_GROW: &str = "The queue grows to the end in every row: averages tell how long the log is, and no \
     scheduler can be told to be better.";

/// The sentence that few jobs say nothing.
pub(super) fn too_few(jobs: Jobs) -> String {
    match jobs.waiting {
        Some(waiting) if jobs.all >= FEWEST_JOBS => format!(
            "Too few to tell: {} of {} jobs wait, and less than {FEWEST_WAITING} say nothing of schedulers.",
            whole(waiting as i64),
            whole(jobs.all as i64)
        ),
        waiting => {
            let waiting = waiting.map_or(String::new(), |waiting| format!(", of which {} wait", whole(waiting as i64)));
            format!(
                "Too few to tell: there are {} jobs{waiting}, and less than {FEWEST_JOBS} say nothing of schedulers.",
                whole(jobs.all as i64)
            )
        }
    }
}

/// The sentence that all rows are equally good, and why, where that is known.
/// `leaves_out` says whether the table has rows that nobody could choose, of which this says nothing.
pub(super) fn tie(jobs: Jobs, load: Option<f64>, leaves_out: bool) -> String {
    let is_idle = jobs.waiting.is_some_and(|waiting| (waiting as f64) < HARDLY_ANYBODY * jobs.all as f64);
    let load = load.map_or(String::new(), |load| format!(" (load {}{SPACE}%)", whole((100.0 * load).round() as i64)));
    let why = if is_idle { format!("; hardly anybody waits{load}") } else { String::new() };
    let scope = if leaves_out { " among those that could be run without knowing run times beforehand" } else { "" };
    format!("No scheduler differs by 1{SPACE}%{scope}{why}.")
}

/// The sentence that EASY stands in for the table's baseline, and why.
pub(super) fn instead(asked: &Run, basis: &Run, is_saturated: bool) -> String {
    if is_saturated {
        return format!(
            "{}, the baseline, is saturated: the comparison here is with {}, and changes in the table have no colour.",
            name(asked),
            name(basis)
        );
    }
    format!("The comparison here is with {}, not with the table's baseline, {}.", name(basis), name(asked))
}

/// The concern in words, with its measures where its name does not tell them.
pub(super) fn concern(concern: Concern, measures: &[Metric]) -> String {
    let named: Vec<String> = measures.iter().map(|&metric| measure_name(metric)).collect();
    match concern {
        Concern::Fairness => format!("fairness ({})", and(&named)),
        _ => and(&named),
    }
}

/// The sentence for a concern: "For slowdown: SAF-JustBF (requested). Against JustBF: slowdown 60 % lower; the price:
/// packing 3.0 times as bad."
pub(super) fn served(what: &str, run: &Run, basis: &Run, own: &[Metric], contrasts: &[Contrast]) -> String {
    let (own, others): (Vec<Contrast>, Vec<Contrast>) =
        contrasts.iter().copied().partition(|contrast| own.contains(&contrast.metric));
    let mut gains = words(&own, |contrast| contrast.is_better());
    gains.extend(words(&others, |contrast| contrast.is_better()));
    let prices = words(&others, |contrast| contrast.is_worse());
    let unsure: Vec<Contrast> = contrasts.iter().copied().filter(|contrast| contrast.is_unsure()).collect();
    let price = match (prices.is_empty(), unsure.is_empty()) {
        (true, true) => "it costs nothing else".to_owned(),
        (true, false) => "nothing else is surely worse".to_owned(),
        (false, _) => format!("the price: {}", prices.join(", ")),
    };
    format!(
        "For {what}: {}. Against {}: {}; {price}{}.",
        name(run),
        beside(run, basis),
        gains.join(", "),
        not_sure(&unsure)
    )
}

/// The sentence on a run without a price: "EASY-SJBF (requested) is better, at no price, than JustBF: slowdown 32 %
/// lower; nothing else is worse by 1 %."
pub(super) fn free(run: &Run, basis: &Run, contrasts: &[Contrast]) -> String {
    let better = words(contrasts, |contrast| contrast.is_better());
    let unsure: Vec<Contrast> = contrasts.iter().copied().filter(|contrast| contrast.is_unsure()).collect();
    let (how, rest) = match (better.len() == contrasts.len(), unsure.is_empty()) {
        (true, _) => ("better in everything", String::new()),
        (false, true) => ("better, at no price,", format!("; nothing else is worse by 1{SPACE}%")),
        (false, false) => ("better", format!("; nothing is surely worse{}", not_sure(&unsure))),
    };
    format!("{} is {how} than {}: {}{rest}.", name(run), beside(run, basis), better.join(", "))
}

/// The sentence where every run has a price: "No run here is better without a price. Best with requested estimates:
/// SAF-JustBF for slowdown; JustBF for packing."
pub(super) fn each_its_own(served: &[(Vec<&RunReport>, Vec<Metric>)]) -> String {
    let all = || served.iter().flat_map(|(reports, _)| reports.iter());
    let Some(first) = all().next() else {
        return "No run here is better without a price, and none is ahead of all others in anything.".to_owned();
    };
    // An estimate that all of them share is said once.
    let is_common = all().all(|report| report.run.estimate == first.run.estimate);
    let one = |report: &&RunReport| if is_common { report.run.scheduler.name() } else { name(&report.run) };
    let words = |(reports, metrics): &(Vec<&RunReport>, Vec<Metric>)| {
        let names: Vec<String> = reports.iter().map(one).collect();
        let measures: Vec<String> = metrics.iter().map(|&metric| measure_name(metric)).collect();
        format!("{} for {}", names.join(" or "), and(&measures))
    };
    let common = if is_common { format!(" with {} estimates", estimate(&first.run.estimate)) } else { String::new() };
    let each: Vec<String> = served.iter().map(words).collect();
    format!("No run here is better without a price. Best{common}: {}.", each.join("; "))
}

fn words(contrasts: &[Contrast], which: impl Fn(&Contrast) -> bool) -> Vec<String> {
    contrasts.iter().filter(|contrast| which(contrast)).map(|contrast| contrast.words()).collect()
}

/// What repeats leave open; empty where they leave nothing open.
fn not_sure(unsure: &[Contrast]) -> String {
    let names: Vec<String> = unsure.iter().map(|contrast| measure_name(contrast.metric)).collect();
    if names.is_empty() { String::new() } else { format!("; not sure: {}", and(&names)) }
}

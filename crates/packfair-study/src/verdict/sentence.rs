//! The sentences of a verdict.

use super::best::Contrast;
use super::measure::{FEWEST_JOBS, FEWEST_WAITING, JobTally, and, name as measure_name};
use crate::format::{SPACE, counted, estimate, whole};
use crate::sureness::{Interval, NoInterval, Repeated};
use crate::{Run, RunReport};
use packfair_engine::metric::{Aim, Metric};
use serde::{Deserialize, Serialize};

/// Most left-out runs that are named.
const MOST_NAMED: usize = 4;

/// If less than this share of the jobs wait, hardly any job waits.
const HARDLY_ANYBODY: f64 = 0.05;

/// The name of a run in a sentence: "SAF-JustBF (requested)".
pub(super) fn name(run: &Run) -> String {
    format!("{} ({})", run.scheduler.name(), estimate(&run.estimate))
}

/// The name of the run to compare with; short where only the scheduler differs.
pub(super) fn conditions(run: &Run, basis: &Run) -> String {
    if run.estimate == basis.estimate { basis.scheduler.name() } else { name(basis) }
}

/// How far the study's runs are, where some are missing.
pub(super) fn so_far(done: usize, of: usize) -> String {
    if done == 0 {
        return format!("None of the {} runs is done yet: which serves best is told once all are.", whole(of as i64));
    }
    let are = if done == 1 { "is" } else { "are" };
    format!(
        "So far {} of {} runs {are} done: which serves best is told once all are.",
        whole(done as i64),
        whole(of as i64)
    )
}

/// The runs left out because they are saturated; `None` where there are none. `stable` are those that are not.
pub(super) fn left_out(saturated: &[&RunReport], stable: &[&RunReport]) -> Option<String> {
    let mut names: Vec<String> = Vec::new();
    for report in saturated {
        // A scheduler that is saturated with all of its estimates is named once.
        let is_partly_stable = stable.iter().any(|other| other.run.scheduler == report.run.scheduler);
        let name = if is_partly_stable { name(&report.run) } else { report.run.scheduler.name() };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let names = at_most(names);
    match &names[..] {
        [] => None,
        [one] => Some(format!("{one} is left out: it is saturated.")),
        _ => Some(format!("{} are left out: they are saturated.", and(&names))),
    }
}

/// The first of these names, and how many more there are.
fn at_most(mut names: Vec<String>) -> Vec<String> {
    let more = names.len().saturating_sub(MOST_NAMED);
    if more > 0 {
        names.truncate(MOST_NAMED);
        names.push(format!("{} more", whole(more as i64)));
    }
    names
}

/// The sentence on rows that ignore what binds Slurm on its site; `None` where there are none.
pub(super) fn ignoring_site(rows: &[&RunReport]) -> Option<String> {
    let mut names: Vec<String> = Vec::new();
    for name in rows.iter().map(|report| report.run.scheduler.name()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let ignore = if names.len() == 1 { "ignores" } else { "ignore" };
    let names = at_most(names);
    (!names.is_empty()).then(|| format!("{} {ignore} the site's partitions and limits, which bind Slurm.", and(&names)))
}

/// All rows that could be chosen are saturated, so nothing can be compared.
pub(super) fn all_saturated(scope: Scope) -> String {
    let which = if scope.leaves_out { "Every row that could be chosen here" } else { "Every row" };
    format!("{which} is saturated: averages tell how long the log is, and no scheduler can be told to be better.")
}

/// The verb for so many jobs that wait.
fn wait(jobs: usize) -> &'static str {
    if jobs == 1 { "waits" } else { "wait" }
}

/// The sentence that few jobs say nothing.
pub(super) fn too_few(jobs: JobTally) -> String {
    match jobs.waiting {
        Some(waiting) if jobs.all >= FEWEST_JOBS => format!(
            "Too few to tell: {} of {} jobs {}, and fewer than {FEWEST_WAITING} say nothing of schedulers.",
            whole(waiting as i64),
            whole(jobs.all as i64),
            wait(waiting)
        ),
        waiting => {
            let waiting = waiting
                .map_or(String::new(), |waiting| format!(", of which {} {}", whole(waiting as i64), wait(waiting)));
            format!(
                "Too few to tell: there {} {}{waiting}, and fewer than {FEWEST_JOBS} say nothing of schedulers.",
                if jobs.all == 1 { "is" } else { "are" },
                counted(jobs.all as u64, "job", "jobs")
            )
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Scope {
    /// Whether the table has rows that nobody could choose.
    pub(super) leaves_out: bool,
    /// Whether the table has repeats, so that only what is sure counts.
    pub(super) is_repeated: bool,
}

impl Scope {
    /// Where something holds: among all rows, or among those that could be chosen.
    fn here(self) -> &'static str {
        if self.leaves_out { "that could be chosen here" } else { "here" }
    }

    fn surely(self) -> &'static str {
        if self.is_repeated { "surely " } else { "" }
    }
}

/// The sentence that no row serves a concern without harming it elsewhere.
pub(super) fn nobody_serves(what: &str, scope: Scope) -> String {
    let (here, surely) = (scope.here(), scope.surely());
    format!("For {what}, no run {here} is {surely}better than what it is compared with, and in nothing of that worse.")
}

/// The sentence that no row beats this one; `is_alone` where it beats all others.
pub(super) fn unbeaten(what: &str, run: &Run, is_alone: bool, scope: Scope) -> String {
    let (name, here, surely) = (name(run), scope.here(), scope.surely());
    match is_alone {
        true => format!("For {what}, nothing {here} is better than {name}."),
        false => format!("For {what}, nothing {here} is {surely}better than {name} by as much as 1{SPACE}%."),
    }
}

/// The sentence that all rows are equally good, and why, where that is known.
/// `leaves_out` says whether the table has rows that nobody could choose, of which this says nothing.
pub(super) fn tie(jobs: JobTally, load: Option<f64>, leaves_out: bool) -> String {
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
        conditions(run, basis),
        gains.join(", "),
        not_sure(&unsure)
    )
}

/// The sentence on a run without a price: "EASY-SJBF (requested) is better, at no price, than JustBF: slowdown 32 %
/// lower; nothing else is worse by 1 %."
pub(super) fn free(run: &Run, basis: &Run, contrasts: &[Contrast], aims: &[Metric]) -> String {
    let better = words(contrasts, |contrast| contrast.is_better());
    let unsure: Vec<Contrast> = contrasts.iter().copied().filter(|contrast| contrast.is_unsure()).collect();
    let is_told = |aim: &&Metric| contrasts.iter().any(|contrast| contrast.metric == **aim);
    let untold: Vec<String> = aims.iter().filter(|aim| !is_told(aim)).map(|&aim| measure_name(aim)).collect();
    let (how, rest) = match (better.len() == aims.len(), unsure.is_empty()) {
        (true, _) => ("better in everything", String::new()),
        (false, true) => ("better, at no price,", format!("; nothing else is worse by 1{SPACE}%")),
        (false, false) => ("better", format!("; nothing is surely worse{}", not_sure(&unsure))),
    };
    let untold = if untold.is_empty() { String::new() } else { format!("; not told: {}", and(&untold)) };
    format!("{} is {how} than {}: {}{rest}{untold}.", name(run), conditions(run, basis), better.join(", "))
}

/// The sentence where every run has a price: "No run here is better without a price. Best with requested estimates:
/// SAF-JustBF for slowdown; JustBF for packing."
///
/// Where nothing is compared with anything, `is_compared` is false and only the second sentence is told.
pub(super) fn each_its_own(served: &[(Vec<&RunReport>, Vec<Metric>)], scope: Scope, is_compared: bool) -> String {
    let first_sentence = match is_compared {
        true => format!("No run {} is {}better without a price", scope.here(), scope.surely()),
        false => "No row here is compared with another".to_owned(),
    };
    let all = || served.iter().flat_map(|(reports, _)| reports.iter());
    let Some(first) = all().next() else {
        return format!("{first_sentence}, and none is ahead of all others in anything.");
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
    format!("{first_sentence}. Best{common}: {}.", each.join("; "))
}

fn words(contrasts: &[Contrast], which: impl Fn(&Contrast) -> bool) -> Vec<String> {
    contrasts.iter().filter(|contrast| which(contrast)).map(|contrast| contrast.words()).collect()
}

/// What repeats leave open; empty where they leave nothing open.
fn not_sure(unsure: &[Contrast]) -> String {
    let names: Vec<String> = unsure.iter().map(|contrast| measure_name(contrast.metric)).collect();
    if names.is_empty() { String::new() } else { format!("; not sure: {}", and(&names)) }
}

// What may be said of a value and of a change, given repeats: one rule for words, marks and colours.
//
// Without repeats, a change is that of the log, and told as such. With repeats, it is a fact only where its interval
// excludes 0. Of a number that has no interval, nothing is claimed.

#[derive(Clone, Copy, Debug)]
pub(crate) struct Measurement<'a> {
    pub(crate) run: &'a Run,
    pub(crate) value: f64,
}

impl<'a> Measurement<'a> {
    /// The value of a metric in a result; `None` where it has none.
    pub(super) fn of(report: &'a RunReport, metric: Metric) -> Option<Self> {
        Some(Measurement { run: &report.run, value: *report.values.get(&metric)? })
    }
}

/// The interval of a value on repeats.
pub(crate) fn value_interval(repeated: &Repeated, of: Measurement<'_>, metric: Metric) -> Result<Interval, NoInterval> {
    repeated.interval(of.run, metric, of.value)
}

/// The interval of a change on repeats. There is none where repeats do not resemble the log by one of the two values.
pub(crate) fn change_interval(
    repeated: &Repeated,
    of: Measurement<'_>,
    than: Measurement<'_>,
    change: f64,
    metric: Metric,
) -> Result<Interval, NoInterval> {
    if [of, than].iter().any(|&one| value_interval(repeated, one, metric) == Err(NoInterval::Misfit)) {
        return Err(NoInterval::Misfit);
    }
    repeated.change(of.run, than.run, metric, change)
}

/// Whether a change may be told as a fact. Of a table without repeats every change may; otherwise its interval must be
/// there and must not contain 0.
pub(super) fn is_fact(is_repeated: bool, interval: Option<Interval>) -> bool {
    !is_repeated || interval.is_some_and(|interval| !interval.is_unsure())
}

/// What matters to a person who reads a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Concern {
    /// To be better in something and worse in nothing.
    #[default]
    Everything,
    /// Short jobs should not wait long: bounded slowdown.
    Slowdown,
    /// Response time of the average job.
    Response,
    /// Packing efficiency (METRICS §III).
    Packing,
    /// Fairness: unfairness by fair start times and by fair shares (FAIRNESS §3) where they are measured, P²SF (METRICS
    /// §IV) where they are not.
    Fairness,
    /// No job should wait for very long.
    LongestWait,
    /// Any other measure that has a better direction.
    Of(Metric),
}

/// The measures of fairness, where a table has any of them.
const UNFAIRNESS: [Metric; 3] = [Metric::StrictUnfairness, Metric::RelaxedUnfairness, Metric::UnfairShare];

impl Concern {
    /// The concerns that have names of their own, in the order in which they are offered.
    pub const NAMED: [Concern; 6] = [
        Concern::Everything,
        Concern::Slowdown,
        Concern::Response,
        Concern::Packing,
        Concern::Fairness,
        Concern::LongestWait,
    ];

    /// The concerns offered for a table with these columns: everything, and one for each measure that has a better
    /// direction. Where no column has one, the named concerns.
    pub fn offered(columns: &[Metric]) -> Vec<Concern> {
        let mut offered = vec![Concern::Everything];
        for concern in columns.iter().filter_map(|&metric| Concern::of(metric)) {
            if !offered.contains(&concern) {
                offered.push(concern);
            }
        }
        if offered.len() == 1 { Concern::NAMED.to_vec() } else { offered }
    }

    /// The concern that a measure serves; `None` where neither direction is better.
    fn of(metric: Metric) -> Option<Concern> {
        match metric {
            Metric::Bsld => Some(Concern::Slowdown),
            Metric::Af => Some(Concern::Response),
            Metric::Awf => Some(Concern::Packing),
            Metric::P2sf | Metric::StrictUnfairness | Metric::RelaxedUnfairness | Metric::UnfairShare => {
                Some(Concern::Fairness)
            }
            Metric::MaxWait => Some(Concern::LongestWait),
            _ => (metric.about().aim != Aim::None).then_some(Concern::Of(metric)),
        }
    }

    /// The measures that a concern is judged by, in a table with these columns and results; empty for
    /// [`Concern::Everything`].
    pub(super) fn measures(self, columns: &[Metric], reports: &[&RunReport]) -> Vec<Metric> {
        match self {
            Concern::Everything => Vec::new(),
            Concern::Slowdown => vec![Metric::Bsld],
            Concern::Response => vec![Metric::Af],
            Concern::Packing => vec![Metric::Awf],
            Concern::Fairness => {
                // Fair shares follow from any schedule; fair starts are only there where a person asked for them.
                let is_measured = |metric: &Metric| {
                    columns.contains(metric)
                        || (Metric::OF_FAIR_STARTS.contains(metric)
                            && reports.iter().any(|report| report.values.contains_key(metric)))
                };
                let measured: Vec<Metric> = UNFAIRNESS.into_iter().filter(is_measured).collect();
                if measured.is_empty() { vec![Metric::P2sf] } else { measured }
            }
            Concern::LongestWait => vec![Metric::MaxWait],
            Concern::Of(metric) => vec![metric],
        }
    }

    /// The column by which a table is sorted for the concern.
    pub fn sorts_by(self, columns: &[Metric]) -> Option<Metric> {
        self.measures(columns, &[]).into_iter().find(|metric| columns.contains(metric))
    }

    /// Stable id.
    pub fn id(self) -> &'static str {
        match self {
            Concern::Everything => "everything",
            Concern::Slowdown => "slowdown",
            Concern::Response => "response",
            Concern::Packing => "packing",
            Concern::Fairness => "fairness",
            Concern::LongestWait => "longest-wait",
            Concern::Of(metric) => metric.about().id,
        }
    }

    /// The concern with that id; it may be the id of a metric.
    ///
    /// # Errors
    /// A message that lists the known ids, where there is none of that id.
    pub fn from_id(id: &str) -> Result<Concern, String> {
        let named = Concern::NAMED.into_iter().find(|concern| concern.id() == id);
        let of_metric = || id.parse().ok().and_then(Concern::of);
        named.or_else(of_metric).ok_or_else(|| {
            format!("there are {}, and each column that is better one way", Concern::NAMED.map(Concern::id).join(", "))
        })
    }

    /// The name of the concern, as on a button.
    pub fn title(self) -> &'static str {
        match self {
            Concern::Everything => "Everything",
            Concern::Slowdown => "Slowdown",
            Concern::Response => "Response time",
            Concern::Packing => "Packing",
            Concern::Fairness => "Fairness",
            Concern::LongestWait => "Longest wait",
            Concern::Of(metric) => metric.about().name,
        }
    }
}

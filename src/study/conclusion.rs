//! What a table of results says, in one sentence: which run serves which aim, by how much, and at what price.

use super::format::{self, SPACE, estimate};
use super::table::WORTH_ACTING_ON;
use super::{Baseline, Run, RunReport};
use crate::estimator::Method;
use crate::metric::{Aim, Metric};
use serde::{Deserialize, Serialize};

/// What a person cares for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Concern {
    /// To be better in something and worse in nothing.
    #[default]
    Everything,
    /// That short jobs do not wait long: bounded slowdown.
    Slowdown,
    /// Response time of the average job.
    Response,
    /// Packing efficiency (METRICS §III).
    Packing,
    /// Fairness (METRICS §IV).
    Fairness,
    /// That nobody waits for very long.
    LongestWait,
}

impl Concern {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Concern; 6] = [
        Concern::Everything,
        Concern::Slowdown,
        Concern::Response,
        Concern::Packing,
        Concern::Fairness,
        Concern::LongestWait,
    ];

    /// The metric by which it is judged; none where all of them count.
    pub fn metric(self) -> Option<Metric> {
        match self {
            Concern::Everything => None,
            Concern::Slowdown => Some(Metric::Bsld),
            Concern::Response => Some(Metric::Af),
            Concern::Packing => Some(Metric::Awf),
            Concern::Fairness => Some(Metric::P2sf),
            Concern::LongestWait => Some(Metric::MaxWait),
        }
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
        }
    }

    /// By itself, as on a button.
    pub fn title(self) -> &'static str {
        match self {
            Concern::Everything => "Everything",
            Concern::Slowdown => "Slowdown",
            Concern::Response => "Response time",
            Concern::Packing => "Packing",
            Concern::Fairness => "Fairness",
            Concern::LongestWait => "Longest wait",
        }
    }

    /// Within a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Concern::Everything => "everything",
            Concern::Slowdown => "slowdown",
            Concern::Response => "response time",
            Concern::Packing => "packing",
            Concern::Fairness => "fairness",
            Concern::LongestWait => "longest wait",
        }
    }
}

/// What results say.
#[derive(Clone, Debug, PartialEq)]
pub struct Conclusion {
    /// The run that serves the concern best; none where nothing does without a price.
    pub run: Option<Run>,
    /// In words.
    pub text: String,
}

/// What these results say to who has this concern; nothing where there is nothing to choose from.
///
/// Runs that know run times beforehand are left out where others do not. Distorted estimates, saturated runs, off-line
/// schedules, the log's own and those of files are left out always. A run is compared with its baseline where that has a
/// result, else with EASY with the same estimate.
pub fn conclude(reports: &[&RunReport], baseline: &Baseline, concern: Concern) -> Option<Conclusion> {
    if reports.iter().any(|report| !report.run.shares_workload(&reports[0].run)) {
        // runs of different workloads are not compared
        return None;
    }
    let is_scheduled = |run: &Run| !run.scheduler.is_given() && !run.scheduler.is_offline();
    let is_told = |r: &&RunReport| is_scheduled(&r.run) && r.saturation.is_none() && r.run.estimate.k == 1.0;
    let simulated: Vec<&RunReport> = reports.iter().copied().filter(is_told).collect();
    let is_foreseen = |report: &&RunReport| report.run.estimate.method == Method::actual();
    let on_line: Vec<&RunReport> = simulated.iter().copied().filter(|r| !is_foreseen(r)).collect();
    let candidates = if on_line.len() >= 2 { on_line } else { simulated.clone() };
    if candidates.len() < 2 {
        return None;
    }
    let choice = Choosing { all: simulated, candidates, baseline };
    match concern.metric() {
        Some(metric) => choice.by(concern, metric),
        None => choice.by_all(),
    }
}

/// By how much, relative to the other, a run's value lies above it; negative where it is better.
#[derive(Clone, Copy)]
struct Contrast {
    concern: Concern,
    value: f64,
    other: f64,
}

impl Contrast {
    fn ratio(self) -> f64 {
        self.value / self.other
    }

    fn is_better(self) -> bool {
        self.ratio() <= 1.0 - WORTH_ACTING_ON
    }

    fn is_worse(self) -> bool {
        self.ratio() >= 1.0 + WORTH_ACTING_ON
    }

    /// "slowdown 32 % lower", "packing 1.9 times as high".
    fn words(self) -> String {
        let name = self.concern.name();
        if self.concern == Concern::LongestWait {
            return format!("{name} {} instead of {}", format::span(self.value), format::span(self.other));
        }
        let ratio = self.ratio();
        match self.concern {
            Concern::Packing | Concern::Fairness => {
                let word = if ratio < 1.0 { "better" } else { "worse" };
                if ratio >= 2.0 {
                    format!("{name} {} times as bad", times(ratio))
                } else {
                    format!("{name} {}{SPACE}% {word}", percent((ratio - 1.0).abs()))
                }
            }
            _ if ratio >= 2.0 => format!("{name} {} times as high", times(ratio)),
            _ => format!(
                "{name} {}{SPACE}% {}",
                percent((ratio - 1.0).abs()),
                if ratio < 1.0 { "lower" } else { "higher" }
            ),
        }
    }
}

/// A factor with two digits.
fn times(ratio: f64) -> String {
    format::with_places(ratio, if ratio < 9.95 { 1 } else { 0 })
}

/// A share as a percentage with two digits at most: the sentence is read, not calculated with.
fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if percent < 9.95 { format::with_places(percent, 1) } else { format::with_places(percent, 0) }
}

struct Choosing<'a> {
    all: Vec<&'a RunReport>,
    candidates: Vec<&'a RunReport>,
    baseline: &'a Baseline,
}

impl<'a> Choosing<'a> {
    /// What a run is compared with.
    fn basis(&self, report: &RunReport) -> Option<&'a RunReport> {
        let find = |run: &Run| self.all.iter().copied().find(|other| other.run == *run);
        let own = self.baseline.of(&report.run).as_ref().and_then(find);
        let easy = || {
            let of_easy = |other: &&&RunReport| {
                other.run.scheduler.preset().is_some_and(|preset| preset.id == "easy")
                    && other.run.estimate == report.run.estimate
            };
            self.all.iter().find(of_easy).copied()
        };
        own.or_else(easy)
    }

    /// The contrasts of a run to another, concern by concern.
    fn contrasts(report: &RunReport, other: &RunReport) -> Vec<Contrast> {
        let of = |concern: Concern| {
            let metric = concern.metric()?;
            debug_assert!(metric.about().aim == Aim::Low, "ratios are read as the less the better");
            let (value, other) = (*report.values.get(&metric)?, *other.values.get(&metric)?);
            (value >= 0.0 && other > 0.0).then_some(Contrast { concern, value, other })
        };
        Concern::ALL.into_iter().filter_map(of).collect()
    }

    fn least(&self, metric: Metric) -> Option<&'a RunReport> {
        let value = |report: &RunReport| report.values.get(&metric).copied().unwrap_or(f64::INFINITY);
        let best = self.candidates.iter().copied().min_by(|a, b| value(a).total_cmp(&value(b)))?;
        value(best).is_finite().then_some(best)
    }

    fn by(&self, concern: Concern, metric: Metric) -> Option<Conclusion> {
        let best = self.least(metric)?;
        let name = name(&best.run);
        let text = match self.basis(best).filter(|basis| basis.run != best.run) {
            None => format!("For {}, nothing here is better than {name}.", concern.name()),
            Some(basis) => {
                let contrasts = Self::contrasts(best, basis);
                let own = contrasts.iter().find(|d| d.concern == concern)?;
                if own.is_better() {
                    format!(
                        "For {}: {name}. Against {}: {}.",
                        concern.name(),
                        beside(best, basis),
                        gain_and_price(&contrasts, concern)
                    )
                } else {
                    format!(
                        "For {}, nothing here is better than {} by as much as {}{SPACE}%.",
                        concern.name(),
                        self::name(&basis.run),
                        format::factor(100.0 * WORTH_ACTING_ON)
                    )
                }
            }
        };
        Some(Conclusion { run: Some(best.run.clone()), text })
    }

    fn by_all(&self) -> Option<Conclusion> {
        let free = |report: &&'a RunReport| {
            let basis = self.basis(report).filter(|basis| basis.run != report.run)?;
            let contrasts = Self::contrasts(report, basis);
            let has_no_price = !contrasts.is_empty() && !contrasts.iter().any(|d| d.is_worse());
            let gain: f64 = contrasts.iter().map(|d| libm::log(d.ratio().max(f64::MIN_POSITIVE))).sum();
            (has_no_price && contrasts.iter().any(|d| d.is_better())).then_some((*report, basis, contrasts, gain))
        };
        let best = self.candidates.iter().filter_map(free).min_by(|a, b| a.3.total_cmp(&b.3));
        if let Some((report, basis, contrasts, _)) = best {
            let better: Vec<String> = contrasts.iter().filter(|d| d.is_better()).map(|d| d.words()).collect();
            let in_all = better.len() == contrasts.len();
            let text = format!(
                "{} is {} than {}: {}{}.",
                name(&report.run),
                if in_all { "better in everything" } else { "better, at no price," },
                beside(report, basis),
                better.join(", "),
                if in_all { "" } else { "; nothing else is worse by 1\u{a0}%" }
            );
            return Some(Conclusion { run: Some(report.run.clone()), text });
        }
        let mut served: Vec<(&RunReport, Vec<&str>)> = Vec::new();
        for concern in Concern::ALL {
            let Some(best) = concern.metric().and_then(|metric| self.least(metric)) else { continue };
            match served.iter_mut().find(|(report, _)| report.run == best.run) {
                Some((_, concerns)) => concerns.push(concern.name()),
                None => served.push((best, vec![concern.name()])),
            }
        }
        let (first, _) = served.first()?;
        // an estimate that all of them have is said once
        let is_common = served.iter().all(|(report, _)| report.run.estimate == first.run.estimate);
        let words = |(report, concerns): &(&RunReport, Vec<&str>)| {
            let name = if is_common { report.run.scheduler.name() } else { name(&report.run) };
            format!("{name} for {}", and(concerns))
        };
        let common =
            if is_common { format!(" with {} estimates", estimate(&first.run.estimate)) } else { String::new() };
        let text = format!(
            "No run here is better without a price. Best{common}: {}.",
            served.iter().map(words).collect::<Vec<_>>().join("; ")
        );
        Some(Conclusion { run: None, text })
    }
}

/// What a run brings, and what it costs.
fn gain_and_price(contrasts: &[Contrast], concern: Concern) -> String {
    let (own, others): (Vec<&Contrast>, Vec<&Contrast>) = contrasts.iter().partition(|d| d.concern == concern);
    let words = |chosen: Vec<&&Contrast>| chosen.iter().map(|d| d.words()).collect::<Vec<_>>();
    let mut gains: Vec<String> = own.iter().map(|d| d.words()).collect();
    gains.extend(words(others.iter().filter(|d| d.is_better()).collect()));
    let prices = words(others.iter().filter(|d| d.is_worse()).collect());
    let price = if prices.is_empty() {
        "it costs nothing else".to_owned()
    } else {
        format!("the price: {}", prices.join(", "))
    };
    format!("{}; {price}", gains.join(", "))
}

/// A list in words: "slowdown, packing and fairness".
fn and(words: &[&str]) -> String {
    match words {
        [some @ .., last] if !some.is_empty() => format!("{} and {last}", some.join(", ")),
        _ => words.concat(),
    }
}

/// The name of a run in a sentence: "SAF-JustBF (requested)".
fn name(run: &Run) -> String {
    format!("{} ({})", run.scheduler.name(), estimate(&run.estimate))
}

/// The name of what a run is compared with, short where only the scheduler differs.
fn beside(report: &RunReport, basis: &RunReport) -> String {
    if report.run.estimate == basis.run.estimate { basis.run.scheduler.name() } else { name(&basis.run) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimator::Estimate;
    use crate::metric::Curves;

    /// A run with slowdown, response time, packing, fairness and longest wait.
    fn run(scheduler: &str, method: &str, values: [f64; 5]) -> RunReport {
        let metrics = Concern::ALL.into_iter().filter_map(Concern::metric);
        RunReport {
            run: Run {
                scheduler: scheduler.parse().unwrap(),
                estimate: Estimate { method: method.parse().unwrap(), k: 1.0 },
                shrink: None,
                partition: None,
            },
            shrink: 1.0,
            jobs: 10,
            values: metrics.zip(values).collect(),
            curves: Curves::default(),
            wall_s: 0.0,
            machine: None,
            overfull: None,
            saturation: None,
        }
    }

    fn said(runs: &[RunReport], concern: Concern) -> Conclusion {
        let reports: Vec<&RunReport> = runs.iter().collect();
        let found = conclude(&reports, &Baseline::Scheduler("justbf".parse().unwrap()), concern).unwrap();
        Conclusion { text: found.text.replace(SPACE, " "), ..found }
    }

    #[test]
    fn a_run_that_costs_nothing_is_named_with_what_it_brings() {
        let runs = [
            run("justbf", "requested", [100.0, 1000.0, 500.0, 900.0, 86_400.0]),
            run("easy-sjbf", "requested", [68.0, 950.0, 501.0, 899.0, 86_400.0]),
            run("saf-justbf", "requested", [40.0, 940.0, 1_500.0, 900.0, 864_000.0]),
        ];
        let all = said(&runs, Concern::Everything);
        assert_eq!(all.run.as_ref(), Some(&runs[1].run));
        assert_eq!(
            all.text,
            "EASY-SJBF (requested) is better, at no price, than JustBF: slowdown 32 % lower, response time 5.0 % lower; \
             nothing else is worse by 1 %."
        );
        let slowdown = said(&runs, Concern::Slowdown);
        assert_eq!(slowdown.run.as_ref(), Some(&runs[2].run));
        assert_eq!(
            slowdown.text,
            "For slowdown: SAF-JustBF (requested). Against JustBF: slowdown 60 % lower, response time 6.0 % lower; the \
             price: packing 3.0 times as bad, longest wait 10 d instead of 24 h."
        );
        let packing = said(&runs, Concern::Packing);
        assert_eq!(packing.text, "For packing, nothing here is better than JustBF (requested).");
    }

    #[test]
    fn what_no_scheduler_reaches_is_not_named() {
        let runs = [
            run("justbf", "actual", [100.0, 100.0, 100.0, 100.0, 100.0]),
            run("opt-balanced", "actual", [47.8, 81.9, 92.0, 89.1, 90.0]),
            run("opt-af", "actual", [33.8, 75.5, 105.8, 154.5, 300.0]),
            run("off-af", "actual", [30.0, 73.0, 90.0, 80.0, 80.0]),
        ];
        assert_eq!(said(&runs, Concern::Everything).run.as_ref(), Some(&runs[1].run));
        assert_eq!(said(&runs, Concern::Response).run.as_ref(), Some(&runs[2].run));
    }

    #[test]
    fn who_is_better_in_everything_is_said_to_be() {
        let runs = [
            run("justbf", "requested", [100.0, 1000.0, 500.0, 900.0, 86_400.0]),
            run("opt-balanced", "requested", [50.0, 800.0, 450.0, 800.0, 80_000.0]),
        ];
        let all = said(&runs, Concern::Everything);
        assert!(
            all.text.starts_with("Opt-balanced (requested) is better in everything than JustBF: slowdown 50 % lower"),
            "{all:?}"
        );
    }

    #[test]
    fn where_all_has_a_price_each_aim_has_its_run() {
        let runs = [
            run("justbf", "requested", [100.0, 1000.0, 500.0, 900.0, 86_400.0]),
            run("saf-justbf", "requested", [40.0, 900.0, 1_500.0, 4_000.0, 864_000.0]),
        ];
        let all = said(&runs, Concern::Everything);
        assert_eq!(all.run, None);
        assert_eq!(
            all.text,
            "No run here is better without a price. Best with requested estimates: SAF-JustBF for slowdown and response time; \
             JustBF for packing, fairness and longest wait."
        );
    }

    #[test]
    fn who_knows_run_times_beforehand_is_no_choice() {
        let runs = [
            run("justbf", "requested", [100.0, 1000.0, 500.0, 900.0, 86_400.0]),
            run("easy", "requested", [90.0, 1000.0, 500.0, 900.0, 86_400.0]),
            run("easy", "actual", [10.0, 100.0, 50.0, 90.0, 8_640.0]),
        ];
        assert_eq!(said(&runs, Concern::Slowdown).run.as_ref(), Some(&runs[1].run));
        assert!(conclude(&[&runs[0]], &Baseline::None, Concern::Slowdown).is_none());
    }

    #[test]
    fn a_difference_that_is_not_worth_acting_on_is_no_reason() {
        let runs = [
            run("justbf", "requested", [100.0, 1000.0, 500.0, 900.0, 86_400.0]),
            run("easy", "requested", [99.5, 1000.0, 500.0, 900.0, 86_400.0]),
        ];
        assert_eq!(
            said(&runs, Concern::Slowdown).text,
            "For slowdown, nothing here is better than JustBF (requested) by as much as 1 %."
        );
    }
}

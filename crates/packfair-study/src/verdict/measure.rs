//! The rows of a table that are judged, and what each is compared with.

use super::best::Contrast;
use crate::format::relative;
use crate::sureness::{NoInterval, Repeated};
use crate::table::{CellDisplay, TableCell};
use crate::{Baseline, Run, RunReport};
use packfair_engine::estimator::Method;
use packfair_engine::metric::{Aim, Metric};
use std::collections::HashMap;

/// Results with fewer jobs say nothing about schedulers.
pub const FEWEST_JOBS: usize = 200;

/// Where fewer jobs wait under every scheduler, the results say nothing about schedulers.
pub const FEWEST_WAITING: usize = 20;

/// The number of jobs in the results, and how many wait in the result with the most waiting jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct JobTally {
    pub(super) all: usize,
    /// `None` where no result tells it: a link only carries the waits of some runs.
    pub(super) waiting: Option<usize>,
}

impl JobTally {
    pub(super) fn of<'a>(reports: impl IntoIterator<Item = &'a RunReport>) -> Self {
        reports.into_iter().fold(JobTally { all: 0, waiting: None }, |jobs, report| JobTally {
            all: jobs.all.max(report.jobs),
            waiting: jobs.waiting.max(waiting(report)),
        })
    }

    /// Whether they are too few to tell schedulers apart.
    pub(super) fn are_too_few(self) -> bool {
        self.all < FEWEST_JOBS || self.waiting.is_some_and(|waiting| waiting < FEWEST_WAITING)
    }
}

/// How many jobs of a result wait; `None` where it has no distribution of waits.
pub(crate) fn waiting(report: &RunReport) -> Option<usize> {
    let waits = &report.curves.waits;
    let at_once = match (waits.x.first()?, waits.y.first()?) {
        (&least, &share) if least <= 0.0 => share,
        _ => 0.0,
    };
    Some(((1.0 - at_once) * report.jobs as f64).round() as usize)
}

/// Restores how many jobs of a result wait, where a link has carried its distribution of waits only in reduced form.
pub(crate) fn keep_waiting(report: &mut RunReport, jobs: u64) {
    let at_once = 1.0 - jobs as f64 / report.jobs.max(1) as f64;
    let waits = &mut report.curves.waits;
    match (waits.x.first(), waits.y.first_mut()) {
        (Some(&least), Some(share)) if least <= 0.0 => *share = at_once,
        (None, _) => (waits.x, waits.y) = (vec![0.0], vec![at_once]),
        _ => {}
    }
}

/// Whether a scheduler can be chosen. The log's own schedule, that of a file and an off-line one cannot, and distorted
/// estimates are an experiment.
pub(super) fn can_be_chosen(run: &Run) -> bool {
    !run.scheduler.is_given() && !run.scheduler.is_offline() && run.estimate.k == 1.0
}

/// Whether a table with these rows has something to choose from: one workload, and at least two runs that can be
/// chosen.
pub(super) fn have_a_choice<'a>(runs: impl IntoIterator<Item = &'a Run>) -> bool {
    let runs: Vec<&Run> = runs.into_iter().collect();
    let are_comparable = runs.windows(2).all(|pair| pair[0].shares_workload(pair[1]));
    are_comparable && runs.iter().filter(|run| can_be_chosen(run)).count() >= 2
}

/// A key for finding the EASY run to compare a run with: its estimate and its workload.
fn conditions(run: &Run) -> String {
    let Run { scheduler: _, estimate, shrink, partition, users, replayed, what_if } = run;
    let partition = partition.as_ref().map(|of| of.number);
    let what_if = what_if.as_ref().map(ToString::to_string);
    format!("{estimate} {shrink:?} {users:?} {replayed} {partition:?} {what_if:?}")
}

/// The rows of a table, sorted for judging.
pub(super) struct Rows<'a> {
    pub(super) candidates: Vec<&'a RunReport>,
    /// The rows that it cannot name, because they are saturated.
    pub(super) saturated: Vec<&'a RunReport>,
    /// The rows with which candidates can be compared, by run id.
    stable: HashMap<String, &'a RunReport>,
    /// The first EASY row for each estimate and workload.
    easy: HashMap<String, &'a RunReport>,
    baseline: &'a Baseline,
    repeated: Option<&'a Repeated>,
}

impl<'a> Rows<'a> {
    /// Sorts these results. Runs that know run times beforehand are no candidates where at least two others are.
    pub(super) fn of(reports: &[&'a RunReport], baseline: &'a Baseline, repeated: Option<&'a Repeated>) -> Self {
        let chosen: Vec<&RunReport> = reports.iter().copied().filter(|report| can_be_chosen(&report.run)).collect();
        let is_real = |report: &&RunReport| report.run.estimate.method != Method::actual();
        let has_choice = chosen.iter().copied().filter(|report| is_real(report)).count() >= 2;
        let (stable, saturated): (Vec<&RunReport>, Vec<&RunReport>) =
            chosen.into_iter().partition(|report| report.saturation.is_none());
        let candidates = stable.iter().copied().filter(|report| !has_choice || is_real(report)).collect();
        // The first row for each key wins. A table may have thousands of rows.
        let is_easy = |report: &&&RunReport| report.run.scheduler.preset().is_some_and(|preset| preset.id == "easy");
        let easy = stable.iter().filter(is_easy).rev().map(|report| (conditions(&report.run), *report)).collect();
        let stable = stable.iter().rev().map(|report| (report.run.id(), *report)).collect();
        Rows { candidates, saturated, stable, easy, baseline, repeated }
    }

    /// Whether the table has rows that are not judged, for nobody could choose them.
    pub(super) fn leaves_out(&self, reports: &[&RunReport]) -> bool {
        reports.len() > self.candidates.len() + self.saturated.len()
    }

    /// The row that a run is compared with: its baseline if that has a result, else EASY with the same estimate.
    pub(super) fn basis(&self, report: &RunReport) -> Option<&'a RunReport> {
        let own = self.baseline.of(&report.run).and_then(|run| self.stable.get(&run.id()));
        own.or_else(|| self.easy.get(&conditions(&report.run))).copied()
    }

    /// The value of a metric in a row; what a scheduler never does it did 0 times, where another row did it.
    pub(super) fn value(&self, report: &RunReport, metric: Metric) -> Option<f64> {
        let own = report.values.get(&metric).copied();
        let has = |other: &&&RunReport| other.values.contains_key(&metric);
        own.or_else(|| value(report, metric, self.candidates.iter().find(has)?))
    }

    /// A run compared with its basis; `None` where it is its own basis or has none.
    pub(super) fn contrasts(&self, report: &RunReport, measures: &[Metric]) -> Option<(&'a RunReport, Vec<Contrast>)> {
        let basis = self.basis(report).filter(|basis| basis.run != report.run)?;
        Some((basis, Contrast::all(measures, report, basis, self.repeated)))
    }

    /// Whether one run is better than another in a metric: by at least what is worth acting on, and surely where there
    /// are repeats.
    pub(super) fn beats(&self, one: &RunReport, other: &RunReport, metric: Metric) -> bool {
        let values = (value(one, metric, other), value(other, metric, one));
        let (Some(value), Some(than)) = values else { return false };
        let (one, other) = (one.run.id(), other.run.id());
        is_ahead(metric, value, than)
            && self.repeated.is_none_or(|repeated| are_told_apart(repeated, (&one, value), (&other, than), metric))
    }
}

/// Whether repeats tell two runs, given by their ids and values, apart in a metric: the interval of the change from the
/// second to the first does not contain 0, and the repeats of both fit the log's own values. A link carries some changes
/// one way round only; then the interval of the change from the first to the second must not contain 0.
pub(super) fn are_told_apart(
    repeated: &Repeated,
    (one, value): (&str, f64),
    (other, than): (&str, f64),
    metric: Metric,
) -> bool {
    let fits = |of, value| !matches!(repeated.interval_by_id(of, metric, value), Err(NoInterval::Misfit));
    if !fits(one, value) || !fits(other, than) {
        return false;
    }
    let Some(change) = relative(value, than) else { return false };
    let interval = match repeated.change_by_ids(one, other, metric, change) {
        Err(NoInterval::NotRepeated) => repeated.change_by_ids(other, one, metric, 1.0 / (1.0 + change) - 1.0),
        found => found,
    };
    interval.is_ok_and(|interval| !interval.is_unsure())
}

// How measures are judged, and their names in sentences.

/// The smallest relative difference worth acting on. A value must be ahead by this share of the larger of the two to be
/// better, and a change must be as large to be mentioned.
pub const WORTH_ACTING_ON: f64 = 0.01;

/// Metrics without a value for a scheduler that never does such a thing: it did it 0 times.
const NEVER: [Metric; 6] =
    [Metric::Kills, Metric::JobsKilled, Metric::LostArea, Metric::LostShare, Metric::Late, Metric::Remade];

/// Whether the metric has a better direction, so that rows can be judged by it.
pub(super) fn is_judged(metric: Metric) -> bool {
    metric.about().aim != Aim::None
}

/// 1 where less is better, −1 where more is: multiplied with it, less is always better.
pub(super) fn sign(metric: Metric) -> f64 {
    if metric.about().aim == Aim::High { -1.0 } else { 1.0 }
}

/// The value of a metric in a result. A metric of [`NEVER`] without a value is 0 where `others` has one.
pub(super) fn value(report: &RunReport, metric: Metric, others: &RunReport) -> Option<f64> {
    let own = report.values.get(&metric).copied();
    own.or_else(|| (NEVER.contains(&metric) && others.values.contains_key(&metric)).then_some(0.0))
}

/// Whether `value` is better than `other` in this metric, by at least [`WORTH_ACTING_ON`].
pub(super) fn is_ahead(metric: Metric, value: f64, other: f64) -> bool {
    let sign = sign(metric);
    sign * value < sign * other && (other - value).abs() >= WORTH_ACTING_ON * value.abs().max(other.abs())
}

/// Whether any of these runs is ahead of another in a metric, whatever repeats say. If any is, the best is ahead of the
/// worst, so not all pairs need a look; a table may have thousands of rows.
pub(super) fn tells_apart(metric: Metric, reports: &[&RunReport]) -> bool {
    let known = |report: &&RunReport| report.values.contains_key(&metric);
    let Some(one) = reports.iter().copied().find(known) else { return false };
    let values = || reports.iter().filter_map(|report| value(report, metric, one));
    let (least, most) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    is_ahead(metric, least, most) || is_ahead(metric, most, least)
}

/// The metric's name within a sentence.
pub(super) fn name(metric: Metric) -> String {
    match metric {
        Metric::Bsld => "slowdown".to_owned(),
        Metric::Af => "response time".to_owned(),
        Metric::Awf => "packing".to_owned(),
        Metric::MaxWait => "longest wait".to_owned(),
        _ => {
            let name = metric.about().name;
            let mut letters = name.chars();
            // An abbreviation keeps its capitals.
            match (letters.next(), letters.next()) {
                (Some(first), Some(second)) if second.is_lowercase() => {
                    first.to_lowercase().chain(name.chars().skip(1)).collect()
                }
                _ => name.to_owned(),
            }
        }
    }
}

/// Joins words into a list: "slowdown, packing and fairness".
pub(super) fn and(words: &[String]) -> String {
    match words {
        [some @ .., last] if !some.is_empty() => format!("{} and {last}", some.join(", ")),
        _ => words.concat(),
    }
}

// How strongly a change relative to the baseline is coloured.

/// A change by a factor of ten, up or down, gets the full colour.
const FULL: f64 = std::f64::consts::LN_10;

/// Below about this change the colour grows in proportion; above it, with the logarithm.
const KNEE: f64 = 0.05;

/// The side of the diverging palette that a change is on, given the metric's aim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Equal to the baseline, or neither better nor worse.
    Neutral,
    Better,
    Worse,
}

impl Side {
    /// The side of a relative change (0.07: 7 % more than the baseline).
    fn of(change: f64, aim: Aim) -> Side {
        match (aim, change) {
            (Aim::Low, c) if c < 0.0 => Side::Better,
            (Aim::High, c) if c > 0.0 => Side::Better,
            (Aim::Low | Aim::High, c) if c != 0.0 => Side::Worse,
            _ => Side::Neutral,
        }
    }

    /// The side of a cell's change, whether or not the cell shows it.
    pub fn of_cell(cell: &TableCell) -> Side {
        Side::of(cell.change.unwrap_or(0.0), cell.metric.about().aim)
    }

    /// The side of a cell's change that can be claimed: none where the change is not sure.
    pub fn of_sure_cell(cell: &TableCell) -> Side {
        if cell.is_unsure() { Side::Neutral } else { Side::of_cell(cell) }
    }

    /// The side in words, to follow a change.
    pub fn judgement(self) -> &'static str {
        match self {
            Side::Neutral => "",
            Side::Better => ", better",
            Side::Worse => ", worse",
        }
    }
}

/// The colour of a cell: its side, and the strength of the colour, from 0 to 1. A cell has no colour if it shows a
/// value or a change that is no fact ([`TableCell::is_unsure`]), or if its row is not judged
/// ([`Row::is_judged`](crate::table::Row::is_judged)).
pub fn tint(cell: &TableCell, is_judged: bool) -> (Side, f64) {
    match cell.change {
        Some(change) if is_judged && cell.shown == CellDisplay::Change && !cell.is_unsure() => {
            (Side::of_cell(cell), strength(change))
        }
        _ => (Side::Neutral, 0.0),
    }
}

/// The strength of the colour for a relative change: logarithmic, and the same for a factor and its inverse.
fn strength(change: f64) -> f64 {
    let ratio = libm::log((1.0 + change).max(f64::MIN_POSITIVE)).abs();
    (libm::log(1.0 + ratio / KNEE) / libm::log(1.0 + FULL / KNEE)).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sureness::Interval;
    use packfair_engine::metric::Metric;

    #[test]
    fn a_factor_and_its_inverse_are_equally_strong() {
        assert!((strength(1.0) - strength(-0.5)).abs() < 1e-12);
        assert_eq!(strength(0.0), 0.0);
        assert_eq!(strength(20.0), 1.0);
        assert_eq!(strength(-1.0), 1.0);
        assert!(strength(0.04) > 0.1 && strength(0.04) < strength(0.4));
    }

    #[test]
    fn sides_follow_the_aim() {
        assert_eq!(Side::of(-0.1, Aim::Low), Side::Better);
        assert_eq!(Side::of(-0.1, Aim::High), Side::Worse);
        assert_eq!(Side::of(-0.1, Aim::None), Side::Neutral);
        assert_eq!(Side::of(0.0, Aim::Low), Side::Neutral);
    }

    #[test]
    fn what_says_nothing_has_no_colour() {
        let cell = TableCell {
            metric: Metric::Af,
            value: 80.0,
            baseline: Some(100.0),
            change: Some(-0.2),
            is_best: false,
            shown: CellDisplay::Change,
            interval: None,
            change_interval: None,
            no_interval: None,
            is_repeated: false,
        };
        assert_eq!(tint(&cell, true).0, Side::Better);
        assert_eq!(tint(&cell, false), (Side::Neutral, 0.0), "of a saturated row");
        assert_eq!(tint(&TableCell { shown: CellDisplay::Value, ..cell }, true), (Side::Neutral, 0.0));
        let unsure = Some(Interval { low: -0.3, high: 0.1 });
        let repeated = TableCell { is_repeated: true, ..cell };
        assert_eq!(tint(&TableCell { change_interval: unsure, ..repeated }, true), (Side::Neutral, 0.0));
        assert_eq!(tint(&repeated, true), (Side::Neutral, 0.0), "the interval does not fit, or there is none");
        let sure = Some(Interval { low: -0.3, high: -0.1 });
        assert_eq!(tint(&TableCell { change_interval: sure, ..repeated }, true).0, Side::Better);
    }
}

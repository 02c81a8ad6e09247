//! The values of a table that are marked as the best.

use super::measure::{self, JobTally, WORTH_ACTING_ON, are_told_apart, can_be_chosen, is_ahead, is_judged, name};
use super::sentence::{Measurement, change_interval, is_fact};
use crate::format::{self, SPACE, relative};
use crate::sureness::{Interval, Repeated};
use crate::table::TableCell;
use crate::{Run, RunReport};
use packfair_engine::metric::Metric;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// The columns and rows of the best values: at most one for each column and group of results. `groups` gives the group
/// of each result.
///
/// The best must be ahead of the next by [`WORTH_ACTING_ON`](super::WORTH_ACTING_ON). A result that no scheduler can
/// reach or that nobody can choose is never the best, nor is a saturated one; and with few jobs no result is. Where rows
/// stand on several machines none is marked, for the best on one machine is not the best of the column.
pub(crate) fn best_rows<Group: Copy + Eq + Hash>(
    columns: &[Metric],
    results: &[&RunReport],
    groups: &[Group],
) -> HashSet<(usize, usize)> {
    if results.windows(2).any(|pair| pair[0].run.what_if != pair[1].run.what_if) {
        return HashSet::new();
    }
    let mut members: HashMap<Group, Vec<usize>> = HashMap::new();
    for (place, &group) in groups.iter().enumerate() {
        members.entry(group).or_default().push(place);
    }
    // A separate partition may have few jobs where others have many.
    members.retain(|_, places| {
        let of = |place: &usize| &results[*place].run.partition;
        let same = results.iter().copied().filter(|result| Some(&result.run.partition) == places.first().map(of));
        !JobTally::of(same).are_too_few()
    });
    let best = |(column, &metric): (usize, &Metric)| {
        let can_be = |place: &&usize| {
            let result = results[**place];
            can_be_chosen(&result.run) && result.saturation.is_none()
        };
        let value = move |&place: &usize| Some((place, *results[place].values.get(&metric)?));
        let of_group =
            members.values().filter_map(move |places| best(metric, places.iter().filter(can_be).filter_map(value)));
        of_group.map(move |place| (column, place)).collect::<Vec<_>>()
    };
    columns.iter().enumerate().filter(|(_, metric)| is_judged(**metric)).flat_map(best).collect()
}

/// The place of the best value of a metric; `None` where the next is as good or nearly so.
fn best(metric: Metric, values: impl Iterator<Item = (usize, f64)>) -> Option<usize> {
    let sign = measure::sign(metric);
    let mut values: Vec<(usize, f64)> = values.collect();
    values.sort_by(|a, b| (sign * a.1).total_cmp(&(sign * b.1)));
    let (&(place, best), &(_, next)) = (values.first()?, values.get(1)?);
    is_ahead(metric, best, next).then_some(place)
}

/// A row whose marks are checked.
#[derive(Debug)]
pub struct MarkedRow<'a> {
    pub run: &'a Run,
    /// The group in which the row is compared: where changes are shown, the id of its baseline.
    pub group: Option<String>,
    pub cells: &'a mut [Option<TableCell>],
}

/// Removes marks that repeats do not confirm: where the cell's change is not sure, or where another row of its group
/// may be better.
pub fn keep_sure_marks(rows: &mut [MarkedRow<'_>], repeated: &Repeated) {
    let ids: Vec<String> = rows.iter().map(|row| row.run.id()).collect();
    let mut members: HashMap<Option<&str>, Vec<usize>> = HashMap::new();
    for (place, row) in rows.iter().enumerate() {
        members.entry(row.group.as_deref()).or_default().push(place);
    }
    let mut doubtful = Vec::new();
    for (place, MarkedRow { run, group, cells }) in rows.iter().enumerate() {
        let others = members[&group.as_deref()].iter().copied().filter(|&other| ids[other] != ids[place]);
        for (column, cell) in cells.iter().enumerate() {
            let Some(cell) = cell.as_ref().filter(|cell| cell.is_best) else { continue };
            let may_be_better = |other: usize| {
                let MarkedRow { run: rival, cells, .. } = &rows[other];
                let is_told_apart = |of_rival: &TableCell| {
                    let (own, other) = ((&*ids[place], cell.value), (&*ids[other], of_rival.value));
                    are_told_apart(repeated, own, other, cell.metric)
                };
                cells[column].as_ref().is_some_and(|of_rival| !is_told_apart(of_rival))
                    && rival.shares_workload(run)
                    && can_be_chosen(rival)
            };
            if cell.is_unsure() || others.clone().any(may_be_better) {
                doubtful.push((place, column));
            }
        }
    }
    for (place, column) in doubtful {
        // It was marked above, so it is there.
        if let Some(cell) = &mut rows[place].cells[column] {
            cell.is_best = false;
        }
    }
}

// A run compared with another, measure by measure.

/// The largest ratio of two values that is used; larger ones count as this one.
const MOST_TIMES: f64 = 1e3;

/// The comparison of two runs by one measure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contrast {
    pub(super) metric: Metric,
    value: f64,
    other: f64,
    /// (value − other) / |other|; infinite where `other` is 0.
    change: f64,
    /// The interval of the change on repeats, where it fits the log.
    interval: Option<Interval>,
    is_repeated: bool,
}

impl Contrast {
    /// The comparisons by these measures. A measure that a run lacks is left out.
    pub(super) fn all(
        measures: &[Metric],
        report: &RunReport,
        other: &RunReport,
        repeated: Option<&Repeated>,
    ) -> Vec<Contrast> {
        measures.iter().filter_map(|&metric| Contrast::of(metric, report, other, repeated)).collect()
    }

    fn of(metric: Metric, report: &RunReport, basis: &RunReport, repeated: Option<&Repeated>) -> Option<Contrast> {
        let (value, other) = (measure::value(report, metric, basis)?, measure::value(basis, metric, report)?);
        let change = relative(value, other).unwrap_or(f64::INFINITY * (value - other).signum());
        let (of, than) = (Measurement { run: &report.run, value }, Measurement { run: &basis.run, value: other });
        let interval = repeated.and_then(|repeated| change_interval(repeated, of, than, change, metric).ok());
        Some(Contrast { metric, value, other, change, interval, is_repeated: repeated.is_some() })
    }

    /// Whether repeats leave open that the change is zero or has the other sign, or tell nothing of it.
    pub(super) fn is_unsure(self) -> bool {
        !is_fact(self.is_repeated, self.interval)
    }

    /// Whether the value is surely better, by at least [`WORTH_ACTING_ON`].
    pub(super) fn is_better(self) -> bool {
        !self.is_unsure() && measure::sign(self.metric) * self.change <= -WORTH_ACTING_ON
    }

    /// Whether the value is surely worse, by at least [`WORTH_ACTING_ON`].
    pub(super) fn is_worse(self) -> bool {
        !self.is_unsure() && measure::sign(self.metric) * self.change >= WORTH_ACTING_ON
    }

    /// The loss, negative for a gain: the logarithm of the ratio, so that half and double cancel out.
    pub(super) fn loss(self) -> f64 {
        measure::sign(self.metric) * libm::log((1.0 + self.change).clamp(1.0 / MOST_TIMES, MOST_TIMES))
    }

    /// The change in words: "slowdown 32 % lower", "packing 1.9 times as bad", with repeats "slowdown 4 to 22 % lower".
    pub(super) fn words(self) -> String {
        let name = name(self.metric);
        if self.value < 0.0 || self.other <= 0.0 {
            return format!("{name} {}", self.values());
        }
        let word = match (self.metric, self.change < 0.0) {
            (Metric::Awf, true) => "better",
            (Metric::Awf, false) => "worse",
            (_, true) => "lower",
            (_, false) => "higher",
        };
        // An interval that does not contain 0 lies on one side of it.
        if let Some(Interval { low, high }) = self.interval.filter(|bounds| !bounds.is_unsure()) {
            let (near, far) = if low.abs() < high.abs() { (low.abs(), high.abs()) } else { (high.abs(), low.abs()) };
            return match (bound(near), bound(far)) {
                (near, far) if near == far => format!("{name} {near}{SPACE}% {word}"),
                (near, far) => format!("{name} {near} to {far}{SPACE}% {word}"),
            };
        }
        let ratio = 1.0 + self.change;
        match self.metric {
            Metric::MaxWait => format!("{name} {}", self.values()),
            Metric::Awf if ratio >= 2.0 => format!("{name} {} times as bad", times(ratio)),
            _ if ratio >= 2.0 => format!("{name} {} times as high", times(ratio)),
            _ => format!("{name} {}{SPACE}% {word}", percent(self.change.abs())),
        }
    }

    /// Both values: "10 d instead of 24 h".
    fn values(self) -> String {
        format::instead_of(self.metric, self.value, self.other)
    }
}

/// A factor with two significant digits.
fn times(ratio: f64) -> String {
    format::with_places(ratio, if ratio < 9.95 { 1 } else { 0 })
}

/// A share as a percentage with at most two significant digits, because people read the sentence and do not compute
/// with it.
fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    format::with_places(percent, if percent < 9.95 { 1 } else { 0 })
}

/// A bound as a percentage, whole where that is exact enough.
fn bound(share: f64) -> String {
    let percent = 100.0 * share;
    format::with_places(percent, if percent < 0.95 { 1 } else { 0 })
}

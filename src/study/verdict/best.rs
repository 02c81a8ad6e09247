//! The values of a table that are marked as the best.

use super::measure::{self, is_ahead, is_judged};
use super::rows::{JobTally, are_told_apart, can_be_chosen};
use crate::metric::Metric;
use crate::study::sureness::Repeated;
use crate::study::table::TableCell;
use crate::study::{Run, RunReport};
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// The columns and rows of the best values: at most one for each column and group of results. `groups` gives the group
/// of each result.
///
/// The best must be ahead of the next by [`WORTH_ACTING_ON`](super::WORTH_ACTING_ON). A result that no scheduler can
/// reach or that nobody can choose is never the best, nor is a saturated one; and with few jobs no result is. Where rows
/// stand on several machines none is marked, for the best on one machine is not the best of the column.
pub(in crate::study) fn best_rows<Group: Copy + Eq + Hash>(
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

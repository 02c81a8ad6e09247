//! The values of a table that are marked as the best.

use super::measure::{self, is_ahead, is_judged};
use super::rows::{Jobs, are_told_apart};
use crate::metric::Metric;
use crate::order;
use crate::study::sureness::Repeated;
use crate::study::table::Cell;
use crate::study::{Run, RunReport};
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// The columns and rows of the best values: at most one for each column and group of results. `groups` gives the group
/// of each result.
///
/// The best must be ahead of the next by [`WORTH_ACTING_ON`](super::WORTH_ACTING_ON). A result that no scheduler can
/// reach is never the best, nor is one whose queue grows; and with few jobs no result is.
pub(in crate::study) fn best_rows<Group: Copy + Eq + Hash>(
    columns: &[Metric],
    results: &[&RunReport],
    groups: &[Group],
) -> HashSet<(usize, usize)> {
    let mut members: HashMap<Group, Vec<usize>> = HashMap::new();
    for (place, &group) in groups.iter().enumerate() {
        members.entry(group).or_default().push(place);
    }
    // A separate partition may have few jobs where others have many.
    members.retain(|_, places| {
        let of = |place: &usize| &results[*place].run.partition;
        let same = results.iter().copied().filter(|result| Some(&result.run.partition) == places.first().map(of));
        !Jobs::of(same).are_too_few()
    });
    let best = |(column, &metric): (usize, &Metric)| {
        let can_be = |place: &&usize| {
            let result = results[**place];
            !result.run.scheduler.is_offline() && result.saturation.is_none()
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
    order::sort_by(&mut values, |a, b| (sign * a.1).total_cmp(&(sign * b.1)));
    let (&(place, best), &(_, next)) = (values.first()?, values.get(1)?);
    is_ahead(metric, best, next).then_some(place)
}

/// A row whose marks are checked.
#[derive(Debug)]
pub struct MarkedRow<'a> {
    /// The run.
    pub run: &'a Run,
    /// The group in which the row is compared: where changes are shown, the id of its baseline.
    pub group: Option<String>,
    /// The cells of the row.
    pub cells: &'a mut [Option<Cell>],
}

/// Removes marks that repeats do not confirm: where the cell's change is not sure, or where another row of its group
/// may be better.
pub fn keep_sure_marks(rows: &mut [MarkedRow<'_>], repeated: &Repeated) {
    // The runs are collected first, because cells are changed below.
    let runs: Vec<(Run, Option<String>)> = rows.iter().map(|row| (row.run.clone(), row.group.clone())).collect();
    for MarkedRow { run, group, cells } in rows {
        for cell in cells.iter_mut().flatten().filter(|cell| cell.is_best) {
            let is_rival = |(other, of): &&(Run, Option<String>)| {
                other != *run && of == group && other.shares_workload(run) && !other.scheduler.is_offline()
            };
            let mut rivals = runs.iter().filter(is_rival);
            cell.is_best =
                !cell.is_unsure() && rivals.all(|(other, _)| are_told_apart(Some(repeated), run, other, cell.metric));
        }
    }
}

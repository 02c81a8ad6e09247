//! Checks from the outside that no job starts in a cell where there is not enough (docs/machine.md).

use super::fault::Fault;
use crate::model::{Placed, Schedule};
use packfair_workload::{Cluster, Seconds, Workload};

/// The kinds of events of a cell, in the order in which they happen within an instant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum CellEvent {
    Ends(usize),
    /// A change of the calendar begins or ends: the cell, and by how many nodes.
    Changes(usize, i64),
    Starts(usize),
}

/// Finds the starts of a schedule after which more is in use in a cell than there is. Where nodes go while jobs run on,
/// as many are in use as before, but no job may start there. A job takes its nodes when they begin to boot for it. Nothing is found where a schedule does not tell where jobs
/// ran.
pub(super) fn overfull(workload: &Workload, cluster: &Cluster, schedule: &Schedule) -> Vec<Fault> {
    let Cluster { machine, demands } = cluster;
    let mut events: Vec<(Seconds, CellEvent)> = Vec::new();
    for (number, Placed { job, start, held, .. }) in schedule.placed.iter().enumerate() {
        let killed = schedule.killed_of(*job).find(|killed| killed.start == *start);
        let end = killed.map_or(schedule.end(*job), |killed| killed.end);
        // a job that runs for no time takes nothing
        if end > *held {
            events.extend([(*held, CellEvent::Starts(number)), (end, CellEvent::Ends(number))]);
        }
    }
    for change in machine.calendar().iter().copied().chain(machine.cap_changes()) {
        events.push((change.from, CellEvent::Changes(change.cell, change.nodes)));
        events.extend(change.until.map(|until| (until, CellEvent::Changes(change.cell, -change.nodes))));
    }
    events.sort_unstable();
    let (mut free, stride) = (machine.capacity(), machine.resources().len());
    let mut faults = Vec::new();
    for (at, event) in events {
        let (number, times) = match event {
            CellEvent::Changes(cell, nodes) => {
                machine.add_nodes(&mut free, cell, nodes);
                continue;
            }
            CellEvent::Ends(number) => (number, -1),
            CellEvent::Starts(number) => (number, 1),
        };
        let Placed { job, placement, .. } = &schedule.placed[number];
        demands.need(workload.record(*job)).shape.take(placement, &mut free, times);
        if times > 0 && demands.need(workload.record(*job)).shape.is_beyond_shared(&free) {
            faults.push(Fault::OverCap { job: workload.request(*job).number, at });
        }
        for &(cell, _) in placement.0.iter().filter(|_| times > 0) {
            let cell = cell as usize;
            if free[cell * stride..][..stride].iter().any(|&free| free < 0) {
                let (job, cell) = (workload.request(*job).number, machine.cells()[cell].name.clone());
                faults.push(Fault::OverfullCell { job, at, cell });
            }
        }
    }
    faults
}

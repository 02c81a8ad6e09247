//! Which processors each job gets, for drawings and for files that name processors.
//!
//! A schedule only says when jobs run, because processors are alike. Here each execution, in the order of the starts,
//! gets the lowest free processors.

use packfair_base::machine::{Demands, Placement};
use packfair_engine::model::Schedule;
use packfair_engine::simulation::Expected;
use packfair_workload::{JobId, Seconds, Workload};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Processors that lie together: the first one, counted from 0, and their number.
pub type ProcessorRange = (u32, u32);

/// An execution in a drawing, or as much of it as ran before it was suspended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawnExecution {
    pub job: JobId,
    pub start: Seconds,
    /// Completion, or when it was killed or suspended.
    pub end: Seconds,
    pub ending: DrawnEnding,
}

/// How an execution ended, or a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DrawnEnding {
    Killed,
    Completed,
    /// It was suspended, and ran on later.
    Suspended,
}

/// Gives every execution that starts before `until` its processors, and passes it with them to `visit`. Where the
/// schedule tells cells, they are processors of those cells.
///
/// An execution that was suspended comes once for each time in between, each with processors of its own.
///
/// Executions come in the order of the starts. At equal starts those that take no time come first, because others may
/// take their processors at once; then log order. Where a schedule uses more processors than there are, jobs get what
/// is left.
pub fn allocate(
    workload: &Workload,
    schedule: &Schedule,
    until: Seconds,
    mut visit: impl FnMut(DrawnExecution, &[ProcessorRange]),
) {
    let completed = workload.jobs().map(|job| DrawnExecution {
        job,
        start: schedule.start(job),
        end: schedule.end(job),
        ending: DrawnEnding::Completed,
    });
    let killed = schedule.killed.iter().map(|killed| DrawnExecution {
        job: killed.job,
        start: killed.start,
        end: killed.end,
        ending: DrawnEnding::Killed,
    });
    let suspensions = schedule.suspensions();
    let spans = completed.chain(killed).flat_map(|placed| {
        suspensions.spans(placed.job, placed.start, placed.end).map(move |(start, end)| {
            let ending = if end < placed.end { DrawnEnding::Suspended } else { placed.ending };
            DrawnExecution { start, end, ending, ..placed }
        })
    });
    let mut order: Vec<DrawnExecution> = spans.filter(|placed| placed.start < until).collect();
    order.sort_unstable_by_key(|placed| (placed.start, placed.end > placed.start, placed.job));
    let cells = Cells::of(workload, schedule);
    let mut free = FreeBlocks(BTreeMap::from_iter([(0, workload.machine.processors)]));
    // Ordered by end; the slot of a completed job is used again.
    let mut running: BinaryHeap<Reverse<(Seconds, JobId, usize)>> = BinaryHeap::new();
    let mut held: Vec<Vec<ProcessorRange>> = Vec::new();
    let mut unused: Vec<usize> = Vec::new();
    for placed in order {
        let DrawnExecution { job, start, .. } = placed;
        while let Some(&Reverse((end, _, slot))) = running.peek() {
            if end > start {
                break;
            }
            running.pop();
            held[slot].drain(..).for_each(|block| free.give_back(block));
            unused.push(slot);
        }
        let slot = unused.pop().unwrap_or_else(|| {
            held.push(Vec::new());
            held.len() - 1
        });
        match cells.as_ref().and_then(|cells| cells.ranges_of(job, start)) {
            Some(taken) => taken.for_each(|(range, count)| free.take_within(range, count, &mut held[slot])),
            None => free.take(workload.request(job).processors, &mut held[slot]),
        }
        visit(placed, &held[slot]);
        running.push(Reverse((placed.end, job, slot)));
    }
}

/// Gives processors to every reservation in `reserved`, which is ordered by start, for its whole length. The jobs of
/// `running` keep theirs until their ends. Where too few processors are free, a job gets those that are.
pub fn allocate_ahead(
    workload: &Workload,
    running: &[(Expected, Vec<ProcessorRange>)],
    reserved: &[Expected],
) -> Vec<(Expected, Vec<ProcessorRange>)> {
    let mut free = FreeBlocks(BTreeMap::from([(0, workload.machine.processors)]));
    running.iter().flat_map(|(_, blocks)| blocks).for_each(|&block| free.occupy(block));
    let mut held: Vec<(f64, Vec<ProcessorRange>)> =
        running.iter().map(|(expected, blocks)| (expected.end, blocks.clone())).collect();
    let mut given = Vec::new();
    for &expected in reserved {
        held.retain(|(end, blocks)| {
            let is_over = *end <= expected.start;
            if is_over {
                blocks.iter().for_each(|&block| free.give_back(block));
            }
            !is_over
        });
        let mut blocks = Vec::new();
        free.take(workload.request(expected.job).processors, &mut blocks);
        held.push((expected.end, blocks.clone()));
        given.push((expected, blocks));
    }
    given
}

/// The cells in which executions ran, and the processors of each cell.
struct Cells<'a> {
    demands: &'a Demands,
    ranges: Vec<ProcessorRange>,
    workload: &'a Workload,
    placements: FxHashMap<(JobId, Seconds), &'a Placement>,
}

impl<'a> Cells<'a> {
    /// The cells of a workload's machine; `None` where the machine is only a number of processors, or the schedule does
    /// not tell cells.
    fn of(workload: &'a Workload, schedule: &'a Schedule) -> Option<Self> {
        let cluster = workload.cluster().filter(|_| schedule.tells_cells())?;
        let placements = schedule.placed.iter().map(|placed| ((placed.job, placed.start), &placed.placement)).collect();
        let ranges = cluster.machine.processor_ranges();
        Some(Cells { demands: &cluster.demands, ranges, workload, placements })
    }

    /// The processor ranges of the cells in which an execution ran, each with the number of processors that it takes
    /// there.
    fn ranges_of(&self, job: JobId, start: Seconds) -> Option<impl Iterator<Item = (ProcessorRange, u32)> + '_> {
        let placement = self.placements.get(&(job, start))?;
        let shape = self.demands.need(self.workload.record(job)).shape;
        let of = move |&(cell, parts): &(u32, u32)| {
            let each = shape.each_in(cell).map_or(0, |each| each[0]);
            // The count saturates here; `take_within` takes no more than the cell has.
            (self.ranges[cell as usize], u32::try_from(each * i64::from(parts)).unwrap_or(u32::MAX))
        };
        Some(placement.0.iter().map(of))
    }
}

/// Free processors: blocks that do not touch, as sizes by first processor.
struct FreeBlocks(BTreeMap<u32, u32>);

impl FreeBlocks {
    /// Takes the lowest `count` free processors.
    fn take(&mut self, mut count: u32, blocks: &mut Vec<ProcessorRange>) {
        while count > 0 {
            let Some((first, size)) = self.0.pop_first() else { return };
            let taken = size.min(count);
            blocks.push((first, taken));
            if taken < size {
                self.0.insert(first + taken, size - taken);
            }
            count -= taken;
        }
    }

    /// Takes the lowest `count` free processors of a range.
    fn take_within(&mut self, (from, all): ProcessorRange, mut count: u32, blocks: &mut Vec<ProcessorRange>) {
        let end = from + all;
        while count > 0 {
            // A free block may begin before the range.
            let before = self.0.range(..=from).next_back().map(|(&first, &size)| (first, size));
            let before = before.filter(|(first, size)| first + size > from);
            let found = before.or_else(|| self.0.range(from..end).next().map(|(&first, &size)| (first, size)));
            let Some((first, size)) = found else { return };
            let begin = first.max(from);
            let taken = (first + size).min(end).saturating_sub(begin).min(count);
            if taken == 0 {
                return;
            }
            self.occupy((begin, taken));
            blocks.push((begin, taken));
            count -= taken;
        }
    }

    fn occupy(&mut self, (first, count): ProcessorRange) {
        let end = first + count;
        while let Some((&from, &size)) = self.0.range(..end).next_back().filter(|&(&from, &size)| from + size > first) {
            self.0.remove(&from);
            if from < first {
                self.0.insert(from, first - from);
            }
            if from + size > end {
                self.0.insert(end, from + size - end);
            }
        }
    }

    fn give_back(&mut self, (first, count): ProcessorRange) {
        let (mut first, mut count) = (first, count);
        if let Some((&before, &size)) = self.0.range(..first).next_back()
            && before + size == first
        {
            self.0.remove(&before);
            (first, count) = (before, size + count);
        }
        if let Some(size) = self.0.remove(&(first + count)) {
            count += size;
        }
        self.0.insert(first, count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_workload::testing::workload;

    fn blocks(jobs: &[(Seconds, Seconds, u32)], starts: &[Seconds]) -> Vec<Vec<ProcessorRange>> {
        let workload = workload(10, jobs);
        let mut blocks = vec![Vec::new(); jobs.len()];
        let schedule = Schedule::of_starts(&workload, starts.to_vec());
        allocate(&workload, &schedule, Seconds::MAX, |placed, given| blocks[placed.job.index()] = given.to_vec());
        blocks
    }

    #[test]
    fn jobs_get_the_lowest_free_processors_in_the_order_of_their_starts() {
        // (submit, run, processors)
        let jobs = [(0, 10, 4), (0, 20, 3), (0, 10, 5)];
        assert_eq!(blocks(&jobs, &[0, 0, 10]), [vec![(0, 4)], vec![(4, 3)], vec![(0, 4), (7, 1)]]);
    }

    #[test]
    fn who_is_suspended_is_drawn_where_it_runs() {
        let workload = workload(10, &[(0, 10, 8), (2, 4, 6)]);
        let mut schedule = Schedule::of_starts(&workload, vec![0, 2]);
        schedule.suspended.push(packfair_engine::model::Suspension { job: JobId(0), from: 2, until: 6 });
        schedule.ends[0] = 14;
        let mut drawn = Vec::new();
        allocate(&workload, &schedule, Seconds::MAX, |placed, given| {
            drawn.push((placed.job.0, placed.start, placed.end, placed.ending, given.to_vec()));
        });
        let first = |start, end, ending| (0, start, end, ending, vec![(0, 8)]);
        let second = (1, 2, 6, DrawnEnding::Completed, vec![(0, 6)]);
        assert_eq!(drawn, [first(0, 2, DrawnEnding::Suspended), second, first(6, 14, DrawnEnding::Completed)]);
    }

    #[test]
    fn blocks_grow_together_again() {
        let jobs = [(0, 5, 3), (0, 7, 3), (0, 9, 3), (0, 1, 10)];
        assert_eq!(blocks(&jobs, &[0, 0, 0, 9])[3], [(0, 10)]);
    }

    #[test]
    fn a_job_that_takes_no_time_leaves_its_processors_to_others_at_once() {
        let jobs = [(0, 5, 10), (0, 0, 10)];
        assert_eq!(blocks(&jobs, &[3, 3]), [vec![(0, 10)], vec![(0, 10)]]);
    }

    #[test]
    fn jobs_get_the_processors_of_their_cells() {
        use packfair_engine::model::Placed as InCells;
        let jobs = [(0, 10, 2), (0, 10, 3), (20, 5, 4)];
        let lines = jobs.iter().enumerate().map(|(place, (submit, run, width))| {
            format!("{} {submit} -1 {run} {width} -1 -1 {width} {run} -1 1 1 1 1 1 -1 -1 -1\n", place + 1)
        });
        let log = packfair_workload::reading::read("log", lines.collect::<String>().as_bytes()).unwrap();
        let machine = r#"{"cells": [{"name": "a", "nodes": 3, "node": {"processors": 1}},
            {"name": "b", "nodes": 4, "node": {"processors": 1}}]}"#;
        let machine = Some(Box::new(serde_json::from_str(machine).unwrap()));
        let workload = crate::Treatment { machine, ..Default::default() }.apply(&log).unwrap();
        let placed = |job: u32, start: Seconds, of: &[(u32, u32)]| InCells {
            job: JobId(job),
            start,
            held: start,
            placement: Placement(of.to_vec()),
        };
        let schedule = Schedule {
            placed: vec![placed(0, 0, &[(1, 2)]), placed(1, 0, &[(0, 3)]), placed(2, 20, &[(0, 1), (1, 3)])],
            ..Schedule::of_starts(&workload, vec![0, 0, 20])
        };
        let mut blocks = vec![Vec::new(); 3];
        allocate(&workload, &schedule, Seconds::MAX, |placed, given| blocks[placed.job.index()] = given.to_vec());
        assert_eq!(blocks, [vec![(3, 2)], vec![(0, 3)], vec![(0, 1), (3, 3)]]);
    }

    #[test]
    fn an_overfull_schedule_does_no_harm() {
        let jobs = [(0, 5, 8), (0, 5, 8), (0, 5, 8)];
        assert_eq!(blocks(&jobs, &[0, 0, 0]), [vec![(0, 8)], vec![(8, 2)], vec![]]);
    }
}

//! The state of a backfill cycle: the slots that it has given, and how much time it has used.

use super::job::JobState;
use super::licences::LicenceTable;
use super::parts::PlannedParts;
use super::table::SlotTable;
use packfair_engine::model::Reservation;
use packfair_workload::{JobId, Seconds};
use rustc_hash::FxHashMap;
use std::cell::Cell;

/// A cycle under way, or one that started no job. Until something changes, another cycle would find the same.
#[derive(Clone, Debug)]
pub(super) struct Cycle {
    pub(super) now: Seconds,
    /// Before this moment the answers of the cycle stay the same as time passes.
    pub(super) valid_until: Cell<Seconds>,
    pub(super) window: Seconds,
    pub(super) table: SlotTable,
    pub(super) counts: CycleCounts,
    pub(super) planned: Vec<Reservation>,
    /// By QOS: until when none of its jobs starts, because a limit of all its jobs has kept one from starting
    /// (assoc_limit_stop).
    pub(super) blocked: FxHashMap<u32, Seconds>,
    /// Running jobs that are to be preempted.
    pub(super) victims: Vec<JobId>,
    /// Whether an idle node is planned for a job.
    pub(super) plans_idle: bool,
    pub(super) tested: i64,
    pub(super) place: usize,
    /// How much time the cycle has used.
    pub(super) course: CycleState,
    pub(super) array: Option<ArrayCycle>,
    /// When licences are free; none where backfill does not plan for them.
    pub(super) licences: Option<LicenceTable>,
    /// What the cycle has found for the parts of heterogeneous jobs.
    pub(super) parts: PlannedParts,
}

/// Counts of a cycle: the jobs that it has looked at, by user, partition or association, and the slots by partition.
#[derive(Clone, Debug, Default)]
pub(super) struct CycleCounts {
    pub(super) users: FxHashMap<i32, i64>,
    pub(super) partitions: FxHashMap<u32, i64>,
    pub(super) users_of_partitions: FxHashMap<(i32, u32), i64>,
    pub(super) associations: FxHashMap<u32, i64>,
    pub(super) reserved: FxHashMap<u32, i64>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct ArrayCycle {
    pub(super) array: u32,
    pub(super) partition: u32,
    /// The number of tasks that have slots.
    pub(super) reserved: i64,
    /// Whether a task was refused, or as many have slots as may. Then the other tasks are not looked at in this
    /// partition.
    pub(super) is_over: bool,
}

/// The settings of these times, seconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// The work between two looks at the clock. Slurm looks at it twice for each job.
    pub(super) work: f64,
    pub(super) interval: f64,
    pub(super) sleep: f64,
    pub(super) most: f64,
    /// Whether a cycle goes on although something has changed in a pause.
    pub(super) continues: bool,
}

/// How much time a cycle has used, and which jobs it has left.
#[derive(Clone, Debug, Default)]
pub(super) struct CycleState {
    /// The entries of the queue at the beginning of the cycle that are left, by job and number, the last first. None where the
    /// cycle takes no time, because then the queue stays as it is.
    pub(super) left: Option<Vec<(JobId, u32)>>,
    /// The time of work since the last pause, and the time of the whole cycle, seconds.
    pub(super) worked: f64,
    pub(super) elapsed: f64,
    /// How often the clock was looked at for the next job.
    pub(super) looked: u8,
    pub(super) pauses: bool,
    /// When something last changed, as of the beginning of the pause.
    pub(super) seen: Seconds,
}

impl CycleState {
    /// The place of the next job in the queue. Jobs that have started during a pause are skipped.
    pub(super) fn next(&mut self, place: usize, queue: &[Box<JobState>]) -> Option<usize> {
        let Some(left) = &mut self.left else { return Some(place).filter(|&place| place < queue.len()) };
        while let Some(&next) = left.last() {
            if let Some(at) = queue.iter().position(|job| (job.waiting.job, job.turn.entry) == next) {
                return Some(at);
            }
            left.pop();
        }
        None
    }

    /// Whether the cycle pauses or ends before its next job. If not, the job counts as taken.
    pub(super) fn stops(&mut self, pace: Pace) -> bool {
        while self.looked < 2 {
            if self.elapsed >= pace.most {
                self.left = Some(Vec::new());
                return true;
            }
            self.looked += 1;
            self.worked += pace.work;
            self.elapsed += pace.work;
            if self.worked >= pace.interval {
                self.pauses = true;
                return true;
            }
        }
        self.looked = 0;
        self.left.iter_mut().for_each(|left| {
            left.pop();
        });
        false
    }

    pub(super) fn is_pausing(&self) -> bool {
        self.pauses
    }
}

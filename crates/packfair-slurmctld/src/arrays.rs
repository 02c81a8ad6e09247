//! Job arrays. Slurm keeps the waiting tasks of an array as one record, from which it takes the lowest task that
//! starts. So the tasks stand together in the queue, in the place of the array, and once one of them is refused in a
//! pass the others are not tried.

use super::job::JobState;
use packfair_engine::model::Waiting;
use packfair_workload::{ArrayTask, JobArray, JobId, Seconds, Ties};

/// The reason, in squeue's words, of a task that waits for other tasks of its array.
pub(super) const TASK_LIMIT: &str = "JobArrayTaskLimit";

#[derive(Clone, Debug)]
pub(super) struct Arrays {
    all: Vec<ArrayState>,
}

#[derive(Clone, Copy, Debug)]
struct ArrayState {
    /// The most tasks that may run at once; none if there is no limit.
    most: Option<u32>,
    running: u32,
    /// When those of its tasks were submitted that came last, and which of these came first.
    head: Option<(Seconds, JobId)>,
}

impl Arrays {
    /// The state before any task was submitted.
    pub(super) fn of(ties: &Ties) -> Self {
        let course = |array: &JobArray| ArrayState { most: array.most, running: 0, head: None };
        Arrays { all: ties.arrays().iter().map(course).collect() }
    }

    /// The job in whose place a task stands in the queue.
    pub(super) fn head(&mut self, task: ArrayTask, waiting: &Waiting) -> JobId {
        // a task that is submitted later does not stand with those before it
        let head = &mut self.all[task.array as usize].head;
        head.take_if(|(submit, _)| *submit != waiting.submit);
        head.get_or_insert((waiting.submit, waiting.job)).1
    }

    /// Counts a job that starts.
    pub(super) fn started(&mut self, job: &JobState) {
        job.task.into_iter().for_each(|task| self.all[task.array as usize].running += 1);
    }

    /// Counts a job that no longer runs.
    pub(super) fn stopped(&mut self, job: &JobState) {
        job.task.into_iter().for_each(|task| self.all[task.array as usize].running -= 1);
    }

    /// How many more tasks of an array may start; none if there is no limit.
    pub(super) fn left(&self, task: ArrayTask) -> Option<u32> {
        let course = &self.all[task.array as usize];
        course.most.map(|most| most.saturating_sub(course.running))
    }

    /// Whether as many tasks of an array run as are allowed to.
    pub(super) fn is_full(&self, task: ArrayTask) -> bool {
        self.left(task) == Some(0)
    }
}

//! Job arrays. Slurm keeps the waiting tasks of an array as one record, from which it takes the lowest task that starts:
//! they stand together in the queue, in the place of the array, and once one of them is refused in a pass the others are
//! not tried.

use super::job::Job;
use crate::model::Waiting;
use crate::workload::{ArrayTask, JobArray, JobId, Seconds, Ties};

/// The reason of a task that waits for others of its array.
pub(super) const TASK_LIMIT: &str = "JobArrayTaskLimit";

/// What is kept of the arrays of a workload.
#[derive(Clone, Debug)]
pub(super) struct Arrays {
    all: Vec<ArrayCourse>,
}

#[derive(Clone, Copy, Debug)]
struct ArrayCourse {
    /// How many tasks may run at once.
    most: Option<u32>,
    running: u32,
    /// When it was submitted, and which of its tasks was the first.
    head: Option<(Seconds, JobId)>,
}

impl Arrays {
    /// No task was submitted yet.
    pub(super) fn of(ties: &Ties) -> Self {
        let course = |array: &JobArray| ArrayCourse { most: array.most, running: 0, head: None };
        Arrays { all: ties.arrays().iter().map(course).collect() }
    }

    /// The job in whose place a task stands in the queue.
    pub(super) fn head(&mut self, task: ArrayTask, waiting: &Waiting) -> JobId {
        let (submit, head) = *self.all[task.array as usize].head.get_or_insert((waiting.submit, waiting.job));
        // one that is submitted later stands for itself
        if submit == waiting.submit { head } else { waiting.job }
    }

    /// A job starts.
    pub(super) fn started(&mut self, job: &Job) {
        job.task.into_iter().for_each(|task| self.all[task.array as usize].running += 1);
    }

    /// A job runs no more.
    pub(super) fn stopped(&mut self, job: &Job) {
        job.task.into_iter().for_each(|task| self.all[task.array as usize].running -= 1);
    }

    /// How many more tasks of its array may start beside a job; none: any number.
    pub(super) fn left(&self, task: ArrayTask) -> Option<u32> {
        let course = &self.all[task.array as usize];
        course.most.map(|most| most.saturating_sub(course.running))
    }

    /// Whether as many tasks of an array run as may.
    pub(super) fn is_full(&self, task: ArrayTask) -> bool {
        self.left(task) == Some(0)
    }
}

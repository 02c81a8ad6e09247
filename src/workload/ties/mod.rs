//! What ties jobs of a workload to each other by what its log says: which come after which, and which are tasks of one
//! array.
//!
//! A batch system holds a job until what it comes after has ended. A dependency on a job that the workload lacks is
//! ignored, as batch systems ignore jobs that they have forgotten. So is one on a job that was submitted later, because
//! that could make a cycle. By the log the job did run: where the job before it did not end in the required way, its
//! end alone counts.

mod copies;
mod named;
mod of_log;
mod preceding;

pub(in crate::workload) use named::NamedRecords;
pub(in crate::workload) use preceding::preceding;

use super::{JobId, Seconds};
use serde::{Deserialize, Serialize};

/// What keeps a job from being eligible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tie {
    Ends(u32),
    /// All jobs of this group have to start, and this many seconds have to pass after the last start.
    Starts(u32, Seconds),
    /// No other job of the same user and name may run, and no earlier one may wait.
    Singleton,
}

/// A job array, with the tasks that the workload has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobArray {
    pub tasks: Vec<JobId>,
    /// How many of them may run at once; none: any number.
    pub most: Option<u32>,
}

/// Which task of which array a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArrayTask {
    pub array: u32,
    pub task: i64,
}

/// All ties of a workload's jobs, which are named by their places in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ties {
    all: Vec<(JobId, Tie)>,
    alternatives: Vec<JobId>,
    groups: Vec<Vec<JobId>>,
    arrays: Vec<JobArray>,
    tasks: Vec<(JobId, ArrayTask)>,
}

impl Ties {
    fn add_array(&mut self, most: Option<u32>) -> u32 {
        self.arrays.push(JobArray { tasks: Vec::new(), most });
        self.arrays.len() as u32 - 1
    }

    /// Whether no job has a tie or is a task.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty() && self.tasks.is_empty()
    }

    pub fn of_job(&self, job: JobId) -> &[(JobId, Tie)] {
        let first = self.all.partition_point(|&(of, _)| of < job);
        let count = self.all[first..].iter().take_while(|&&(of, _)| of == job).count();
        &self.all[first..first + count]
    }

    pub fn all(&self) -> &[(JobId, Tie)] {
        &self.all
    }

    /// The number of jobs that come after others.
    pub fn tied_jobs(&self) -> usize {
        self.all.chunk_by(|a, b| a.0 == b.0).count()
    }

    /// Whether it is enough for a job that one of its ties is lifted.
    pub fn is_any_enough(&self, job: JobId) -> bool {
        self.alternatives.binary_search(&job).is_ok()
    }

    /// The groups of jobs for which ties wait.
    pub fn groups(&self) -> &[Vec<JobId>] {
        &self.groups
    }

    pub fn arrays(&self) -> &[JobArray] {
        &self.arrays
    }

    /// The array and the task that a job is, if it is one.
    pub fn task(&self, job: JobId) -> Option<ArrayTask> {
        let at = self.tasks.binary_search_by_key(&job, |(of, _)| *of).ok()?;
        Some(self.tasks[at].1)
    }

    fn add_group(&mut self, jobs: Vec<JobId>) -> u32 {
        // jobs in a row that come after the same jobs share a group
        if self.groups.last() != Some(&jobs) {
            self.groups.push(jobs);
        }
        self.groups.len() as u32 - 1
    }
}

#[cfg(test)]
mod tests;

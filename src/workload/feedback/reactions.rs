//! What each submission of a workload waits for.

mod course;

use super::hours::WorkingHours;
use super::stated::Stated;
use super::{FeedbackRule, StatedCounts};
use crate::workload::shrink::Shrinking;
use crate::workload::{Clock, JobId, Seconds};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum WaitedFor {
    Batch(u32),
    Job(JobId),
}

/// A dependency of a batch: something that it waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Dependency {
    pub(crate) on: WaitedFor,
    /// The think time in the log, from the end of what was waited for to the submission, seconds.
    pub(super) think: Seconds,
    /// When the first job of what was waited for was submitted in the log.
    pub(super) begin: Seconds,
    pub(super) end: Seconds,
}

/// Which of a workload's jobs waited for which others. Jobs are named by their places in the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reactions {
    rule: FeedbackRule,
    /// The jobs of each batch in log order, batch after batch.
    jobs: Vec<JobId>,
    /// For each batch, where it begins in the list above; at the end, the length of that list.
    begins: Vec<u32>,
    /// What each batch waits for, batch after batch.
    dependencies: Vec<Dependency>,
    /// For each batch, where it begins in the list above; at the end, the length of that list.
    depends_from: Vec<u32>,
    /// The session of each job, numbered from 0; empty where sessions were not asked for.
    sessions: Vec<u32>,
    statements: Vec<Stated>,
    stated: StatedCounts,
    /// The number of jobs of which the log does not tell when they started.
    unknown: usize,
    /// The working hours, where submissions keep to them.
    hours: Option<Hours>,
    /// If the log was shrunk: how its time became that of the workload, and when each job was submitted in the log.
    shrinking: Option<(Shrinking, Vec<Seconds>)>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Hours {
    clock: Clock,
    each: Vec<WorkingHours>,
    /// For each batch, the place in `each` of its user's hours; [`NOBODY`] where there is no user.
    of_batches: Vec<u32>,
}

impl Reactions {
    /// How users react.
    pub fn rule(&self) -> FeedbackRule {
        self.rule
    }

    /// What became of the dependencies that the log states.
    pub fn stated(&self) -> StatedCounts {
        self.stated
    }

    /// The number of jobs of which the log does not tell when they started. They are assumed to have started at once.
    pub fn unknown_starts(&self) -> usize {
        self.unknown
    }

    pub fn batches(&self) -> usize {
        self.begins.len() - 1
    }

    /// The number of batches that wait for something.
    pub fn dependent_batches(&self) -> usize {
        (0..self.batches()).filter(|&batch| !self.dependencies(batch).is_empty()).count()
    }

    /// The session of each job, numbered from 0; empty where sessions were not asked for.
    pub fn sessions(&self) -> &[u32] {
        &self.sessions
    }

    pub(crate) fn jobs(&self, batch: usize) -> &[JobId] {
        &self.jobs[self.begins[batch] as usize..self.begins[batch + 1] as usize]
    }

    /// What a batch waits for.
    pub(crate) fn dependencies(&self, batch: usize) -> &[Dependency] {
        &self.dependencies[self.depends_from[batch] as usize..self.depends_from[batch + 1] as usize]
    }

    /// When a batch is submitted if one of its dependencies has ended at `end`. The latest time over all dependencies
    /// counts.
    ///
    /// With working hours: if the dependency ended at the same time as in the log, the submission is that of the log,
    /// too. Otherwise a submission outside working hours moves to the next one. If the think time in the log is longer
    /// than the gap between sessions, the user came back for a new session: the submission follows after as many
    /// working hours as lay in that time.
    pub(crate) fn submission(&self, batch: usize, dependency: &Dependency, end: Seconds) -> Seconds {
        let hours = self.hours.as_ref().and_then(|hours| Some((&hours.clock, hours.of_batch(batch)?)));
        let shrinking = self.shrinking.as_ref().map(|(shrinking, _)| *shrinking);
        match (hours, shrinking) {
            (None, None) => end.saturating_add(dependency.think),
            (None, Some(shrinking)) => end.saturating_add(shrinking.lasting(dependency.think)),
            (Some((clock, own)), None) => self.within_hours(own, clock, dependency, end),
            // the hours are those of the log's own days
            (Some((clock, own)), Some(shrinking)) => {
                shrinking.moved(self.within_hours(own, clock, dependency, shrinking.unmoved(end))).max(end)
            }
        }
    }

    /// [`Reactions::submission`] in the time of the log, with working hours.
    fn within_hours(&self, own: &WorkingHours, clock: &Clock, dependency: &Dependency, end: Seconds) -> Seconds {
        let Dependency { think, end: logged, .. } = *dependency;
        if end == logged {
            end.saturating_add(think)
        } else if think > self.rule.gap() {
            own.after(clock, end, own.between(clock, logged, logged + think))
        } else {
            own.next(clock, end.saturating_add(think))
        }
    }

    /// Notes that the log's time was shrunk. Think times then last as much shorter or longer as the log. `submits` are
    /// the submit times before that.
    pub(super) fn shrink(&mut self, shrinking: Shrinking, submits: Vec<Seconds>) {
        self.shrinking = Some((shrinking, submits));
    }
}

/// Stands in [`Hours`] for the missing user of a batch, which has no working hours.
const NOBODY: u32 = u32::MAX;

impl Hours {
    fn of_batch(&self, batch: usize) -> Option<&WorkingHours> {
        self.each.get(self.of_batches[batch] as usize)
    }
}

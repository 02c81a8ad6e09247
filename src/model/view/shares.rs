//! How much of the machine each user has had, for schedulers that ask for it.

use super::View;
use crate::workload::{JobId, Request, Seconds};

impl View<'_> {
    /// Begins to count how much of the machine each user has. Called before the first job arrives.
    pub(crate) fn count_usage(&mut self) {
        self.usage = Some(Box::default());
    }

    /// What a job's user has had of the machine, in processor-seconds. Each counts half as much for every 7 days that
    /// have passed since. 0 where the scheduler does not say that it asks for it
    /// ([`Scheduler::counts_usage`](crate::model::Scheduler::counts_usage)).
    pub fn used(&self, job: JobId) -> f64 {
        self.usage.as_ref().map_or(0.0, |usage| usage.borrow().used(self.request(job).user, self.now))
    }

    /// What a job's account, the log's group, has had of the machine, counted as in [`View::used`].
    pub fn used_by_account(&self, job: JobId) -> f64 {
        self.usage.as_ref().map_or(0.0, |usage| usage.borrow().used_by_account(self.request(job).group, self.now))
    }

    /// The share factor of a job's user as of the last calculation: from 1, for a user who has had nothing of the
    /// machine lately, down to 0. It is 1 where the scheduler does not say that it asks for it
    /// ([`Scheduler::counts_usage`](crate::model::Scheduler::counts_usage)).
    pub fn share(&self, job: JobId) -> f64 {
        self.usage.as_ref().map_or(1.0, |usage| usage.borrow_mut().factor(self.request(job).user))
    }

    /// The number of the last calculation of share factors. They change only when it does.
    #[inline]
    pub fn share_calculation(&self) -> u64 {
        self.usage.as_ref().map_or(0, |usage| usage.borrow().calculation())
    }

    /// Counts what users have of the machine until `now`.
    #[inline]
    pub(crate) fn count_until(&mut self, now: Seconds) {
        if let Some(usage) = &mut self.usage {
            usage.get_mut().advance(now);
        }
    }

    /// Takes note of the user of a job that has arrived.
    #[inline]
    pub(crate) fn count_arrived(&mut self, job: JobId) {
        if let Some(usage) = &mut self.usage {
            usage.get_mut().submitted(self.requests.of(job.index()).user);
        }
    }

    #[inline]
    pub(crate) fn count_started(&mut self, job: JobId, processors: u32) {
        if let Some(usage) = &mut self.usage {
            let Request { user, group, .. } = *self.requests.of(job.index());
            usage.get_mut().started((user, group), processors, self.now);
        }
    }

    /// Counts that the user of a job that ran no longer has its processors.
    #[inline]
    pub(crate) fn count_ended(&mut self, job: JobId, processors: u32) {
        if let Some(usage) = &mut self.usage {
            let Request { user, group, .. } = *self.requests.of(job.index());
            usage.get_mut().ended((user, group), processors, self.now);
        }
    }
}

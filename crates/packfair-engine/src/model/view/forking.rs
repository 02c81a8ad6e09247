//! Copies of a view for forks of a simulation, in which no further jobs arrive.

use super::{STARTED_BEFORE, View};
use crate::model::SizeClass;
use packfair_workload::{JobId, Seconds};
use std::cell::Cell;

impl<'a> View<'a> {
    /// In a fork: lets the columns begin with this job. The jobs that this adds have all started. The classes of those
    /// that still run are known, and nothing else of these jobs is ever asked for.
    pub(super) fn reach_back(&mut self, job: JobId) {
        let gap = self.first - job.index();
        // a fork has either a class for each of its columns or none at all
        if self.classes.len() == self.starts.len() {
            let classes = (job.index()..self.first).map(|i| self.class_of_older(JobId(i as u32)));
            self.classes.splice(..0, classes.collect::<Vec<_>>());
        }
        self.starts.splice(..0, std::iter::repeat_n(STARTED_BEFORE, gap));
        self.estimates.splice(..0, std::iter::repeat_n(f64::NAN, gap));
        self.first = job.index();
    }

    /// A copy for a fork without further arrivals. Its columns begin with the oldest waiting job. Of older jobs it
    /// knows those that run, because they may be killed and wait again.
    pub(crate) fn fork(&self) -> View<'a> {
        // this finds the oldest job that has not started
        let _ = self.waiting();
        let first = self.oldest.get();
        let columns = first - self.first..self.arrived - self.first;
        let mut older: Vec<(JobId, SizeClass)> = Vec::new();
        if !self.classes.is_empty() || !self.older.is_empty() {
            let running = self.running.jobs().filter(|job| job.index() < first);
            older.extend(running.map(|job| (job, self.class(job))));
            older.sort_unstable_by_key(|&(job, _)| job);
        }
        View {
            requests: self.requests.clone(),
            running: self.running.clone(),
            first,
            older,
            starts: self.starts[columns.clone()].to_vec(),
            estimates: self.estimates[columns.clone()].to_vec(),
            killed: self.killed.clone(),
            classes: self.classes.get(columns).unwrap_or_default().to_vec(),
            revised: self.revised.get(..self.arrived.min(self.revised.len())).unwrap_or_default().to_vec(),
            oldest: Cell::new(first),
            usage: self.usage.clone(),
            cluster: self.cluster.clone(),
            clock: self.clock.clone(),
            ..*self
        }
    }

    /// A copy for a future in which the first `jobs` jobs of the workload arrive. Its columns begin as those of
    /// [`View::fork`] and reach to the last of these jobs.
    pub(crate) fn future(&self, jobs: usize) -> View<'a> {
        let mut view = self.fork();
        let still = self.arrived - self.first..jobs.max(self.arrived) - self.first;
        view.starts.extend_from_slice(&self.starts[still.clone()]);
        view.estimates.extend_from_slice(&self.estimates[still]);
        view
    }

    /// In a fork: lets the job after the last one arrive.
    pub(crate) fn admit(&mut self, estimate: f64, class: SizeClass) {
        if self.classes.len() == self.starts.len() {
            self.classes.push(class);
        }
        self.starts.push(Seconds::MIN);
        self.estimates.push(estimate);
        self.arrived += 1;
    }

    /// The class of a running job from before the columns.
    pub(super) fn class_of_older(&self, job: JobId) -> SizeClass {
        let place = self.older.binary_search_by_key(&job, |&(older, _)| older);
        place.map_or_else(|_| SizeClass::default(), |place| self.older[place].1)
    }
}

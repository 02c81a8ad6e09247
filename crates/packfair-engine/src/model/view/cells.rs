//! The cells of the machine, where it is more than one number of processors.

use super::{STARTED_BEFORE, View};
use crate::model::{AnnouncedStep, ClusterState, Needs, Release, SizeClass, Waiting};
use packfair_base::machine::Placement;
use packfair_workload::{JobId, Request, Seconds};
use std::cell::Cell;

impl<'a> View<'a> {
    /// Shows the machine as one number of processors that never changes.
    pub(crate) fn count_processors(&mut self) {
        self.cluster = None;
    }

    /// How much of a resource, given by name, a job asks for in all; 0 where the machine has no such resource.
    pub fn requested(&self, job: &Waiting, resource: &str) -> i64 {
        self.cluster.as_ref().map_or(0, |cluster| cluster.requested(job, resource))
    }

    /// The number of resources in each cell, processors first; none where the machine is one number of processors.
    pub fn resources(&self) -> Option<usize> {
        self.cluster.as_ref().map(|cluster| cluster.resources())
    }

    pub fn needs(&self) -> Needs<'_> {
        self.cluster.as_ref().map_or_else(Needs::default, |cluster| cluster.needs())
    }

    /// The size by which a job counts in orders, where a machine has cells or resources: by its dominant share. None
    /// where that is the number of its processors.
    pub fn size(&self, job: JobId) -> Option<u32> {
        self.cluster.as_ref()?.size(job)
    }

    /// The present capacity of the machine: each resource, cell after cell, whether held or not. On one number of
    /// processors, that number alone.
    pub fn capacity(&self) -> Vec<i64> {
        self.cluster.as_ref().map_or_else(|| vec![i64::from(self.processors)], |cluster| cluster.capacity().to_vec())
    }

    /// The part of the capacity that no job holds, in the same order; below 0 where jobs run on nodes that drain.
    pub fn idle(&self) -> Vec<i64> {
        self.cluster.as_ref().map_or_else(|| vec![i64::from(self.free)], |cluster| cluster.free().to_vec())
    }

    /// The announced changes of the capacity that lie ahead, the soonest first.
    pub fn announced(&self) -> impl Iterator<Item = AnnouncedStep> + '_ {
        self.cluster.iter().flat_map(|cluster| cluster.announced())
    }

    /// Where the running job of a release runs.
    pub fn placement(&self, release: &Release) -> Placement {
        let placed = self.cluster.as_ref().and_then(|cluster| cluster.placement(release.job)).cloned();
        placed.unwrap_or_else(|| Placement::of_one_cell(release.processors))
    }

    /// Whether a job that asks for `processors` could start now if no other did.
    #[inline]
    pub fn fits_now(&self, job: JobId, processors: u32) -> bool {
        match &self.cluster {
            None => processors <= self.free,
            Some(cluster) => cluster.fits(job),
        }
    }

    /// The cells of the machine, where it is more than one number of processors.
    pub fn cluster(&self) -> Option<&ClusterState<'a>> {
        self.cluster.as_deref()
    }

    pub(crate) fn cluster_mut(&mut self) -> Option<&mut ClusterState<'a>> {
        self.cluster.as_deref_mut()
    }

    /// Computes the idle processors anew from the cells.
    pub(crate) fn count_free(&mut self) {
        if let Some(cluster) = &self.cluster {
            self.free = cluster.free_processors();
        }
    }

    /// Frees what a job that ran held of cells.
    pub(crate) fn leave_cells(&mut self, job: JobId) {
        if let Some(cluster) = &mut self.cluster {
            cluster.leave(job);
            self.free = cluster.free_processors();
        }
    }
}

// Copies of a view for forks of a simulation, in which no further jobs arrive.

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

// How much of the machine each user has had, for schedulers that ask for it.

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

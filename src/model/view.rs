//! The cluster as a scheduler sees it.

use super::{
    AnnouncedStep, Class, ClusterState, JobSet, Needs, Release, RunningJobs, SizeClass, Start, Usage, Waiting,
};
use crate::machine::Placement;
use crate::workload::{Clock, JobId, Request, Seconds, Workload};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// In a fork, the start of a job that started before the fork was made.
const STARTED_BEFORE: Seconds = Seconds::MIN + 1;

/// The requests of jobs.
#[derive(Clone, Debug)]
enum Requests<'a> {
    /// The requests of all jobs of a workload, whether they have arrived or not.
    Logged(&'a [Request]),
    /// The requests of jobs that have arrived, and their places in the workload. Used where users react, since later
    /// submissions are not known beforehand.
    Lived(Vec<Request>, Vec<JobId>),
}

impl Requests<'_> {
    #[inline(always)]
    fn of(&self, index: usize) -> &Request {
        match self {
            Requests::Logged(requests) => &requests[index],
            Requests::Lived(requests, _) => &requests[index],
        }
    }
}

/// The present: the time, idle processors, running jobs with their expected ends, and the queue.
///
/// It holds requests and estimates, never run times.
#[derive(Debug)]
pub struct View<'a> {
    requests: Requests<'a>,
    processors: u32,
    free: u32,
    now: Seconds,
    /// How many jobs have arrived.
    arrived: usize,
    pub(crate) running: RunningJobs,
    /// The number of the job with which the columns begin. All jobs before it have started.
    first: usize,
    /// In a fork: the classes of running jobs from before the columns, in log order.
    older: Vec<(JobId, SizeClass)>,
    /// When each job started; [`Seconds::MIN`] if it has not started.
    starts: Vec<Seconds>,
    /// The estimate of each job at its submission.
    estimates: Vec<f64>,
    /// The present estimate of each job if it has changed, else 0; by job, from the first job of the workload on. Empty
    /// if no estimate ever changes.
    pub(crate) revised: Vec<f64>,
    /// Jobs that were killed.
    killed: JobSet,
    /// The class of each job at its submission; empty where there is no classifier.
    classes: Vec<SizeClass>,
    /// All jobs before this one are known to have started.
    oldest: Cell<usize>,
    /// How much of the machine each user has had, where the scheduler asks for it.
    usage: Option<Box<RefCell<Usage>>>,
    /// The cells, where the machine is more than one number of processors that never changes.
    cluster: Option<Box<ClusterState<'a>>>,
    /// The log's clock, where the scheduler asks for it.
    clock: Option<Rc<Clock>>,
}

impl<'a> View<'a> {
    /// The view before the first job of `workload` arrives. `estimates` has a place for each job.
    pub(crate) fn new(workload: &'a Workload, estimates: Vec<f64>) -> Self {
        View {
            requests: Requests::Logged(workload.requests()),
            processors: workload.machine.processors,
            free: workload.machine.processors,
            now: Seconds::MIN,
            arrived: 0,
            running: RunningJobs::default(),
            first: 0,
            older: Vec::new(),
            starts: vec![Seconds::MIN; workload.len()],
            estimates,
            revised: Vec::new(),
            killed: JobSet::default(),
            classes: Vec::new(),
            oldest: Cell::new(0),
            usage: None,
            cluster: ClusterState::of(workload),
            clock: None,
        }
    }

    /// The view where users react, before the first job arrives. The request and estimate of each job are told at
    /// submission.
    pub(crate) fn reacting(workload: &'a Workload) -> Self {
        let jobs = workload.len();
        let requests = Requests::Lived(Vec::with_capacity(jobs), Vec::with_capacity(jobs));
        View { requests, cluster: ClusterState::reacting(workload), ..View::new(workload, vec![0.0; jobs]) }
    }

    /// Notes that a user who reacts submits the next job. `place` is its place in the workload, `record` its record in
    /// the log.
    pub(crate) fn submitted(&mut self, request: Request, place: JobId, record: u32) {
        match &mut self.requests {
            Requests::Lived(requests, places) => {
                requests.push(request);
                places.push(place);
            }
            Requests::Logged(_) => debug_assert!(false, "a workload's requests are known"),
        }
        if let Some(cluster) = &mut self.cluster {
            cluster.arrived(record);
        }
    }

    /// The place in the workload of a job that has arrived. It differs from the job's number only where users react,
    /// because jobs then get their numbers as they arrive.
    pub(crate) fn place_in_workload(&self, job: JobId) -> JobId {
        match &self.requests {
            Requests::Logged(_) => job,
            Requests::Lived(_, places) => places[job.index()],
        }
    }

    /// Begins to count how much of the machine each user has. Called before the first job arrives.
    pub(crate) fn count_usage(&mut self) {
        self.usage = Some(Box::default());
    }

    /// Shows the machine as one number of processors that never changes.
    pub(crate) fn count_processors(&mut self) {
        self.cluster = None;
    }

    /// Lets the scheduler read the clock of the log.
    pub(crate) fn set_clock(&mut self, clock: Clock) {
        self.clock = Some(Rc::new(clock));
    }

    /// The hour of the day, 0 to 23, on the clock of the log; 0 where the scheduler does not say that it asks for it
    /// ([`Scheduler::reads_clock`](super::Scheduler::reads_clock)).
    pub fn hour(&self) -> u8 {
        self.clock.as_ref().map_or(0, |clock| clock.hour(self.now) as u8)
    }

    /// The day of the week, 1 (Monday) to 7, on the clock of the log; 0 where the scheduler does not say that it asks
    /// for it ([`Scheduler::reads_clock`](super::Scheduler::reads_clock)), or the log's date is unknown.
    pub fn weekday(&self) -> u8 {
        let day = self.clock.as_ref().and_then(|clock| clock.weekday(self.now));
        day.map_or(0, |day| day as u8 + 1)
    }

    /// What a job's user has had of the machine, in processor-seconds. Each counts half as much for every 7 days that
    /// have passed since. 0 where the scheduler does not say that it asks for it
    /// ([`Scheduler::counts_usage`](super::Scheduler::counts_usage)).
    pub fn used(&self, job: JobId) -> f64 {
        self.usage.as_ref().map_or(0.0, |usage| usage.borrow().used(self.request(job).user, self.now))
    }

    /// What a job's account, the log's group, has had of the machine, counted as in [`View::used`].
    pub fn used_by_account(&self, job: JobId) -> f64 {
        self.usage.as_ref().map_or(0.0, |usage| usage.borrow().used_by_account(self.request(job).group, self.now))
    }

    /// How much of a resource, given by name, a job asks for in all; 0 where the machine has no such resource.
    pub fn asked(&self, job: &Waiting, resource: &str) -> i64 {
        self.cluster.as_ref().map_or(0, |cluster| cluster.asked(job, resource))
    }

    /// The share factor of a job's user as of the last calculation: from 1, for a user who has had nothing of the
    /// machine lately, down to 0. It is 1 where the scheduler does not say that it asks for it
    /// ([`Scheduler::counts_usage`](super::Scheduler::counts_usage)).
    pub fn share(&self, job: JobId) -> f64 {
        self.usage.as_ref().map_or(1.0, |usage| usage.borrow_mut().factor(self.request(job).user))
    }

    /// The number of the last calculation of share factors. They change only when it does.
    #[inline]
    pub fn share_calculation(&self) -> u64 {
        self.usage.as_ref().map_or(0, |usage| usage.borrow().calculation())
    }

    /// The size of the machine R, in processors.
    #[inline]
    pub fn processors(&self) -> u32 {
        self.processors
    }

    /// The idle processors at the beginning of a round. Within a round [`super::Actions::free`] tells what is left of
    /// them.
    #[inline]
    pub fn free(&self) -> u32 {
        self.free
    }

    /// The number of resources in each cell, processors first; none where the machine is one number of processors.
    pub fn resources(&self) -> Option<usize> {
        self.cluster.as_ref().map(|cluster| cluster.resources())
    }

    /// What jobs need to run.
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
    pub(crate) fn cluster(&self) -> Option<&ClusterState<'a>> {
        self.cluster.as_deref()
    }

    /// The cells of the machine, to change them.
    pub(crate) fn cluster_mut(&mut self) -> Option<&mut ClusterState<'a>> {
        self.cluster.as_deref_mut()
    }

    /// Computes the idle processors anew from the cells.
    pub(crate) fn count_free(&mut self) {
        if let Some(cluster) = &self.cluster {
            self.free = cluster.free_processors();
        }
    }

    /// The present instant.
    #[inline]
    pub fn now(&self) -> Seconds {
        self.now
    }

    /// What was known of a job at its submission.
    #[inline]
    pub fn request(&self, job: JobId) -> &Request {
        self.requests.of(job.index())
    }

    /// The running jobs and when they are expected to end, in no particular order.
    pub fn running(&self) -> impl Iterator<Item = Release> + '_ {
        self.running.releases()
    }

    /// The running jobs and when they are expected to end, the soonest end first, ties in log order.
    pub fn releases(&self) -> Vec<Release> {
        let mut releases: Vec<Release> = self.running().collect();
        releases.sort_by(|a, b| a.at.total_cmp(&b.at).then(a.job.cmp(&b.job)));
        releases
    }

    /// Whether a job runs.
    pub fn is_running(&self, job: JobId) -> bool {
        self.running.slot_of(job).is_some()
    }

    /// The waiting jobs in log order, with their present estimates.
    ///
    /// This looks at every job from the oldest waiting one on, so fast schedulers keep a queue of their own.
    pub fn waiting(&self) -> impl Iterator<Item = Waiting> + '_ {
        while self.oldest.get() < self.arrived && self.starts[self.oldest.get() - self.first] != Seconds::MIN {
            self.oldest.set(self.oldest.get() + 1);
        }
        (self.oldest.get()..self.arrived).filter(|i| self.starts[i - self.first] == Seconds::MIN).map(|i| {
            let request = self.requests.of(i);
            Waiting {
                job: JobId(i as u32),
                submit: request.submit,
                processors: request.processors,
                estimate: self.estimate_at(i),
            }
        })
    }

    /// The class of a job at its submission, with the divider in force then.
    pub fn class(&self, job: JobId) -> SizeClass {
        match job.index().checked_sub(self.first) {
            Some(i) => self.classes.get(i).copied().unwrap_or_default(),
            None => self.class_of_older(job),
        }
    }

    /// The class of a running job from before the columns.
    fn class_of_older(&self, job: JobId) -> SizeClass {
        let place = self.older.binary_search_by_key(&job, |&(older, _)| older);
        place.map_or_else(|_| SizeClass::default(), |place| self.older[place].1)
    }

    /// The present class of a job: large if there is no classifier, or if the job was killed before.
    pub fn present_class(&self, job: JobId) -> Class {
        if self.killed.contains(job) { Class::Large } else { self.class(job).class }
    }

    /// The present estimate of a job that has arrived.
    fn estimate_at(&self, index: usize) -> f64 {
        match self.revised.get(index) {
            Some(&estimate) if estimate > 0.0 => estimate,
            _ => self.estimates[index - self.first],
        }
    }

    /// Whether a job has arrived and waits.
    pub(crate) fn is_waiting(&self, job: JobId) -> bool {
        (self.first..self.arrived).contains(&job.index()) && self.starts[job.index() - self.first] == Seconds::MIN
    }

    /// How many jobs have arrived.
    #[inline]
    pub(crate) fn arrived(&self) -> usize {
        self.arrived
    }

    /// Moves to the instant `now`.
    #[inline]
    pub(crate) fn advance(&mut self, now: Seconds) {
        self.now = now;
        if let Some(usage) = &mut self.usage {
            usage.get_mut().advance(now);
        }
    }

    /// Notes that the next job of the log has arrived. Its estimate must be set.
    #[inline]
    pub(crate) fn arrive(&mut self) {
        if let Some(usage) = &mut self.usage {
            usage.get_mut().submitted(self.requests.of(self.arrived).user);
        }
        self.arrived += 1;
    }

    /// The estimate of a job at its submission.
    #[inline]
    pub(crate) fn estimate(&self, job: JobId) -> f64 {
        self.estimates[job.index() - self.first]
    }

    /// Sets the estimate of a job at its submission.
    #[inline]
    pub(crate) fn set_estimate(&mut self, job: JobId, estimate: f64) {
        self.estimates[job.index() - self.first] = estimate;
    }

    /// Notes the class of the job that arrives next.
    pub(crate) fn classify(&mut self, classified: SizeClass) {
        self.classes.push(classified);
    }

    /// Notes that a waiting job has started now.
    #[inline]
    pub(crate) fn start(&mut self, start: &Start) {
        let column = &mut self.starts[start.job.job.index() - self.first];
        debug_assert_eq!(*column, Seconds::MIN, "{:?} was started twice", start.job.job);
        *column = self.now;
        if let Some(usage) = &mut self.usage {
            let Request { user, group, .. } = *self.requests.of(start.job.job.index());
            usage.get_mut().started((user, group), start.job.processors, self.now);
        }
    }

    /// Sets the number of idle processors after a round.
    #[inline]
    pub(crate) fn set_free(&mut self, free: u32) {
        self.free = free;
    }

    /// Frees the processors of a job that ran.
    #[inline]
    pub(crate) fn release(&mut self, job: JobId, processors: u32) {
        self.free += processors;
        if let Some(usage) = &mut self.usage {
            let Request { user, group, .. } = *self.requests.of(job.index());
            usage.get_mut().ended((user, group), processors, self.now);
        }
        if self.cluster.is_some() {
            self.leave_cells(job);
        }
    }

    #[inline(never)]
    fn leave_cells(&mut self, job: JobId) {
        if let Some(cluster) = &mut self.cluster {
            cluster.leave(job);
        }
        self.count_free();
    }

    /// Lets a running job that was killed wait again, with this estimate.
    pub(crate) fn requeue(&mut self, job: JobId, estimate: f64) {
        if job.index() < self.first {
            self.reach_back(job);
        }
        if self.revised.len() <= job.index() {
            self.revised.resize(self.first + self.starts.len(), 0.0);
        }
        self.revised[job.index()] = estimate;
        self.oldest.set(self.oldest.get().min(job.index()));
        self.killed.insert(job);
        self.starts[job.index() - self.first] = Seconds::MIN;
    }

    /// In a fork: lets the columns begin with this job. The jobs that this adds have all started. The classes of those
    /// that still run are known, and nothing else of these jobs is ever asked for.
    fn reach_back(&mut self, job: JobId) {
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
        let first = self.waiting().next().map_or(self.arrived, |oldest| oldest.job.index());
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

    /// In a fork: lets the job after the last one arrive.
    pub(crate) fn admit(&mut self, estimate: f64, class: SizeClass) {
        if self.classes.len() == self.starts.len() {
            self.classes.push(class);
        }
        self.starts.push(Seconds::MIN);
        self.estimates.push(estimate);
        self.arrived += 1;
    }

    /// The starts, estimates and classes of all jobs, once the simulation has ended.
    pub(crate) fn into_columns(self) -> (Vec<Seconds>, Vec<f64>, Vec<SizeClass>) {
        (self.starts, self.estimates, self.classes)
    }
}

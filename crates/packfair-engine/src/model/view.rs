//! The cluster as a scheduler sees it.

mod cells;

use super::{Class, ClusterState, JobSet, Release, RunningJobs, SizeClass, Usage, Waiting};
use packfair_workload::{Clock, JobId, Request, Seconds, Workload};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// In a fork, the start of a job that started before the fork was made.
const STARTED_BEFORE: Seconds = Seconds::MIN + 1;

/// The start of a job that has arrived and that no scheduler is told of yet.
const WITHHELD: Seconds = Seconds::MIN + 2;

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
    arrived: usize,
    pub running: RunningJobs,
    /// The number of the job with which the columns begin. All jobs before it have started.
    first: usize,
    /// In a fork: the classes of running jobs from before the columns, in log order.
    older: Vec<(JobId, SizeClass)>,
    /// When each job started; [`Seconds::MIN`] if it has not started.
    starts: Vec<Seconds>,
    estimates: Vec<f64>,
    /// The present estimate of each job if it has changed, else 0; by job, from the first job of the workload on. Empty
    /// if no estimate ever changes.
    pub(crate) revised: Vec<f64>,
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
    pub fn new(workload: &'a Workload, estimates: Vec<f64>) -> Self {
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
    pub fn place_in_workload(&self, job: JobId) -> JobId {
        match &self.requests {
            Requests::Logged(_) => job,
            Requests::Lived(_, places) => places[job.index()],
        }
    }

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

    pub fn is_running(&self, job: JobId) -> bool {
        self.running.slot_of(job).is_some()
    }

    /// The waiting jobs in log order, with their present estimates.
    ///
    /// This looks at every job from the oldest waiting one on, so fast schedulers keep a queue of their own.
    pub fn waiting(&self) -> impl Iterator<Item = Waiting> + '_ {
        let has_started = |job: usize| ![Seconds::MIN, WITHHELD].contains(&self.starts[job - self.first]);
        while self.oldest.get() < self.arrived && has_started(self.oldest.get()) {
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

    /// The present class of a job: large if there is no classifier, or if the job was killed before.
    pub fn present_class(&self, job: JobId) -> Class {
        if self.killed.contains(job) { Class::Large } else { self.class(job).class }
    }

    fn estimate_at(&self, index: usize) -> f64 {
        match self.revised.get(index) {
            Some(&estimate) if estimate > 0.0 => estimate,
            _ => self.estimates[index - self.first],
        }
    }

    /// Whether a job has arrived and waits.
    pub(crate) fn is_waiting(&self, job: JobId) -> bool {
        (self.first..self.arrived).contains(&job.index())
            && [Seconds::MIN, WITHHELD].contains(&self.starts[job.index() - self.first])
    }

    /// How many jobs have arrived.
    #[inline]
    pub(crate) fn arrived(&self) -> usize {
        self.arrived
    }

    /// Moves to the instant `now`.
    #[inline]
    pub fn advance(&mut self, now: Seconds) {
        self.now = now;
    }

    /// Whether there is more than one number of processors and the jobs of a workload: cells, shares of users, or users
    /// who react. If not, nothing has to be counted.
    pub(crate) fn is_wide(&self) -> bool {
        self.usage.is_some() || self.cluster.is_some() || matches!(self.requests, Requests::Lived(..))
    }

    /// Notes that the next job of the log has arrived. Its estimate must be set.
    #[inline]
    pub(crate) fn arrive(&mut self) {
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

    /// Keeps a job that has just arrived from the scheduler.
    pub(crate) fn withhold(&mut self, job: JobId) {
        self.starts[job.index() - self.first] = WITHHELD;
    }

    /// Shows the scheduler a job that was kept from it. Returns the job with its present estimate.
    pub(crate) fn show(&mut self, job: JobId) -> Waiting {
        self.starts[job.index() - self.first] = Seconds::MIN;
        let &Request { submit, processors, .. } = self.request(job);
        Waiting { job, submit, processors, estimate: self.estimate_at(job.index()) }
    }

    /// Notes the class of the job that arrives next.
    pub(crate) fn classify(&mut self, classified: SizeClass) {
        self.classes.push(classified);
    }

    /// Notes that a waiting job has started now.
    #[inline]
    pub(crate) fn start(&mut self, job: JobId) {
        let column = &mut self.starts[job.index() - self.first];
        debug_assert_eq!(*column, Seconds::MIN, "{job:?} was started twice");
        *column = self.now;
    }

    /// Notes that a job that has started begins later than now.
    pub(crate) fn begins(&mut self, job: JobId, at: Seconds) {
        self.starts[job.index() - self.first] = at;
    }

    /// Sets the number of idle processors after a round.
    #[inline]
    pub(crate) fn set_free(&mut self, free: u32) {
        self.free = free;
    }

    /// Frees the processors of a job that ran.
    #[inline]
    pub(crate) fn release(&mut self, processors: u32) {
        self.free += processors;
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

    /// The starts, estimates and classes of all jobs, once the simulation has ended.
    pub(crate) fn into_columns(self) -> (Vec<Seconds>, Vec<f64>, Vec<SizeClass>) {
        (self.starts, self.estimates, self.classes)
    }
}

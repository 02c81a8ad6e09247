//! The workload that a simulation takes.

use super::feedback::Submissions;
use super::machine::JobPower;
use super::options::JobOrders;
use super::similarity::{Lazy, Similarity};
use super::{
    Account, Cluster, Counting, ExternalColumn, ExternalFault, ExternalKind, ExternalValues, Header, JobSite, Machine,
    NeverStarted, Portion, Reason, Ties, options,
};
use packfair_base::catalogue::NamedFile;
pub use packfair_base::machine::Seconds;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
use std::sync::Arc;

/// A cleaned workload: jobs in log order on a machine of a known size.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Workload {
    /// The name of the workload: that of its file or its generator.
    pub name: String,
    pub machine: Machine,
    pub header: Header,
    /// What was repaired and dropped while it was made.
    pub account: Account,
    pub(super) requests: Vec<Request>,
    pub(super) runs: Vec<Seconds>,
    pub(super) logged_waits: Vec<Seconds>,
    pub(super) records: Vec<u32>,
    pub(super) shrunk: f64,
    pub(super) counting: Counting,
    pub(super) external: Vec<ExternalColumn>,
    pub(super) initial: u32,
    /// What jobs were given that asked for something else, in the order of their records.
    #[serde(skip)]
    pub(super) given: Vec<Portion>,
    #[serde(skip)]
    pub(super) never_started: Vec<NeverStarted>,
    /// The records of jobs that still ran when the log was made, in order.
    #[serde(default)]
    still_running: Vec<u32>,
    #[serde(default)]
    pub(super) submissions: Submissions,
    /// The log's [`Log::own_zero`](super::Log::own_zero). No result depends on it.
    #[serde(skip)]
    own_zero: Seconds,
    /// The Slurm site beside the workload, if there is one.
    #[serde(default, deserialize_with = "super::site::unpacked")]
    pub(super) site: Option<Arc<JobSite>>,
    /// Which jobs come after which, and arrays.
    #[serde(default, deserialize_with = "super::site::unpacked")]
    pub(super) ties: Option<Arc<Ties>>,
    /// What jobs drew, where the log tells it.
    #[serde(default, deserialize_with = "super::site::unpacked")]
    pub(super) power: Option<Arc<JobPower>>,
    /// The machine's cells and the jobs' demands, where the machine is more than a number of processors.
    #[serde(default)]
    cluster: Option<Box<Cluster>>,
    #[serde(skip)]
    similarity: Lazy,
    #[serde(skip)]
    orders: JobOrders,
}

impl Serialize for Workload {
    /// As derived, except that texts leave submissions out where they are the log's, and cells where there are none. So
    /// a workload without them has the same text as in earlier versions.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_text = serializer.is_human_readable();
        let is_told = !is_text || self.submissions != Submissions::Logged;
        let has_cells = !is_text || self.cluster.is_some();
        let has_running = !is_text || !self.still_running.is_empty();
        let further = [is_told, has_cells, has_running, !is_text, !is_text, !is_text];
        let told = further.into_iter().filter(|&told| told).count();
        let mut fields = serializer.serialize_struct("Workload", 12 + told)?;
        fields.serialize_field("name", &self.name)?;
        fields.serialize_field("machine", &self.machine)?;
        fields.serialize_field("header", &self.header)?;
        fields.serialize_field("account", &self.account)?;
        fields.serialize_field("requests", &self.requests)?;
        fields.serialize_field("runs", &self.runs)?;
        fields.serialize_field("logged_waits", &self.logged_waits)?;
        fields.serialize_field("records", &self.records)?;
        fields.serialize_field("shrunk", &self.shrunk)?;
        fields.serialize_field("counting", &self.counting)?;
        fields.serialize_field("external", &self.external)?;
        fields.serialize_field("initial", &self.initial)?;
        if has_running {
            fields.serialize_field("still_running", &self.still_running)?;
        }
        if is_told {
            fields.serialize_field("submissions", &self.submissions)?;
        }
        if !is_text {
            fields.serialize_field("site", &super::site::packed(self.site.as_deref()))?;
            fields.serialize_field("ties", &super::site::packed(self.ties.as_deref()))?;
            fields.serialize_field("power", &super::site::packed(self.power.as_deref()))?;
        }
        if has_cells {
            fields.serialize_field("cluster", &self.cluster)?;
        }
        fields.end()
    }
}

impl Workload {
    /// A workload without jobs, to which [`Workload::push`] adds.
    pub fn empty(name: impl Into<String>, machine: Machine, header: Header) -> Self {
        Workload {
            name: name.into(),
            machine,
            header,
            account: Account::default(),
            requests: Vec::new(),
            runs: Vec::new(),
            logged_waits: Vec::new(),
            records: Vec::new(),
            shrunk: 1.0,
            counting: Counting::default(),
            external: Vec::new(),
            initial: 0,
            given: Vec::new(),
            never_started: Vec::new(),
            still_running: Vec::new(),
            submissions: Submissions::default(),
            own_zero: 0,
            site: None,
            ties: None,
            power: None,
            cluster: None,
            similarity: Lazy::default(),
            orders: JobOrders::default(),
        }
    }

    /// Whether its log has a requested time for any job. Where it has none, run times stand in for them.
    pub fn names_requested_times(&self) -> bool {
        self.account.count(Reason::NoRequestedTime) < self.len() as u64
    }

    /// Adds a job that ran for `run` seconds.
    ///
    /// `logged_wait` is the wait that the log itself recorded (-1 where it did not), `record` the
    /// job's index among the records of its log. Jobs may come in any order until [`Workload::sort`].
    pub fn push(&mut self, request: Request, run: Seconds, logged_wait: Seconds, record: u32) {
        debug_assert!(run >= 0 && request.processors >= 1 && request.limit >= 1);
        debug_assert!(request.processors <= self.machine.processors);
        self.forget_derived();
        self.requests.push(request);
        self.runs.push(run);
        self.logged_waits.push(logged_wait);
        self.records.push(record);
    }

    /// Puts the jobs into log order: by submit time, ties in the order of [`Workload::push`].
    pub fn sort(&mut self) {
        if self.requests.is_sorted_by_key(|r| r.submit) {
            return;
        }
        self.forget_derived();
        let mut order: Vec<(Seconds, u32)> = self.requests.iter().map(|request| request.submit).zip(0..).collect();
        order.sort_unstable();
        self.requests = order.iter().map(|&(_, i)| self.requests[i as usize].clone()).collect();
        let permuted = |column: &[Seconds]| order.iter().map(|&(_, i)| column[i as usize]).collect();
        self.runs = permuted(&self.runs);
        self.logged_waits = permuted(&self.logged_waits);
        self.records = order.iter().map(|&(_, i)| self.records[i as usize]).collect();
    }

    /// Keeps these jobs and leaves the others out.
    pub(super) fn keep_jobs(&mut self, is_kept: impl Fn(JobId) -> bool) {
        fn keep<T>(column: &mut Vec<T>, is_kept: impl Fn(JobId) -> bool) {
            let mut jobs = (0..).map(JobId);
            // each job has a value in every column
            column.retain(|_| jobs.next().is_some_and(&is_kept));
        }
        self.forget_derived();
        keep(&mut self.requests, &is_kept);
        keep(&mut self.runs, &is_kept);
        keep(&mut self.logged_waits, &is_kept);
        keep(&mut self.records, &is_kept);
    }

    /// The cells of the machine and what jobs ask of them; none where the machine is one number of processors that never
    /// changes.
    pub fn cluster(&self) -> Option<&Cluster> {
        self.cluster.as_deref()
    }

    /// The cells of the machine; none where the machine is one number of processors that never changes.
    pub fn cells(&self) -> Option<&packfair_base::machine::Machine> {
        self.cluster().map(|cluster| &cluster.machine)
    }

    /// Sets the cells of the machine and what each record of the log asks for.
    pub fn set_cluster(&mut self, cluster: Option<Cluster>) {
        self.cluster = cluster.map(Box::new);
    }

    /// The Slurm site beside its jobs, where there is one.
    pub fn site(&self) -> Option<&Arc<JobSite>> {
        self.site.as_ref()
    }

    /// The ties of its jobs, where its log states any.
    pub fn ties(&self) -> Option<&Arc<Ties>> {
        self.ties.as_ref()
    }

    /// The index of each job among the records of its log, in log order.
    pub fn records(&self) -> &[u32] {
        &self.records
    }

    pub fn len(&self) -> usize {
        self.requests.len()
    }

    /// Whether there is no job.
    pub fn is_empty(&self) -> bool {
        self.requests.is_empty()
    }

    pub fn jobs(&self) -> impl ExactSizeIterator<Item = JobId> + use<> {
        (0..self.requests.len() as u32).map(JobId)
    }

    /// What is known of each job at its submission, in log order.
    pub fn requests(&self) -> &[Request] {
        &self.requests
    }

    /// Actual run time D of each job, in log order.
    pub fn runs(&self) -> &[Seconds] {
        &self.runs
    }

    /// What is known of a job at its submission.
    pub fn request(&self, job: JobId) -> &Request {
        &self.requests[job.index()]
    }

    /// Actual run time D of a job.
    pub fn run(&self, job: JobId) -> Seconds {
        self.runs[job.index()]
    }

    /// Which jobs are similar, for estimates from history.
    pub fn similarity(&self) -> &Similarity {
        self.similarity.of(&self.requests)
    }

    pub(super) fn forget_derived(&mut self) {
        self.similarity = Lazy::default();
        self.orders = JobOrders::default();
    }

    /// All jobs by area r D, the smallest first; jobs that are equal in this are in log order.
    pub fn by_area(&self) -> &[JobId] {
        self.orders.by_area(&self.requests, &self.runs)
    }

    /// The jobs whose wait the log tells, by that wait, the shortest first; jobs that are equal in this are in log
    /// order.
    pub fn by_logged_wait(&self) -> &[JobId] {
        self.orders.by_logged_wait(&self.logged_waits)
    }

    /// Area of a job, r D, in whole processor-seconds.
    pub fn whole_area(&self, job: JobId) -> i64 {
        options::area(self.requests[job.index()].processors, self.runs[job.index()])
    }

    /// Area of a job, r D, in processor-seconds.
    pub fn area(&self, job: JobId) -> f64 {
        f64::from(self.request(job).processors) * self.run(job) as f64
    }

    /// The wait that the log recorded for a job, if it did.
    pub fn logged_wait(&self, job: JobId) -> Option<Seconds> {
        Some(self.logged_waits[job.index()]).filter(|&wait| wait >= 0)
    }

    pub fn record(&self, job: JobId) -> usize {
        self.records[job.index()] as usize
    }

    /// Gives every job another submit time; `submits` must not decrease from job to job.
    pub fn set_submits(&mut self, submits: &[Seconds]) {
        debug_assert!(submits.is_sorted() && submits.len() == self.len());
        for (request, &submit) in self.requests.iter_mut().zip(submits) {
            request.submit = submit;
        }
    }

    /// Gives these jobs another requested time.
    pub fn set_limits(&mut self, jobs: &[JobId], limit: Seconds) {
        self.forget_derived();
        jobs.iter().for_each(|job| self.requests[job.index()].limit = limit);
    }

    /// Gives a job the width, the requested time and the partition of a request. On a Slurm site its nodes, graphics
    /// processors and memory change as its width does.
    pub fn ask_for(&mut self, job: JobId, other: &Request) {
        self.forget_derived();
        let width = self.requests[job.index()].processors;
        if let Some(site) = self.site.as_mut().filter(|_| width != other.processors) {
            Arc::make_mut(site).scale(job.index(), other.processors, width);
        }
        let request = &mut self.requests[job.index()];
        (request.processors, request.limit) = (other.processors, other.limit);
        request.partition = other.partition;
    }

    /// How many of its first jobs are the initial state of the machine. Metrics do not count them.
    pub fn initial(&self) -> usize {
        self.initial as usize
    }

    /// Says which records are of jobs that still ran when the log was made.
    pub(super) fn set_still_running(&mut self, records: Vec<u32>) {
        self.still_running = records;
    }

    /// Whether the job still ran when the log was made. It holds its processors until the log ends, and metrics do not
    /// count it.
    pub fn still_ran(&self, job: JobId) -> bool {
        !self.still_running.is_empty() && self.still_running.binary_search(&self.records[job.index()]).is_ok()
    }

    /// The jobs that still ran when the log was made.
    pub fn still_running(&self) -> impl Iterator<Item = JobId> + '_ {
        let among = if self.still_running.is_empty() { 0 } else { self.len() };
        self.jobs().take(among).filter(|&job| self.still_ran(job))
    }

    /// Takes from `other`, of whose jobs these are copies, which of them still ran.
    pub fn take_still_running_of(&mut self, other: &Workload) {
        self.still_running.clone_from(&other.still_running);
    }

    /// Makes the jobs submitted before `moment` the initial state, and removes those that had ended by then. Returns
    /// how many jobs hold processors at that moment, and how many wait.
    pub(super) fn take_initial(&mut self, moment: Seconds) -> (usize, usize) {
        let mut before = Workload::empty(self.name.clone(), self.machine, Header::default());
        let (mut waiting, mut after) = (before.clone(), before.clone());
        for job in self.jobs() {
            let (mut request, run, wait) = (self.request(job).clone(), self.run(job), self.logged_waits[job.index()]);
            let record = self.records[job.index()];
            let start = request.submit + wait.max(0);
            if request.submit >= moment {
                after.push(request, run, wait, record);
            } else if wait >= 0 && start < moment {
                // submitted a second earlier, so that every scheduler starts it before all others
                let (begin, end) = (moment - 1, start + run);
                if end > begin {
                    request.submit = begin;
                    request.limit = (start + request.limit - begin).max(1);
                    before.push(request, end - begin, 0, record);
                }
            } else {
                request.submit = moment;
                waiting.push(request, run, if wait < 0 { wait } else { start - moment }, record);
            }
        }
        let counts = (before.len(), waiting.len());
        self.forget_derived();
        // at most as many as there are jobs, which have numbers of 32 bits
        self.initial = (counts.0 + counts.1) as u32;
        (self.requests, self.runs) = (before.requests, before.runs);
        (self.logged_waits, self.records) = (before.logged_waits, before.records);
        for more in [waiting, after] {
            self.requests.extend(more.requests);
            self.runs.extend(more.runs);
            self.logged_waits.extend(more.logged_waits);
            self.records.extend(more.records);
        }
        counts
    }

    /// The start of each job in log order that a file says, seconds of the log's clock.
    ///
    /// # Errors
    /// `Some` of a fault if the file does not belong to the log; `None` if there is no such file.
    pub fn external_starts(&self, file: &NamedFile) -> Result<&[Seconds], Option<ExternalFault>> {
        match self.external_values(file, ExternalKind::Schedule)? {
            ExternalValues::Starts(starts) => Ok(starts),
            ExternalValues::Estimates(_) => Err(None),
        }
    }

    /// The estimate of each job in log order that a file says, seconds; 0 where the file has none.
    ///
    /// # Errors
    /// As [`Workload::external_starts`].
    pub fn external_estimates(&self, file: &NamedFile) -> Result<&[f64], Option<ExternalFault>> {
        match self.external_values(file, ExternalKind::Estimates)? {
            ExternalValues::Estimates(estimates) => Ok(estimates),
            ExternalValues::Starts(_) => Err(None),
        }
    }

    fn external_values(&self, file: &NamedFile, kind: ExternalKind) -> Result<&ExternalValues, Option<ExternalFault>> {
        // files are told apart by their content, not by their names
        let is_meant = |column: &&ExternalColumn| column.kind == kind && column.file.digest() == file.digest();
        let column = self.external.iter().find(is_meant).ok_or(None)?;
        column.values.as_ref().map_err(|fault| Some(fault.clone()))
    }

    /// A time on the clock of the file that was read ([`Log::own_zero`](super::Log::own_zero)).
    pub fn own_time(&self, time: Seconds) -> Seconds {
        time + self.own_zero
    }

    /// Sets what the clock of the log's file shows at the log's zero.
    pub(super) fn set_own_zero(&mut self, own_zero: Seconds) {
        self.own_zero = own_zero;
    }

    /// The unit in which its jobs and its machine are counted.
    pub fn counting(&self) -> &Counting {
        &self.counting
    }

    /// Sets the unit in which its jobs and its machine are counted.
    pub fn set_counting(&mut self, counting: Counting) {
        self.counting = counting;
    }

    /// The shrinking factor that its submit times were multiplied by; 1 where they are the log's.
    pub fn shrunk(&self) -> f64 {
        self.shrunk
    }

    /// Sets the factor by which its submit times were multiplied.
    pub(super) fn set_shrunk(&mut self, factor: f64) {
        self.shrunk = factor;
    }
}

// A job of a workload, and what is known of it when it is submitted.

/// A job of a [`Workload`](super::Workload): its place in log order (submit time, then position in the file).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct JobId(pub u32);

impl JobId {
    /// The job's index into the workload's columns.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is known of a job when it is submitted: all that a scheduler may ever see of it.
///
/// The run time is not here, and no type that a scheduler is given leads to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    pub number: i64,
    pub submit: Seconds,
    /// Processors r, at least 1 and at most the machine's.
    pub processors: u32,
    /// Requested time L, the time limit, seconds, at least 1.
    pub limit: Seconds,
    /// User, -1 where unknown.
    pub user: i32,
    /// Group, -1 where unknown.
    pub group: i32,
    /// Executable ("job name"), -1 where unknown.
    pub executable: i32,
    /// Queue, -1 where unknown.
    pub queue: i32,
    /// Partition, -1 where unknown.
    pub partition: i32,
}

//! What slurmctld does with a workload: the scheduler of the family `slurm`. It models main passes, backfill cycles, priorities, limits,
//! reservations and drains, as far as they decide on start times.
//!
//! Inside, times have fractions of seconds: jobs are submitted and end somewhere within a second, nodes are free half a
//! second to a second and a half after their job has ended (the epilog), and cycles drift. For the simulation a start
//! counts from the whole second in which it lies, which is what Slurm itself writes down.
//!
//! - It decides on what its site's files say, on requests and on estimates, never on a run time.
//! - The same settings give the same starts; what differs from run to run of a real Slurm is drawn by the seed.
//!
//! It knows nothing of how the files are written, of other schedulers, and of catalogues.

mod availability;
mod backfill;
mod chosen;
mod cycle;
mod eligibility;
mod gpu_limits;
mod job;
mod licences;
mod life;
mod limits;
mod look;
mod main_pass;
mod node_set;
mod offers;
mod parts;
mod preempt;
mod priority;
mod reason;
mod room;
mod saving;
mod shared;
mod stranded;
mod submission;
mod suspension;
mod table;
mod tree;
mod will_run;

pub use priority::{SiteFactor, priorities_as_logged, usage_as_logged};

use self::availability::Availability;
use self::cycle::{Background, ClockEvent, Cycle, CycleClock, Pace};
use self::eligibility::{Arrays, Eligibility};
use self::job::{AllocatedJob, Completing, JobState};
use self::licences::{CapBook, LicenceBook};
use self::limits::LimitBook;
use self::node_set::NodeBits;
use self::priority::{Factors, UsageShares};
use self::room::{Nodes, Room};
use self::saving::NodeSaving;
use self::stranded::StrandedBook;
use self::suspension::SuspensionBook;
use self::table::RunningJobs;
use packfair_engine::model::{Actions, NoteId, Notes, Release, Reservation, Scheduler, View, Waiting};
use packfair_slurm::{Site, SiteChange, SlurmParameter, Version};
use packfair_workload::{JobId, JobSite, NodeSharing, Seconds, Ties, Workload};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::sync::Arc;

/// What the site's files do not say.
#[derive(Clone, Debug)]
pub struct SlurmSettings {
    /// Of what differs from run to run of a real Slurm.
    pub seed: u64,
    /// Whose rules hold.
    pub version: Version,
    /// The mean time from a job's end until its nodes are free, seconds.
    pub epilog: f64,
    /// How long a node boots, seconds; 0: ResumeTimeout.
    pub boot: f64,
    /// The factor by which the time limits of jobs are multiplied.
    pub limits: f64,
    /// How many jobs a backfill cycle looks at in a second; 0: it takes no time.
    pub rate: f64,
    /// What is set otherwise than the files say. Changes that do not fit the site are without effect.
    pub changes: Vec<SiteChange>,
    /// What the site's own plugin adds to priorities.
    pub site_factor: Option<SiteFactor>,
}

/// The time that a backfill cycle takes, seconds, and the time for each job that it looks at. The next cycle begins
/// bf_interval after the end of the last.
const CYCLE: f64 = 0.03;
const CYCLE_OF_JOB: f64 = 0.001;

/// If nothing has started for this many seconds and nothing can end, nodes that are away come back.
const STUCK: Seconds = 10 * 86_400;

/// The scheduler: a simulated slurmctld.
#[derive(Clone)]
pub struct Slurm {
    /// The site of the jobs; none until the first job tells how large the machine is.
    jobs: Option<Arc<JobSite>>,
    ties: Arc<Ties>,
    settings: SlurmSettings,
    /// The cap of power, where there is one; nobody runs.
    cap: Option<CapBook>,
    state: Option<Controller>,
}

#[derive(Clone)]
struct Controller {
    jobs: Arc<JobSite>,
    ties: Arc<Ties>,
    settings: SlurmSettings,
    nodes: Nodes,
    partitions: Vec<NodeBits>,
    availability: Availability,
    /// The places of wants of jobs that MAGNETIC reservations draw, by those that they had and by the reservations.
    drawn: FxHashMap<(u32, Vec<usize>), u32>,
    /// The nodes that are switched off while they idle, where there are any.
    saving: Option<Box<NodeSaving>>,
    /// The cap of power, where there is one.
    cap: Option<CapBook>,
    clock: CycleClock,
    room: Room,
    /// Jobs that are submitted in this second and that slurmctld has not seen yet.
    newcomers: VecDeque<JobState>,
    #[expect(clippy::vec_box, reason = "what stands behind moves with each start, and an entry is large")]
    queue: Vec<Box<JobState>>,
    /// From this place on all entries of the queue wait for their turn ([`reason::WaitReason::Priority`]).
    in_turn: usize,
    /// Jobs that are not eligible, because they depend on others.
    dependents: Vec<JobState>,
    eligibility: Eligibility,
    arrays: Arrays,
    /// Whether the queue is sorted.
    is_sorted: bool,
    running: RunningJobs,
    /// Jobs that have ended and whose nodes are not free yet.
    completing: Vec<Completing>,
    factors: Factors,
    shares: UsageShares,
    counted: Seconds,
    limits: LimitBook,
    licences: LicenceBook,
    /// What idles on nodes of which the rest is taken, where jobs share nodes.
    stranded: Option<Box<StrandedBook>>,
    /// Whether there are jobs on whose nodes no other user's may run.
    has_owners: bool,
    preempted: Vec<JobId>,
    /// Who holds which processors, where jobs may be suspended.
    suspension: Option<Box<SuspensionBook>>,
    /// The number of jobs that Slurm would have refused at submission.
    refused: u32,
    /// The number of jobs that ran as a forecast began and have no room on the nodes that are named.
    elsewhere: u32,
    background: Background,
    last_start: Seconds,
    /// When a job or a node last changed, and when the last backfill cycle ended, in whole seconds, as Slurm compares
    /// them.
    last_change: Seconds,
    last_cycle: Seconds,
    /// When the last job was submitted, within its second, and its array.
    last_submission: (f64, Option<u32>),
    /// Since when backfill looks each second whether anything has changed.
    idle_since: Option<f64>,
    /// The last backfill cycle, if it has started no job and nothing has changed that it depends on.
    plan: Option<Cycle>,
    /// How backfill cycles spend time; none if they take none.
    pace: Option<Pace>,
    paused: Option<Box<Cycle>>,
    /// What the last backfill cycle has planned.
    planned: Vec<Reservation>,
    /// Whether nothing has happened for so long that what kept jobs from starting was lifted.
    is_lifted: bool,
    has_planned_idle: bool,
}

impl Slurm {
    /// A plain one with the defaults of the version: a node for each processor, one partition, the order of submission.
    pub fn plain(settings: SlurmSettings) -> Self {
        Slurm { jobs: None, ties: Arc::default(), settings, cap: None, state: None }
    }

    /// That of a workload's site, where there is one, with the ties of its jobs.
    pub fn on(workload: &Workload, settings: SlurmSettings) -> Self {
        let on_site = |jobs: &Arc<JobSite>| {
            if settings.changes.is_empty() && settings.version == jobs.site.version {
                return jobs.clone();
            }
            let mut changed = JobSite::clone(jobs);
            changed.site.version = settings.version;
            apply(&settings.changes, &mut changed.site);
            Arc::new(changed)
        };
        let jobs = workload.site().map(on_site);
        Slurm {
            jobs,
            ties: workload.ties().cloned().unwrap_or_default(),
            cap: CapBook::of(workload),
            ..Slurm::plain(settings)
        }
    }

    /// The controller. It is made when the first job arrives.
    fn controller(&mut self, view: &View<'_>) -> &mut Controller {
        let (jobs, ties, settings, cap) = (&self.jobs, &self.ties, &self.settings, &self.cap);
        self.state.get_or_insert_with(|| {
            let plain = || {
                let mut plain = JobSite::plain(view.processors(), settings.version);
                apply(&settings.changes, &mut plain.site);
                Arc::new(plain)
            };
            let site = jobs.clone().unwrap_or_else(plain);
            Controller::new(site, ties.clone(), settings.clone(), cap.clone(), view.now())
        })
    }
}

/// Those that do not fit the site were refused before.
fn apply(changes: &[SiteChange], site: &mut Site) {
    for change in changes {
        let _ = change.apply(site);
    }
}

impl Scheduler for Slurm {
    fn counts_nodes(&self) -> bool {
        true
    }

    fn delays_starts(&self) -> bool {
        let is_of_saving = |change: &SiteChange| change.key.to_ascii_lowercase().ends_with("suspendtime");
        let saves = |jobs: &Arc<JobSite>| jobs.site.power.switches_off(&jobs.site.partitions);
        self.jobs.as_ref().is_some_and(saves) || self.settings.changes.iter().any(is_of_saving)
    }

    fn arrived(&mut self, job: Waiting, view: &View<'_>) {
        self.controller(view).submitted(job, view);
    }

    fn completed(&mut self, release: Release, view: &View<'_>) {
        self.controller(view).completed(release.job, view.now());
    }

    fn redraw(&mut self, seed: u64, now: Seconds) {
        self.settings.seed ^= seed;
        if let Some(state) = &mut self.state {
            state.redraw(self.settings.seed, now);
        }
    }

    fn needs_round(&self) -> bool {
        self.state.as_ref().is_some_and(|state| !state.newcomers.is_empty())
    }

    fn round(&mut self, view: &View<'_>, actions: &mut Actions) {
        let controller = self.controller(view);
        controller.live_through(view.now(), actions);
        if let Some(next) = controller.next_wake(view.now()) {
            actions.wake_at(next.max(view.now() + 1));
        }
        if !controller.preempted.is_empty() {
            actions.wake_at(view.now() + 1);
        }
    }

    fn kills(&self) -> bool {
        self.jobs.as_ref().is_some_and(|jobs| jobs.site.kills_preempted() || Availability::kills(jobs))
    }

    fn woken(&mut self, view: &View<'_>, actions: &mut Actions) -> bool {
        let controller = self.controller(view);
        let preempted = std::mem::take(&mut controller.preempted);
        let runs = |job: &JobId| controller.running.iter().any(|run| run.job.waiting.job == *job && !run.is_over);
        preempted.into_iter().filter(runs).for_each(|job| actions.kill(job));
        true
    }

    fn killed(&mut self, release: Release, job: Waiting, view: &View<'_>) {
        let controller = self.controller(view);
        controller.preempted(release.job, view.now());
        controller.wait_again(job, view);
    }

    fn reservations(&self, _view: &View<'_>) -> Vec<Reservation> {
        let Some(state) = &self.state else { return Vec::new() };
        let waits = |reservation: &&Reservation| state.queue.iter().any(|job| job.waiting.job == reservation.job.job);
        state.planned.iter().filter(waits).copied().collect()
    }

    fn explains(&self) -> bool {
        true
    }

    fn explain_started(&self, job: JobId) -> Option<String> {
        let state = self.state.as_ref()?;
        state.running.iter().find(|run| run.job.waiting.job == job)?.job.waits.reported()
    }

    fn report(&self, notes: &mut Notes) {
        if let Some(state) = self.state.as_ref().filter(|state| state.refused > 0) {
            notes.set(NoteId::REFUSED, f64::from(state.refused));
        }
        if let Some(state) = self.state.as_ref().filter(|state| state.elsewhere > 0) {
            notes.set(NoteId::ELSEWHERE, f64::from(state.elsewhere));
        }
        if let Some(saving) = self.state.as_ref().and_then(|state| state.saving.as_ref()) {
            saving.report(notes);
        }
        if let Some(stranded) = self.state.as_ref().and_then(|state| state.stranded.as_ref()) {
            stranded.report(notes);
        }
    }
}

impl Controller {
    fn new(jobs: Arc<JobSite>, ties: Arc<Ties>, settings: SlurmSettings, cap: Option<CapBook>, now: Seconds) -> Self {
        let site = &jobs.site;
        let nodes = Nodes::of(site).wanted_by(jobs.option_kinds(), site);
        let partition = |rules: &packfair_slurm::SlurmPartition| {
            NodeBits::of(nodes.count, rules.nodes.iter().map(|&node| node as usize))
        };
        let availability = Availability::of(&jobs);
        let mut clock = CycleClock::seeded(settings.seed);
        // when the real slurmctld was started is not known, but all that recurs began then
        let parameters = &site.parameters;
        let periods = [
            (parameters.get(SlurmParameter::SchedInterval), ClockEvent::FullPass),
            (site.priority.calc_period, ClockEvent::Weigh),
        ];
        let periods = periods.map(|(period, event)| (period.max(1) as f64, event));
        let longest = periods.iter().fold(0.0, |longest: f64, (period, _)| longest.max(*period));
        let start = now as f64 - longest * clock.uniform();
        for (period, event) in periods {
            clock.at(start + period * ((now as f64 - start) / period).ceil().max(1.0), event);
        }
        // backfill, a thread of its own, has looked each second for something to do: the first job wakes it. As a forecast
        // begins it is anywhere within its interval
        let woken = now as f64 + clock.uniform();
        let idle_since = (site.has_backfill && jobs.forecast_from.is_none()).then_some(woken - 1.0);
        if site.has_backfill && idle_since.is_none() {
            clock.at(woken, ClockEvent::Backfill);
        }
        for (at, gap) in availability.gaps.iter().enumerate() {
            clock.at(gap.from as f64, ClockEvent::Drained(at));
            if let Some(until) = gap.until {
                clock.at(until as f64, ClockEvent::Returned(at));
            }
        }
        let changes = cap.iter().flat_map(CapBook::changes).filter(|&at| at > now);
        changes.for_each(|at| clock.at(at as f64, ClockEvent::Capped));
        let shares = UsageShares::of(&site.accounts, &site.priority);
        let saving = NodeSaving::of(site, settings.boot, (now, start)).map(Box::new);
        let factors = Factors::of(site, settings.site_factor);
        let pace = Pace::of(site, settings.rate);
        let room = nodes.room();
        Controller {
            settings,
            partitions: site.partitions.iter().map(partition).collect(),
            saving,
            cap,
            availability,
            drawn: FxHashMap::default(),
            clock,
            // of a forecast nobody asks what was stranded
            stranded: if jobs.forecast_from.is_some() {
                None
            } else {
                StrandedBook::of(&nodes, &room, now as f64).map(Box::new)
            },
            room,
            newcomers: VecDeque::new(),
            queue: Vec::new(),
            in_turn: 0,
            dependents: Vec::new(),
            eligibility: Eligibility::of(ties.clone()),
            arrays: Arrays::of(&ties),
            ties,
            is_sorted: true,
            running: RunningJobs::default(),
            completing: Vec::new(),
            factors,
            shares,
            counted: now,
            limits: LimitBook::of(site),
            licences: LicenceBook::of(&jobs, nodes.wants().iter().any(|want| !want.licences.is_empty())),
            has_owners: site.partitions.iter().any(|partition| partition.is_of_one_user)
                || nodes.wants().iter().any(|want| want.sharing == NodeSharing::OwnUser),
            preempted: Vec::new(),
            suspension: site.suspends_preempted().then(Box::default),
            refused: 0,
            elsewhere: 0,
            background: Background::new(start),
            last_start: now,
            last_change: now,
            last_cycle: now,
            last_submission: (f64::NEG_INFINITY, None),
            idle_since,
            plan: None,
            pace,
            paused: None,
            planned: Vec::new(),
            is_lifted: false,
            has_planned_idle: false,
            nodes,
            jobs,
        }
    }

    /// Goes on as another run would: with other epilogs, and passes and cycles at other moments.
    fn redraw(&mut self, seed: u64, now: Seconds) {
        self.settings.seed = seed;
        let parameters = &self.jobs.site.parameters;
        let backfill = parameters.get(SlurmParameter::BfInterval).max(1) as f64;
        let pass = parameters.get(SlurmParameter::SchedInterval).max(1) as f64;
        let weigh = self.jobs.site.priority.calc_period.max(1) as f64;
        self.clock.redraw(seed, now as f64, |event| match event {
            ClockEvent::Backfill => Some(backfill),
            ClockEvent::FullPass => Some(pass),
            ClockEvent::Weigh => Some(weigh),
            _ => None,
        });
    }

    fn site(&self) -> &Site {
        &self.jobs.site
    }

    /// Whether jobs of a partition may start.
    fn is_up(&self, partition: usize) -> bool {
        self.is_lifted || self.site().partitions[partition].is_up
    }

    fn parameter(&self, parameter: SlurmParameter) -> i64 {
        self.jobs.site.parameters.get(parameter)
    }

    /// The simulation ends a job in this second. Here it ends at the fraction of the second at which it started.
    fn completed(&mut self, job: JobId, now: Seconds) {
        let Some(start) = self.each_run_of(job, |run| run.is_over = true) else { return };
        self.clock.at(now as f64 + start.fract(), ClockEvent::Ended(job));
    }

    /// The simulation has killed a job, which waits again.
    fn preempted(&mut self, job: JobId, now: Seconds) {
        if self.each_run_of(job, |run| (run.is_requeued, run.is_over) = (true, true)).is_some() {
            // this was decided in the second before, so it happens at once
            self.clock.at(now as f64, ClockEvent::Ended(job));
        }
    }

    /// Changes a running job, or all its parts. Returns when it started; none where it does not run.
    fn each_run_of(&mut self, job: JobId, mut change: impl FnMut(&mut AllocatedJob)) -> Option<f64> {
        let mut start = None;
        let mut left = 1;
        for run in self.running.iter_mut().filter(|run| run.job.waiting.job == job) {
            if start.is_none() {
                (start, left) = (Some(run.start), run.job.parts());
            }
            change(run);
            left -= 1;
            if left == 0 {
                break;
            }
        }
        start
    }

    /// When the controller next has something to do without being called.
    fn next_wake(&mut self, now: Seconds) -> Option<Seconds> {
        if self.queue.is_empty() && self.newcomers.is_empty() && self.dependents.is_empty() {
            // no job waits, but running jobs may be killed
            return if self.running.is_empty() { None } else { self.availability.next_failure(now) };
        }
        self.clock.next().map(|at| at.floor() as Seconds)
    }
}

//! What slurmctld does with a workload: main passes, backfill cycles, priorities, limits, reservations and drains, at the
//! level of start times.
//!
//! Inside, time has parts of seconds: jobs are submitted and end somewhere within a second, nodes are free half a second
//! to a second and a half after their job has ended (the epilog), and cycles drift. A start counts for the simulation
//! from the whole second that it lies in, which is what Slurm itself writes down.

mod availability;
mod backfill;
mod background;
mod clock;
mod family;
mod job;
mod limits;
mod main_pass;
mod node_set;
mod priority;
mod reason;
mod room;
mod table;
mod will_run;

pub use family::{FAMILY, build_on, changes};

use self::availability::Availability;
use self::background::Background;
use self::clock::{Clock, Event};
use self::job::{Job, Running};
use self::limits::LimitBook;
use self::node_set::NodeSet;
use self::priority::{Factors, Shares};
use self::room::{Allocation, Nodes, Room};
use crate::model::{Actions, NoteId, Notes, Release, Reservation, Scheduler, Token, View, Waiting};
use crate::slurm::{Parameter, Site, SiteChange, Version};
use crate::workload::{JobId, JobSite, Seconds};
use std::sync::Arc;

/// What is set of the family.
#[derive(Clone, Debug)]
struct SlurmSettings {
    seed: u64,
    version: Version,
    /// From a job's end to its nodes being free, in the mean, seconds.
    epilog: f64,
    /// What jobs ask for, as a multiple of what they did.
    limits: f64,
    /// What is set otherwise than the site's files say.
    changes: Vec<SiteChange>,
}

/// A backfill cycle takes this long, and this much for each job that it looks at, seconds: real ones come every
/// bf_interval and this much.
const CYCLE: f64 = 0.03;
const CYCLE_OF_JOB: f64 = 0.001;

/// When nothing has started for so long and nothing can end, nodes that are gone come back.
const STUCK: Seconds = 10 * 86_400;

/// slurmctld.
#[derive(Clone)]
struct Slurm {
    /// None until the first job tells how large the machine is.
    jobs: Option<Arc<JobSite>>,
    settings: SlurmSettings,
    state: Option<Controller>,
}

/// All that it keeps.
#[derive(Clone)]
struct Controller {
    jobs: Arc<JobSite>,
    settings: SlurmSettings,
    nodes: Nodes,
    /// The nodes of each partition.
    partitions: Vec<NodeSet>,
    availability: Availability,
    clock: Clock,
    room: Room,
    /// Submitted in this second, not yet seen.
    newcomers: Vec<Job>,
    queue: Vec<Job>,
    /// Whether the queue is in its order.
    is_sorted: bool,
    /// By the ends of their limits.
    running: Vec<Running>,
    /// Their nodes are not free yet.
    completing: Vec<Running>,
    factors: Factors,
    shares: Shares,
    /// Until when usage is counted.
    counted: Seconds,
    limits: LimitBook,
    /// Jobs that Slurm would have refused as they were submitted.
    refused: u32,
    background: Background,
    last_start: Seconds,
    /// When a job or a node last changed, and when the last backfill cycle ended: Slurm compares whole seconds.
    last_change: Seconds,
    last_cycle: Seconds,
    /// Since when backfill looks each second whether anything has changed.
    idle_since: Option<f64>,
    /// What the last backfill cycle has planned.
    planned: Vec<Reservation>,
    /// Whether a node is planned for somebody that nobody has.
    has_planned_idle: bool,
}

impl Slurm {
    fn new(settings: SlurmSettings, jobs: Option<Arc<JobSite>>) -> Self {
        Slurm { jobs, settings, state: None }
    }

    /// The controller, which starts with the first job.
    fn controller(&mut self, view: &View<'_>) -> &mut Controller {
        let (jobs, settings) = (&self.jobs, &self.settings);
        self.state.get_or_insert_with(|| {
            let plain = || {
                let mut plain = JobSite::plain(view.processors(), settings.version);
                family::set(&mut plain.site, &settings.changes);
                Arc::new(plain)
            };
            Controller::new(jobs.clone().unwrap_or_else(plain), settings.clone(), view.now())
        })
    }
}

impl Scheduler for Slurm {
    fn arrived(&mut self, job: Waiting, view: &View<'_>) {
        self.controller(view).submitted(job, view);
    }

    fn completed(&mut self, release: Release, view: &View<'_>) {
        self.controller(view).completed(release.job, view.now());
    }

    fn needs_round(&self) -> bool {
        self.state.as_ref().is_some_and(|state| !state.newcomers.is_empty())
    }

    fn round(&mut self, view: &View<'_>, actions: &mut Actions) {
        let controller = self.controller(view);
        controller.live_through(view.now(), actions);
        if let Some(next) = controller.next_wake() {
            actions.wake_at(next.max(view.now() + 1));
        }
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
        state.running.iter().find(|run| run.job.waiting.job == job)?.job.waits.told()
    }

    fn report(&self, notes: &mut Notes) {
        if let Some(state) = self.state.as_ref().filter(|state| state.refused > 0) {
            notes.set(NoteId::REFUSED, f64::from(state.refused));
        }
    }
}

impl Controller {
    fn new(jobs: Arc<JobSite>, settings: SlurmSettings, now: Seconds) -> Self {
        let site = &jobs.site;
        let nodes = Nodes::of(site);
        let partition =
            |rules: &crate::slurm::Partition| NodeSet::of(nodes.count, rules.nodes.iter().map(|&node| node as usize));
        let availability = Availability::of(&jobs);
        let mut clock = Clock::seeded(settings.seed);
        // nobody knows when the real one was started, but all that it does again and again began then
        let parameters = &site.parameters;
        let periods =
            [(parameters.get(Parameter::SchedInterval), Event::FullPass), (site.priority.calc_period, Event::Weigh)];
        let periods = periods.map(|(period, event)| (period.max(1) as f64, event));
        let longest = periods.iter().fold(0.0, |longest: f64, (period, _)| longest.max(*period));
        let start = now as f64 - longest * clock.uniform();
        for (period, event) in periods {
            clock.at(start + period * ((now as f64 - start) / period).ceil().max(1.0), event);
        }
        if site.has_backfill {
            clock.at(now as f64 + start.rem_euclid(1.0), Event::Backfill);
        }
        for (at, gap) in availability.gaps.iter().enumerate() {
            clock.at(gap.from as f64, Event::Drained(at));
            if let Some(until) = gap.until {
                clock.at(until as f64, Event::Returned(at));
            }
        }
        let mut shares = Shares::of(&site.accounts);
        shares.calculate(&site.priority);
        Controller {
            settings,
            partitions: site.partitions.iter().map(partition).collect(),
            availability,
            clock,
            room: nodes.room(),
            newcomers: Vec::new(),
            queue: Vec::new(),
            is_sorted: true,
            running: Vec::new(),
            completing: Vec::new(),
            factors: Factors::of(site),
            shares,
            counted: now,
            limits: LimitBook::of(site),
            refused: 0,
            background: Background::new(start),
            last_start: now,
            last_change: now,
            last_cycle: now + 1,
            idle_since: None,
            planned: Vec::new(),
            has_planned_idle: false,
            nodes,
            jobs,
        }
    }

    fn site(&self) -> &Site {
        &self.jobs.site
    }

    fn parameter(&self, parameter: Parameter) -> i64 {
        self.jobs.site.parameters.get(parameter)
    }

    /// A job is submitted somewhere in this second.
    fn submitted(&mut self, waiting: Waiting, view: &View<'_>) {
        let mut job = Job::new(waiting, view, &self.jobs, self.settings.limits);
        // what no empty partition could hold is taken to need less: by the log, it ran
        let partition = self.partitions.get(job.partition as usize);
        if self.limits.submit(&job, &self.jobs.site) {
            self.refused += 1;
        }
        if !partition.is_some_and(|nodes| self.nodes.could_hold(job.ask, nodes)) {
            job.ask.gpus = 0;
            job.ask.nodes = 0;
            job.ask.memory = 0;
        }
        // somewhere in it: in the middle, in the mean
        let moment = view.now() as f64 + 0.5;
        self.clock.at(moment, Event::Submitted(waiting.job));
        self.newcomers.push(job);
    }

    /// The simulation ends a job in this second: at the part of it at which it started.
    fn completed(&mut self, job: JobId, now: Seconds) {
        let Some(run) = self.running.iter().find(|run| run.job.waiting.job == job) else { return };
        self.clock.at(now as f64 + run.start.fract(), Event::Ended(job));
    }

    /// When it next has something to do without being called.
    fn next_wake(&mut self) -> Option<Seconds> {
        if self.queue.is_empty() {
            return None;
        }
        self.clock.next().map(|at| at.floor() as Seconds)
    }

    /// All that happens up to the end of this second.
    fn live_through(&mut self, now: Seconds, actions: &mut Actions) {
        while let Some((at, event)) = self.clock.next_before(now as f64 + 1.0) {
            self.live(at, event, actions);
        }
        let is_idle = self.running.is_empty() && self.completing.is_empty() && !self.clock.has_single();
        if is_idle && now - self.last_start > STUCK && !self.queue.is_empty() {
            self.availability.lift();
            self.main_pass(now as f64, None, actions);
        }
    }

    fn live(&mut self, at: f64, event: Event, actions: &mut Actions) {
        if !event.recurs() {
            self.changed(at);
        }
        match event {
            Event::Submitted(job) => self.take_in(job, at),
            Event::Ended(job) => self.end(job, at),
            Event::Freed(job) => {
                self.completing.retain(|run| run.job.waiting.job != job);
                if self.site().parameters.has(Parameter::Defer) {
                    self.ask_for_pass(at);
                } else {
                    self.main_pass(at, Some(self.parameter(Parameter::DefaultQueueDepth)), actions);
                }
            }
            Event::Pass if self.background.is_due(at, self.parameter(Parameter::BatchSchedDelay)) => {
                self.background.passed(at);
                self.main_pass(at, Some(self.parameter(Parameter::DefaultQueueDepth)), actions);
            }
            Event::Pass => {}
            Event::FullPass => {
                self.background.passed(at);
                self.main_pass(at, None, actions);
                self.clock.at(at + self.parameter(Parameter::SchedInterval).max(1) as f64, Event::FullPass);
            }
            Event::Backfill if self.last_change < self.last_cycle => self.idle_since = Some(at),
            Event::Backfill => {
                let looked_at = self.backfill(at, actions);
                let end = at + CYCLE + looked_at as f64 * CYCLE_OF_JOB;
                self.last_cycle = end.floor() as Seconds;
                self.clock.at(end + self.parameter(Parameter::BfInterval).max(1) as f64, Event::Backfill);
            }
            Event::Weigh => {
                self.weigh(at);
                self.clock.at(at + self.site().priority.calc_period as f64, Event::Weigh);
            }
            Event::Drained(gap) => self.availability.drain(gap),
            Event::Returned(gap) => {
                self.availability.give_back(gap);
                self.main_pass(at, Some(self.parameter(Parameter::DefaultQueueDepth)), actions);
            }
        }
    }

    /// Something has changed that backfill goes by. A cycle that has waited for it follows within a second.
    fn changed(&mut self, at: f64) {
        self.last_change = self.last_change.max(at.floor() as Seconds);
        if let Some(since) = self.idle_since.take() {
            self.clock.at(since + (at - since).ceil().max(1.0), Event::Backfill);
        }
    }

    /// A job enters the queue.
    fn take_in(&mut self, job: JobId, at: f64) {
        let now = at.floor() as Seconds;
        let Some(place) = self.newcomers.iter().position(|other| other.waiting.job == job) else { return };
        let mut job = self.newcomers.remove(place);
        job.priority = self.factors.priority(&job, &self.jobs.site, &self.shares, now);
        self.queue.push(job);
        self.is_sorted = false;
        self.ask_for_pass(at);
    }

    /// Whether a job is younger than bf_min_age_reserve.
    fn is_young(&self, job: &Job, now: Seconds) -> bool {
        now - job.waiting.submit < self.parameter(Parameter::BfMinAgeReserve)
    }

    /// The limit that keeps a job from starting, by its name in squeue.
    fn held(&self, job: &Job, now: Seconds) -> Option<&'static str> {
        self.limits.held(job, &self.running, &self.jobs.site, now)
    }

    fn ask_for_pass(&mut self, at: f64) {
        let delay = self.parameter(Parameter::BatchSchedDelay);
        if let Some(pass) = self.background.ask(at, delay) {
            self.clock.at(pass, Event::Pass);
        }
    }

    /// A job that is in no queue any more starts.
    fn start(&mut self, mut job: Job, allocation: Allocation, at: f64, actions: &mut Actions) {
        actions.start(job.waiting, Token::default());
        self.nodes.take(&mut self.room, &allocation);
        let now = at.floor() as Seconds;
        self.last_start = now;
        job.waits.close(now);
        let end = now + job.limit;
        let place = self.running.partition_point(|run| run.end <= end);
        let run = Running { end, start: at, job, allocation };
        self.limits.start(&run, &self.jobs.site);
        self.running.insert(place, run);
        self.changed(at);
    }

    /// A job ends: it is billed, and its nodes are free after the epilog.
    fn end(&mut self, job: JobId, at: f64) {
        let Some(place) = self.running.iter().position(|run| run.job.waiting.job == job) else { return };
        let run = self.running.remove(place);
        self.bill(&run, at.floor() as Seconds);
        self.limits.end(&run, &self.jobs.site);
        self.nodes.give(&mut self.room, &run.allocation);
        let epilog = self.settings.epilog * (0.5 + self.clock.uniform());
        self.clock.at(at + epilog, Event::Freed(job));
        self.completing.push(run);
    }

    /// Usage of a job since it was last counted.
    fn bill(&mut self, run: &Running, until: Seconds) {
        let from = (run.start.floor() as Seconds).max(self.counted);
        if until <= from {
            return;
        }
        let span = (until - from) as f64;
        let worth = span * libm::pow(self.decay(), span);
        self.limits.bill(run, worth, &self.jobs.site);
        if let Some(association) = run.job.association {
            self.shares.add(association, worth * run.job.billing);
        }
    }

    /// What is left of usage after a second.
    fn decay(&self) -> f64 {
        self.site().priority.half_life.map_or(1.0, |half| 1.0 - 0.693 / half as f64)
    }

    /// Counts usage up to now and weighs the waiting jobs anew.
    fn weigh(&mut self, at: f64) {
        let now = at.floor() as Seconds;
        if !self.factors.plan().is_multifactor {
            return;
        }
        let since = (now - self.counted) as f64;
        let left = libm::pow(self.decay(), since);
        self.shares.decay(left);
        self.limits.decay(left);
        let running = std::mem::take(&mut self.running);
        running.iter().for_each(|run| self.bill(run, now));
        self.running = running;
        self.counted = now;
        self.shares.calculate(&self.jobs.site.priority);
        for job in &mut self.queue {
            job.priority = self.factors.priority(job, &self.jobs.site, &self.shares, now);
        }
        self.is_sorted = false;
        if !self.queue.is_empty() {
            self.changed(at);
        }
    }

    /// Puts the queue into its order.
    fn sort(&mut self) {
        if !self.is_sorted {
            self.queue.sort_by(Job::before);
            self.is_sorted = true;
        }
    }
}

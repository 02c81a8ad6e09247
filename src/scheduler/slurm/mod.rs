//! What slurmctld does with a workload: main passes, backfill cycles, priorities, limits, reservations and drains, at the
//! level of start times.
//!
//! Inside, time has parts of seconds: jobs are submitted and end somewhere within a second, nodes are free half a second
//! to a second and a half after their job has ended (the epilog), and cycles drift. A start counts for the simulation
//! from the whole second that it lies in, which is what Slurm itself writes down.

mod availability;
mod backfill;
mod clock;
mod family;
mod job;
mod limits;
mod main_pass;
mod node_set;
mod priority;
mod room;
mod table;
mod will_run;

pub use family::{FAMILY, build_on};

use self::availability::Availability;
use self::clock::{Clock, Event};
use self::job::{Job, Running};
use self::node_set::NodeSet;
use self::priority::{Factors, Shares};
use self::room::{Allocation, Nodes, Room};
use crate::model::{Actions, Release, Reservation, Scheduler, Token, View, Waiting};
use crate::slurm::{Parameter, Site, Version};
use crate::workload::{JobId, JobSite, Seconds};
use std::sync::Arc;

/// What is set of the family.
#[derive(Clone, Copy, Debug)]
struct SlurmSettings {
    seed: u64,
    version: Version,
    /// From a job's end to its nodes being free, in the mean, seconds.
    epilog: f64,
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
    /// Whether a main pass was asked for.
    is_pass_asked: bool,
    last_start: Seconds,
    /// Whether a job or a node has changed since the last backfill cycle.
    is_changed: bool,
    /// Since when backfill looks each second whether anything has changed.
    idle_since: Option<f64>,
    /// What the last backfill cycle has planned.
    planned: Vec<Reservation>,
}

impl Slurm {
    fn new(settings: SlurmSettings, jobs: Option<Arc<JobSite>>) -> Self {
        Slurm { jobs, settings, state: None }
    }

    /// The controller, which starts with the first job.
    fn controller(&mut self, view: &View<'_>) -> &mut Controller {
        let (jobs, settings) = (&self.jobs, self.settings);
        self.state.get_or_insert_with(|| {
            let jobs = jobs.clone();
            let jobs = jobs.unwrap_or_else(|| Arc::new(JobSite::plain(view.processors(), settings.version)));
            Controller::new(jobs, settings, view.now())
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
}

impl Controller {
    fn new(jobs: Arc<JobSite>, settings: SlurmSettings, now: Seconds) -> Self {
        let site = &jobs.site;
        let nodes = Nodes::of(site);
        let partition =
            |rules: &crate::slurm::Partition| NodeSet::of(nodes.count, rules.nodes.iter().map(|&node| node as usize));
        let availability = Availability::of(&jobs);
        let mut clock = Clock::seeded(settings.seed);
        // nobody knows when the real one was started: half a period is the mean of what may be
        let parameters = &site.parameters;
        let periods =
            [(parameters.get(Parameter::SchedInterval), Event::FullPass), (site.priority.calc_period, Event::Weigh)];
        for (period, event) in periods {
            clock.at(now as f64 + 0.5 * period.max(1) as f64, event);
        }
        if site.has_backfill {
            clock.at(now as f64, Event::Backfill);
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
            is_pass_asked: false,
            last_start: now,
            is_changed: false,
            idle_since: None,
            planned: Vec::new(),
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
        let mut job = Job::new(waiting, view, &self.jobs);
        // what no empty partition could hold is taken to need less: by the log, it ran
        let partition = self.partitions.get(job.partition as usize);
        let empty = self.nodes.room();
        if !partition.is_some_and(|nodes| self.nodes.fits(&empty, job.ask, nodes)) {
            job.ask.gpus = 0;
            job.ask.nodes = 0;
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
        let now = at.floor() as Seconds;
        if !event.recurs() {
            self.changed(at);
        }
        match event {
            Event::Submitted(job) => self.take_in(job, at, actions),
            Event::Ended(job) => self.end(job, at),
            Event::Freed(job) => {
                self.completing.retain(|run| run.job.waiting.job != job);
                if self.site().parameters.has(Parameter::Defer) {
                    self.ask_for_pass(at);
                } else {
                    self.main_pass(at, Some(self.parameter(Parameter::DefaultQueueDepth)), actions);
                }
            }
            Event::Pass => {
                self.is_pass_asked = false;
                self.main_pass(at, Some(self.parameter(Parameter::DefaultQueueDepth)), actions);
            }
            Event::FullPass => {
                self.main_pass(at, None, actions);
                self.clock.at(at + self.parameter(Parameter::SchedInterval).max(1) as f64, Event::FullPass);
            }
            Event::Backfill if !self.is_changed => self.idle_since = Some(at),
            Event::Backfill => {
                let looked_at = self.backfill(at, actions);
                // who is looked at is expected at another time, which is a change
                self.is_changed = looked_at > 0;
                let work = CYCLE + looked_at as f64 * CYCLE_OF_JOB;
                self.clock.at(at + self.parameter(Parameter::BfInterval).max(1) as f64 + work, Event::Backfill);
            }
            Event::Weigh => {
                self.weigh(now);
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
        self.is_changed = true;
        if let Some(since) = self.idle_since.take() {
            self.clock.at(since + (at - since).ceil().max(1.0), Event::Backfill);
        }
    }

    /// A job enters the queue, and is tried at once where nobody is ahead of it.
    fn take_in(&mut self, job: JobId, at: f64, actions: &mut Actions) {
        let now = at.floor() as Seconds;
        let Some(place) = self.newcomers.iter().position(|other| other.waiting.job == job) else { return };
        let mut job = self.newcomers.remove(place);
        job.priority = self.factors.priority(&job, &self.jobs.site, &self.shares, now);
        let is_tried = !self.site().parameters.has(Parameter::Defer) && self.is_first(&job, now);
        if is_tried && !self.is_held(&job, now) {
            let usable = self.usable_now(&job, now);
            if let Some(allocation) = self.nodes.choose(&self.room, job.ask, &usable)
                && job.waiting.processors <= actions.free()
            {
                self.start(job, allocation, at, actions);
                return;
            }
        }
        self.queue.push(job);
        self.is_sorted = false;
        self.ask_for_pass(at);
    }

    /// Whether no waiting job of at least its precedence wants nodes of its partition.
    fn is_first(&self, job: &Job, now: Seconds) -> bool {
        let own = &self.partitions[job.partition as usize];
        let is_ahead = |other: &&Job| {
            other.before(job).is_lt()
                && (other.partition == job.partition || self.partitions[other.partition as usize].meets(own))
                && !self.is_young(other, now)
        };
        !self.queue.iter().filter(is_ahead).any(|other| !self.is_held(other, now))
    }

    /// Whether a job is younger than bf_min_age_reserve.
    fn is_young(&self, job: &Job, now: Seconds) -> bool {
        now - job.waiting.submit < self.parameter(Parameter::BfMinAgeReserve)
    }

    fn is_held(&self, job: &Job, now: Seconds) -> bool {
        limits::is_held(job, &self.running, &self.jobs.site, now)
    }

    /// Nodes on which a job could start now: of its partition, up, not completing, not reserved.
    fn usable_now(&self, job: &Job, now: Seconds) -> NodeSet {
        let mut usable = self.partitions[job.partition as usize].clone();
        usable.keep(&self.availability.up);
        self.completing.iter().for_each(|run| usable.take_out(run.nodes()));
        self.availability.keep_clear(&mut usable, now, now, now + job.limit);
        usable
    }

    fn ask_for_pass(&mut self, at: f64) {
        if !self.is_pass_asked {
            self.is_pass_asked = true;
            self.clock.at(at + self.parameter(Parameter::BatchSchedDelay) as f64, Event::Pass);
        }
    }

    /// A job that is in no queue any more starts.
    fn start(&mut self, job: Job, allocation: Allocation, at: f64, actions: &mut Actions) {
        actions.start(job.waiting, Token::default());
        self.nodes.take(&mut self.room, &allocation);
        let now = at.floor() as Seconds;
        self.last_start = now;
        let end = now + job.limit;
        let place = self.running.partition_point(|run| run.end <= end);
        self.running.insert(place, Running { end, start: at, job, allocation });
        self.changed(at);
    }

    /// A job ends: it is billed, and its nodes are free after the epilog.
    fn end(&mut self, job: JobId, at: f64) {
        let Some(place) = self.running.iter().position(|run| run.job.waiting.job == job) else { return };
        let run = self.running.remove(place);
        self.bill(&run, at.floor() as Seconds);
        self.nodes.give(&mut self.room, &run.allocation);
        let epilog = self.settings.epilog * (0.5 + self.clock.uniform());
        self.clock.at(at + epilog, Event::Freed(job));
        self.completing.push(run);
    }

    /// Usage of a job since it was last counted.
    fn bill(&mut self, run: &Running, until: Seconds) {
        let from = (run.start.floor() as Seconds).max(self.counted);
        let (Some(association), true) = (run.job.association, until > from) else { return };
        let span = (until - from) as f64;
        self.shares.add(association, span * libm::pow(self.decay(), span) * run.job.billing);
    }

    /// What is left of usage after a second.
    fn decay(&self) -> f64 {
        self.site().priority.half_life.map_or(1.0, |half| 1.0 - 0.693 / half as f64)
    }

    /// Counts usage up to now and weighs the waiting jobs anew.
    fn weigh(&mut self, now: Seconds) {
        if !self.factors.plan().is_multifactor {
            return;
        }
        let since = (now - self.counted) as f64;
        self.shares.decay(libm::pow(self.decay(), since));
        let running = std::mem::take(&mut self.running);
        running.iter().for_each(|run| self.bill(run, now));
        self.running = running;
        self.counted = now;
        self.shares.calculate(&self.jobs.site.priority);
        for job in &mut self.queue {
            job.priority = self.factors.priority(job, &self.jobs.site, &self.shares, now);
        }
        self.is_sorted = false;
    }

    /// Puts the queue into its order.
    fn sort(&mut self) {
        if !self.is_sorted {
            self.queue.sort_by(Job::before);
            self.is_sorted = true;
        }
    }
}

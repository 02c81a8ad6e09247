//! A simulation that is stepped from outside, decision by decision: what a learning agent plays.
//!
//! Nothing calls the agent: the simulation goes on until something is to be decided, and the next step says what was. So
//! many of them advance in turn without a thread each. Time passes as in a [`World`](super::World), with what an agent
//! needs of it: one number of processors, and estimates that are known at submission.

use super::Options;
use crate::estimator::Estimate;
use crate::model::{NEVER, RoundTrigger, Schedule};
use packfair_workload::{Seconds, Workload};
use std::ops::Range;
use std::sync::Arc;

/// What is decided at a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Which waiting job starts next. If it does not fit, it waits until it does, and nobody else is picked meanwhile;
    /// with backfilling, jobs that do not delay it start in the order of submission.
    Next {
        /// Whether others may start while the picked job waits.
        backfills: bool,
    },
    /// Which job is backfilled. The others start first come, first served. Whoever would delay the head of the queue
    /// cannot be chosen; the head itself stands for nobody.
    Backfill,
}

/// What is known of a job, and how long it will run.
#[derive(Clone, Copy, Debug)]
pub struct SteppedJob {
    /// When it was submitted.
    pub submit: Seconds,
    /// The processors it takes.
    pub processors: u32,
    /// The estimate of the run time, seconds.
    pub estimate: f64,
    /// The requested time, seconds.
    pub limit: Seconds,
    /// Its user, -1 where unknown.
    pub user: i32,
    /// Its group, -1 where unknown.
    pub group: i32,
    /// Its executable, -1 where unknown.
    pub executable: i32,
    run: Seconds,
}

/// The jobs of a workload for any number of simulations.
#[derive(Debug)]
pub struct SteppedWorkload {
    workload: Workload,
    jobs: Vec<SteppedJob>,
}

/// Why a workload cannot be stepped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotStepped {
    /// The machine has cells or a calendar.
    #[error("a machine of cells or with a calendar cannot be stepped; leave the machine file out")]
    Cells,
    /// Users react.
    #[error("users who react cannot be stepped; take feedback off")]
    Reacting,
    /// These estimates are learned.
    #[error(
        "{0} learns from the schedule, and a step knows only estimates that it does not change; take requested or actual"
    )]
    Learns(String),
    /// There is no job.
    #[error("there is no job in the log")]
    Empty,
}

impl SteppedWorkload {
    /// The jobs of a workload with their estimates.
    ///
    /// # Errors
    /// The machine is more than a number of processors, users react, estimates are learned, or there is no job.
    pub fn new(workload: Workload, estimate: &Estimate) -> Result<Self, NotStepped> {
        if workload.cluster().is_some() {
            return Err(NotStepped::Cells);
        }
        if workload.reactions().is_some() {
            return Err(NotStepped::Reacting);
        }
        if workload.is_empty() {
            return Err(NotStepped::Empty);
        }
        let mut estimator = estimate.build(&workload);
        if estimator.learns() {
            return Err(NotStepped::Learns(estimate.to_string()));
        }
        let estimates = estimator.foresee(&workload);
        drop(estimator);
        let known = workload.requests().iter().zip(workload.runs()).zip(estimates);
        let jobs = known.map(|((request, &run), estimate)| SteppedJob {
            submit: request.submit,
            processors: request.processors,
            estimate,
            limit: request.limit,
            user: request.user,
            group: request.group,
            executable: request.executable,
            run,
        });
        let jobs = jobs.collect();
        Ok(SteppedWorkload { workload, jobs })
    }

    /// The workload itself.
    pub fn workload(&self) -> &Workload {
        &self.workload
    }

    /// The jobs in log order.
    pub fn jobs(&self) -> &[SteppedJob] {
        &self.jobs
    }

    /// Some consecutive jobs as a workload of their own.
    pub fn part(&self, range: Range<usize>) -> Workload {
        let of = &self.workload;
        let mut part = Workload::empty(of.name.clone(), of.machine, of.header.clone());
        part.set_counting(of.counting().clone());
        for i in range {
            part.push(of.requests()[i].clone(), of.runs()[i], -1, of.records()[i]);
        }
        part
    }
}

/// A running job.
#[derive(Clone, Copy, Debug)]
struct Running {
    job: u32,
    start: Seconds,
    end: Seconds,
}

/// Some consecutive jobs of a workload on an empty machine, from decision to decision.
#[derive(Clone, Debug)]
pub struct SteppedSimulation {
    of: Arc<SteppedWorkload>,
    question: Question,
    options: Options,
    range: Range<usize>,
    now: Seconds,
    free: u32,
    /// The job that arrives next.
    next: usize,
    /// The waiting jobs in log order, without the head.
    waiting: Vec<u32>,
    /// The job for which all others wait, or that they must not delay.
    head: Option<u32>,
    /// When the head is expected to start, and how many processors it will leave free then.
    shadow: (f64, u32),
    running: Vec<Running>,
    starts: Vec<Seconds>,
    left: usize,
    releases: Vec<(f64, u32)>,
}

impl SteppedSimulation {
    /// The jobs of `range`, at their first decision.
    pub fn new(of: Arc<SteppedWorkload>, question: Question, options: Options, range: Range<usize>) -> Self {
        let mut simulation = SteppedSimulation {
            free: 0,
            of,
            question,
            options,
            range: 0..0,
            now: Seconds::MIN,
            next: 0,
            waiting: Vec::new(),
            head: None,
            shadow: (0.0, 0),
            running: Vec::new(),
            starts: Vec::new(),
            left: 0,
            releases: Vec::new(),
        };
        simulation.begin(range);
        simulation
    }

    /// Begins anew with other jobs, up to their first decision.
    pub fn begin(&mut self, range: Range<usize>) {
        let range = range.start.min(self.of.jobs.len())..range.end.min(self.of.jobs.len());
        self.free = self.of.workload.machine.processors;
        self.now = Seconds::MIN;
        self.next = range.start;
        self.left = range.len();
        self.waiting.clear();
        self.running.clear();
        self.head = None;
        self.starts.clear();
        self.starts.resize(range.len(), Seconds::MIN);
        self.range = range;
        self.go_on();
    }

    /// The jobs that may be seen at a decision, in log order; where backfilling is decided, the head of the queue comes
    /// first. These are their places in the whole workload.
    pub fn visible(&self) -> impl Iterator<Item = u32> + '_ {
        self.head.iter().chain(&self.waiting).copied()
    }

    /// A job that was seen.
    pub fn job(&self, place: u32) -> &SteppedJob {
        &self.of.jobs[place as usize]
    }

    /// Whether a visible job may be chosen: any waiting job where the next is asked for; where backfilling is, the head
    /// (which stands for nobody), and whoever fits and does not delay it.
    pub fn may_choose(&self, place: u32) -> bool {
        match self.question {
            Question::Next { .. } => true,
            Question::Backfill => self.head == Some(place) || self.may_pass(place),
        }
    }

    /// Whether a job could start now: it fits, and does not delay the head of the queue.
    pub fn may_start(&self, place: u32) -> bool {
        self.head != Some(place) && self.may_pass(place)
    }

    /// The present, seconds of the log.
    pub fn now(&self) -> Seconds {
        self.now
    }

    /// The idle processors.
    pub fn free(&self) -> u32 {
        self.free
    }

    /// How many jobs wait.
    pub fn queue_length(&self) -> usize {
        self.waiting.len() + usize::from(self.head.is_some())
    }

    /// The jobs of this simulation, by their places in the whole workload.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Whether all jobs have started.
    pub fn is_done(&self) -> bool {
        self.left == 0
    }

    /// Decides for the visible job at this place in the queue, and goes on to the next decision. Returns whether it could
    /// be chosen. What cannot be chosen is the first of the queue where the next job is asked for, and nobody where
    /// backfilling is.
    pub fn step(&mut self, choice: usize) -> bool {
        if self.is_done() {
            return false;
        }
        match self.question {
            Question::Next { .. } => {
                let is_there = choice < self.waiting.len();
                let job = self.waiting.remove(if is_there { choice } else { 0 });
                self.head = Some(job);
                self.round();
                self.go_on();
                is_there
            }
            Question::Backfill if choice == 0 => {
                self.pass_time();
                self.go_on();
                true
            }
            Question::Backfill => {
                let chosen = self.waiting.get(choice - 1).copied().filter(|&job| self.may_pass(job));
                match chosen {
                    Some(job) => {
                        self.waiting.remove(choice - 1);
                        self.pass(job);
                    }
                    None => _ = self.pass_time(),
                }
                self.go_on();
                chosen.is_some()
            }
        }
    }

    /// The schedule, once all jobs have started: of the workload that [`SteppedWorkload::part`] gives for these jobs.
    pub fn schedule(&self, part: &Workload) -> Schedule {
        let estimates = self.of.jobs[self.range.clone()].iter().map(|job| job.estimate).collect();
        Schedule { estimates, ..Schedule::of_starts(part, self.starts.clone()) }
    }

    /// When each job has started; [`Seconds::MIN`] where it has not.
    pub fn starts(&self) -> &[Seconds] {
        &self.starts
    }

    /// Lets time pass until something is to be decided, or all have started.
    fn go_on(&mut self) {
        while !self.is_done() && !self.is_asked() && self.pass_time() {}
    }

    fn is_asked(&self) -> bool {
        match self.question {
            Question::Next { .. } => self.head.is_none() && !self.waiting.is_empty(),
            Question::Backfill => self.head.is_some() && self.waiting.iter().any(|&job| self.may_pass(job)),
        }
    }

    /// Lives through the next instant. Returns whether there was one.
    fn pass_time(&mut self) -> bool {
        let arrival = if self.next < self.range.end { self.of.jobs[self.next].submit } else { NEVER };
        let end = self.running.iter().map(|running| running.end).min().unwrap_or(NEVER);
        let now = arrival.min(end);
        if now == NEVER {
            return false;
        }
        self.now = now;
        let mut is_triggered = false;
        while self.next < self.range.end && self.of.jobs[self.next].submit <= now {
            is_triggered |=
                self.options.trigger == RoundTrigger::Every || self.of.jobs[self.next].processors <= self.free;
            self.waiting.push(self.next as u32);
            self.next += 1;
        }
        if end <= now {
            let (jobs, free) = (&self.of.jobs, &mut self.free);
            self.running.retain(|running| {
                let has_ended = running.end <= now;
                if has_ended {
                    *free += jobs[running.job as usize].processors;
                }
                !has_ended
            });
            is_triggered = true;
        }
        if is_triggered {
            self.round();
        } else {
            // nobody is asked before a round comes
            self.shadow = (f64::NEG_INFINITY, 0);
        }
        true
    }

    /// Starts what starts without being asked for, and finds out what the head leaves to others.
    fn round(&mut self) {
        loop {
            if self.head.is_none() && self.question == Question::Backfill && !self.waiting.is_empty() {
                self.head = Some(self.waiting.remove(0));
            }
            let Some(head) = self.head else { return };
            if self.job(head).processors > self.free {
                break;
            }
            self.head = None;
            self.start(head);
        }
        self.foresee();
        if self.question == (Question::Next { backfills: true }) {
            let mut place = 0;
            while place < self.waiting.len() && self.free > 0 {
                let job = self.waiting[place];
                if self.may_pass(job) {
                    self.waiting.remove(place);
                    self.pass(job);
                } else {
                    place += 1;
                }
            }
        }
    }

    /// Finds the shadow time of the head: when it is expected to start.
    fn foresee(&mut self) {
        let Some(head) = self.head else { return };
        let needs = self.of.jobs[head as usize].processors;
        let mut releases = std::mem::take(&mut self.releases);
        releases.clear();
        releases.extend(
            self.running.iter().map(|running| (self.expected(running), self.of.jobs[running.job as usize].processors)),
        );
        releases.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mut free = self.free;
        let mut shadow = f64::INFINITY;
        for &(at, processors) in &releases {
            if at > shadow {
                break;
            }
            free += processors;
            if free >= needs {
                shadow = at;
            }
        }
        self.shadow = (shadow, free.saturating_sub(needs));
        self.releases = releases;
    }

    /// When a running job is expected to end, with its estimate corrected as often as it has run out.
    fn expected(&self, running: &Running) -> f64 {
        let (start, now) = (running.start as f64, self.now as f64);
        let &SteppedJob { estimate: first, limit, .. } = &self.of.jobs[running.job as usize];
        let (mut estimate, mut count) = (first, 0);
        while start + estimate <= now {
            count += 1;
            let corrected = self.options.correction.apply(count, first, estimate, limit);
            if corrected <= estimate {
                return now + 1.0;
            }
            estimate = corrected;
        }
        start + estimate
    }

    /// Whether a job fits now, and ends before the head starts or takes nothing from it.
    fn may_pass(&self, place: u32) -> bool {
        let job = self.job(place);
        if job.processors > self.free {
            return false;
        }
        let (shadow, extra) = self.shadow;
        self.head.is_none() || job.processors <= extra || self.now as f64 + job.estimate <= shadow
    }

    /// Starts a job before the head.
    fn pass(&mut self, place: u32) {
        let &SteppedJob { processors, estimate, .. } = self.job(place);
        if self.now as f64 + estimate > self.shadow.0 {
            self.shadow.1 -= processors;
        }
        self.start(place);
    }

    fn start(&mut self, place: u32) {
        let &SteppedJob { processors, run, .. } = self.job(place);
        self.free -= processors;
        self.starts[place as usize - self.range.start] = self.now;
        self.running.push(Running { job: place, start: self.now, end: self.now.saturating_add(run) });
        self.left -= 1;
    }
}

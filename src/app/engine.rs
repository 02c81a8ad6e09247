//! What the page keeps of its workers' work besides the signals.

use super::arrival::Arrival;
use super::pool::{MemberId, Pool};
use super::protocol::{FromWorker, LogId, ScheduleKey, Ticket};
use super::state::{Basis, Outcome};
use crate::study::query::Query;
use crate::study::{Generated, Run, Source, Treatment};
use crate::workload::{Fingerprint, Header};
use futures_channel::oneshot;
use js_sys::Uint8Array;
use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::Range;
use std::sync::Arc;
use web_sys::Blob;

/// Where a worker gets a log from.
#[derive(Clone)]
pub(super) enum Origin {
    /// A file.
    File { name: String, blob: Blob },
    /// A generator.
    Generator(Generated),
}

/// A file that has just come.
pub(super) struct Arriving {
    /// What a page that is loaded again knows of it.
    pub arrival: Arrival,
    /// Says when its content is written, or why not.
    pub written: oneshot::Receiver<Result<(), String>>,
}

/// A log that a worker has read.
#[derive(Clone)]
pub(super) struct Open {
    pub id: LogId,
    pub source: Source,
    pub fingerprint: Fingerprint,
    pub header: Header,
    pub records: usize,
}

/// A run that waits for a worker, or is with one.
#[derive(Clone)]
pub(super) struct Task {
    pub ticket: Ticket,
    pub run: Run,
    pub basis: Basis,
    pub log: LogId,
    pub work: Work,
    /// When a worker began it, in milliseconds of the page's clock.
    pub begun: f64,
    /// When it was simulated and its measuring began, likewise; none before.
    pub simulated: Option<f64>,
}

impl Task {
    /// What is done to the log before it is simulated: the study's treatment, with the run's own shrinking factor.
    pub fn treatment(&self) -> Treatment {
        self.run.treatment(&self.basis.treatment)
    }
}

/// The workload that runs are on, which the desk makes once for all runners.
pub(super) struct Packed {
    pub log: LogId,
    pub treatment: Treatment,
    /// Names the desk's answer.
    pub ticket: Ticket,
    /// Its encoded form; none until the desk has made it.
    pub bytes: Option<Uint8Array>,
}

/// What is to be done of a run.
#[derive(Clone)]
pub(super) enum Work {
    /// Simulate and measure it.
    Run,
    /// Compute fair start times of these jobs: that part of [`FairWork`].
    FairStarts { part: usize, jobs: Range<usize> },
    /// Measure it with its fair start times.
    Measure,
}

/// A computation of fair start times, in parts.
pub(super) struct FairWork {
    pub run: Run,
    pub basis: Basis,
    /// How long the run's simulation took, seconds.
    pub wall_s: f64,
    pub schedule: Uint8Array,
    /// Jobs in all.
    pub jobs: usize,
    /// How many jobs of each part are done.
    pub done: Vec<usize>,
    /// What has come.
    pub parts: Vec<Option<Uint8Array>>,
    /// When it was begun, in milliseconds of the page's clock.
    pub begun: f64,
}

/// Workers and what they are at.
pub(super) struct Engine {
    pub pool: Pool,
    pub origins: HashMap<LogId, Origin>,
    /// The log that is being read for the first time.
    pub loading: Option<LogId>,
    /// What is written meanwhile of the file that is being read, where it was not stored before.
    pub arriving: Option<Arriving>,
    /// What was done to a log when it was left, which Back or Forward leads to again.
    pub returning: Option<(Source, Treatment)>,
    /// The active log, once read.
    pub open: Option<Open>,
    /// The latest description asked for; answers to earlier ones are of no interest any more.
    pub describing: Option<Ticket>,
    /// Whether to run the study once the log is described, whatever that takes.
    pub run_when_described: bool,
    /// The question after remembered results that is not answered yet: what it finds need not be run.
    pub recalling: Option<u32>,
    /// Whether what was under way when the page was left has been taken up.
    pub has_gone_on: bool,
    /// The settings with which the rows were last made.
    pub followed: Option<Basis>,
    /// Whether the study asked for fair start times when it was last looked at.
    pub asked_for_fair_starts: bool,
    pub queue: VecDeque<Task>,
    pub running: HashMap<Ticket, (Task, MemberId)>,
    /// What the latest runs are on.
    pub packed: Option<Packed>,
    /// Fair start times that are being computed.
    pub fair: Vec<FairWork>,
    /// Questions that take as long as a run, until others take their place.
    pub long_questions: Vec<(Ticket, Query)>,
    pub questions: HashMap<Ticket, oneshot::Sender<Result<FromWorker, String>>>,
    /// Results of this session.
    pub outcomes: HashMap<ScheduleKey, Arc<Outcome>>,
    /// Schedules that the database did not take.
    pub schedules: HashMap<ScheduleKey, Uint8Array>,
    /// Schedules that the desk has.
    pub kept: HashSet<ScheduleKey>,
    next: u32,
}

impl Engine {
    pub fn new(pool: Pool) -> Self {
        Engine {
            pool,
            origins: HashMap::new(),
            loading: None,
            arriving: None,
            returning: None,
            open: None,
            describing: None,
            run_when_described: false,
            recalling: None,
            has_gone_on: false,
            followed: None,
            asked_for_fair_starts: false,
            queue: VecDeque::new(),
            running: HashMap::new(),
            packed: None,
            fair: Vec::new(),
            long_questions: Vec::new(),
            questions: HashMap::new(),
            outcomes: HashMap::new(),
            schedules: HashMap::new(),
            kept: HashSet::new(),
            next: 0,
        }
    }

    /// What waits for a worker, or has one.
    pub fn tasks(&self) -> impl Iterator<Item = &Task> {
        self.queue.iter().chain(self.running.values().map(|(task, _)| task))
    }

    /// A number that was not given before.
    pub fn number(&mut self) -> u32 {
        self.next += 1;
        self.next
    }
}

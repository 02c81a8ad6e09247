//! The page's run queue as a plain state machine: it takes events and returns orders.
//!
//! A [`RunQueue`] knows the logs, the workers (by number), the rows of the table and their results, the runs that wait
//! or are under way, and the open questions. It is told of everything that happens ([`Event`]) and returns what is to
//! be done ([`QueueOrder`]). It starts no worker, reads no file and knows no browser: the page does this for it. `B` is
//! the page's type for bytes that the queue never looks into: files, workloads, schedules.

mod event;
mod extras;
mod finished;
mod logs;
pub mod protocol;
mod questions;
mod repeats;
mod results;
mod runs;
mod searching;
mod series;
mod workers;

#[cfg(test)]
mod tests;

pub use event::{Attachment, Event, Opened, Origin, QueueOrder, SearchNews, SearchStatus, TriedValues};
pub use extras::{GivenFile, GivenOutcome, LogExtras, TakenFile, TakenSite};
pub use protocol::{Encoded, WorkerId};
pub use repeats::{RepeatsState, TrialsState};
pub use results::{DescribedLog, LogState, RunOutcome, RunRow, RunSettings, Status};
pub use workers::Role;

use packfair_study::query::Query;
use packfair_study::{Run, RunPartition, Source, Study, Treatment};
use packfair_workload::{Fingerprint, Header};
use protocol::{LogId, ScheduleKey, Ticket};
use questions::Preparing;
use repeats::{Repeating, RepeatsNews, RunningTrials, TrialsNews};
use searching::{SearchRequest, Searching};
use series::{LogSeries, STOPPED, SharedOut};
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use workers::{Background, FairWork, Packed, RunTask, Wanted, Workers};

#[derive(Clone)]
struct OpenLog {
    id: LogId,
    source: Source,
    fingerprint: Fingerprint,
    header: Header,
    records: usize,
    is_table: bool,
}

/// Everything that the page knows about its runs.
pub struct RunQueue<B> {
    /// The time of the event being handled, milliseconds: it follows the page's clock, but never goes back.
    now: f64,
    /// The page's clock at that event, milliseconds.
    clock: f64,
    orders: Vec<QueueOrder<B>>,
    rows_changed: bool,
    log_changed: bool,

    study: Study,
    /// The number of the partition that is shown by itself; `None` for all jobs.
    partition: Option<i32>,
    followed: Option<RunSettings>,
    rows: Vec<RunRow>,
    is_shared: bool,
    /// Whether the study asked for fair start times at the last check.
    asked_for_fair_starts: bool,
    /// How long the log worker takes for a run of this workload, seconds, by the longest that it has made.
    longest_here: f64,
    /// How long workers were at runs that nobody has asked for since the last were started, seconds.
    unasked_s: f64,
    /// The runs that were under way when the page was left, until they are started again.
    interrupted: Option<(RunSettings, Vec<Run>)>,
    has_gone_on: bool,
    /// The results of this session: those of the rows, and the latest of the others.
    outcomes: HashMap<ScheduleKey, Arc<RunOutcome>>,
    received: VecDeque<ScheduleKey>,
    /// Schedules that are not stored yet, or that the browser refuses to store, each with the number of its copy.
    schedules: HashMap<ScheduleKey, (Ticket, B)>,
    /// The schedules that are being fetched from the browser's storage.
    fetching: HashSet<ScheduleKey>,
    /// The search for stored results that is under way: results that it finds need not be computed.
    recalling: Option<Ticket>,

    log: LogState,
    /// The origin of each log, and what the user said about it and gave beside it.
    origins: HashMap<LogId, (Origin<B>, Encoded<LogExtras>)>,
    loading: Option<LogId>,
    open: Option<OpenLog>,
    /// The latest request for a description; answers to earlier requests are ignored.
    describing: Option<Ticket>,
    /// Whether to run the study once its log is described, however long that takes.
    run_when_described: bool,

    workers: Workers,
    waiting: VecDeque<RunTask>,
    running: HashMap<Ticket, (RunTask, WorkerId)>,
    packed: Option<Packed<B>>,
    /// The computations of fair start times under way.
    fair: Vec<FairWork<B>>,
    /// Runs whose fair start times will be computed once their schedules have been fetched.
    awaiting_schedule: Vec<(ScheduleKey, Run, RunSettings, Wanted)>,

    kept: HashSet<ScheduleKey>,
    /// The questions whose schedules are being fetched.
    preparing: Vec<Preparing>,
    /// The questions that the log worker has, in the order in which they were asked.
    queries: Vec<(Ticket, Query)>,

    /// The forecast that was asked for last, until it is stopped or fails.
    forecasting: Option<Ticket>,

    series: Option<LogSeries>,
    /// The trials, repeats and shares of questions that runners have or will get.
    background: Background,
    /// The repeats of the study, once they were asked for.
    repeats: Option<Box<Repeating>>,
    /// The trials of remedies, once they were asked for.
    trying: Option<Box<RunningTrials>>,
    /// The questions that are divided among runners, in the order in which they were asked.
    measurings: Vec<SharedOut>,
    /// The search among settings that was started last.
    searching: Option<Box<Searching>>,
    next: Ticket,
}

impl<B: Clone> RunQueue<B> {
    /// The queue of a page that has just been opened, with at most `runners` runners. `interrupted` contains the runs
    /// that were under way when the page was last left.
    pub fn new(study: Study, runners: usize, interrupted: Option<(RunSettings, Vec<Run>)>) -> Self {
        RunQueue {
            now: 0.0,
            clock: 0.0,
            orders: Vec::new(),
            rows_changed: false,
            log_changed: false,
            study,
            partition: None,
            followed: None,
            rows: Vec::new(),
            is_shared: false,
            asked_for_fair_starts: false,
            longest_here: 0.0,
            unasked_s: 0.0,
            interrupted,
            has_gone_on: false,
            outcomes: HashMap::new(),
            received: VecDeque::new(),
            schedules: HashMap::new(),
            fetching: HashSet::new(),
            recalling: None,
            log: LogState::Absent,
            origins: HashMap::new(),
            loading: None,
            open: None,
            describing: None,
            run_when_described: false,
            workers: Workers::at_most(runners),
            waiting: VecDeque::new(),
            running: HashMap::new(),
            packed: None,
            fair: Vec::new(),
            awaiting_schedule: Vec::new(),
            kept: HashSet::new(),
            preparing: Vec::new(),
            queries: Vec::new(),
            forecasting: None,
            series: None,
            background: Background::default(),
            repeats: None,
            trying: None,
            measurings: Vec::new(),
            searching: None,
            next: 0,
        }
    }

    /// Handles an event at `now`, milliseconds of the page's clock. Returns the orders, to be carried out in this
    /// sequence.
    pub fn handle(&mut self, now: f64, event: Event<B>) -> Vec<QueueOrder<B>> {
        // the clock may jump: if it goes back or is not a number, no time has passed
        let passed = now - self.clock;
        if passed.is_finite() {
            self.now += passed.max(0.0);
        }
        if now.is_finite() {
            self.clock = now;
        }
        let is_of_many = event.is_of_many();
        match event {
            Event::StudyChanged(study) => self.study_changed(*study),
            Event::SharedShown { study, reports } => self.show_shared(*study, reports),
            Event::SharedLeft => self.is_shared = false,
            Event::Remembered { settings, report } => self.remembered(settings, *report),
            Event::Recalled(search) => self.recalled(search),
            Event::RunAll => self.run_all(),
            Event::RunOne(run) => self.run_one(run),
            Event::Cancel(run) => self.cancel(&run),
            Event::CancelAll => self.cancel_all(),
            Event::FairStartsWanted(run) => self.fair_starts_wanted(run),
            Event::LogWanted { name } => self.log_wanted(name),
            Event::LogFound { name, origin, beside } => self.read_log(name, origin, beside),
            Event::LogMissing { name, message } => self.set_log(LogState::Failed { name, message, may_go_on: false }),
            Event::LogLeft => self.leave_log(),
            Event::LogTaken => self.log_taken(),
            Event::TreatmentChanged => self.describe(),
            Event::RunOnLogs(sources) => self.begin_series(sources),
            Event::RunOnLogsStopped => self.stop_series(),
            Event::Queried { question, query } => self.ask(question, query),
            Event::Unasked(questions) => self.end_measurings(STOPPED, &questions),
            Event::ForecastWanted { question, task } => self.forecast(question, task),
            Event::ForecastStopped => self.stop_forecast(),
            Event::Fetched { key, schedule } => self.fetched(&key, schedule),
            Event::Stored { key, copy } => {
                self.schedules.retain(|k, (of, _)| *k != key || *of != copy);
                self.let_go_of_results();
            }
            Event::Said { worker, message, attachment } => self.said(worker, message, attachment),
            Event::Died { worker, message } => self.died(worker, &message),
            Event::RepeatsWanted(by_itself) => self.tell_repeats(RepeatsNews::Wanted(by_itself)),
            Event::RepeatsStopped => self.tell_repeats(RepeatsNews::Stopped),
            Event::PartitionChosen(partition) => self.partition = partition,
            Event::TrialsWanted(trials) => self.tell_trials(TrialsNews::Wanted(trials)),
            Event::TrialsStopped => self.tell_trials(TrialsNews::Stopped),
            Event::SearchWanted(question) => self.tell_search(SearchRequest::Wanted(question)),
            Event::SearchStopped => self.tell_search(SearchRequest::Stopped),
            Event::SearchResumed => self.tell_search(SearchRequest::Resumed),
            Event::RepeatsCarried(repeated) => self.tell_repeats(RepeatsNews::Carried(repeated)),
        }
        self.advance_series();
        // the first result is shown at once, and so is the last change
        let is_soon_enough = is_of_many && !self.has_first_result() && !self.is_idle();
        self.take_orders(if is_soon_enough { QueueOrder::ShowRowsSoon } else { QueueOrder::ShowRows })
    }

    /// The treatment of the log for questions without a run: that of the partition which is shown by itself, if the
    /// study takes it by itself; otherwise the study's.
    fn treatment_asked(&self) -> Treatment {
        let is_chosen = |of: &&RunPartition| Some(of.number) == self.partition;
        match self.study.partitions.iter().find(is_chosen) {
            Some(partition) => partition.treatment(self.study.treatment.clone()),
            None => self.study.treatment.clone(),
        }
    }

    pub fn rows(&self) -> &[RunRow] {
        &self.rows
    }

    pub fn log(&self) -> &LogState {
        &self.log
    }

    /// The source of the study's log; `None` unless it has been read and no other log is on its way.
    pub fn open_log(&self) -> Option<&Source> {
        self.open.as_ref().filter(|_| self.loading.is_none()).map(|open| &open.source)
    }

    /// The origin of the study's log, and what the user said about it and gave beside it, encoded.
    pub fn open_origin(&self) -> Option<(Origin<B>, Encoded<LogExtras>)> {
        self.open.as_ref().and_then(|open| self.origins.get(&open.id)).cloned()
    }

    /// A result of this session.
    pub fn outcome(&self, key: &ScheduleKey) -> Option<&Arc<RunOutcome>> {
        self.outcomes.get(key)
    }

    /// The largest number of runners.
    pub fn most_runners(&self) -> usize {
        self.workers.most_runners()
    }

    /// Whether no run waits or is under way.
    pub fn is_idle(&self) -> bool {
        self.tasks().next().is_none()
    }

    /// Whether the study is being run on one log after the other.
    pub fn is_on_several_logs(&self) -> bool {
        self.series.is_some()
    }

    fn has_first_result(&self) -> bool {
        self.rows.iter().filter(|row| row.result.is_some()).take(2).count() == 1
    }

    /// A number that has not been used before.
    pub fn number(&mut self) -> Ticket {
        self.next += 1;
        self.next
    }

    fn tasks(&self) -> impl Iterator<Item = &RunTask> {
        self.waiting.iter().chain(self.running.values().map(|(task, _)| task))
    }

    fn order(&mut self, order: QueueOrder<B>) {
        self.orders.push(order);
    }

    fn set_log(&mut self, log: LogState) {
        self.log = log;
        self.log_changed = true;
    }

    fn row(&self, run: &Run) -> Option<&RunRow> {
        self.rows.iter().find(|row| row.run == *run)
    }

    /// Changes the row of a run, if it is still in the table.
    fn change_row(&mut self, run: &Run, change: impl FnOnce(&mut RunRow)) {
        if let Some(row) = self.rows.iter_mut().find(|row| row.run == *run) {
            change(row);
            self.rows_changed = true;
        }
    }

    fn set_status(&mut self, run: &Run, status: Status) {
        self.change_row(run, |row| row.status = status);
    }

    /// The orders since the last event. Those that change what is shown come first, because the page may look at it
    /// while it carries out the others. Rows to be shown soon are an exception; [`RunQueue::rows`] is up to date
    /// anyway.
    fn take_orders(&mut self, show_rows: QueueOrder<B>) -> Vec<QueueOrder<B>> {
        let mut orders = Vec::with_capacity(self.orders.len() + 2);
        if std::mem::take(&mut self.log_changed) {
            orders.push(QueueOrder::ShowLog);
        }
        if std::mem::take(&mut self.rows_changed) {
            orders.push(show_rows);
        }
        orders.append(&mut self.orders);
        orders
    }
}

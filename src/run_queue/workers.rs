//! The workers: what each has and does.

use super::protocol::{Encoded, LogId, Ticket, ToWorker, WorkerId};
use super::results::RunSettings;
use super::series::NOT_LOADED;
use super::{Attachment, QueueOrder, RunQueue};
use packfair_study::query::Answer;
use packfair_study::sureness::RepeatedRun;
use packfair_study::{Run, Treatment};
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Logs,
    Runner,
}

/// A worker, as far as it is known from the messages sent to it.
struct Worker {
    id: WorkerId,
    role: Role,
    logs: HashSet<LogId>,
    workload: Option<(LogId, Treatment)>,
    task: Option<Ticket>,
}

impl Worker {
    fn has_workload(&self, log: LogId, treatment: &Treatment) -> bool {
        self.workload.as_ref().is_some_and(|(of, how)| *of == log && how == treatment)
    }
}

pub(super) struct Workers {
    all: Vec<Worker>,
    runners: usize,
    next: WorkerId,
}

impl Workers {
    /// No workers yet; later at most `runners` runners.
    pub fn at_most(runners: usize) -> Self {
        Workers { all: Vec::new(), runners, next: 0 }
    }

    pub fn most_runners(&self) -> usize {
        self.runners
    }

    /// A worker of this role, if there is one.
    pub fn of(&self, role: Role) -> Option<WorkerId> {
        self.all.iter().find(|worker| worker.role == role).map(|worker| worker.id)
    }

    /// A runner without a task, preferably one that has the workload.
    fn idle_runner(&self, log: LogId, treatment: &Treatment) -> Option<WorkerId> {
        let idle = self.all.iter().filter(|worker| worker.role == Role::Runner && worker.task.is_none());
        idle.max_by_key(|worker| worker.has_workload(log, treatment)).map(|worker| worker.id)
    }

    fn may_start_runner(&self) -> bool {
        self.all.iter().filter(|worker| worker.role == Role::Runner).count() < self.runners
    }

    fn add(&mut self, role: Role) -> WorkerId {
        let id = self.next;
        self.next += 1;
        self.all.push(Worker { id, role, logs: HashSet::new(), workload: None, task: None });
        id
    }

    pub fn has_runners(&self) -> bool {
        self.all.iter().any(|worker| worker.role == Role::Runner)
    }

    pub fn has_task(&self, id: WorkerId) -> bool {
        self.all.iter().any(|worker| worker.id == id && worker.task.is_some())
    }

    /// Removes a worker. Returns its role and the task that it had.
    pub fn remove(&mut self, id: WorkerId) -> Option<(Role, Option<Ticket>)> {
        let at = self.all.iter().position(|worker| worker.id == id)?;
        let worker = self.all.swap_remove(at);
        Some((worker.role, worker.task))
    }

    /// Called when a runner has nothing more to do.
    pub fn set_idle(&mut self, id: WorkerId) {
        if let Some(worker) = self.get(id) {
            worker.task = None;
        }
    }

    pub fn has_log(&self, id: WorkerId, log: LogId) -> bool {
        self.all.iter().any(|worker| worker.id == id && worker.logs.contains(&log))
    }

    pub fn has_workload(&self, id: WorkerId, log: LogId, treatment: &Treatment) -> bool {
        self.all.iter().any(|worker| worker.id == id && worker.has_workload(log, treatment))
    }

    /// Updates what a worker has and does after this message to it.
    fn note_sent(&mut self, id: WorkerId, message: &ToWorker) {
        let Some(worker) = self.get(id) else { return };
        match message {
            ToWorker::Load { log, .. } | ToWorker::Generate { log, .. } => drop(worker.logs.insert(*log)),
            ToWorker::Forget { log } => {
                worker.logs.remove(log);
                worker.workload.take_if(|(of, _)| of == log);
            }
            ToWorker::Take { log, treatment } => worker.workload = Some((*log, treatment.clone())),
            ToWorker::Run { ticket, .. }
            | ToWorker::FairStarts { ticket, .. }
            | ToWorker::Measure { ticket, .. }
            | ToWorker::Repeat { ticket, .. } => {
                worker.task = Some(*ticket);
            }
            // the log worker has no task: it answers one question after the other
            ToWorker::Ask { ticket, .. } if worker.role == Role::Runner => worker.task = Some(*ticket),
            _ => {}
        }
    }

    fn get(&mut self, id: WorkerId) -> Option<&mut Worker> {
        self.all.iter_mut().find(|worker| worker.id == id)
    }
}

impl<B: Clone> RunQueue<B> {
    /// The log worker, which is started if there is none.
    pub(super) fn log_worker(&mut self) -> WorkerId {
        match self.workers.of(Role::Logs) {
            Some(worker) => worker,
            None => self.start(Role::Logs),
        }
    }

    /// A runner without a task, preferably one that has the workload that `treatment` makes of `log`. Another is
    /// started if there may be one more; `None` if all are busy.
    pub(super) fn idle_runner(&mut self, log: LogId, treatment: &Treatment) -> Option<WorkerId> {
        let idle = self.workers.idle_runner(log, treatment);
        idle.or_else(|| self.workers.may_start_runner().then(|| self.start(Role::Runner)))
    }

    fn start(&mut self, role: Role) -> WorkerId {
        let worker = self.workers.add(role);
        self.order(QueueOrder::Start(worker));
        worker
    }

    pub(super) fn send(&mut self, worker: WorkerId, message: ToWorker) {
        self.send_with(worker, message, Attachment::Nothing);
    }

    pub(super) fn send_with(&mut self, worker: WorkerId, message: ToWorker, attachment: Attachment<B>) {
        self.workers.note_sent(worker, &message);
        self.order(QueueOrder::Send { worker, message, attachment });
    }

    /// Sends the same message to all workers.
    pub(super) fn send_to_all(&mut self, message: &ToWorker) {
        for worker in self.workers.all.iter().map(|worker| worker.id).collect::<Vec<_>>() {
            self.send(worker, message.clone());
        }
    }
}

// What runners do once all runs of the table have one: trials, then repeats, then shares of questions. They wait in one
// queue; what a task asks of a worker, and what becomes of its answer, is in the file of its kind.

/// In the order in which runners take them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Priority {
    Trial,
    Repeat,
    Share,
}

#[derive(Clone)]
pub(super) enum BackgroundWork {
    /// The trial of this index.
    Trial(usize),
    /// This repeat of these runs, all of one machine.
    Repeat(u32, Vec<Run>),
    /// These runs of a question.
    Share(Ticket, Range<usize>),
}

impl BackgroundWork {
    pub fn priority(&self) -> Priority {
        match self {
            BackgroundWork::Trial(_) => Priority::Trial,
            BackgroundWork::Repeat(..) => Priority::Repeat,
            BackgroundWork::Share(..) => Priority::Share,
        }
    }

    pub fn is_of_question(&self, question: Ticket) -> bool {
        matches!(self, BackgroundWork::Share(of, _) if *of == question)
    }
}

pub(super) struct BackgroundTask {
    pub work: BackgroundWork,
    pub log: LogId,
    pub treatment: Treatment,
}

pub(super) enum BackgroundNews {
    Idle,
    /// Another log is open now.
    LogTaken,
    Answered(Ticket, Answer),
    /// A repeat has arrived: its values, encoded.
    Repeated(Ticket, Encoded<Vec<RepeatedRun>>),
    /// A worker could not carry out its task, and why.
    Failed(Ticket, String),
    /// A workload could not be made, and why.
    Unmade(LogId, Treatment, String),
}

#[derive(Default)]
pub(super) struct Background {
    /// The tasks that no worker has yet, the next one first.
    waiting: VecDeque<BackgroundTask>,
    running: BTreeMap<Ticket, (BackgroundTask, WorkerId)>,
}

impl Background {
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.running.is_empty()
    }

    /// Puts a task behind those that go before it.
    pub fn add(&mut self, task: BackgroundTask) {
        let priority = task.work.priority();
        let at = self.waiting.partition_point(|before| before.work.priority() <= priority);
        self.waiting.insert(at, task);
    }

    /// The work that has not ended.
    pub fn work(&self) -> impl Iterator<Item = &BackgroundWork> {
        let running = self.running.values().map(|(task, _)| task);
        self.waiting.iter().chain(running).map(|task| &task.work)
    }

    fn end(&mut self, ticket: Ticket) -> Option<BackgroundWork> {
        self.running.remove(&ticket).map(|(task, _)| task.work)
    }
}

impl<B: Clone> RunQueue<B> {
    /// Handles news about these tasks. This is the only entry to the code in this file, as it is for repeats, so that the
    /// page can load the code later (scripts/split).
    #[inline(never)]
    pub(super) fn tell_background(&mut self, news: BackgroundNews) {
        match news {
            BackgroundNews::Idle => self.dispatch_background(),
            BackgroundNews::LogTaken => {
                self.stop_trials();
                self.stop_repeats();
                let questions: Vec<Ticket> = self.measurings.iter().map(|shared| shared.question).collect();
                self.end_measurings(NOT_LOADED, &questions);
            }
            BackgroundNews::Answered(ticket, answer) => match self.background.end(ticket) {
                Some(BackgroundWork::Trial(place)) => self.end_trial(place, Some(&answer)),
                Some(BackgroundWork::Share(question, places)) => self.take_share(question, places, answer),
                // repeats have an answer of their own
                Some(BackgroundWork::Repeat(..)) | None => {}
            },
            BackgroundNews::Repeated(ticket, values) => {
                if let Some(BackgroundWork::Repeat(repeat, runs)) = self.background.end(ticket) {
                    self.take_repeat(repeat, &runs, &values);
                }
            }
            BackgroundNews::Failed(ticket, message) => {
                if let Some(work) = self.background.end(ticket) {
                    self.fail_background(work, &message);
                }
            }
            BackgroundNews::Unmade(log, treatment, message) => {
                let is_on_it = |task: &BackgroundTask| task.log == log && task.treatment == treatment;
                let (failed, others): (VecDeque<_>, VecDeque<_>) =
                    self.background.waiting.drain(..).partition(is_on_it);
                self.background.waiting = others;
                for task in failed {
                    self.fail_background(task.work, &message);
                }
            }
        }
    }

    fn fail_background(&mut self, work: BackgroundWork, message: &str) {
        match work {
            BackgroundWork::Trial(place) => self.end_trial(place, None),
            BackgroundWork::Repeat(..) => self.fail_repeats(message),
            BackgroundWork::Share(question, _) => self.end_measurings(message, &[question]),
        }
    }

    /// Gives tasks to idle runners, once all runs have one.
    fn dispatch_background(&mut self) {
        if !self.waiting.is_empty() {
            return;
        }
        while let Some(BackgroundTask { log, treatment, .. }) = self.background.waiting.front() {
            let (log, treatment) = (*log, treatment.clone());
            let Some(worker) = self.runner_for(log, treatment.clone()) else { return };
            self.give_workload_of(worker, log, treatment);
            let Some(task) = self.background.waiting.pop_front() else { return };
            let ticket = self.number();
            if let Some(message) = self.message_of_background(ticket, &task) {
                self.background.running.insert(ticket, (task, worker));
                self.send(worker, message);
            }
        }
    }

    /// What a worker is sent; `None` if what the task is for is gone.
    fn message_of_background(&self, ticket: Ticket, task: &BackgroundTask) -> Option<ToWorker> {
        let (log, treatment) = (task.log, task.treatment.clone());
        let query = match &task.work {
            BackgroundWork::Repeat(repeat, runs) => {
                let task = self.repeat_task(*repeat, runs)?;
                return Some(ToWorker::Repeat { ticket, log, treatment, task });
            }
            BackgroundWork::Trial(place) => self.trial_query(*place)?,
            BackgroundWork::Share(question, places) => self.share_query(*question, places.clone())?,
        };
        Some(ToWorker::Ask { ticket, log, treatment, schedules: Vec::new(), query })
    }

    /// Gives tasks up, and takes them away from the workers that have them.
    pub(super) fn give_up_background(&mut self, is_given_up: impl Fn(&BackgroundWork) -> bool) {
        self.background.waiting.retain(|task| !is_given_up(&task.work));
        let given_up = self.background.running.extract_if(.., |_, (task, _)| is_given_up(&task.work));
        let given_up: Vec<(Ticket, WorkerId)> = given_up.map(|(ticket, (_, worker))| (ticket, worker)).collect();
        for (ticket, worker) in given_up {
            self.send(worker, ToWorker::Cancel { ticket });
        }
    }
}

// The tasks of workers.

#[derive(Clone)]
pub(super) struct RunTask {
    pub ticket: Ticket,
    pub run: Run,
    pub settings: RunSettings,
    pub log: LogId,
    pub work: Work,
    pub wanted: Wanted,
    /// How many jobs its worker had completed when it first reported, and after how many seconds. What a worker does once,
    /// as loading its code, is before that and tells nothing of the rest.
    pub reported: Option<(usize, f64)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Nobody has asked for it: it waits for a word once it shows that it takes long.
    Unasked,
    Asked,
}

impl RunTask {
    /// The treatment of the log before the simulation: the study's, with the run's own shrinking factor.
    pub fn treatment(&self) -> Treatment {
        self.run.treatment(&self.settings.treatment)
    }
}

#[derive(Clone)]
pub(super) enum Work {
    Run,
    /// Compute the fair start times of these jobs: a part of a [`FairWork`].
    FairStarts {
        part: usize,
        jobs: Range<usize>,
    },
    /// Measure the run with its fair start times.
    Measure,
}

/// The workload of the runs. The log worker makes it once for all runners.
pub(super) struct Packed<B> {
    pub log: LogId,
    pub treatment: Treatment,
    pub ticket: Ticket,
    /// The encoded workload; `None` until it is made.
    pub bytes: Option<B>,
}

impl<B> Packed<B> {
    pub fn is_of(&self, log: LogId, treatment: &Treatment) -> bool {
        self.log == log && self.treatment == *treatment
    }
}

pub(super) struct FairWork<B> {
    pub run: Run,
    pub settings: RunSettings,
    /// How long the run's simulation took, seconds.
    pub wall_s: f64,
    pub schedule: B,
    pub jobs: usize,
    pub done: Vec<usize>,
    pub parts: Vec<Option<B>>,
    /// How long workers have been at each part, seconds.
    pub spent: Vec<f64>,
}

impl<B> FairWork<B> {
    pub fn is_of(&self, task: &RunTask) -> bool {
        self.run == task.run && self.settings == task.settings
    }
}

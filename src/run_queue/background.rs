//! What runners do once all runs of the table have one: trials, then repeats, then shares of questions. They wait in one
//! queue; what a task asks of a worker, and what becomes of its answer, is in the file of its kind.

use super::RunQueue;
use super::encoded::Encoded;
use super::measurings::NOT_LOADED;
use super::protocol::{LogId, Ticket, ToWorker, WorkerId};
use packfair_study::query::Answer;
use packfair_study::sureness::RepeatedRun;
use packfair_study::{Run, Treatment};
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

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

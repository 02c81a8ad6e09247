//! The workers: what each has and does.

use super::protocol::{LogId, Ticket, ToWorker, WorkerId};
use super::{Attachment, QueueOrder, RunQueue};
use packfair_study::Treatment;
use std::collections::HashSet;

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

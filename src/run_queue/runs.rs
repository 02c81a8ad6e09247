//! Runs: starting them, giving them to workers, and stopping them.

use super::protocol::{LogId, Ticket, ToWorker};
use super::results::{LogState, RunRow, RunSettings, Status};
use super::workers::{BackgroundNews, Packed, Role, RunTask, Wanted, Work};
use super::{Attachment, QueueOrder, RunQueue, WorkerId};
use packfair_study::{Run, RunReport, Treatment, pace};
use std::collections::{HashSet, VecDeque};

impl<B: Clone> RunQueue<B> {
    /// Starts all runs that have no result for the present settings.
    pub(super) fn run_all(&mut self) {
        self.give_up_outdated();
        let settings = RunSettings::of(&self.study);
        let is_due = |row: &&RunRow| row.is_due(&settings) || self.is_to_check(row);
        let mut due: Vec<&RunRow> = self.rows.iter().filter(is_due).collect();
        // what showed that it takes long comes last
        let seconds = |row: &RunRow| if let Status::Held { seconds } = row.status { seconds } else { None };
        let seconds = |row: &RunRow| seconds(row).unwrap_or(0.0);
        due.sort_by(|one, other| seconds(one).total_cmp(&seconds(other)));
        let due = due.into_iter().map(|row| row.run.clone()).collect();
        self.enqueue(due, Wanted::Asked);
        self.begin_lacking_fair_starts(Wanted::Asked);
    }

    /// Whether the result of a row comes from a link and no worker is computing it yet.
    pub(super) fn is_to_check(&self, row: &RunRow) -> bool {
        self.is_shared && !row.is_busy() && row.result.as_ref().is_some_and(|result| !result.has_schedule)
    }

    pub(super) fn run_one(&mut self, run: Run) {
        self.cancel(&run);
        self.enqueue(vec![run], Wanted::Asked);
    }

    pub(super) fn cancel(&mut self, run: &Run) {
        self.stop(run);
        self.note_under_way();
    }

    pub(super) fn cancel_all(&mut self) {
        let busy: Vec<Run> = self.rows.iter().filter(|row| row.is_busy()).map(|row| row.run.clone()).collect();
        for run in busy {
            self.stop(&run);
        }
        self.note_under_way();
    }

    /// Stops a run at once. Its worker may notice this later; what it still sends is ignored.
    fn stop(&mut self, run: &Run) {
        let was_fair = self.give_up_fair_starts(run);
        self.drop_tasks(run);
        self.change_row(run, |row| {
            if was_fair {
                // its result is still there
                row.status = Status::Done;
            } else if row.is_busy() {
                row.status = Status::Cancelled;
            }
        });
    }

    /// Drops the tasks of a run, including those that workers have.
    pub(super) fn drop_tasks(&mut self, run: &Run) {
        self.waiting.retain(|task| task.run != *run);
        self.drop_running(|task| task.run == *run);
    }

    /// Takes tasks away from the workers that have them. Returns the runs of these tasks.
    fn drop_running(&mut self, is_dropped: impl Fn(&RunTask) -> bool) -> Vec<Run> {
        let mut dropped: Vec<(Ticket, (RunTask, WorkerId))> =
            self.running.extract_if(|_, (task, _)| is_dropped(task)).collect();
        dropped.sort_by_key(|(one, _)| *one);
        for &(ticket, (_, worker)) in &dropped {
            self.send(worker, ToWorker::Cancel { ticket });
        }
        dropped.into_iter().map(|(_, (task, _))| task.run).collect()
    }

    /// Gives up waiting and running tasks that have other settings than the present ones or are no longer in the study.
    pub(super) fn give_up_outdated(&mut self) {
        let settings = RunSettings::of(&self.study);
        let asked: HashSet<String> = self.study.runs().iter().map(Run::id).collect();
        let is_present = |run: &Run, of: &RunSettings| *of == settings && asked.contains(&run.id());
        let (present, outdated): (VecDeque<_>, VecDeque<_>) =
            self.waiting.drain(..).partition(|task| is_present(&task.run, &task.settings));
        self.waiting = present;
        self.fair.retain(|work| is_present(&work.run, &work.settings));
        let mut given_up: Vec<Run> = outdated.into_iter().map(|task| task.run).collect();
        let awaiting = self.awaiting_schedule.extract_if(.., |(_, run, of, _)| !is_present(run, of));
        given_up.extend(awaiting.map(|(_, run, ..)| run));
        given_up.extend(self.drop_running(|task| !is_present(&task.run, &task.settings)));
        for row in self.rows.iter_mut().filter(|row| row.is_busy() && given_up.contains(&row.run)) {
            row.status = Status::Idle;
            self.rows_changed = true;
        }
    }

    /// Puts runs at the end of the waiting ones.
    pub(super) fn enqueue(&mut self, mut runs: Vec<Run>, wanted: Wanted) {
        // runs on the same workload are put together, so that each workload is made and passed on once
        let workload = |run: &Run| {
            let machine = run.what_if.as_ref().map(ToString::to_string);
            (run.partition.as_ref().map(|of| of.number), machine, run.shrink.map(f64::to_bits))
        };
        runs.sort_by_key(|one| workload(one));
        if !matches!(self.log, LogState::Ready(_)) {
            self.run_when_described = true;
            if self.log == LogState::Absent {
                self.order(QueueOrder::Complain("Drop the log first: a shared result does not contain it.".to_owned()));
            }
            return;
        }
        let Some(log) = self.open.as_ref().map(|open| open.id) else { return };
        let settings = RunSettings::of(&self.study);
        for run in runs {
            self.set_status(&run, Status::Queued);
            let ticket = self.number();
            let settings = settings.clone();
            self.waiting.push_back(RunTask { ticket, run, settings, log, work: Work::Run, wanted, reported: None });
        }
        self.note_under_way();
        self.dispatch();
    }

    /// Gives waiting runs to idle workers.
    pub(super) fn dispatch(&mut self) {
        while let Some(task) = self.waiting.front() {
            let (log, treatment) = (task.log, task.treatment());
            let worker = match self.log_worker_for_quick_runs(log) {
                Some(worker) => Some(worker).filter(|&worker| !self.workers.has_task(worker)),
                None => self.runner_for(log, treatment),
            };
            let Some(worker) = worker else { return };
            let Some(task) = self.waiting.pop_front() else { return };
            self.give_workload(worker, &task);
            let (message, attachment) = self.message_of(&task);
            self.send_with(worker, message, attachment);
            self.running.insert(task.ticket, (RunTask { reported: None, ..task }, worker));
        }
        if !self.background.is_empty() {
            self.tell_background(BackgroundNews::Idle);
        }
    }

    /// An idle runner; `None` if all are busy, or if the workload has not been made yet.
    pub(super) fn runner_for(&mut self, log: LogId, treatment: Treatment) -> Option<WorkerId> {
        match self.packed.as_ref().filter(|packed| packed.is_of(log, &treatment)) {
            Some(packed) if packed.bytes.is_none() => None,
            Some(_) => self.idle_runner(log, &treatment),
            None => {
                let (worker, ticket) = (self.log_worker(), self.number());
                self.give_log(worker, log);
                self.packed = Some(Packed { log, treatment: treatment.clone(), ticket, bytes: None });
                self.send(worker, ToWorker::Pack { ticket, log, treatment });
                None
            }
        }
    }

    /// Gives a runner the workload that a task needs.
    fn give_workload(&mut self, worker: WorkerId, task: &RunTask) {
        self.give_workload_of(worker, task.log, task.treatment());
    }

    /// Gives a runner the workload that `treatment` makes of a log.
    pub(super) fn give_workload_of(&mut self, worker: WorkerId, log: LogId, treatment: Treatment) {
        let packed = self.packed.as_ref().filter(|packed| packed.is_of(log, &treatment));
        let Some(bytes) = packed.and_then(|packed| packed.bytes.clone()) else { return };
        // a worker that has the log makes the workload itself
        if !self.workers.has_log(worker, log) && !self.workers.has_workload(worker, log, &treatment) {
            self.send_with(worker, ToWorker::Take { log, treatment }, Attachment::One(bytes));
        }
    }

    fn message_of(&self, task: &RunTask) -> (ToWorker, Attachment<B>) {
        let RunTask { ticket, log, .. } = *task;
        let run = task.run.clone();
        let (treatment, RunSettings { rules, measure, .. }) = (task.treatment(), task.settings.clone());
        match task.work {
            Work::Run => (ToWorker::Run { ticket, log, treatment, run, rules, measure }, Attachment::Nothing),
            Work::FairStarts { ref jobs, .. } => {
                let message = ToWorker::FairStarts { ticket, log, treatment, run, rules, jobs: jobs.clone() };
                let work = self.fair.iter().find(|work| work.is_of(task));
                (message, work.map_or(Attachment::Nothing, |work| Attachment::One(work.schedule.clone())))
            }
            Work::Measure => {
                let work = self.fair.iter().find(|work| work.is_of(task));
                let message =
                    ToWorker::Measure { ticket, log, treatment, run, measure, wall_s: work.map_or(0.0, |w| w.wall_s) };
                let parts = work
                    .into_iter()
                    .flat_map(|work| std::iter::once(&work.schedule).chain(work.parts.iter().flatten()).cloned());
                (message, Attachment::Several(parts.collect()))
            }
        }
    }

    /// Orders that the waiting and running runs be stored, so that a reload can start them again.
    pub(super) fn note_under_way(&mut self) {
        let settings = RunSettings::of(&self.study);
        let runs: Vec<Run> =
            self.tasks().filter(|task| task.settings == settings).map(|task| task.run.clone()).collect();
        self.order(QueueOrder::NoteUnderWay((!runs.is_empty()).then_some((settings, runs))));
    }
}

// Runs that start by themselves, and what becomes of those that take long: they wait for a word.

/// If the waiting runs would take less than this together, seconds, the log worker makes them, as long as there is no
/// runner. A runner would take about as long to start.
const WITHOUT_RUNNERS: f64 = 0.3;

/// How long all workers are at runs that nobody has asked for, seconds; then the others wait for a word.
const LONGEST_UNASKED: f64 = 60.0;

impl<B: Clone> RunQueue<B> {
    /// The log worker, if it is to make the waiting runs: there is no runner yet, and the runs so far were quick. It has
    /// their workload already, so that the first values of a visit need not wait for other workers to start.
    pub(super) fn log_worker_for_quick_runs(&self, log: LogId) -> Option<WorkerId> {
        if self.workers.has_runners() || self.longest_here * self.waiting.len() as f64 >= WITHOUT_RUNNERS {
            return None;
        }
        let is_simple = |task: &RunTask| {
            task.log == log && matches!(task.work, Work::Run) && task.treatment() == self.study.treatment
        };
        let worker = self.workers.of(Role::Logs).filter(|&worker| self.workers.has_log(worker, log))?;
        // thousands may wait: the first that is not simple ends the search
        self.waiting.iter().all(is_simple).then_some(worker)
    }

    pub(super) fn note_quick_run(&mut self, report: &RunReport) {
        self.longest_here = self.longest_here.max(pace::again(report));
    }

    /// Whether a run that goes on is with the log worker, which should be there for questions.
    pub(super) fn is_with_log_worker(&self, worker: WorkerId) -> bool {
        self.workers.of(Role::Logs) == Some(worker)
    }

    /// Takes a run away from the log worker, because it is not quick, and leaves it and the others to runners.
    pub(super) fn leave_to_runners(&mut self, ticket: Ticket) {
        self.longest_here = f64::INFINITY;
        if let Some((task, worker)) = self.running.remove(&ticket) {
            self.send(worker, ToWorker::Cancel { ticket });
            self.set_status(&task.run, Status::Queued);
            let ticket = self.number();
            self.waiting.push_front(RunTask { ticket, ..task });
            self.dispatch();
        }
    }

    /// Called when the log has been described or the search for stored results has ended. Starts the runs that were
    /// asked for meanwhile or, without any, all others.
    pub(super) fn begin_by_itself(&mut self) {
        let is_ready = self.is_described() && self.describing.is_none() && self.recalling.is_none();
        if is_ready && std::mem::take(&mut self.run_when_described) {
            self.run_all();
        } else {
            self.run_unasked();
        }
    }

    /// Whether the log is described as the study treats it.
    fn is_described(&self) -> bool {
        matches!(&self.log, LogState::Ready(described) if described.treatment == self.study.treatment)
    }

    /// Starts all runs without a result for the present settings. Runs that were cancelled, have failed or wait for a
    /// word are not started.
    pub(super) fn run_unasked(&mut self) {
        if !self.is_described() || self.recalling.is_some() {
            return;
        }
        if !std::mem::replace(&mut self.has_gone_on, true) {
            self.go_on();
        }
        let settings = RunSettings::of(&self.study);
        let is_due = |row: &&RunRow| !row.is_given_up() && (row.is_due(&settings) || self.is_to_check(row));
        let due: Vec<Run> = self.rows.iter().filter(is_due).map(|row| row.run.clone()).collect();
        let asks = self.study.asks_for_fair_starts();
        let asks_anew = !std::mem::replace(&mut self.asked_for_fair_starts, asks) && asks;
        if due.is_empty() && !asks_anew {
            return;
        }
        self.give_up_outdated();
        self.unasked_s = 0.0;
        if !due.is_empty() {
            self.enqueue(due, Wanted::Unasked);
        }
        if asks_anew {
            self.begin_lacking_fair_starts(Wanted::Unasked);
        }
    }

    /// Starts the runs that were under way when the page was left, once their log is here again.
    fn go_on(&mut self) {
        let Some((settings, runs)) = self.interrupted.take() else { return };
        if settings != RunSettings::of(&self.study) {
            return;
        }
        let is_due = |row: &&RunRow| row.is_due(&settings) && runs.contains(&row.run);
        let due: Vec<Run> = self.rows.iter().filter(is_due).map(|row| row.run.clone()).collect();
        if !due.is_empty() {
            self.order(QueueOrder::SayResumed(due.len()));
            self.enqueue(due, Wanted::Asked);
        }
    }

    /// Stops a run that takes long, until the user wants it: its worker takes the next. A result that is there stays.
    pub(super) fn hold(&mut self, run: &Run, seconds: Option<f64>) {
        self.give_up_fair_starts(run);
        self.drop_tasks(run);
        self.set_status(run, Status::Held { seconds });
        self.note_under_way();
    }

    /// Counts the time of a run that nobody has asked for. Once there was much of it, the runs that wait are held.
    pub(super) fn count_unasked(&mut self, wanted: Wanted, seconds: f64) {
        if wanted == Wanted::Asked {
            return;
        }
        self.unasked_s += seconds;
        if self.unasked_s < LONGEST_UNASKED * self.most_runners() as f64 {
            return;
        }
        let is_unasked = |task: &&RunTask| task.wanted == Wanted::Unasked;
        let waiting: Vec<Run> = self.waiting.iter().filter(is_unasked).map(|task| task.run.clone()).collect();
        for run in waiting {
            self.hold(&run, None);
        }
    }
}

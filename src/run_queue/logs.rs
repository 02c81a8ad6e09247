//! Logs: reading, describing, and forgetting them once another log has replaced them.

use super::event::{Opened, Origin};
use super::extras::LogExtras;
use super::protocol::{Encoded, FromWorker, LogId, Ticket, ToWorker};
use super::results::{DescribedLog, LogState};
use super::workers::{BackgroundNews, Role};
use super::{Attachment, OpenLog, QueueOrder, RunQueue, WorkerId};
use packfair_study::Source;
use packfair_workload::{Account, Summary};
use std::sync::Arc;

impl<B: Clone> RunQueue<B> {
    /// Called when another log is on its way to the page.
    pub(super) fn log_wanted(&mut self, name: String) {
        self.stop_reading();
        self.set_log(LogState::Loading { name, fraction: 0.0 });
    }

    /// Lets a worker begin to read or generate a log.
    pub(super) fn read_log(&mut self, name: String, origin: Origin<B>, beside: Encoded<LogExtras>) {
        self.log_wanted(name);
        let (worker, log) = (self.log_worker(), self.number());
        self.origins.insert(log, (origin, beside));
        self.loading = Some(log);
        self.give_log(worker, log);
    }

    /// Leaves the log: what is shown needs none.
    pub(super) fn leave_log(&mut self) {
        self.stop_reading();
        self.set_log(LogState::Absent);
    }

    /// Stops reading or describing a log, because another is wanted.
    fn stop_reading(&mut self) {
        self.describing = None;
        if let Some(log) = self.loading.take() {
            self.origins.remove(&log);
            if let Some(worker) = self.workers.of(Role::Logs) {
                self.send(worker, ToWorker::Forget { log });
            }
        }
    }

    pub(super) fn log_progressed(&mut self, log: LogId, part: f64) {
        if self.loading == Some(log)
            && let LogState::Loading { fraction, .. } = &mut self.log
        {
            *fraction = part;
            self.log_changed = true;
        }
    }

    /// Called when a log has been read. If it is the one that is awaited, it becomes the study's.
    pub(super) fn log_read(&mut self, message: FromWorker) {
        let FromWorker::Loaded {
            log,
            fingerprint,
            header,
            records,
            name,
            others,
            tells_starts,
            names_requested_times,
            is_table,
            given,
        } = message
        else {
            return;
        };
        if self.loading != Some(log) {
            return; // a worker that replaces one that has ended has read a log that is known
        }
        self.loading = None;
        let Some((origin, _)) = self.origins.get(&log).cloned() else { return };
        let (source, name, file) = match origin {
            Origin::File { name: file, content } => {
                (Source::Trace { name: name.clone(), fingerprint }, name, Some((file, content)))
            }
            Origin::Generator(generated) => (Source::Generated(generated.clone()), generated.name(), None),
        };
        self.kept.clear();
        self.open = Some(OpenLog { id: log, source: source.clone(), fingerprint, header, records, is_table });
        self.order(QueueOrder::Opened(Box::new(Opened {
            source,
            name,
            records,
            file,
            others,
            tells_starts,
            names_requested_times,
            given,
        })));
    }

    pub(super) fn log_taken(&mut self) {
        self.leave_series_of_others();
        self.give_up_outdated();
        if !self.background.is_empty() {
            self.tell_background(BackgroundNews::LogTaken);
        }
        self.forget_logs();
        self.describe();
    }

    /// Lets workers forget logs that no run uses any more.
    fn forget_logs(&mut self) {
        let open = self.open.as_ref().map(|open| open.id);
        let is_used =
            |log: LogId| Some(log) == open || self.loading == Some(log) || self.tasks().any(|task| task.log == log);
        let unused: Vec<LogId> = self.origins.keys().copied().filter(|&log| !is_used(log)).collect();
        for log in unused {
            self.send_to_all(&ToWorker::Forget { log });
            self.origins.remove(&log);
            self.packed.take_if(|packed| packed.log == log);
        }
    }

    /// Called when a log cannot be read.
    #[inline(never)]
    pub(super) fn log_failed(&mut self, log: LogId, message: String, may_go_on: bool) {
        if self.loading != Some(log) {
            return;
        }
        self.loading = None;
        self.origins.remove(&log);
        self.order(if may_go_on { QueueOrder::AwaitGoingOn } else { QueueOrder::ForgetFile });
        let name = match &self.log {
            LogState::Loading { name, .. } => name.clone(),
            _ => String::new(),
        };
        self.set_log(LogState::Failed { name, message, may_go_on });
    }

    /// Asks the log worker to describe the log after the study's treatment.
    pub(super) fn describe(&mut self) {
        let Some(log) = self.open.as_ref().map(|open| open.id) else { return };
        let (worker, ticket) = (self.log_worker(), self.number());
        self.describing = Some(ticket);
        self.give_log(worker, log);
        let treatment = self.study.treatment.clone();
        self.send(worker, ToWorker::Describe { ticket, log, treatment });
    }

    /// Takes the description of the log.
    pub(super) fn described(
        &mut self,
        ticket: Ticket,
        summary: Summary,
        unfiltered: Option<Box<Summary>>,
        account: Account,
    ) {
        if self.describing != Some(ticket) {
            return;
        }
        self.describing = None;
        self.longest_here = 0.0;
        let Some(open) = self.open.clone() else { return };
        let is_trace = matches!(open.source, Source::Trace { .. });
        self.set_log(LogState::Ready(Arc::new(DescribedLog {
            summary,
            unfiltered,
            account,
            header: open.header,
            fingerprint: is_trace.then_some(open.fingerprint),
            records: open.records,
            treatment: self.study.treatment.clone(),
            is_table: open.is_table,
        })));
        self.begin_by_itself();
    }

    /// Called when the log has no usable job after the present treatment.
    pub(super) fn description_failed(&mut self, message: String) {
        self.describing = None;
        let name = self.open.as_ref().map(|open| open.source.name()).unwrap_or_default();
        self.set_log(LogState::Failed { name, message, may_go_on: false });
    }

    /// Gives a log to a worker that does not have it.
    pub(super) fn give_log(&mut self, worker: WorkerId, log: LogId) {
        if self.workers.has_log(worker, log) {
            return;
        }
        match self.origins.get(&log).cloned() {
            Some((Origin::File { name, content }, beside)) => {
                self.send_with(worker, ToWorker::Load { log, name, beside }, Attachment::One(content));
            }
            Some((Origin::Generator(generated), beside)) => {
                self.send(worker, ToWorker::Generate { log, generated, beside });
            }
            // the worker will report that it has no such log
            None => {}
        }
    }
}

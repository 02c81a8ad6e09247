//! Runs the study on one log after the other.

use super::row::{LogState, RunRow};
use super::{QueueOrder, RunQueue};
use crate::study::Source;
use std::collections::VecDeque;

pub(super) struct LogSeries {
    next: VecDeque<Source>,
    at: Option<Source>,
    /// The log that was open when the series began; it is opened again at the end.
    home: Source,
}

impl<B: Clone> RunQueue<B> {
    /// Opens the logs one after the other, runs the study on each, and returns to the log that is open now.
    #[inline(never)]
    pub(super) fn begin_series(&mut self, logs: Vec<Source>) {
        if self.series.is_none() {
            self.series = Some(LogSeries { next: logs.into(), at: None, home: self.study.source.clone() });
            self.order(QueueOrder::ShowSeries);
        }
    }

    /// Ends the series, and the runs under way for it.
    #[inline(never)]
    pub(super) fn stop_series(&mut self) {
        if self.series.is_some() {
            self.cancel_all();
            self.end_series();
        }
    }

    /// Called when a log was opened. If it is not one of the series, the user wants this log now, and the series ends.
    pub(super) fn leave_series_of_others(&mut self) {
        let open = self.open.as_ref().map(|open| open.source.key());
        let at = self.series.as_ref().map(|series| series.at.as_ref().map(Source::key));
        if at.is_some_and(|at| at != open) {
            self.series = None;
            self.order(QueueOrder::ShowSeries);
        }
    }

    /// Goes on to the next log once all runs on this one have ended, or if it cannot be opened.
    pub(super) fn advance_series(&mut self) {
        if self.series.is_some() {
            self.go_to_next_log();
        }
    }

    #[inline(never)]
    fn go_to_next_log(&mut self) {
        while let Some(series) = &self.series {
            if series.at.as_ref().is_some_and(|at| !self.has_ended_on(at)) {
                return;
            }
            let Some(next) = self.series.as_mut().and_then(|series| {
                series.at = series.next.pop_front();
                series.at.clone()
            }) else {
                return self.end_series();
            };
            if next.key() == self.study.source.key() {
                self.run_all();
            } else {
                self.run_when_described = true;
                self.open(next);
            }
        }
    }

    /// Whether there is nothing more to wait for on this log of the series.
    fn has_ended_on(&self, log: &Source) -> bool {
        match self.log {
            LogState::Failed { .. } | LogState::Absent => true,
            LogState::Loading { .. } => false,
            LogState::Ready(_) => {
                self.open.as_ref().is_some_and(|open| open.source.key() == log.key())
                    && self.loading.is_none()
                    && self.describing.is_none()
                    && self.recalling.is_none()
                    && !self.run_when_described
                    && !self.rows.iter().any(RunRow::is_busy)
            }
        }
    }

    fn end_series(&mut self) {
        let Some(series) = self.series.take() else { return };
        self.run_when_described = false;
        self.order(QueueOrder::ShowSeries);
        if series.home.key() != self.study.source.key() {
            self.open(series.home);
        }
    }

    fn open(&mut self, log: Source) {
        self.set_log(LogState::Loading { name: log.name(), fraction: 0.0 });
        self.order(QueueOrder::Open(log));
    }
}

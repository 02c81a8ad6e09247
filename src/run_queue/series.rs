//! Runs the study on one log after the other.

use super::protocol::Ticket;
use super::results::{LogState, RunRow};
use super::workers::{BackgroundTask, BackgroundWork};
use super::{QueueOrder, RunQueue};
use packfair_study::query::{Answer, Query};
use packfair_study::{Source, Treatment};
use std::collections::VecDeque;
use std::ops::Range;

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

// Questions about runs that are not rows of the table: metrics of many, and draws of one. Runners answer the first in
// shares, of which the answers are put together.

/// The answer to a question that is no longer being answered.
pub(super) const STOPPED: &str = "It was stopped, or another question took its place. Ask again.";

pub(super) const NOT_LOADED: &str = "The log is not loaded. Drop it on the page again.";

/// The number of shares of a question for each runner: with several, the others wait less long for the last runner.
const SHARES: usize = 4;

/// A question that is divided among runners.
pub(super) struct SharedOut {
    pub(super) question: Ticket,
    query: Query,
    /// The number of jobs of the part that the runs are on; 0 until it is known.
    jobs: usize,
    /// The values that have arrived; `None` for a run without values.
    values: Vec<Option<Vec<Option<f64>>>>,
}

impl<B: Clone> RunQueue<B> {
    /// Divides a question among runners. The page loads the code in this file later (scripts/split), as it does for repeats.
    #[inline(never)]
    pub(super) fn share_out(&mut self, question: Ticket, query: Query) {
        let count = match &query {
            Query::Measured { runs, .. } => runs.len(),
            // the draws of a run are one share
            _ => 1,
        };
        let Some(log) = self.open.as_ref().map(|open| open.id) else {
            return self.give_answer(question, Err(NOT_LOADED.to_owned()));
        };
        let size = count.div_ceil(self.most_runners().max(1) * SHARES).max(1);
        let treatment = self.treatment_of_all(&query);
        // even without runs, the number of jobs is an answer
        for first in (0..count.max(1)).step_by(size) {
            let work = BackgroundWork::Share(question, first..(first + size).min(count));
            self.background.add(BackgroundTask { work, log, treatment: treatment.clone() });
        }
        self.measurings.push(SharedOut { question, query, jobs: 0, values: vec![None; count] });
        self.dispatch();
    }

    /// The treatment of the log before the runs of a question are measured: all of them are on one machine.
    fn treatment_of_all(&self, query: &Query) -> Treatment {
        let mut treatment = self.treatment_asked();
        let what_if = match query {
            Query::Measured { runs, .. } => runs.iter().find_map(|run| run.what_if.clone()),
            Query::Drawn { run, .. } => run.what_if.clone(),
            _ => None,
        };
        if what_if.is_some() {
            treatment.what_if = what_if;
        }
        treatment
    }

    /// The question about a share of the runs.
    pub(super) fn share_query(&self, question: Ticket, places: Range<usize>) -> Option<Query> {
        let mut query = self.measurings.iter().find(|shared| shared.question == question)?.query.clone();
        if let Query::Measured { runs, .. } = &mut query {
            *runs = runs[places].to_vec();
        }
        Some(query)
    }

    /// Takes the answer about a share; after the last one, the question is answered.
    pub(super) fn take_share(&mut self, question: Ticket, places: Range<usize>, answer: Answer) {
        let Some(at) = self.measurings.iter().position(|shared| shared.question == question) else { return };
        let Answer::Measured { jobs, values } = answer else {
            // that of draws is whole
            self.measurings.remove(at);
            return self.give_answer(question, Ok(answer));
        };
        let shared = &mut self.measurings[at];
        shared.jobs = jobs;
        for (place, values) in places.zip(values) {
            shared.values[place] = values;
        }
        if !self.background.work().any(|work| work.is_of_question(question)) {
            let SharedOut { jobs, values, .. } = self.measurings.remove(at);
            self.give_answer(question, Ok(Answer::Measured { jobs, values }));
        }
    }

    /// Ends questions: they cannot be answered, or need not be.
    #[inline(never)]
    pub(super) fn end_measurings(&mut self, message: &str, questions: &[Ticket]) {
        let ended = self.measurings.extract_if(.., |shared| questions.contains(&shared.question));
        let ended: Vec<Ticket> = ended.map(|shared| shared.question).collect();
        for question in ended {
            self.give_up_background(|work| work.is_of_question(question));
            self.give_answer(question, Err(message.to_owned()));
        }
    }
}

//! Questions about runs that are not rows of the table: metrics of many, and draws of one. Runners answer the first in
//! shares, of which the answers are put together.

use super::RunQueue;
use super::background::{BackgroundTask, BackgroundWork};
use super::protocol::Ticket;
use packfair_study::Treatment;
use packfair_study::query::{Answer, Query};
use std::ops::Range;

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

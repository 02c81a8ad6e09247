//! Questions about runs that are not rows of the table: metrics of many, and draws of one. Runners answer them after all
//! other runs and repeats; the first in shares, of which the answers are put together.

use super::protocol::{LogId, Ticket, ToWorker};
use super::{RunQueue, WorkerId};
use packfair_study::query::{Answer, Query};
use packfair_study::{Run, Treatment};
use std::collections::HashMap;
use std::ops::Range;

/// The answer to a question that is no longer being answered.
pub(super) const STOPPED: &str = "It was stopped, or another question took its place. Ask again.";

pub(super) const NOT_LOADED: &str = "The log is not loaded. Drop it on the page again.";

/// The number of shares of a question for each runner: with several, the others wait less long for the last runner.
const SHARES: usize = 4;

pub(super) enum MeasuringNews {
    Queried(Ticket, Query),
    /// The answers to these questions are no longer needed.
    NotWanted(Vec<Ticket>),
    Idle,
    /// A worker has measured its share.
    Received(Ticket, Answer),
    /// A worker could not carry out its task, and why. `None`: the workload could not be made.
    Failed(Option<Ticket>, String),
}

/// A question that is divided among runners.
pub(super) struct SharedOut {
    question: Ticket,
    query: Query,
    log: LogId,
    treatment: Treatment,
    /// The ranges of runs that no worker has yet, the next one last.
    waiting: Vec<Range<usize>>,
    running: HashMap<Ticket, (Range<usize>, WorkerId)>,
    /// The number of jobs of the part that the runs are on; 0 until it is known.
    jobs: usize,
    /// The values that have arrived; `None` for a run without values.
    values: Vec<Option<Vec<Option<f64>>>>,
}

impl SharedOut {
    /// The question about a share of the runs.
    fn share(&self, places: Range<usize>) -> Query {
        let mut query = self.query.clone();
        if let Query::Measured { runs, .. } = &mut query {
            *runs = runs[places].to_vec();
        }
        query
    }
}

impl<B: Clone> RunQueue<B> {
    /// Handles news about such questions. This is the only entry to the code in this file, as it is for repeats, so
    /// that the page can load the code later (scripts/split).
    #[inline(never)]
    pub(super) fn tell_measurings(&mut self, news: MeasuringNews) {
        let open = self.open.as_ref().map(|open| open.id);
        self.end_measurings(NOT_LOADED, |shared| Some(shared.log) != open);
        match news {
            MeasuringNews::Queried(question, query) => self.share_out(question, query),
            MeasuringNews::NotWanted(questions) => {
                self.end_measurings(STOPPED, |shared| questions.contains(&shared.question));
            }
            MeasuringNews::Idle => self.dispatch_measurings(),
            MeasuringNews::Received(ticket, answer) => self.take_share(ticket, answer),
            MeasuringNews::Failed(ticket, message) => {
                let has_failed = |shared: &SharedOut| ticket.is_none_or(|ticket| shared.running.contains_key(&ticket));
                self.end_measurings(&message, has_failed);
            }
        }
    }

    fn share_out(&mut self, question: Ticket, query: Query) {
        let count = match &query {
            Query::Measured { runs, .. } => runs.len(),
            // the draws of a run are one share
            _ => 1,
        };
        let Some(log) = self.open.as_ref().map(|open| open.id) else {
            return self.give_answer(question, Err(NOT_LOADED.to_owned()));
        };
        let size = count.div_ceil(self.most_runners().max(1) * SHARES).max(1);
        let mut waiting: Vec<Range<usize>> =
            (0..count).step_by(size).map(|first| first..(first + size).min(count)).collect();
        if waiting.is_empty() {
            waiting.push(0..0); // even without runs, the number of jobs is an answer
        }
        waiting.reverse();
        let treatment = self.treatment_of_all(&query);
        let (running, values) = (HashMap::new(), vec![None; count]);
        self.measurings.push(SharedOut { question, query, log, treatment, waiting, running, jobs: 0, values });
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

    /// Gives shares to idle runners, once all runs and repeats have one.
    fn dispatch_measurings(&mut self) {
        if !self.waiting.is_empty() || self.has_trials_waiting() || self.has_repeats_waiting() {
            return;
        }
        while let Some(at) = self.measurings.iter().position(|shared| !shared.waiting.is_empty()) {
            let (log, treatment) = (self.measurings[at].log, self.measurings[at].treatment.clone());
            let Some(worker) = self.runner_for(log, treatment.clone()) else { return };
            self.give_workload_of(worker, log, treatment.clone());
            let ticket = self.number();
            let shared = &mut self.measurings[at];
            let Some(places) = shared.waiting.pop() else { return };
            let query = shared.share(places.clone());
            shared.running.insert(ticket, (places, worker));
            let schedules: Vec<(Run, String)> = Vec::new();
            self.send(worker, ToWorker::Ask { ticket, log, treatment, schedules, query });
        }
    }

    fn take_share(&mut self, ticket: Ticket, answer: Answer) {
        let Some(at) = self.measurings.iter().position(|shared| shared.running.contains_key(&ticket)) else { return };
        let shared = &mut self.measurings[at];
        let Some((places, _)) = shared.running.remove(&ticket) else { return };
        let Answer::Measured { jobs, values } = answer else {
            // that of draws is whole
            let question = self.measurings.remove(at).question;
            return self.give_answer(question, Ok(answer));
        };
        shared.jobs = jobs;
        for (place, values) in places.zip(values) {
            shared.values[place] = values;
        }
        if shared.waiting.is_empty() && shared.running.is_empty() {
            let SharedOut { question, jobs, values, .. } = self.measurings.remove(at);
            self.give_answer(question, Ok(Answer::Measured { jobs, values }));
        }
    }

    /// Ends the questions for which `is_ended` holds: they cannot be answered, or need not be.
    fn end_measurings(&mut self, message: &str, is_ended: impl Fn(&SharedOut) -> bool) {
        let (ended, others) = std::mem::take(&mut self.measurings).into_iter().partition(is_ended);
        self.measurings = others;
        let ended: Vec<SharedOut> = ended;
        for shared in ended {
            let mut running: Vec<(Ticket, WorkerId)> =
                shared.running.into_iter().map(|(ticket, (_, worker))| (ticket, worker)).collect();
            running.sort_unstable();
            for (ticket, worker) in running {
                self.send(worker, ToWorker::Cancel { ticket });
            }
            self.give_answer(shared.question, Err(message.to_owned()));
        }
    }
}

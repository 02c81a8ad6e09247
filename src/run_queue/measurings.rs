//! Questions for metrics of many runs that are no rows of the table: given to runners in shares, behind all other runs and
//! repeats, and put together.

use super::protocol::{LogId, Ticket, ToWorker};
use super::questions::{NOT_LOADED, STOPPED};
use super::{RunQueue, WorkerId};
use crate::study::query::{Answer, Query};
use crate::study::{Run, Treatment};
use std::collections::HashMap;
use std::ops::Range;

/// How many shares each runner gets of a question: with several the last runner keeps the others waiting for less long.
const SHARES: usize = 4;

/// What concerns such questions.
pub(super) enum MeasuringNews {
    /// One is asked.
    Asked(Ticket, Query),
    /// The answer to one is of no use any more.
    TakenBack(Query),
    /// The answers to these are of no use any more.
    NotWanted(Vec<Ticket>),
    /// All other runs have a worker.
    Idle,
    /// A worker has measured its share.
    Came(Ticket, Answer),
    /// A worker could not do what it was told, and why; none: the workload could not be made.
    Failed(Option<Ticket>, String),
}

/// A question that runners are at.
pub(super) struct SharedOut {
    question: Ticket,
    query: Query,
    log: LogId,
    treatment: Treatment,
    /// Places of runs that no worker has yet, the next ones last.
    waiting: Vec<Range<usize>>,
    /// Those that workers are at.
    running: HashMap<Ticket, (Range<usize>, WorkerId)>,
    /// Jobs of the part that the runs are on; 0 as long as that is not known.
    jobs: usize,
    /// What has come; no values where a run has none.
    values: Vec<Option<Vec<Option<f64>>>>,
}

impl SharedOut {
    /// The question of a share.
    fn share(&self, places: Range<usize>) -> Query {
        let mut query = self.query.clone();
        if let Query::Measured { runs, .. } = &mut query {
            *runs = runs[places].to_vec();
        }
        query
    }
}

impl<B: Clone> RunQueue<B> {
    /// Takes in what concerns such questions. All of it is here, behind one door, as with repeats: the page loads it later
    /// (scripts/split).
    #[inline(never)]
    pub(super) fn tell_measurings(&mut self, news: MeasuringNews) {
        let open = self.open.as_ref().map(|open| open.id);
        self.end_measurings(NOT_LOADED, |shared| Some(shared.log) != open);
        match news {
            MeasuringNews::Asked(question, query) => self.share_out(question, query),
            MeasuringNews::TakenBack(query) => self.end_measurings(STOPPED, |shared| shared.query == query),
            MeasuringNews::NotWanted(questions) => {
                self.end_measurings(STOPPED, |shared| questions.contains(&shared.question));
            }
            MeasuringNews::Idle => self.dispatch_measurings(),
            MeasuringNews::Came(ticket, answer) => self.take_share(ticket, answer),
            MeasuringNews::Failed(ticket, message) => {
                let has_failed = |shared: &SharedOut| ticket.is_none_or(|ticket| shared.running.contains_key(&ticket));
                self.end_measurings(&message, has_failed);
            }
        }
    }

    fn share_out(&mut self, question: Ticket, query: Query) {
        let count = if let Query::Measured { runs, .. } = &query { runs.len() } else { 0 };
        let Some(log) = self.open.as_ref().map(|open| open.id) else {
            return self.give_answer(question, Err(NOT_LOADED.to_owned()));
        };
        let size = count.div_ceil(self.most_runners().max(1) * SHARES).max(1);
        let mut waiting: Vec<Range<usize>> =
            (0..count).step_by(size).map(|first| first..(first + size).min(count)).collect();
        if waiting.is_empty() {
            waiting.push(0..0); // how many jobs there are is an answer, too
        }
        waiting.reverse();
        let treatment = self.treatment_of_all(&query);
        let (running, values) = (HashMap::new(), vec![None; count]);
        self.measurings.push(SharedOut { question, query, log, treatment, waiting, running, jobs: 0, values });
        self.dispatch();
    }

    /// What is done to the log before the runs of a question are measured: they are all on one machine.
    fn treatment_of_all(&self, query: &Query) -> Treatment {
        let mut treatment = self.treatment_asked();
        if let Query::Measured { runs, .. } = query
            && let Some(what_if) = runs.iter().find_map(|run| run.what_if.clone())
        {
            treatment.what_if = Some(what_if);
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
        // a worker says nothing else to this question
        let Answer::Measured { jobs, values } = answer else { return };
        shared.jobs = jobs;
        for (place, values) in places.zip(values) {
            shared.values[place] = values;
        }
        if shared.waiting.is_empty() && shared.running.is_empty() {
            let SharedOut { question, jobs, values, .. } = self.measurings.remove(at);
            self.give_answer(question, Ok(Answer::Measured { jobs, values }));
        }
    }

    /// Ends questions that cannot be answered, or need not be.
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

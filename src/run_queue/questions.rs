//! Questions about schedules, which the log worker answers.

use super::protocol::{LogId, ScheduleKey, Ticket, ToWorker};
use super::results::RunOutcome;
use super::searching::SearchRequest;
use super::series::{NOT_LOADED, STOPPED};
use super::{Attachment, QueueOrder, RunQueue};
use packfair_study::query::{Answer, Query};
use packfair_study::{Run, Treatment};
use std::sync::Arc;

pub(super) struct Preparing {
    question: Ticket,
    query: Query,
    log: LogId,
    treatment: Treatment,
    schedules: Vec<(Run, ScheduleKey)>,
    /// The schedules that have not arrived yet.
    missing: Vec<ScheduleKey>,
}

impl<B: Clone> RunQueue<B> {
    #[inline(never)]
    pub(super) fn ask(&mut self, question: Ticket, query: Query) {
        if query.is_for_runners() {
            return self.share_out(question, query);
        }
        match self.prepare(question, query) {
            Ok(preparing) => {
                self.preparing.push(preparing);
                self.pose();
            }
            Err(message) => self.give_answer(question, Err(message)),
        }
    }

    fn prepare(&self, question: Ticket, query: Query) -> Result<Preparing, String> {
        let outcomes = query.runs().map(|run| self.result_of(run)).collect::<Result<Vec<_>, _>>()?;
        let first = outcomes.first();
        let treatment = first.map_or_else(|| self.treatment_asked(), |outcome| outcome.treatment());
        let source = first.map(|outcome| outcome.settings.source.key());
        let is_of_same = |outcome: &Arc<RunOutcome>| {
            outcome.treatment() == treatment && Some(outcome.settings.source.key()) == source
        };
        if !outcomes.iter().all(is_of_same) {
            return Err("These results are of different workloads: choose those of one shrinking factor and one partition, or run the stale one again.".to_owned());
        }
        let open = self.open.as_ref().filter(|open| source.as_ref().is_none_or(|key| *key == open.source.key()));
        let log = open.map(|open| open.id).ok_or(NOT_LOADED)?;
        let keyed = |outcome: &Arc<RunOutcome>| {
            let run = outcome.report.run.clone();
            let key = outcome.settings.key(&run);
            (run, key)
        };
        let schedules: Vec<(Run, ScheduleKey)> = outcomes.iter().map(keyed).collect();
        Ok(Preparing { question, query, log, treatment, schedules, missing: Vec::new() })
    }

    fn result_of(&self, run: &Run) -> Result<Arc<RunOutcome>, String> {
        let found = self.row(run).and_then(|row| row.result.clone());
        let outcome = found.ok_or_else(|| format!("{} has no result yet.", run.scheduler.name()))?;
        if outcome.has_schedule {
            Ok(outcome)
        } else {
            Err("A shared result holds no schedule. Drop the log and run it again.".to_owned())
        }
    }

    /// Called when a schedule has arrived or cannot be had; questions may wait for it.
    #[inline(never)]
    pub(super) fn schedule_for_questions(&mut self, key: &ScheduleKey, schedule: &Result<B, String>) {
        let waiting = self.preparing.iter_mut().filter(|preparing| preparing.missing.contains(key));
        let mut questions = Vec::new();
        for preparing in waiting {
            preparing.missing.retain(|missing| missing != key);
            questions.push(preparing.question);
        }
        if questions.is_empty() {
            return;
        }
        match schedule {
            Ok(schedule) => self.keep(key, schedule.clone()),
            Err(message) => {
                self.preparing.retain(|preparing| !questions.contains(&preparing.question));
                for question in questions {
                    self.give_answer(question, Err(message.clone()));
                }
            }
        }
        self.pose();
    }

    fn keep(&mut self, key: &ScheduleKey, schedule: B) {
        let Some(log) = self.open.as_ref().map(|open| open.id) else { return };
        if self.kept.insert(key.clone()) {
            let worker = self.log_worker();
            self.send_with(worker, ToWorker::Keep { log, key: key.clone() }, Attachment::One(schedule));
        }
    }

    /// Sends the questions whose schedules are all available to the log worker.
    fn pose(&mut self) {
        while let Some(at) = self.preparing.iter().position(|preparing| preparing.missing.is_empty()) {
            let mut preparing = self.preparing.remove(at);
            if self.open.as_ref().is_none_or(|open| open.id != preparing.log) {
                self.give_answer(preparing.question, Err(NOT_LOADED.to_owned()));
                continue;
            }
            // meanwhile the log worker may have ended, and schedules may have moved to the browser's storage
            preparing.missing = self.out_of_reach(&preparing.schedules);
            if preparing.missing.is_empty() {
                self.send_question(preparing);
            } else {
                for key in preparing.missing.clone() {
                    self.fetch(key);
                }
                self.preparing.push(preparing);
            }
        }
    }

    /// The schedules that neither the log worker nor the page has.
    fn out_of_reach(&self, schedules: &[(Run, ScheduleKey)]) -> Vec<ScheduleKey> {
        let is_missing = |key: &&ScheduleKey| !self.kept.contains(*key) && !self.schedules.contains_key(*key);
        schedules.iter().map(|(_, key)| key).filter(is_missing).cloned().collect()
    }

    fn send_question(&mut self, preparing: Preparing) {
        let Preparing { question, query, log, treatment, schedules, .. } = preparing;
        for (_, key) in &schedules {
            if let Some(schedule) = self.schedules.get(key).map(|(_, schedule)| schedule.clone()) {
                self.keep(key, schedule);
            }
        }
        self.stop_superseded(&query);
        let worker = self.log_worker();
        self.queries.push((question, query.clone()));
        self.give_log(worker, log);
        self.send(worker, ToWorker::Ask { ticket: question, log, treatment, schedules, query });
    }

    /// Stops those answers that take as long as a run and that nobody wants once this question is asked.
    fn stop_superseded(&mut self, query: &Query) {
        let stopped: Vec<Ticket> = self
            .queries
            .extract_if(.., |(_, earlier)| earlier.takes_a_run() && query.supersedes(earlier))
            .map(|(question, _)| question)
            .collect();
        for ticket in stopped {
            let worker = self.log_worker();
            self.send(worker, ToWorker::Cancel { ticket });
            self.give_answer(ticket, Err(STOPPED.to_owned()));
        }
    }

    pub(super) fn is_asked(&self, ticket: Ticket) -> bool {
        self.queries.iter().any(|(question, _)| *question == ticket)
    }

    /// Passes on the log worker's answer, or the reason why there is none.
    #[inline(never)]
    pub(super) fn answer(&mut self, ticket: Ticket, answer: Result<Answer, String>) {
        if self.queries.extract_if(.., |(question, _)| *question == ticket).next().is_some() {
            self.give_answer(ticket, answer);
        }
    }

    /// Answers all questions of the log worker with `message`, because the worker has ended.
    #[inline(never)]
    pub(super) fn answer_all(&mut self, message: &str) {
        for (question, _) in std::mem::take(&mut self.queries) {
            self.give_answer(question, Err(message.to_owned()));
        }
    }

    pub(super) fn give_answer(&mut self, question: Ticket, answer: Result<Answer, String>) {
        if self.searching.as_ref().is_some_and(|searching| searching.has_asked(question)) {
            return self.tell_search(SearchRequest::Received(question, Box::new(answer)));
        }
        self.order(QueueOrder::Answer { question, answer: Box::new(answer) });
    }
}

//! Questions about schedules.

use crate::app::prelude::*;
use crate::app::protocol::{FromWorker, ScheduleKey, ToWorker};
use crate::app::state::{App, Outcome, Row};
use crate::app::store;
use crate::study::query::{Answer, Query};
use crate::study::{Rules, Run};
use futures_channel::oneshot;
use js_sys::Uint8Array;
use std::sync::Arc;
use wasm_bindgen::JsValue;

impl App {
    /// Asks about schedules; the answer comes from a worker.
    ///
    /// # Errors
    /// In words for a person: no result yet, the log is not there.
    pub async fn ask(self, query: Query) -> Result<Answer, String> {
        let outcomes = query.runs().map(|run| self.outcome(run)).collect::<Result<Vec<_>, _>>()?;
        let treatment = match outcomes.first() {
            Some(outcome) => outcome.treatment(),
            None => self.study.get_untracked().treatment,
        };
        let source = outcomes.first().map(|outcome| outcome.basis.source.key());
        let comparable = |o: &Arc<Outcome>| o.treatment() == treatment && Some(o.basis.source.key()) == source;
        if !outcomes.iter().all(comparable) {
            return Err("These results are of different workloads: choose those of one shrinking factor, or run the stale one again.".into());
        }
        let keys = outcomes.iter().map(|outcome| outcome.basis.key(&outcome.report.run)).collect::<Vec<_>>();
        for key in &keys {
            self.hand_over(key).await?;
        }
        let schedules = outcomes.iter().map(|outcome| outcome.report.run.clone()).zip(keys).collect();
        let (sender, receiver) = oneshot::channel();
        self.with_engine(|engine| {
            let log = engine.open.as_ref().filter(|open| source.as_ref().is_none_or(|key| *key == open.source.key()));
            let log = log.map(|open| open.id).ok_or("The log is not loaded. Drop it on the page again.")?;
            let desk = engine.pool.desk()?;
            let ticket = engine.number();
            engine.long_questions.retain(|(before, _)| engine.questions.contains_key(before));
            for (before, _) in engine.long_questions.extract_if(.., |(_, earlier)| query.supersedes(earlier)) {
                engine.questions.remove(&before);
                engine.pool.send(desk, &ToWorker::Cancel { ticket: before }, &JsValue::UNDEFINED);
            }
            if query.takes_a_run() {
                engine.long_questions.push((ticket, query.clone()));
            }
            engine.questions.insert(ticket, sender);
            engine.give_log(desk, log);
            let message = ToWorker::Ask { ticket, log, treatment, schedules, query };
            engine.pool.send(desk, &message, &JsValue::UNDEFINED);
            Ok::<_, String>(())
        })?;
        match receiver.await {
            Ok(Ok(FromWorker::Answered { answer, .. })) => Ok(answer),
            Ok(Ok(_)) => Err("The question was lost. Ask again.".into()),
            Err(_) => Err("It was stopped, or another question took its place. Ask again.".into()),
            Ok(Err(message)) => Err(message),
        }
    }

    /// Takes a question back that is not answered yet.
    pub fn take_back(self, query: &Query) {
        self.with_engine(|engine| {
            let Ok(desk) = engine.pool.desk() else { return };
            for (ticket, _) in engine.long_questions.extract_if(.., |(_, asked)| asked == query) {
                engine.questions.remove(&ticket);
                engine.pool.send(desk, &ToWorker::Cancel { ticket }, &JsValue::UNDEFINED);
            }
        });
    }

    /// The rules by which the schedule of a run was made, where there is one.
    pub fn rules_of(self, run: &Run) -> Option<Rules> {
        self.rows.with(|rows| rows.iter().find(|row| row.run == *run)?.result.as_ref().map(|result| result.basis.rules))
    }

    fn outcome(self, run: &Run) -> Result<Arc<Outcome>, String> {
        let found = self.rows.with_untracked(|rows| {
            let row: Option<&Row> = rows.iter().find(|row| row.run == *run);
            row.and_then(|row| row.result.clone())
        });
        let outcome = found.ok_or_else(|| format!("{} has no result yet.", run.scheduler.name()))?;
        if outcome.has_schedule {
            Ok(outcome)
        } else {
            Err("A shared result holds no schedule. Drop the log and run it again.".into())
        }
    }

    /// Sees to it that the desk has a schedule.
    async fn hand_over(self, key: &ScheduleKey) -> Result<(), String> {
        if self.with_engine(|engine| engine.kept.contains(key)) {
            return Ok(());
        }
        let at_hand = self.with_engine(|engine| engine.schedules.get(key).cloned());
        let schedule: Uint8Array = match at_hand {
            Some(schedule) => schedule,
            None => store::schedule(key).await?.ok_or("The schedule is not stored any more. Run it again.")?,
        };
        self.with_engine(|engine| {
            let log = engine.open.as_ref().map(|open| open.id).ok_or("The log is not loaded.")?;
            let desk = engine.pool.desk()?;
            engine.pool.send(desk, &ToWorker::Keep { log, key: key.clone() }, &schedule);
            engine.kept.insert(key.clone());
            Ok(())
        })
    }
}

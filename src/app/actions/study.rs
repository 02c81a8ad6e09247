//! Changing what is asked.

use crate::app::engine::Task;
use crate::app::prelude::*;
use crate::app::state::{App, Basis, RecentStudy, Row, Status};
use crate::app::store;
use crate::study::{Run, Study, advice};
use leptos::task::spawn_local;
use std::sync::Arc;
use std::time::Duration;

/// How long remembered results are waited for before they are computed anew.
const RECALL_PATIENCE: Duration = Duration::from_millis(400);

impl App {
    /// Changes the study; rows follow, results that still hold are kept.
    pub fn edit(self, change: impl FnOnce(&mut Study) + 'static) {
        let before = self.study.get_untracked();
        let mut after = before.clone();
        change(&mut after);
        if after == before {
            return;
        }
        let treated_anew = after.treatment != before.treatment;
        self.study.set(after);
        self.follow_study();
        if treated_anew {
            self.describe();
        }
    }

    /// Replaces the study (recipe, opened file) on the active log; can be undone.
    pub fn replace_study(self, mut study: Study, why: String) {
        let before = self.study.get_untracked();
        let moved = advice::transfer(&mut study, &before.source);
        if study == before {
            return;
        }
        let why = moved.map_or(why.clone(), |moved| format!("{why} {moved}"));
        self.remember_study();
        self.edit(move |s| *s = study);
        self.notify(
            why,
            Some(Callback::new(move |()| {
                let before = before.clone();
                self.edit(move |s| *s = Study { source: s.source.clone(), ..before });
            })),
        );
    }

    /// Takes a row out of the table; can be undone.
    pub fn remove_row(self, run: Run) {
        self.cancel(run.clone());
        let name = format!("{} with {}", run.scheduler.name(), run.estimate);
        let back = run.clone();
        self.edit(move |study| study.removed.push(run));
        self.notify(
            format!("{name} was taken out."),
            Some(Callback::new(move |()| {
                let back = back.clone();
                self.edit(move |study| study.removed.retain(|r| *r != back));
            })),
        );
    }

    /// Puts the study on screen among the recent ones.
    pub(super) fn remember_study(self) {
        let study = self.study.get_untracked();
        self.save_recent(Some(RecentStudy { study, left_at: js_sys::Date::now() }));
    }

    /// Opens a recent study, with its log where that is still remembered.
    pub fn open_recent(self, recent: RecentStudy) {
        self.remember_study();
        let source = recent.study.source.clone();
        let same_log = source == self.study.get_untracked().source;
        self.study.set(recent.study);
        self.shared.set(None);
        self.left.set(None);
        self.follow_study();
        if same_log { self.describe() } else { self.open(source) }
    }

    /// Makes the rows those of the study, each with its latest result, and remembers the study.
    pub(super) fn follow_study(self) {
        self.save_session();
        let study = self.study.get_untracked();
        let basis = Basis::of(&study);
        let is_changed = self.with_engine(|engine| engine.followed.replace(basis.clone()) != Some(basis.clone()));
        if self.with_engine(|engine| engine.tasks().next().is_some()) {
            self.abandon_outdated();
        }
        let old = self.rows.get_untracked();
        let mut missing = Vec::new();
        let rows = study.runs().into_iter().map(|run| {
            let mut row = old.iter().find(|row| row.run == run).cloned().unwrap_or(Row {
                run,
                status: Status::Idle,
                result: None,
            });
            // with other settings it may end otherwise
            if is_changed && matches!(row.status, Status::Cancelled | Status::Failed(_)) {
                row.status = Status::Idle;
            }
            // no number of one log stands under the name of another
            if row.result.as_ref().is_some_and(|result| result.basis.source.key() != study.source.key()) {
                row.result = None;
                row.status = if row.is_busy() { row.status } else { Status::Idle };
            }
            if row.result.as_ref().is_none_or(|result| result.basis != basis) {
                let key = basis.key(&row.run);
                match self.with_engine(|engine| engine.outcomes.get(&key).cloned()) {
                    Some(outcome) => {
                        row.result = Some(outcome);
                        row.status = Status::Done;
                    }
                    None => missing.push((key, row.run.clone())),
                }
            }
            row
        });
        let rows = rows.collect::<Vec<_>>();
        self.rows.set(rows);
        if missing.is_empty() {
            return self.run_if_quick();
        }
        let number = self.with_engine(|engine| {
            let number = engine.number();
            *engine.recalling.insert(number)
        });
        // a database that does not answer keeps nobody waiting
        let ended = move || {
            if self.with_engine(|engine| engine.recalling.take_if(|latest| *latest == number)).is_some() {
                self.run_if_quick();
            }
        };
        set_timeout(ended, RECALL_PATIENCE);
        spawn_local(async move {
            self.recall(basis, missing).await;
            ended();
        });
    }

    /// Finds remembered results.
    async fn recall(self, basis: Basis, missing: Vec<(String, Run)>) {
        let keys = missing.iter().map(|(key, _)| key.clone()).collect();
        // where nothing can be remembered, nothing is found
        for (key, report) in store::reports(keys).await.unwrap_or_default() {
            let is_asked = missing.iter().any(|(k, run)| *k == key && *run == report.run);
            // what was computed meanwhile is newer, and may tell more; what is being computed will be
            let is_old = self.with_engine(|engine| {
                let is_this = |task: &Task| task.run == report.run && task.basis == basis;
                engine.outcomes.contains_key(&key) || engine.tasks().any(is_this)
            });
            if is_asked && !is_old {
                self.take_result(key, basis.clone(), report);
            }
        }
    }

    /// A result is there: it is kept, and shown where it belongs.
    pub(super) fn take_result(self, key: String, basis: Basis, report: crate::study::RunReport) {
        let run = report.run.clone();
        let outcome = Arc::new(crate::app::state::Outcome { basis, report, has_schedule: true });
        self.with_engine(|engine| engine.outcomes.insert(key, outcome.clone()));
        let present = Basis::of(&self.study.get_untracked());
        self.rows.update(|rows| {
            for row in rows.iter_mut().filter(|row| row.run == run) {
                let better =
                    outcome.basis == present || row.result.as_ref().is_none_or(|result| result.basis != present);
                if better {
                    row.result = Some(outcome.clone());
                    row.status = Status::Done;
                }
            }
        });
        self.judge_shared();
    }
}

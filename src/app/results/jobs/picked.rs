//! Keeps the picked job up to date with the runs and the log that are shown.

use super::choice::JobsChoice;
use crate::address::Picked;
use crate::app::prelude::*;
use crate::app::state::{App, DescribedLog};
use crate::study::Run;
use crate::study::query::{Answer, JobField, JobsQuery, Query};
use crate::workload::JobId;
use leptos::task::spawn_local;
use std::sync::Arc;

/// How many jobs with the same number are searched.
const SAME_NUMBER: usize = 100;

/// Asks about the picked job again when other runs are shown, and drops it when the log changes.
pub fn follow(app: App, choice: JobsChoice, runs: Memo<Vec<Run>>, log: Memo<Option<Arc<DescribedLog>>>) {
    Effect::watch(move || log.track(), move |(), _, _| choice.picked.set(None), false);
    Effect::watch(
        move || runs.get(),
        move |runs, _, _| {
            if let Some(picked) = choice.picked.get_untracked() {
                ask_again(app, choice, picked.job, picked.request.number, runs.clone());
            }
        },
        // immediately: the log may have changed while another tab was shown
        true,
    );
    Effect::new(move |_| {
        if let Some(wanted) = choice.wanted.get().filter(|_| log.with(Option::is_some)) {
            look_for(app, choice, wanted, runs.get());
        }
    });
}

fn look_for(app: App, choice: JobsChoice, wanted: Picked, runs: Vec<Run>) {
    // exactly the jobs with a lower index were submitted before this one
    let (search, sort, first, count) = match wanted.job {
        Some(JobId(index)) => (String::new(), JobField::Submit, index as usize, 1),
        None => (wanted.number.to_string(), JobField::Number, 0, 1),
    };
    let query = JobsQuery { search, sort: sort.into(), descending: false, first, count, runs };
    spawn_local(async move {
        let found = match app.ask(Query::Jobs(query)).await {
            Ok(Answer::Jobs { rows, .. }) => rows.into_iter().next(),
            // the table asks the same query and shows why it cannot be answered
            _ => None,
        };
        // another job may have been picked meanwhile
        if choice.wanted.get_untracked() == Some(wanted) {
            choice.picked.set(found);
            choice.wanted.set(None);
        }
    });
}

fn ask_again(app: App, choice: JobsChoice, job: JobId, number: i64, runs: Vec<Run>) {
    let query = JobsQuery {
        search: number.to_string(),
        sort: JobField::Number.into(),
        descending: false,
        first: 0,
        count: SAME_NUMBER,
        runs,
    };
    spawn_local(async move {
        // the table asks the same query and shows why it cannot be answered
        let Ok(Answer::Jobs { rows, .. }) = app.ask(Query::Jobs(query)).await else { return };
        let found = rows.into_iter().find(|row| row.job == job);
        // another job may have been picked meanwhile
        if choice.picked.with_untracked(|picked| picked.as_ref().is_some_and(|p| p.job == job)) {
            choice.picked.set(found);
        }
    });
}

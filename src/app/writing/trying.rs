//! Tries a script on the first jobs of the log while it is being typed.

use super::ScriptDraft;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::catalogue::Script;
use crate::estimator::{Estimate, Method};
use crate::scheduler::Policy;
use crate::study::Run;
use crate::study::query::{Answer, Query};
use crate::study::script_trial::{ScriptTrial, TRIED_JOBS, TrialFault};
use leptos::task::spawn_local;
use std::time::Duration;

/// The pause in typing after which the script is tried.
const PAUSE: Duration = Duration::from_millis(400);

#[derive(Clone, Debug, PartialEq)]
pub enum TrialState {
    UnderWay,
    Ended(Box<ScriptTrial>),
    /// There is no trial, and why.
    None(TrialFault),
}

impl TrialState {
    /// The line with an error.
    pub fn wrong_line(&self) -> Option<u32> {
        match self {
            TrialState::UnderWay => None,
            TrialState::Ended(trial) => trial.outcome.as_ref().err().and_then(|fault| fault.line),
            TrialState::None(fault) => fault.line,
        }
    }
}

/// The results of trying the draft, which is tried again after each change.
pub fn try_while_typing(app: App, draft: RwSignal<ScriptDraft>) -> RwSignal<TrialState> {
    let state = RwSignal::new(TrialState::UnderWay);
    let latest = StoredValue::new(0_u32);
    Effect::new(move |_| {
        let ScriptDraft { name, text, .. } = draft.get();
        let Some(number) = latest.try_update_value(|latest| {
            *latest += 1;
            *latest
        }) else {
            return;
        };
        // the dialog may be closed by then
        let is_latest = move || latest.try_get_value() == Some(number);
        set_timeout(
            move || {
                if !is_latest() {
                    return;
                }
                state.set(TrialState::UnderWay);
                spawn_local(async move {
                    let outcome = tried(app, &name, &text).await;
                    if is_latest() {
                        let _ = state.try_set(outcome);
                    }
                });
            },
            PAUSE,
        );
    });
    state
}

async fn tried(app: App, name: &str, text: &str) -> TrialState {
    let none = |message: String| TrialState::None(TrialFault { line: None, message });
    let policy = match Script::new(name, text) {
        Ok(script) => Policy::of_script(script),
        Err(error) => return none(format!("{error}.")),
    };
    let query = app.study.with_untracked(|study| {
        let method = study.methods.first().cloned().unwrap_or_else(Method::requested);
        let k = study.distortions.first().copied().unwrap_or(1.0);
        let run = Run::new(policy, Estimate { method, k });
        Query::Tried { run, rules: study.rules(), measure: study.measure.clone(), jobs: TRIED_JOBS }
    });
    match app.ask(query).await {
        Ok(Answer::Tried(trial)) => TrialState::Ended(trial),
        Ok(_) => none("The answer was lost. Change something to try again.".to_owned()),
        Err(message) => none(message),
    }
}

//! Checks of schedules on demand, by the checker that is independent of the engine.

use super::naming::name;
use crate::app::prelude::*;
use crate::app::state::{App, Outcome};
use crate::app::widget::When;
use crate::study::Run;
use crate::study::query::{Answer, Query};
use leptos::task::spawn_local;
use std::sync::Arc;

/// How many faults are written out.
const FAULTS_SHOWN: usize = 20;

/// What a check said.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It is under way.
    Checking,
    /// No fault was found.
    Valid,
    /// What is wrong.
    Faulty(Vec<String>),
    /// It could not be checked, and why.
    Unknown(String),
}

#[derive(Clone)]
struct Check {
    run: Run,
    /// The result whose schedule was checked: a later one is another schedule.
    outcome: Arc<Outcome>,
    verdict: Verdict,
}

/// The checks asked for so far.
#[derive(Clone, Copy)]
pub struct Verifications {
    app: App,
    checks: RwSignal<Vec<Check>>,
    /// The run whose verdict is written out under the table.
    told: RwSignal<Option<Run>>,
}

impl Verifications {
    /// None yet.
    pub fn new(app: App) -> Self {
        Verifications { app, checks: RwSignal::new(Vec::new()), told: RwSignal::new(None) }
    }

    /// Checks the schedule of a run.
    pub fn verify(self, run: Run) {
        let found = self.app.rows.with_untracked(|rows| rows.iter().find(|r| r.run == run).map(|r| r.result.clone()));
        let Some(outcome) = found.flatten().filter(|o| o.has_schedule) else {
            return self.app.complain(format!("There is no schedule of {} to check: run it again", name(&run)));
        };
        self.told.set(Some(run.clone()));
        self.note(&run, &outcome, Verdict::Checking);
        spawn_local(async move {
            let verdict = match self.app.ask(Query::Check { run: run.clone() }).await {
                Ok(Answer::Faults(faults)) if faults.is_empty() => Verdict::Valid,
                Ok(Answer::Faults(faults)) => Verdict::Faulty(faults),
                Ok(_) => Verdict::Unknown("the answer was for another question".to_owned()),
                Err(why) => Verdict::Unknown(why),
            };
            self.note(&run, &outcome, verdict);
        });
    }

    /// What is known of a run's present schedule.
    pub fn verdict(self, run: &Run, outcome: Option<&Arc<Outcome>>) -> Option<Verdict> {
        self.checks.with(|checks| {
            let check = checks.iter().find(|c| c.run == *run)?;
            Some(check.verdict.clone()).filter(|_| outcome.is_some_and(|o| Arc::ptr_eq(o, &check.outcome)))
        })
    }

    fn note(self, run: &Run, outcome: &Arc<Outcome>, verdict: Verdict) {
        let check = Check { run: run.clone(), outcome: outcome.clone(), verdict };
        // the view may be gone when an answer comes
        let _ = self.checks.try_update(|checks| {
            checks.retain(|c| c.run != *run);
            checks.push(check);
        });
    }
}

/// What the last check said, in words.
#[component]
pub fn VerificationReport(
    /// The checks of the table.
    verifications: Verifications,
) -> impl IntoView {
    let told = move || {
        let run = verifications.told.get()?;
        let found = verifications.checks.with(|checks| checks.iter().find(|c| c.run == run).map(|c| c.verdict.clone()));
        found.map(|verdict| (run, verdict))
    };
    view! {
        <div class="verification" aria-live="polite">
            {move || {
                told().map(|(run, verdict)| {
                    view! {
                        <div class="verification-report" data-testid="verification">
                            <div>{words(&run, verdict)}</div>
                            <button
                                type="button"
                                class="cell-button"
                                aria-label="Close the report of the check"
                                on:click=move |_| verifications.told.set(None)
                            >
                                "×"
                            </button>
                        </div>
                    }
                })
            }}
        </div>
    }
}

fn words(run: &Run, verdict: Verdict) -> AnyView {
    let name = name(run);
    match verdict {
        Verdict::Checking => view! { <p>{format!("Checking the schedule of {name} …")}</p> },
        Verdict::Valid => view! {
            <p>
                <strong class="is-valid">"✓ Valid. "</strong>
                {format!("The independent check found no fault in the schedule of {name}.")}
            </p>
        },
        Verdict::Unknown(why) => view! {
            <p>
                <strong class="is-faulty">"Not checked. "</strong>
                {format!("The schedule of {name} could not be checked: {why}")}
            </p>
        },
        Verdict::Faulty(faults) => {
            let more = faults.len().saturating_sub(FAULTS_SHOWN);
            view! {
                <p>
                    <strong class="is-faulty">{format!("{} faults. ", faults.len())}</strong>
                    {format!("The schedule of {name} is not valid:")}
                </p>
                <ul class="faults">
                    {faults.into_iter().take(FAULTS_SHOWN).map(|f| view! { <li>{f}</li> }).collect_view()}
                </ul>
                <When when=move || { more > 0 }>
                    <p>{format!("and {more} more")}</p>
                </When>
            }
        }
    }
}

//! Checks of schedules on demand: by checkers that are independent of the engine, and by comparison with the plain
//! scheduler.

use super::naming::name;
use crate::app::prelude::*;
use crate::app::state::{App, RunOutcome};
use crate::app::widget::When;
use packfair_study::query::{Answer, Query};
use packfair_study::{PlainComparison, Run, Verification};
use leptos::task::spawn_local;
use std::sync::Arc;

/// The largest number of faults that are listed.
const FAULTS_SHOWN: usize = 20;

/// The verdict of a check.
#[derive(Clone, Debug, PartialEq)]
pub enum CheckVerdict {
    /// The check is under way.
    Checking,
    /// No fault was found. Lists what was checked besides the validity of the schedule.
    Valid(Vec<String>),
    /// The faults that were found.
    Faulty(Vec<String>),
    /// The schedule could not be checked, and why.
    Unknown(String),
}

/// The state of the comparison with the plain scheduler.
#[derive(Clone)]
enum PlainCheck {
    /// There is no comparison, because the schedule is not valid.
    NotAsked,
    /// The comparison is under way.
    Comparing(Query),
    /// The comparison has ended.
    Compared(PlainComparison),
    /// There is no comparison, and why: no plain scheduler exists, or the comparison was stopped.
    NotCompared(String),
}

#[derive(Clone)]
struct Check {
    run: Run,
    /// The result whose schedule was checked. A later result has another schedule, for which the check does not hold.
    outcome: Arc<RunOutcome>,
    verdict: CheckVerdict,
    plain: PlainCheck,
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
    /// No checks yet.
    pub fn new(app: App) -> Self {
        Verifications { app, checks: RwSignal::new(Vec::new()), told: RwSignal::new(None) }
    }

    /// Checks the schedule of a run.
    pub fn verify(self, run: Run) {
        let found = self.app.rows.with_untracked(|rows| rows.iter().find(|r| r.run == run).map(|r| r.result.clone()));
        let Some(outcome) = found.flatten().filter(|o| o.has_schedule) else {
            return self.app.complain(format!("There is no schedule of {} to check: run it again", name(&run)));
        };
        let Some(rules) = self.app.rules_of(&run) else { return };
        self.told.set(Some(run.clone()));
        self.note(&run, &outcome, CheckVerdict::Checking, PlainCheck::NotAsked);
        spawn_local(async move {
            let verdict = match self.app.ask(Query::Check { run: run.clone(), rules }).await {
                Ok(Answer::Checked(Verification { rules, faults })) if faults.is_empty() => CheckVerdict::Valid(rules),
                Ok(Answer::Checked(Verification { faults, .. })) => CheckVerdict::Faulty(faults),
                Ok(_) => CheckVerdict::Unknown("the answer was for another question".to_owned()),
                Err(why) => CheckVerdict::Unknown(why),
            };
            if !matches!(verdict, CheckVerdict::Valid(_)) {
                return self.note(&run, &outcome, verdict, PlainCheck::NotAsked);
            }
            let query = Query::Plain { run: run.clone(), rules };
            self.note(&run, &outcome, verdict.clone(), PlainCheck::Comparing(query.clone()));
            let plain = match self.app.ask(query).await {
                Ok(Answer::Plain(comparison)) => PlainCheck::Compared(comparison),
                Ok(_) => PlainCheck::NotCompared("The answer was for another question.".to_owned()),
                Err(why) => PlainCheck::NotCompared(why),
            };
            self.note(&run, &outcome, verdict, plain);
        });
    }

    /// The verdict on the present schedule of a run, if it was checked.
    pub fn verdict(self, run: &Run, outcome: Option<&Arc<RunOutcome>>) -> Option<CheckVerdict> {
        self.checks.with(|checks| {
            let check = checks.iter().find(|c| c.run == *run)?;
            Some(check.verdict.clone()).filter(|_| outcome.is_some_and(|o| Arc::ptr_eq(o, &check.outcome)))
        })
    }

    fn note(self, run: &Run, outcome: &Arc<RunOutcome>, verdict: CheckVerdict, plain: PlainCheck) {
        let check = Check { run: run.clone(), outcome: outcome.clone(), verdict, plain };
        // the view may be gone when an answer comes
        let _ = self.checks.try_update(|checks| {
            checks.retain(|c| c.run != *run);
            checks.push(check);
        });
    }
}

/// The verdict of the last check, in words.
#[component]
pub fn VerificationReport(
    /// The checks of the table.
    verifications: Verifications,
) -> impl IntoView {
    let told = move || {
        let run = verifications.told.get()?;
        verifications.checks.with(|checks| checks.iter().find(|c| c.run == run).cloned())
    };
    view! {
        <div class="verification" aria-live="polite">
            {move || {
                told().map(|check| {
                    view! {
                        <div class="verification-report" data-testid="verification">
                            <div>{words(&check.run, check.verdict)} {compared(verifications.app, check.plain)}</div>
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

fn words(run: &Run, verdict: CheckVerdict) -> AnyView {
    let name = name(run);
    match verdict {
        CheckVerdict::Checking => view! { <p>{format!("Checking the schedule of {name} …")}</p> },
        CheckVerdict::Valid(rules) => view! {
            <p>
                <strong class="is-valid">"✓ Valid. "</strong>
                {format!("Independent checks found no fault in the schedule of {name}: {}.", rules.join("; "))}
            </p>
        },
        CheckVerdict::Unknown(why) => view! {
            <p>
                <strong class="is-faulty">"Not checked. "</strong>
                {format!("The schedule of {name} could not be checked: {why}")}
            </p>
        },
        CheckVerdict::Faulty(faults) => {
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

/// The result of the comparison with the plain scheduler; while it goes on, a button that stops it.
fn compared(app: App, plain: PlainCheck) -> AnyView {
    match plain {
        PlainCheck::NotAsked => ().into_any(),
        PlainCheck::Comparing(query) => view! {
            <p data-testid="plain" data-plain="comparing">
                "Comparing with the plain algorithm, which is slow … "
                <button type="button" class="cell-button" on:click=move |_| app.take_back(&query)>
                    "Stop"
                </button>
            </p>
        },
        PlainCheck::Compared(comparison) if comparison.is_equal() => view! {
            <p data-testid="plain" data-plain="equal">
                <strong class="is-valid">"✓ "</strong>
                {format!("The starts are {comparison}.")}
            </p>
        },
        PlainCheck::Compared(comparison) => view! {
            <p data-testid="plain" data-plain="different">
                <strong class="is-faulty">"Different. "</strong>
                {format!("The starts are {comparison}.")}
            </p>
        },
        PlainCheck::NotCompared(why) => view! {
            <p data-testid="plain" data-plain="none">{format!("Not compared with the plain algorithm. {why}")}</p>
        },
    }
}

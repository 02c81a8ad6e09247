//! Lines above the results: what is being read, what went wrong, where shared numbers come from, and a
//! word for whoever is here for the first time.

use super::other_log::OtherLog;
use crate::app::files::FileInputs;
use crate::app::prelude::*;
use crate::app::state::{App, LogState, Shared, Verdict};
use crate::app::wording::{jobs, processors, runs, sentence};
use crate::study::Source;

/// All lines that apply now.
#[component]
pub fn Banners() -> impl IntoView {
    view! {
        <LogStatus />
        <SharedFrom />
        <OtherLog />
        <Welcome />
    }
}

/// How far a log is read, or why it cannot be used.
#[component]
fn LogStatus() -> impl IntoView {
    let app = expect_context::<App>();
    let inputs = expect_context::<FileInputs>();
    let loading = Memo::new(move |_| match app.log.get() {
        LogState::Loading { name, .. } => Some(name),
        _ => None,
    });
    let fraction = Memo::new(move |_| match app.log.get() {
        LogState::Loading { fraction, .. } => fraction,
        _ => 0.0,
    });
    let failed = Memo::new(move |_| match app.log.get() {
        LogState::Failed { name, message } => Some((name, message)),
        _ => None,
    });
    let reading = move || {
        loading.get().map(|name| {
            let label = format!("Reading {name}");
            view! {
                <div class="banner">
                    <span class="banner-text">{label.clone()}</span>
                    <progress max="1" value=move || fraction.get() aria-label=label></progress>
                </div>
            }
        })
    };
    // what was on screen before is still the study's
    let before = move || {
        let source = app.study.with_untracked(|s| s.source.clone());
        let back = format!("Back to {}", source.name());
        let is_other = failed.with_untracked(|f| f.as_ref().is_some_and(|(name, _)| *name != source.name()));
        is_other.then(|| {
            view! {
                <button class="button" type="button" on:click=move |_| app.open(source.clone())>{back}</button>
            }
        })
    };
    let failure = move || {
        failed.get().map(|(name, message)| {
            view! {
                <div class="banner banner-danger" role="alert">
                    <p class="banner-text" data-testid="log-error">
                        <strong>{name} " cannot be used. "</strong>
                        {sentence(&message)}
                    </p>
                    {before()}
                    <button class="button" type="button" on:click=move |_| inputs.pick_log()>"Choose another file"</button>
                </div>
            }
        })
    };
    view! {
        {move || reading()}
        {move || failure()}
    }
}

/// Where shared numbers come from, and whether they agree with a recomputation.
#[component]
fn SharedFrom() -> impl IntoView {
    let app = expect_context::<App>();
    let inputs = expect_context::<FileInputs>();
    let absent = Memo::new(move |_| matches!(app.log.get(), LogState::Absent));
    let banner = move |Shared { carried, verdict, .. }: Shared| {
        let trace = carried.workload.name.clone();
        let class = match verdict {
            Verdict::Unchecked => "banner banner-accent",
            Verdict::Agrees => "banner banner-ok",
            Verdict::Differs(_) => "banner banner-warn",
        };
        let drop_it = move || {
            absent.get().then(|| {
                view! {
                    <button class="button" type="button" on:click=move |_| inputs.pick_log()>"Choose the log"</button>
                }
            })
        };
        view! {
            <div class=class data-testid="shared-banner">
                <div class="banner-text">
                    <strong>"Shared result of " {trace} ". "</strong>
                    <span data-testid="shared-verdict">{move || verdict_text(&verdict, absent.get())}</span>
                </div>
                {move || drop_it()}
                <button
                    class="button button-quiet"
                    type="button"
                    data-hint="Keep this study here as your own, to change it and to run it on other logs"
                    on:click=move |_| app.adopt_shared()
                >
                    "Make it mine"
                </button>
            </div>
        }
    };
    move || app.shared.get().map(banner)
}

fn verdict_text(verdict: &Verdict, absent: bool) -> String {
    match verdict {
        Verdict::Unchecked if absent => "Drop the same log to compute it again.".to_owned(),
        Verdict::Unchecked => "Not computed again yet.".to_owned(),
        Verdict::Agrees => "Computed again here: every value agrees.".to_owned(),
        Verdict::Differs(differences) => {
            format!("Computed again here, some values differ: {}.", differences.join("; "))
        }
    }
}

/// One sentence on what a first visitor sees, until there is a log of their own.
#[component]
fn Welcome() -> impl IntoView {
    let app = expect_context::<App>();
    let sentence = move || {
        let is_first = app.library.with(|logs| logs.iter().all(|log| matches!(log.source, Source::Generated(_))));
        let generated = app.study.with(|s| matches!(s.source, Source::Generated(_)));
        let LogState::Ready(log) = app.log.get() else { return None };
        (is_first && generated && app.shared.with(Option::is_none)).then(|| {
            format!(
                "{} of a generated workload, {} on {}: which scheduler keeps waits short, packs well and stays fair? ",
                runs(app.rows.with(Vec::len)),
                jobs(log.summary.jobs),
                processors(log.summary.machine.processors),
            )
        })
    };
    let sentence = Memo::new(move |_| sentence());
    move || {
        sentence.get().map(|sentence| {
            view! {
                <p class="welcome">
                    {sentence} <strong>"Drop the log of your own cluster anywhere on this page"</strong>
                    "; it stays on this computer."
                </p>
            }
        })
    }
}

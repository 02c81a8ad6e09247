//! Banners above the results: which log is being read, what went wrong, and where shared numbers come from.

use super::log_switcher::OtherLog;
use crate::app::files::FileInputs;
use crate::app::notices::{runs, sentence};
use crate::app::prelude::*;
use crate::app::state::{App, LinkOrigin, LinkVerdict, LogState};
use crate::app::while_shown;
use packfair_study::{Engine, link, pace};

#[component]
pub fn Banners() -> impl IntoView {
    view! {
        <LogStatus />
        <SharedFrom />
        <OtherLog />
    }
}

/// The progress of reading a log, or why the log cannot be used.
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
        LogState::Failed { name, message, may_go_on } => Some((name, message, may_go_on)),
        _ => None,
    });
    let reading = move || {
        loading.get().map(|name| {
            let fraction = while_shown(move || fraction.get());
            let label = format!("Reading {name}");
            view! {
                <div class="banner-over">
                    <div class="banner">
                        <span class="banner-text">{label.clone()}</span>
                        <progress max="1" value=move || fraction.get() aria-label=label></progress>
                    </div>
                </div>
            }
        })
    };
    // the log on screen before is still the study's
    let before = move || {
        let source = app.study.with_untracked(|s| s.source.clone());
        let back = format!("Back to {}", source.name());
        let is_other = failed.with_untracked(|f| f.as_ref().is_some_and(|(name, ..)| *name != source.name()));
        is_other.then(|| {
            view! {
                <button class="button" type="button" on:click=move |_| app.open(source.clone())>{back}</button>
            }
        })
    };
    let failure = move || {
        failed.get().map(|(name, message, may_go_on)| {
            let go_on = may_go_on.then(|| {
                let name = name.clone();
                view! {
                    <button
                        class="button"
                        type="button"
                        data-testid="go-on"
                        on:click=move |_| app.go_on_with_losses(&name)
                    >
                        "Go on with the others"
                    </button>
                }
            });
            view! {
                <div class="banner banner-danger" role="alert">
                    <p class="banner-text" data-testid="log-error">
                        <strong>{name} " cannot be used. "</strong>
                        {sentence(&message)}
                    </p>
                    {go_on}
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

/// Where shared numbers come from, and whether a recomputation agrees with them.
#[component]
fn SharedFrom() -> impl IntoView {
    let app = expect_context::<App>();
    let inputs = expect_context::<FileInputs>();
    let absent = Memo::new(move |_| matches!(app.log.get(), LogState::Absent));
    // whether the recomputation waits for the user's request, and how long it takes if that is known
    let waits = Memo::new(move |_| {
        let is_waiting = app.rows.with(|rows| rows.iter().any(|row| !row.is_busy() && app.is_unchecked(row)));
        let is_idle = is_waiting && !app.is_busy();
        is_idle.then(|| app.seconds_unchecked().map(pace::about))
    });
    let banner = move |LinkOrigin { carried, verdict, .. }: LinkOrigin| {
        let trace = carried.workload.name.clone();
        let made = carried.study.treatment.like.is_some();
        let charts = charts_of(&carried);
        let charts = move || charts.clone().filter(|_| absent.get());
        let about = carried.about_its_log();
        let said = carried.sender_view.as_ref().and_then(|told| told.verdict.clone());
        let account = carried.sender_view.as_ref().and_then(|told| told.account.clone());
        let account = move || account.clone().filter(|_| absent.get()).map(|account| format!("Its log: {account}. "));
        let files = files_of(&carried).filter(|_| verdict == LinkVerdict::Unchecked);
        let class = match verdict {
            LinkVerdict::Unchecked => "banner banner-accent",
            LinkVerdict::Agrees(agreement) if agreement.is_whole() => "banner banner-ok",
            LinkVerdict::Agrees(_) => "banner banner-accent",
            LinkVerdict::Differs(_) => "banner banner-warn",
        };
        let drop_it = move || {
            absent.get().then(|| {
                view! {
                    <button class="button" type="button" on:click=move |_| inputs.pick_log()>"Choose the log"</button>
                }
            })
        };
        // a recomputation that takes long is not started unasked
        let compute_it = move || {
            waits.get().map(|_| {
                view! {
                    <button class="button" type="button" data-testid="compute-shared" on:click=move |_| app.run_all()>
                        "Compute it again"
                    </button>
                }
            })
        };
        view! {
            <div class=class data-testid="shared-banner">
                <div class="banner-text">
                    <strong>"Shared result of " {trace} ". "</strong>
                    <span data-testid="shared-log">{move || absent.get().then(|| about.clone())}</span>
                    " "
                    <span data-testid="shared-account">{move || account()}</span>
                    <span data-testid="shared-said">{move || read_as(&said, app.verdict.get().as_deref())}</span>
                    " "
                    {made_by(carried.engine).map(|said| view! { <span data-testid="shared-engine">{said}</span> })}
                    <span data-testid="shared-verdict">{move || verdict_text(&verdict, absent.get(), waits.get())}</span>
                    " "
                    <span data-testid="shared-made">
                        {move || (made && absent.get()).then_some("Its jobs were made like those of that log: only the log makes them again. ")}
                    </span>
                    <span data-testid="shared-charts">{move || charts()}</span>
                    " "
                    <span data-testid="shared-files">{files}</span>
                </div>
                {move || drop_it()}
                {move || compute_it()}
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

/// The verdict that the sender read, if it differs from the one here: the sender may have another concern or other
/// numbers.
fn read_as(said: &Option<String>, here: Option<&str>) -> Option<String> {
    let said = said.as_deref().filter(|said| here.is_some_and(|here| here != *said))?;
    Some(format!("Where it was shared it said: {said}"))
}

/// A remark if another engine version than this one computed the link's numbers.
fn made_by(engine: Option<Engine>) -> Option<&'static str> {
    match engine {
        Some(Engine::THIS) => None,
        Some(_) => Some("Another version of the engine computed it: some numbers may differ. "),
        None => Some("An earlier version of Packfair made it: some numbers may differ. "),
    }
}

/// The number of runs whose charts the link carries, if it does not carry them all.
fn charts_of(carried: &link::SharedStudy) -> Option<String> {
    let (all, drawn) = (carried.runs.len(), carried.runs.iter().filter(|report| report.has_curves()).count());
    (drawn < all).then(|| format!("It carries the charts of {drawn} of {}; the log draws the others.", runs(all)))
}

/// The files that the link's rows need beside the log: a link carries no files.
fn files_of(carried: &link::SharedStudy) -> Option<String> {
    let needed = carried.study.needed_files();
    let needed: Vec<&str> = needed.iter().map(|needed| needed.file.name()).collect();
    (!needed.is_empty())
        .then(|| format!("Rows made from a file need that file too; drop it here: {}.", needed.join(", ")))
}

fn verdict_text(verdict: &LinkVerdict, absent: bool, waits: Option<Option<String>>) -> String {
    match verdict {
        LinkVerdict::Unchecked if absent => "Drop the same log to compute it again.".to_owned(),
        LinkVerdict::Unchecked => match waits {
            Some(Some(time)) => format!("Not computed again yet: that takes {time}."),
            _ => "Not computed again yet.".to_owned(),
        },
        LinkVerdict::Agrees(agreement) => agreement.to_string(),
        LinkVerdict::Differs(differences) => {
            format!("Computed again here, some values differ: {}.", differences.join("; "))
        }
    }
}

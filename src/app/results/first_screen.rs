//! What a visitor sees who has not opened a log yet: what this is, one finding, a chart that plays, and three ways on.

use super::comparison::{RunComparison, ShownRun};
use super::concluded::{titled, with_table};
use super::row::{method, name};
use crate::app::dialogs::{CopyButton, Dialogs, slurm_command};
use crate::app::files::FileInputs;
use crate::app::learn;
use crate::app::prelude::*;
use crate::app::state::{App, LogState, Tab};
use crate::app::widget::{Glyph, Icon, Whole};
use packfair_study::format::whole;
use packfair_study::table::Mode;
use packfair_study::verdict::{Concern, Judged, Verdict, judge};
use packfair_study::{Baseline, Study};

/// The first screen.
#[component]
pub fn FirstScreen() -> impl IntoView {
    let app = expect_context::<App>();
    view! {
        <section class="first" aria-label="Packfair" data-testid="first-screen">
            <p class="first-sentence">
                "Replay your cluster\u{2019}s jobs under other schedulers and see who waits less, and at whose cost."
            </p>
            <div class="first-pair">
                <div class="first-finding">
                    {finding(app)}
                </div>
                // loaded after what a first view needs; its room is kept
                <div class="first-play">
                    <Whole>{learn::opening()}</Whole>
                </div>
            </div>
            <div class="first-ways">
                <HaveALog />
                <DoResearch />
                <section class="first-way">
                    <h3>"What is backfilling?"</h3>
                    <p>"Six lessons of a minute, on jobs that play."</p>
                    <div class="row">
                        <button
                            class="button"
                            type="button"
                            data-testid="first-learn"
                            on:click=move |_| app.learn("backfilling")
                        >
                            "Show me"
                        </button>
                    </div>
                </section>
            </div>
        </section>
    }
}

/// What is told of the example: the verdict or, where no row is better without a price, the first row that is better in
/// something, with its price.
fn figured(table: &Judged<'_>, found: &Verdict) -> String {
    let serves = |concern| {
        let served = judge(table, concern)?;
        let name = served.run.as_ref()?.scheduler.name();
        let (_, told) = served.text.split_once("Against ")?;
        Some(with_its_price(&name, told))
    };
    let of_one = || [Concern::Slowdown, Concern::Response, Concern::Fairness].into_iter().find_map(serves);
    let found_one = if found.run.is_some() { None } else { of_one() };
    found_one.unwrap_or_else(|| titled(&found.text).0.to_owned())
}

/// "EASY: slowdown 9 % lower, response time 2 % lower; the price: packing 4 % higher, LOC 3 % higher." of this row: the first
/// gain and the first price. The comparison has them all.
fn with_its_price(name: &str, told: &str) -> String {
    let first = |all: &str| all.split(", ").next().unwrap_or_default().to_owned();
    match told.trim_end_matches('.').split_once("; the price: ") {
        Some((gains, prices)) => format!("{name} against {}; the price: {}", first(gains), first(prices)),
        None => format!("{name} against {told}"),
    }
}

/// What the example comes to, as one sentence, and where it comes from.
#[inline(never)]
fn finding(app: App) -> AnyView {
    let verdict = Memo::new(move |_| {
        app.repeats.track();
        let shown: Vec<ShownRun> =
            app.rows.with(|rows| rows.iter().map(|row| (row.run.clone(), row.result.clone())).collect());
        let comparison = app.study.with(|study| RunComparison::of(&shown, study, Mode::Change));
        let concern = app.concern.get();
        with_table(app, &comparison, |table| judge(table, concern).map(|found| (figured(table, &found), found.text)))
    });
    Effect::new(move |_| app.conclude(verdict.with(|told| told.as_ref().map(|(_, text)| text.clone()))));
    let title = move || verdict.with(|told| told.as_ref().map(|(title, _)| title.clone()));
    let is_read = move || app.log.with(|log| matches!(log, LogState::Ready(_)));
    let origin = move || is_read().then_some("A generated example, computed in your browser.");
    view! {
        <h3 class="first-title" data-testid="finding" aria-live="polite">{move || title()}</h3>
        <p class="first-origin">{move || origin()}</p>
        <div class="row">
            <button
                class="button button-accent"
                type="button"
                data-testid="first-compare"
                on:click=move |_| app.show_tab(Tab::Compare)
            >
                "See the comparison"
            </button>
        </div>
    }
    .into_any()
}

#[component]
fn HaveALog() -> impl IntoView {
    let dialogs = expect_context::<Dialogs>();
    let inputs = expect_context::<FileInputs>();
    let commands = format!("{}\ncp /etc/slurm/slurm.conf .", slurm_command());
    view! {
        <section class="first-way">
            <h3>"I have a log"</h3>
            <button class="drop-zone" type="button" data-testid="first-drop" on:click=move |_| inputs.pick_log()>
                <Icon glyph=Glyph::Drop />
                <span><strong>"Drop it here"</strong> " or choose a file. It stays here."</span>
            </button>
            <div class="first-command">
                <span>"Get one with Slurm:"</span>
                <CopyButton text=Signal::stored(commands.clone()) label="Copy" />
                <pre data-testid="first-lines">{commands}</pre>
            </div>
            <p>
                "slurm.conf beside it ranks its changes. "
                <button class="link" type="button" data-testid="first-own-log" on:click=move |_| dialogs.own_log.set(true)>
                    "Other systems"
                </button>
            </p>
        </section>
    }
}

#[component]
fn DoResearch() -> impl IntoView {
    let dialogs = expect_context::<Dialogs>();
    view! {
        <section class="first-way">
            <h3>"I do research"</h3>
            <p>"Papers\u{2019} tables and figures as recipes; public logs."</p>
            <div class="row">
                <button class="button" type="button" data-testid="first-recipes" on:click=move |_| dialogs.recipes.set(true)>
                    "Recipes"
                </button>
                <button class="button" type="button" data-testid="first-data" on:click=move |_| dialogs.own_log.set(true)>
                    "Data sets"
                </button>
            </div>
        </section>
    }
}

// One line above the table that says what is compared.

/// The line, such as "20 runs on KTH-SP2: 28,480 of 28,481 jobs counted; change to JustBF with the same estimate".
#[component]
pub fn Headline(comparison: Memo<RunComparison>) -> impl IntoView {
    let app = expect_context::<App>();
    let text = move || {
        let study = app.study.get();
        let (trace, jobs) = app.log.with(|log| match log {
            LogState::Ready(log) => (log.summary.name.clone(), Some(log.summary.jobs)),
            LogState::Loading { name, .. } | LogState::Failed { name, .. } => (name.clone(), None),
            _ => (study.source.name(), None),
        });
        comparison.with(|c| sentence(c, &study, &trace, jobs, app.relative.get()))
    };
    view! { <p class="headline" data-testid="headline">{move || text()}</p> }
}

fn sentence(comparison: &RunComparison, study: &Study, trace: &str, jobs: Option<usize>, relative: bool) -> String {
    let total = comparison.rows.len();
    let plural = if total == 1 { "run" } else { "runs" };
    let counted = || comparison.rows.iter().filter(|r| !r.is_stale).filter_map(|r| r.result.as_ref()).map(|r| r.jobs);
    let done = counted().count();
    let (Some(fewest), Some(most)) = (counted().min(), counted().max()) else {
        let is_stale = comparison.rows.iter().any(|row| row.is_stale);
        let state = if is_stale { "what is shown is stale, made with other settings" } else { "no result yet" };
        return format!("{} {plural} on {trace}: {state}", whole(total as i64));
    };
    let runs =
        if done == total { whole(total as i64) } else { format!("{} of {}", whole(done as i64), whole(total as i64)) };
    let range =
        if fewest == most { whole(most as i64) } else { format!("{} to {}", whole(fewest as i64), whole(most as i64)) };
    let of = jobs.map_or(String::new(), |n| format!(" of {}", whole(n as i64)));
    let shown = if relative { compared_with(&study.baseline) } else { "absolute values".to_owned() };
    let only = study.measure.only.map_or(String::new(), |group| format!(" ({group} alone)"));
    format!("{runs} {plural} on {trace}: {range}{of} jobs counted{only}; {shown}")
}

fn compared_with(baseline: &Baseline) -> String {
    match baseline {
        Baseline::None => "absolute values, as no baseline is chosen".to_owned(),
        Baseline::Run(run) => format!("change to {}", name(run)),
        Baseline::Scheduler(scheduler) => format!("change to {} with the same estimate", scheduler.name()),
        Baseline::Estimate(estimate) => {
            format!("change to the same scheduler with {}", method(&estimate.method))
        }
    }
}

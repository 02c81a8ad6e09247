//! The change from the baseline, on one log or several.

use super::chart::Chart;
use super::charted::ChartedRuns;
use crate::app::prelude::*;
use crate::app::state::{App, KnownLog};
use crate::app::widget::When;
use leptos::task::spawn_local;
use packfair_chart::kinds::OnLog;
use packfair_chart::{Figure, Ink, inks, is_compared};
use packfair_study::{Run, RunReport, Source, Study};
use std::collections::HashSet;
use std::sync::Arc;

type Gathered = (Source, Arc<Vec<RunReport>>);

type MakeBars = fn(&[OnLog<'_>], &[(Run, Ink)], &Study) -> Vec<Figure>;

/// Grouped bars of the charted runs against the study's baseline, and a choice of logs.
#[component]
pub fn Changes(runs: ChartedRuns, make: MakeBars) -> impl IntoView {
    let app = expect_context::<App>();
    let left_out = RwSignal::new(without_the_first(app));
    let gathered = gather(app, runs);
    let bars = Memo::new(move |_| {
        let chosen = runs.chosen.get();
        let inks = inks(&chosen);
        let inked = chosen.into_iter().zip(inks);
        app.study.with(|study| inked.filter(|(run, _)| is_compared(study, run)).collect::<Vec<_>>())
    });
    let figures = Memo::new(move |_| {
        let shown: Vec<Gathered> = gathered.with(|all| {
            let has_results = |(source, reports): &&Gathered| {
                !reports.is_empty() && !left_out.with(|out| out.contains(&source.key()))
            };
            all.iter().filter(has_results).cloned().collect()
        });
        let names: Vec<String> = shown.iter().map(|(source, _)| source.name()).collect();
        let logs: Vec<OnLog<'_>> = names
            .iter()
            .zip(&shown)
            .map(|(name, (_, reports))| OnLog { name, reports: reports.iter().collect() })
            .collect();
        let figures = app.study.with(|study| bars.with(|bars| make(&logs, bars, study)));
        figures.into_iter().map(Arc::new).collect::<Vec<_>>()
    });
    let count = Memo::new(move |_| figures.with(Vec::len));
    let one = move |i: usize| {
        let first = figures.with_untracked(|figures| figures[i].clone());
        let figure = Memo::new(move |_| figures.with(|all| all.get(i).cloned()).unwrap_or_else(|| first.clone()));
        view! { <Chart figure=Signal::derive(move || -> Arc<Figure> { figure.get() })/> }
    };
    view! {
        <When when=move || bars.with(|bars| !bars.is_empty())>
            <h2 class="charts-heading">"Against the baseline"</h2>
            <When when=move || app.library.with(|logs| logs.len() > 1)>
                <Logs left_out gathered/>
            </When>
            <div class="chart-grid" data-testid="changes">
                {move || (0..count.get()).map(one).collect::<Vec<_>>()}
            </div>
        </When>
    }
}

/// The logs that are not selected at first: the workload of a first visit, once the user looks at another log.
fn without_the_first(app: App) -> HashSet<String> {
    let first = Study::first_visit().source.key();
    let is_shown = app.study.with_untracked(|study| study.source.key() == first);
    if is_shown { HashSet::new() } else { HashSet::from([first]) }
}

/// The results on all known logs. They are collected again whenever a result arrives.
fn gather(app: App, runs: ChartedRuns) -> RwSignal<Vec<Gathered>> {
    let gathered = RwSignal::new(Vec::new());
    let latest = StoredValue::new(0_u32);
    Effect::new(move |_| {
        runs.all.track();
        let (study, logs) = (app.study.get(), app.library.get());
        latest.update_value(|latest| *latest += 1);
        let own = latest.get_value();
        spawn_local(async move {
            let mut found = Vec::new();
            // the log that was loaded first comes first
            for KnownLog { source, .. } in logs.into_iter().rev() {
                let reports = app.results_on(&study, &source).await;
                found.push((source, Arc::new(reports)));
            }
            // the view may be gone, or newer results may be on their way
            if latest.try_get_value() == Some(own) {
                gathered.set(found);
            }
        });
    });
    gathered
}

/// The choice of the logs that are shown, and the button that runs the study on all of them.
#[component]
fn Logs(left_out: RwSignal<HashSet<String>>, gathered: RwSignal<Vec<Gathered>>) -> impl IntoView {
    let app = expect_context::<App>();
    let entry = move |(source, reports): &Gathered| {
        let key = source.key();
        let own = key.clone();
        let runs = app.study.with(|study| study.runs().len());
        let state = match reports.len() {
            n if n >= runs => String::new(),
            0 => "not run".to_owned(),
            n => format!("{n} of {runs} runs"),
        };
        view! {
            <label class="option">
                <input
                    type="checkbox"
                    prop:checked=move || left_out.with(|out| !out.contains(&own))
                    on:change=move |_| {
                        left_out
                            .update(|out| {
                                if !out.remove(&key) {
                                    out.insert(key.clone());
                                }
                            });
                    }
                />
                <span class="option-text">{source.name()} " " <span class="option-help">{state}</span></span>
            </label>
        }
    };
    let ticked = move || {
        let is_ticked = |source: &Source| left_out.with_untracked(|out| !out.contains(&source.key()));
        gathered
            .with_untracked(|all| all.iter().map(|(source, _)| source.clone()).filter(is_ticked).collect::<Vec<_>>())
    };
    let face = move || if app.on_several_logs.get() { "Stop" } else { "Run on the ticked logs" };
    view! {
        <div class="change-logs" role="group" aria-label="Logs of the bars" data-testid="change-logs">
            {move || gathered.with(|all| all.iter().map(entry).collect::<Vec<_>>())}
            <button
                type="button"
                class="button"
                data-testid="run-on-logs"
                on:click=move |_| {
                    if app.on_several_logs.get_untracked() {
                        app.stop_running_on_logs();
                    } else {
                        app.run_on_logs(ticked());
                    }
                }
            >
                {face}
            </button>
        </div>
    }
}

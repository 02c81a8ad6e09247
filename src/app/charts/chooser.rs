//! Buttons that choose the charted runs.

use super::charted::ChartedRuns;
use super::legend::no_curves;
use super::tip::swatch_class;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{List, When};
use packfair_chart::Ink;
use packfair_chart::kinds::run_names;
use packfair_study::Run;

/// The number of runs above which they are offered in a list, not as buttons.
const MOST_BUTTONS: usize = 24;

/// A button for each run that adds it to the charts or removes it.
#[component]
pub fn Chooser(runs: ChartedRuns) -> impl IntoView {
    let app = expect_context::<App>();
    let named = Memo::new(move |_| {
        let all: Vec<Run> = runs.all.with(|all| all.iter().map(|outcome| outcome.report.run.clone()).collect());
        let names = run_names(&all.iter().collect::<Vec<_>>());
        app.study.with(|study| {
            let named = |(run, own): (Run, String)| {
                let given = study.row_names.of(&run).map(str::to_owned);
                (run, given.unwrap_or(own))
            };
            all.into_iter().zip(names).map(named).collect::<Vec<_>>()
        })
    });
    let is_chosen = move |run: &Run| runs.chosen.with(|chosen| chosen.contains(run));
    let as_buttons = move || {
        let all = named.get();
        let few = all.len() <= MOST_BUTTONS;
        all.into_iter().filter(|(run, _)| few || is_chosen(run)).collect::<Vec<_>>()
    };
    let others = move || named.get().into_iter().filter(|(run, _)| !is_chosen(run)).collect::<Vec<_>>();
    let add = move |event| {
        let id = event_target_value(&event);
        if let Some((run, _)) = named.get_untracked().into_iter().find(|(run, _)| run.id() == id) {
            runs.toggle(app, &run);
        }
    };
    let option = |(run, name): (Run, String)| view! { <option value=run.id()>{name}</option> };
    view! {
        <div class="chart-chooser" role="group" aria-label="Runs on the charts" data-testid="chart-runs">
            <List
                each=as_buttons
                key=|(run, name)| format!("{} {name}", run.id())
                children=move |(run, name)| view! { <ChooserButton runs run name/> }
            />
            <When when=move || named.with(|all| all.len() > MOST_BUTTONS)>
                <select class="chart-add" aria-label="Add a run to the charts" on:change=add prop:value="">
                    <option value="">"Add a run…"</option>
                    {move || others().into_iter().map(option).collect_view()}
                </select>
            </When>
        </div>
    }
}

#[component]
fn ChooserButton(runs: ChartedRuns, run: Run, name: String) -> impl IntoView {
    let app = expect_context::<App>();
    let (own, pointed, left, drawn) = (run.clone(), run.clone(), run.clone(), run.clone());
    let is_missing = Memo::new(move |_| {
        runs.all.with(|all| all.iter().any(|outcome| outcome.report.run == drawn && !outcome.report.has_curves()))
    });
    let why = move || is_missing.get().then(|| no_curves(app));
    let ink = Memo::new(move |_| runs.ink_of(&own));
    let class = move || format!("swatch {}", swatch_class(ink.get()));
    let leave = move |_| {
        if app.highlighted.with_untracked(|now| now.as_ref() == Some(&left)) {
            app.highlight(None);
        }
    };
    view! {
        <button
            type="button"
            class="chart-legend-item"
            class:is-missing=move || is_missing.get()
            disabled=move || is_missing.get()
            title=move || why()
            aria-pressed=move || (ink.get() != Ink::Rest).to_string()
            on:click=move |_| runs.toggle(app, &run)
            on:pointerenter=move |_| app.highlight(Some(pointed.clone()))
            on:pointerleave=leave
        >
            <span class=move || class()></span>
            {name}
        </button>
    }
}

//! The legend: a button for each series that shows or hides it.

use super::state::ChartState;
use super::tip::swatch_class;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{List, When};
use crate::chart::{Figure, Ink};
use crate::study::Run;
use std::collections::BTreeSet;

/// The largest number of names in a legend.
const MOST: usize = 40;

#[derive(Clone, PartialEq)]
struct LegendEntry {
    name: String,
    ink: Ink,
    run: Option<Run>,
    /// Whether the series has no points to draw.
    is_missing: bool,
}

/// A button for each series: a click hides or shows it, a double click hides or shows all others, and pointing at it
/// highlights its run.
#[component]
pub fn LegendButtons(state: ChartState) -> impl IntoView {
    let entries = Memo::new(move |_| state.figure.with(|figure| entries(figure)));
    let left_out = move || state.figure.with(|figure| figure.series.len().saturating_sub(MOST));
    view! {
        <div class="chart-legend" role="group" aria-label="Series" hidden=move || entries.with(|e| e.len() < 2)>
            <List
                each=move || entries.get()
                key=|entry| format!("{} {} {}", swatch_class(entry.ink), entry.is_missing, entry.name)
                children=move |entry| view! { <LegendButton state entry/> }
            />
            <When when=move || left_out() != 0>
                <span class="quiet">{move || format!("and {} more", left_out())}</span>
            </When>
        </div>
    }
}

#[component]
fn LegendButton(state: ChartState, entry: LegendEntry) -> impl IntoView {
    let app = expect_context::<App>();
    let LegendEntry { name, ink, run, is_missing } = entry;
    let why = is_missing.then(|| no_curves(app));
    let hidden = state.hidden;
    let (own, toggled, alone) = (name.clone(), name.clone(), name.clone());
    let is_on = move || hidden.with(|hidden| !hidden.contains(&own));
    let toggle = move |_| {
        hidden.update(|hidden| {
            if !hidden.remove(&toggled) {
                hidden.insert(toggled.clone());
            }
        });
    };
    let isolate = move |_| {
        let others: BTreeSet<String> = state.figure.with_untracked(|figure| {
            let runs = figure.series.iter().filter(|s| s.ink != Ink::Guide && s.name != alone);
            BTreeSet::from_iter(runs.map(|s| s.name.clone()))
        });
        // the two clicks of a double click have hidden and shown this series; a second double click shows all others
        // again
        hidden.update(|hidden| *hidden = if *hidden == others { BTreeSet::new() } else { others });
    };
    let pointed = run.clone();
    let point = move |_| {
        if pointed.is_some() {
            app.highlight(pointed.clone());
        }
    };
    let leave = move |_| {
        if run.is_some() && app.highlighted.with_untracked(|now| *now == run) {
            app.highlight(None);
        }
    };
    view! {
        <button
            type="button"
            class="chart-legend-item"
            class:is-missing=is_missing
            disabled=is_missing
            title=why
            aria-pressed=move || is_on().to_string()
            on:click=toggle
            on:dblclick=isolate
            on:pointerenter=point
            on:pointerleave=leave
        >
            <span class=format!("swatch {}", swatch_class(ink))></span>
            {name}
        </button>
    }
}

/// Why a run is not drawn.
pub fn no_curves(app: App) -> &'static str {
    let is_of_link = app.shared.with_untracked(Option::is_some);
    if is_of_link {
        "The link had no room for its charts. Drop the log to draw them."
    } else {
        "It has nothing to draw here."
    }
}

fn entries(figure: &Figure) -> Vec<LegendEntry> {
    let entry = |s: &crate::chart::Series| LegendEntry {
        name: s.name.clone(),
        ink: s.ink,
        run: s.run.clone(),
        is_missing: s.data.is_empty(),
    };
    // points and boxes have their names beside them
    if figure.series.iter().any(|s| s.data.is_scattered()) {
        return Vec::new();
    }
    figure.series.iter().take(MOST).map(entry).collect()
}

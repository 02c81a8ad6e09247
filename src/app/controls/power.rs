//! The power of a machine: its cap, when idle nodes go off, prices, and questions that are ready to press. Belongs to the
//! late part (scripts/split).

use super::site::set;
use crate::app::prelude::*;
use crate::app::state::{App, DescribedLog};
use crate::app::widget::When;
use leptos::ev;
use packfair_base::machine::{MachineDescription, POWER_FIELDS, SheetColumn, WhatIf, usual_of_power};
use packfair_engine::power::{PowerSeries, SeriesKind};
use packfair_study::Study;
use std::sync::Arc;

/// What is said of the power of a machine whose watts are known.
pub(super) fn power(
    app: App,
    described: Memo<Option<MachineDescription>>,
    log: Memo<Option<Arc<DescribedLog>>>,
) -> AnyView {
    let questions = Memo::new(move |_| described.with(|of| of.as_ref().map(usual_of_power).unwrap_or_default()));
    let cheap = Memo::new(move |_| {
        let clock = log.with(|log| log.as_ref().map(|log| log.summary.clock.clone()))?;
        app.study.with(|study| study.measure.prices.as_ref()?.wait_for_cheap_hours(&clock))
    });
    let asked = move || questions.get().into_iter().chain(cheap.get()).map(|of| question(app, of)).collect_view();
    let fields = move || POWER_FIELDS.iter().map(|of| field(app, described, of)).collect_view();
    view! {
        <When when=move || !questions.with(Vec::is_empty)>
            <div class="machine-power" data-testid="machine-power">
                {fields()}
                <p class="quiet">"What if, a row each:"</p>
                <div class="machine-questions">{asked}</div>
                {series(app, SeriesKind::Price)}
                {series(app, SeriesKind::Intensity)}
            </div>
        </When>
    }
    .into_any()
}

fn field(
    app: App,
    described: Memo<Option<MachineDescription>>,
    of: &'static SheetColumn<MachineDescription>,
) -> AnyView {
    let value = move || described.with(|machine| machine.as_ref().map(of.get).unwrap_or_default());
    let wrong = RwSignal::new(None::<&'static str>);
    let on_change = move |event: ev::Event| {
        let mut machine = described.get_untracked().unwrap_or_default();
        let taken = (of.set)(&mut machine, &event_target_value(&event));
        wrong.set(taken.err());
        if taken.is_ok() {
            app.edit(move |study| set(study, machine));
        }
    };
    view! {
        <label class="machine-power-field">
            <span>{of.title}</span>
            <input type="text" autocomplete="off" data-hint=of.help prop:value=value on:change=on_change/>
        </label>
        <span class="field-error" role="status">{move || wrong.get().map(|takes| format!("Accepts {takes}."))}</span>
    }
    .into_any()
}

/// A question that is asked, and asked no more, by pressing it.
fn question(app: App, what_if: WhatIf) -> AnyView {
    let name = what_if.name();
    let asked = what_if.clone();
    let is_asked = Memo::new(move |_| app.study.with(|study| study.what_ifs.contains(&asked)));
    let press = move |_| {
        let what_if = what_if.clone();
        app.edit(move |study| match study.what_ifs.iter().position(|other| *other == what_if) {
            Some(place) => drop(study.what_ifs.remove(place)),
            None => study.what_ifs.push(what_if),
        });
    };
    view! {
        <button class="link" type="button" aria-pressed=move || is_asked.get().to_string() on:click=press>
            {name}
        </button>
    }
    .into_any()
}

fn held(study: &Study, kind: SeriesKind) -> bool {
    match kind {
        SeriesKind::Price => study.measure.prices.is_some(),
        SeriesKind::Intensity => study.measure.intensity.is_some(),
    }
}

fn put(study: &mut Study, kind: SeriesKind, series: Option<Box<PowerSeries>>) {
    match kind {
        SeriesKind::Price => study.measure.prices = series,
        SeriesKind::Intensity => study.measure.intensity = series,
    }
}

/// Whether prices, or intensities, are known, and how to have them.
fn series(app: App, kind: SeriesKind) -> AnyView {
    let (known, unknown) = match kind {
        SeriesKind::Price => {
            ("Prices are known.", "For the cost drop a CSV file with the columns time,price (of a MWh).")
        }
        SeriesKind::Intensity => {
            ("Carbon intensities are known.", "For CO\u{2082} drop one with the columns time,intensity (g a kWh).")
        }
    };
    let is_known = Memo::new(move |_| app.study.with(|study| held(study, kind)));
    let forget = move |_| app.edit(move |study| put(study, kind, None));
    view! {
        <p class="quiet">{move || if is_known.get() { known } else { unknown }}</p>
        <When when=move || is_known.get()>
            <button class="link" type="button" on:click=forget>"Remove them"</button>
        </When>
    }
    .into_any()
}

/// Takes a dropped table of prices or intensities.
pub fn take_series(app: App, name: &str, text: &str, kind: SeriesKind) {
    let series = match PowerSeries::read(text, kind) {
        Err(problem) => return app.complain(format!("{name}: {problem}")),
        Ok(series) => Box::new(series),
    };
    let before = app.study.with_untracked(|study| study.measure.clone());
    app.edit(move |study| put(study, kind, Some(series)));
    let undo = move || {
        let before = before.clone();
        app.edit(move |study| study.measure = before);
    };
    let what = match kind {
        SeriesKind::Price => "prices: the column cost tells what a run's energy costs",
        SeriesKind::Intensity => "carbon intensities: the column co2_kg tells what a run emits",
    };
    app.notify(format!("{name} gives {what}, where watts are known."), Some(Arc::new(undo)));
}

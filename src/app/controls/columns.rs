//! The form that selects the metrics in the table.

use super::section::Fold;
use crate::app::prelude::*;
use crate::app::state::App;
use packfair_engine::metric::{Aim, Metric};

/// The largest number of columns that the folded list names.
const NAMED: usize = 4;

/// All metrics of the catalogue, with checkboxes.
#[component]
pub fn Columns() -> impl IntoView {
    let app = expect_context::<App>();
    let chosen = move || {
        app.study.with(|s| {
            let names: Vec<_> = s.columns.iter().take(NAMED).map(|metric| metric.about().name).collect();
            match s.columns.len().saturating_sub(NAMED) {
                0 => names.join(", "),
                more => format!("{} + {more}", names.join(", ")),
            }
        })
    };
    let chosen_noted = move || {
        let is_noted = |metric: &&Metric| matches!(metric, Metric::Noted(_));
        match app.study.with(|s| s.columns.iter().filter(is_noted).count()) {
            0 => String::new(),
            count => format!("{count} columns"),
        }
    };
    let options = Metric::OWN.iter().map(|&metric| metric_option(app, metric)).collect_view();
    // the metrics that only some schedulers report are folded away
    let noted = Metric::ALL.iter().skip(Metric::OWN.len()).map(|&metric| metric_option(app, metric)).collect_view();
    view! {
        <Fold title="Metrics" chosen=Signal::derive(chosen)>
            <ul class="options" aria-label="Metrics">{options}</ul>
        </Fold>
        <Fold title="What dynP reports" chosen=Signal::derive(chosen_noted)>
            <ul class="options" aria-label="What dynP reports">{noted}</ul>
        </Fold>
    }
}

fn metric_option(app: App, metric: Metric) -> impl IntoView {
    let about = metric.about();
    let is_chosen = Memo::new(move |_| app.study.with(|s| s.columns.contains(&metric)));
    let is_only = move || is_chosen.get() && app.study.with(|s| s.columns.len() == 1);
    let aim = match about.aim {
        Aim::Low => "less is better",
        Aim::High => "more is better",
        Aim::None => "neither more nor less is better",
    };
    let hint = format!("{} = {}\n{aim}; {}", about.name, about.formula, about.source);
    view! {
        <li>
            <label class="option" data-hint=hint.clone()>
                <input
                    type="checkbox"
                    aria-description=hint.clone()
                    disabled=move || is_only()
                    prop:checked=is_chosen
                    on:change=move |_| toggle(app, metric)
                />
                <span class="option-text">
                    {about.name} <span class="option-help">{move || about.help.in_unit(app.unit())}</span>
                </span>
            </label>
        </li>
    }
}

/// Removes a column, or inserts it at its position in the catalogue.
fn toggle(app: App, metric: Metric) {
    app.edit(move |study| {
        if study.columns.contains(&metric) {
            study.columns.retain(|other| *other != metric);
        } else {
            let place = study.columns.iter().position(|other| *other > metric).unwrap_or(study.columns.len());
            study.columns.insert(place, metric);
        }
    });
}

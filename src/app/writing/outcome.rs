//! The result of a script beside EASY, and what it prints.

use super::trying::TrialState;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::model::Printed;
use crate::study::format::{self, MISSING, TimeUnit, whole};
use crate::study::script_trial::{ScriptTrial, TrialFault, TriedMetric};
use crate::workload::Unit;

#[component]
pub fn TrialOutcome(
    state: RwSignal<TrialState>,
    /// Called to go to a line of the script.
    on_line: Callback<u32>,
) -> impl IntoView {
    let app = expect_context::<App>();
    let result = move || match state.get() {
        TrialState::UnderWay => view! { <p class="quiet">"Trying it on the first jobs…"</p> },
        TrialState::None(fault) => wrong(&fault, on_line),
        TrialState::Ended(trial) => match &trial.outcome {
            Ok(values) => table(&trial, values, app.unit()),
            Err(fault) => wrong(fault, on_line),
        },
    };
    let printed = move || match state.get() {
        TrialState::Ended(trial) => print_panel(&trial.printed),
        TrialState::UnderWay | TrialState::None(_) => ().into_any(),
    };
    view! {
        <div role="status" aria-live="polite" data-testid="script-outcome">{move || result()}</div>
        {move || printed()}
    }
}

fn wrong(fault: &TrialFault, on_line: Callback<u32>) -> AnyView {
    let go = fault.line.map(|line| {
        view! {
            <button class="button" type="button" on:click=move |_| on_line.run(line)>
                {format!("Go to line {line}")}
            </button>
        }
    });
    view! {
        <p class="field-error" data-testid="script-fault">{fault.message.clone()}</p>
        {go}
    }
}

fn table(trial: &ScriptTrial, values: &[TriedMetric], unit: Unit) -> AnyView {
    let of = if trial.jobs < trial.of {
        format!(
            "On the first {} of {} jobs, beside EASY with the same estimates",
            whole(trial.jobs as i64),
            whole(trial.of as i64)
        )
    } else {
        format!("On all {} jobs, beside EASY with the same estimates", whole(trial.jobs as i64))
    };
    let rows = values.iter().map(|tried| row(tried, unit)).collect_view();
    view! {
        <table class="plain-table" data-testid="script-values">
            <caption class="quiet">{of}</caption>
            <thead>
                <tr>
                    <th scope="col">"Metric"</th>
                    <th scope="col" class="number">"Script"</th>
                    <th scope="col" class="number">"EASY"</th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
}

fn row(tried: &TriedMetric, unit: Unit) -> AnyView {
    let TriedMetric { metric, own, easy } = *tried;
    let about = metric.about();
    let text =
        |value: Option<f64>| value.map_or_else(|| MISSING.to_owned(), |x| format::value(metric, x, TimeUnit::Fitting));
    view! {
        <tr>
            <th scope="row" data-hint=about.help.in_unit(unit)>{about.name}</th>
            <td class="number" data-value=own.map(format::exact)>{text(own)}</td>
            <td class="number" data-value=easy.map(format::exact)>{text(easy)}</td>
        </tr>
    }
}

fn print_panel(printed: &Printed) -> AnyView {
    if printed.lines.is_empty() {
        return ().into_any();
    }
    let mut text: String = printed.lines.iter().map(|line| format!("{} s  {}\n", line.at, line.text)).collect();
    if printed.others > 0 {
        text.push_str(&format!("and {} more lines\n", printed.others));
    }
    view! {
        <h3>"Printed"</h3>
        <pre class="script-text" tabindex="0" aria-label="What the script prints" data-testid="script-printed">
            {text}
        </pre>
    }
}

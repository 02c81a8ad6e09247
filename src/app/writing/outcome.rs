//! The result of a script beside EASY, and what it prints.

use super::ScriptDraft;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::Modal;
use leptos::task::spawn_local;
use leptos::{ev, html};
use packfair_base::catalogue::Script;
use packfair_engine::estimator::{Estimate, Method};
use packfair_engine::model::Printed;
use packfair_schedulers::Policy;
use packfair_study::Run;
use packfair_study::format::{self, MISSING, TimeUnit, whole};
use packfair_study::query::{Answer, Query};
use packfair_study::script_trial::{ScriptTrial, TRIED_JOBS, TrialFault, TriedMetric};
use packfair_workload::Unit;
use std::time::Duration;

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

// Tries a script on the first jobs of the log while it is being typed.

/// The pause in typing after which the script is tried.
const PAUSE: Duration = Duration::from_millis(400);

#[derive(Clone, Debug, PartialEq)]
pub enum TrialState {
    UnderWay,
    Ended(Box<ScriptTrial>),
    /// There is no trial, and why.
    None(TrialFault),
}

impl TrialState {
    /// The line with an error.
    pub fn wrong_line(&self) -> Option<u32> {
        match self {
            TrialState::UnderWay => None,
            TrialState::Ended(trial) => trial.outcome.as_ref().err().and_then(|fault| fault.line),
            TrialState::None(fault) => fault.line,
        }
    }
}

/// The results of trying the draft, which is tried again after each change.
pub fn try_while_typing(app: App, draft: RwSignal<ScriptDraft>) -> RwSignal<TrialState> {
    let state = RwSignal::new(TrialState::UnderWay);
    let latest = StoredValue::new(0_u32);
    Effect::new(move |_| {
        let ScriptDraft { name, text, .. } = draft.get();
        let Some(number) = latest.try_update_value(|latest| {
            *latest += 1;
            *latest
        }) else {
            return;
        };
        // the dialog may be closed by then
        let is_latest = move || latest.try_get_value() == Some(number);
        set_timeout(
            move || {
                if !is_latest() {
                    return;
                }
                state.set(TrialState::UnderWay);
                spawn_local(async move {
                    let outcome = tried(app, &name, &text).await;
                    if is_latest() {
                        let _ = state.try_set(outcome);
                    }
                });
            },
            PAUSE,
        );
    });
    state
}

async fn tried(app: App, name: &str, text: &str) -> TrialState {
    let none = |message: String| TrialState::None(TrialFault { line: None, message });
    let policy = match Script::new(name, text) {
        Ok(script) => Policy::of_script(script),
        Err(error) => return none(format!("{error}.")),
    };
    let query = app.study.with_untracked(|study| {
        let method = study.methods.first().cloned().unwrap_or_else(Method::requested);
        let k = study.distortions.first().copied().unwrap_or(1.0);
        let run = Run::new(policy, Estimate { method, k });
        Query::Tried { run, rules: study.rules(), measure: study.measure.clone(), jobs: TRIED_JOBS }
    });
    match app.ask(query).await {
        Ok(Answer::Tried(trial)) => TrialState::Ended(trial),
        Ok(_) => none("The answer was lost. Change something to try again.".to_owned()),
        Err(message) => none(message),
    }
}

// A plain text field for a script, with line numbers.

/// A text of many lines. This is the browser's own field, so keyboard and screen reader work as usual.
#[component]
pub fn ScriptEditor(
    #[prop(into)] text: Signal<String>,
    on_input: Callback<String>,
    /// The line with an error, counted from 1.
    #[prop(into)]
    wrong: Signal<Option<u32>>,
    /// The field, so that callers can move the cursor to a line.
    node: NodeRef<html::Textarea>,
) -> impl IntoView {
    let numbers = NodeRef::<html::Div>::new();
    let count = Memo::new(move |_| text.with(|text| text.split('\n').count()));
    let lines = move || {
        let wrong = wrong.get().map(|line| line as usize);
        let line = |line: usize| {
            let is_wrong = wrong == Some(line);
            view! { <span class:is-wrong=is_wrong>{line}</span> }
        };
        (1..=count.get()).map(line).collect_view()
    };
    let on_scroll = move |_| {
        if let (Some(field), Some(numbers)) = (node.get_untracked(), numbers.get_untracked()) {
            numbers.set_scroll_top(field.scroll_top());
        }
    };
    let description = move || match wrong.get() {
        Some(line) => format!("Line {line} is wrong"),
        None => String::new(),
    };
    view! {
        <div class="script-editor">
            <div class="script-numbers" aria-hidden="true" node_ref=numbers>
                {move || lines()}
            </div>
            <textarea
                class="script-field"
                aria-label="Script"
                aria-description=description
                aria-invalid=move || wrong.get().is_some().to_string()
                data-testid="script-field"
                spellcheck="false"
                autocapitalize="off"
                autocomplete="off"
                wrap="off"
                node_ref=node
                prop:value=move || text.get()
                on:input=move |event: ev::Event| on_input.run(event_target_value(&event))
                on:scroll=on_scroll
            ></textarea>
        </div>
    }
}

/// Moves the cursor to a line, counted from 1, and selects the line.
pub fn go_to_line(field: &web_sys::HtmlTextAreaElement, line: u32) {
    let text = field.value();
    // positions in the field are counted in UTF-16 units
    let length = |line: &str| line.encode_utf16().count() as u32;
    let before: u32 = text.split('\n').take(line.saturating_sub(1) as usize).map(|line| length(line) + 1).sum();
    let own = text.split('\n').nth(line.saturating_sub(1) as usize).map_or(0, length);
    // the field is in the page and its text can be selected, so this cannot fail
    let _ = field.focus();
    let _ = field.set_selection_range(before, before + own);
}

// Scripts that came with a link or a file. They are shown to the user, and run only with the user's consent.

/// The dialog that shows other people's scripts and asks before they run.
#[component]
pub fn ScriptConsent() -> impl IntoView {
    let app = expect_context::<App>();
    view! { <Modal open=app.scripts_dialog() title="Run these scripts?">{contents()}</Modal> }
}

// most of the dialog: a function of its own, which belongs to the late part (scripts/split)
#[inline(never)]
fn contents() -> AnyView {
    let app = expect_context::<App>();
    let list = move || {
        let offered = app.offered.get().map(|offered| offered.scripts).unwrap_or_default();
        offered.into_iter().map(shown).collect_view()
    };
    view! {
        <p>
            "What you are opening has a scheduler that somebody wrote as a script. It runs here, in a worker, and sees only the jobs of the log: not the page, the network or what is stored. It may take long, or be wrong."
        </p>
        <div class="script-shown" data-testid="offered-scripts">{move || list()}</div>
        <div class="row">
            <button
                class="button button-accent"
                type="button"
                data-testid="accept-scripts"
                on:click=move |_| app.accept_scripts()
            >
                "Open and run"
            </button>
            <button
                class="button"
                type="button"
                data-testid="decline-scripts"
                on:click=move |_| app.decline_scripts()
            >
                "Do not open"
            </button>
        </div>
    }
}

fn shown(script: &'static Script) -> AnyView {
    view! {
        <h3>{script.name()}</h3>
        <pre class="script-text" tabindex="0" aria-label=format!("The script {}", script.name())>
            {script.text()}
        </pre>
    }
}

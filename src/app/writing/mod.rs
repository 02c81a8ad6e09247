//! Schedulers that users write as scripts: the dialog for writing them, and the consent before other people's scripts
//! run.

mod outcome;

pub use outcome::ScriptConsent;

use crate::app::dialogs::Dialogs;
use crate::app::files;
use crate::app::notices::sentence;
use crate::app::prelude::*;
use crate::app::state::{App, Tab};
use crate::app::widget::Modal;
use leptos::html;
use outcome::{ScriptEditor, TrialOutcome, go_to_line, try_while_typing};
use packfair_base::catalogue::Script;
use packfair_schedulers::Policy;
use packfair_schedulers::script::{EXAMPLES, Example, STEPS, Step, WORDS};

/// A script that is being written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScriptDraft {
    pub name: String,
    pub text: String,
    /// The scheduler of the study that the script will replace; `None` to add one.
    pub changed: Option<Policy>,
}

impl ScriptDraft {
    /// A draft for changing a scheduler of the study; `None` if it is not a script.
    pub fn of(policy: &Policy) -> Option<Self> {
        let script = policy.settings().script()?;
        Some(ScriptDraft {
            name: script.name().to_owned(),
            text: script.text().to_owned(),
            changed: Some(policy.clone()),
        })
    }
}

// The dialog in which the user writes a scheduler, with the result of the script beside it.

#[component]
pub fn WriteScript() -> impl IntoView {
    let dialogs = expect_context::<Dialogs>();
    view! { <Modal open=dialogs.writing title="Write a scheduler">{contents()}</Modal> }
}

// most of the dialog: a function of its own, which belongs to the late part (scripts/split)
#[inline(never)]
fn contents() -> AnyView {
    let app = expect_context::<App>();
    let dialogs = expect_context::<Dialogs>();
    let draft = dialogs.draft;
    if draft.with_untracked(|draft| draft.text.is_empty()) {
        let first = EXAMPLES[0];
        draft.update(|draft| (draft.name, draft.text) = ("mine".to_owned(), first.text.to_owned()));
    }
    let state = try_while_typing(app, draft);
    let field = NodeRef::<html::Textarea>::new();
    let on_line = Callback::new(move |line: u32| {
        if let Some(field) = field.get_untracked() {
            go_to_line(&field, line);
        }
    });
    let fault = RwSignal::new(String::new());
    let run = move |_| match put(app, &draft.get_untracked()) {
        Ok(()) => {
            draft.set(ScriptDraft::default());
            dialogs.writing.set(false);
            app.show_tab(Tab::Compare);
            app.run_all();
        }
        Err(message) => fault.set(message),
    };
    let save = move |_| {
        let ScriptDraft { name, text, .. } = draft.get_untracked();
        if let Err(message) = files::save(&format!("{name}.rhai"), "text/plain", text.as_bytes()) {
            fault.set(message);
        }
    };
    let verb = move || {
        if draft.with(|draft| draft.changed.is_some()) { "Change it, run on all jobs" } else { "Run on all jobs" }
    };
    view! {
        <div class="writing" data-testid="writing">
            <div class="writing-side">
                <div class="row">{name_field(draft)} {examples(draft)}</div>
                <ScriptEditor
                    text=Signal::derive(move || draft.with(|draft| draft.text.clone()))
                    on_input=Callback::new(move |text| draft.update(|draft| draft.text = text))
                    wrong=Signal::derive(move || state.with(|state| state.wrong_line()))
                    node=field
                />
                <div class="row">
                    <button class="button button-accent" type="button" data-testid="run-script" on:click=run>
                        {move || verb()}
                    </button>
                    <button class="button" type="button" on:click=save>"Save as a file"</button>
                </div>
                <p class="field-error" role="alert" hidden=move || fault.with(String::is_empty)>
                    {move || fault.get()}
                </p>
            </div>
            <div class="writing-side">
                <TrialOutcome state on_line />
                {steps(draft)} {words()}
            </div>
        </div>
    }
}

/// Puts the script into the study. It replaces the script that is being changed, or one with the same name.
fn put(app: App, draft: &ScriptDraft) -> Result<(), String> {
    let script = Script::new(&draft.name, &draft.text).map_err(|error| format!("{error}."))?;
    let (policy, changed) = (Policy::of_script(script), draft.changed.clone());
    app.edit(move |study| {
        let is_same = |other: &Policy| {
            Some(other) == changed.as_ref()
                || other.settings().script().is_some_and(|other| other.name() == script.name())
        };
        match study.schedulers.iter().position(is_same) {
            Some(place) => study.schedulers[place] = policy,
            None => study.schedulers.push(policy),
        }
    });
    Ok(())
}

fn name_field(draft: RwSignal<ScriptDraft>) -> AnyView {
    view! {
        <label class="writing-name">
            "Name"
            <input
                type="text"
                autocomplete="off"
                spellcheck="false"
                maxlength="32"
                data-testid="script-name"
                prop:value=move || draft.with(|draft| draft.name.clone())
                on:input=move |event| draft.update(|draft| draft.name = event_target_value(&event))
            />
        </label>
    }
}

/// The list of examples. Picking one replaces the text, which can be restored.
fn examples(draft: RwSignal<ScriptDraft>) -> AnyView {
    let before = RwSignal::new(None::<String>);
    let pick = move |event: leptos::ev::Event| {
        let id = event_target_value(&event);
        if let Some(example) = EXAMPLES.iter().find(|example| example.id == id) {
            before.set(Some(draft.with_untracked(|draft| draft.text.clone())));
            draft.update(|draft| draft.text = example.text.to_owned());
        }
    };
    let back = move |_| {
        if let Some(text) = before.get_untracked() {
            draft.update(|draft| draft.text = text);
            before.set(None);
        }
    };
    let option =
        |example: &Example| view! { <option value=example.id>{format!("{}: {}", example.name, example.help)}</option> };
    view! {
        <label class="writing-name">
            "Begin with"
            <select data-testid="script-example" on:change=pick>
                <option value="">"an example"</option>
                {EXAMPLES.iter().map(option).collect_view()}
            </select>
        </label>
        <button class="button" type="button" hidden=move || before.with(Option::is_none) on:click=back>
            "Back to my own"
        </button>
    }
}

/// How to write a scheduler, step by step. Each step can be tried.
fn steps(draft: RwSignal<ScriptDraft>) -> AnyView {
    let step = move |step: &'static Step| {
        view! {
            <li>
                <p><b>{step.name}</b> " " {step.help}</p>
                <button class="button" type="button" on:click=move |_| draft.update(|draft| draft.text = step.text.to_owned())>
                    "Try this step"
                </button>
            </li>
        }
    };
    view! {
        <details class="writing-help" data-testid="script-steps">
            <summary>"How to write one, in five steps"</summary>
            <ol>{STEPS.iter().map(step).collect_view()}</ol>
        </details>
    }
}

fn words() -> AnyView {
    let of = |(name, words): &(&'static str, &'static [&'static str])| {
        view! {
            <dt>{sentence(name)}</dt>
            <dd><code>{words.join(", ")}</code></dd>
        }
    };
    view! {
        <details class="writing-help">
            <summary>"Names and functions"</summary>
            <dl>{WORDS.iter().map(of).collect_view()}</dl>
        </details>
    }
}

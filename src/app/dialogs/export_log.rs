//! Saves the log as an SWF file, with or without its names.

use super::Dialogs;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{ChoiceOption, Choices, Modal};
use crate::app::{files, remembered};
use packfair_study::query::{Answer, Query};

/// The storage key of the anonymisation key: two months anonymised with the same key agree.
const KEY: &str = "packfair.anonymous";

/// The length of a new key, bytes.
const KEY_LENGTH: usize = 16;

/// The dialog that asks whether names stay.
#[component]
pub fn ExportLog() -> impl IntoView {
    let dialogs = expect_context::<Dialogs>();
    view! {
        <Modal open=dialogs.log title="Save the log as SWF">
            {form()}
        </Modal>
    }
}

// a function of its own, which belongs to the late part (scripts/split)
#[inline(never)]
fn form() -> AnyView {
    let app = expect_context::<App>();
    let dialogs = expect_context::<Dialogs>();
    let chosen = RwSignal::new("names".to_owned());
    let key = RwSignal::new(remembered::get_newest::<String>(KEY).unwrap_or_default());
    let failure = RwSignal::new(None::<String>);
    let options = vec![
        ChoiceOption::new("names", "With names", "Users, groups, queues and partitions are named in its header"),
        ChoiceOption::new(
            "anonymous",
            "Anonymous",
            "Users, groups, queues, partitions and programs become numbers that only those who have the key can trace back; job \
             numbers, memory and comments are left out",
        ),
    ];
    let is_anonymous = move || chosen.with(|chosen| chosen == "anonymous");
    let save = move |_| {
        let key = is_anonymous().then(|| {
            let given = key.with_untracked(|key| key.trim().to_owned());
            let key = if given.is_empty() { new_key() } else { Some(given) };
            key.inspect(|key| remembered::set_newest(KEY, key))
        });
        let key = match key {
            Some(None) => return failure.set(Some("The browser has no random numbers: type a key.".to_owned())),
            key => key.flatten(),
        };
        leptos::task::spawn_local(async move {
            match export(app, key).await {
                Ok(()) => dialogs.log.set(false),
                // the dialog may be closed by now
                Err(message) => drop(failure.try_set(Some(message))),
            }
        });
    };
    view! {
        <Choices legend="Names" options value=chosen on_change=move |id| chosen.set(id) />
        <label class="field" hidden=move || !is_anonymous()>
            <span class="field-label">"Key"</span>
            <span class="field-input">
                <input
                    type="text"
                    data-testid="anonymous-key"
                    placeholder="made where there is none"
                    autocomplete="off"
                    spellcheck="false"
                    prop:value=key
                    on:input=move |event| key.set(event_target_value(&event))
                />
            </span>
            <span class="choice-help">
                "The same key gives a user the same number in every log. This browser remembers it; the command line takes \
                 it as --anonymise=KEY."
            </span>
        </label>
        <p class="field-error" role="alert">{failure}</p>
        <div class="row">
            <button class="button button-accent" type="button" data-testid="save-log" on:click=save>"Save"</button>
        </div>
    }
}

/// A new random key; `None` if the browser has no random numbers.
fn new_key() -> Option<String> {
    let mut bytes = [0; KEY_LENGTH];
    window().crypto().ok()?.get_random_values_with_u8_array(&mut bytes).ok()?;
    Some(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

async fn export(app: App, key: Option<String>) -> Result<(), String> {
    let name = match &key {
        Some(_) => "anonymous.swf".to_owned(),
        None => format!("{}.swf", app.study.with_untracked(|study| study.source.name())),
    };
    match app.ask(Query::Log { key }).await? {
        Answer::File(bytes) => files::save(&name, "text/plain", &bytes),
        _ => Err("The log cannot be written.".to_owned()),
    }
}

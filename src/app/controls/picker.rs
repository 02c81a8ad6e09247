//! The list of named schedulers.

use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{List, When};
use crate::catalogue::Preset;
use crate::scheduler::{PRESETS, Policy};
use leptos::{ev, html};

/// A searchable list of all presets; a click adds or removes one.
#[component]
pub fn Picker(on_done: Callback<()>) -> impl IntoView {
    let app = expect_context::<App>();
    let search = RwSignal::new(String::new());
    let node = NodeRef::<html::Input>::new();
    Effect::new(move || {
        if let Some(input) = node.get() {
            let _ = input.focus();
        }
    });
    let matching = move || {
        let found = PRESETS.iter().filter(|preset| search.with(|words| matches(preset, words)));
        // every preset can be parsed: a test of the catalogue checks this
        found.filter_map(|preset| Some((preset, preset.id.parse().ok()?))).collect::<Vec<(_, Policy)>>()
    };
    let on_key = move |event: ev::KeyboardEvent| {
        if event.key() == "Escape" {
            event.stop_propagation();
            on_done.run(());
        }
    };
    view! {
        <div class="picker" on:keydown=on_key>
            <input
                class="picker-search"
                type="search"
                placeholder="Search schedulers"
                aria-label="Search schedulers"
                autocomplete="off"
                node_ref=node
                prop:value=search
                on:input=move |event| search.set(event_target_value(&event))
            />
            <ul class="picker-list" aria-label="Schedulers">
                <List each=matching key=|(preset, _)| preset.id children=move |(preset, policy)| entry(app, preset, policy) />
            </ul>
            <When when=move || matching().is_empty()>
                <p class="quiet">"No scheduler has these words. Build one instead."</p>
            </When>
        </div>
    }
}

fn entry(app: App, preset: &'static Preset, policy: Policy) -> AnyView {
    let compared = policy.clone();
    let is_chosen = Memo::new(move |_| app.study.with(|s| s.schedulers.contains(&compared)));
    let is_only = move || app.study.with(|s| s.schedulers.len() == 1) && is_chosen.get();
    view! {
        <li>
            <label class="option">
                <input
                    type="checkbox"
                    disabled=move || is_only()
                    prop:checked=is_chosen
                    on:change=move |_| toggle(app, policy.clone())
                />
                <span class="option-text">
                    {preset.name} <span class="option-help">{preset.help}</span>
                </span>
            </label>
        </li>
    }
}

fn toggle(app: App, policy: Policy) {
    app.edit(move |study| {
        if study.schedulers.contains(&policy) {
            study.schedulers.retain(|other| *other != policy);
        } else {
            study.schedulers.push(policy);
        }
    });
}

/// Whether every word of `words` is in the preset's name or help.
fn matches(preset: &Preset, words: &str) -> bool {
    let text = format!("{} {} {}", preset.id, preset.name, preset.help).to_ascii_lowercase();
    words.to_ascii_lowercase().split_whitespace().all(|word| text.contains(word))
}

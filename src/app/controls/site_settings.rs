//! What a Slurm site sets, value by value: each can be set otherwise, and what is becomes a row beside Slurm as configured.

use crate::app::prelude::*;
use crate::app::state::App;
use crate::scheduler::Policy;
use crate::slurm::{SettingGroup, SiteChange, SiteSetting};
use leptos::ev;
use std::collections::BTreeMap;

/// What was typed in place of what is set, by key.
type Edited = RwSignal<BTreeMap<String, String>>;

/// The values in groups that open, and a button that makes a row of those that were changed.
pub(super) fn site_settings(app: App, groups: &[SettingGroup]) -> AnyView {
    let edited: Edited = RwSignal::new(BTreeMap::new());
    let wrong = RwSignal::new(None::<String>);
    let groups = groups.iter().map(|of| group(edited, wrong, of)).collect_view();
    let add = move |_| match edited.with_untracked(|edited| add_row(app, edited)) {
        Ok(()) => {
            edited.set(BTreeMap::new());
            wrong.set(None);
        }
        Err(why) => wrong.set(Some(why)),
    };
    let count = Memo::new(move |_| edited.with(BTreeMap::len));
    let words = move || match count.get() {
        0 => "Change a value to add a row with it".to_owned(),
        1 => "Add a row with this change".to_owned(),
        some => format!("Add a row with these {some} changes"),
    };
    view! {
        <p>"As it is set"</p>
        <div data-testid="site-settings">{groups}</div>
        <p class="field-error" role="alert" data-testid="site-setting-wrong">{move || wrong.get()}</p>
        <div class="row">
            <button
                class="button"
                type="button"
                data-testid="add-site-row"
                disabled=move || count.get() == 0
                on:click=add
            >
                {words}
            </button>
            <button
                class="link"
                type="button"
                hidden=move || count.get() == 0
                on:click=move |_| edited.set(BTreeMap::new())
            >
                "As it was"
            </button>
        </div>
    }
}

fn group(edited: Edited, wrong: RwSignal<Option<String>>, of: &SettingGroup) -> AnyView {
    let keys: Vec<String> = of.settings.iter().map(|setting| setting.key.clone()).collect();
    let changed = move || {
        let count = edited.with(|edited| keys.iter().filter(|key| edited.contains_key(*key)).count());
        if count == 0 { String::new() } else { format!("{count} changed") }
    };
    let fields = of.settings.iter().map(|setting| field(edited, wrong, setting)).collect_view();
    let more = (of.left_out > 0).then(|| {
        let words = format!("and {} more: change one under Schedulers, Slurm, What is set otherwise", of.left_out);
        view! { <p class="quiet">{words}</p> }
    });
    view! {
        <details class="fold">
            <summary>
                <span class="fold-title">{of.name.clone()}</span>
                <span class="fold-chosen">{changed}</span>
            </summary>
            <div class="fold-body">
                <div class="site-settings">{fields}</div>
                {more}
            </div>
        </details>
    }
}

/// A field of one value. What Slurm would not take is said, and is not taken.
fn field(edited: Edited, wrong: RwSignal<Option<String>>, setting: &SiteSetting) -> AnyView {
    let SiteSetting { key, value } = setting.clone();
    // shares say whose they are, all else stands below the name of what it is of
    let label = match key.strip_suffix(".Fairshare") {
        Some(whose) => whose.replacen('.', " ", 1),
        None => key.rsplit('.').next().unwrap_or(&key).to_owned(),
    };
    let (own, set) = (setting.clone(), value.clone());
    let take = move |event: ev::Event| {
        let text = event_target_value(&event).trim().to_owned();
        if text == own.value {
            edited.update(|edited| drop(edited.remove(&own.key)));
            return wrong.set(None);
        }
        // an emptied field takes a limit away, as Slurm has it
        let text = if text.is_empty() { "-1".to_owned() } else { text };
        match own.set_to(&text) {
            Ok(_) => {
                edited.update(|edited| drop(edited.insert(own.key.clone(), text)));
                wrong.set(None);
            }
            Err(why) => wrong.set(Some(format!("{why}. {} stays as it was.", own.key))),
        }
    };
    let shown = {
        let key = key.clone();
        move || edited.with(|edited| edited.get(&key).cloned()).unwrap_or_else(|| set.clone())
    };
    let is_changed = {
        let key = key.clone();
        move || edited.with(|edited| edited.contains_key(&key))
    };
    view! {
        <label class="site-setting" class:site-changed=is_changed>
            <span>{label}</span>
            <input
                type="text"
                autocomplete="off"
                spellcheck="false"
                placeholder="not set"
                data-key=key
                prop:value=shown
                on:change=take
            />
        </label>
    }
}

/// Adds the row of some changes, and Slurm as configured, which it is compared with.
fn add_row(app: App, edited: &BTreeMap<String, String>) -> Result<(), String> {
    let site = app.site_beside().ok_or("The files of the site are not beside the log any more: drop them again.")?;
    let changes: Vec<SiteChange> =
        edited.iter().map(|(key, value)| SiteChange::read(key, value)).collect::<Result<_, _>>()?;
    site.changed(&changes)?;
    let pairs: Vec<String> =
        changes.iter().map(SiteChange::pair).map(|(key, value)| format!("{key}={value}")).collect();
    let policy: Policy = format!("slurm:{}", pairs.join(",")).parse().map_err(|error| format!("{error}"))?;
    app.ask_of_site(policy);
    Ok(())
}

//! What a Slurm site sets, value by value: each can be set otherwise, and what is becomes a row beside Slurm as configured.

use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::When;
use crate::app::wording::sentence;
use leptos::ev;
use packfair_schedulers::Policy;
use packfair_slurm::{SettingGroup, SiteChange, SiteSetting};
use std::collections::BTreeMap;

#[derive(Clone, PartialEq)]
struct Typed {
    text: String,
    /// The change that it makes, or why Slurm would not take it.
    change: Result<SiteChange, String>,
}

type EditedSettings = RwSignal<BTreeMap<String, Typed>>;

/// The values in groups that open, and a button that makes a row of those that were changed.
pub(super) fn site_settings(app: App, groups: Vec<SettingGroup>) -> AnyView {
    let edited: EditedSettings = RwSignal::new(BTreeMap::new());
    let refused = RwSignal::new(None::<String>);
    let groups = groups.into_iter().map(|of| group(edited, of)).collect_view();
    let add = move |_| match edited.with_untracked(|edited| add_row(app, edited)) {
        Ok(()) => {
            edited.set(BTreeMap::new());
            refused.set(None);
        }
        Err(why) => refused.set(Some(format!("{}.", sentence(&why)))),
    };
    let count = Memo::new(move |_| edited.with(BTreeMap::len));
    let is_wrong = Memo::new(move |_| edited.with(|edited| edited.values().any(|typed| typed.change.is_err())));
    let words = move || match (is_wrong.get(), count.get()) {
        (true, _) => "Correct what is wrong to add a row".to_owned(),
        (_, 0) => "Change a value to add a row with it".to_owned(),
        (_, 1) => "Add a row with this change".to_owned(),
        (_, some) => format!("Add a row with these {some} changes"),
    };
    let take_back = move |_| {
        edited.set(BTreeMap::new());
        refused.set(None);
    };
    view! {
        <p>"As configured"</p>
        <div data-testid="site-settings">{groups}</div>
        <p class="field-error" role="alert">{move || refused.get()}</p>
        <div class="row">
            <button
                class="button"
                type="button"
                data-testid="add-site-row"
                disabled=move || count.get() == 0 || is_wrong.get()
                on:click=add
            >
                {words}
            </button>
            <button class="link" type="button" hidden=move || count.get() == 0 on:click=take_back>
                "Reset"
            </button>
        </div>
    }
}

/// A group. Its fields are made once it is opened, because a site may have more than a thousand values.
fn group(edited: EditedSettings, of: SettingGroup) -> AnyView {
    let keys: Vec<String> = of.settings.iter().map(|setting| setting.key.clone()).collect();
    let changed = move || {
        let count = edited.with(|edited| keys.iter().filter(|key| edited.contains_key(*key)).count());
        if count == 0 { String::new() } else { format!("{count} changed") }
    };
    let more = (of.left_out > 0)
        .then(|| format!("and {} more: change one under Schedulers, Slurm, What is set otherwise", of.left_out))
        .map(|words| view! { <p class="quiet">{words}</p> });
    let was_opened = RwSignal::new(false);
    let settings = StoredValue::new(of.settings);
    let fields =
        move || settings.with_value(|all| all.iter().map(|setting| field(edited, setting)).collect_view().into_any());
    view! {
        <details class="fold" on:toggle=move |_| was_opened.set(true)>
            <summary>
                <span class="fold-title">{of.name}</span>
                <span class="fold-chosen">{changed}</span>
            </summary>
            <div class="fold-body">
                <div class="site-settings">
                    <When when=move || was_opened.get()>{fields()}</When>
                </div>
                {more}
            </div>
        </details>
    }
}

/// A field of one value. Where Slurm would not take a text, the reason stands below it.
fn field(edited: EditedSettings, setting: &SiteSetting) -> AnyView {
    let SiteSetting { key, value, .. } = setting.clone();
    // a share says whose it is; any other value stands below the name of its partition or QOS
    let label = match key.strip_suffix(".Fairshare") {
        Some(whose) => whose.replacen('.', " ", 1),
        None => key.rsplit('.').next().unwrap_or(&key).to_owned(),
    };
    let own = setting.clone();
    let take = move |event: ev::Event| {
        let text = event_target_value(&event).trim().to_owned();
        edited.update(|edited| {
            if text == own.value {
                edited.remove(&own.key);
            } else {
                edited.insert(own.key.clone(), Typed { change: own.set_to(&text), text });
            }
        });
    };
    let name = key.clone();
    let typed = Memo::new(move |_| edited.with(|edited| edited.get(&name).cloned()));
    let text = move || typed.with(|typed| typed.as_ref().map_or_else(|| value.clone(), |typed| typed.text.clone()));
    let wrong = Memo::new(move |_| typed.with(|typed| typed.as_ref()?.change.as_ref().err().cloned()));
    view! {
        <label class="site-setting" class:site-changed=move || typed.with(Option::is_some)>
            <span>{label}</span>
            <input
                type="text"
                autocomplete="off"
                spellcheck="false"
                placeholder="not set"
                aria-label=key.clone()
                aria-invalid=move || wrong.with(Option::is_some).to_string()
                data-key=key
                prop:value=text
                on:change=take
            />
        </label>
        <p class="field-error" role="status" hidden=move || wrong.with(Option::is_none)>
            {move || wrong.get().map(|why| format!("{why}."))}
        </p>
    }
}

/// Adds the row of some changes, and Slurm as configured, which it is compared with.
fn add_row(app: App, edited: &BTreeMap<String, Typed>) -> Result<(), String> {
    let site = app.site_beside().ok_or("the files of the site are not beside the log any more: drop them again")?;
    let changes: Vec<SiteChange> = edited.values().map(|typed| typed.change.clone()).collect::<Result<_, _>>()?;
    site.changed(&changes)?;
    let pairs: Vec<String> =
        changes.iter().map(SiteChange::pair).map(|(key, value)| format!("{key}={value}")).collect();
    let policy: Policy = format!("slurm:{}", pairs.join(",")).parse().map_err(|error| format!("{error}"))?;
    app.ask_of_site(policy);
    Ok(())
}

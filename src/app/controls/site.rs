//! The Slurm site whose files are beside the log: what was read of it, and what-if questions about it.

use super::section::Fold;
use crate::app::notices::sentence;
use crate::app::prelude::*;
use crate::app::state::{App, LogState, RunOutcome};
use crate::app::widget::When;
use crate::run_queue::TakenSite;
use leptos::ev;
use leptos::task::spawn_local;
use packfair_base::machine::{MachineDescription, MachineText};
use packfair_schedulers::Policy;
use packfair_slurm::{Patch, SettingGroup, Site, SiteChange, SiteSetting};
use packfair_study::query::Query;
use packfair_study::what_if::{AnsweredRow, answer, judged_on, to_do};
use packfair_study::{GroupedWaits, Study};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The largest number of findings that are shown.
const SHOWN: usize = 50;

/// A table of what was read of the site, findings about its lines, and buttons for what-if questions; nothing if no
/// file of a site is beside the log.
pub fn site_panel(app: App) -> AnyView {
    let site = app.site;
    let in_short = move || {
        site.with(|site| {
            let Some(site) = site else { return String::new() };
            let nodes = site.parts.first().map_or(String::new(), |(_, words)| words.clone());
            match site.findings.len() {
                0 => nodes,
                1 => format!("{nodes}, 1 line to look at"),
                some => format!("{nodes}, {some} lines to look at"),
            }
        })
    };
    let contents = move || site.get().map(|site| contents(app, &site));
    view! {
        <When when=move || site.with(Option::is_some)>
            <Fold title="Slurm site" chosen=Signal::derive(in_short)>
                {move || contents()}
            </Fold>
        </When>
    }
}

fn contents(app: App, site: &Arc<TakenSite>) -> AnyView {
    let part = |(name, words): &(String, String)| {
        view! {
            <tr>
                <th scope="row">{name.clone()}</th>
                <td>{words.clone()}</td>
            </tr>
        }
    };
    let finding = |words: &String| view! { <li>{words.clone()}</li> };
    let more = site.findings.len().saturating_sub(SHOWN);
    let has_findings = !site.findings.is_empty();
    let findings = site.findings.iter().take(SHOWN).map(finding).collect_view();
    let questions = site.questions.iter().map(|(name, row)| question(app, name, row)).collect_view();
    view! {
        <table class="site-parts" data-testid="site-parts">
            <caption class="quiet">"As its files say"</caption>
            <tbody>{site.parts.iter().map(part).collect_view()}</tbody>
        </table>
        {has_findings
            .then(|| {
                view! {
                    <p>"Lines to look at"</p>
                    <ul class="site-list" data-testid="site-findings">{findings}</ul>
                    {(more > 0).then(|| view! { <p class="quiet">{format!("and {more} more")}</p> })}
                }
            })}
        {site_settings(app, site.settings.clone())}
        <p>"What if…"</p>
        <div class="site-questions" role="group" aria-label="What if" data-testid="site-questions">{questions}</div>
        <p class="quiet">"Each adds a row beside Slurm as configured."</p>
        {to_apply(app)}
        <button class="link" type="button" data-testid="drop-site" on:click=move |_| app.drop_site()>
            "Remove the site"
        </button>
    }
}

/// For each row that changes the site: the effect of the change, and how to apply it at the site.
fn to_apply(app: App) -> AnyView {
    let changed = Memo::new(move |_| {
        app.study.with(|study| {
            study.schedulers.iter().filter(|policy| policy.as_configured().is_some()).cloned().collect::<Vec<_>>()
        })
    });
    let is_some = move || changed.with(|changed| !changed.is_empty());
    let rows = move || {
        let site = app.site_beside();
        changed.get().into_iter().map(|policy| applied(app, policy, site.as_ref())).collect_view()
    };
    view! {
        <When when=is_some>
            <p>"To apply"</p>
            <div data-testid="site-to-apply">{move || rows()}</div>
        </When>
    }
}

fn applied(app: App, policy: Policy, site: Option<&Site>) -> AnyView {
    let Some(site) = site else { return ().into_any() };
    let (patch, asks) = to_do(&policy, site);
    let shown = site.clone();
    let own = policy.clone();
    let waits = waits_of_users(app, &policy);
    let effects = move || {
        let results = app.results();
        let columns = app.study.with(|study| study.columns.clone());
        let repeated = app.repeats.with(|state| state.as_ref().map(|state| state.repeated.clone()));
        let of = |policy: &Policy| results.iter().find(|outcome| outcome.report.run.scheduler == *policy).cloned();
        let (Some(row), Some(base)) = (of(&own), own.as_configured().and_then(|base| of(&base))) else {
            return vec!["Run it and Slurm as configured to see what it does.".to_owned()];
        };
        let waits = waits.get();
        let beside = AnsweredRow { report: &base.report, waits: waits.as_ref().map(|(_, before)| before) };
        let row = AnsweredRow { report: &row.report, waits: waits.as_ref().map(|(own, _)| own) };
        let judged = app.log.with(|log| match log {
            LogState::Ready(log) => judged_on(&log.summary.name, log.summary.jobs),
            _ => String::new(),
        });
        let is_repeated = repeated.is_some();
        match answer(row, beside, &columns, repeated.as_deref(), |policy| to_do(policy, &shown)) {
            Some(answer) => vec![
                format!("Effect: {}.", answer.effect),
                format!("Price: {}.", answer.price),
                format!("Certainty: {}{}.", answer.certainty, if is_repeated { "" } else { " (Measure, Repeats)" }),
                format!("Judged on: {judged}."),
            ],
            None => Vec::new(),
        }
    };
    view! {
        <details class="fold">
            <summary>
                <span class="fold-title">{policy.name()}</span>
            </summary>
            <div class="fold-body">
                <ul class="site-list">
                    {move || effects().into_iter().map(|line| view! { <li>{line}</li> }).collect_view()}
                </ul>
                {what_to_do(patch, &asks)}
            </div>
        </details>
    }
    .into_any()
}

/// The diff, the commands and what users are asked for, so that a change can be made at the site.
pub fn what_to_do(patch: Patch, asks: &str) -> AnyView {
    let asks = (!asks.is_empty()).then(|| view! { <p>{format!("To do: {asks}.")}</p> });
    let lines = [patch.diff, patch.commands.join("\n")].into_iter().filter(|text| !text.is_empty());
    let lines = lines.map(|text| view! { <pre class="site-diff" tabindex="0">{text}</pre> }).collect_view();
    view! {
        {asks}
        {lines}
    }
    .into_any()
}

/// The waits of each user in a row that changes something, and as configured; none before both are there.
fn waits_of_users(app: App, policy: &Policy) -> RwSignal<Option<(GroupedWaits, GroupedWaits)>> {
    let waits = RwSignal::new(None);
    let policy = policy.clone();
    // other rows that get their results meanwhile ask nothing anew
    let pair = Memo::new(move |_| {
        let results = app.results();
        let of = |policy: &Policy| {
            let is_it = |outcome: &&Arc<RunOutcome>| outcome.report.run.scheduler == *policy && outcome.has_schedule;
            results.iter().find(is_it).cloned()
        };
        Some((of(&policy)?, of(&policy.as_configured()?)?))
    });
    Effect::new(move |_| {
        let Some((row, base)) = pair.get() else { return waits.set(None) };
        spawn_local(async move {
            let ask = |outcome: &RunOutcome| app.ask(Query::UserWaits { run: outcome.report.run.clone() });
            let own = ask(&row).await.and_then(|answer| answer.decoded());
            let before = ask(&base).await.and_then(|answer| answer.decoded());
            if let (Ok(own), Ok(before)) = (own, before) {
                // the view may be gone when an answer comes
                let _ = waits.try_set(Some((own, before)));
            }
        });
    });
    waits
}

/// A button that adds the row of a question, or removes it.
fn question(app: App, name: &str, row: &str) -> AnyView {
    // the worker has built the row, so it can be parsed
    let Ok(policy) = row.parse::<Policy>() else { return ().into_any() };
    let asked = policy.clone();
    let is_asked = Memo::new(move |_| app.study.with(|study| study.schedulers.contains(&asked)));
    let toggle = move |_| {
        let policy = policy.clone();
        if is_asked.get_untracked() {
            app.edit(move |study| study.schedulers.retain(|other| *other != policy));
        } else {
            app.ask_of_site(policy);
        }
    };
    view! {
        <button
            class="link"
            type="button"
            aria-pressed=move || is_asked.get().to_string()
            data-hint=row.to_owned()
            on:click=toggle
        >
            {name.to_owned()}
        </button>
    }
}

// What a Slurm site sets, value by value: each can be set otherwise, and what is becomes a row beside Slurm as configured.

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

// A machine that arrives, as a file, as text or from the form, becomes that of the study. Belongs to the late part
// (scripts/split).

/// Takes a machine and tells the user, who can undo this.
pub(super) fn take(app: App, name: &str, machine: MachineDescription, more: &str) {
    let before = app.study.with_untracked(|study| study.treatment.clone());
    let told = reported(&machine);
    app.edit(move |study| set(study, machine));
    let undo = move || {
        let before = before.clone();
        app.edit(move |study| study.treatment = before);
    };
    app.notify(format!("{name} is the machine now: {told}.{more}"), Some(Arc::new(undo)));
}

/// Takes a machine that arrived as a file or as text. Depending on its kind, the text replaces the present description
/// or adds to it.
pub fn take_text(app: App, name: &str, text: &str) {
    let Some(kind) = MachineText::recognise(text) else { return };
    let before = app.study.with_untracked(|study| study.treatment.machine.clone());
    match kind.read(text, before.as_deref()) {
        Err(problem) => app.complain(format!("{name}: {problem}")),
        Ok(machine) => take(app, name, machine, ""),
    }
}

/// "2 cells, 1 partition, 3 changes".
fn reported(machine: &MachineDescription) -> String {
    let count = |count: usize, one: &str, several: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        count => Some(format!("{count} {several}")),
    };
    let parts = [
        count(machine.cells.len(), "cell", "cells"),
        count(machine.partitions.len(), "partition", "partitions"),
        count(machine.changes.len(), "change", "changes"),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

pub(super) fn set(study: &mut Study, machine: MachineDescription) {
    if !machine.cells.is_empty() {
        // the cells say how large it is
        study.treatment.processors = None;
    }
    study.treatment.machine = (!machine.is_empty()).then(|| Box::new(machine));
}

pub(super) fn change(app: App, change: impl FnOnce(&mut MachineDescription) + 'static) {
    app.edit(move |study| {
        let mut machine = study.treatment.machine.as_deref().cloned().unwrap_or_default();
        change(&mut machine);
        set(study, machine);
    });
}

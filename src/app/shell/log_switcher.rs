//! Shows the active log, and switches to another.

use crate::app::dialogs::Dialogs;
use crate::app::files::FileInputs;
use crate::app::late;
use crate::app::notices::{jobs, size};
use crate::app::prelude::*;
use crate::app::state::{App, KnownLog, LogState};
use crate::app::widget::{ButtonMenu, Glyph, Icon, List, MenuItem, MenuLabel, When};
use packfair_study::Source;
use packfair_workload::Summary;

/// A button with the log's name and size, and a menu of all known logs.
#[component]
pub fn LogSwitcher() -> impl IntoView {
    let app = expect_context::<App>();
    let dialogs = expect_context::<Dialogs>();
    let inputs = expect_context::<FileInputs>();
    let face = move || {
        view! {
            <span class="log-name" data-testid="log-name">{move || name(app)}</span>
            " "
            <span class="log-facts numeric">{move || facts(app)}</span>
            <Icon glyph=Glyph::Open />
        }
    };
    let label = Signal::derive(move || format!("Log: {} {}", name(app), facts(app)));
    view! {
        <div class="log-switcher">
            <ButtonMenu name=label class="button log-button" face=face>
                <MenuLabel text="Logs" />
                <List
                    each=move || entries(app)
                    key=|(log, is_active)| format!("{} {is_active}", log.source.key())
                    children=move |(log, is_active)| entry(app, log, is_active)
                />
                <When when=move || app.library.with(Vec::is_empty)>
                    <p class="quiet menu-note">"None yet. Drop one anywhere on the page."</p>
                </When>
                <hr />
                <MenuItem on_pick=move || inputs.pick_log()>"Open a log…"</MenuItem>
                <MenuItem on_pick=move || dialogs.generate.set(true)>"Generate a workload…"</MenuItem>
            </ButtonMenu>
        </div>
    }
}

fn name(app: App) -> String {
    match app.log.get() {
        LogState::Loading { name, .. } | LogState::Failed { name, .. } => name,
        LogState::Ready(_) | LogState::Absent => app.study.with(|s| s.source.name()),
    }
}

/// The size of the active log, or why it is unknown.
fn facts(app: App) -> String {
    match app.log.get() {
        LogState::Absent => "not at hand".to_owned(),
        LogState::Loading { fraction, .. } => format!("{:.0} %", fraction * 100.0),
        LogState::Failed { .. } => "cannot be used".to_owned(),
        LogState::Ready(log) => {
            format!("{}, {}", jobs(log.summary.jobs), machine(&log.summary))
        }
    }
}

/// The machine's size with its unit.
fn machine(summary: &Summary) -> String {
    size(summary.machine.processors, summary.counting.unit)
}

fn entries(app: App) -> Vec<(KnownLog, bool)> {
    let active = app.study.with(|study| study.source.clone());
    let with_state = |log: KnownLog| {
        let is_active = log.source == active;
        (log, is_active)
    };
    app.library.get().into_iter().map(with_state).collect()
}

/// A log of the library, and the button that forgets it.
fn entry(app: App, log: KnownLog, is_active: bool) -> AnyView {
    let (opened, removed) = (log.source.clone(), log.source.clone());
    let remove = {
        let removed = removed.clone();
        move || app.remove_log(removed.clone())
    };
    let kind = if matches!(log.source, Source::Generated(_)) { "generated" } else { "log" };
    let forget = format!("Forget {}", log.name);
    view! {
        <div class="menu-row" role="presentation" class:menu-row-active=is_active>
            <MenuItem on_pick=move || app.open(opened.clone())>
                <span class="menu-item-name">{log.name}</span>
                <span class="menu-item-help numeric">{jobs(log.records)} ", " {kind}</span>
                {is_active.then(|| view! { <span class="visually-hidden">", active"</span> })}
            </MenuItem>
            <button
                class="menu-item menu-item-side"
                type="button"
                role="menuitem"
                tabindex="-1"
                aria-label=forget.clone()
                data-hint=forget
                on:click=move |_| remove()
            >
                "×"
            </button>
        </div>
    }
}

// The banner after a log was dropped on a shared result of another log.

/// Names the dropped log and the link's log, and offers to go on or to return.
#[component]
pub fn OtherLog() -> impl IntoView {
    let app = expect_context::<App>();
    let names = move || {
        let shared = app.shared_before.with(|left| left.as_ref().map(|left| left.carried.workload.name.clone()))?;
        Some((app.study.with(|study| study.source.name()), shared))
    };
    let names = Memo::new(move |_| names());
    let is_compared = Memo::new(move |_| {
        app.study
            .with(|study| app.rows.with(|rows| rows.iter().all(|row| row.result.is_some() && !row.is_stale(study))))
    });
    let banner = move |(here, shared): (String, String)| {
        let said = match here == shared {
            true => format!("This {here} is not the one that the link was made from: "),
            false => format!("This is {here}, the link is of {shared}: "),
        };
        let on = move || match is_compared.get() {
            true => format!("Keep the same study on {here}"),
            false => format!("Compare the same study on {here}"),
        };
        view! {
            <div class="banner banner-warn" role="status" data-testid="other-log">
                <p class="banner-text">
                    <strong>{said}</strong>
                    "the fingerprints of their contents differ, so this does not check the shared result."
                </p>
                <button class="button" type="button" data-testid="keep-other-log" on:click=move |_| app.keep_other_log()>
                    {move || on()}
                </button>
                <button
                    class="button button-quiet"
                    type="button"
                    data-testid="return-to-shared"
                    on:click=move |_| app.return_to_shared()
                >
                    "Back to the shared result"
                </button>
            </div>
        }
    };
    move || names.get().map(banner)
}

// The switch at the top for the log's partitions: all as one machine, or each by itself with all or one of them shown.

/// A list beside the log's name, if the log has several partitions.
#[component]
pub fn PartitionSwitch() -> impl IntoView {
    let app = expect_context::<App>();
    let is_whole = late::signal();
    view! { <When when=move || is_whole.get()>{switch(app)}</When> }
}

// belongs to the late part (scripts/split)
#[inline(never)]
fn switch(app: App) -> AnyView {
    let each = Memo::new(move |_| app.partitions_apart());
    let is_apart = move || app.study.with(|study| !study.partitions.is_empty());
    let value = Memo::new(move |_| match (is_apart(), app.partition_chosen()) {
        (false, _) => "one".to_owned(),
        (true, None) => "each".to_owned(),
        (true, Some(chosen)) => chosen.number.to_string(),
    });
    let option = move |id: String, name: String| {
        let own = id.clone();
        view! { <option value=id prop:selected=move || value.get() == own>{name}</option> }
    };
    let choose = move |event| match event_target_value(&event).as_str() {
        "one" => app.take_as_one(),
        number => app.take_each(number.parse().ok()),
    };
    let options = move || {
        let two = [("one", "One machine"), ("each", "Each partition by itself")];
        let two = two.map(|(id, name)| (id.to_owned(), name.to_owned()));
        let named = each.get().into_iter().map(|of| (of.number.to_string(), format!("Partition {}", of.name)));
        two.into_iter().chain(named).map(|(id, name)| option(id, name)).collect_view()
    };
    view! {
        <When when=move || is_apart() || each.with(|each| each.len() > 1)>
            <select
                class="chart-add"
                aria-label="Partitions"
                data-testid="partition-switch"
                data-hint="The log's partitions as one machine, or each as a machine of its own"
                on:change=choose
            >
                {options}
            </select>
        </When>
    }
}

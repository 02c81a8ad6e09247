//! Shows the active log, and switches to another.

use crate::app::dialogs::Dialogs;
use crate::app::files::FileInputs;
use crate::app::prelude::*;
use crate::app::state::{App, KnownLog, LogState};
use crate::app::widget::{ButtonMenu, Glyph, Icon, List, MenuItem, MenuLabel, When};
use crate::app::wording::{jobs, size};
use crate::study::Source;
use crate::workload::Summary;

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

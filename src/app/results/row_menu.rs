//! The menu of a row: what can be done with its run.

use super::naming::{name, scheduler_help};
use super::table_state::toggle_baseline;
use crate::app::prelude::*;
use crate::app::state::{App, Tab};
use crate::app::widget::{Edge, Menu, MenuItem, MenuLabel, MenuList};
use packfair_study::Run;
use std::time::Duration;

/// The menu, which belongs to the row on which it was opened.
#[derive(Clone, Copy)]
pub struct RowMenu {
    menu: Menu,
    run: RwSignal<Option<Run>>,
}

impl RowMenu {
    pub fn new() -> Self {
        RowMenu { menu: Menu::new(Edge::End), run: RwSignal::new(None) }
    }

    /// Opens the menu for a run, beside a button.
    pub fn open(self, run: Run, beside: &web_sys::Element) {
        self.run.set(Some(run));
        self.menu.open(beside);
    }
}

/// The menu's items.
#[component]
pub fn RowMenuPopup(
    row_menu: RowMenu,
    /// The run whose row is being renamed.
    renamed: RwSignal<Option<Run>>,
) -> impl IntoView {
    let app = expect_context::<App>();
    let label = Signal::derive(move || row_menu.run.with(|run| run.as_ref().map(name)).unwrap_or_default());
    let about = move || row_menu.run.with(|run| run.as_ref().map(scheduler_help));
    let row = move || {
        row_menu.run.with(|run| app.rows.with(|rows| rows.iter().find(|r| Some(&r.run) == run.as_ref()).cloned()))
    };
    let has_schedule = move || row().and_then(|r| r.result).is_some_and(|r| r.has_schedule);
    let is_baseline = move || {
        row_menu
            .run
            .with(|run| run.as_ref().is_some_and(|run| app.study.with(|s| s.baseline_of(run).as_ref() == Some(run))))
    };
    let no_fair_starts = move || app.no_fair_starts(&row_menu.run.get()?);
    let act = move |action: fn(App, Run)| {
        move || {
            if let Some(run) = row_menu.run.get_untracked() {
                action(app, run);
            }
        }
    };
    let show_jobs = act(|app, run| {
        app.highlight(Some(run));
        app.show_tab(Tab::Jobs);
    });
    // the menu gives the focus back to its button first
    let rename = move || {
        let run = row_menu.run.get_untracked();
        set_timeout(move || drop(renamed.try_set(run)), Duration::ZERO);
    };
    let has_no_schedule = Signal::derive(move || !has_schedule());
    let why_no_fair_starts = Signal::derive(no_fair_starts);
    let has_no_fair_starts = Signal::derive(move || no_fair_starts().is_some());
    view! {
        <MenuList menu=row_menu.menu label>
            <MenuLabel text=label/>
            <p class="menu-about" role="presentation">{move || about()}</p>
            <MenuItem on_pick=act(|app, run| toggle_baseline(app, &run))>
                {move || if is_baseline() { "No longer the baseline" } else { "Make it the baseline" }}
                <kbd>"b"</kbd>
            </MenuItem>
            <MenuItem testid="rename-row" on_pick=rename>
                "Rename"
                <kbd>"F2"</kbd>
            </MenuItem>
            <MenuItem on_pick=act(App::run_one)>
                "Run again"
                <kbd>"r"</kbd>
            </MenuItem>
            <MenuItem
                testid="compute-fair-starts"
                disabled=has_no_fair_starts
                why_disabled=why_no_fair_starts
                on_pick=act(App::compute_fair_starts)
            >
                "Compute fair start times"
            </MenuItem>
            <MenuItem disabled=has_no_schedule on_pick=show_jobs>"Show its jobs"</MenuItem>
            <MenuItem on_pick=act(App::remove_row)>
                "Remove the row"
                <kbd>"Del"</kbd>
            </MenuItem>
        </MenuList>
    }
}

//! What can be done with a run, as a menu of its row.

use super::menu::{Menu, MenuPopup};
use super::naming::name;
use super::table::toggle_baseline;
use super::verification::Verifications;
use crate::app::prelude::*;
use crate::app::state::{App, View};
use crate::study::Run;

/// The menu of whichever row it was opened on.
#[derive(Clone, Copy)]
pub struct RowMenu {
    menu: Menu,
    run: RwSignal<Option<Run>>,
}

impl RowMenu {
    /// Closed.
    pub fn new() -> Self {
        RowMenu { menu: Menu::new(), run: RwSignal::new(None) }
    }

    /// Opens it for a run, beside a button.
    pub fn open(self, run: Run, beside: &web_sys::Element) {
        self.run.set(Some(run));
        self.menu.open(beside);
    }
}

/// The menu's items.
#[component]
pub fn RowMenuPopup(
    /// Which menu.
    row_menu: RowMenu,
    /// Where checks are asked for.
    verifications: Verifications,
) -> impl IntoView {
    let app = expect_context::<App>();
    let label = Signal::derive(move || row_menu.run.with(|run| run.as_ref().map(name)).unwrap_or_default());
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
        move |_| {
            if let Some(run) = row_menu.run.get_untracked() {
                action(app, run);
            }
        }
    };
    view! {
        <MenuPopup menu=row_menu.menu label>
            <p class="popup-menu-title" role="presentation">{label}</p>
            <button type="button" role="menuitem" tabindex="-1" on:click=act(|app, run| toggle_baseline(app, &run))>
                {move || if is_baseline() { "No longer the baseline" } else { "Make it the baseline" }}
                <kbd>"b"</kbd>
            </button>
            <button type="button" role="menuitem" tabindex="-1" on:click=act(App::run_one)>
                "Run again"
                <kbd>"r"</kbd>
            </button>
            <button
                type="button"
                role="menuitem"
                tabindex="-1"
                data-testid="verify"
                disabled=move || !has_schedule()
                on:click=move |_| {
                    if let Some(run) = row_menu.run.get_untracked() {
                        verifications.verify(run);
                    }
                }
            >
                "Check this schedule"
                <kbd>"v"</kbd>
            </button>
            <button
                type="button"
                role="menuitem"
                tabindex="-1"
                data-testid="compute-fair-starts"
                disabled=move || no_fair_starts().is_some()
                title=no_fair_starts
                on:click=act(App::compute_fair_starts)
            >
                "Compute fair start times"
            </button>
            <button
                type="button"
                role="menuitem"
                tabindex="-1"
                disabled=move || !has_schedule()
                on:click=act(|app, run| {
                    app.highlighted.set(Some(run));
                    app.view.set(View::Jobs);
                })
            >
                "Show its jobs"
            </button>
            <button type="button" role="menuitem" tabindex="-1" on:click=act(App::remove_row)>
                "Remove the row"
                <kbd>"Del"</kbd>
            </button>
        </MenuPopup>
    }
}

//! The line at the top: the active log, and actions on the whole study.

use super::log_switcher::LogSwitcher;
use super::partition_switch::PartitionSwitch;
use super::tabs::Questions;
use super::theme::ThemeSwitch;
use crate::app::dialogs::{Dialogs, ExportMenu, RecipesButton};
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{Glyph, Icon, closest};

/// Brand, questions, log switcher, recipes, share, export, help, theme.
#[component]
pub fn Header() -> impl IntoView {
    let dialogs = expect_context::<Dialogs>();
    let app = expect_context::<App>();
    let by_key = window_event_listener(leptos::ev::keydown, move |event| {
        // in a text field, the browser undoes the typing itself
        if closest(event.target(), "input, select, textarea").is_some() {
            return;
        }
        let is_undo = (event.ctrl_key() || event.meta_key()) && !event.shift_key() && event.key() == "z";
        if event.key() == "?" {
            dialogs.help.set(true);
        } else if is_undo && app.undo_last() {
            event.prevent_default();
        }
    });
    on_cleanup(move || by_key.remove());
    view! {
        <header class="header">
            <h1 class="brand">
                <Icon glyph=Glyph::Brand />
                <span class="brand-name">"Packfair"</span>
            </h1>
            <Questions />
            <LogSwitcher />
            <PartitionSwitch />
            <nav class="header-actions" aria-label="Study">
                <RecipesButton />
                <button
                    class="button button-quiet"
                    type="button"
                    aria-label="Share"
                    data-testid="share"
                    data-hint="A link that carries the study and its results"
                    on:click=move |_| dialogs.share.set(true)
                >
                    <Icon glyph=Glyph::Share />
                    <span class="button-text">"Share"</span>
                </button>
                <ExportMenu />
                <button
                    class="button button-quiet"
                    type="button"
                    aria-label="Help"
                    data-hint="What this is, its words, the papers, keys (?)"
                    on:click=move |_| dialogs.help.set(true)
                >
                    <Icon glyph=Glyph::Help />
                </button>
                <ThemeSwitch />
            </nav>
        </header>
    }
}

//! The line at the top: which log, and what can be done with the whole study.

use super::log_switcher::LogSwitcher;
use super::theme::ThemeSwitch;
use crate::app::dialogs::{Dialogs, ExportMenu, RecipesMenu};
use crate::app::prelude::*;
use crate::app::widget::{Glyph, Icon, closest};

/// Brand, log switcher, recipes, share, export, help, theme.
#[component]
pub fn Header() -> impl IntoView {
    let dialogs = expect_context::<Dialogs>();
    let help_by_key = window_event_listener(leptos::ev::keydown, move |event| {
        // in a field it is text
        if event.key() == "?" && closest(event.target(), "input, select, textarea").is_none() {
            dialogs.help.set(true);
        }
    });
    on_cleanup(move || help_by_key.remove());
    view! {
        <header class="header">
            <h1 class="brand">
                <Icon glyph=Glyph::Brand />
                <span class="brand-name">"Packfair"</span>
            </h1>
            <LogSwitcher />
            <nav class="header-actions" aria-label="Study">
                <RecipesMenu />
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

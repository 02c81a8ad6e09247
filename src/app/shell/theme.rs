//! Light, dark, or as the system has it.

use crate::app::prelude::*;
use crate::app::state::{App, Theme};
use crate::app::widget::{Glyph, Icon};

/// A button that goes on to the next theme.
#[component]
pub fn ThemeSwitch() -> impl IntoView {
    let app = expect_context::<App>();
    Effect::new(move || {
        let Some(root) = document().document_element() else { return };
        // an attribute of the root element can always be set
        let _ = match app.theme.get() {
            Theme::System => root.remove_attribute("data-theme"),
            Theme::Light => root.set_attribute("data-theme", "light"),
            Theme::Dark => root.set_attribute("data-theme", "dark"),
        };
    });
    let label = move || match app.theme.get() {
        Theme::System => "Theme: as the system",
        Theme::Light => "Theme: light",
        Theme::Dark => "Theme: dark",
    };
    let glyph = move || match app.theme.get() {
        Theme::System => Glyph::System,
        Theme::Light => Glyph::Light,
        Theme::Dark => Glyph::Dark,
    };
    let next = move |_| {
        app.theme.update(|theme| {
            *theme = match theme {
                Theme::System => Theme::Light,
                Theme::Light => Theme::Dark,
                Theme::Dark => Theme::System,
            }
        });
    };
    view! {
        <button
            class="button button-quiet"
            type="button"
            aria-label=move || label()
            data-hint=move || label()
            data-testid="theme"
            on:click=next
        >
            {move || view! { <Icon glyph=glyph() /> }}
        </button>
    }
}

//! Light, dark, or as the system has it.

use crate::app::prelude::*;
use crate::app::state::{App, ThemeChoice};
use crate::app::widget::{Glyph, Icon};

/// A button that switches to the next theme.
#[component]
pub fn ThemeSwitch() -> impl IntoView {
    let app = expect_context::<App>();
    Effect::new(move || {
        let Some(root) = document().document_element() else { return };
        // setting an attribute of the root element cannot fail
        let _ = match app.theme.get() {
            ThemeChoice::System => root.remove_attribute("data-theme"),
            ThemeChoice::Light => root.set_attribute("data-theme", "light"),
            ThemeChoice::Dark => root.set_attribute("data-theme", "dark"),
        };
    });
    let label = move || match app.theme.get() {
        ThemeChoice::System => "Theme: as the system",
        ThemeChoice::Light => "Theme: light",
        ThemeChoice::Dark => "Theme: dark",
    };
    let glyph = move || match app.theme.get() {
        ThemeChoice::System => Glyph::System,
        ThemeChoice::Light => Glyph::Light,
        ThemeChoice::Dark => Glyph::Dark,
    };
    view! {
        <button
            class="button button-quiet"
            type="button"
            aria-label=move || label()
            data-hint=move || label()
            data-testid="theme"
            on:click=move |_| app.switch_theme()
        >
            {move || view! { <Icon glyph=glyph() /> }}
        </button>
    }
}

//! The colours of charts, which follow the page's theme.

use crate::app::prelude::*;
use crate::app::state::{App, ThemeChoice as PageTheme};
use packfair_chart::Theme;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};

/// The present colours. They follow the page's switch and the system.
pub fn chart_theme(app: App) -> Memo<Theme> {
    let system_is_dark = system_is_dark();
    Memo::new(move |_| match app.theme.get() {
        PageTheme::Light => Theme::LIGHT,
        PageTheme::Dark => Theme::DARK,
        PageTheme::System if system_is_dark.get() => Theme::DARK,
        PageTheme::System => Theme::LIGHT,
    })
}

fn system_is_dark() -> RwSignal<bool> {
    let query = window().match_media("(prefers-color-scheme: dark)").ok().flatten();
    let is_dark = RwSignal::new(query.as_ref().is_some_and(|query| query.matches()));
    let Some(query) = query else { return is_dark };
    let listened = query.clone();
    let on_change = Closure::<dyn FnMut(JsValue)>::new(move |_| is_dark.set(listened.matches()));
    // if the listener cannot be added, the initial theme stays
    let _ = query.add_event_listener_with_callback("change", on_change.as_ref().unchecked_ref());
    let kept = StoredValue::new_local((query, on_change));
    on_cleanup(move || {
        kept.try_with_value(|(query, on_change)| {
            let _ = query.remove_event_listener_with_callback("change", on_change.as_ref().unchecked_ref());
        });
    });
    is_dark
}

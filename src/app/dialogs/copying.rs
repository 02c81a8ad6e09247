//! A button that copies a text and confirms it.

use crate::app::files;
use crate::app::prelude::*;
use crate::app::state::App;
use std::time::Duration;

/// How long the button confirms that it copied.
const SAID: Duration = Duration::from_secs(2);

/// Copies a text; for a moment the button reads "Copied".
#[component]
pub fn CopyButton(#[prop(into)] text: Signal<String>, label: &'static str) -> impl IntoView {
    let app = expect_context::<App>();
    let copied = RwSignal::new(false);
    let copy = move |_| {
        leptos::task::spawn_local(async move {
            match files::copy(&text.get_untracked()).await {
                Ok(()) => {
                    // the dialog may be closed by now
                    copied.try_set(true);
                    set_timeout(
                        move || {
                            copied.try_set(false);
                        },
                        SAID,
                    );
                }
                Err(message) => app.complain(message),
            }
        });
    };
    view! {
        <button class="button button-accent" type="button" on:click=copy>
            {move || if copied.get() { "Copied" } else { label }}
        </button>
        <span class="visually-hidden" role="status">{move || copied.get().then_some("Copied")}</span>
    }
}

//! Messages at the foot of the page.

use crate::app::prelude::*;
use crate::app::state::{App, Notice};
use crate::app::widget::List;

/// All messages, the newest last, each with its button.
#[component]
pub fn Notices() -> impl IntoView {
    let app = expect_context::<App>();
    view! {
        <section class="notices" aria-label="Messages" aria-live="polite" data-testid="notices">
            <List each=move || app.notices.get() key=|notice| notice.id children=move |notice| message(app, notice) />
        </section>
    }
}

fn message(app: App, notice: Notice) -> AnyView {
    let id = notice.id;
    let is_error = notice.is_error;
    let undo = notice.undo.map(|undo| {
        let take_back = move |_| {
            if is_error {
                // this button does not undo: it does what the message offers
                undo();
                app.dismiss(id);
            } else {
                app.undo(id);
            }
        };
        view! { <button class="button button-quiet" type="button" on:click=take_back>{notice.label}</button> }
    });
    let role = if notice.is_error { "alert" } else { "status" };
    view! {
        <div class="notice" class:notice-error=notice.is_error role=role>
            <p class="notice-text">{notice.message}</p>
            {undo}
            <button class="icon-button" type="button" aria-label="Dismiss" on:click=move |_| app.dismiss(id)>"×"</button>
        </div>
    }
}

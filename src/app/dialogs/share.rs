//! The link that carries the study and its results.

use super::Dialogs;
use super::copying::CopyButton;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::Modal;
use crate::app::wording::runs;
use crate::study::format;
use leptos::{ev, html};

/// The dialog with the link.
#[component]
pub fn Share() -> impl IntoView {
    let dialogs = expect_context::<Dialogs>();
    view! {
        <Modal open=dialogs.share title="Share">
            <Link />
        </Modal>
    }
}

/// The link as it is when the dialog opens.
#[component]
fn Link() -> impl IntoView {
    let app = expect_context::<App>();
    match untrack(|| app.link()) {
        Ok(link) => view! { <LinkForm link=link /> },
        Err(message) => view! { <p class="field-error" role="alert">{message}</p> },
    }
}

#[component]
fn LinkForm(
    /// The link.
    link: String,
) -> impl IntoView {
    let app = expect_context::<App>();
    let node = NodeRef::<html::Input>::new();
    let select = move |_: ev::FocusEvent| {
        if let Some(input) = node.get_untracked() {
            input.select();
        }
    };
    let results = untrack(|| app.results().len());
    let trace = app.study.with_untracked(|s| s.source.name());
    let carries = match results {
        0 => format!("It carries the study of {trace}; nothing has been run yet, so it carries no results."),
        n => format!(
            "It carries the study, the numbers of {} on {trace} and their charts, but not the log itself. Whoever has \
             the same log can drop it there to compute everything again.",
            runs(n)
        ),
    };
    let length = format!("{} characters", format::whole(link.len() as i128));
    view! {
        <p>{carries}</p>
        <div class="share-link">
            <input
                type="text"
                readonly
                aria-label="Link"
                data-testid="share-link"
                value=link.clone()
                node_ref=node
                on:focus=select
            />
            <CopyButton text=Signal::stored(link) label="Copy link" />
        </div>
        <p class="quiet numeric">{length} ", all within the link; nothing is stored on a server."</p>
    }
}

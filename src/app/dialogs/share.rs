//! The link that carries the study and its results.

use super::Dialogs;
use super::copying::CopyButton;
use crate::app::actions::ShareLink;
use crate::app::prelude::*;
use crate::app::state::{App, LogState};
use crate::app::widget::Modal;
use crate::app::wording::runs;
use crate::chart::kinds::run_names;
use crate::study::format;
use leptos::{ev, html};

/// The dialog with the link.
#[component]
pub fn Share() -> impl IntoView {
    let dialogs = expect_context::<Dialogs>();
    view! {
        <Modal open=dialogs.share title="Share">
            <LinkNow />
        </Modal>
    }
}

/// The link as it is when the dialog opens; where the log is still being read, as it is once that is there.
#[component]
fn LinkNow() -> impl IntoView {
    let app = expect_context::<App>();
    let is_read = Memo::new(move |_| matches!(app.log.get(), LogState::Ready(_)));
    let link = move || {
        // a memo that nobody has read tells nobody of changes
        let _ = is_read.get();
        match untrack(|| app.link()) {
            Ok(link) => view! { <LinkForm link /> },
            Err(message) => view! { <p class="field-error" role="alert">{message}</p> },
        }
    };
    view! { {move || link()} }
}

/// What a link carries of a study on `trace`.
fn carries(link: &ShareLink, trace: &str) -> String {
    let numbers = format!("the numbers of {} on {trace}", runs(link.results));
    let numbers = if link.has_front { format!("{numbers}, what Explore found") } else { numbers };
    let again = "Whoever has the same log can drop it there to compute everything again";
    if link.charted.len() == link.results {
        return format!("It carries the study, {numbers} and their charts, but not the log itself. {again}.");
    }
    let names = run_names(&link.charted.iter().collect::<Vec<_>>()).join("; ");
    let charts = match link.charted.len() {
        0 => "no charts, for which there is no room".to_owned(),
        some => format!("the charts of {some} of them, for which there is room ({names})"),
    };
    format!(
        "It carries the study, {numbers} and {charts}, but not the log itself. {again} and draw the other charts. Whose \
         come first is chosen under Charts."
    )
}

/// What is needed beside the log to compute everything again.
fn files_needed(app: App) -> String {
    let needed = app.study.with_untracked(crate::study::Study::needed_files);
    let names: Vec<String> = needed.iter().map(|needed| needed.file.name().to_owned()).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => format!(" The file {one} is needed for that, too: the link does not carry it."),
        more => format!(" The files {} are needed for that, too: the link does not carry them.", more.join(", ")),
    }
}

#[component]
fn LinkForm(
    /// The link.
    link: ShareLink,
) -> impl IntoView {
    let app = expect_context::<App>();
    let node = NodeRef::<html::Input>::new();
    let select = move |_: ev::FocusEvent| {
        if let Some(input) = node.get_untracked() {
            input.select();
        }
    };
    let trace = app.study.with_untracked(|s| s.source.name());
    let carries = carries(&link, &trace);
    let link = link.address;
    let length = format!("{} characters", format::whole(link.len() as i128));
    view! {
        <p data-testid="share-carries">{carries} {files_needed(app)}</p>
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

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

#[component]
pub fn Share() -> impl IntoView {
    let dialogs = expect_context::<Dialogs>();
    view! {
        <Modal open=dialogs.share title="Share">
            <LinkNow />
        </Modal>
    }
}

/// The link of the study on screen when the dialog opens. If the log is still being read, the link is made again once
/// it is loaded.
#[component]
fn LinkNow() -> impl IntoView {
    let app = expect_context::<App>();
    let is_read = Memo::new(move |_| matches!(app.log.get(), LogState::Ready(_)));
    let link = move || {
        // subscribes to the memo: only memos that have been read announce changes
        let _ = is_read.get();
        match untrack(|| app.link()) {
            Ok(link) => view! { <LinkForm link /> },
            Err(message) => view! { <p class="field-error" role="alert">{message}</p> },
        }
    };
    view! { {move || link()} }
}

/// What a link carries of a study on the log `trace`, in words.
fn carries(link: &ShareLink, trace: &str) -> String {
    let numbers = format!(
        "the numbers of {} on {trace}, the verdict for what matters to you, the recipe and the partition",
        runs(link.results)
    );
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
        "It carries the study, {numbers} and {charts}, but not the log itself. {again} and draw the other charts. Choose \
         under Charts whose charts come first."
    )
}

/// The files that are needed beside the log to compute everything again, in words.
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
fn LinkForm(link: ShareLink) -> impl IntoView {
    let app = expect_context::<App>();
    let trace = app.study.with_untracked(|s| s.source.name());
    let carries = carries(&link, &trace);
    let ShareLink { address, short, .. } = link;
    let length = |link: &str| format!("{} characters", format::whole(link.len() as i128));
    let (of_whole, of_short) = (length(&address), length(&short));
    view! {
        <p data-testid="share-carries">{carries} {files_needed(app)}</p>
        {one_link("Link", "share-link", "Copy link", address)}
        <p class="quiet numeric">{of_whole} ", all within the link; nothing is stored on a server."</p>
        <p>"A shorter one carries the values alone, without charts, for a mail or a chat:"</p>
        {one_link("Short link, values alone", "share-short", "Copy short link", short)}
        <p class="quiet numeric">{of_short}</p>
    }
}

/// The field of a link, with the button that copies it.
fn one_link(name: &'static str, id: &'static str, label: &'static str, link: String) -> AnyView {
    let node = NodeRef::<html::Input>::new();
    let select = move |_: ev::FocusEvent| {
        if let Some(input) = node.get_untracked() {
            input.select();
        }
    };
    view! {
        <div class="share-link">
            <input
                type="text"
                readonly
                aria-label=name
                data-testid=id
                value=link.clone()
                node_ref=node
                on:focus=select
            />
            <CopyButton text=Signal::stored(link) label />
        </div>
    }
}

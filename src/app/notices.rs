//! Messages at the foot of the page.

use crate::app::prelude::*;
use crate::app::state::{App, Notice};
use crate::app::widget::List;
use packfair_study::format::counted;
pub use packfair_study::format::{jobs, size};

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

// Messages for the user about a worker, or the page, that has failed.

/// Parts of the messages with which a browser or Rust reports that memory has run out. An abort without any message
/// (`unreachable`) counts too: other faults are reported before they end a worker.
const OUT_OF_MEMORY: [&str; 7] =
    ["memory", "alloc", "capacity overflow", "unreachable", "array buffer", "arraybuffer", "invalid array length"];

/// The message for the user. The technical message goes to the console.
pub fn in_words(technical: &str) -> &'static str {
    let said = technical.to_lowercase();
    if OUT_OF_MEMORY.iter().any(|words| said.contains(words)) {
        "it ran out of memory"
    } else if said.contains("call stack") || said.contains("too much recursion") {
        "its stack ran out"
    } else if said == NOT_STARTED {
        "the browser did not start it"
    } else {
        "it met a fault in Packfair, which the browser's console describes"
    }
}

/// The technical message for a worker that did not start.
pub const NOT_STARTED: &str = "it did not start";

/// The message for a worker's answer that does not fit the question.
pub const MISUNDERSTOOD: &str = "The question was misunderstood. Ask again.";

// Counts and names in the sentences of the page.

/// `1 run`, `20 runs`.
pub fn runs(n: usize) -> String {
    counted(n as u64, "run", "runs")
}

/// `1 scheduler`, `4 schedulers`.
pub fn schedulers(n: usize) -> String {
    counted(n as u64, "scheduler", "schedulers")
}

/// `1 estimate`, `2 estimates`.
pub fn estimates(n: usize) -> String {
    counted(n as u64, "estimate", "estimates")
}

/// `1 line`, `12 lines`.
pub fn lines(n: usize) -> String {
    counted(n as u64, "line", "lines")
}

/// A line of a catalogue or a message with a capital first letter, as a sentence begins.
pub fn sentence(line: &str) -> String {
    let mut letters = line.chars();
    letters.next().map(|first| std::iter::once(first.to_ascii_uppercase()).chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn nobody_is_shown_a_path_or_a_panic() {
        let panic = "panicked at /rustc/0123/library/alloc/src/raw_vec/mod.rs:28:5:\ncapacity overflow";
        for technical in [panic, "RuntimeError: unreachable", "Out of memory", "Array buffer allocation failed"] {
            assert_eq!(in_words(technical), "it ran out of memory", "{technical}");
        }
        assert_eq!(in_words(NOT_STARTED), "the browser did not start it");
        for technical in
            ["panicked at crates/packfair-engine/src/simulation/world.rs:9:1: overflow", "index out of bounds", ""]
        {
            assert!(in_words(technical).contains("console"), "{technical}");
        }
    }
}

//! The meaning of the boxes' colours.

use super::asking::Boxes;
use crate::app::charts::theme::chart_theme;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::chart::kinds::{Colouring, gantt_key};

/// The colours, each with its meaning.
#[component]
pub fn ColourKey(boxes: RwSignal<Boxes>, colouring: Memo<Colouring>, users: Memo<Vec<i32>>) -> impl IntoView {
    let theme = chart_theme(expect_context::<App>());
    let entries = Memo::new(move |_| {
        boxes.with(|boxes| match boxes {
            Boxes::There(boxes) if !boxes.is_empty() => gantt_key(boxes, colouring.get(), &users.get()),
            _ => Vec::new(),
        })
    });
    let entry = move |(shade, text)| {
        let colour = theme.with(|theme| theme.shade(shade).to_string());
        view! {
            <li class="key-entry">
                <span class="key-chip" style:background=colour></span>
                {text}
            </li>
        }
    };
    let about = move || match colouring.get() {
        Colouring::User => "Those with most area in the log:",
        Colouring::Wait => "Waited:",
    };
    view! {
        <div class="gantt-key" data-testid="gantt-key" hidden=move || entries.with(Vec::is_empty)>
            <span class="quiet">{move || about()}</span>
            <ul>{move || entries.get().into_iter().map(entry).collect_view()}</ul>
        </div>
    }
}

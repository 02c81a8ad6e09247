//! Whether the table shows values or changes to the baseline.

use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{Segment, Segments};
use packfair_study::table::Mode;

/// The switch between changes and values.
#[component]
pub fn ShownAs() -> impl IntoView {
    let app = expect_context::<App>();
    let relative = app.relative;
    let segment = |label: &'static str, mode: Mode| Segment {
        label,
        is_on: Signal::derive(move || relative.get() == (mode == Mode::Change)),
        pick: Callback::new(move |()| app.show_as(mode)),
    };
    let segments = vec![segment("Change", Mode::Change), segment("Values", Mode::Absolute)];
    view! { <Segments name="What the table shows" segments/> }
}

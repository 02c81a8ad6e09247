//! Whether the table shows values or changes to the baseline.

use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{Segment, Segments};

/// The switch between changes and values.
#[component]
pub fn ShownAs() -> impl IntoView {
    let relative = expect_context::<App>().relative;
    let segments = vec![Segment::new("Change", relative, true), Segment::new("Values", relative, false)];
    view! { <Segments name="What the table shows" segments/> }
}

//! Whether tables show times in the unit that fits, in seconds or in hours: a habit of the reader, so it is remembered.

use crate::app::prelude::*;
use crate::app::remembered;
use crate::app::widget::{Segment, Segments};
use crate::study::format::TimeUnit;

const KEY: &str = "packfair.time-unit";

/// The unit of times, as the reader last chose it.
pub fn remembered() -> RwSignal<TimeUnit> {
    let unit = RwSignal::new(chosen());
    Effect::new(move |_| {
        // a browser that keeps nothing forgets the choice, no more
        remembered::set_newest(KEY, &unit.get());
    });
    unit
}

/// The unit of times now.
pub fn chosen() -> TimeUnit {
    remembered::get_newest(KEY).unwrap_or_default()
}

/// The switch between seconds and hours.
#[component]
pub fn UnitSwitch(
    /// The unit switched.
    unit: RwSignal<TimeUnit>,
) -> impl IntoView {
    let segments = vec![
        Segment::new("Auto", unit, TimeUnit::Fitting),
        Segment::new("Seconds", unit, TimeUnit::Seconds),
        Segment::new("Hours", unit, TimeUnit::Hours),
    ];
    view! { <Segments name="Unit of times" segments/> }
}

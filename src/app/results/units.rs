//! Whether tables show times in the most suitable unit, in seconds or in hours. The choice is remembered.

use crate::app::prelude::*;
use crate::app::remembered;
use crate::app::widget::{Segment, Segments};
use crate::study::format::TimeUnit;

const KEY: &str = "packfair.time-unit";

/// The unit of times, as the user chose it last.
pub fn remembered() -> RwSignal<TimeUnit> {
    let unit = RwSignal::new(chosen());
    Effect::new(move |_| {
        // if nothing can be stored, the choice is lost after the visit
        remembered::set_newest(KEY, &unit.get());
    });
    unit
}

pub fn chosen() -> TimeUnit {
    remembered::get_newest(KEY).unwrap_or_default()
}

#[component]
pub fn UnitSwitch(unit: RwSignal<TimeUnit>) -> impl IntoView {
    let segments = vec![
        Segment::new("Auto", unit, TimeUnit::Fitting),
        Segment::new("Seconds", unit, TimeUnit::Seconds),
        Segment::new("Hours", unit, TimeUnit::Hours),
    ];
    view! { <Segments name="Unit of times" segments/> }
}

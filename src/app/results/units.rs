//! Whether tables show times in seconds or hours: a habit of the reader, so it is remembered.

use crate::app::prelude::*;
use crate::study::format::TimeUnit;
use gloo::storage::{LocalStorage, Storage};

const KEY: &str = "packfair.time-unit";

/// The unit of times, as the reader last chose it.
pub fn remembered() -> RwSignal<TimeUnit> {
    let unit = RwSignal::new(LocalStorage::get(KEY).unwrap_or_default());
    Effect::new(move |_| {
        // a browser that keeps nothing forgets the choice, no more
        let _ = LocalStorage::set(KEY, unit.get());
    });
    unit
}

/// The switch between seconds and hours.
#[component]
pub fn UnitSwitch(
    /// The unit switched.
    unit: RwSignal<TimeUnit>,
) -> impl IntoView {
    let option = move |of: TimeUnit, label: &'static str| {
        view! {
            <button
                type="button"
                class="segment"
                aria-pressed=move || (unit.get() == of).to_string()
                on:click=move |_| unit.set(of)
            >
                {label}
            </button>
        }
    };
    view! {
        <div class="segments" role="group" aria-label="Unit of times">
            {option(TimeUnit::Seconds, "Seconds")} {option(TimeUnit::Hours, "Hours")}
        </div>
    }
}

//! The switch for the rows of what would be if run times were known.

use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::When;
use packfair_study::Study;

/// The switch. It is absent where no other estimates are studied.
#[component]
pub fn KnownTimes() -> impl IntoView {
    let app = expect_context::<App>();
    let is_on = Memo::new(move |_| app.study.with(Study::has_known_times));
    view! {
        <When when=move || is_on.get().is_some()>
            <label
                class="known-times"
                data-hint="Each scheduler once more, told how long every job will run: what estimates cost. No real scheduler can know it."
            >
                <input
                    type="checkbox"
                    role="switch"
                    data-testid="known-times"
                    prop:checked=move || is_on.get() == Some(true)
                    on:change=move |event| {
                        let are_shown = event_target_checked(&event);
                        app.edit(move |study| study.set_known_times(are_shown));
                    }
                />
                "If run times were known"
            </label>
        </When>
    }
}

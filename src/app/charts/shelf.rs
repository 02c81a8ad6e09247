//! A place for charts of runs. It is greyed out while the charts show results for earlier settings.

use super::charted::ChartedRuns;
use crate::app::prelude::*;
use crate::app::state::App;

/// A place for charts that says when they are out of date.
#[component]
pub fn Shelf(runs: ChartedRuns, children: Children) -> impl IntoView {
    let app = expect_context::<App>();
    let is_stale = Memo::new(move |_| runs.is_stale(app));
    let words = move || match (is_stale.get(), app.is_busy()) {
        (false, _) => "",
        (true, true) => "These charts show the previous settings; the new results are being computed.",
        (true, false) => "These charts show the previous settings. ",
    };
    view! {
        <div class="chart-shelf" class:stale=move || is_stale.get() data-testid="shelf">
            <p class="chart-shelf-note" role="status" hidden=move || !is_stale.get()>
                {move || words()}
                <button
                    class="button"
                    type="button"
                    hidden=move || app.is_busy()
                    on:click=move |_| app.run_all()
                >
                    "Run with the current settings"
                </button>
            </p>
            {children()}
        </div>
    }
}

//! The banner after a log was dropped on a shared result of another log.

use crate::app::prelude::*;
use crate::app::state::App;

/// Names the dropped log and the link's log, and offers to go on or to return.
#[component]
pub fn OtherLog() -> impl IntoView {
    let app = expect_context::<App>();
    let names = move || {
        let shared = app.shared_before.with(|left| left.as_ref().map(|left| left.carried.workload.name.clone()))?;
        Some((app.study.with(|study| study.source.name()), shared))
    };
    let names = Memo::new(move |_| names());
    let is_compared = Memo::new(move |_| {
        app.study
            .with(|study| app.rows.with(|rows| rows.iter().all(|row| row.result.is_some() && !row.is_stale(study))))
    });
    let banner = move |(here, shared): (String, String)| {
        let said = match here == shared {
            true => format!("This {here} is not the one that the link was made from: "),
            false => format!("This is {here}, the link is of {shared}: "),
        };
        let on = move || match is_compared.get() {
            true => format!("Keep the same study on {here}"),
            false => format!("Compare the same study on {here}"),
        };
        view! {
            <div class="banner banner-warn" role="status" data-testid="other-log">
                <p class="banner-text">
                    <strong>{said}</strong>
                    "the fingerprints of their contents differ, so this does not check the shared result."
                </p>
                <button class="button" type="button" data-testid="keep-other-log" on:click=move |_| app.keep_other_log()>
                    {move || on()}
                </button>
                <button
                    class="button button-quiet"
                    type="button"
                    data-testid="return-to-shared"
                    on:click=move |_| app.return_to_shared()
                >
                    "Back to the shared result"
                </button>
            </div>
        }
    };
    move || names.get().map(banner)
}

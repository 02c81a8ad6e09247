//! The active log at a glance.

use crate::app::state::Described;
use crate::study::format;
use leptos::prelude::*;
use std::sync::Arc;

/// Jobs, processors and where their number is known from.
#[component]
pub fn Facts(
    /// The active log.
    described: Memo<Option<Arc<Described>>>,
) -> impl IntoView {
    let list = move |described: Arc<Described>| {
        let summary = &described.summary;
        let of = (described.records != summary.jobs)
            .then(|| format!(" of {} in the log", format::whole(described.records as i128)));
        let count = format::whole(summary.jobs as i128);
        view! {
            <dl class="facts">
                <dt>"Jobs"</dt>
                <dd class="numeric">{count} <span class="quiet">{of}</span></dd>
                <dt>"Machine"</dt>
                <dd class="numeric">
                    {format::whole(summary.machine.processors)} " processors "
                    <span class="quiet">{summary.machine.source.describe()}</span>
                </dd>
            </dl>
        }
    };
    move || described.get().map(list)
}

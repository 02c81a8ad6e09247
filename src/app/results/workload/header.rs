//! The header of the log.

use crate::app::prelude::*;
use packfair_workload::Header;

/// The number of labels that are shown; the rest are folded away.
const LABELS_SHOWN: usize = 12;

/// The header comments of the log, as they are in the file.
#[component]
pub fn HeaderLabels(header: Header) -> impl IntoView {
    if header.labels.is_empty() {
        return view! {
            <h3 class="section-title">"Header"</h3>
            <p class="headline">"The log has no header comments."</p>
        };
    }
    let label = |(label, value): &&(String, String)| view! { <dt>{label.clone()}</dt><dd>{value.clone()}</dd> };
    // names of users and projects are shown in the tables, and there may be thousands
    let labels: Vec<_> =
        header.labels.iter().filter(|(label, _)| !matches!(label.as_str(), "User" | "Group" | "Name")).collect();
    let (first, rest) = labels.split_at(labels.len().min(LABELS_SHOWN));
    let first = first.iter().map(label).collect_view();
    let folded = (!rest.is_empty()).then(|| {
        let all = rest.iter().map(label).collect_view();
        view! {
            <details>
                <summary>{format!("{} more", rest.len())}</summary>
                <dl class="header-labels">{all}</dl>
            </details>
        }
    });
    view! {
        <h3 class="section-title">"Header"</h3>
        <dl class="header-labels">{first}</dl>
        {folded}
    }
}

//! What the log says about the job.

use crate::app::prelude::*;
use crate::app::results::jobs::columns::{Telling, known};
use crate::app::results::only::CountOnly;
use crate::app::wording::size;
use packfair_study::format::{duration, number, whole};
use packfair_study::query::JobRow;

/// The selected job's fields.
#[component]
pub fn Facts(
    row: JobRow,
    /// How cells are formatted.
    telling: Memo<Telling>,
) -> impl IntoView {
    let request = row.request.clone();
    let area = f64::from(request.processors) * row.run as f64;
    let seconds = |s: i64| format!("{} s ({})", whole(s), duration(s as f64));
    let unit = telling.with_untracked(|telling| telling.unit);
    let submit = move || telling.with(|telling| telling.time(request.submit));
    let called = |field: &str| telling.with_untracked(|telling| telling.header.word(field).to_owned());
    let named = |label: &str, number: i32| telling.with_untracked(|telling| telling.named(label, number));
    let facts = [
        ("Width".to_owned(), size(row.request.processors, unit)),
        ("Requested".to_owned(), seconds(row.request.limit)),
        ("Run".to_owned(), seconds(row.run)),
        ("Requested / run".to_owned(), number(row.request.limit as f64 / row.run.max(1) as f64)),
        ("Area".to_owned(), format!("{} {}", number(area), unit.seconds())),
        ("User".to_owned(), named("User", row.request.user)),
        (called("Group"), named("Group", row.request.group)),
        (called("Executable"), known(row.request.executable)),
        (called("Queue"), named("Queue", row.request.queue)),
        ("Partition".to_owned(), named("Partition", row.request.partition)),
    ];
    view! {
        <h3 class="section-title">{format!("Job {}", row.request.number)}</h3>
        <dl class="workload-facts">
            <div>
                <dt>"Submit"</dt>
                <dd>{move || submit()}</dd>
            </div>
            {facts.into_iter().map(|(l, v)| view! { <div><dt>{l}</dt><dd>{v}</dd></div> }).collect_view()}
        </dl>
        <CountOnly row telling/>
    }
}

//! The active log at a glance.

use crate::app::prelude::*;
use crate::app::state::DescribedLog;
use crate::study::format;
use crate::workload::WorkloadPeriod;
use std::sync::Arc;

/// The number of jobs, the number of processors and how it is known, the period and the load.
#[component]
pub fn Facts(described: Memo<Option<Arc<DescribedLog>>>) -> impl IntoView {
    let list = move |described: Arc<DescribedLog>| {
        let summary = &described.summary;
        let of = (described.records != summary.jobs)
            .then(|| format!(" of {} records", format::whole(described.records as i128)));
        let load = summary.offered_load.map(|load| {
            view! {
                <dt data-hint="All job area over what the machine can do between the first and the last submission">
                    "Load"
                </dt>
                <dd class="numeric" class:overload={ load > 1.0 }>
                    {percent(load)} " " <span class="quiet">{offered(load)}</span>
                </dd>
            }
        });
        view! {
            <dl class="facts">
                <dt>"Jobs"</dt>
                <dd class="numeric">{format::whole(summary.jobs as i128)} <span class="quiet">{of}</span></dd>
                <dt>"Machine"</dt>
                <dd class="numeric">
                    {format::whole(summary.machine.processors)} " " {summary.counting.unit.plural()} " "
                    <span class="quiet">{summary.machine.source.describe()}</span>
                </dd>
                <dt>"Span"</dt>
                <dd class="numeric">
                    {format::duration((summary.span.last_submit - summary.span.first_submit) as f64)} " "
                    <span class="quiet">{dates(&summary.span)}</span>
                </dd>
                {load}
            </dl>
        }
    };
    move || described.get().map(list)
}

/// The offered load in words, with what it means.
fn offered(load: f64) -> &'static str {
    if load > 1.0 { "offered: more than the machine can do" } else { "offered" }
}

fn percent(share: f64) -> String {
    format!("{} %", format::whole((share * 100.0).round() as i64))
}

fn dates(span: &WorkloadPeriod) -> Option<String> {
    let day = |date: &Option<String>| date.as_ref().and_then(|date| date.split(' ').next()).map(str::to_owned);
    Some(format!("{} to {}", day(&span.first_date)?, day(&span.last_date)?))
}

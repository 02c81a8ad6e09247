//! The group of jobs that is the only one to count: its name above every panel, and buttons that choose it.

use super::jobs::Telling;
use crate::app::late;
use crate::app::prelude::*;
use crate::app::state::{App, LogState};
use crate::app::widget::When;
use crate::metric::{CountedGroup, Grouping};
use crate::study::grouped::describe_group;
use crate::study::query::JobRow;
use crate::workload::Header;

/// Shows above every panel which group is the only one to count, with a button to count all jobs again.
#[component]
pub fn OnlyCounts() -> impl IntoView {
    let app = expect_context::<App>();
    let is_whole = late::signal();
    let is_one = Memo::new(move |_| is_whole.get() && app.study.with(|study| study.measure.only.is_some()));
    view! { <When when=move || is_one.get()>{late::apart(strip as fn(App) -> AnyView)(app)}</When> }
}

// a function of its own, which belongs to the late part (scripts/split)
#[inline(never)]
fn strip(app: App) -> AnyView {
    let said = move || {
        let group = app.study.with(|study| study.measure.only)?;
        let named = app.log.with(|log| match log {
            LogState::Ready(log) => describe_group(group, &log.header),
            _ => describe_group(group, &Header::default()),
        });
        Some(format!(
            "Only jobs of {named} count in averages and distributions. All jobs are simulated; the others are grey."
        ))
    };
    view! {
        <p class="only-counts" role="status" data-testid="only-counts">
            <span>{move || said()}</span>
            <button
                type="button"
                class="chart-tool"
                data-testid="all-count"
                on:click=move |_| app.edit(|study| study.measure.only = None)
            >
                "Count all jobs"
            </button>
        </p>
    }
    .into_any()
}

/// The name of a group as a button: the first press makes it the only group that counts, the second makes all jobs
/// count.
#[component]
pub fn OnlyButton(group: CountedGroup, name: String) -> impl IntoView {
    let app = expect_context::<App>();
    let is_only = Memo::new(move |_| app.study.with(|study| study.measure.only == Some(group)));
    let press = move |_| {
        let only = if is_only.get_untracked() { None } else { Some(group) };
        app.edit(move |study| study.measure.only = only);
    };
    view! {
        <button
            class="plain-heading"
            type="button"
            aria-pressed=move || is_only.get().to_string()
            data-hint="Only these jobs count"
            on:click=press
        >
            {name}
        </button>
    }
}

/// The groups of a picked job, each with a button that makes it the only one to count.
#[component]
pub fn CountOnly(
    row: JobRow,
    /// The log's clock and names.
    telling: Memo<Telling>,
) -> impl IntoView {
    let known = |by: Grouping, number: i32| by.header_label().is_none() || number >= 0;
    let buttons = move || {
        let (request, run) = (&row.request, row.run);
        let of = |(by, number): (Grouping, i32)| {
            let (clock, header) = telling.with(|telling| (telling.clock.clone(), telling.header.clone()));
            let group = CountedGroup::of_job(by, request, run, &clock?);
            let name = describe_group(group, &header);
            known(by, number).then(|| view! { <li><OnlyButton group name/></li> })
        };
        let groups = [
            (Grouping::User, request.user),
            (Grouping::Account, request.group),
            (Grouping::Queue, request.queue),
            (Grouping::Partition, request.partition),
            (Grouping::Width, 0),
            (Grouping::RunTime, 0),
            (Grouping::Week, 0),
        ];
        groups.into_iter().filter_map(of).collect_view()
    };
    view! {
        <div class="count-only" data-testid="count-only">
            <span class="quiet">"Count alone, in every panel:"</span>
            <ul>{move || buttons()}</ul>
        </div>
    }
}

//! A row with an order of the queue that a person writes as a formula, below the table.

use super::jobs::Telling;
use crate::app::late;
use crate::app::prelude::*;
use crate::app::state::{App, LogState};
use crate::app::widget::When;
use leptos::html;
use packfair_base::expression::{Expression, FUNCTIONS, VARIABLES};
use packfair_engine::metric::{CountedGroup, Grouping};
use packfair_schedulers::Policy;
use packfair_study::grouped::describe_group;
use packfair_study::query::JobRow;
use packfair_workload::Header;

/// The formula that stands in the field at first: the longest wait for its length first.
const FIRST: &str = "wait/estimate";

/// The button that opens the field, and the field.
#[component]
pub fn OwnOrder() -> impl IntoView {
    let app = expect_context::<App>();
    let is_open = RwSignal::new(false);
    view! {
        <div class="own-order">
            <button
                type="button"
                class="button"
                data-testid="own-order"
                aria-expanded=move || is_open.get().to_string()
                on:click=move |_| is_open.update(|open| *open = !*open)
            >
                "Own order…"
            </button>
            <When when=move || is_open.get()>{late::apart(form as fn(_, _) -> _)(app, is_open)}</When>
        </div>
    }
}

/// EASY with the queue, and who goes ahead, in the order of this formula.
fn scheduler_of(formula: &str) -> Result<Policy, String> {
    let formula: Expression = formula.parse().map_err(|why| format!("{why}"))?;
    let id = format!("easy:initial=formula:{formula},backfill=formula:{formula}");
    id.parse::<Policy>().map_err(|why| format!("{why}"))
}

// a function of its own, which belongs to the late part (scripts/split)
#[inline(never)]
fn form(app: App, is_open: RwSignal<bool>) -> AnyView {
    let text = RwSignal::new(FIRST.to_owned());
    let read = Memo::new(move |_| text.with(|text| scheduler_of(text)));
    let fault = Memo::new(move |_| read.with(|read| read.as_ref().err().cloned()));
    let field = NodeRef::<html::Input>::new();
    Effect::new(move |_| {
        if let Some(field) = field.get() {
            let _ = field.focus();
            field.select();
        }
    });
    let insert = move |word: &str| {
        let Some(field) = field.get_untracked() else { return };
        // places in a field are counted in units of UTF-16
        let now: Vec<u16> = field.value().encode_utf16().collect();
        let place = |at: Option<u32>| (at.unwrap_or(u32::MAX) as usize).min(now.len());
        let from = place(field.selection_start().ok().flatten());
        let to = place(field.selection_end().ok().flatten()).max(from);
        let [before, after] = [&now[..from], &now[to..]].map(String::from_utf16_lossy);
        text.set(format!("{before}{word}{after}"));
        field.set_value(&text.get_untracked());
        let end = (from + word.encode_utf16().count()) as u32;
        let _ = field.focus();
        let _ = field.set_selection_range(end, end);
    };
    let add = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let Ok(policy) = read.get_untracked() else { return };
        app.edit(move |study| {
            if !study.schedulers.contains(&policy) {
                study.schedulers.push(policy);
            }
        });
        is_open.set(false);
    };
    let words = VARIABLES.iter().map(|line| {
        let unit = if line.unit.is_empty() { String::new() } else { format!(" ({})", line.unit) };
        view! {
            <li>
                <button type="button" class="word" data-word=line.id on:click=move |_| insert(line.id)>{line.id}</button>
                <span class="quiet">{line.help} {unit}</span>
            </li>
        }
    });
    let functions = FUNCTIONS.iter().map(|(_, name, ..)| *name).collect::<Vec<_>>().join(", ");
    view! {
        <form class="own-order-form" data-testid="own-order-form" on:submit=add>
            <label class="field-label" for="own-order-formula">"Who goes first: the largest value of"</label>
            <div class="row">
                <input
                    id="own-order-formula"
                    type="text"
                    spellcheck="false"
                    autocomplete="off"
                    node_ref=field
                    value=FIRST
                    aria-invalid=move || fault.with(Option::is_some).to_string()
                    aria-describedby="own-order-fault"
                    on:input=move |event| text.set(event_target_value(&event))
                    on:keydown=move |event| {
                        if event.key() == "Escape" {
                            event.stop_propagation();
                            is_open.set(false);
                        }
                    }
                />
                <button
                    type="submit"
                    class="button button-accent"
                    data-testid="add-own-order"
                    disabled=move || fault.with(Option::is_some)
                >
                    "Add the row"
                </button>
            </div>
            <p id="own-order-fault" class="field-error" role="status" hidden=move || fault.with(Option::is_none)>
                {move || fault.get()}
            </p>
            <p class="quiet">
                "EASY with its queue in this order. Functions: " {functions} ", comparisons, and, or, not. Times are seconds; 2h and 3d are understood."
            </p>
            <ul class="words" aria-label="Words of a formula">{words.collect_view()}</ul>
        </form>
    }
    .into_any()
}

// The group of jobs that is the only one to count: its name above every panel, and buttons that choose it.

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

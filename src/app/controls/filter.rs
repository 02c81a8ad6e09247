//! Which of the log's jobs are taken: a range of time, users, queues, partitions.

use super::section::Fold;
use crate::app::prelude::*;
use crate::app::state::{App, DescribedLog};
use crate::app::widget::{Field, When, optional, whole_numbers};
use crate::app::wording::jobs;
use crate::workload::{Clock, Filter, QueueChoice, Seconds, Summary, read_moment, write_moment};
use std::sync::Arc;

/// Most numbers of a list that are offered.
const OFFERED: usize = 12;

/// A bound of the filter's range of time.
struct TimeBound {
    label: &'static str,
    help: &'static str,
    placeholder: &'static str,
    get: fn(&Filter) -> Option<Seconds>,
    set: fn(&mut Filter, Option<Seconds>),
}

const BOUNDS: [TimeBound; 2] = [
    TimeBound {
        label: "From",
        help: "Jobs submitted at this time or later: a date, or seconds from the log's beginning",
        placeholder: "first job",
        get: |f| f.from,
        set: |f, time| f.from = time,
    },
    TimeBound {
        label: "Until",
        help: "Jobs submitted before this time: a date, or seconds from the log's beginning",
        placeholder: "last job",
        get: |f| f.until,
        set: |f, time| f.until = time,
    },
];

/// A list of numbers of the filter.
#[derive(Clone, Copy)]
struct NumberList {
    label: &'static str,
    help: &'static str,
    get: fn(&Filter) -> &Vec<i32>,
    set: fn(&mut Filter, Vec<i32>),
    known: fn(&Summary) -> Vec<QueueChoice>,
}

const LISTS: [NumberList; 3] = [
    NumberList {
        label: "Users",
        help: "Numbers of users, separated by commas",
        get: |f| &f.users,
        set: |f, list| f.users = list,
        known: |s| s.top_users.iter().map(|user| QueueChoice { id: user.user, jobs: user.jobs, name: None }).collect(),
    },
    NumberList {
        label: "Queues",
        help: "Numbers of queues, separated by commas",
        get: |f| &f.queues,
        set: |f, list| f.queues = list,
        known: |s| s.queues.clone(),
    },
    NumberList {
        label: "Partitions",
        help: "Numbers of partitions, separated by commas",
        get: |f| &f.partitions,
        set: |f, list| f.partitions = list,
        known: |s| s.partitions.clone(),
    },
];

/// Fields for everything a filter has.
#[component]
pub fn FilterForm(
    /// The active log.
    described: Memo<Option<Arc<DescribedLog>>>,
) -> impl IntoView {
    let app = expect_context::<App>();
    let filter = Memo::new(move |_| app.study.with(|s| s.treatment.filter.clone()));
    let clock = Memo::new(move |_| described.with(|d| d.as_ref().map(|d| d.summary.clock.clone())));
    let is_set = Memo::new(move |_| filter.with(|f| *f != Filter::default()));
    let zone = move || clock.with(|c| c.as_ref().map(|c| format!("Times: {}.", c.zone.describe())));
    view! {
        <Fold title="Filter" chosen=Signal::derive(move || filter.with(|f| clock.with(|c| in_short(f, c.as_ref()))))>
            {BOUNDS.map(|bound| bound_field(app, filter, clock, bound)).collect_view()}
            <p class="quiet">{move || zone()}</p>
            {LISTS.map(|list| list_field(app, filter, described, list)).collect_view()}
            <When when=move || is_set.get()>
                <button
                    class="link"
                    type="button"
                    on:click=move |_| app.edit(|study| study.treatment.filter = Filter::default())
                >
                    "Take all jobs again"
                </button>
            </When>
        </Fold>
    }
}

fn bound_field(app: App, filter: Memo<Filter>, clock: Memo<Option<Clock>>, bound: TimeBound) -> impl IntoView {
    let read = Callback::new(move |text: String| clock.with(|clock| read_moment(clock.as_ref(), &text)));
    let write = move |time| clock.with(|clock| write_moment(clock.as_ref(), time));
    view! {
        <Field
            label=bound.label
            help=bound.help
            placeholder=bound.placeholder
            value=Signal::derive(move || filter.with(bound.get).map(write).unwrap_or_default())
            read=optional(read)
            on_change=move |time| app.edit(move |study| (bound.set)(&mut study.treatment.filter, time))
        />
    }
}

/// A list's field, and the numbers that the log has below it.
fn list_field(
    app: App,
    filter: Memo<Filter>,
    described: Memo<Option<Arc<DescribedLog>>>,
    list: NumberList,
) -> impl IntoView {
    let known =
        Memo::new(move |_| described.with(|d| d.as_ref().map(|d| (list.known)(unfiltered(d))).unwrap_or_default()));
    let offer = move |QueueChoice { id, jobs: count, name }: QueueChoice| {
        let about = name.map_or_else(|| jobs(count), |name| format!("{name}, {}", jobs(count)));
        let is_taken = Memo::new(move |_| filter.with(|f| (list.get)(f).contains(&id)));
        let toggle = move |_| {
            app.edit(move |study| {
                let mut numbers = (list.get)(&study.treatment.filter).clone();
                match numbers.iter().position(|&number| number == id) {
                    Some(i) => drop(numbers.remove(i)),
                    None => numbers.push(id),
                }
                (list.set)(&mut study.treatment.filter, numbers);
            });
        };
        view! {
            <button
                class="offer numeric"
                type="button"
                aria-pressed=move || is_taken.get().to_string()
                data-hint=about.clone()
                aria-description=about.clone()
                on:click=toggle
            >
                {id}
            </button>
        }
    };
    // a single queue or partition leaves nothing to choose
    let is_choice = move || known.with(Vec::len) > 1;
    view! {
        <Field
            label=list.label
            help=list.help
            placeholder="all"
            value=Signal::derive(move || filter.with(|f| numbers((list.get)(f))))
            read=whole_numbers()
            on_change=move |numbers| app.edit(move |study| (list.set)(&mut study.treatment.filter, numbers))
        />
        <When when=is_choice>
            <div class="offers" role="group" aria-label=list.label>
                {move || known.get().into_iter().take(OFFERED).map(offer).collect_view()}
            </div>
        </When>
    }
}

/// What can be taken is what is there before the filter.
fn unfiltered(described: &DescribedLog) -> &Summary {
    described.unfiltered.as_deref().unwrap_or(&described.summary)
}

fn numbers(list: &[i32]) -> String {
    list.iter().map(i32::to_string).collect::<Vec<_>>().join(", ")
}

fn in_short(filter: &Filter, clock: Option<&Clock>) -> String {
    let from = filter.from.map(|time| format!("from {}", write_moment(clock, time)));
    let until = filter.until.map(|time| format!("until {}", write_moment(clock, time)));
    let lists = [("users", &filter.users), ("queues", &filter.queues), ("partitions", &filter.partitions)];
    let lists = lists.into_iter().filter(|(_, list)| !list.is_empty());
    let lists = lists.map(|(name, list)| format!("{name} {}", numbers(list)));
    from.into_iter().chain(until).chain(lists).collect::<Vec<_>>().join(", ")
}

//! Which of the log's jobs are taken: a range of time, users, queues, partitions.

use super::moment::LogClock;
use super::section::Fold;
use crate::app::state::{App, Described};
use crate::app::widget::{Field, optional, whole_numbers};
use crate::workload::{Filter, Seconds};
use leptos::prelude::*;
use std::sync::Arc;

/// A list of the filter.
struct List {
    label: &'static str,
    help: &'static str,
    get: fn(&Filter) -> &Vec<i32>,
    set: fn(&mut Filter, Vec<i32>),
}

const LISTS: [List; 3] = [
    List { label: "Users", help: "Numbers of users", get: |f| &f.users, set: |f, list| f.users = list },
    List { label: "Queues", help: "Numbers of queues", get: |f| &f.queues, set: |f, list| f.queues = list },
    List {
        label: "Partitions",
        help: "Numbers of partitions",
        get: |f| &f.partitions,
        set: |f, list| f.partitions = list,
    },
];

/// A bound of the filter's range of time.
struct Bound {
    label: &'static str,
    help: &'static str,
    placeholder: &'static str,
    get: fn(&Filter) -> Option<Seconds>,
    set: fn(&mut Filter, Option<Seconds>),
}

const BOUNDS: [Bound; 2] = [
    Bound {
        label: "From",
        help: "Jobs submitted at this time or later",
        placeholder: "first job",
        get: |f| f.from,
        set: |f, time| f.from = time,
    },
    Bound {
        label: "Until",
        help: "Jobs submitted before this time",
        placeholder: "last job",
        get: |f| f.until,
        set: |f, time| f.until = time,
    },
];

/// Fields for everything a filter has.
#[component]
pub fn FilterForm(
    /// The active log.
    described: Memo<Option<Arc<Described>>>,
) -> impl IntoView {
    let app = expect_context::<App>();
    let filter = Memo::new(move |_| app.study.with(|s| s.treatment.filter.clone()));
    let clock =
        Memo::new(move |_| described.with(|d| d.as_ref().map_or(LogClock::default(), |d| LogClock::of(&d.header))));
    let is_set = Memo::new(move |_| filter.with(|f| *f != Filter::default()));
    let chosen = move || filter.with(|f| in_short(f, clock.get()));
    let bound = move |bound: Bound| {
        let read = Callback::new(move |text: String| clock.get().read(&text));
        let value = move || filter.with(|f| (bound.get)(f)).map(|time| clock.get().write(time)).unwrap_or_default();
        view! {
            <Field
                label=bound.label
                help=bound.help
                placeholder=bound.placeholder
                value=Signal::derive(value)
                read=optional(read)
                on_change=move |time| app.edit(move |study| (bound.set)(&mut study.treatment.filter, time))
            />
        }
    };
    let list = move |list: List| {
        let value = move || filter.with(|f| numbers((list.get)(f)));
        view! {
            <Field
                label=list.label
                help=list.help
                placeholder="all"
                value=Signal::derive(value)
                read=whole_numbers()
                on_change=move |numbers| app.edit(move |study| (list.set)(&mut study.treatment.filter, numbers))
            />
        }
    };
    let clear = move |_| app.edit(|study| study.treatment.filter = Filter::default());
    view! {
        <Fold title="Filter" chosen=Signal::derive(chosen)>
            {BOUNDS.map(bound).collect_view()}
            {LISTS.map(list).collect_view()}
            <Show when=move || is_set.get()>
                <button class="link" type="button" on:click=clear>"Take all jobs again"</button>
            </Show>
        </Fold>
    }
}

fn numbers(list: &[i32]) -> String {
    list.iter().map(i32::to_string).collect::<Vec<_>>().join(", ")
}

fn in_short(filter: &Filter, clock: LogClock) -> String {
    let from = filter.from.map(|time| format!("from {}", clock.write(time)));
    let until = filter.until.map(|time| format!("until {}", clock.write(time)));
    let lists = [("users", &filter.users), ("queues", &filter.queues), ("partitions", &filter.partitions)];
    let lists = lists.into_iter().filter(|(_, list)| !list.is_empty());
    let lists = lists.map(|(name, list)| format!("{name} {}", numbers(list)));
    from.into_iter().chain(until).chain(lists).collect::<Vec<_>>().join(", ")
}

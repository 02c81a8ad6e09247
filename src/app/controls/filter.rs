//! Which of the log's jobs are taken: a range of time, users, queues, partitions.

use super::section::Fold;
use crate::app::long_lived::while_shown;
use crate::app::prelude::*;
use crate::app::state::{App, DescribedLog, RunOutcome};
use crate::app::widget::{Field, ReadText, When, optional, whole};
use crate::app::wording::jobs;
use crate::study::check::PROCESSOR_RANGE;
use crate::study::{RunPartition, format};
use crate::workload::{Clock, Filter, QueueChoice, Seconds, Summary, UserShare, read_moment, write_moment};
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
    /// The header's label for the names of what the numbers stand for.
    named_by: &'static str,
    help: &'static str,
    get: fn(&Filter) -> &Vec<i32>,
    set: fn(&mut Filter, Vec<i32>),
    known: fn(&Summary) -> Vec<QueueChoice>,
}

const LISTS: [NumberList; 3] = [
    NumberList {
        label: "Users",
        named_by: "User",
        help: "Names or numbers of users, separated by commas",
        get: |f| &f.users,
        set: |f, list| f.users = list,
        known: |s| {
            let choice = |user: &UserShare| QueueChoice { id: user.user, jobs: user.jobs, name: user.name.clone() };
            s.top_users.iter().map(choice).collect()
        },
    },
    NumberList {
        label: "Queues",
        named_by: "Queue",
        help: "Names or numbers of queues, separated by commas",
        get: |f| &f.queues,
        set: |f, list| f.queues = list,
        known: |s| s.queues.clone(),
    },
    NumberList {
        label: "Partitions",
        named_by: "Partition",
        help: "Names or numbers of partitions, separated by commas",
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
            {each_partition(app, described)}
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
        let (name, about) = (name.unwrap_or_else(|| id.to_string()), jobs(count));
        let is_taken = while_shown(move || filter.with(|f| (list.get)(f).contains(&id)));
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
                {name}
            </button>
        }
    };
    let offers = move || {
        let known = while_shown(move || known.get());
        move || known.get().into_iter().take(OFFERED).map(offer).collect_view()
    };
    // a single queue or partition leaves nothing to choose
    let is_choice = move || known.with(Vec::len) > 1;
    view! {
        <Field
            label=list.label
            help=list.help
            placeholder="all"
            value=Signal::derive(move || filter.with(|f| names_of((list.get)(f), &list, described)))
            read=read_names(list, described)
            on_change=move |numbers| app.edit(move |study| (list.set)(&mut study.treatment.filter, numbers))
        />
        <When when=is_choice>
            <div class="offers" role="group" aria-label=list.label>
                {offers()}
            </div>
        </When>
    }
}

/// Whether partitions are machines of their own, each with its rows.
fn each_partition(app: App, described: Memo<Option<Arc<DescribedLog>>>) -> AnyView {
    let known = Memo::new(move |_| {
        described.with(|d| d.as_ref().map(|d| unfiltered(d).partitions.clone()).unwrap_or_default())
    });
    let is_on = Memo::new(move |_| app.study.with(|study| !study.partitions.is_empty()));
    let set = move |_| {
        let all = known.get_untracked().into_iter();
        let each: Vec<RunPartition> = all
            .map(|QueueChoice { id, name, .. }| RunPartition {
                number: id,
                name: name.unwrap_or_else(|| id.to_string()),
                processors: None,
            })
            .collect();
        let was_on = is_on.get_untracked();
        app.edit(move |study| {
            let chosen = &study.treatment.filter.partitions;
            let taken = each.into_iter().filter(|of| chosen.is_empty() || chosen.contains(&of.number));
            study.partitions = if was_on { Vec::new() } else { taken.collect() };
        });
    };
    view! {
        <When when=move || { known.with(Vec::len) > 1 }>
            <label class="option" data-hint="Each is a machine of its own, with a row for each run">
                <input
                    type="checkbox"
                    data-testid="each-partition"
                    prop:checked=move || is_on.get()
                    on:change=set
                />
                <span class="option-text">"Each partition by itself"</span>
            </label>
            {move || sizes(app)}
        </When>
    }
    .into_any()
}

/// A field for the size of each partition's machine, where they are machines of their own.
fn sizes(app: App) -> AnyView {
    let each = Memo::new(move |_| {
        app.study.with(|study| study.partitions.iter().map(|of| (of.number, of.name.clone())).collect::<Vec<_>>())
    });
    let field = move |(number, name): (i32, String)| {
        let is_it = move |of: &&RunPartition| of.number == number;
        let value = move || app.study.with(|study| study.partitions.iter().find(is_it).and_then(|of| of.processors));
        let found = move || {
            let of = |outcome: &Arc<RunOutcome>| {
                let report = &outcome.report;
                report.run.partition.as_ref().filter(is_it).and(report.machine).map(|machine| machine.processors)
            };
            app.results().iter().find_map(of).map(format::whole).unwrap_or_default()
        };
        let set = move |processors: Option<u32>| {
            app.edit(move |study| {
                for of in study.partitions.iter_mut().filter(|of| of.number == number) {
                    of.processors = processors;
                }
            });
        };
        view! {
            <Field
                label=format!("Size of {name}")
                help="Leave it empty to take the most that its jobs held at once, by the log's own starts."
                unit=Signal::derive(move || app.unit().plural().to_owned())
                placeholder=Signal::derive(found)
                value=Signal::derive(move || value().map(format::whole).unwrap_or_default())
                read=optional(whole(PROCESSOR_RANGE))
                on_change=set
            />
        }
    };
    (move || each.get().into_iter().map(field).collect_view()).into_any()
}

/// What can be taken is what is there before the filter.
fn unfiltered(described: &DescribedLog) -> &Summary {
    described.unfiltered.as_deref().unwrap_or(&described.summary)
}

/// What the numbers are called where the log has names; as they are read back.
fn names_of(numbers: &[i32], list: &NumberList, described: Memo<Option<Arc<DescribedLog>>>) -> String {
    let name = |&number: &i32| {
        let of_log = |log: &Option<Arc<DescribedLog>>| {
            log.as_ref().and_then(|log| log.header.name_of(list.named_by, number.into()).map(str::to_owned))
        };
        described.with(of_log).unwrap_or_else(|| number.to_string())
    };
    numbers.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// Reads names or numbers separated by commas; none is fine.
#[inline(never)]
fn read_names(list: NumberList, described: Memo<Option<Arc<DescribedLog>>>) -> ReadText<Vec<i32>> {
    Callback::new(move |text: String| {
        let words = text.split([',', ';']).map(str::trim).filter(|word| !word.is_empty());
        described.with_untracked(|log| {
            let named = |word: &str| log.as_ref()?.header.number_of(list.named_by, word);
            // a name may hold spaces, and numbers may be separated by them
            let apart = |word| if named(word).is_some() { vec![word] } else { word.split_whitespace().collect() };
            let read = words.flat_map(apart).map(|word| named(word).or_else(|| word.parse().ok()));
            let read: Option<Vec<i32>> = read.collect();
            read.ok_or_else(|| "names or numbers of this log separated by commas, or nothing for all".to_owned())
        })
    })
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

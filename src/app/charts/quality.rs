//! A table of how good estimates are for groups of jobs.

use crate::app::prelude::*;
use crate::app::widget::When;
use crate::metric::{EstimateQuality, Metric};
use crate::study::format::{self, MISSING, TimeUnit, number, whole};

/// The number of rows that are shown before the user asks for more.
const FIRST: usize = 10;
const MOST: usize = 500;

/// A group of jobs.
#[derive(Clone, Debug, PartialEq)]
pub struct QualityRow {
    name: String,
    /// The value by which the group is sorted.
    place: f64,
    quality: EstimateQuality,
}

impl QualityRow {
    /// A row for a group with this name and position.
    pub fn new(name: String, place: f64, quality: EstimateQuality) -> Self {
        QualityRow { name, place, quality }
    }
}

/// A column of the table: heading, meaning, value, and the value as text.
struct QualityColumn {
    heading: &'static str,
    help: &'static str,
    value: fn(&EstimateQuality) -> Option<f64>,
    text: fn(f64) -> String,
}

fn percent(share: f64) -> String {
    format!("{} %", number(100.0 * share))
}

const COLUMNS: [QualityColumn; 6] = [
    QualityColumn {
        heading: "Jobs",
        help: "Jobs that count",
        value: |q| Some(q.jobs as f64),
        text: |n| whole(n as i64),
    },
    QualityColumn {
        heading: "R²",
        help: "Share of the variance of run times that the estimates explain",
        value: |q| q.r2,
        text: |r2| format::value(Metric::R2, r2, TimeUnit::Seconds),
    },
    QualityColumn {
        heading: "Error (s)",
        help: "Mean absolute error",
        value: |q| q.mae,
        text: |mae| format::value(Metric::Mae, mae, TimeUnit::Seconds),
    },
    QualityColumn {
        heading: "Under",
        help: "Share of jobs that ran longer than estimated",
        value: |q| q.under,
        text: percent,
    },
    QualityColumn {
        heading: "Corrections",
        help: "How often estimates of running jobs were raised",
        value: |q| Some(q.corrections as f64),
        text: |n| whole(n as i64),
    },
    QualityColumn {
        heading: "Corrected",
        help: "Share of jobs whose estimate was raised",
        value: |q| q.corrected,
        text: percent,
    },
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Sort {
    Given,
    Name,
    Column(usize),
}

/// A table of groups. A click on a heading sorts it; a long table can be searched by name.
#[component]
pub fn QualityTable(
    title: &'static str,
    /// The heading of the first column.
    first: &'static str,
    /// The groups, in their initial order.
    rows: Signal<Vec<QualityRow>>,
    id: &'static str,
) -> impl IntoView {
    let sort = RwSignal::new((Sort::Given, false));
    let search = RwSignal::new(String::new());
    let shows_all = RwSignal::new(false);
    let found = Memo::new(move |_| {
        let words = search.get();
        let mut found = rows.get();
        found.retain(|row| words.trim().is_empty() || row.name.starts_with(words.trim()));
        let (by, is_ascending) = sort.get();
        let key = |row: &QualityRow| match by {
            Sort::Given => None,
            Sort::Name => Some(row.place),
            Sort::Column(i) => (COLUMNS[i].value)(&row.quality),
        };
        // unknown values come last in either direction
        let order = |a: f64, b: f64| if is_ascending { a.total_cmp(&b) } else { b.total_cmp(&a) };
        found.sort_by(|a, b| match (key(a), key(b)) {
            (Some(a), Some(b)) => order(a, b),
            (a, b) => a.is_none().cmp(&b.is_none()),
        });
        found
    });
    let count = move || found.with(Vec::len);
    let shown = move || if shows_all.get() { MOST } else { FIRST };
    let sort_by = move |by: Sort| {
        sort.update(|(now, is_ascending)| {
            *is_ascending = if *now == by { !*is_ascending } else { by == Sort::Name };
            *now = by;
        });
    };
    let heading = move |name: &'static str, help: &'static str, by: Sort| {
        let direction = move || match sort.get() {
            (now, is_ascending) if now == by => {
                if is_ascending {
                    "ascending"
                } else {
                    "descending"
                }
            }
            _ => "none",
        };
        let arrow = move || match direction() {
            "ascending" => " ▴",
            "descending" => " ▾",
            _ => "",
        };
        view! {
            <th scope="col" class:number={ by != Sort::Name } aria-sort=move || direction()>
                <button type="button" class="jobs-sort" data-hint=help on:click=move |_| sort_by(by)>
                    {name} <span aria-hidden="true">{move || arrow()}</span>
                </button>
            </th>
        }
    };
    let headings = COLUMNS.iter().enumerate().map(|(i, column)| heading(column.heading, column.help, Sort::Column(i)));
    let headings = headings.collect::<Vec<_>>();
    let lines = move || found.with(|found| found.iter().take(shown()).map(line).collect::<Vec<_>>());
    view! {
        <div class="quality" data-testid=format!("quality-{id}")>
            <div class="quality-head">
                <h4 class="job-section-title">{title}</h4>
                <When when=move || rows.with(|rows| rows.len() > FIRST)>
                    <input
                        class="picker-search"
                        type="search"
                        placeholder=format!("Search {}", first.to_lowercase())
                        aria-label=format!("Search {}", first.to_lowercase())
                        prop:value=search
                        on:input=move |event| search.set(event_target_value(&event))
                    />
                </When>
            </div>
            <div class="table-scroll quality-scroll" role="region" tabindex="0" aria-label=title>
                <table class="plain-table">
                    <caption class="visually-hidden">{title}</caption>
                    <thead><tr>{heading(first, "", Sort::Name)} {headings}</tr></thead>
                    <tbody>{move || lines()}</tbody>
                </table>
            </div>
            <When when=move || { count() > FIRST }>
                <button type="button" class="button button-quiet" on:click=move |_| shows_all.update(|all| *all = !*all)>
                    {move || match (shows_all.get(), count()) {
                        (true, n) if n > MOST => format!("The first {MOST} of {}: search for others", whole(n as i64)),
                        (true, _) => "Show fewer".to_owned(),
                        (false, n) => format!("Show all {}", whole(n as i64)),
                    }}
                </button>
            </When>
        </div>
    }
}

fn line(row: &QualityRow) -> AnyView {
    let cells = COLUMNS.iter().map(|column| {
        let value = (column.value)(&row.quality);
        let text = value.map_or_else(|| MISSING.to_owned(), column.text);
        let value = value.map(|value| value.to_string());
        view! { <td class="number" data-value=value>{text}</td> }
    });
    view! { <tr><th scope="row">{row.name.clone()}</th>{cells.collect::<Vec<_>>()}</tr> }
}

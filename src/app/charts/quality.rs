//! A table of how good estimates are for groups of jobs.

use super::chart::{Chart, Chooser, figure};
use super::charted::{ChartedRuns, summary};
use super::classing::EstimateJudging;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{ChoiceOption, Select, When};
use packfair_chart::kinds::{self, JudgedEstimates, OverTime, run_names};
use packfair_chart::{AxisUnit, Hit, Ink};
use packfair_engine::metric::{Accuracy, EstimateQuality, Metric};
use packfair_study::format::{self, MISSING, TimeUnit, number, whole};
use std::sync::Arc;

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

// How good the estimates of the charted runs are: over time, by user, and where they lie.

#[component]
pub fn EstimateCharts() -> impl IntoView {
    let app = expect_context::<App>();
    let runs = ChartedRuns::of_estimates(app);
    let summary = summary(app);
    let judging = EstimateJudging::of(app, runs);
    let picked = RwSignal::new(None::<String>);
    let shown = Memo::new(move |_| {
        let wanted = picked.get();
        let chosen = runs.chosen.get();
        let found = chosen.iter().find(|run| Some(run.id()) == wanted).or(chosen.first());
        found.cloned()
    });
    let accuracy = Memo::new(move |_| judging.of_run(&shown.get()?));
    let density = figure(move || {
        let (run, accuracy) = (shown.get(), accuracy.get());
        let judged = run.as_ref().zip(accuracy.as_ref().and_then(|a| a.as_ref().ok()));
        kinds::estimate_density(judged.map(|(run, accuracy)| JudgedEstimates { run, ink: Ink::Plain, accuracy }))
    });
    let tell = Callback::new(move |hit: Hit| reported(accuracy.get_untracked(), hit));
    let over_time = move |what| judging.over_time(what, summary);
    let options = Signal::derive(move || {
        let chosen = runs.chosen.get();
        let names = run_names(&chosen.iter().collect::<Vec<_>>());
        chosen.iter().zip(names).map(|(run, name)| ChoiceOption::new(run.id(), name, "")).collect::<Vec<_>>()
    });
    let problem = move || accuracy.get().and_then(Result::err);
    let users = Signal::derive(move || {
        rows(accuracy.get(), |accuracy| {
            let name = |user: i32| if user < 0 { "unknown".to_owned() } else { user.to_string() };
            accuracy.users.iter().map(|(user, q)| QualityRow::new(name(*user), f64::from(*user), *q)).collect()
        })
    });
    let widths = Signal::derive(move || {
        rows(accuracy.get(), |accuracy| {
            let name = |(from, to): (u32, u32)| {
                if from == to { whole(to) } else { format!("{} to {}", whole(from), whole(to)) }
            };
            accuracy.widths.iter().map(|(width, q)| QualityRow::new(name(*width), f64::from(width.0), *q)).collect()
        })
    });
    view! {
        <section class="estimate-charts" aria-label="Estimates, run by run" data-testid="estimate-charts">
            <h3 class="section-title">"Run by run"</h3>
            <p class="headline">
                "Made from the schedules on this computer; a link does not carry them."
            </p>
            <Chooser runs/>
            <div class="chart-grid">
                <Chart figure=judging.errors()/>
                <Chart figure=over_time(OverTime::R2) zoom=app.time_zoom()/>
                <Chart figure=over_time(OverTime::Under) zoom=app.time_zoom()/>
                <Chart figure=over_time(OverTime::Corrected) zoom=app.time_zoom()/>
            </div>
            <div class="estimate-picker">
                <Select
                    label="Look closer at"
                    options=options
                    value=Signal::derive(move || shown.get().map(|run| run.id()).unwrap_or_default())
                    on_change=move |id: String| picked.set(Some(id))
                />
            </div>
            <p class="headline" role="status" hidden=move || problem().is_none()>{move || problem()}</p>
            <div class="estimate-closer">
                <Chart figure=density tell=tell height=0.8/>
                <div class="estimate-tables">
                    <QualityTable title="By width" first="Width" rows=widths id="widths"/>
                    <QualityTable title="By user" first="User" rows=users id="users"/>
                </div>
            </div>
        </section>
    }
}

fn rows(
    accuracy: Option<Result<Arc<Accuracy>, String>>,
    make: impl Fn(&Accuracy) -> Vec<QualityRow>,
) -> Vec<QualityRow> {
    accuracy.and_then(Result::ok).map(|accuracy| make(&accuracy)).unwrap_or_default()
}

/// The tip of a cell of the density.
fn reported(accuracy: Option<Result<Arc<Accuracy>, String>>, hit: Hit) -> Vec<(String, String)> {
    let Some(Ok(accuracy)) = accuracy else { return Vec::new() };
    let Some(cell) = accuracy.density.get(hit.item) else { return Vec::new() };
    let span = |(from, to): (f64, f64)| {
        format!("{} to {}", AxisUnit::Duration.say(from.ceil()), AxisUnit::Duration.say(to.ceil()))
    };
    vec![
        ("Jobs".to_owned(), whole(cell.jobs)),
        ("Run time".to_owned(), span(cell.run)),
        ("Estimate".to_owned(), span(cell.estimate)),
    ]
}

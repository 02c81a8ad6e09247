//! The legend: a button for each series that shows or hides it.

use super::changes::Changes;
use super::chart::{Chart, Finer, figure};
use super::charted::{ChartedRuns, backdrop, summary};
use super::charts_view::Sweeps;
use super::classing::{ClassedRuns, MakeFigure};
use super::state::{ChartState, CrosshairHit, sizes};
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{List, When};
use packfair_chart::kinds::{self, Rate};
use packfair_chart::{Figure, Hit, Ink, NamedChart, Plot};
use packfair_engine::metric::Metric;
use packfair_study::Run;
use std::collections::BTreeSet;

/// The largest number of names in a legend.
const MOST: usize = 40;

#[derive(Clone, PartialEq)]
struct LegendEntry {
    name: String,
    ink: Ink,
    run: Option<Run>,
    /// Whether the series has no points to draw.
    is_missing: bool,
}

/// A button for each series: a click hides or shows it, a double click hides or shows all others, and pointing at it
/// highlights its run.
#[component]
pub fn LegendButtons(state: ChartState) -> impl IntoView {
    let entries = Memo::new(move |_| state.figure.with(|figure| entries(figure)));
    let left_out = move || state.figure.with(|figure| figure.series.len().saturating_sub(MOST));
    view! {
        <div class="chart-legend" role="group" aria-label="Series" hidden=move || entries.with(|e| e.len() < 2)>
            <List
                each=move || entries.get()
                key=|entry| format!("{} {} {}", swatch_class(entry.ink), entry.is_missing, entry.name)
                children=move |entry| view! { <LegendButton state entry/> }
            />
            <When when=move || left_out() != 0>
                <span class="quiet">{move || format!("and {} more", left_out())}</span>
            </When>
        </div>
    }
}

#[component]
fn LegendButton(state: ChartState, entry: LegendEntry) -> impl IntoView {
    let app = expect_context::<App>();
    let LegendEntry { name, ink, run, is_missing } = entry;
    let why = is_missing.then(|| no_curves(app));
    let hidden = state.hidden;
    let (own, toggled, alone) = (name.clone(), name.clone(), name.clone());
    let is_on = move || hidden.with(|hidden| !hidden.contains(&own));
    let toggle = move |_| {
        hidden.update(|hidden| {
            if !hidden.remove(&toggled) {
                hidden.insert(toggled.clone());
            }
        });
    };
    let isolate = move |_| {
        let others: BTreeSet<String> = state.figure.with_untracked(|figure| {
            let runs = figure.series.iter().filter(|s| s.ink != Ink::Guide && s.name != alone);
            BTreeSet::from_iter(runs.map(|s| s.name.clone()))
        });
        // the two clicks of a double click have hidden and shown this series; a second double click shows all others
        // again
        hidden.update(|hidden| *hidden = if *hidden == others { BTreeSet::new() } else { others });
    };
    let pointed = run.clone();
    let point = move |_| {
        if pointed.is_some() {
            app.highlight(pointed.clone());
        }
    };
    let leave = move |_| {
        if run.is_some() && app.highlighted.with_untracked(|now| *now == run) {
            app.highlight(None);
        }
    };
    view! {
        <button
            type="button"
            class="chart-legend-item"
            class:is-missing=is_missing
            disabled=is_missing
            title=why
            aria-pressed=move || is_on().to_string()
            on:click=toggle
            on:dblclick=isolate
            on:pointerenter=point
            on:pointerleave=leave
        >
            <span class=format!("swatch {}", swatch_class(ink))></span>
            {name}
        </button>
    }
}

/// Why a run is not drawn.
pub fn no_curves(app: App) -> &'static str {
    let is_of_link = app.shared.with_untracked(Option::is_some);
    if is_of_link {
        "The link had no room for its charts. Drop the log to draw them."
    } else {
        "It has nothing to draw here."
    }
}

fn entries(figure: &Figure) -> Vec<LegendEntry> {
    let entry = |s: &packfair_chart::Series| LegendEntry {
        name: s.name.clone(),
        ink: s.ink,
        run: s.run.clone(),
        is_missing: s.data.is_empty(),
    };
    // points and boxes have their names beside them
    if figure.series.iter().any(|s| s.data.is_scattered()) {
        return Vec::new();
    }
    figure.series.iter().take(MOST).map(entry).collect()
}

// The figure of a paper that a recipe names, as wide as the page.

/// The height as a share of the width.
const HEIGHT: f64 = 0.4;

/// The figure that the recipe's paper draws; nothing if the paper prints a table.
#[component]
pub fn NamedFigure(id: &'static str) -> impl IntoView {
    let app = expect_context::<App>();
    let runs = ChartedRuns::of_recipe(app);
    let charts = NamedChart::of_recipe(id);
    if charts.iter().any(|chart| chart.is_of_sizes()) {
        return view! { <OfSizes/> };
    }
    if charts.iter().any(|chart| chart.is_of_classes()) {
        let makes: Vec<MakeFigure> = charts.iter().filter_map(|&chart| of_classes(chart)).collect();
        return classes(app, runs, &makes);
    }
    charts.iter().map(|&chart| of_runs(app, runs, chart)).collect_view().into_any()
}

/// A chart of runs; nothing if the figure is about classes of jobs or about the log.
fn of_runs(app: App, runs: ChartedRuns, chart: NamedChart) -> AnyView {
    let finer = Finer::of(app, runs);
    let behind = backdrop(app);
    match chart {
        NamedChart::Cwa => {
            let cwa = figure(move || {
                behind
                    .with(|behind| runs.with_chosen(finer, |runs| kinds::cwa(runs, behind.area.as_ref(), behind.unit)))
            });
            view! { <Chart figure=cwa height=HEIGHT/> }
        }
        NamedChart::QueueJobs => {
            let queue = figure(move || {
                behind.with(|behind| {
                    runs.with_chosen(finer, |runs| {
                        kinds::with_down_times(kinds::queue_jobs(runs, &behind.clock), &behind.down)
                    })
                })
            });
            view! { <Chart figure=queue zoom=app.time_zoom() height=HEIGHT/> }
        }
        NamedChart::QueueLengths => {
            let lengths = figure(move || runs.with_chosen(finer, kinds::queue_lengths));
            view! { <Chart figure=lengths height=HEIGHT/> }
        }
        NamedChart::LostWork => {
            let lost = figure(move || runs.with_all(kinds::lost_work));
            view! { <Chart figure=lost height=HEIGHT/> }
        }
        NamedChart::ByPolicy => {
            let of_metric = |place: usize| {
                figure(move || {
                    let metric = app.study.with(|study| study.columns.get(place).copied()).unwrap_or(Metric::Bsld);
                    runs.with_all(|runs| kinds::by_policy(runs, metric))
                })
            };
            let charts: Vec<AnyView> =
                (0..kinds::METRICS_BY_POLICY).map(|place| view! { <Chart figure=of_metric(place)/> }).collect();
            view! { <div class="chart-grid">{charts}</div> }
        }
        NamedChart::Sweeps => view! { <Sweeps runs/> },
        NamedChart::Changes => view! { <Changes runs make=kinds::changes/> },
        NamedChart::OfBaseline => view! { <Changes runs make=kinds::of_baseline/> },
        _ => ().into_any(),
    }
}

/// The function that makes a chart of classes; `None` if the chart is about something else.
fn of_classes(chart: NamedChart) -> Option<MakeFigure> {
    let make: MakeFigure = match chart {
        NamedChart::ClassWeeks(Rate::Accuracy) => |runs, clock| kinds::class_weeks(runs, Rate::Accuracy, clock),
        NamedChart::ClassWeeks(Rate::Precision) => |runs, clock| kinds::class_weeks(runs, Rate::Precision, clock),
        NamedChart::ClassWeeks(Rate::Recall) => |runs, clock| kinds::class_weeks(runs, Rate::Recall, clock),
        NamedChart::Importances => kinds::importances,
        NamedChart::ImportanceBoxes => |runs, _| kinds::importance_boxes(runs),
        NamedChart::CumulativeSlowdown => kinds::cumulative_slowdown,
        NamedChart::MonthlySlowdown => kinds::monthly_slowdown,
        NamedChart::ClassSlowdowns => |runs, _| kinds::class_slowdowns(runs),
        _ => return None,
    };
    Some(make)
}

/// Figures of how small and large jobs fared in the charted runs.
fn classes(app: App, runs: ChartedRuns, makes: &[MakeFigure]) -> AnyView {
    let classed = ClassedRuns::of(app, runs, summary(app), Memo::new(|_| true));
    let charts: Vec<AnyView> = makes.iter().map(|&make| view! { <Chart figure=classed.figure(make)/> }).collect();
    view! { <div class="chart-grid">{charts}</div> }
}

/// Requested and actual run times with the divider, and autocorrelation within categories (CLASSIFY Figs 1 and 2).
#[component]
fn OfSizes() -> impl IntoView {
    let app = expect_context::<App>();
    let summary = summary(app);
    let sizes = sizes(app, Memo::new(|_| true));
    let requests = figure(move || {
        sizes.with(|sizes| match summary.get() {
            Some(summary) => kinds::requests(&summary, sizes.as_deref()),
            None => kinds::autocorrelation(None),
        })
    });
    let lags = figure(move || sizes.with(|sizes| kinds::autocorrelation(sizes.as_deref())));
    let of_user = figure(move || sizes.with(|sizes| kinds::user_autocorrelation(sizes.as_deref())));
    view! {
        <div class="chart-grid">
            <Chart figure=requests/>
            <Chart figure=lags/>
            <Chart figure=of_user/>
        </div>
    }
}

// The tip beside the crosshair: the values of all series there.

/// The largest number of rows of a tip: more do not fit beside a chart.
const MOST_ROWS: usize = 12;

/// The largest width of a tip, pixels; as in style/charts.css.
const WIDTH: f64 = 280.0;

/// Gives the labels and values of the tip for a box or point; without it, the tip shows the name and axis values.
pub type Tell = Option<Callback<Hit, Vec<(String, String)>>>;

#[derive(Clone, Debug, PartialEq)]
struct TipText {
    title: String,
    rows: Vec<TipLine>,
    left_out: usize,
}

#[derive(Clone, Debug, PartialEq)]
struct TipLine {
    ink: Option<Ink>,
    name: String,
    value: String,
}

#[component]
pub fn Tip(
    state: ChartState,
    /// Gives the tip of a box or point.
    tell: Tell,
) -> impl IntoView {
    let words = Memo::new(move |_| words(state, tell));
    let side = Memo::new(move |_| {
        let cursor = state.cursor.get()?;
        let width = state.with_plot(|plot| plot.sheet.width)?;
        // on the side with more room, and never under the pointer
        let is_left = cursor.x > width / 2.0;
        let room = if is_left { cursor.x } else { width - cursor.x };
        Some((
            is_left,
            if is_left { width - cursor.x + 14.0 } else { cursor.x + 14.0 },
            (room - 14.0).clamp(120.0, WIDTH),
        ))
    });
    let at = move |wanted: bool| move || side.get().filter(|s| s.0 == wanted).map(|s| format!("{:.0}px", s.1));
    let top =
        move || state.cursor.get().map(|cursor| format!("{:.0}px", cursor.y.map_or(20.0, |y| (y - 20.0).max(0.0))));
    view! {
        <div
            class="chart-tip"
            aria-hidden="true"
            hidden=move || words.with(Option::is_none)
            style:left=at(false)
            style:right=at(true)
            style:top=top
            style:max-width=move || side.get().map(|s| format!("{:.0}px", s.2))
        >
            {move || words.get().map(rows)}
        </div>
    }
}

fn rows(words: TipText) -> impl IntoView {
    let row = |TipLine { ink, name, value }: TipLine| {
        view! {
            <div class="chart-tip-row">
                {ink.map(|ink| view! { <span class=format!("swatch {}", swatch_class(ink))></span> })}
                <span class="chart-tip-name">{name}</span>
                <span class="chart-tip-value">{value}</span>
            </div>
        }
    };
    let more = (words.left_out > 0)
        .then(|| view! { <div class="chart-tip-more">{format!("and {} more", words.left_out)}</div> });
    view! { <div class="chart-tip-title">{words.title}</div> {words.rows.into_iter().map(row).collect_view()} {more} }
}

/// The CSS class of a swatch in an ink.
pub fn swatch_class(ink: Ink) -> String {
    match ink {
        Ink::Series(i) => format!("swatch-{} pattern-{}", i % 8 + 1, i / 8 % 4),
        Ink::Plain => "swatch-1 pattern-0".to_owned(),
        Ink::Rest => "swatch-rest pattern-0".to_owned(),
        Ink::Guide => "swatch-guide pattern-2".to_owned(),
    }
}

/// The content of the tip as a sentence.
pub fn in_words(state: ChartState, tell: Tell) -> String {
    let Some(TipText { title, rows, .. }) = words(state, tell) else { return String::new() };
    let rows: Vec<String> = rows.into_iter().map(|row| format!("{} {}", row.name, row.value)).collect();
    format!("{title}: {}", rows.join("; "))
}

fn words(state: ChartState, tell: Tell) -> Option<TipText> {
    let found = state.found()?;
    state.with_plot(|plot| match found {
        CrosshairHit::Readings(x, readings) => {
            let rows = readings.iter().map(|reading| {
                let series = &plot.figure.series[reading.series];
                TipLine { ink: Some(series.ink), name: series.name.clone(), value: plot.say_value(reading) }
            });
            let left_out = readings.len().saturating_sub(MOST_ROWS);
            TipText { title: plot.say_place(x, &readings), rows: rows.take(MOST_ROWS).collect(), left_out }
        }
        CrosshairHit::Thing(hit) => {
            TipText { title: plot.figure.series[hit.series].name.clone(), rows: thing(plot, hit, tell), left_out: 0 }
        }
    })
}

fn thing(plot: &Plot, hit: Hit, tell: Tell) -> Vec<TipLine> {
    let pairs = tell.map_or_else(|| plot.say_point(&hit), |tell| tell.run(hit));
    pairs.into_iter().map(|(name, value)| TipLine { ink: None, name, value }).collect()
}

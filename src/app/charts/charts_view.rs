//! The Charts tab: every chart of the chosen runs.

use super::changes::Changes;
use super::chart::{Chart, Chooser, Finer, figure};
use super::charted::{Backdrop, ChartedRuns, backdrop, summary};
use super::classing::{ClassCharts, EstimateJudging};

use super::state::sizes;
use crate::app::prelude::*;
use crate::app::state::{App, RepeatsState};
use crate::app::widget::{Last, Later, When};
use packfair_chart::kinds::{self, Charted, OverTime};
use packfair_chart::{AxisClock, Figure};
use packfair_engine::metric::Metric;
use packfair_engine::metric::fairness::Fair;
use packfair_study::sureness::Repeated;
use packfair_study::table::Mode;
use packfair_workload::Summary;
use std::sync::Arc;

/// All charts of the chosen runs in a grid.
#[component]
pub fn ChartsView() -> impl IntoView {
    let app = expect_context::<App>();
    let runs = ChartedRuns::of(app);
    let finer = Finer::of(app, runs);
    let summary = summary(app);
    let distribution = move |make: fn(&[Charted<'_>], Option<&Repeated>) -> Figure| {
        figure(move || {
            let repeated = repeated(app);
            runs.with_chosen(finer, |runs| make(runs, repeated.as_deref()))
        })
    };
    let behind = backdrop(app);
    let over_time = move |make: fn(&[Charted<'_>], &Backdrop) -> Figure| {
        figure(move || behind.with(|behind| runs.with_chosen(finer, |runs| make(runs, behind))))
    };
    let cwa = over_time(|runs, behind| kinds::cwa(runs, behind.area.as_ref(), behind.unit));
    let queue = over_time(|runs, behind| kinds::with_down_times(kinds::queue_jobs(runs, &behind.clock), &behind.down));
    let width = over_time(|runs, behind| kinds::queue_width(runs, &behind.clock, behind.processors, behind.unit));
    let [waits, responses, slowdowns] =
        [kinds::waits, kinds::responses, kinds::slowdowns].map(|make| distribution(make));
    let queue_lengths = figure(move || runs.with_chosen(finer, kinds::queue_lengths));
    let utilisation = over_time(|runs, behind| kinds::utilisation(runs, &behind.clock, behind.unit));
    let [strict, relaxed] = [Fair::Strict, Fair::Relaxed]
        .map(|fair| figure(move || runs.with_chosen(finer, |runs| kinds::unfairness(runs, fair))));
    let judging = EstimateJudging::of(app, runs);
    let (errors, r2) = (judging.errors(), judging.over_time(OverTime::R2, summary));
    let has_fair = Memo::new(move |_| runs.all.with(|all| all.iter().any(|outcome| outcome.has_fair_starts())));
    view! {
        <section class="charts" aria-label="Charts" data-testid="charts-view">
            <When
                when=move || runs.all.with(|all| !all.is_empty())
                fallback=move || view! { <NothingYet/> }
            >
                <Chooser runs/>
                <Shelf runs=runs>
                <div class="chart-grid chart-many">
                    <Later><Tradeoff runs height=0.52/></Later>
                    <Later><Chart figure=cwa/></Later>
                    <Later><Chart figure=queue zoom=app.time_zoom()/></Later>
                    <Later><Chart figure=width zoom=app.time_zoom()/></Later>
                    <Later><Chart figure=utilisation zoom=app.time_zoom()/></Later>
                    <Later><Chart figure=waits/></Later>
                    <Later><Chart figure=responses/></Later>
                    <Later><Chart figure=slowdowns/></Later>
                    <Later><Chart figure=queue_lengths/></Later>
                    <When when=move || has_fair.get()>
                        <Later><Chart figure=strict/></Later>
                        <Later><Chart figure=relaxed/></Later>
                    </When>
                    <Later><Chart figure=errors/></Later>
                    <Later><Chart figure=r2 zoom=app.time_zoom()/></Later>
                </div>
                <Power runs finer/>
                <ClassCharts runs summary/>
                <Changes runs make=kinds::changes/>
                <Sweeps runs/>
                </Shelf>
            </When>
        </section>
    }
}

/// The view without any charts: says that they are on their way, or shows the button that makes them.
#[component]
fn NothingYet() -> impl IntoView {
    let app = expect_context::<App>();
    let words = move || match app.is_busy() {
        true => "The charts appear when the first run ends.",
        false => "No run has ended yet.",
    };
    view! {
        <div class="empty-state">
            <p>{move || words()}</p>
            <When when=move || !app.is_busy() && (app.pending() > 0)>
                <button class="button button-accent" type="button" on:click=move |_| app.run_all()>"Run them all"</button>
            </When>
        </div>
    }
}

/// The repeats of the present study, if there are any.
fn repeated(app: App) -> Option<Arc<Repeated>> {
    let is_of = |state: &RepeatsState| app.study.with(|study| state.is_told(study));
    app.repeats.get().filter(is_of).map(|state| state.repeated)
}

/// A small chart for each metric of the table, against the parameter that was swept.
#[component]
pub(super) fn Sweeps(runs: ChartedRuns) -> impl IntoView {
    let app = expect_context::<App>();
    let metrics = Memo::new(move |_| app.study.with(|study| study.columns.clone()));
    let figures = Memo::new(move |_| {
        let repeated = repeated(app);
        let made = runs.with_all(|runs| metrics.with(|metrics| kinds::sweeps(runs, metrics, repeated.as_deref())));
        made.into_iter().map(Arc::new).collect::<Vec<_>>()
    });
    let is_swept = Memo::new(move |_| app.study.with(|study| study.distortions.len() + study.all_shrinks().len() > 2));
    let nothing = move || {
        let is_empty = |figure: &Arc<Figure>| figure.series.is_empty();
        let why = |figure: &Arc<Figure>| match is_swept.get() {
            true => "The sweep has not run yet: its lines come with the first results".to_owned(),
            false => figure.empty.clone(),
        };
        figures.with(|all| all.first().filter(|figure| is_empty(figure)).map(why))
    };
    view! {
        <h2 class="charts-heading">"Against what was swept"</h2>
        <When
            when=move || nothing().is_none()
            fallback=move || view! { <p class="empty-state">{move || nothing()}"."</p> }
        >
            <div class="chart-grid chart-multiples">
                {each_figure(figures, |figure| view! { <Later><Chart figure=figure/></Later> }.into_any())}
            </div>
        </When>
    }
}

/// What is drawn over time, and below it the price and the carbon intensity, where they are known.
#[component]
fn Power(runs: ChartedRuns, finer: Finer) -> impl IntoView {
    let app = expect_context::<App>();
    let behind = backdrop(app);
    let figures = Memo::new(move |_| {
        let made = |clock: &AxisClock| {
            app.study.with(|study| runs.with_chosen(finer, |runs| kinds::power(runs, study, clock)))
        };
        behind.with(|behind| made(&behind.clock)).into_iter().map(Arc::new).collect::<Vec<_>>()
    });
    let one = move |figure: Memo<Arc<Figure>>| {
        let height = if figure.with_untracked(|figure| figure.kind == "power") { 0.3 } else { 0.18 };
        view! { <Later><Chart figure=figure zoom=app.time_zoom() height=height/></Later> }.into_any()
    };
    view! {
        <When when=move || figures.with(|figures| !figures.is_empty())>
            <h2 class="charts-heading">"Power"</h2>
            <div class="chart-grid chart-stack" data-testid="power">{each_figure(figures, one)}</div>
        </When>
    }
}

/// A view of each figure. The views stay while values arrive; only a change of their number makes them again.
fn each_figure(
    figures: Memo<Vec<Arc<Figure>>>,
    view: impl Fn(Memo<Arc<Figure>>) -> AnyView + Copy + Send + 'static,
) -> impl IntoView {
    let count = Memo::new(move |_| figures.with(Vec::len));
    let one = move |i: usize| {
        let first = figures.with_untracked(|figures| figures[i].clone());
        view(Memo::new(move |_| figures.with(|all| all.get(i).cloned()).unwrap_or_else(|| first.clone())))
    };
    move || (0..count.get()).map(one).collect_view()
}

// A place for charts of runs. It is greyed out while the charts show results for earlier settings.

/// A place for charts that says when they are out of date.
#[component]
pub fn Shelf(runs: ChartedRuns, children: Children) -> impl IntoView {
    let app = expect_context::<App>();
    let is_stale = Memo::new(move |_| runs.is_stale(app));
    let words = move || match (is_stale.get(), app.is_busy()) {
        (false, _) => "",
        (true, true) => "These charts show the previous settings; the new results are being computed.",
        (true, false) => "These charts show the previous settings. ",
    };
    view! {
        <div class="chart-shelf" class:stale=move || is_stale.get() data-testid="shelf">
            <p class="chart-shelf-note" role="status" hidden=move || !is_stale.get()>
                {move || words()}
                <button
                    class="button"
                    type="button"
                    hidden=move || app.is_busy()
                    on:click=move |_| app.run_all()
                >
                    "Run with the current settings"
                </button>
            </p>
            {children()}
        </div>
    }
}

// The three most informative charts, below the comparison table.

/// Packing against fairness, cumulative wait area, and the queue over time.
#[component]
pub fn Overview() -> impl IntoView {
    let app = expect_context::<App>();
    let runs = ChartedRuns::of(app);
    let finer = Finer::of(app, runs);
    let behind = backdrop(app);
    let cwa = figure(move || {
        behind.with(|behind| runs.with_chosen(finer, |runs| kinds::cwa(runs, behind.area.as_ref(), behind.unit)))
    });
    let queue = figure(move || {
        behind.with(|behind| {
            runs.with_chosen(finer, |runs| kinds::with_down_times(kinds::queue_jobs(runs, &behind.clock), &behind.down))
        })
    });
    view! {
        <Shelf runs>
            <div class="chart-grid chart-overview" data-testid="overview">
                <Last><Tradeoff runs height=0.62/></Last>
                <Last><Chart figure=cwa height=0.62/></Last>
                <Last><Chart figure=queue zoom=app.time_zoom() height=0.62/></Last>
            </div>
        </Shelf>
    }
}

// The distributions of a workload, for the Workload tab.

/// Histograms of widths, times and submissions, and the two curves by area.
#[component]
pub fn WorkloadCharts(#[prop(into)] summary: Signal<Arc<Summary>>) -> impl IntoView {
    let of = move |make: fn(&Summary) -> Figure| figure(move || summary.with(|summary| make(summary)));
    let area: fn(&Summary) -> Figure =
        |summary| kinds::area_distribution(&summary.jobs_by_area, &summary.area_by_area, summary.counting.unit);
    let app = expect_context::<App>();
    let sizes = sizes(app, Memo::new(|_| true));
    let requests =
        figure(move || summary.with(|summary| sizes.with(|sizes| kinds::requests(summary, sizes.as_deref()))));
    let autocorrelation = figure(move || sizes.with(|sizes| kinds::autocorrelation(sizes.as_deref())));
    let charts = [
        of(area),
        of(kinds::widths),
        of(kinds::run_times),
        of(kinds::limits),
        of(kinds::overestimations),
        of(kinds::hours),
        of(kinds::weekdays),
        of(|summary| kinds::gaps(&summary.name, &summary.arrivals)),
        of(|summary| joint(summary, 0)),
        of(|summary| joint(summary, 1)),
        of(|summary| joint(summary, 2)),
        requests,
        autocorrelation,
    ];
    // each in a task of its own
    let charts = charts.map(|figure| view! { <Later><Chart figure=figure/></Later> });
    view! { <div class="chart-grid chart-small" data-testid="workload-charts">{charts.into_iter().collect_view()}</div> }
}

/// A heat map of jobs by two of width, requested time and run time, of which there are three.
fn joint(summary: &Summary, which: usize) -> Figure {
    kinds::joint(&summary.arrivals, summary.counting.unit)[which].clone()
}

// Packing against fairness, with a choice of the fairness metric.

/// A scatter plot of all runs. Unfairness by fair start time is offered once it was computed for some run.
#[component]
pub fn Tradeoff(
    runs: ChartedRuns,
    /// The height as a share of the width.
    height: f64,
) -> impl IntoView {
    let app = expect_context::<App>();
    let has_fair = Memo::new(move |_| runs.all.with(|all| all.iter().any(|outcome| outcome.has_fair_starts())));
    let fairness = Memo::new(move |_| if has_fair.get() { app.fairness.get() } else { Metric::P2sf });
    let figure = figure(move || {
        let mode = if app.relative.get() { Mode::Change } else { Mode::Absolute };
        runs.with_all(|runs| app.study.with(|study| kinds::tradeoff(runs, study, fairness.get(), mode)))
    });
    let option = move |metric: Metric| {
        let about = metric.about();
        view! {
            <option value=about.id selected=move || fairness.get() == metric>
                {about.name}
            </option>
        }
    };
    let choose = move |event| {
        if let Ok(metric) = event_target_value(&event).parse() {
            app.plot_against(metric);
        }
    };
    let tools = view! {
        <label class="chart-choice" hidden=move || !has_fair.get()>
            "Fairness is "
            <select data-testid="tradeoff-fairness" on:change=choose>
                {option(Metric::P2sf)}
                {Metric::UNFAIRNESS.map(option).into_iter().collect::<Vec<_>>()}
            </select>
        </label>
    };
    view! { <Chart figure=figure height=height tools=tools/> }
}

//! The Charts tab: every chart of the chosen runs.

use super::changes::Changes;
use super::chart::{Chart, figure};
use super::charted::{Backdrop, ChartedRuns, backdrop, summary};
use super::chooser::Chooser;
use super::classing::ClassCharts;
use super::finer::Finer;
use super::judging::EstimateJudging;

use super::shelf::Shelf;
use super::tradeoff::Tradeoff;
use crate::app::prelude::*;
use crate::app::state::{App, RepeatsState};
use crate::app::widget::{Later, When};
use packfair_chart::kinds::{self, Charted, OverTime};
use packfair_chart::{AxisClock, Figure};
use packfair_engine::metric::fair_start::Fair;
use packfair_study::sureness::Repeated;
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

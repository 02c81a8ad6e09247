//! How small and large jobs fared in the charted runs. The workers compute this.

use super::chart::{Chart, figure};
use super::charted::{ChartedRuns, clock};

use crate::app::notices::MISUNDERSTOOD;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{Later, When};
use leptos::task::spawn_local;
use packfair_chart::kinds::{self, Classed, JudgedEstimates, OverTime, Rate};
use packfair_chart::{AxisClock, Figure, inks};
use packfair_engine::metric::{Accuracy, ClassCourse};
use packfair_study::Run;
use packfair_study::query::{Answer, Query};
use packfair_workload::Summary;
use std::sync::Arc;

#[derive(Clone, Copy)]
pub(super) struct ClassedRuns {
    runs: ChartedRuns,
    summary: Memo<Option<Arc<Summary>>>,
    known: KnownCourses,
}

type KnownCourses = RwSignal<Vec<(Run, Arc<ClassCourse>)>>;

pub(super) type MakeFigure = fn(&[Classed<'_>], &AxisClock) -> Figure;

impl ClassedRuns {
    /// Asks the workers about `runs` while `is_shown` holds.
    pub(super) fn of(
        app: App,
        runs: ChartedRuns,
        summary: Memo<Option<Arc<Summary>>>,
        is_shown: Memo<bool>,
    ) -> ClassedRuns {
        let known: KnownCourses = RwSignal::new(Vec::new());
        ask(app, runs, is_shown, known);
        ClassedRuns { runs, summary, known }
    }

    pub(super) fn figure(self, make: MakeFigure) -> Signal<Arc<Figure>> {
        let ClassedRuns { runs, summary, known } = self;
        figure(move || with_known(runs, known, |runs| make(runs, &clock(summary))))
    }
}

/// Charts of small and large jobs, if any of the charted runs classifies jobs.
#[component]
pub fn ClassCharts(runs: ChartedRuns, summary: Memo<Option<Arc<Summary>>>) -> impl IntoView {
    let app = expect_context::<App>();
    let tells = |run: &Run| run.scheduler.family().entry.id == "classes";
    let is_shown = Memo::new(move |_| runs.chosen.with(|chosen| chosen.iter().any(tells)));
    let classed = ClassedRuns::of(app, runs, summary, is_shown);
    let over_time: [MakeFigure; 8] = [
        kinds::importances,
        kinds::cumulative_slowdown,
        kinds::monthly_slowdown,
        |runs, clock| kinds::class_weeks(runs, Rate::Accuracy, clock),
        |runs, clock| kinds::class_weeks(runs, Rate::Precision, clock),
        |runs, clock| kinds::class_weeks(runs, Rate::Recall, clock),
        |runs, clock| kinds::class_weeks(runs, Rate::FalseLarge, clock),
        |runs, clock| kinds::class_weeks(runs, Rate::FalseSmall, clock),
    ];
    let one =
        move |make: MakeFigure| view! { <Later><Chart figure=classed.figure(make) zoom=app.time_zoom()/></Later> };
    let by_class = classed.figure(|runs, _| kinds::class_slowdowns(runs));
    let boxes = classed.figure(|runs, _| kinds::importance_boxes(runs));
    let lost = figure(move || runs.with_all(kinds::lost_work));
    view! {
        <When when=move || is_shown.get()>
            <h2 class="charts-heading">"Small and large jobs"</h2>
            <div class="chart-grid" data-testid="class-charts">
                <Later><Chart figure=lost/></Later>
                <Later><Chart figure=by_class/></Later>
                <Later><Chart figure=boxes/></Later>
                {over_time.map(one).into_iter().collect::<Vec<_>>()}
            </div>
        </When>
    }
}

/// Asks about each charted run, again whenever the results or the measure change.
fn ask(app: App, runs: ChartedRuns, is_shown: Memo<bool>, known: KnownCourses) {
    let measure = Memo::new(move |_| app.study.with(|study| (study.measure.jobs(), study.measure.bsld_bound)));
    let round = StoredValue::new(0_u32);
    Effect::new(move |_| {
        runs.all.track();
        let (chosen, (counted, bound)) = (runs.chosen.get(), measure.get());
        round.update_value(|round| *round += 1);
        let number = round.get_value();
        known.set(Vec::new());
        for run in chosen.into_iter().filter(|_| is_shown.get()) {
            spawn_local(async move {
                let answer = app.ask(Query::Classes { run: run.clone(), counted, bound }).await;
                // the answer may be late: other runs may be charted by now, or the view is gone
                if let Ok(Answer::Classes(course)) = answer
                    && round.try_get_value() == Some(number)
                {
                    known.update(|all| all.push((run, Arc::new(course))));
                }
            });
        }
    });
}

/// Calls `make` with the charted runs whose answers have arrived, in their inks.
fn with_known(runs: ChartedRuns, known: KnownCourses, make: impl Fn(&[Classed<'_>]) -> Figure) -> Figure {
    let chosen = runs.chosen.get();
    let inks = inks(&chosen);
    known.with(|known| {
        let of = |(place, run): (usize, &Run)| {
            let course = known.iter().find(|(other, _)| other == run).map(|(_, course)| course.clone())?;
            Some((place, course))
        };
        let found: Vec<_> = chosen.iter().enumerate().filter_map(of).collect();
        let classed = found.iter().map(|(place, course)| Classed { run: &chosen[*place], ink: inks[*place], course });
        make(&classed.collect::<Vec<_>>())
    })
}

// How good the estimates of the charted runs are. The workers compute this.

/// A worker's answer about the estimates of a run, or why there is none.
pub type Said = Result<Arc<Accuracy>, String>;

/// The answers about the estimates of the charted runs.
#[derive(Clone, Copy)]
pub struct EstimateJudging {
    runs: ChartedRuns,
    said: RwSignal<Vec<(Run, Said)>>,
}

impl EstimateJudging {
    /// Asks about each charted run, again whenever the results or the jobs that count change.
    pub fn of(app: App, runs: ChartedRuns) -> Self {
        let said = RwSignal::new(Vec::new());
        let counted = Memo::new(move |_| app.study.with(|study| study.measure.jobs()));
        let round = StoredValue::new(0_u32);
        Effect::new(move |_| {
            runs.all.track();
            let (chosen, counted) = (runs.chosen.get(), counted.get());
            round.update_value(|round| *round += 1);
            let number = round.get_value();
            said.set(Vec::new());
            for run in chosen {
                spawn_local(async move {
                    let answer = match app.ask(Query::Accuracy { run: run.clone(), counted }).await {
                        Ok(Answer::Accuracy(accuracy)) => Ok(Arc::new(accuracy)),
                        Ok(_) => Err(MISUNDERSTOOD.to_owned()),
                        Err(message) => Err(message),
                    };
                    // the answer may be late: other runs may be charted by now, or the view is gone
                    if round.try_get_value() == Some(number) {
                        said.update(|all| all.push((run, answer)));
                    }
                });
            }
        });
        EstimateJudging { runs, said }
    }

    /// The answer about a run; `None` until it arrives.
    pub fn of_run(self, run: &Run) -> Option<Said> {
        self.said.with(|all| all.iter().find(|(other, _)| other == run).map(|(_, said)| said.clone()))
    }

    /// A figure of the distribution of errors.
    pub fn errors(self) -> Signal<Arc<Figure>> {
        figure(move || self.with_judged(kinds::estimate_errors))
    }

    /// A figure of how good the estimates are over time.
    pub fn over_time(self, what: OverTime, summary: Memo<Option<Arc<Summary>>>) -> Signal<Arc<Figure>> {
        figure(move || self.with_judged(|judged| kinds::estimates_over_time(judged, what, &clock(summary))))
    }

    /// Calls `make` with the charted runs whose answers have arrived, in their inks.
    fn with_judged(self, make: impl Fn(&[JudgedEstimates<'_>]) -> Figure) -> Figure {
        let chosen = self.runs.chosen.get();
        let inks = inks(&chosen);
        let known: Vec<(usize, Arc<Accuracy>)> =
            chosen.iter().enumerate().filter_map(|(place, run)| Some((place, self.of_run(run)?.ok()?))).collect();
        let judged =
            known.iter().map(|(place, accuracy)| JudgedEstimates { run: &chosen[*place], ink: inks[*place], accuracy });
        make(&judged.collect::<Vec<_>>())
    }
}

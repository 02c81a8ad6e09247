//! How small and large jobs fared in the charted runs. The workers compute this.

use super::chart::{Chart, figure};
use super::charted::{ChartedRuns, clock};

use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{Later, When};
use crate::chart::kinds::{self, Classed, Rate};
use crate::chart::{AxisClock, Figure, inks};
use crate::metric::ClassCourse;
use crate::study::Run;
use crate::study::query::{Answer, Query};
use crate::workload::Summary;
use leptos::task::spawn_local;
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

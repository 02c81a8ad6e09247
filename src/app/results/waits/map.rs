//! Heat maps of waits by width and requested time, as logged and of the charted runs.

use crate::app::charts::{Chart, ChartedRuns};
use crate::app::prelude::*;
use crate::app::results::naming::name;
use crate::app::state::App;
use crate::chart::Figure;
use crate::chart::kinds::{longest_median, wait_map};
use crate::study::Run;
use crate::study::grouped::as_logged;
use crate::study::query::{Answer, Query};
use leptos::task::spawn_local;
use std::sync::Arc;

/// A heat map of what the log tells, and one of each charted run.
#[component]
pub fn WaitMaps() -> impl IntoView {
    let app = expect_context::<App>();
    let figures: RwSignal<Vec<Arc<Figure>>> = RwSignal::new(Vec::new());
    ask(app, figures);
    let charts =
        move || figures.get().into_iter().map(|figure| view! { <Chart figure=Signal::stored(figure)/> }).collect_view();
    view! { <div class="chart-grid chart-small" data-testid="wait-maps">{move || charts()}</div> }
}

/// Asks anew when results or the measure change.
fn ask(app: App, figures: RwSignal<Vec<Arc<Figure>>>) {
    let runs = ChartedRuns::of(app);
    let counted = Memo::new(move |_| app.study.with(|study| study.measure.jobs()));
    let round = StoredValue::new(0_u32);
    Effect::new(move |_| {
        runs.all.track();
        app.log.track();
        let (chosen, counted) = (runs.chosen.get(), counted.get());
        round.update_value(|round| *round += 1);
        let number = round.get_value();
        let simulated = chosen.into_iter().filter(|run| !run.scheduler.is_as_logged()).map(Some);
        let asked: Vec<Option<Run>> = std::iter::once(None).chain(simulated).collect();
        spawn_local(async move {
            let mut found = Vec::new();
            for run in asked {
                let of = run.as_ref().map_or_else(|| name(&as_logged()), name);
                // what cannot be answered is said above the table
                if let Ok(Answer::WaitMap(cells)) = app.ask(Query::WaitMap { run, counted }).await
                    && !cells.is_empty()
                {
                    found.push((of, cells));
                }
                // late, where something else is asked by now; or the view is gone
                if round.try_get_value() != Some(number) {
                    return;
                }
            }
            let longest = found.iter().map(|(_, cells)| longest_median(cells)).fold(0.0, f64::max);
            figures.set(found.iter().map(|(of, cells)| Arc::new(wait_map(of, cells, longest))).collect());
        });
    });
}

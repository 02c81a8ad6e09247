//! Heat maps of waits by width and requested time, as logged and of the charted runs.

use crate::app::charts::{Chart, ChartedRuns};
use crate::app::prelude::*;
use crate::app::results::naming::name;
use crate::app::state::App;
use crate::chart::kinds::{longest_median, wait_map};
use crate::chart::{AxisUnit, Figure, Hit};
use crate::metric::WaitCell;
use crate::study::Run;
use crate::study::format::whole;
use crate::study::grouped::as_logged;
use crate::study::query::{Answer, Query};
use crate::workload::Unit;
use leptos::task::spawn_local;
use std::sync::Arc;

/// A heat map of what the log tells, and one of each charted run.
#[component]
pub fn WaitMaps() -> impl IntoView {
    let app = expect_context::<App>();
    let figures: RwSignal<Vec<ToldMap>> = RwSignal::new(Vec::new());
    ask(app, figures);
    let chart = move |ToldMap { figure, cells }: ToldMap| {
        let tell =
            Callback::new(move |hit: Hit| cells.get(hit.item).map(|cell| told(cell, app.unit())).unwrap_or_default());
        view! { <Chart figure=Signal::stored(figure) tell=tell/> }
    };
    let charts = move || figures.get().into_iter().map(chart).collect_view();
    view! { <div class="chart-grid chart-small" data-testid="wait-maps">{move || charts()}</div> }
}

/// A map, and the classes of which it is made.
#[derive(Clone)]
struct ToldMap {
    figure: Arc<Figure>,
    cells: Arc<Vec<WaitCell>>,
}

/// What is said of a class of jobs, line by line.
fn told(cell: &WaitCell, unit: Unit) -> Vec<(String, String)> {
    let (limits, widths) = (WaitCell::bounds(cell.limit), WaitCell::bounds(cell.width));
    let span = |seconds: f64| AxisUnit::Duration.say(seconds);
    let (least, most) = (widths.0, widths.1 - 1.0);
    let width = if least == most { least.to_string() } else { format!("{least} to {most}") };
    [
        ("Requested", format!("{} to {}", span(limits.0), span(limits.1))),
        ("Width", format!("{width} {}", unit.plural())),
        ("Jobs", whole(cell.jobs as i128)),
        ("Median wait", span(cell.median)),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .to_vec()
}

/// Asks anew when results or the measure change.
fn ask(app: App, figures: RwSignal<Vec<ToldMap>>) {
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
            let map = |(of, cells): (String, Vec<WaitCell>)| ToldMap {
                figure: Arc::new(wait_map(&of, &cells, longest)),
                cells: Arc::new(cells),
            };
            figures.set(found.into_iter().map(map).collect());
        });
    });
}

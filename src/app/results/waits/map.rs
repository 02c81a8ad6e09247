//! Heat maps of waits by width and requested time, for the log and for the charted runs.

use crate::app::charts::{Chart, ChartedRuns};
use crate::app::prelude::*;
use crate::app::results::naming::name;
use crate::app::state::App;
use crate::chart::kinds::{longer_by, longest_median, wait_change_map, wait_map};
use crate::chart::{AxisUnit, Figure, Hit};
use crate::metric::WaitCell;
use crate::study::format::whole;
use crate::study::grouped::as_logged;
use crate::study::query::{Answer, Query};
use crate::study::{Baseline, Run};
use crate::workload::Unit;
use leptos::task::spawn_local;
use std::sync::Arc;

/// A heat map of the log's own waits, and one for each charted run. If the baseline of the run is known, its map shows
/// the change.
#[component]
pub fn WaitMaps(baseline: Memo<Baseline>) -> impl IntoView {
    let app = expect_context::<App>();
    let figures: RwSignal<Vec<ToldMap>> = RwSignal::new(Vec::new());
    ask(app, baseline, figures);
    let chart = move |ToldMap { figure, cells, base }: ToldMap| {
        let tell = Callback::new(move |hit: Hit| {
            // only classes that occur in both have a box
            let shown = |cell: &&WaitCell| base.as_ref().is_none_or(|base| longer_by(cell, base).is_some());
            let cell = cells.iter().filter(shown).nth(hit.item);
            cell.map(|cell| reported(cell, base.as_deref(), app.unit())).unwrap_or_default()
        });
        view! { <Chart figure=Signal::stored(figure) tell=tell/> }
    };
    let charts = move || figures.get().into_iter().map(chart).collect_view();
    let has_changes = move || figures.with(|all| all.iter().any(|map| map.base.is_some()));
    view! {
        <p class="map-key" data-testid="wait-key" hidden=move || !has_changes()>
            "waits shorter" <span class="map-ramp" role="img" aria-label="blue to orange"></span> "waits longer"
        </p>
        <div class="chart-grid chart-small" data-testid="wait-maps">{move || charts()}</div>
    }
}

/// A heat map, and the classes of jobs from which it is made.
#[derive(Clone)]
struct ToldMap {
    figure: Arc<Figure>,
    cells: Arc<Vec<WaitCell>>,
    /// The classes of the baseline.
    base: Option<Arc<Vec<WaitCell>>>,
}

/// The tip of a class of jobs, line by line.
fn reported(cell: &WaitCell, base: Option<&Vec<WaitCell>>, unit: Unit) -> Vec<(String, String)> {
    let (limits, widths) = (WaitCell::bounds(cell.limit), WaitCell::bounds(cell.width));
    let span = |seconds: f64| AxisUnit::Duration.say(seconds);
    let (least, most) = (widths.0, widths.1 - 1.0);
    let width = if least == most { least.to_string() } else { format!("{least} to {most}") };
    let longer = base.and_then(|base| longer_by(cell, base));
    let change = longer.map(|longer| {
        let how = if longer < 0.0 { "Shorter by" } else { "Longer by" };
        (how.to_owned(), span(longer.abs()))
    });
    [
        ("Requested", format!("{} to {}", span(limits.0), span(limits.1))),
        ("Width", format!("{width} {}", unit.plural())),
        ("Jobs", whole(cell.jobs as i128)),
        ("Median wait", span(cell.median)),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into_iter()
    .chain(change)
    .collect()
}

/// Asks for the maps again when the results or the measure change.
fn ask(app: App, baseline: Memo<Baseline>, figures: RwSignal<Vec<ToldMap>>) {
    let runs = ChartedRuns::of(app);
    let counted = Memo::new(move |_| app.study.with(|study| study.measure.jobs()));
    let round = StoredValue::new(0_u32);
    Effect::new(move |_| {
        runs.all.track();
        app.log.track();
        let unit = app.unit();
        let (mut chosen, counted, baseline) = (runs.chosen.get(), counted.get(), baseline.get());
        for base in chosen.iter().filter_map(|run| baseline.of(run)).collect::<Vec<_>>() {
            if !chosen.contains(&base) && app.results().iter().any(|outcome| outcome.report.run == base) {
                chosen.push(base);
            }
        }
        round.update_value(|round| *round += 1);
        let number = round.get_value();
        let simulated = chosen.into_iter().filter(|run| !run.scheduler.is_as_logged()).map(Some);
        let asked: Vec<Option<Run>> = std::iter::once(None).chain(simulated).collect();
        spawn_local(async move {
            let mut found: Vec<(Run, Arc<Vec<WaitCell>>)> = Vec::new();
            for run in asked {
                let of = run.clone().unwrap_or_else(as_logged);
                // if this cannot be answered, the table above says why
                if let Ok(Answer::WaitMap(cells)) = app.ask(Query::WaitMap { run, counted }).await
                    && !cells.is_empty()
                {
                    found.push((of, Arc::new(cells)));
                }
                // the answer is late: something else has been asked meanwhile, or the view is gone
                if round.try_get_value() != Some(number) {
                    return;
                }
            }
            let base_of = |run: &Run| {
                let base = baseline.of(run).filter(|base| base != run)?;
                found.iter().find(|(other, _)| *other == base).cloned()
            };
            let with_bases: Vec<_> = found.iter().map(|(run, cells)| (run, cells, base_of(run))).collect();
            let plain = with_bases.iter().filter(|(.., base)| base.is_none());
            let longest = plain.map(|(_, cells, _)| longest_median(cells)).fold(0.0, f64::max);
            let changes = with_bases.iter().filter_map(|(_, cells, base)| Some((cells, base.as_ref()?)));
            let changes = changes.flat_map(|(cells, (_, base))| cells.iter().filter_map(|cell| longer_by(cell, base)));
            let most = changes.map(f64::abs).fold(0.0, f64::max);
            let maps = with_bases.iter().map(|(run, cells, base)| {
                let figure = match base {
                    Some((beside, base)) => wait_change_map(&name(run), &name(beside), cells, base, most, unit),
                    None => wait_map(&name(run), cells, longest, unit),
                };
                let base = base.as_ref().map(|(_, base)| base.clone());
                ToldMap { figure: Arc::new(figure), cells: Arc::clone(cells), base }
            });
            figures.set(maps.collect());
        });
    });
}

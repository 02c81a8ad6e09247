//! The table of waits: a row for each group of jobs, a column for each run.

use crate::app::charts::{Chart, ChartedRuns};
use crate::app::prelude::*;
use crate::app::results::own_order::OnlyButton;
use crate::app::results::row::name;
use crate::app::state::App;
use leptos::task::spawn_local;
use packfair_chart::kinds::{longer_by, longest_median, wait_change_map, wait_map};
use packfair_chart::{AxisUnit, Figure, Hit};
use packfair_engine::metric::{CountedGroup, WaitCell};
use packfair_study::format::{exact, whole};
use packfair_study::grouped::as_logged;
use packfair_study::query::{Answer, Query};
use packfair_study::verdict::Side;
use packfair_study::waits_matrix::{MatrixCell, MatrixGroup, MatrixOrder, WaitsMatrix};
use packfair_study::{Baseline, Run};
use packfair_workload::Unit;
use std::sync::Arc;

/// The largest number of groups that are shown; the file has all.
const MOST_ROWS: usize = 400;

/// The smallest relative change at which a cell has the full tint.
const FULL_TINT: f64 = 1.0;

/// How long each group waits in each run, sorted by the heading that was clicked last.
#[component]
pub fn WaitsTable(
    matrix: Memo<WaitsMatrix>,
    sorting: RwSignal<MatrixOrder>,
    /// Whether to show changes against the baseline of each run, if there is one.
    is_change: RwSignal<bool>,
) -> impl IntoView {
    let more = move || {
        let more = matrix.with(|matrix| matrix.groups.len()).saturating_sub(MOST_ROWS);
        (more > 0).then(|| format!("{} more groups are in the CSV file.", whole(more as i64)))
    };
    let head = move || {
        matrix.with(|matrix| {
            let runs = matrix.runs.iter().enumerate();
            let runs = runs.map(|(place, run)| heading(name(run), MatrixOrder::Run(place), run.id(), sorting));
            runs.collect_view()
        })
    };
    let body = move || {
        matrix.with(|matrix| {
            let largest = matrix.largest();
            let is_change = is_change.get();
            let shown = matrix.groups.iter().take(MOST_ROWS);
            shown.map(|group| line(matrix, group, largest, is_change)).collect_view()
        })
    };
    view! {
        <div class="table-scroll" role="region" tabindex="0" aria-label="Waits by group">
            <table class="plain-table waits-table" data-testid="waits-table">
                <caption class="visually-hidden">"Waits by group"</caption>
                <thead>
                    <tr>
                        <th scope="col" class="waits-group">
                            <button class="plain-heading" type="button" on:click=move |_| sorting.set(MatrixOrder::Group)>
                                {move || matrix.with(|matrix| matrix.word.clone())}
                            </button>
                        </th>
                        {move || head()}
                        {heading("Jobs".to_owned(), MatrixOrder::Jobs, "jobs".to_owned(), sorting)}
                    </tr>
                </thead>
                <tbody>{move || body()}</tbody>
            </table>
        </div>
        <p class="quiet">{move || more()}</p>
    }
}

/// A heading that sorts the largest values first and, when it is clicked again, the groups with the greatest loss.
fn heading(name: String, own: MatrixOrder, id: String, sorting: RwSignal<MatrixOrder>) -> AnyView {
    let is_own = move || sorting.get() == own;
    let click = move |_| sorting.set(if is_own() { MatrixOrder::Loss } else { own });
    view! {
        <th
            scope="col"
            class="number"
            aria-sort=move || if is_own() { "descending" } else { "none" }
            data-column=id
        >
            <button class="plain-heading" type="button" on:click=click>
                {name} <span aria-hidden="true">{move || if is_own() { " ▾" } else { "" }}</span>
            </button>
        </th>
    }
}

fn line(matrix: &WaitsMatrix, group: &MatrixGroup, largest: f64, is_change: bool) -> AnyView {
    let cells = group.cells.iter().map(|found| match found {
        Some(found) => cell(matrix, found, largest, is_change),
        None => view! { <td class="number">"–"</td> },
    });
    let counted = CountedGroup { by: matrix.by, group: group.group };
    view! {
        <tr data-testid="waits-row">
            <th scope="row" class="waits-group">
                <OnlyButton group=counted name=group.name.clone()/>
            </th>
            {cells.collect_view()}
            <td class="number" data-value=group.jobs.to_string()>{whole(group.jobs as i64)}</td>
        </tr>
    }
}

/// A value with a bar of proportional length, tinted if it differs from that of the baseline.
fn cell(matrix: &WaitsMatrix, found: &MatrixCell, largest: f64, is_change: bool) -> AnyView {
    let column = matrix.column;
    let value = column.value(&found.row);
    let base = found.base.as_ref().filter(|_| is_change);
    let share = value.filter(|_| largest > 0.0).map_or(0.0, |value| (value / largest).clamp(0.0, 1.0));
    let change = found.change(column).unwrap_or(0.0);
    let side = match change {
        change if change <= -0.01 => Side::Better,
        change if change >= 0.01 => Side::Worse,
        _ => Side::Neutral,
    };
    let strength = (change.abs() / FULL_TINT).min(1.0).sqrt();
    let title = found.base.as_ref().map(|base| format!("{}: {}", name(&base.run), column.text(base)));
    view! {
        <td
            class="number waits-cell"
            class:better=side == Side::Better
            class:worse=side == Side::Worse
            style:--tint=format!("{:.0}%", 100.0 * strength)
            style:--share=format!("{:.1}%", 100.0 * share)
            data-run=found.row.run.id()
            data-value=value.map(exact)
            title=title
        >
            {column.text_beside(&found.row, base)}
        </td>
    }
}

// Waits over all partitions, if each is taken by itself.

pub fn on_all(app: App, runs: &[Run]) -> Vec<Run> {
    let results = app.results();
    let mut all: Vec<Run> = Vec::new();
    for run in runs {
        let alike = |other: &Run| other.clone().on_partition(run.partition.clone()) == *run;
        let on_others = results.iter().map(|outcome| &outcome.report.run).filter(|other| alike(other));
        for run in on_others {
            if !all.contains(run) {
                all.push(run.clone());
            }
        }
    }
    all
}

// Heat maps of waits by width and requested time, for the log and for the charted runs.

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

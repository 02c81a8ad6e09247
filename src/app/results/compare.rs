//! The Compare tab: the table and what surrounds it.

use super::columns::{ShownAs, UnitSwitch, remembered_unit};
use super::comparison::{RunComparison, ShownRun};
use super::concluded::Concluded;
use super::first_screen::Headline;
use super::notes::{AsLoggedNote, BestLegend, KnownTimes, Notes};
use super::own_order::OwnOrder;
use super::reproduction::{ReproducedFigure, Reproduction};
use super::row_menu::CopyMenu;
use super::site_fit::Truth;
use super::sureness::Sureness;
use super::table::{ComparisonTable, TableState};
use crate::app::charts::Overview;
use crate::app::late;
use crate::app::prelude::*;
use crate::app::state::{App, LogState, RunRow, Status};
use crate::app::widget::{When, Whole};
use packfair_study::table::{FOLDED, Mode};
use std::sync::Arc;

/// The comparison table with a line that says what is compared, and the overview charts below.
#[component]
pub fn CompareView() -> impl IntoView {
    let app = expect_context::<App>();
    let shown = Memo::new_with_compare(
        move |_| {
            let is_between = app.is_between_logs();
            let shown = |row: &RunRow| (row.run.clone(), row.result.clone().filter(|_| !is_between));
            app.rows.with(|rows| rows.iter().map(shown).collect::<Vec<_>>())
        },
        |old, new| !old.zip(new).is_some_and(|(old, new)| are_same(old, new)),
    );
    // a failed run will have no result
    let is_settled = Memo::new(move |_| {
        let is_due = |row: &RunRow| row.result.is_none() && !matches!(row.status, Status::Failed(_));
        app.rows.with(|rows| !rows.iter().any(is_due))
    });
    let mode = Memo::new(move |_| if app.relative.get() { Mode::Change } else { Mode::Absolute });
    let comparison = Memo::new_with_compare(
        move |_| {
            let of = |study: &_, rows: &Vec<ShownRun>| RunComparison::of(rows, study, mode.get());
            let comparison = app.study.with(|study| shown.with(|rows| of(study, rows)));
            let comparison = if is_settled.get() { comparison } else { comparison.unsettled() };
            app.repeats.with(|repeats| match repeats {
                Some(repeats) => {
                    let with_repeats: fn(_, &_, &_) -> _ = late::apart(RunComparison::with_repeats);
                    app.study.with(|study| with_repeats(comparison, repeats, study))
                }
                None => comparison,
            })
        },
        |_, _| true,
    );
    let table = TableState::new(app, comparison, remembered_unit());
    // the distance of the cluster's own scheduler from the log is told before the verdict
    let has_fit = Memo::new(move |_| {
        comparison.with(|shown| shown.columns.contains(&FOLDED))
            && app.study.with(|study| !study.treatment.site.is_empty())
            && app.recipe.with(Option::is_none)
    });
    let is_empty = move || app.rows.with(Vec::is_empty);
    let is_whole = late::signal();
    view! {
        <section class="compare" aria-label="Comparison of runs">
            <When when=move || !is_empty() fallback=move || view! { <Empty/> }>
                <div class="compare-head">
                    <Headline comparison/>
                    <div class="compare-tools">
                        <KnownTimes/>
                        <ShownAs/>
                        <FairStartsButton/>
                        <UnitSwitch unit=table.unit/>
                        <CopyMenu/>
                    </div>
                </div>
                // loaded after what a first view needs
                <div class="conclusion-place" class:with-fit=move || has_fit.get()>
                    <Whole><Concluded comparison/></Whole>
                </div>
                <When when=move || is_whole.get() && app.recipe.with(Option::is_some)>
                    <Reproduction/>
                </When>
                <ComparisonTable table/>
                <OwnOrder/>
                // in a room as high as what usually comes, so that the charts below do not move
                <div class="compare-notes">
                    <BestLegend comparison/>
                    <AsLoggedNote comparison/>
                    <Notes/>
                    <When when=move || is_whole.get()>
                        <Sureness comparison/>
                        <Truth/>
                    </When>
                </div>
                <When when=move || is_whole.get() && app.recipe.with(Option::is_some)>
                    <ReproducedFigure/>
                </When>
                <div class="overview-room"><Whole><Overview/></Whole></div>
            </When>
        </section>
    }
}

/// Whether the rows and their results are unchanged. Results are never modified in place, so comparing their addresses
/// suffices.
fn are_same(old: &[ShownRun], new: &[ShownRun]) -> bool {
    let same = |a: &ShownRun, b: &ShownRun| match (&a.1, &b.1) {
        (Some(a_result), Some(b_result)) => Arc::ptr_eq(a_result, b_result) && a.0 == b.0,
        (None, None) => a.0 == b.0,
        _ => false,
    };
    old.len() == new.len() && old.iter().zip(new).all(|(a, b)| same(a, b))
}

/// The button that computes the fair start times of all runs. It disappears once the columns are shown, because fair
/// start times are then computed with each run.
#[component]
fn FairStartsButton() -> impl IntoView {
    let app = expect_context::<App>();
    let asks = Memo::new(move |_| app.study.with(|study| study.asks_for_fair_starts()));
    let can = move || app.log.with(|log| matches!(log, LogState::Ready(_)));
    view! {
        <When when=move || !asks.get() && can()>
            <button
                type="button"
                class="button"
                data-testid="fair-starts"
                data-hint="When each job would have started if no later job had arrived: any longer wait is unfair (FAIRNESS §3.1). Takes longer than the runs."
                on:click=move |_| app.compute_all_fair_starts()
            >
                "Fair start times"
            </button>
        </When>
    }
}

/// The text that is shown while there are no runs.
#[component]
fn Empty() -> impl IntoView {
    let app = expect_context::<App>();
    let text = move || {
        let is_absent = app.log.with(|log| matches!(log, LogState::Absent));
        let (no_scheduler, no_method) = app.study.with(|s| (s.schedulers.is_empty(), s.methods.is_empty()));
        match (is_absent, no_scheduler, no_method) {
            (true, ..) => "Drop a workload log here, or choose a sample, to compare schedulers on it.",
            (_, true, _) => "Choose a scheduler to compare: each one with each estimate makes a row.",
            (_, _, true) => "Choose a run-time estimate: each scheduler with each estimate makes a row.",
            _ => "Every row was removed. Add a scheduler or an estimate, or take the removal back.",
        }
    };
    view! { <p class="empty-state" data-testid="compare-empty">{move || text()}</p> }
}

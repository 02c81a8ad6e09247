//! The verdict of the table in one sentence, for the user's concern.

use super::apart;
use super::comparison::{RunAndBaseline, RunComparison};
use super::notes::Trying;
use crate::app::prelude::*;
use crate::app::state::{App, LogState, RunOutcome, RunRow, Status};
use crate::app::widget::{Segment, Segments, When};
use crate::app::{remembered, while_shown};
use packfair_study::verdict::{Concern, Fit, Judged, judge, judge_apart};
use packfair_study::{Run, claiming};
use std::sync::Arc;

/// The verdict, and the choice of the concern. The concern sorts the table and marks the run that serves it best.
#[component]
pub fn Concluded(comparison: Memo<RunComparison>) -> impl IntoView {
    let app = expect_context::<App>();
    let concern = app.concern;
    let verdict =
        Memo::new(move |_| comparison.with(|shown| with_table(app, shown, |table| judge(table, concern.get()))));
    let apart =
        Memo::new(move |_| comparison.with(|shown| with_table(app, shown, |table| judge_apart(table, concern.get()))));
    // concerns of the shown columns are offered, and a concern that was chosen stays on offer
    let offered = Memo::new(move |_| {
        let mut offered = comparison.with(|shown| Concern::offered(&shown.columns));
        let chosen = concern.get();
        if !offered.contains(&chosen) {
            offered.push(chosen);
        }
        offered
    });
    Effect::watch(
        move || concern.get(),
        move |&concern: &Concern, _, _| {
            // the concern of a link's sender is not this user's choice
            if app.shared.with_untracked(Option::is_none) {
                // if nothing can be stored, the choice is lost after the visit
                remembered::set_newest(remembered::CONCERN, &concern);
            }
            app.sort_for(concern, &comparison.with_untracked(|shown| shown.columns.clone()));
            app.highlight(verdict.with_untracked(|found| found.as_ref().and_then(|found| found.run.clone())));
        },
        false,
    );
    Effect::new(move |_| {
        let of_one = verdict.with(|found| found.as_ref().map(|found| found.text.clone()));
        let of_all = || apart.with(|apart| apart.as_ref().map(|apart| apart.total.text.clone()));
        app.conclude(of_one.or_else(of_all));
    });
    let choice = move || {
        let segment = |one: Concern| Segment {
            label: one.title(),
            is_on: while_shown(move || concern.get() == one).into(),
            pick: Callback::new(move |()| app.judge_by(one)),
        };
        let segments = offered.get().into_iter().map(segment).collect();
        view! { <Segments name="What matters" segments/> }
    };
    // how far the cluster's own scheduler can be trusted stands beside the verdict
    let fit = Memo::new(move |_| {
        comparison.track();
        // a paper's figures are about its workload, not about a cluster
        if app.recipe.with(Option::is_some) {
            return None;
        }
        let outcomes = app.results();
        let own = app.study.with(|study| claiming(study, outcomes.iter().map(|outcome| &outcome.report)));
        Fit::of(own).map(|fit| (fit.grade().id(), fit.in_words()))
    });
    let text = move || {
        let text = verdict.with(|found| found.as_ref().map(|found| found.text.clone()))?;
        let (title, rest) = titled(&text);
        Some(view! {
            <strong class="conclusion-title">{title.to_owned()}</strong>
            " "
            <span class="conclusion-rest">{rest.to_owned()}</span>
        })
    };
    view! {
        <div class="conclusion" hidden=move || verdict.with(Option::is_none) && apart.with(Option::is_none)>
            <p
                class="conclusion-fit"
                data-testid="fit"
                data-grade=move || fit.with(|fit| fit.as_ref().map(|(grade, _)| *grade))
                hidden=move || fit.with(Option::is_none)
            >
                {move || fit.with(|fit| fit.as_ref().map(|(_, words)| words.clone()))}
            </p>
            <When when=move || fit.with(Option::is_some)>
                <Trying/>
            </When>
            <p class="conclusion-text" data-testid="conclusion" aria-live="polite">{move || text()}</p>
            <span class="conclusion-label" aria-hidden="true">"What matters"</span>
            {move || choice()}
            {move || apart.with(|apart| apart.as_ref().map(|apart| apart::answers(app, apart)))}
        </div>
    }
}

/// The first sentence of a verdict, which is the title of the comparison, and the rest. Of many figures the title has the
/// first.
pub(super) fn titled(text: &str) -> (&str, &str) {
    // a full stop within a number or a name is not followed by a space and a capital letter
    let mut ends = text.match_indices(". ").map(|(at, _)| at + 1);
    let end = ends.find(|end| text[end + 1..].starts_with(char::is_uppercase)).unwrap_or(text.len());
    let figures = text[..end].find(": ").map(|at| at + 2);
    let more = figures.and_then(|from| Some(from + text[from..end].find(", ")?));
    match more {
        Some(at) => (&text[..at], &text[at + 2..]),
        None => (&text[..end], text[end..].trim_start()),
    }
}

/// Calls `judge` with the rows that have results for the present settings and the runs whose results are still to come.
pub(super) fn with_table<T>(app: App, shown: &RunComparison, judge: impl FnOnce(&Judged<'_>) -> T) -> T {
    let is_current = |shown: &RunAndBaseline| shown.result.is_some() && !shown.is_stale;
    let (outcomes, missing): (Vec<Arc<RunOutcome>>, Vec<Run>) = app.rows.with_untracked(|rows| {
        let pairs = || rows.iter().zip(&shown.rows).filter(|(row, shown)| row.run == shown.run);
        let current = pairs().filter(|(_, shown)| is_current(shown));
        let is_due =
            |(row, shown): &(&RunRow, &RunAndBaseline)| !is_current(shown) && !matches!(row.status, Status::Failed(_));
        (
            current.filter_map(|(row, _)| row.result.clone()).collect(),
            pairs().filter(is_due).map(|(row, _)| row.run.clone()).collect(),
        )
    });
    let load = app.log.with_untracked(|log| match log {
        LogState::Ready(described) => described.summary.offered_load,
        // a link carries the load of its log
        _ => app.sender_view().and_then(|told| told.log?.load),
    });
    app.study.with_untracked(|study| {
        app.repeats.with_untracked(|repeats| {
            let repeats = repeats.as_ref().filter(|repeats| repeats.is_told(study));
            let table = Judged {
                reports: outcomes.iter().map(|outcome| &outcome.report).collect(),
                missing: missing.iter().collect(),
                columns: &shown.columns,
                baseline: &study.baseline,
                repeated: repeats.map(|repeats| &*repeats.repeated),
                load,
                has_site: !study.treatment.site.is_empty(),
            };
            judge(&table)
        })
    })
}

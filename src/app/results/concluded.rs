//! What the table says in one sentence, to who says what they care for.

use super::comparison::{RunAndBaseline, RunComparison};
use crate::app::prelude::*;
use crate::app::remembered;
use crate::app::state::{App, RunOutcome, RunRow};
use crate::app::widget::{Segment, Segments};
use crate::study::conclusion::{Concern, Conclusion, conclude};
use std::sync::Arc;

const KEY: &str = "packfair.concern";

/// The sentence, and the choice of what matters, which sorts the table and marks the run that serves it best.
#[component]
pub fn Concluded(
    /// The rows of the table.
    comparison: Memo<RunComparison>,
) -> impl IntoView {
    let app = expect_context::<App>();
    let concern = RwSignal::new(remembered::get_newest(KEY).unwrap_or_default());
    let conclusion = Memo::new(move |_| comparison.with(|shown| conclusion_of(app, shown, concern.get())));
    Effect::watch(
        move || concern.get(),
        move |&concern: &Concern, _, _| {
            // a browser that keeps nothing forgets the choice, no more
            remembered::set_newest(KEY, &concern);
            app.sorting.set(concern.metric().map(|metric| (metric, false)));
            app.highlighted.set(conclusion.with_untracked(|found| found.as_ref().and_then(|found| found.run.clone())));
        },
        false,
    );
    let segments = Concern::ALL.map(|one| Segment::new(one.title(), concern, one)).into();
    let text = move || conclusion.with(|found| found.as_ref().map(|found| found.text.clone()));
    view! {
        <div class="conclusion" hidden=move || conclusion.with(Option::is_none)>
            <span class="conclusion-label" aria-hidden="true">"What matters"</span>
            <Segments name="What matters" segments/>
            <p class="conclusion-text" data-testid="conclusion" aria-live="polite">{move || text()}</p>
        </div>
    }
}

/// Of the rows with results for the present settings.
fn conclusion_of(app: App, shown: &RunComparison, concern: Concern) -> Option<Conclusion> {
    let outcomes: Vec<Arc<RunOutcome>> = app.rows.with_untracked(|rows| {
        let is_current = |(row, shown): &(&RunRow, &RunAndBaseline)| {
            row.run == shown.run && shown.result.is_some() && !shown.is_stale
        };
        let current = rows.iter().zip(&shown.rows).filter(is_current);
        current.filter_map(|(row, _)| row.result.clone()).collect()
    });
    let reports: Vec<_> = outcomes.iter().map(|outcome| &outcome.report).collect();
    app.study.with_untracked(|study| conclude(&reports, &study.baseline, concern))
}

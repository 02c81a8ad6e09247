//! What users should know before they trust the table, in plain words, and the meaning of its marks.

use super::comparison::{RunAndBaseline, RunComparison};
use crate::app::prelude::*;
use crate::app::state::{App, LogState};
use crate::app::widget::When;
use crate::app::wording::sentence;
use crate::study::advice;
use crate::study::format::factor;
use crate::study::table::{AS_LOGGED_CAVEAT, Mode, NOTHING_COUNTED_CAVEAT};
use crate::study::verdict::WORTH_ACTING_ON;

/// Notes below the table, where they do not move it: a load that no scheduler can serve, and settings without effect.
#[component]
pub fn Notes() -> impl IntoView {
    let app = expect_context::<App>();
    let overload = Memo::new(move |_| {
        app.log.with(|log| match log {
            LogState::Ready(described) => advice::overload(&described.summary),
            _ => None,
        })
    });
    let idle = Memo::new(move |_| {
        let of = |policy: &crate::scheduler::Policy| Some((policy.name(), advice::of_scheduler(policy)?));
        app.study.with(|study| study.schedulers.iter().filter_map(of).collect::<Vec<_>>())
    });
    let requested = Memo::new(move |_| {
        app.log.with(|log| match log {
            LogState::Ready(described) => {
                app.study.with(|study| advice::requested_times(&described.summary, &study.methods))
            }
            _ => None,
        })
    });
    let overfull = Memo::new(move |_| {
        app.results().iter().find_map(|o| o.report.overfull.as_ref().map(|overfull| overfull.in_unit(app.unit())))
    });
    let uncounted = Memo::new(move |_| {
        app.log.with(|log| match log {
            LogState::Ready(described) => described.summary.why_none_counts(),
            _ => None,
        })
    });
    let nothing = move || app.results().iter().any(|outcome| outcome.report.jobs == 0);
    let none_counts = Memo::new(move |_| {
        nothing().then(|| uncounted.get().map_or_else(|| NOTHING_COUNTED_CAVEAT.to_owned(), |why| sentence(&why) + "."))
    });
    let lacking = Memo::new(move |_| {
        app.log.with(|log| match log {
            LogState::Ready(described) => app.study.with(|study| advice::lacking(&described.summary, study)),
            _ => Vec::new(),
        })
    });
    let lacking_notes = move || {
        let note = |why: String| view! { <p class="note" data-testid="note-classes">{why}</p> };
        lacking.get().into_iter().map(note).collect_view()
    };
    let idle_notes = move || {
        let note = |(name, why): (String, &'static str)| {
            view! { <p class="note" data-testid="note-idle"><strong>{name} ". "</strong> {why}</p> }
        };
        idle.get().into_iter().map(note).collect_view()
    };
    view! {
        <div class="notes">
            <When when=move || overload.with(Option::is_some)>
                <p class="note note-warn" data-testid="note-overload">{move || overload.get()}</p>
            </When>
            <When when=move || none_counts.with(Option::is_some)>
                <p class="note note-warn" data-testid="note-nothing-counted">{move || none_counts.get()}</p>
            </When>
            <When when=move || requested.with(Option::is_some)>
                <p class="note" data-testid="note-requested">{move || requested.get()}</p>
            </When>
            <When when=move || overfull.with(Option::is_some)>
                <p class="note note-warn" data-testid="note-overfull">{move || overfull.get()}"."</p>
            </When>
            {move || idle_notes()}
            {move || lacking_notes()}
        </div>
    }
}

/// The note below the table about comparing a log's own schedule with simulated ones. It appears with the first
/// results, so that it moves nothing later.
#[component]
pub fn AsLoggedNote(comparison: Memo<RunComparison>) -> impl IntoView {
    let beside_log = Memo::new(move |_| comparison.with(stands_beside_log));
    view! {
        <When when=move || beside_log.get()>
            <p class="note note-warn" data-testid="note-as-logged">{AS_LOGGED_CAVEAT}</p>
        </When>
    }
}

/// Whether the log's own schedule is compared with simulated ones.
fn stands_beside_log(comparison: &RunComparison) -> bool {
    let is_logged = |row: &RunAndBaseline| row.run.scheduler.is_as_logged();
    let has_logged = comparison.rows.iter().any(|row| is_logged(row) && row.result.is_some());
    has_logged && !comparison.rows.iter().all(is_logged)
}

/// The legend below the table: what the mark of the best means, and when there is none.
#[component]
pub fn BestLegend(comparison: Memo<RunComparison>) -> impl IntoView {
    let words = Memo::new(move |_| comparison.with(legend));
    view! {
        <p class="headline best-legend" data-testid="best-legend" hidden=move || words.with(String::is_empty)>
            {move || words.get()}
        </p>
    }
}

fn legend(comparison: &RunComparison) -> String {
    let results = || comparison.rows.iter().filter_map(|row| row.result.as_ref());
    if results().count() < 2 {
        return String::new();
    }
    if !comparison.is_settled {
        return "◆ marks the best of a column once all runs are done.".to_owned();
    }
    let marked = results().flat_map(|result| &result.cells).flatten().any(|cell| cell.is_best);
    let ahead = format!("{} %", factor(100.0 * WORTH_ACTING_ON));
    let has_groups =
        comparison.mode == Mode::Change && comparison.rows.windows(2).any(|rows| rows[0].baseline != rows[1].baseline);
    let is_one_workload = comparison.rows.windows(2).all(|rows| rows[0].run.shares_workload(&rows[1].run));
    let of = match (has_groups, is_one_workload) {
        (true, _) => "the rows compared with the same run",
        (false, true) => "the column",
        (false, false) => "the rows of one load and one partition",
    };
    let surely = if results().flat_map(|result| &result.cells).flatten().any(|cell| cell.is_repeated) {
        " and repeats tell them apart"
    } else {
        ""
    };
    let is_one_machine = comparison.rows.windows(2).all(|rows| rows[0].run.what_if == rows[1].run.what_if);
    if marked {
        format!(
            "◆ the best that could be chosen of {of}, where it is ahead of the next by at least {ahead}{surely}; saturated \
             runs are left out"
        )
    } else if !is_one_machine {
        "No row is marked as the best: the rows stand on several machines.".to_owned()
    } else {
        format!(
            "No column has a best row: nowhere is one ahead of the next by {ahead}{surely}, or there are too few jobs to tell."
        )
    }
}

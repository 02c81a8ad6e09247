//! What a person should know before they believe the table, in plain words, and what its marks mean.

use super::comparison::{Measured, RunComparison};
use super::naming::name;
use crate::app::prelude::*;
use crate::app::state::{App, LogState};
use crate::app::widget::When;
use crate::metric::Metric;
use crate::study::advice;
use crate::study::format::{duration, factor, number};
use crate::study::table::{AS_LOGGED_CAVEAT, Mode, WORTH_ACTING_ON};

/// Above the table: a load that no scheduler can serve, settings without effect, and what stands between a log's own
/// schedule and a simulated one.
#[component]
pub fn Notes(
    /// The rows of the table.
    comparison: Memo<RunComparison>,
) -> impl IntoView {
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
    let as_logged = Memo::new(move |_| comparison.with(as_logged));
    let lacking = Memo::new(move |_| {
        app.log.with(|log| match log {
            LogState::Ready(described) => {
                app.study.with(|study| advice::classes(&described.summary, &study.schedulers))
            }
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
    let text_of_logged = move || as_logged.get().map(|nearest| format!("{AS_LOGGED_CAVEAT} {nearest}"));
    view! {
        <div class="notes">
            <When when=move || overload.with(Option::is_some)>
                <p class="note note-warn" data-testid="note-overload">{move || overload.get()}</p>
            </When>
            <When when=move || as_logged.with(Option::is_some)>
                <p class="note note-warn" data-testid="note-as-logged">{move || text_of_logged()}</p>
            </When>
            {move || idle_notes()}
            {move || lacking_notes()}
        </div>
    }
}

/// How near the schedulers come to the log's own schedule, where it stands beside them.
fn as_logged(comparison: &RunComparison) -> Option<String> {
    let is_logged = |row: &super::comparison::RunAndBaseline| row.run.scheduler.is_as_logged();
    let has_logged = comparison.rows.iter().any(|row| is_logged(row) && row.result.is_some());
    let simulated: Vec<_> = comparison.rows.iter().filter(|row| !is_logged(row)).collect();
    if !has_logged || simulated.is_empty() {
        return None;
    }
    let value = |result: &Measured, metric: Metric| {
        let column = comparison.columns.iter().position(|&m| m == metric)?;
        result.cells.get(column).copied().flatten().map(|cell| cell.value)
    };
    let mut nearest = None;
    for row in simulated {
        let Some(near) = row.result.as_ref().and_then(|result| value(result, Metric::NearLog)) else { continue };
        let gap = row.result.as_ref().and_then(|result| value(result, Metric::LogGap)).unwrap_or(f64::NAN);
        if nearest.as_ref().is_none_or(|&(_, most, _)| near > most) {
            nearest = Some((name(&row.run), near, gap));
        }
    }
    Some(nearest.map_or_else(String::new, |(name, near, gap)| {
        format!(
            "Nearest to the log comes {name}: {} % of its jobs start within ten minutes of their logged start, and half \
             of all waits are within {} of the logged one. The last two columns tell it of each.",
            number(100.0 * near),
            duration(gap)
        )
    }))
}

/// Below the table: what the mark of the best means, and when there is none.
#[component]
pub fn BestLegend(
    /// The rows of the table.
    comparison: Memo<RunComparison>,
) -> impl IntoView {
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
    let marked = results().flat_map(|result| &result.cells).flatten().any(|cell| cell.is_best);
    let ahead = format!("{} %", factor(100.0 * WORTH_ACTING_ON));
    let has_groups =
        comparison.mode == Mode::Change && comparison.rows.windows(2).any(|rows| rows[0].baseline != rows[1].baseline);
    let of = if has_groups { "the rows compared with the same run" } else { "the column" };
    if marked {
        format!("◆ the best of {of}, where it is ahead of the next by at least {ahead}")
    } else {
        format!("No column has a best row: nowhere is one ahead of the next by {ahead}.")
    }
}

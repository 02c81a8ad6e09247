//! One line above the table that says what is compared.

use super::comparison::RunComparison;
use super::naming::{method, name};
use crate::app::prelude::*;
use crate::app::state::{App, LogState};
use packfair_study::format::whole;
use packfair_study::{Baseline, Study};

/// The line, such as "20 runs on KTH-SP2: 28,480 of 28,481 jobs counted; change to JustBF with the same estimate".
#[component]
pub fn Headline(comparison: Memo<RunComparison>) -> impl IntoView {
    let app = expect_context::<App>();
    let text = move || {
        let study = app.study.get();
        let (trace, jobs) = app.log.with(|log| match log {
            LogState::Ready(log) => (log.summary.name.clone(), Some(log.summary.jobs)),
            LogState::Loading { name, .. } | LogState::Failed { name, .. } => (name.clone(), None),
            _ => (study.source.name(), None),
        });
        comparison.with(|c| sentence(c, &study, &trace, jobs, app.relative.get()))
    };
    view! { <p class="headline" data-testid="headline">{move || text()}</p> }
}

fn sentence(comparison: &RunComparison, study: &Study, trace: &str, jobs: Option<usize>, relative: bool) -> String {
    let total = comparison.rows.len();
    let plural = if total == 1 { "run" } else { "runs" };
    let counted = || comparison.rows.iter().filter(|r| !r.is_stale).filter_map(|r| r.result.as_ref()).map(|r| r.jobs);
    let done = counted().count();
    let (Some(fewest), Some(most)) = (counted().min(), counted().max()) else {
        let is_stale = comparison.rows.iter().any(|row| row.is_stale);
        let state = if is_stale { "what is shown is stale, made with other settings" } else { "no result yet" };
        return format!("{} {plural} on {trace}: {state}", whole(total as i64));
    };
    let runs =
        if done == total { whole(total as i64) } else { format!("{} of {}", whole(done as i64), whole(total as i64)) };
    let range =
        if fewest == most { whole(most as i64) } else { format!("{} to {}", whole(fewest as i64), whole(most as i64)) };
    let of = jobs.map_or(String::new(), |n| format!(" of {}", whole(n as i64)));
    let shown = if relative { compared_with(&study.baseline) } else { "absolute values".to_owned() };
    let only = study.measure.only.map_or(String::new(), |group| format!(" ({group} alone)"));
    format!("{runs} {plural} on {trace}: {range}{of} jobs counted{only}; {shown}")
}

fn compared_with(baseline: &Baseline) -> String {
    match baseline {
        Baseline::None => "absolute values, as no baseline is chosen".to_owned(),
        Baseline::Run(run) => format!("change to {}", name(run)),
        Baseline::Scheduler(scheduler) => format!("change to {} with the same estimate", scheduler.name()),
        Baseline::Estimate(estimate) => {
            format!("change to the same scheduler with {}", method(&estimate.method))
        }
    }
}

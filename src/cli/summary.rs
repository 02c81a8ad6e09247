//! `packfair summary`.

use super::args::{SummaryArguments, SummaryFormat};
use super::{Failure, load, print};
use crate::study::Treatment;
use crate::study::format::{MISSING, duration, number, whole};
use crate::workload::{Account, Quantiles, Summary, Workload};
use serde::Serialize;

/// What programs are told.
#[derive(Serialize)]
struct Told<'a> {
    summary: &'a Summary,
    account: &'a Account,
}

/// Says what a log is like.
pub(super) fn summary(arguments: &SummaryArguments) -> Result<(), Failure> {
    let log = load::log(&arguments.trace, arguments.limits.limits())?;
    let treatment = Treatment {
        cleaning: arguments.treatment.clean,
        processors: arguments.treatment.procs,
        ..Treatment::default()
    };
    let workload = treatment.apply(&log).map_err(Failure::input)?;
    let summary = Summary::of(&workload);
    let text = match arguments.format {
        SummaryFormat::Table => table(&summary, &workload, log.records.len()),
        SummaryFormat::Json => {
            let told = Told { summary: &summary, account: &workload.account };
            // plain data under keys that are text, so this does not fail
            serde_json::to_string_pretty(&told).unwrap() + "\n"
        }
    };
    print(&text)
}

fn table(summary: &Summary, workload: &Workload, records: usize) -> String {
    let Summary { machine, span, .. } = summary;
    let percent = |fraction: f64| format!("{:.1} %", fraction * 100.0);
    let dates = match (&span.first_date, &span.last_date) {
        (Some(first), Some(last)) => format!("{first} to {last}, {}", summary.clock.zone.describe()),
        _ => "unknown".to_owned(),
    };
    let mut lines = vec![
        ("jobs", format!("{} of {} in the log", whole(summary.jobs as i64), whole(records as i64))),
        ("processors", format!("{}, {}", whole(machine.processors), machine.source.describe())),
        ("submitted", format!("over {}", duration((span.last_submit - span.first_submit) as f64))),
        ("dates", dates),
        ("offered load", summary.offered_load.map_or_else(missing, percent)),
        ("utilisation", summary.logged_utilisation.map_or_else(missing, |u| format!("{} as logged", percent(u)))),
        ("users", whole(summary.users as i64)),
        ("requested", format!("{} of the jobs say how long they may run", percent(summary.requested))),
        ("run time", quantiles(&summary.runs.quantiles, duration)),
        ("requested time", quantiles(&summary.limits.quantiles, duration)),
        ("requested / run", quantiles(&summary.overestimation.quantiles, number)),
    ];
    lines.extend(summary.common_widths.first().map(|common| {
        let jobs = common.jobs as f64 / summary.jobs.max(1) as f64;
        ("usual width", format!("{}, of {} of the jobs", whole(common.width), percent(jobs)))
    }));
    let repairs = workload.account.entries().iter().map(|entry| ("repaired", entry.to_string()));
    let mut text = format!("{}\n", summary.name);
    for (what, value) in lines.into_iter().chain(repairs) {
        text.push_str(&format!("  {what:<16} {value}\n"));
    }
    text
}

fn missing() -> String {
    MISSING.to_owned()
}

fn quantiles(quantiles: &Quantiles, text: impl Fn(f64) -> String) -> String {
    let Quantiles { p10, median, p90, max, .. } = *quantiles;
    format!("median {}, 10 % below {}, 10 % above {}, at most {}", text(median), text(p10), text(p90), text(max))
}

//! `packfair summary`.

use super::args::{SummaryArguments, SummaryFormat};
use super::{Failure, load, print};
use packfair_study::format::{MISSING, duration, number, whole};
use packfair_study::{export, habits, machine_of_partitions, overlap_of_partitions};
use packfair_workload::like::{Analysis, TimeExtent, Weibull, WeibullFit};
use packfair_workload::{Account, Log, Quantiles, Summary, Workload, data_set_of};
use serde::Serialize;

/// The JSON form of a summary.
#[derive(Serialize)]
struct SummaryJson<'a> {
    summary: &'a Summary,
    account: &'a Account,
}

/// Prints the summary of a log.
pub(super) fn summary(arguments: &SummaryArguments) -> Result<(), Failure> {
    let log = load::logs(&arguments.traces, arguments.limits.limits(), &arguments.columns.columns)?;
    print(&of_log(arguments, &log)?)
}

/// The summary of a log, in the form that the arguments name.
pub(super) fn of_log(arguments: &SummaryArguments, log: &Log) -> Result<String, Failure> {
    let workload = arguments.settings.treatment(log)?.apply(log).map_err(Failure::input)?;
    Ok(match arguments.format {
        SummaryFormat::Table => {
            let summary = Summary::of(&workload);
            table(&summary, &workload, log) + section("as in Table 2 of DYNP", table_2(&summary.arrivals)).as_str()
        }
        SummaryFormat::Json => {
            let told = SummaryJson { summary: &Summary::of(&workload), account: &workload.account };
            // plain data with text keys can always be written
            serde_json::to_string_pretty(&told).unwrap() + "\n"
        }
        SummaryFormat::Gaps => export::gaps_against_law(&workload),
        SummaryFormat::Joint => export::joint_distribution(&workload),
        SummaryFormat::Machine => partitions(&Summary::of(&workload))?,
    })
}

/// The machine that the log's partitions form, as a file for `--machine`.
fn partitions(summary: &Summary) -> Result<String, Failure> {
    let machine = machine_of_partitions(summary).map_err(Failure::input)?;
    let told = overlap_of_partitions(summary, &machine).map(|told| format!("# {told}\n")).unwrap_or_default();
    Ok(told + machine.to_toml().as_str())
}

/// The figures from which similar workloads are generated (DYNP Table 2).
fn table_2(analysis: &Analysis) -> Vec<(&'static str, String)> {
    let seconds = |extent: &TimeExtent| {
        format!("mean {:.0} s, from {} s to {} s", extent.mean, whole(extent.min), whole(extent.max))
    };
    let law = analysis.fit.as_ref().map_or_else(
        |none| none.to_string(),
        |WeibullFit { law, log_likelihood }| {
            let Weibull { alpha, beta } = law;
            format!("alpha {alpha:.6}, beta {beta:.4} s, log-likelihood {log_likelihood:.1} (maximum)")
        },
    );
    let zero = format!(
        "{:.7}: {} gaps of 0 s to {} jobs",
        analysis.p0,
        whole(analysis.zero_gaps as i64),
        whole(analysis.jobs as i64)
    );
    vec![
        ("jobs", whole(analysis.jobs as i64)),
        (
            "width",
            format!(
                "mean {:.2}, at most {} of {}",
                analysis.mean_width,
                whole(analysis.max_width),
                whole(analysis.processors)
            ),
        ),
        ("requested time", seconds(&analysis.requested)),
        ("run time", seconds(&analysis.run)),
        ("gaps", seconds(&analysis.gap)),
        ("run > requested", format!("{} jobs", whole(analysis.overruns as i64))),
        ("p0", zero),
        ("Weibull, gaps > 0", law),
        ("combinations", format!("{} of width, requested and run time", whole(analysis.combinations as i64))),
    ]
}

fn section(heading: &str, lines: Vec<(&str, String)>) -> String {
    let lines = lines.into_iter().map(|(what, value)| format!("  {what:<17} {value}\n"));
    format!("{heading}\n{}", lines.collect::<String>())
}

fn table(summary: &Summary, workload: &Workload, log: &Log) -> String {
    let Summary { machine, span, .. } = summary;
    let percent = |fraction: f64| format!("{:.1} %", fraction * 100.0);
    let dates = match (&span.first_date, &span.last_date) {
        (Some(first), Some(last)) => format!("{first} to {last}, {}", summary.clock.zone.describe()),
        _ => "unknown".to_owned(),
    };
    let utilisation = summary.both_utilisations(&log.account).map(|both| both.in_words());
    let utilisation = utilisation.or_else(|| summary.logged_utilisation.map(|u| format!("{} as logged", percent(u))));
    let set = data_set_of(&log.header);
    let told = set.map(|set| [("data set", set.name.to_owned()), ("cite", set.cite.to_owned())]);
    let mut lines: Vec<(&'static str, String)> = told.into_iter().flatten().collect();
    lines.extend([
        ("account", workload.account.in_short(log.records_read())),
        (
            "jobs",
            format!(
                "{} of {} in the log",
                whole((summary.jobs - summary.uncounted.still_running) as i64),
                whole(log.jobs() as i64)
            ),
        ),
        (summary.counting.unit.id(), format!("{}, {}", whole(machine.processors), machine.source.describe())),
        ("submitted", format!("over {}", duration((span.last_submit - span.first_submit) as f64))),
        ("dates", dates),
        ("offered load", summary.offered_load.map_or_else(missing, percent)),
        ("utilisation", utilisation.unwrap_or_else(missing)),
        ("users", whole(summary.users as i64)),
        (if log.header.word("Executable") == "Job name" { "job names" } else { "executables" }, executables(summary)),
        ("requested", format!("{} of the jobs have a requested time", percent(summary.requested))),
        ("run time", quantiles(&summary.runs.quantiles, duration)),
        ("requested time", quantiles(&summary.limits.quantiles, duration)),
        ("requested / run", quantiles(&summary.overestimation.quantiles, number)),
    ]);
    lines.extend(summary.common_widths.first().map(|common| {
        let jobs = common.jobs as f64 / summary.jobs.max(1) as f64;
        ("usual width", format!("{}, of {} of the jobs", whole(common.width), percent(jobs)))
    }));
    if let Some(&(from, until)) = summary.down_times.iter().max_by_key(|(from, until)| until - from) {
        let since = summary.clock.date(from).unwrap_or_else(|| format!("{from} s"));
        let (all, longest) = (summary.down_times.len(), duration((until - from) as f64));
        let said = format!(
            "{} times, by a guess: no job ran although jobs waited; the longest time was {longest}, from {since}",
            whole(all as i64)
        );
        lines.push(("down", said));
    }
    lines.extend(habits::of_summary(summary).into_iter().map(|(what, value, note)| (what, format!("{value}; {note}"))));
    lines.extend(summary.uncounted_in_words().map(|said| ("not counted", said)));
    let others = workload.account.others().in_words();
    lines.extend((!others.is_empty()).then_some(("no records", others)));
    let repairs = workload.account.entries().iter().map(|entry| ("repaired", entry.to_string()));
    let mut text = format!("{}\n", summary.name);
    for (what, value) in lines.into_iter().chain(repairs) {
        text.push_str(&format!("  {what:<20} {value}\n"));
    }
    text
}

fn executables(summary: &Summary) -> String {
    match summary.executables {
        0 => "none known; the estimators Hierarchy and SP-x group jobs by them".to_owned(),
        some => whole(some as i64),
    }
}

fn missing() -> String {
    MISSING.to_owned()
}

fn quantiles(quantiles: &Quantiles, text: impl Fn(f64) -> String) -> String {
    let Quantiles { p10, median, p90, max, .. } = *quantiles;
    format!("median {}, 10 % below {}, 10 % above {}, at most {}", text(median), text(p10), text(p90), text(max))
}

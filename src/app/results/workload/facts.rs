//! The workload in a few numbers.

use crate::app::prelude::*;
use crate::app::state::{App, LogState};
use crate::study::format::{duration, whole};
use crate::study::habits;
use crate::workload::{BothUtilisations, QueueChoice, Summary};
use std::sync::Arc;

/// The largest number of queues or widths that are listed.
const NAMED: usize = 6;

/// The number of jobs, the machine, the period, the load, users and queues.
#[component]
pub fn Facts(
    summary: Arc<Summary>,
    /// Its utilisations as logged, where jobs were given another width than they asked for.
    both: Option<BothUtilisations>,
    records: usize,
) -> impl IntoView {
    let queues = expect_context::<App>().log.with_untracked(|log| match log {
        LogState::Ready(described) if described.header.word("Queue") == "QOS" => "QOS",
        _ => "Queues",
    });
    view! {
        <h2 class="section-title">{summary.name.clone()}</h2>
        <dl class="workload-facts">
            {facts(&summary, both, records, queues)
                .into_iter()
                .map(|(label, value, note)| {
                    view! {
                        <div>
                            <dt>{label}</dt>
                            <dd>{value} <span class="plain-help fact-note">{note}</span></dd>
                        </div>
                    }
                })
                .collect_view()}
        </dl>
    }
}

/// The label and value of each fact, and a remark on the value.
fn facts(
    summary: &Summary,
    both: Option<BothUtilisations>,
    records: usize,
    queues: &'static str,
) -> Vec<(&'static str, String, String)> {
    let span = &summary.span;
    let length = duration((span.last_submit - span.first_submit) as f64);
    let dates = match (&span.first_date, &span.last_date) {
        (Some(first), Some(last)) => format!("{first} to {last}, {}", summary.clock.zone.describe()),
        _ => "no dates in the header".to_owned(),
    };
    let mut facts = vec![
        (
            "Jobs",
            whole((summary.jobs - summary.uncounted.still_running) as i64),
            format!("of {} records", whole(records as i64)),
        ),
        (
            "Machine",
            format!("{} {}", whole(summary.machine.processors), summary.counting.unit.plural()),
            summary.machine.source.describe().to_owned(),
        ),
        ("Submissions", length, dates),
    ];
    if let Some(load) = summary.offered_load {
        facts.push((
            "Offered load",
            percent(load),
            "area of all jobs over what the machine could do meanwhile".to_owned(),
        ));
    }
    if let Some(utilisation) = summary.logged_utilisation {
        let note = both.map_or_else(|| "until the last logged completion".to_owned(), |both| both.in_words());
        facts.push(("Utilisation as logged", percent(utilisation), note));
    }
    if let Some(uncounted) = summary.uncounted_in_words() {
        facts.push(("Not counted", whole(summary.uncounted.all as i64), uncounted));
    }
    facts.push((
        "Jobs with a requested time",
        percent(summary.requested),
        "for the others the run time stands in".to_owned(),
    ));
    let named = if summary.users == 0 { "the log names none" } else { "" };
    facts.push(("Users", whole(summary.users as i64), named.to_owned()));
    let widths = summary.common_widths.iter().map(|common| (i64::from(common.width), common.jobs));
    facts.push((
        "Common widths",
        shares(widths, summary.jobs),
        format!("{} (share of jobs)", summary.counting.unit.plural()),
    ));
    let of_choices = |choices: &[QueueChoice]| shares(choices.iter().map(|c| (i64::from(c.id), c.jobs)), summary.jobs);
    for (label, choices) in [(queues, &summary.queues), ("Partitions", &summary.partitions)] {
        if choices.len() > 1 {
            let note = format!("{} in all (share of jobs)", choices.len());
            facts.push((label, of_choices(choices), note));
        }
    }
    facts.extend(habits::of_summary(summary));
    facts
}

/// The most frequent numbers with their shares, such as "1 (34 %), 16 (12 %)".
fn shares(counted: impl Iterator<Item = (i64, usize)>, jobs: usize) -> String {
    let share = |count: usize| percent(count as f64 / jobs.max(1) as f64);
    counted
        .take(NAMED)
        .map(|(id, count)| format!("{}\u{a0}({})", whole(id), share(count)))
        .collect::<Vec<_>>()
        .join(", ")
}

fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if percent < 9.95 && percent > 0.0 { format!("{percent:.1}\u{a0}%") } else { format!("{percent:.0}\u{a0}%") }
}

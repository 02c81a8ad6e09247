//! The workload in a few numbers.

use crate::app::prelude::*;
use crate::app::state::{App, LogState};
use packfair_study::format::{duration, whole};
use packfair_study::habits;
use packfair_workload::{Account, BothUtilisations, Header, QueueChoice, Summary};
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

// The header of the log.

/// The number of labels that are shown; the rest are folded away.
const LABELS_SHOWN: usize = 12;

/// The header comments of the log, as they are in the file.
#[component]
pub fn HeaderLabels(header: Header) -> impl IntoView {
    if header.labels.is_empty() {
        return view! {
            <h3 class="section-title">"Header"</h3>
            <p class="headline">"The log has no header comments."</p>
        };
    }
    let label = |(label, value): &&(String, String)| view! { <dt>{label.clone()}</dt><dd>{value.clone()}</dd> };
    // names of users and projects are shown in the tables, and there may be thousands
    let labels: Vec<_> =
        header.labels.iter().filter(|(label, _)| !matches!(label.as_str(), "User" | "Group" | "Name")).collect();
    let (first, rest) = labels.split_at(labels.len().min(LABELS_SHOWN));
    let first = first.iter().map(label).collect_view();
    let folded = (!rest.is_empty()).then(|| {
        let all = rest.iter().map(label).collect_view();
        view! {
            <details>
                <summary>{format!("{} more", rest.len())}</summary>
                <dl class="header-labels">{all}</dl>
            </details>
        }
    });
    view! {
        <h3 class="section-title">"Header"</h3>
        <dl class="header-labels">{first}</dl>
        {folded}
    }
}

// What was repaired and dropped when the jobs were made from the log.

/// What was repaired and dropped, with the first lines concerned.
#[component]
pub fn AccountTable(
    /// The repairs and drops.
    account: Account,
    records: usize,
) -> impl IntoView {
    let entries = account.entries().to_vec();
    let in_short = account.in_short(records as u64);
    let others = account.others().in_words();
    let in_short = if others.is_empty() { in_short } else { format!("{in_short}; beside them {others}") };
    if entries.is_empty() {
        return view! {
            <h3 class="section-title">"Account"</h3>
            <p class="headline" data-testid="account-line">{in_short}</p>
        };
    }
    let rows = entries.into_iter().map(|entry| {
        let mut lines = entry.lines.iter().map(|&line| whole(line)).collect::<Vec<_>>().join(", ");
        if entry.count > entry.lines.len() as u64 && !lines.is_empty() {
            lines.push_str(", …");
        }
        let (class, effect) = if entry.reason.drops() { ("tag is-faulty", "dropped") } else { ("tag", "kept") };
        view! {
            <tr>
                <td class="number">{whole(entry.count)}</td>
                <td><span class=class>{effect}</span></td>
                <td class="wrap">{entry.reason.describe()}</td>
                <td class="number">
                    {(entry.work > 0).then(|| whole((entry.work as f64 / 3_600.0).round() as i64))}
                </td>
                <td class="lines">{lines}</td>
            </tr>
        }
    });
    view! {
        <h3 class="section-title">"Account"</h3>
        <p class="headline" data-testid="account-line">{in_short}</p>
        <div class="table-scroll" role="region" tabindex="0" aria-label="What was repaired or dropped">
            <table class="plain-table" data-testid="account">
                <caption class="visually-hidden">"What was repaired or dropped"</caption>
                <thead>
                    <tr>
                        <th scope="col" class="number">"Records"</th>
                        <th scope="col">"Effect"</th>
                        <th scope="col">"Why"</th>
                        <th scope="col" class="number">"Processor-hours"</th>
                        <th scope="col">"First lines of the file"</th>
                    </tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </div>
    }
}

//! What to change at a site, below the results: each row with changes as commands or lines that can be applied.

use super::args::OutputFormat;
use packfair_schedulers::Policy;
use packfair_slurm::{Patch, Site, Version};
use packfair_study::verdict::Judged;
use packfair_study::what_if::{self, AnsweredRow, WhatIfAnswer, answer, judged_on};
use packfair_study::{GroupedWaits, Run, RunReport};
use packfair_workload::{Summary, Workload};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The answers of all rows that change something of a site, in the order of the table. Forms for programs and papers
/// contain the results only.
pub(super) fn answers(
    table: &Judged<'_>,
    waits: &BTreeMap<String, GroupedWaits>,
    to_do: &BTreeMap<String, (Patch, String)>,
    summary: &Summary,
    format: OutputFormat,
) -> String {
    if !matches!(format, OutputFormat::Table | OutputFormat::Markdown) {
        return String::new();
    }
    let judged_on = judged_on(&summary.name, summary.jobs);
    let base_of = |report: &RunReport| {
        let base = Run { scheduler: report.run.scheduler.as_configured()?, ..report.run.clone() };
        table.reports.iter().copied().find(|other| other.run == base)
    };
    let mut text = String::new();
    for report in &table.reports {
        let Some(base) = base_of(report) else { continue };
        let waits_of = |report: &RunReport| waits.get(&report.run.id());
        let row = AnsweredRow { report, waits: waits_of(report) };
        let beside = AnsweredRow { report: base, waits: waits_of(base) };
        let to_do = |_: &Policy| to_do.get(&report.run.id()).cloned().unwrap_or_default();
        if let Some(answer) = answer(row, beside, table.columns, table.repeated, to_do) {
            let hint = if table.repeated.is_none() { " (--repeats 20 --resample=draws)" } else { "" };
            let answer = WhatIfAnswer { certainty: answer.certainty + hint, ..answer };
            text.push_str(&reported(&answer, &judged_on, format));
        }
    }
    text
}

/// By run id, how the changes that runs make to the workload's site are made there, and what users have to do.
pub(super) fn to_do(runs: &[Run], workload: &Workload) -> BTreeMap<String, (Patch, String)> {
    let is_changing = |run: &&Run| run.scheduler.as_configured().is_some() && run.scheduler.check_at(workload).is_ok();
    let changing: Vec<&Run> = runs.iter().filter(is_changing).collect();
    if changing.is_empty() {
        return BTreeMap::new();
    }
    let plain = || Cow::Owned(Site::plain(workload.machine.processors, Version::default()));
    let site = workload.site().map_or_else(plain, |site| Cow::Borrowed(&site.site));
    changing.into_iter().map(|run| (run.id(), what_if::to_do(&run.scheduler, &site))).collect()
}

fn reported(answer: &WhatIfAnswer, judged_on: &str, format: OutputFormat) -> String {
    let WhatIfAnswer { name, patch, asks, effect, price, certainty } = answer;
    let mut text = String::new();
    let fence =
        |language: &str| if format == OutputFormat::Markdown { format!("```{language}\n") } else { String::new() };
    let end = if format == OutputFormat::Markdown { "```\n" } else { "" };
    // writing into a string cannot fail
    let _ = writeln!(text, "\nWhat if {name}?\n");
    for (what, words) in
        [("Effect", effect.as_str()), ("Price", price), ("Certainty", certainty), ("Judged on", judged_on)]
    {
        let _ = writeln!(text, "{}{what}: {words}.", if format == OutputFormat::Markdown { "- " } else { "  " });
    }
    if !asks.is_empty() {
        let _ = writeln!(text, "\nTo do: {asks}.");
    }
    if !patch.diff.is_empty() {
        let _ = write!(text, "\n{}{}{end}", fence("diff"), patch.diff);
    }
    if !patch.commands.is_empty() {
        let _ = write!(text, "\n{}{}\n{end}", fence("sh"), patch.commands.join("\n"));
    }
    text
}

//! Machines and calendars from files.

use super::args::{LintArguments, OutputFormat, site};
use super::{Failure, load, print};
use clap::Args;
use packfair_base::machine::{MachineDescription, MachineError, MachineText};
use packfair_engine::metric::Measure;
use packfair_engine::power::{PowerSeries, SeriesKind};
use packfair_schedulers::Policy;
use packfair_slurm::{FindingKind, Patch, Site, Version, without_effect};
use packfair_study::limits::{LARGEST_DESCRIPTION, LARGEST_SERIES};
use packfair_study::verdict::Judged;
use packfair_study::what_if::{self, AnsweredRow, WhatIfAnswer, answer, judged_on};
use packfair_study::{GroupedWaits, Run, RunReport, Treatment, machine_of_site};
use packfair_workload::reading::Limits;
use packfair_workload::{Clock, Log, Summary, Workload};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files of a machine.
#[derive(Debug, Args)]
pub(super) struct MachineArguments {
    /// Cells, partitions and calendar of the machine: a TOML file (docs/machine.md), or files of a Slurm site:
    /// slurm.conf (or what scontrol show node and show partition print), and the output of sacctmgr -P show event and scontrol show reservations
    #[arg(long, value_name = "FILE", num_args = 1..)]
    machine: Vec<PathBuf>,
    /// Changes of the machine's nodes over time: a table with the columns
    /// from,until,nodes,cell,announced,what,every,last (docs/machine.md), or the output of sacctmgr -P show event
    #[arg(long, value_name = "FILE")]
    changes: Option<PathBuf>,
    /// Prices of energy over time: a table with the columns time,price (of a MWh), for the metric cost (docs/power.md)
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,
    /// Carbon intensities of the grid over time: a table with the columns time,intensity (g CO2 a kWh), for the metric
    /// co2_kg (docs/power.md)
    #[arg(long, value_name = "FILE")]
    intensity: Option<PathBuf>,
}

impl MachineArguments {
    /// Sets the given machine in the treatment.
    ///
    /// # Errors
    /// A file is wrong, and how.
    pub(super) fn set(&self, treatment: &mut Treatment) -> Result<(), Failure> {
        if self.machine.is_empty() && self.changes.is_none() {
            return Ok(());
        }
        let mut machine = described(&self.machine, treatment.announced)?;
        if !machine.cells.is_empty() && treatment.processors.is_some() {
            return Err(Failure::input("--machine says how many processors there are; leave --procs out"));
        }
        if let Some(path) = &self.changes {
            let table = load::text(path, LARGEST_DESCRIPTION)?;
            let kind = match MachineText::recognise(&table) {
                Some(MachineText::Events) => MachineText::Events,
                // if it is not a table of changes either, the attempt to read it as one reports this
                _ => MachineText::Changes,
            };
            machine = kind.read(&table, Some(&machine)).map_err(|problem| wrong(path, problem))?;
        }
        treatment.machine = Some(Box::new(machine));
        Ok(())
    }
}

impl MachineArguments {
    /// Sets the given prices and intensities.
    ///
    /// # Errors
    /// A file is wrong, and how, or its dates say nothing of a log that has none.
    pub(super) fn set_series(&self, measure: &mut Measure, log: &Log) -> Result<(), Failure> {
        let series = |path: &Option<PathBuf>, kind| {
            let Some(path) = path else { return Ok(None) };
            let text = load::text(path, LARGEST_SERIES)?;
            let series = PowerSeries::read(&text, kind).map_err(|problem| wrong(path, problem))?;
            if series.on(&Clock::of(&log.header, 0, 0)).is_none() {
                let problem = "it has dates, and the log has none; give seconds of the log as times";
                return Err(wrong(path, problem.to_owned()));
            }
            Ok(Some(Box::new(series)))
        };
        if let Some(prices) = series(&self.prices, SeriesKind::Price)? {
            measure.prices = Some(prices);
        }
        if let Some(intensity) = series(&self.intensity, SeriesKind::Intensity)? {
            measure.intensity = Some(intensity);
        }
        Ok(())
    }
}

/// The machine of a TOML file or of a site's files. `announced` is how long before reservations are known, seconds.
fn described(paths: &[PathBuf], announced: Option<u64>) -> Result<MachineDescription, Failure> {
    let Some(first) = paths.first() else { return Ok(MachineDescription::default()) };
    let text = load::text(first, LARGEST_DESCRIPTION)?;
    if paths.len() > 1 || is_of_site(&text) {
        return machine_of_site(&site(paths)?, announced).map_err(|problem| wrong(first, problem));
    }
    let described = MachineDescription::from_toml(&text).map_err(|problem| wrong(first, problem))?;
    if !described.cells.is_empty() {
        // the changes are added once the log is known, because their dates refer to its clock
        let without_changes = MachineDescription { changes: Vec::new(), ..described.clone() };
        let made = without_changes.machine(|_| Err(String::new()));
        made.map_err(|error: MachineError| wrong(first, error.to_string()))?;
    }
    Ok(described)
}

/// Whether a text is a site's slurm.conf or JSON and not TOML: it contains lines that name nodes, or is an object.
fn is_of_site(text: &str) -> bool {
    let key = |line: &str| line.split_once('=').map(|(key, _)| key.trim().to_ascii_lowercase());
    text.trim_start().starts_with('{') || text.lines().any(|line| key(line).is_some_and(|key| key == "nodename"))
}

fn wrong(path: &Path, problem: String) -> Failure {
    Failure::Input(format!("{}: {problem}", path.display()))
}

// `packfair lint`: checks the files of a Slurm site.

/// Reads the files of a site. Prints what was read, and every line that is wrong, ignored, not understood or not
/// modelled.
pub(super) fn lint(arguments: &LintArguments) -> Result<(), Failure> {
    let site = site(&arguments.files)?;
    let mut text = String::new();
    let mut findings: Vec<_> = site.findings.iter().collect();
    // the worst kind first; within a kind in the order of files and lines
    findings.sort_by_key(|finding| finding.kind);
    // writing into a string cannot fail
    findings.iter().for_each(|finding| writeln!(text, "{finding}").unwrap());
    let users = site.accounts.all.iter().filter(|association| !association.user.is_empty()).count();
    let mut counts = vec![
        format!("{} nodes of {} processors", site.nodes.len(), site.cpus()),
        format!("{} partitions", site.partitions.len()),
    ];
    if !site.accounts.all.is_empty() {
        counts.push(format!("{} accounts, {users} users in them", site.accounts.all.len() - users));
    }
    let more =
        [(site.qos.len(), "QOS"), (site.reservations.len(), "reservations"), (site.events.len(), "outages of nodes")];
    counts.extend(more.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")));
    writeln!(text, "read: {}", counts.join(", ")).unwrap();
    let changed = site.parameters.text();
    if !changed.is_empty() {
        writeln!(text, "SchedulerParameters that are not at their defaults: {changed}").unwrap();
    }
    let without = without_effect(&site);
    if !without.is_empty() {
        writeln!(text, "without effect on waits: {}", without.join(", ")).unwrap();
    }
    if let Some(log) = &arguments.log {
        of_log(&site, log)?.iter().for_each(|missing| writeln!(text, "{}: {missing}", log.display()).unwrap());
    }
    print(&text)?;
    let wrong = findings.iter().filter(|finding| finding.kind == FindingKind::Wrong).count();
    if wrong > 0 { Err(Failure::Lint { wrong }) } else { Ok(()) }
}

/// What the jobs of a log ask for that the files of their site do not have or allow, in sentences.
fn of_log(site: &Site, path: &Path) -> Result<Vec<String>, Failure> {
    let mut log = load::log(path, Limits::default())?;
    let treatment = Treatment { site: site.files.clone(), ..Treatment::default() };
    log.site = Some(Arc::new(site.clone()));
    let workload = treatment.apply(&log).map_err(Failure::input)?;
    Ok(workload.site().map(|jobs| jobs.missing().to_vec()).unwrap_or_default())
}

// What to change at a site, below the results: each row with changes as commands or lines that can be applied.

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

//! Machines and calendars as files say them.

use super::{Failure, load};
use crate::machine::{ChangeDescription, Displaced, Machine, MachineDescription, MomentDescription};
use crate::study::Treatment;
use crate::study::limits::LARGEST_DESCRIPTION;
use crate::workload::{Clock, Log, Seconds, read_moment};
use clap::Args;
use std::path::{Path, PathBuf};

/// Files of a machine.
#[derive(Debug, Args)]
pub(super) struct MachineArguments {
    /// The machine's cells, partitions and calendar, as a TOML file says them (docs/machine.md)
    #[arg(long, value_name = "FILE")]
    machine: Option<PathBuf>,
    /// Changes of the machine's nodes, as a table says them: from,until,nodes,cell,announced,what
    #[arg(long, value_name = "FILE")]
    changes: Option<PathBuf>,
}

impl MachineArguments {
    /// Sets the machine that is given.
    ///
    /// # Errors
    /// What is wrong with a file.
    pub(super) fn set(&self, treatment: &mut Treatment, log: &Log) -> Result<(), Failure> {
        if self.machine.is_some() && treatment.processors.is_some() {
            return Err(Failure::input("--machine says how many processors there are; leave --procs out"));
        }
        let submits = || log.records.iter().map(|record| record.submit);
        let clock = Clock::of(&log.header, submits().min().unwrap_or(0), submits().max().unwrap_or(0));
        let date = |text: &str| read_moment(Some(&clock), text).map_err(|right| format!("it takes {right}"));
        let machine = read(self.machine.as_deref(), self.changes.as_deref(), treatment, log, date)?;
        treatment.machine = machine.or(treatment.machine.take());
        Ok(())
    }
}

/// The columns of a table of changes (docs/machine.md).
const COLUMNS: [&str; 6] = ["from", "until", "nodes", "cell", "announced", "what"];

/// Reads the machine of a TOML file, and the changes of a table: of its cells, or where there is no such file of the one
/// cell of processors that the log's machine is. `moment` reads a date on the log's clock.
///
/// # Errors
/// What is wrong, with the file's name.
fn read(
    file: Option<&Path>,
    changes: Option<&Path>,
    treatment: &Treatment,
    log: &Log,
    moment: impl Fn(&str) -> Result<Seconds, String>,
) -> Result<Option<Box<Machine>>, Failure> {
    let wrong = |path: &Path, problem: String| Failure::Input(format!("{}: {problem}", path.display()));
    let (Some(named), mut description) = (
        file.or(changes),
        match file {
            Some(path) => {
                let text = load::text(path, LARGEST_DESCRIPTION)?;
                toml::from_str(&text).map_err(|error| wrong(path, error.to_string().trim_end().to_owned()))?
            }
            None if changes.is_none() => return Ok(None),
            None => {
                let workload = treatment.apply(log).map_err(Failure::input)?;
                MachineDescription::from(Machine::of_processors(workload.machine.processors))
            }
        },
    ) else {
        return Ok(None);
    };
    if let Some(path) = changes {
        let only = match &description.cells[..] {
            [cell] => Some(cell.name.clone()),
            _ => None,
        };
        let table = load::text(path, LARGEST_DESCRIPTION)?;
        description.changes.extend(table_of_changes(&table, only.as_deref()).map_err(|problem| wrong(path, problem))?);
    }
    description.machine(moment).map(|machine| Some(Box::new(machine))).map_err(|error| wrong(named, error.to_string()))
}

/// The changes of a table with a line of names; an empty cell is the `only` one that there is.
fn table_of_changes(text: &str, only: Option<&str>) -> Result<Vec<ChangeDescription>, String> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let names = reader.headers().map_err(|error| error.to_string())?.clone();
    let place = |column: &str| names.iter().position(|name| name.eq_ignore_ascii_case(column));
    let missing: Vec<&str> = ["from", "nodes"].into_iter().filter(|column| place(column).is_none()).collect();
    if !missing.is_empty() {
        return Err(format!(
            "the table lacks {}; its first line names its columns: {}",
            missing.join(" and "),
            COLUMNS.join(",")
        ));
    }
    let mut changes = Vec::new();
    for (row, line) in reader.records().zip(2..) {
        let row = row.map_err(|error| error.to_string())?;
        let get = |column: &str| place(column).and_then(|at| row.get(at)).filter(|text| !text.is_empty());
        let moment = |column: &str| {
            get(column).map(|text| match text.parse() {
                Ok(seconds) => MomentDescription::Seconds(seconds),
                Err(_) => MomentDescription::Text(text.to_owned()),
            })
        };
        let nodes = get("nodes").unwrap_or_default();
        let nodes = nodes
            .parse()
            .map_err(|_| format!("line {line}: nodes is \"{nodes}\"; give how many are fewer (-4) or more (4)"))?;
        let what = match get("what").unwrap_or("drain") {
            "drain" => Displaced::Drain,
            "kill" => Displaced::Kill,
            other => return Err(format!("line {line}: what is \"{other}\"; it is drain or kill")),
        };
        changes.push(ChangeDescription {
            from: moment("from")
                .ok_or_else(|| format!("line {line}: there is no from; give when the change begins"))?,
            until: moment("until"),
            cell: get("cell").or(only).ok_or_else(|| format!("line {line}: there is no cell; name one"))?.to_owned(),
            nodes,
            announced: moment("announced"),
            what,
        });
    }
    Ok(changes)
}

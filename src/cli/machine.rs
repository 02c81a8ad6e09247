//! Machines and calendars as files say them.

use super::{Failure, load};
use crate::machine::{Machine, MachineDescription, changes_of_table};
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
        description.changes.extend(changes_of_table(&table, only.as_deref()).map_err(|problem| wrong(path, problem))?);
    }
    description.machine(moment).map(|machine| Some(Box::new(machine))).map_err(|error| wrong(named, error.to_string()))
}

//! Machines and calendars as files say them.

use super::{Failure, load};
use crate::machine::{MachineDescription, MachineError, MachineText};
use crate::study::Treatment;
use crate::study::limits::LARGEST_DESCRIPTION;
use clap::Args;
use std::path::{Path, PathBuf};

/// Files of a machine.
#[derive(Debug, Args)]
pub(super) struct MachineArguments {
    /// The machine's cells, partitions and calendar, as a TOML file says them (docs/machine.md)
    #[arg(long, value_name = "FILE")]
    machine: Option<PathBuf>,
    /// Changes of the machine's nodes: a table from,until,nodes,cell,announced,what,every,last, or what sacctmgr -P show
    /// event prints
    #[arg(long, value_name = "FILE")]
    changes: Option<PathBuf>,
}

impl MachineArguments {
    /// Sets the machine that is given.
    ///
    /// # Errors
    /// What is wrong with a file.
    pub(super) fn set(&self, treatment: &mut Treatment) -> Result<(), Failure> {
        if self.machine.is_none() && self.changes.is_none() {
            return Ok(());
        }
        let mut machine = self.machine.as_deref().map_or_else(|| Ok(MachineDescription::default()), described)?;
        if !machine.cells.is_empty() && treatment.processors.is_some() {
            return Err(Failure::input("--machine says how many processors there are; leave --procs out"));
        }
        if let Some(path) = &self.changes {
            let table = load::text(path, LARGEST_DESCRIPTION)?;
            let kind = match MachineText::recognise(&table) {
                Some(MachineText::Events) => MachineText::Events,
                // what else is no table of changes, reading it as one says
                _ => MachineText::Changes,
            };
            machine = kind.read(&table, Some(&machine)).map_err(|problem| wrong(path, problem))?;
        }
        treatment.machine = Some(Box::new(machine));
        Ok(())
    }
}

/// The machine of a TOML file.
fn described(path: &Path) -> Result<MachineDescription, Failure> {
    let text = load::text(path, LARGEST_DESCRIPTION)?;
    let described = MachineDescription::from_toml(&text).map_err(|problem| wrong(path, problem))?;
    if !described.cells.is_empty() {
        // its changes wait for the log, on whose clock their dates are
        let without_changes = MachineDescription { changes: Vec::new(), ..described.clone() };
        let made = without_changes.machine(|_| Err(String::new()));
        made.map_err(|error: MachineError| wrong(path, error.to_string()))?;
    }
    Ok(described)
}

fn wrong(path: &Path, problem: String) -> Failure {
    Failure::Input(format!("{}: {problem}", path.display()))
}

//! Machines and calendars from files.

use super::args::site;
use super::{Failure, load};
use clap::Args;
use packfair_base::machine::{MachineDescription, MachineError, MachineText};
use packfair_engine::metric::Measure;
use packfair_engine::power::{PowerSeries, SeriesKind};
use packfair_study::limits::{LARGEST_DESCRIPTION, LARGEST_SERIES};
use packfair_study::{Treatment, machine_of_site};
use packfair_workload::{Clock, Log};
use std::path::{Path, PathBuf};

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

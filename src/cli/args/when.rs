//! The arguments of `packfair when`.

use super::{LimitArguments, OfLog, SettingArguments, SiteArguments, read};
use crate::cli::machine::MachineArguments;
use crate::estimator::Estimate;
use crate::scheduler::Policy;
use crate::when::{Arrivals, FUTURES};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(in crate::cli) struct WhenArguments {
    /// Log of the cluster, in any format that packfair list names, plain or packed (gzip, zstandard, zip, tar); - reads
    /// standard input. Several logs count as one. Rows of running and waiting jobs make a snapshot of their moment
    #[arg(required = true, value_name = "LOG")]
    pub(in crate::cli) traces: Vec<PathBuf>,
    /// Queue of the moment, as squeue --json, squeue -o '%all', scontrol show job, sacct -P -s R,PD or qstat -f -F json
    /// prints it. It may also stand among the logs, or in them
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) queue: Option<PathBuf>,
    /// Moment of the forecast: a date as 2026-01-31T14:30, or seconds from the log's beginning. What became known later
    /// is hidden
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(in crate::cli) now: Option<String>,
    /// Scheduler that decides, by its id (packfair list) [usually slurm where --slurm is given, else easy]
    #[arg(short, long = "scheduler", value_name = "ID", value_parser = read::scheduler)]
    pub(in crate::cli) scheduler: Option<Policy>,
    /// Run times that the scheduler is told, by their id (packfair list)
    #[arg(short, long = "estimator", value_name = "ID", default_value = "requested")]
    pub(in crate::cli) estimator: Estimate,
    #[command(flatten)]
    pub(in crate::cli) site: SiteArguments,
    /// Try forecasts at so many moments of the log, and tell how true they were
    #[arg(long = "backtest", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000), conflicts_with = "now")]
    pub(in crate::cli) back_test: Option<u32>,
    /// Who comes after the moment: drawn from the weeks before, none, or again, who really came
    #[arg(long, value_name = "HOW", default_value = "drawn")]
    pub(in crate::cli) arrivals: Arrivals,
    /// Where who runs and who waits comes from: logged, as the log tells it, or simulated, as it would be had the
    /// scheduler decided from the beginning of the log [usually logged; simulated where the log tells no starts, and for
    /// --backtest]
    #[arg(long, value_name = "WHENCE")]
    pub(in crate::cli) starts: Option<Starts>,
    /// Number of futures, from 2 to 10000
    #[arg(long, value_name = "N", default_value_t = FUTURES, value_parser = clap::value_parser!(u32).range(2..=10_000))]
    pub(in crate::cli) futures: u32,
    /// How far futures go, in days; a job that does not start by then starts later
    #[arg(long, value_name = "DAYS", default_value_t = 14, value_parser = clap::value_parser!(u32).range(1..=365))]
    pub(in crate::cli) horizon: u32,
    /// Moments of the eight weeks before, at which forecasts are tried to calibrate today's; 0: none [usually 60, fewer
    /// for long queues]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=10_000))]
    pub(in crate::cli) calibrate: Option<u32>,
    /// Tell of this job alone, and of it who is before it and what would help
    #[arg(long, value_name = "NUMBER", conflicts_with = "back_test")]
    pub(in crate::cli) job: Option<i64>,
    /// Tell of the jobs of this user alone, by name or number
    #[arg(long, value_name = "USER", conflicts_with = "back_test")]
    pub(in crate::cli) user: Option<String>,
    /// Seed of the random numbers; the same seed gives the same answer
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(in crate::cli) seed: u64,
    #[command(flatten)]
    pub(in crate::cli) limits: LimitArguments,
    #[command(flatten)]
    pub(in crate::cli) settings: SettingArguments<OfLog>,
    #[command(flatten)]
    pub(in crate::cli) machine: MachineArguments,
    /// Form in which the answer is printed
    #[arg(long, value_enum, default_value_t = WhenFormat::Table)]
    pub(in crate::cli) format: WhenFormat,
    /// Print on standard error how long it took
    #[arg(long)]
    pub(in crate::cli) timing: bool,
    /// Number of threads [usually one for each processor]. It does not change the answer
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(in crate::cli) jobs: Option<u16>,
}

/// Where the starts of the past come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Starts {
    /// The log.
    Logged,
    /// A simulation of the scheduler.
    Simulated,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum WhenFormat {
    /// A table to read
    Table,
    /// JSON
    Json,
    /// Comma-separated values
    Csv,
}

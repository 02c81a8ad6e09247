//! The arguments of `packfair when`.

use super::{LimitArguments, OfLog, SettingArguments, SiteArguments, read};
use crate::machine::MachineArguments;
use clap::{Args, ValueEnum};
use packfair_engine::estimator::Estimate;
use packfair_schedulers::Policy;
use packfair_when::{Arrivals, FUTURES};
use std::path::PathBuf;

/// Of which moment of which log, and whose rules decide.
#[derive(Debug, Args)]
pub(crate) struct WhenceArguments {
    /// Log of the cluster, in any format that packfair list names, plain or packed (gzip, zstandard, zip, tar); - reads
    /// standard input. Several logs count as one. Rows of running and waiting jobs make a snapshot of their moment
    #[arg(required = true, value_name = "LOG")]
    pub(crate) traces: Vec<PathBuf>,
    /// Queue of the moment, as squeue --json, squeue -o '%all', scontrol show job, sacct -P -s R,PD or qstat -f -F json
    /// prints it. It may also stand among the logs, or in them
    #[arg(long, value_name = "FILE")]
    pub(crate) queue: Option<PathBuf>,
    /// Moment of the forecast: a date as 2026-01-31T14:30, or seconds from the log's beginning. What became known later
    /// is hidden
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) now: Option<String>,
    /// Scheduler that decides, by its id (packfair list) [usually slurm where --slurm is given, else easy]
    #[arg(short, long = "scheduler", value_name = "ID", value_parser = read::scheduler)]
    pub(crate) scheduler: Option<Policy>,
    /// Run times that the scheduler is told, by their id (packfair list)
    #[arg(short, long = "estimator", value_name = "ID", default_value = "requested")]
    pub(crate) estimator: Estimate,
    #[command(flatten)]
    pub(crate) site: SiteArguments,
    /// Where who runs and who waits comes from: logged, as the log tells it, or simulated, as it would be had the
    /// scheduler decided from the beginning of the log [usually logged; simulated where the log tells no starts, and for
    /// --backtest]
    #[arg(long, value_name = "WHENCE")]
    pub(crate) starts: Option<Starts>,
    /// Seed of the random numbers; the same seed gives the same answer
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) settings: SettingArguments<OfLog>,
    #[command(flatten)]
    pub(crate) machine: MachineArguments,
    /// Print on standard error how long it took
    #[arg(long)]
    pub(crate) timing: bool,
    /// Number of threads [usually one for each processor]. It does not change the answer
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: Option<u16>,
}

#[derive(Debug, Args)]
pub(crate) struct WhenArguments {
    #[command(flatten)]
    pub(crate) whence: WhenceArguments,
    /// Try forecasts at so many moments of the log, and tell how true they were
    #[arg(long = "backtest", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000), conflicts_with = "now")]
    pub(crate) back_test: Option<u32>,
    /// Who comes after the moment: drawn from the weeks before, none, or again, who really came
    #[arg(long, value_name = "HOW", default_value = "drawn")]
    pub(crate) arrivals: Arrivals,
    /// Number of futures, from 2 to 10000
    #[arg(long, value_name = "N", default_value_t = FUTURES, value_parser = clap::value_parser!(u32).range(2..=10_000))]
    pub(crate) futures: u32,
    /// How far futures go, in days; a job that does not start by then starts later
    #[arg(long, value_name = "DAYS", default_value_t = 14, value_parser = clap::value_parser!(u32).range(1..=365))]
    pub(crate) horizon: u32,
    /// What if nodes of a Slurm site took no jobs: how many or which, from when on and, if they return, until when, as
    /// 20@18:00 or n[1-8]@2026-11-23T18:00/2026-11-24T08:00
    #[arg(long, value_name = "NODES@FROM", conflicts_with = "back_test")]
    pub(crate) drain: Option<String>,
    /// Moments of the eight weeks before, at which forecasts are tried to calibrate today's; 0: none [usually 60, fewer
    /// for long queues]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=10_000))]
    pub(crate) calibrate: Option<u32>,
    /// Tell of this job alone, and of it who is before it and what would help
    #[arg(long, value_name = "NUMBER", conflicts_with = "back_test")]
    pub(crate) job: Option<i64>,
    /// Tell of the jobs of this user alone, by name or number
    #[arg(long, value_name = "USER", conflicts_with = "back_test")]
    pub(crate) user: Option<String>,
    /// Form in which the answer is printed
    #[arg(long, value_enum, default_value_t = WhenFormat::Table)]
    pub(crate) format: WhenFormat,
}

#[derive(Debug, Args)]
pub(crate) struct NowArguments {
    #[command(flatten)]
    pub(crate) whence: WhenceArguments,
    /// Number of settings to try
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub(crate) runs: usize,
    /// Families of schedulers to search, as of packfair explore [usually slurm where --slurm is given, else easy,list]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) families: Vec<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Where the starts of the past come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Starts {
    /// The log.
    Logged,
    /// A simulation of the scheduler.
    Simulated,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WhenFormat {
    /// A table to read
    Table,
    /// JSON
    Json,
    /// Comma-separated values
    Csv,
}

//! What can be said on the command line.

use crate::estimator::Estimate;
use crate::metric::{Counted, Metric};
use crate::model::{Reestimation, RoundTrigger};
use crate::scheduler::Policy;
use crate::simulation::Correction;
use crate::study::check::{ALPHA_RANGE, BOUND_RANGE, SHRINK_RANGE};
use crate::study::{Baseline, Run, Treatment};
use crate::workload::swf::Limits;
use crate::workload::{Cleaning, MOST_PROCESSORS, like};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Compare batch-job schedulers of HPC clusters on a workload log.
#[derive(Debug, Parser)]
#[command(name = "packfair", version, about)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Simulate schedulers on a log and measure what they do
    Run(Box<RunArguments>),
    /// Run a study that was saved by the page
    Study(StudyArguments),
    /// Say what a log is like, and what is repaired and dropped
    Summary(SummaryArguments),
    /// Make a workload, as SWF on standard output
    Generate(GenerateArguments),
    /// List schedulers, estimators, metrics and recipes with their ids
    List,
}

#[derive(Debug, Args)]
pub(super) struct RunArguments {
    /// Log in SWF, plain, gzipped or zipped; - for standard input
    pub(super) trace: PathBuf,
    /// Schedulers, by their ids: saf-justbf, or easy:backfill=sjf,threshold=3600
    #[arg(short, long = "scheduler", value_name = "ID", num_args = 1.., required = true)]
    pub(super) schedulers: Vec<Policy>,
    /// Estimators, by their ids, perhaps with a factor: actual, requested*2
    #[arg(short, long = "estimator", value_name = "ID", num_args = 1.., required = true)]
    pub(super) estimators: Vec<Estimate>,
    /// Factors for every estimator that names none: 0.5,1,2
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "1")]
    pub(super) k: Vec<f64>,
    #[command(flatten)]
    pub(super) limits: LimitArguments,
    #[command(flatten)]
    pub(super) treatment: TreatmentArguments,
    /// Multiply every inter-arrival time: 0.8 is 25 % more load
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = real(SHRINK_RANGE))]
    pub(super) shrink: f64,
    /// What becomes of an estimate that runs out: request, incremental, doubling
    #[arg(long, value_name = "RULE", default_value = "request", value_parser = correction)]
    pub(super) correction: Correction,
    /// When waiting jobs are estimated: submission, round; as in the papers where nothing is said
    #[arg(long, value_name = "WHEN", value_parser = reestimation)]
    pub(super) reestimate: Option<Reestimation>,
    /// Which submissions ask for a scheduling round: every, fitting; as in the papers where nothing is said
    #[arg(long, value_name = "WHICH", value_parser = asking)]
    pub(super) rounds: Option<RoundTrigger>,
    /// Which jobs count: all, metrics (but those that complete last), steady (without warm-up and drain)
    #[arg(long, value_name = "WHICH", default_value = "metrics", value_parser = counted)]
    pub(super) count: Counted,
    /// Bound of the bounded slowdown, seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = real(BOUND_RANGE))]
    pub(super) bsld: f64,
    /// Exponent a of PaSF
    #[arg(long, value_name = "A", default_value_t = 2.0, value_parser = real(ALPHA_RANGE))]
    pub(super) alpha: f64,
    /// Metrics, by their ids; json and csv give all where nothing is said
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(super) columns: Vec<Metric>,
    /// Compare with a scheduler (same estimates), an estimator (same scheduler), or SCHEDULER__ESTIMATOR
    #[arg(long, value_name = "ID", value_parser = baseline)]
    pub(super) baseline: Option<Baseline>,
    /// Compute fair start times too: columns unfairness_strict and unfairness_relaxed, and those of each job with --starts
    #[arg(long)]
    pub(super) fair_starts: bool,
    #[command(flatten)]
    pub(super) output: OutputArguments,
}

#[derive(Debug, Args)]
pub(super) struct StudyArguments {
    /// The study, as the page saves it
    pub(super) study: PathBuf,
    /// The log to run it on; - for standard input. Not needed where the study generates its workload
    pub(super) trace: Option<PathBuf>,
    #[command(flatten)]
    pub(super) limits: LimitArguments,
    #[command(flatten)]
    pub(super) output: OutputArguments,
}

#[derive(Debug, Args)]
pub(super) struct SummaryArguments {
    /// Log in SWF, plain, gzipped or zipped; - for standard input
    pub(super) trace: PathBuf,
    #[command(flatten)]
    pub(super) treatment: TreatmentArguments,
    #[command(flatten)]
    pub(super) limits: LimitArguments,
    /// Form of the summary
    #[arg(long, value_enum, default_value_t = SummaryFormat::Table)]
    pub(super) format: SummaryFormat,
}

#[derive(Debug, Args)]
pub(super) struct GenerateArguments {
    /// Which generator
    #[command(subcommand)]
    pub(super) generator: Generator,
}

#[derive(Debug, Subcommand)]
pub(super) enum Generator {
    /// The Lublin-Feitelson model of rigid jobs
    Lublin {
        /// How many jobs
        #[arg(long, value_name = "N")]
        jobs: u32,
        /// Processors of the machine
        #[arg(long, value_name = "R")]
        procs: u32,
        /// Seed of the random numbers
        #[arg(long, value_name = "S", default_value_t = 1)]
        seed: u64,
    },
    /// Jobs like those of a log, that come as its jobs do
    Like(LikeArguments),
}

#[derive(Debug, Args)]
pub(super) struct LikeArguments {
    /// Log in SWF, plain or gzipped; - for standard input
    pub(super) trace: PathBuf,
    /// How many jobs
    #[arg(long, value_name = "N")]
    pub(super) jobs: u32,
    /// Seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(super) seed: u64,
    /// Shape of the Weibull law of times between submissions; the log's own where nothing is said
    #[arg(long, value_name = "SHAPE", value_parser = real(like::ALPHA_RANGE))]
    pub(super) alpha: Option<f64>,
    /// Its scale, seconds; the log's own where nothing is said
    #[arg(long, value_name = "SECONDS", value_parser = real(like::BETA_RANGE))]
    pub(super) beta: Option<f64>,
    /// Share of jobs that come together with the one before; the log's own where nothing is said
    #[arg(long, value_name = "SHARE", value_parser = real(like::P0_RANGE))]
    pub(super) p0: Option<f64>,
    #[command(flatten)]
    pub(super) treatment: TreatmentArguments,
}

/// What is done to a log.
#[derive(Debug, Args)]
pub(super) struct TreatmentArguments {
    /// Cleaning profile: metrics, fairness, raw
    #[arg(long, value_name = "PROFILE", default_value = "metrics")]
    pub(super) clean: Cleaning,
    /// Processors of the machine, where the log does not say or should not be believed
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_PROCESSORS)))]
    pub(super) procs: Option<u32>,
}

impl TreatmentArguments {
    /// As a study has it.
    pub(super) fn treatment(&self) -> Treatment {
        Treatment { cleaning: self.clean, processors: self.procs, ..Treatment::default() }
    }
}

/// How large a log may be.
#[derive(Debug, Args)]
pub(super) struct LimitArguments {
    /// Most jobs of the log; each takes some 200 bytes of memory
    #[arg(long, value_name = "N", default_value_t = Limits::default().jobs)]
    max_jobs: usize,
    /// Most bytes of the log's text, unpacked
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().text)]
    max_text: u64,
}

impl LimitArguments {
    pub(super) fn limits(&self) -> Limits {
        Limits { jobs: self.max_jobs, text: self.max_text }
    }
}

/// What is done with results.
#[derive(Debug, Args)]
pub(super) struct OutputArguments {
    /// Form of the results
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(super) format: Format,
    /// Write each schedule to DIR/SCHEDULER__ESTIMATOR.csv (: as . and * as -x) with columns job,start,estimate
    #[arg(long, value_name = "DIR")]
    pub(super) starts: Option<PathBuf>,
    /// Check each schedule: its validity, what its scheduler guarantees, and whether the plain algorithm, which is slow,
    /// starts every job at the same time. Tells on standard error; ends with 1 where something is wrong
    #[arg(long)]
    pub(super) check: bool,
    /// Tell on standard error how long everything took
    #[arg(long)]
    pub(super) timing: bool,
    /// Threads; all processors where nothing is said
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) jobs: Option<u16>,
}

/// Form of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Aligned columns
    Table,
    /// A list of objects with exact numbers
    Json,
    /// Exact numbers, a line a run
    Csv,
    /// A pipe table
    Markdown,
    /// A tabular for a paper
    Latex,
}

/// Form of a summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum SummaryFormat {
    /// For a person
    Table,
    /// For a program
    Json,
    /// CSV of the times between submissions, beside the Weibull law that fits them
    Gaps,
    /// CSV of the widths, requested and run times that go together
    Joint,
}

/// Reads a number within a range.
fn real(range: std::ops::RangeInclusive<f64>) -> impl Fn(&str) -> Result<f64, String> + Clone {
    move |text| {
        let value = text.parse::<f64>().ok().filter(|value| range.contains(value));
        value.ok_or_else(|| format!("it takes a number from {} to {}", range.start(), range.end()))
    }
}

fn correction(id: &str) -> Result<Correction, String> {
    let found = Correction::ALL.into_iter().find(|rule| rule.id() == id);
    found.ok_or_else(|| format!("there are {}", Correction::ALL.map(Correction::id).join(", ")))
}

fn reestimation(id: &str) -> Result<Reestimation, String> {
    let found = Reestimation::ALL.into_iter().find(|when| when.id() == id);
    found.ok_or_else(|| format!("there are {}", Reestimation::ALL.map(Reestimation::id).join(", ")))
}

fn asking(id: &str) -> Result<RoundTrigger, String> {
    let found = RoundTrigger::ALL.into_iter().find(|which| which.id() == id);
    found.ok_or_else(|| format!("there are {}", RoundTrigger::ALL.map(RoundTrigger::id).join(", ")))
}

fn counted(id: &str) -> Result<Counted, String> {
    match id {
        "all" => Ok(Counted::All),
        "metrics" => Ok(Counted::Metrics),
        "steady" => Ok(Counted::Steady),
        _ => Err("there are all, metrics, steady".to_owned()),
    }
}

fn baseline(text: &str) -> Result<Baseline, String> {
    if let Some((scheduler, estimate)) = text.split_once("__") {
        let scheduler: Policy = scheduler.parse().map_err(|e| format!("{e}"))?;
        let estimate: Estimate = estimate.parse().map_err(|e| format!("{e}"))?;
        return Ok(Baseline::Run(Run::new(scheduler, estimate)));
    }
    match (text.parse::<Policy>(), text.parse::<Estimate>()) {
        (Ok(scheduler), _) => Ok(Baseline::Scheduler(scheduler)),
        (_, Ok(estimate)) => Ok(Baseline::Estimate(estimate)),
        (Err(error), _) => Err(error.to_string()),
    }
}

//! The arguments of the command line.

mod explore;
mod external;
mod read;
mod settings;
mod site;
mod spread;

pub(super) use explore::{ExploreArguments, ExploreFormat};
pub(super) use external::ExternalArguments;
pub(super) use settings::{OfLikeness, OfLog, OfRun, OfSearch, SettingArguments};
pub(super) use site::{LintArguments, QuestionArguments, SiteArguments, StudySiteArguments, site};
pub(super) use spread::{CollectArguments, Part, SlurmArguments, SpreadArguments};

use super::machine::MachineArguments;
use crate::catalogue::UnknownId;
use crate::estimator::Estimate;
use crate::metric::{Grouping, Metric};
use crate::scheduler::{Policy, script};
use crate::study::Baseline;
use crate::study::grouped::WaitsColumn;
use crate::study::recipe::Recipe;
use crate::study::verdict::Concern;
use crate::workload::MappedColumn;
use crate::workload::reading::Limits;
use clap::{Args, Parser, Subcommand, ValueEnum};
use read::{baseline, recipe};
use std::path::PathBuf;
use std::str::FromStr;

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
    Study(Box<StudyArguments>),
    /// Put the results of a study together that was spread over processes or machines
    Collect(CollectArguments),
    /// Say what a log is like, and what is repaired and dropped
    Summary(SummaryArguments),
    /// Make a workload, as SWF on standard output
    Generate(GenerateArguments),
    /// Turn logs of any format into one in SWF, on standard output
    Convert(ConvertArguments),
    /// List schedulers, estimators, metrics and recipes with their ids
    List,
    /// Say what is wrong, ignored or not understood in the files of a Slurm site
    Lint(LintArguments),
    /// Look for settings that nothing beats on a log, and judge them on a part of it that the choice has not seen
    Explore(Box<ExploreArguments>),
}

#[derive(Debug, Args)]
pub(super) struct RunArguments {
    /// Log in any format that is read (packfair list), plain or packed (gzip, zstandard, zip, tar); - for standard
    /// input. Several, as dumps of some months are, count as one, and so do the files of a directory
    #[arg(required = true, value_name = "LOG")]
    pub(super) traces: Vec<PathBuf>,
    /// A study of a paper, by its id (packfair list): schedulers, estimators, metrics and baseline are the paper's,
    /// unless other options name others. On a log of the paper its printed figures follow (table, markdown, latex)
    #[arg(long, value_name = "ID", value_parser = recipe)]
    pub(super) recipe: Option<&'static Recipe>,
    /// Which log of the recipe's paper this is, where it is not recognised: SDSC-SP2
    #[arg(long, value_name = "LOG", requires = "recipe", value_parser = read::paper_log)]
    pub(super) take_for: Option<&'static str>,
    /// Schedulers, by their ids: saf-justbf, or easy:backfill=sjf,threshold=3600; or script:FILE, one of your own
    /// (docs/script.md)
    #[arg(short, long = "scheduler", value_name = "ID", num_args = 1.., value_parser = read::scheduler,
        required_unless_present_any = ["recipe", "schedule"])]
    pub(super) schedulers: Vec<Policy>,
    /// Million operations that a script may take in one round; in all it may take a thousand times as many [usually 5]
    #[arg(long, value_name = "MILLIONS", value_parser = clap::value_parser!(i64).range(1..=script::MOST_MILLIONS))]
    pub(super) script_limit: Option<i64>,
    /// Estimators, by their ids, perhaps with a factor: actual, requested*2
    #[arg(short, long = "estimator", value_name = "ID", num_args = 1.., required_unless_present_any = ["recipe", "estimates", "schedule"])]
    pub(super) estimators: Vec<Estimate>,
    #[command(flatten)]
    pub(super) external: ExternalArguments,
    #[command(flatten)]
    pub(super) site: SiteArguments,
    #[command(flatten)]
    pub(super) questions: QuestionArguments,
    /// Factors for every estimator that names none: 0.5,1,2 [usually 1]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(super) k: Vec<f64>,
    #[command(flatten)]
    pub(super) limits: LimitArguments,
    #[command(flatten)]
    pub(super) settings: SettingArguments<OfRun>,
    #[command(flatten)]
    pub(super) machine: MachineArguments,
    /// Machine sizes of partitions that are taken each by itself: short=64,long=512 [usually the most that jobs held at
    /// once, by the log's own starts]
    #[arg(long, value_name = "LIST", value_delimiter = ',', requires = "each-partition", conflicts_with = "procs")]
    pub(super) partition_procs: Vec<String>,
    /// Metrics, by their ids; json and csv give all where nothing is said. Of a log that is a table, also what its
    /// columns are, as FIELD=COLUMN (see packfair convert --help)
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    columns: Vec<RunColumn>,
    /// Compare with a scheduler (same estimates), an estimator (same scheduler), SCHEDULER__ESTIMATOR, or none
    #[arg(long, value_name = "ID", value_parser = baseline)]
    pub(super) baseline: Option<Baseline>,
    /// Compute fair start times too: columns unfairness_strict and unfairness_relaxed, and those of each job with
    /// --starts
    #[arg(long)]
    pub(super) fair_starts: bool,
    #[command(flatten)]
    pub(super) output: OutputArguments,
}

/// An item of `--columns` of `packfair run`: a metric of the results, or the meaning of a column of the log.
#[derive(Clone, Debug)]
enum RunColumn {
    /// A metric.
    Metric(Metric),
    /// The meaning of a column of a table.
    Mapped(MappedColumn),
}

impl FromStr for RunColumn {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.contains('=') {
            return text.parse().map(RunColumn::Mapped);
        }
        text.parse().map(RunColumn::Metric).map_err(|error: UnknownId| error.to_string())
    }
}

impl RunArguments {
    /// The metrics that are the columns of the results; empty if none are given.
    pub(super) fn metrics(&self) -> Vec<Metric> {
        let metric = |column: &RunColumn| match column {
            RunColumn::Metric(metric) => Some(*metric),
            RunColumn::Mapped(_) => None,
        };
        self.columns.iter().filter_map(metric).collect()
    }

    /// The given meanings of the log's columns.
    pub(super) fn mapped(&self) -> Vec<MappedColumn> {
        let mapped = |column: &RunColumn| match column {
            RunColumn::Mapped(mapped) => Some(mapped.clone()),
            RunColumn::Metric(_) => None,
        };
        self.columns.iter().filter_map(mapped).collect()
    }
}

/// What the columns of a log are that is a table.
#[derive(Debug, Args)]
pub(super) struct ColumnArguments {
    /// What the columns of a table are, where their names do not tell: FIELD=COLUMN, where FIELD is one of id, submit,
    /// eligible, start, end, run, wait, limit, processors, nodes, gpus, tres, user, group, queue, partition, name,
    /// state, and COLUMN its name or its number, from 1; with a unit of numbers (limit=walltime:min; ms, s, min, h, d)
    /// or a pattern of dates (submit=3:%d.%m.%Y %H:%M) behind it
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(super) columns: Vec<MappedColumn>,
}

#[derive(Debug, Args)]
pub(super) struct StudyArguments {
    /// The study, as the page saves it
    pub(super) study: PathBuf,
    /// The log to run it on; - for standard input. Not needed where the study generates its workload. Several, each by
    /// itself, with --into
    #[arg(value_name = "LOG")]
    pub(super) traces: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) external: ExternalArguments,
    #[command(flatten)]
    pub(super) site: StudySiteArguments,
    #[command(flatten)]
    pub(super) spread: SpreadArguments,
    #[command(flatten)]
    pub(super) limits: LimitArguments,
    #[command(flatten)]
    pub(super) output: OutputArguments,
}

#[derive(Debug, Args)]
pub(super) struct ConvertArguments {
    /// Logs in any format that is read, or directories of them, which count as one; - for standard input
    #[arg(required = true, value_name = "LOG")]
    pub(super) traces: Vec<PathBuf>,
    /// Replace names of users, groups, queues, partitions and programs by numbers that only who has the key can tell.
    /// With the same KEY a user has the same number in every log; without one a new key is made, and told on standard
    /// error
    #[arg(long, value_name = "KEY", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(super) anonymise: Option<String>,
    #[command(flatten)]
    pub(super) columns: ColumnArguments,
    #[command(flatten)]
    pub(super) limits: LimitArguments,
}

#[derive(Debug, Args)]
pub(super) struct SummaryArguments {
    /// Log in any format that is read, plain or packed; - for standard input. Several count as one, and so do the files
    /// of a directory
    #[arg(required = true, value_name = "LOG")]
    pub(super) traces: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) settings: SettingArguments<OfLog>,
    #[command(flatten)]
    pub(super) columns: ColumnArguments,
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
    Like(Box<LikeArguments>),
}

#[derive(Debug, Args)]
pub(super) struct LikeArguments {
    /// Log in SWF, plain or gzipped; - for standard input
    pub(super) trace: PathBuf,
    #[command(flatten)]
    pub(super) settings: SettingArguments<OfLikeness>,
}

/// How large a log may be.
#[derive(Debug, Args)]
pub(super) struct LimitArguments {
    /// Most jobs of the log; each takes at most 260 bytes of memory while it is read
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
    #[arg(long, value_enum, default_value_t = OutputFormat::Table)]
    pub(super) format: OutputFormat,
    /// What matters: the sentence below a table says which run serves it best, and at what price. One of everything,
    /// slowdown, response, packing, fairness, longest-wait, or a column that is better one way
    #[arg(long, value_name = "CONCERN", default_value = "everything", value_parser = read::concern)]
    pub(super) matters: Concern,
    /// Write each schedule to DIR/SCHEDULER__ESTIMATOR.csv (: as . and * as -x) with columns job,start,estimate, times
    /// as the log has them; where jobs were killed, these executions to ..._killed.csv with columns job,start,end,why
    #[arg(long, value_name = "DIR")]
    pub(super) starts: Option<PathBuf>,
    /// Forms in which --starts writes schedules
    #[arg(long, value_enum, value_name = "LIST", value_delimiter = ',', default_value = "starts", requires = "starts")]
    pub(super) starts_as: Vec<StartsForm>,
    /// Write the curves that the page charts to DIR, a CSV file each with all runs: cumulative wait area,
    /// distributions, queue, utilisation, estimates and classes over time, and each column against what was swept
    #[arg(long, value_name = "DIR")]
    pub(super) curves: Option<PathBuf>,
    /// Draw figures into DIR: those of the recipe, as the page draws them, or all charts of the first runs where there
    /// is none
    #[arg(long, value_name = "DIR")]
    pub(super) figures: Option<PathBuf>,
    /// Forms of the figures
    #[arg(long, value_enum, value_name = "LIST", value_delimiter = ',', default_value = "svg", requires = "figures")]
    pub(super) figures_as: Vec<FigureForm>,
    /// Tell waits and slowdowns of groups of jobs, as logged and of each run: partition, account, user, width, runtime,
    /// runtime-dynp, hour. They follow the results; in json and csv they take their place
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(super) by: Vec<Grouping>,
    /// Sort the groups by a column, largest first: jobs, wait_mean, wait_median, wait_p90, wait_p95, wait_max,
    /// bsld_median, bsld_p90, bsld_p95, bsld_max, near_log_5min, log_gap, log_gap_p90, log_rank, sldww
    #[arg(long, value_name = "COLUMN", requires = "by")]
    pub(super) sort: Option<WaitsColumn>,
    /// Tell below the table how near the scheduler slurm, as the files of the site configure it, comes to the log: by
    /// user, partition and QOS of at least 20 jobs, and by priorities where sacct has told them (Priority)
    #[arg(long)]
    pub(super) site_fit: bool,
    /// Check each schedule: its validity, what its scheduler guarantees, and whether the plain algorithm, which is
    /// slow, starts every job at the same time. Tells on standard error; ends with 1 where something is wrong
    #[arg(long)]
    pub(super) check: bool,
    /// Tell on standard error how long everything took
    #[arg(long)]
    pub(super) timing: bool,
    /// Threads; all processors where nothing is said
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) jobs: Option<u16>,
}

/// Form of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum StartsForm {
    /// job,start,estimate
    Starts,
    /// As Batsim writes and evalys reads it: ..._jobs.csv
    Jobs,
    /// The log again, with the simulated waits: ....swf
    Swf,
}

/// Form of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FigureForm {
    /// A picture for screens and papers
    Svg,
    /// A page with lines and letters, for papers
    Pdf,
}

/// Form of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum OutputFormat {
    /// Aligned columns
    Table,
    /// A list of objects with exact numbers
    Json,
    /// Exact numbers, a line a run, for programs: names as they are
    Csv,
    /// The same for spreadsheets: a name that one would take for a formula (=, +, -, @) stands behind an apostrophe
    Spreadsheet,
    /// A pipe table
    Markdown,
    /// A tabular for a paper
    Latex,
}

impl OutputFormat {
    /// Whether the form contains exact numbers only.
    pub(super) fn is_for_programs(self) -> bool {
        matches!(self, OutputFormat::Json | OutputFormat::Csv | OutputFormat::Spreadsheet)
    }
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
    /// The partitions of the log as a file for --machine: a cell for each, as large as what its jobs held at once
    Machine,
}

//! The arguments of the command line.

mod explore;
mod read;
mod settings;
mod spread;
mod when;

pub(super) use explore::{ExploreArguments, ExploreFormat};
pub(super) use read::ExternalArguments;
pub(super) use settings::{
    LintArguments, OfLikeness, OfLog, OfRun, OfSearch, QuestionArguments, SettingArguments, SiteArguments, site,
};
pub(super) use spread::{CollectArguments, Part, PartArguments};
pub(super) use when::{NowArguments, Starts as WhenStarts, WhenArguments, WhenFormat, WhenceArguments};

use super::machine::MachineArguments;
use clap::{Args, Parser, Subcommand, ValueEnum};
use packfair_base::catalogue::UnknownId;
use packfair_engine::estimator::Estimate;
use packfair_engine::metric::{Grouping, Metric};
use packfair_papers::recipe::Recipe;
use packfair_schedulers::{Policy, script};
use packfair_study::Baseline;
use packfair_study::grouped::WaitsColumn;
use packfair_study::verdict::Concern;
use packfair_workload::MappedColumn;
use packfair_workload::reading::Limits;
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
    /// Simulate schedulers on a log, and measure and compare them
    Run(Box<RunArguments>),
    /// Run a study that the page has saved as a file
    Study(Box<StudyArguments>),
    /// Print the results of a study of which several processes have computed parts
    Collect(CollectArguments),
    /// Describe a log: its jobs, its machine, and what is repaired or dropped
    Summary(SummaryArguments),
    /// Generate a workload and write it as SWF to standard output
    Generate(GenerateArguments),
    /// Convert logs of any format into one SWF log on standard output
    Convert(ConvertArguments),
    /// List log formats, schedulers, estimators, metrics, recipes and more, with their ids
    List,
    /// Check the files of a Slurm site: tell which lines are wrong, ignored by Slurm, not understood or not modelled
    Lint(LintArguments),
    /// Search for the best settings: choose them on one part of a log, and judge them on the rest
    Explore(Box<ExploreArguments>),
    /// Forecast when the jobs start that wait at a moment, or try such forecasts on a log
    When(Box<WhenArguments>),
    /// Search for the settings that would serve the queue of a moment best over the next hours
    Now(Box<NowArguments>),
}

#[derive(Debug, Args)]
pub(super) struct RunArguments {
    /// Log to simulate, in any format that packfair list names, plain or packed (gzip, zstandard, bzip2, xz, zip, tar); - reads
    /// standard input. Several logs count as one, such as dumps of single months, and so do the files of a directory
    #[arg(required = true, value_name = "LOG")]
    pub(super) traces: Vec<PathBuf>,
    /// Run the study of a paper, by its id (packfair list): metrics-table-2. The paper sets schedulers, estimators,
    /// metrics, baseline, cleaning and load; other options override it. On a log of the paper, its printed figures
    /// follow the results (as table, markdown or latex)
    #[arg(long, value_name = "ID", value_parser = recipe)]
    pub(super) recipe: Option<&'static Recipe>,
    /// Name that the recipe's paper gives to this log, where Packfair does not recognise the log: SDSC-SP2
    #[arg(long, value_name = "LOG", requires = "recipe", value_parser = read::paper_log)]
    pub(super) take_for: Option<&'static str>,
    /// Schedulers, by their ids (packfair list), perhaps with parameters: saf-justbf, easy:backfill=sjf,threshold=3600.
    /// script:FILE is a scheduler of your own (docs/script.md)
    #[arg(short, long = "scheduler", value_name = "ID", num_args = 1.., value_parser = read::scheduler,
        required_unless_present_any = ["recipe", "schedule", "what_if"])]
    pub(super) schedulers: Vec<Policy>,
    /// Most operations that a script may take in one scheduling round, in millions, from 1 to 1000. In a whole run it
    /// may take a thousand times as many [usually 5]
    #[arg(long, value_name = "MILLIONS", value_parser = clap::value_parser!(i64).range(1..=script::MOST_MILLIONS))]
    pub(super) script_limit: Option<i64>,
    /// Estimators of run times, by their ids (packfair list), perhaps with a factor: actual, requested*2 [usually requested]
    #[arg(short, long = "estimator", value_name = "ID", num_args = 1..)]
    pub(super) estimators: Vec<Estimate>,
    #[command(flatten)]
    pub(super) external: ExternalArguments,
    #[command(flatten)]
    pub(super) site: SiteArguments,
    #[command(flatten)]
    pub(super) questions: QuestionArguments,
    /// Factors for every estimator that has none of its own; each factor makes a run: 0.5,1,2 [usually 1]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(super) k: Vec<f64>,
    #[command(flatten)]
    pub(super) limits: LimitArguments,
    #[command(flatten)]
    pub(super) settings: SettingArguments<OfRun>,
    #[command(flatten)]
    pub(super) machine: MachineArguments,
    /// With --each-partition, the processors of each partition's machine: short=64,long=512 [usually the most that its
    /// jobs held at once, by the log's own starts]
    #[arg(long, value_name = "LIST", value_delimiter = ',', requires = "each-partition", conflicts_with = "procs")]
    pub(super) partition_procs: Vec<String>,
    /// Metrics to print, by their ids (packfair list): AF,P2SF. Without this option json, csv and spreadsheet print all
    /// metrics, and the other forms the usual ones. If the log is a table, also what its columns hold, as FIELD=COLUMN
    /// (see packfair convert --help)
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    columns: Vec<RunColumn>,
    /// Baseline of the comparison: a scheduler (with the same estimates), an estimator (with the same scheduler), one
    /// run as SCHEDULER__ESTIMATOR, or none [usually easy, where it is among them; with files of a site or --what-if
    /// Slurm as configured; with --recipe the paper's]
    #[arg(long, value_name = "ID", value_parser = baseline)]
    pub(super) baseline: Option<Baseline>,
    /// Also compute fair start times. They give the columns unfairness_strict and unfairness_relaxed, and the
    /// fair start of each job beside its start
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
    /// What the columns of a table hold, where their names do not tell: FIELD=COLUMN. FIELD is one of id, submit,
    /// eligible, start, end, run, wait, limit, processors, nodes, gpus, tres, user, group, queue, partition, name,
    /// state, watts, energy. COLUMN is the column's name or its number, from 1; without it, no column holds the field. A unit of
    /// numbers may follow (limit=walltime:min; ms, s, min, h, d), or a pattern of dates (submit=3:%d.%m.%Y %H:%M)
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(super) columns: Vec<MappedColumn>,
}

#[derive(Debug, Args)]
pub(super) struct StudyArguments {
    /// File of the study, as the page saves it (JSON)
    pub(super) study: PathBuf,
    /// Log to run the study on; - reads standard input. A study that generates its workload needs none. With --part
    /// there may be several: each is a workload of its own
    #[arg(value_name = "LOG")]
    pub(super) traces: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) external: ExternalArguments,
    #[command(flatten)]
    pub(super) site: SiteArguments,
    #[command(flatten)]
    pub(super) part: PartArguments,
    #[command(flatten)]
    pub(super) limits: LimitArguments,
    #[command(flatten)]
    pub(super) output: OutputArguments,
}

#[derive(Debug, Args)]
pub(super) struct ConvertArguments {
    /// Logs in any format that packfair list names, or directories of them; all count as one log. - reads standard
    /// input
    #[arg(required = true, value_name = "LOG")]
    pub(super) traces: Vec<PathBuf>,
    /// Replace the names of users, groups, queues, partitions and programs by numbers; without the key nobody can find
    /// the names. Number the jobs anew, and leave out comments and the memory, processor times and predecessors of
    /// jobs. With the same KEY a user has the same number in every log. Without KEY, a new key is made and printed on
    /// standard error
    #[arg(long, value_name = "KEY", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(super) anonymise: Option<String>,
    #[command(flatten)]
    pub(super) columns: ColumnArguments,
    #[command(flatten)]
    pub(super) limits: LimitArguments,
}

#[derive(Debug, Args)]
pub(super) struct SummaryArguments {
    /// Log to describe, in any format that packfair list names, plain or packed (gzip, zstandard, bzip2, xz, zip, tar); - reads
    /// standard input. Several logs count as one, and so do the files of a directory
    #[arg(required = true, value_name = "LOG")]
    pub(super) traces: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) settings: SettingArguments<OfLog>,
    #[command(flatten)]
    pub(super) columns: ColumnArguments,
    #[command(flatten)]
    pub(super) limits: LimitArguments,
    /// Form in which the summary is printed
    #[arg(long, value_enum, default_value_t = SummaryFormat::Table)]
    pub(super) format: SummaryFormat,
}

#[derive(Debug, Args)]
pub(super) struct GenerateArguments {
    /// The generator
    #[command(subcommand)]
    pub(super) generator: Generator,
}

#[derive(Debug, Subcommand)]
pub(super) enum Generator {
    /// Generate rigid jobs by the Lublin-Feitelson model
    Lublin {
        /// Number of jobs, from 1 to 1000000
        #[arg(long, value_name = "N")]
        jobs: u32,
        /// Number of processors of the machine, from 1 to 1000000
        #[arg(long, value_name = "R")]
        procs: u32,
        /// Seed of the random numbers; the same seed gives the same jobs
        #[arg(long, value_name = "S", default_value_t = 1)]
        seed: u64,
    },
    /// Generate jobs like those of a log: each is a copy of one of its jobs, and the times between submissions follow
    /// the law that fits the log
    Like(Box<LikeArguments>),
}

#[derive(Debug, Args)]
pub(super) struct LikeArguments {
    /// Log to copy, in any format that packfair list names, plain or packed (gzip, zstandard, bzip2, xz, zip, tar); - reads
    /// standard input
    pub(super) trace: PathBuf,
    #[command(flatten)]
    pub(super) settings: SettingArguments<OfLikeness>,
}

/// How large a log may be.
#[derive(Debug, Args)]
pub(super) struct LimitArguments {
    /// Most jobs that the log may have; each takes at most 260 bytes of memory while the log is read
    #[arg(long, value_name = "N", default_value_t = Limits::default().jobs)]
    max_jobs: usize,
    /// Most bytes that the text of the log may have, unpacked
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().text)]
    max_text: u64,
    /// Go on where more than one in a hundred records was not understood, with the others alone
    #[arg(long)]
    accept_losses: bool,
}

impl LimitArguments {
    pub(super) fn limits(&self) -> Limits {
        let lost = if self.accept_losses { Limits::ALL_LOST } else { Limits::LOST_UNASKED };
        Limits { jobs: self.max_jobs, text: self.max_text, lost }
    }
}

/// What is done with results.
#[derive(Debug, Args)]
pub(super) struct OutputArguments {
    /// Form in which the results are printed
    #[arg(long, value_enum, default_value_t = OutputFormat::Table)]
    pub(super) format: OutputFormat,
    /// What matters to you: the sentence below the table says which run serves it best, and at what price. One of
    /// everything, slowdown, response, packing, fairness, longest-wait, or the id of a metric of which more or less is
    /// better: AWQ
    #[arg(long, value_name = "CONCERN", default_value = "everything", value_parser = read::concern)]
    pub(super) matters: Concern,
    /// Write the schedule of each run to DIR/SCHEDULER__ESTIMATOR.csv (with . for : and -x for *), with the columns
    /// job,start,estimate; times are on the clock of the log. Executions of jobs that were killed go to ..._killed.csv,
    /// with the columns job,start,end,why
    #[arg(long, value_name = "DIR")]
    pub(super) starts: Option<PathBuf>,
    /// Forms of the files that --starts writes
    #[arg(long, value_enum, value_name = "LIST", value_delimiter = ',', default_value = "starts", requires = "starts")]
    pub(super) starts_as: Vec<StartsForm>,
    /// Write the curves of the page's charts to DIR, one CSV file for each chart, with all runs: cumulative wait area,
    /// distributions, queue, utilisation, estimates and classes over time, and each column against what was swept, such
    /// as the load
    #[arg(long, value_name = "DIR")]
    pub(super) curves: Option<PathBuf>,
    /// Draw figures into DIR, as the page draws them: those of the recipe or, without one, all charts of the first runs
    /// (at most four)
    #[arg(long, value_name = "DIR")]
    pub(super) figures: Option<PathBuf>,
    /// Forms of the figures that --figures draws
    #[arg(long, value_enum, value_name = "LIST", value_delimiter = ',', default_value = "svg", requires = "figures")]
    pub(super) figures_as: Vec<FigureForm>,
    /// Print waits and slowdowns of groups of jobs, as logged and for each run. The groups are by partition, queue,
    /// account, user, width, runtime, runtime-dynp, hour or week. They follow the results; in json, csv and spreadsheet
    /// they replace them
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(super) by: Vec<Grouping>,
    /// Sort the groups of --by by a column, the largest value first: jobs, wait_mean, wait_median, wait_p90, wait_p95,
    /// wait_max, bsld_median, bsld_p90, bsld_p95, bsld_max, near_log_5min, log_gap, log_gap_p90, log_rank, sldww
    #[arg(long, value_name = "COLUMN", requires = "by")]
    pub(super) sort: Option<WaitsColumn>,
    /// Print below the table how near the scheduler slurm, as the site's files configure it, comes to the log: the
    /// waits of each user, partition and QOS with at least 20 jobs, and the priorities of jobs, if the log has them
    /// (Priority of sacct)
    #[arg(long)]
    pub(super) site_fit: bool,
    /// Check each schedule: whether it is valid, whether it keeps what its scheduler guarantees, and whether the plain
    /// algorithm, which is slow, starts every job at the same time. The findings go to standard error; the exit code is
    /// 1 if something is wrong
    #[arg(long)]
    pub(super) check: bool,
    /// Print on standard error how long each step took
    #[arg(long)]
    pub(super) timing: bool,
    /// Number of threads [usually one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) jobs: Option<u16>,
}

/// Form of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum StartsForm {
    /// A table of starts, job,start,estimate: ....csv
    Starts,
    /// A table of jobs, as Batsim writes and evalys reads it: ..._jobs.csv
    Jobs,
    /// The log as SWF, with the simulated waits: ....swf
    Swf,
}

/// Form of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FigureForm {
    /// A picture for screens and papers (SVG)
    Svg,
    /// A page for papers (PDF)
    Pdf,
}

/// Form of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum OutputFormat {
    /// Aligned columns
    Table,
    /// A list of objects with exact numbers
    Json,
    /// Exact numbers, a line for each run, for programs; names are unchanged
    Csv,
    /// Like csv, for spreadsheets: an apostrophe stands before a name that a spreadsheet would take for a formula (=,
    /// +, -, @)
    Spreadsheet,
    /// A table in Markdown
    Markdown,
    /// A LaTeX tabular, for a paper
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
    /// Lines of text, for people
    Table,
    /// JSON, for programs
    Json,
    /// CSV of the times between submissions, beside the Weibull law that fits them best
    Gaps,
    /// CSV of each combination of width, requested time and run time, with its number of jobs
    Joint,
    /// A file for --machine that describes the partitions of the log: a cell for each, of as many processors as its
    /// jobs held at once
    Machine,
}

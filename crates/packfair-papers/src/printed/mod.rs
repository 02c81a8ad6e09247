//! Figures that papers print, to be shown beside our results. They stand in the papers' files ([`super::papers`]).
//!
//! A log is recognised as one of the papers' by what all its copies have in common ([`Facts`]). A part of it, or jobs
//! made like it, are not recognised. A person who knows better may say which log it is ([`Facts::taken_for`]).

mod comparison;

pub use comparison::{ComparedRun, ComparedShare, Facts, PrintedAgreement, PrintedCell, PrintedComparison};

use super::joined;
use packfair_base::catalogue::UnknownId;
use packfair_engine::classifier::evaluation::Shares;
use packfair_engine::metric::Metric;
use serde::Deserialize;

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PrintedQuantity {
    /// Change relative to the recipe's baseline, percent.
    Change,
    /// Percent of the recipe's baseline.
    OfBaseline,
    Value,
    /// The metric's value, a share, in percent.
    Percent,
    /// By how many percent the metric is below that of another run ([`RunFigures::against`]).
    Improvement,
    /// The metric's value, a number of jobs, in percent of all jobs.
    OfJobs,
    /// The metric's value, a number of tries of self-tuning dynP, in percent of all of them.
    OfTries,
}

/// A table of a paper, as it is printed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrintedTable {
    /// The id of the recipe that makes the table.
    pub recipe: &'static str,
    /// The paper's name for the table; in a file, where it differs from the recipe's name.
    #[serde(default)]
    pub name: &'static str,
    /// What the paper says of the table.
    #[serde(default, deserialize_with = "joined")]
    pub caption: &'static str,
    #[serde(skip)]
    logs: Vec<&'static PaperLog>,
    #[serde(default)]
    blocks: Vec<MetricFigures>,
    #[serde(default)]
    shares: Vec<ShareLine>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, bound(deserialize = "'de: 'static"))]
struct MetricFigures {
    metric: Metric,
    quantity: PrintedQuantity,
    #[serde(default)]
    places: usize,
    lines: Vec<RunFigures>,
}

/// A line of a table: the figures of one run of the paper.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RunFigures {
    /// The ids of our runs that are compared with it; that of a scheduler stands for the run with requested times.
    runs: Vec<&'static str>,
    /// The paper's name for the scheduler, where it differs from ours.
    name: Option<&'static str>,
    /// The scheduler, with requested times, with which this one is compared, where that is not the recipe's baseline.
    against: Option<&'static str>,
    figures: Figures,
    read_off: Option<ReadOff>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Figures {
    /// One figure for each log of the table; `None` where it is not printed, or cannot be read.
    OfLogs(Vec<Option<f64>>),
    /// The range in which all of the paper's logs lie.
    Between { from: f64, to: f64 },
}

/// A figure that cannot be read in our copy of the paper.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadOff {
    log: &'static str,
    ours: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ShareLine {
    name: &'static str,
    share: PrintedShare,
    #[serde(default)]
    places: usize,
    figures: Vec<f64>,
}

/// What figures of the log itself tell of it (CLASSIFY Tables 2 and 3).
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PrintedShare {
    /// The divider, seconds.
    Divider,
    /// Small jobs that are not premature, percent of all jobs.
    ExpectedJobs,
    /// Small jobs that are premature, percent of all jobs.
    PrematureJobs,
    LargeWork,
    /// Small jobs that are not premature, percent of the work.
    ExpectedWork,
    /// Small jobs that are premature, percent of the work.
    PrematureWork,
}

impl PrintedShare {
    fn of(self, shares: &Shares) -> f64 {
        match self {
            PrintedShare::Divider => shares.divider as f64,
            PrintedShare::ExpectedJobs => 100.0 * shares.jobs.expected,
            PrintedShare::PrematureJobs => 100.0 * shares.jobs.premature,
            PrintedShare::LargeWork => 100.0 * shares.area.large,
            PrintedShare::ExpectedWork => 100.0 * shares.area.expected,
            PrintedShare::PrematureWork => 100.0 * shares.area.premature,
        }
    }
}

impl PrintedTable {
    /// The table as its file has it, for a recipe of this name, with columns for these logs.
    pub(super) fn on_logs(mut self, recipe: &'static str, logs: &[&str]) -> Self {
        let log = |name: &&str| LOGS.iter().find(|log| log.name == *name);
        self.logs = logs.iter().map(|name| log(name).unwrap_or_else(|| panic!("no log is called {name}"))).collect();
        if self.name.is_empty() {
            self.name = recipe;
        }
        self
    }

    /// Whether the table has figures of the log itself, which need [`Shares`].
    pub fn has_shares(&self) -> bool {
        !self.shares.is_empty()
    }

    /// The names of the logs for which the paper prints the table.
    pub fn logs(&self) -> impl Iterator<Item = &'static str> {
        self.logs.iter().map(|log| log.name)
    }

    /// The place of a log among the table's logs, and the form in which it is that log. The form is `None` where a
    /// person says which log it is.
    fn column(&self, facts: &Facts) -> Option<(usize, Option<&'static LogForm>)> {
        if let Some(name) = facts.taken_for {
            return Some((self.logs.iter().position(|log| log.name == name)?, None));
        }
        self.logs.iter().enumerate().find_map(|(column, log)| Some((column, Some(log.form(facts)?))))
    }
}

// The logs of the papers, and the facts by which a log is recognised as one of them.
//
// Copies of a log differ: the archive has its original and one cleaned of flurries, METRICS offers its jobs filtered,
// and the papers count lines in one table and cleaned jobs in another. File names and comments differ too. What stays
// is the size of the machine, the time over which the jobs were submitted, the number of users, and one of the counts
// (`LogForm`). The numbers of lines come from the Parallel Workloads Archive.

/// A log on which the papers ran their simulations.
#[derive(Debug, PartialEq)]
pub struct PaperLog {
    /// The name by which the papers call it.
    pub name: &'static str,
    /// The processors of its machine.
    pub processors: u32,
    /// The number of months over which its jobs were submitted.
    pub months: f64,
    /// The number of users who submitted them; `None` where the archive does not say.
    pub users: Option<usize>,
    /// The forms in which the log is around; empty for a random set of jobs, which is lost.
    pub forms: &'static [LogForm],
    /// Where the log is from.
    pub source: &'static str,
}

/// A form in which a log is around.
#[derive(Debug, PartialEq)]
pub struct LogForm {
    /// The form's name, as it stands after "in".
    pub name: &'static str,
    count: FormCount,
    /// The number of months over which its jobs were submitted, where it differs from other forms.
    months: Option<f64>,
    /// What this form has that the paper's log did not; empty where it has the same jobs.
    pub caveat: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum FormCount {
    Lines(f64),
    /// The number of jobs that METRICS' cleaning keeps.
    Cleaned(f64),
}

/// The caveat for a form that still has the jobs of flurries.
const FLURRIES: &str =
    "The paper took the archive's cleaned form, without the flurries that this one has: figures will differ.";

const fn cleaned_by_archive(lines: u32) -> LogForm {
    LogForm { name: "the archive's cleaned form", count: FormCount::Lines(lines as f64), months: None, caveat: "" }
}

/// The archive's original form, with the caveat that applies to it, if any.
const fn original(lines: u32, caveat: &'static str) -> LogForm {
    LogForm { name: "the archive's original form", count: FormCount::Lines(lines as f64), months: None, caveat }
}

/// Any form in which cleaning leaves as many jobs as METRICS or CP simulated.
const fn cleaned(jobs: u32) -> LogForm {
    LogForm { name: "METRICS' filtered form", count: FormCount::Cleaned(jobs as f64), months: None, caveat: "" }
}

/// The logs of all papers: those of METRICS Table I, which CP's Table 1 repeats; those that CLASSIFY Table 1 has beside
/// them; and the random sets of jobs of DYNP Table 3. METRICS counts some logs before its cleaning; CP counts all of
/// them after it, and CLASSIFY lines of the archive's cleaned forms.
static LOGS: [PaperLog; 13] = [
    PaperLog {
        name: "KTH-SP2",
        processors: 100,
        months: 11.0,
        users: Some(214),
        forms: &[cleaned_by_archive(28_476), original(28_489, ""), cleaned(28_480)],
        source: METRICS,
    },
    PaperLog {
        name: "CTC-SP2",
        processors: 338,
        months: 11.0,
        users: Some(679),
        forms: &[cleaned_by_archive(77_222), original(79_302, FLURRIES), cleaned(77_199)],
        source: METRICS,
    },
    PaperLog {
        name: "SDSC-SP2",
        processors: 128,
        months: 24.0,
        users: Some(437),
        forms: &[cleaned_by_archive(59_715), original(73_496, FLURRIES), cleaned(54_034)],
        source: METRICS,
    },
    PaperLog {
        name: "SDSC-BLUE",
        processors: 1_152,
        months: 32.0,
        users: Some(468),
        forms: &[cleaned_by_archive(243_306), original(250_440, FLURRIES), cleaned(232_542)],
        source: METRICS,
    },
    PaperLog {
        name: "CEA-CURIE",
        processors: 93_312,
        months: 8.0,
        users: None,
        forms: &[
            cleaned_by_archive(312_826),
            LogForm {
                months: Some(20.0),
                ..original(
                    773_138,
                    "The paper took the archive's cleaned form, which leaves out the first year, when the machine was \
                     smaller: figures will differ.",
                )
            },
            cleaned(295_540),
        ],
        source: METRICS,
    },
    PaperLog {
        name: "BW201911",
        processors: 22_636,
        months: 1.0,
        users: None,
        forms: &[cleaned(92_000)],
        source: METRICS,
    },
    PaperLog {
        name: "HPC2N",
        processors: 240,
        months: 42.0,
        users: Some(257),
        forms: &[cleaned_by_archive(202_871), original(527_371, FLURRIES)],
        source: TABLE_1,
    },
    PaperLog {
        name: "KIT-FH2",
        processors: 24_048,
        months: 19.0,
        users: None,
        forms: &[original(114_355, "")],
        source: TABLE_1,
    },
    PaperLog {
        name: "MetaCentrum2-zegox",
        processors: 576,
        months: 24.0,
        users: None,
        forms: &[original(79_546, "")],
        source: TABLE_1,
    },
    made_set("CTC_syn", 430),
    made_set("KTH_syn", 100),
    made_set("PC2_syn", 96),
    made_set("SDSC_syn", 352),
];

const METRICS: &str = "METRICS Table I";
const TABLE_1: &str = "CLASSIFY Table 1";

/// A random set of jobs that was made from a log. The sets are lost, so they have no forms.
const fn made_set(name: &'static str, processors: u32) -> PaperLog {
    PaperLog { name, processors, months: 0.0, users: None, forms: &[], source: "DYNP Table 3" }
}

/// A log's name in the papers' spelling.
///
/// # Errors
/// Where no log has this name; the error lists the known names.
pub fn paper_log(name: &str) -> Result<&'static str, UnknownId> {
    let known = paper_logs();
    let found = known.iter().find(|other| other.eq_ignore_ascii_case(name.trim()));
    found.copied().ok_or_else(|| UnknownId::entry("log of the papers", name, known.into_iter()))
}

/// The names of all logs for which figures of a paper are known.
pub fn paper_logs() -> Vec<&'static str> {
    LOGS.iter().map(|log| log.name).collect()
}

impl PaperLog {
    /// Whether it is a random set of jobs, which is lost.
    pub fn is_made(&self) -> bool {
        self.forms.is_empty()
    }

    /// The form in which a log with these facts is this log; `None` where it is another log. Copies differ by some
    /// jobs, and some name no users.
    fn form(&self, facts: &Facts) -> Option<&'static LogForm> {
        /// Mean length of a month, seconds.
        const MONTH: f64 = 2_629_746.0;
        /// The share by which numbers of users may differ: forms without flurries have somewhat fewer.
        const USERS: f64 = 0.1;
        let is_of_users = |users: usize| (facts.users as f64 / users as f64 - 1.0).abs() <= USERS;
        if self.processors != facts.processors || (facts.users > 0 && !self.users.is_none_or(is_of_users)) {
            return None;
        }
        let months = facts.span as f64 / MONTH;
        let is_long = |form: &&LogForm| (months - form.months(self)).abs() < 1.0;
        let fitting = self.forms.iter().filter(is_long).filter_map(|form| Some((form.count.distance(facts)?, form)));
        fitting.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, form)| form)
    }
}

impl LogForm {
    /// The number of months over which the jobs of this form of `log` were submitted.
    pub fn months(&self, log: &PaperLog) -> f64 {
        self.months.unwrap_or(log.months)
    }
}

impl FormCount {
    /// The share by which a log's count differs from this one; `None` where that is too much for a copy of the same
    /// log.
    fn distance(self, facts: &Facts) -> Option<f64> {
        let (count, expected, most) = match self {
            FormCount::Lines(lines) => (facts.lines, lines, 0.002),
            FormCount::Cleaned(jobs) => (facts.jobs, jobs, 0.02),
        };
        Some((count as f64 / expected - 1.0).abs()).filter(|distance| *distance <= most)
    }
}

#[cfg(test)]
mod tests;

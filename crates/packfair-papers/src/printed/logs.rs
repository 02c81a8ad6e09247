//! The logs of the papers, and the facts by which a log is recognised as one of them.
//!
//! Copies of a log differ: the archive has its original and one cleaned of flurries, METRICS offers its jobs filtered,
//! and the papers count lines in one table and cleaned jobs in another. File names and comments differ too. What stays
//! is the size of the machine, the time over which the jobs were submitted, the number of users, and one of the counts
//! ([`LogForm`]). The numbers of lines come from the Parallel Workloads Archive.

use super::Facts;
use packfair_base::catalogue::UnknownId;

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
pub(super) static LOGS: [PaperLog; 13] = [
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
    pub(super) fn form(&self, facts: &Facts) -> Option<&'static LogForm> {
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

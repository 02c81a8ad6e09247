//! The catalogue of metrics.

use super::noted::{self, Noted};
use super::{Counted, CountedGroup, CountedJobs};
use crate::catalogue::UnknownId;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A metric of a schedule. All are "the less the better" unless [`Aim`] says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Metric {
    /// Average bounded slowdown.
    Bsld,
    /// Average response time.
    Af,
    /// Average wait.
    Aq,
    /// Area-weighted average response time.
    Awf,
    /// Area-weighted average wait.
    Awq,
    /// P⁰SF.
    P0sf,
    /// P¹SF.
    P1sf,
    /// P²SF.
    P2sf,
    /// P³SF.
    P3sf,
    /// PᵃSF with a of the [`Measure`].
    Pasf,
    /// Loss of capacity.
    Loc,
    /// Makespan.
    Makespan,
    /// Utilisation over the makespan.
    Utilisation,
    /// Utilisation between the first kept completion and the last submission.
    UtilisationClipped,
    /// Longest wait.
    MaxWait,
    /// l_p norm of the response times, p of the [`Measure`].
    Lp,
    /// Average response time weighted by width.
    Artww,
    /// Slowdown weighted by width.
    Sldww,
    /// R² of the estimates made at submission.
    R2,
    /// Mean absolute error of the estimates made at submission.
    Mae,
    /// Share of jobs whose estimate at submission was below the run time.
    UnderRate,
    /// How many corrections of estimates there were.
    Corrections,
    /// Average unweighted unfairness by fair share.
    UnfairShare,
    /// Average weighted unfairness by fair share.
    UnfairShareWeighted,
    /// Average of what jobs lack of their weighted fair share.
    UnfairShareShort,
    /// Average strict unfairness by fair start time.
    StrictUnfairness,
    /// Average relaxed unfairness by fair start time.
    RelaxedUnfairness,
    /// Jobs that started later than they were promised.
    Late,
    /// How often a guaranteed start was replaced by a later one.
    Remade,
    /// Executions that were killed.
    Kills,
    /// Jobs that were killed at least once.
    JobsKilled,
    /// Processor-seconds of killed executions.
    LostArea,
    /// Processor-seconds of killed executions, as a share of all that completed.
    LostShare,
    /// Utilisation without killed executions.
    UsefulUtilisation,
    /// Share of jobs taken for what they were.
    ClassAccuracy,
    /// Share of those taken for small that were.
    ClassPrecision,
    /// Share of small jobs that were taken for small.
    ClassRecall,
    /// Share of all jobs that were small and taken for large.
    FalseLarge,
    /// Share of all jobs that were large and taken for small.
    FalseSmall,
    /// Share of jobs that start about when the log says they did.
    NearLog,
    /// Median difference between a job's wait and the one that the log tells.
    LogGap,
    /// 90th percentile of that difference.
    LogGap90,
    /// Rank correlation of waits and logged waits.
    LogRank,
    /// Share of jobs that start within five minutes of when the log says they did.
    NearerLog,
    /// What a scheduler reported.
    Noted(Noted),
}

/// Which way a metric is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// The less the better.
    Low,
    /// The more the better.
    High,
    /// Neither.
    None,
}

/// What metrics depend on besides the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Measure {
    /// Which jobs count, by when they complete.
    pub counted: Counted,
    /// Of which group jobs count; none: of all.
    pub only: Option<CountedGroup>,
    /// Bound k of the bounded slowdown, seconds: 10 in METRICS and CP, 60 in CLASSIFY.
    pub bsld_bound: f64,
    /// Exponent a of PᵃSF, at least 0.
    pub alpha: f64,
    /// p of the l_p norm, at least 1.
    pub norm: f64,
    /// Bound k of the width-weighted slowdown, seconds: 60 or 300 in DYNP.
    pub sldww_bound: f64,
}

impl Default for Measure {
    fn default() -> Self {
        Measure { counted: Counted::Metrics, only: None, bsld_bound: 10.0, alpha: 2.0, norm: 2.0, sldww_bound: 60.0 }
    }
}

impl Measure {
    /// Which jobs count.
    pub fn jobs(&self) -> CountedJobs {
        CountedJobs { counted: self.counted, only: self.only }
    }
}

/// What a person is told of a metric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct About {
    /// Stable id, also the key in JSON and the heading in CSV.
    pub id: &'static str,
    /// Short name, a table's heading.
    pub name: &'static str,
    /// What it is, one line.
    pub help: &'static str,
    /// The formula, in plain text.
    pub formula: &'static str,
    /// Unit: "s", "" for ratios, "jobs".
    pub unit: &'static str,
    /// Which way it is better.
    pub aim: Aim,
    /// Paper and section.
    pub source: &'static str,
}

impl Metric {
    /// All metrics, in the order in which they are offered.
    pub const ALL: &'static [Metric] = &{
        let mut all = [Metric::Bsld; Metric::OWN.len() + noted::COUNT];
        let mut i = 0;
        while i < all.len() {
            all[i] = match i.checked_sub(Metric::OWN.len()) {
                None => Metric::OWN[i],
                Some(line) => Metric::Noted(Noted(line as u8)),
            };
            i += 1;
        }
        all
    };

    /// Those that follow from a schedule, whatever its scheduler reported.
    pub const OWN: &'static [Metric] = &[
        Metric::Bsld,
        Metric::Af,
        Metric::Aq,
        Metric::Awf,
        Metric::Awq,
        Metric::P0sf,
        Metric::P1sf,
        Metric::P2sf,
        Metric::P3sf,
        Metric::Pasf,
        Metric::Loc,
        Metric::Makespan,
        Metric::Utilisation,
        Metric::UtilisationClipped,
        Metric::MaxWait,
        Metric::Lp,
        Metric::Artww,
        Metric::Sldww,
        Metric::R2,
        Metric::Mae,
        Metric::UnderRate,
        Metric::Corrections,
        Metric::UnfairShare,
        Metric::UnfairShareWeighted,
        Metric::UnfairShareShort,
        Metric::StrictUnfairness,
        Metric::RelaxedUnfairness,
        Metric::Late,
        Metric::Remade,
        Metric::Kills,
        Metric::JobsKilled,
        Metric::LostArea,
        Metric::LostShare,
        Metric::UsefulUtilisation,
        Metric::ClassAccuracy,
        Metric::ClassPrecision,
        Metric::ClassRecall,
        Metric::FalseLarge,
        Metric::FalseSmall,
        Metric::NearLog,
        Metric::LogGap,
        Metric::LogGap90,
        Metric::LogRank,
        Metric::NearerLog,
    ];

    /// Those that take fair start times, which cost far more than the run itself.
    pub const OF_FAIR_STARTS: [Metric; 2] = [Metric::StrictUnfairness, Metric::RelaxedUnfairness];

    /// Those that tell how far a schedule is from the log's own. A change of them to a baseline says nothing.
    pub const OF_LOG: [Metric; 5] =
        [Metric::NearLog, Metric::LogGap, Metric::LogGap90, Metric::LogRank, Metric::NearerLog];

    /// Those of them that stand beside the log's own schedule.
    pub const BESIDE_LOG: [Metric; 4] = [Metric::NearerLog, Metric::LogGap, Metric::LogGap90, Metric::LogRank];

    /// Those that are a share of all jobs.
    pub const SHARES_OF_JOBS: [Metric; 3] = [Metric::UnderRate, Metric::NearLog, Metric::NearerLog];

    /// The columns shown if nothing is said.
    pub const DEFAULT_COLUMNS: &'static [Metric] =
        &[Metric::Bsld, Metric::Af, Metric::Awf, Metric::P2sf, Metric::Loc, Metric::Utilisation, Metric::MaxWait];

    /// What a person is told of it.
    pub fn about(self) -> About {
        let about = |id, name, help, formula, unit, aim, source| About { id, name, help, formula, unit, aim, source };
        use Aim::{High, Low};
        match self {
            Metric::Bsld => {
                about("BSLD", "BSLD", "average bounded slowdown", "mean max(1, F / max(D, k))", "", Low, "METRICS §II")
            }
            Metric::Af => about("AF", "AF", "average response time", "mean F", "s", Low, "METRICS §II"),
            Metric::Aq => about("AQ", "AQ", "average wait", "mean Q", "s", Low, "METRICS §II"),
            Metric::Awf => about(
                "AWF",
                "AWF",
                "area-weighted response time: packing efficiency",
                "Σ r D F / Σ r D",
                "s",
                Low,
                "METRICS §III",
            ),
            Metric::Awq => about("AWQ", "AWQ", "area-weighted wait", "AWF − Σ r D² / Σ r D", "s", Low, "METRICS §III"),
            Metric::P0sf => about(
                "P0SF",
                "P⁰SF",
                "processor-seconds' average of F: fairness, a = 0",
                "½ Σ r (F² − Q²) / Σ r (F − Q)",
                "s",
                Low,
                "METRICS §IV",
            ),
            Metric::P1sf => {
                about("P1SF", "P¹SF", "fairness, a = 1", "⅔ Σ r (F³ − Q³) / Σ r (F² − Q²)", "s", Low, "METRICS §IV")
            }
            Metric::P2sf => about(
                "P2SF",
                "P²SF",
                "fairness, a = 2: long waits weigh more",
                "¾ Σ r (F⁴ − Q⁴) / Σ r (F³ − Q³)",
                "s",
                Low,
                "METRICS §IV",
            ),
            Metric::P3sf => {
                about("P3SF", "P³SF", "fairness, a = 3", "⅘ Σ r (F⁵ − Q⁵) / Σ r (F⁴ − Q⁴)", "s", Low, "METRICS §IV")
            }
            Metric::Pasf => about(
                "PaSF",
                "PᵃSF",
                "fairness with a chosen exponent a",
                "(a+1)/(a+2) Σ r (F^(a+2) − Q^(a+2)) / Σ r (F^(a+1) − Q^(a+1))",
                "s",
                Low,
                "METRICS §IV",
            ),
            Metric::Loc => about(
                "LOC",
                "LOC",
                "loss of capacity: processors idle while jobs wait",
                "∫ min(width waiting, idle) dt / (span R)",
                "",
                Low,
                "METRICS §VII",
            ),
            Metric::Makespan => about(
                "makespan",
                "Makespan",
                "first submission to last completion",
                "max c − min s",
                "s",
                Low,
                "CP §3.1",
            ),
            Metric::Utilisation => about(
                "utilisation",
                "Utilisation",
                "share of processor time in use, over the makespan; runs that were cut off count as use",
                "Σ r D / (R makespan)",
                "",
                High,
                "CP §3.1",
            ),
            Metric::UtilisationClipped => about(
                "utilisation_clipped",
                "Utilisation, steady",
                "share of processor time in use between the first 1 % of completions and the last submission",
                "busy / (R window)",
                "",
                High,
                "CP §3.1",
            ),
            Metric::MaxWait => about("max_wait", "Max wait", "longest wait", "max Q", "s", Low, "METRICS §VII"),
            Metric::Lp => {
                about("Lp", "l_p norm", "l_p norm of the response times", "(Σ F^p)^(1/p)", "s", Low, "METRICS §VII")
            }
            Metric::Artww => {
                about("ARTwW", "ARTwW", "response time weighted by width", "Σ r F / Σ r", "s", Low, "DYNP §5.1")
            }
            Metric::Sldww => about(
                "SLDwW",
                "SLDwW",
                "slowdown weighted by width",
                "Σ r max(F, k) / max(D, k) / Σ r",
                "",
                Low,
                "DYNP §5.1",
            ),
            Metric::R2 => about(
                "R2",
                "R²",
                "of the estimates made at submission",
                "1 − Σ (E − D)² / Σ (D − mean D)²",
                "",
                High,
                "METRICS Table IV",
            ),
            Metric::Mae => {
                about("MAE", "MAE", "mean absolute error of the estimates", "mean |E − D|", "s", Low, "METRICS §VI")
            }
            Metric::UnderRate => about(
                "under_rate",
                "Under-est.",
                "share of jobs that ran longer than estimated",
                "jobs with E < D / jobs",
                "",
                Low,
                "METRICS §VI",
            ),
            Metric::Corrections => about(
                "corrections",
                "Corrections",
                "estimates corrected while the job ran",
                "count",
                "",
                Aim::None,
                "METRICS §VI",
            ),
            Metric::UnfairShare => about(
                "unfair_share",
                "Unfair share",
                "what an equal share of the processors in use would have given a job, less what it got",
                "mean [∫ min(busy / active jobs, r) dt − r D]",
                "proc s",
                Low,
                "FAIRNESS §3.2 eq. 1",
            ),
            Metric::UnfairShareWeighted => about(
                "unfair_share_weighted",
                "Unfair share, weighted",
                "the same, with shares in proportion to r: 0 by definition where all jobs count",
                "mean [∫ min(r busy / Σ active r, r) dt − r D]",
                "proc s",
                Low,
                "FAIRNESS §3.2 eq. 2",
            ),
            Metric::UnfairShareShort => about(
                "unfair_share_short",
                "Unfair share, lacking",
                "what a job lacks of its share in proportion to r, where it lacks any: improvements are told of this, \
                 for with what others got beyond theirs it adds up to 0",
                "mean max(0, ∫ min(r busy / Σ active r, r) dt − r D)",
                "proc s",
                Low,
                "after FAIRNESS §3.2 eq. 2",
            ),
            Metric::StrictUnfairness => about(
                "unfairness_strict",
                "Strict unfairness",
                "how much later than fair jobs start: had nobody come after them; computed where it is a column, and \
                 takes longer than the run",
                "mean max(0, b − strict fair start)",
                "s",
                Low,
                "FAIRNESS §3.1",
            ),
            Metric::RelaxedUnfairness => about(
                "unfairness_relaxed",
                "Relaxed unfairness",
                "the same, where the job may not start before the others queued at its arrival have",
                "mean max(0, b − relaxed fair start)",
                "s",
                Low,
                "FAIRNESS §3.1",
            ),
            Metric::Late => about(
                "late",
                "Late",
                "jobs that started later than guaranteed at their submission",
                "jobs with b > promise",
                "jobs",
                Low,
                "FAIRNESS §2",
            ),
            Metric::NearLog => about(
                "near_log",
                "As in the log",
                "share of jobs that start within ten minutes of the start that the log tells: how much of what the \
                 machine did the simulation holds",
                "jobs with |Q − logged Q| ≤ 600 s / jobs",
                "",
                Aim::None,
                "SWF field 3",
            ),
            Metric::LogGap => about(
                "log_gap",
                "Off the log",
                "median of how much longer or shorter a job waits than the log tells",
                "median |Q − logged Q|",
                "s",
                Aim::None,
                "SWF field 3",
            ),
            Metric::LogGap90 => about(
                "log_gap_p90",
                "Off the log, 90 %",
                "nine of ten jobs wait at most so much longer or shorter than the log tells",
                "90th percentile of |Q − logged Q|",
                "s",
                Aim::None,
                "SWF field 3",
            ),
            Metric::LogRank => about(
                "log_rank",
                "Rank corr.",
                "whether those wait long that waited long in the log: Spearman's rank correlation of both waits",
                "corr(rank Q, rank logged Q)",
                "",
                Aim::None,
                "SWF field 3",
            ),
            Metric::NearerLog => about(
                "near_log_5min",
                "Within 5 min",
                "share of jobs that start within five minutes of the start that the log tells",
                "jobs with |Q − logged Q| ≤ 300 s / jobs",
                "",
                Aim::None,
                "SWF field 3",
            ),
            Metric::Remade => about(
                "remade",
                "Remade",
                "guaranteed starts that had become impossible and were made anew",
                "count",
                "",
                Low,
                "FAIRNESS §2",
            ),
            Metric::Kills => about(
                "kills",
                "Kills",
                "runs that were cut off: the job was taken for small, was not, and started again later",
                "count of killed runs",
                "",
                Low,
                "CLASSIFY §5.2",
            ),
            Metric::JobsKilled => about(
                "jobs_killed",
                "Jobs killed",
                "jobs that were killed at least once",
                "count of jobs",
                "jobs",
                Low,
                "CLASSIFY §5.2",
            ),
            Metric::LostArea => about(
                "lost_processor_seconds",
                "Lost work",
                "processor-seconds of runs that were cut off",
                "Σ over killed runs r (end − start)",
                "proc s",
                Low,
                "CLASSIFY §5.2",
            ),
            Metric::LostShare => about(
                "lost_share",
                "Lost share",
                "processor-seconds of runs that were cut off, as a share of those of all runs that completed",
                "Σ over killed runs r (end − start) / Σ r D",
                "",
                Low,
                "after CLASSIFY §5.2",
            ),
            Metric::UsefulUtilisation => about(
                "utilisation_useful",
                "Useful utilisation",
                "processors in use over the makespan, without runs that were cut off",
                "Σ r D / (R makespan)",
                "",
                High,
                "after CLASSIFY §5.2",
            ),
            Metric::ClassAccuracy => about(
                "class_accuracy",
                "Class accuracy",
                "share of jobs taken for small or large as they turned out; the first week does not count",
                "(small and taken for it + large and taken for it) / jobs",
                "",
                High,
                "CLASSIFY §4.3",
            ),
            Metric::ClassPrecision => about(
                "class_precision",
                "Class precision",
                "share of the jobs taken for small that were",
                "small and taken for it / taken for small",
                "",
                High,
                "CLASSIFY §4.3",
            ),
            Metric::Noted(noted) => noted.about(),
            Metric::ClassRecall => about(
                "class_recall",
                "Class recall",
                "share of the small jobs that were taken for small",
                "small and taken for it / small",
                "",
                High,
                "CLASSIFY §4.3",
            ),
            Metric::FalseLarge => about(
                "class_false_large",
                "False large",
                "small jobs that were taken for large, as a share of all jobs; the first week does not count",
                "small and taken for large / jobs",
                "",
                Low,
                "CLASSIFY §4.3.2",
            ),
            Metric::FalseSmall => about(
                "class_false_small",
                "False small",
                "large jobs that were taken for small, as a share of all jobs; the first week does not count",
                "large and taken for small / jobs",
                "",
                Low,
                "CLASSIFY §4.3.2",
            ),
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.about().id)
    }
}

impl FromStr for Metric {
    type Err = UnknownId;

    fn from_str(id: &str) -> Result<Self, UnknownId> {
        let found = Metric::ALL.iter().find(|m| m.about().id == id).copied();
        found.ok_or_else(|| UnknownId::entry("metric", id, Metric::ALL.iter().map(|m| m.about().id)))
    }
}

crate::serde_as_text!(Metric);

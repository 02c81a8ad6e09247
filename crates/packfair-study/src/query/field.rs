//! The fields of a job, one entry each. Searching, sorting, the table of jobs and the file of jobs are made from them.

use super::JobOutcome;
use super::jobs::SimulatedJob;
use packfair_engine::classifier::Because;
use packfair_workload::UnitText;
use serde::{Deserialize, Serialize};

/// Bound of the slowdown, seconds, as in METRICS.
const SLOWDOWN_BOUND: f64 = 10.0;

/// On what the value of a field depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldOf {
    /// On the job alone, whatever ran it.
    Job,
    /// On the job and a run.
    Run,
    /// On two runs: the value compares the second with the first.
    Both,
}

/// The kind of a field's values, which determines how they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// A number that identifies something.
    Number,
    /// A number that may have a name, under this label of the log's header; -1 where it is not known.
    Named(&'static str),
    /// A count.
    Count,
    /// A ratio.
    Ratio,
    /// A span of time, seconds.
    Span,
    /// A span of time that may be negative and is shown with its sign, seconds.
    Change,
    /// A moment, seconds of the log's clock.
    Moment,
    /// A share, shown in percent.
    Share,
    /// A class: 0 for small, 1 for large.
    Class,
}

/// When the table of jobs has a column for a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldShown {
    /// In every table.
    Always,
    /// Where starts were guaranteed.
    Promises,
    /// Where fair start times were computed.
    FairStarts,
    /// Where jobs can be killed.
    Kills,
    /// Where jobs were told apart by size.
    Classes,
    /// In no table: the field is only for searches and files.
    Never,
}

/// The description of a field.
#[derive(Clone, Copy, Debug)]
pub struct AboutField {
    /// The names of the field in searches. Messages and files use the first one. For a field of a run, a 1 or 2 behind
    /// the name selects the run.
    pub ids: &'static [&'static str],
    /// Heading of its column.
    pub name: &'static str,
    /// What it means, in one line.
    pub help: UnitText,
    /// The kind of its values.
    pub kind: FieldKind,
    /// On what its value depends.
    pub of: FieldOf,
    /// When the table has a column for it.
    pub shown: FieldShown,
}

/// Makes the enumeration of fields from the entries, with the description and the value of each.
macro_rules! fields {
    ($($(#[doc = $doc:literal])+ $field:ident = $ids:expr, $name:literal, $of:ident, $kind:expr, $shown:ident, $help:literal, $value:expr;)+) => {
        /// A field of a job.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum JobField {
            $($(#[doc = $doc])+ $field,)+
        }

        impl JobField {
            /// All fields, in the order of the table's columns.
            pub const ALL: &'static [JobField] = &[$(JobField::$field),+];

            /// The description of the field.
            pub fn about(self) -> AboutField {
                match self {
                    $(JobField::$field => AboutField {
                        ids: &$ids,
                        name: $name,
                        help: UnitText::new($help),
                        kind: $kind,
                        of: FieldOf::$of,
                        shown: FieldShown::$shown,
                    },)+
                }
            }

            /// The value of the field under the run of that index; `None` where it is not known. Whole numbers of a log
            /// are exact as `f64` up to 2^53.
            pub(super) fn value(self, job: &SimulatedJob<'_>, run: usize) -> Option<f64> {
                let value: fn(&SimulatedJob<'_>, usize) -> Option<f64> = match self {
                    $(JobField::$field => $value,)+
                };
                value(job, run)
            }
        }
    };
}

// Each entry: ids, heading, on what it depends, kind of values, when it is a column; then its help and its value.
fields! {
    /// Job number in the log.
    Number = ["job", "number"], "Job", Job, FieldKind::Number, Always,
        "Job number in the log",
        |job, _| Some(job.request.number as f64);
    /// Submit time.
    Submit = ["submit"], "Submit", Job, FieldKind::Moment, Always,
        "Submit time",
        |job, _| Some(job.request.submit as f64);
    /// Processors r.
    Processors = ["procs", "processors"], "Width", Job, FieldKind::Count, Always,
        "How many {units} it takes",
        |job, _| Some(f64::from(job.request.processors));
    /// Requested time L.
    Limit = ["limit", "requested"], "Requested", Job, FieldKind::Span, Always,
        "Requested time, seconds",
        |job, _| Some(job.request.limit as f64);
    /// Actual run time D.
    Run = ["run"], "Run", Job, FieldKind::Span, Always,
        "Actual run time, seconds",
        |job, _| Some(job.run as f64);
    /// User.
    User = ["user"], "User", Job, FieldKind::Named("User"), Always,
        "User",
        |job, _| Some(f64::from(job.request.user));
    /// Group.
    Group = ["group", "account"], "Group", Job, FieldKind::Named("Group"), Never,
        "Group",
        |job, _| Some(f64::from(job.request.group));
    /// Executable.
    Executable = ["app", "executable"], "Executable", Job, FieldKind::Number, Never,
        "Executable",
        |job, _| Some(f64::from(job.request.executable));
    /// Queue.
    Queue = ["queue", "qos"], "Queue", Job, FieldKind::Named("Queue"), Never,
        "Queue",
        |job, _| Some(f64::from(job.request.queue));
    /// Partition.
    Partition = ["partition"], "Partition", Job, FieldKind::Named("Partition"), Never,
        "Partition",
        |job, _| Some(f64::from(job.request.partition));
    /// Area r D.
    Area = ["area"], "Area", Job, FieldKind::Count, Never,
        "Width times run time, {unit}-seconds",
        |job, _| Some(f64::from(job.request.processors) * job.run as f64);
    /// Start of the execution that completed.
    Start = ["start"], "Start", Run, FieldKind::Moment, Always,
        "Start under this run",
        |job, run| Some(job.outcome(run)?.start as f64);
    /// Wait Q.
    Wait = ["wait"], "Wait", Run, FieldKind::Span, Always,
        "Wait under this run, seconds",
        |job, run| Some(job.wait(run)? as f64);
    /// Start that the job was guaranteed at submission.
    Promise = ["promise"], "Promised", Run, FieldKind::Moment, Promises,
        "Start that it was guaranteed when it was submitted",
        |job, run| Some(job.outcome(run)?.promise? as f64);
    /// Start less promised start.
    Delay = ["delay"], "Delay", Run, FieldKind::Change, Promises,
        "Start less promised start, seconds: below 0 it starts earlier",
        |job, run| Some(job.outcome(run)?.delay()? as f64);
    /// Strict fair start.
    StrictFairStart = ["fair"], "Fair start", Run, FieldKind::Moment, FairStarts,
        "Strict fair start: when it would have started, had nobody come after it",
        |job, run| Some(job.outcome(run)?.fair?.0 as f64);
    /// Strict unfairness.
    StrictUnfairness = ["unfair"], "Unfair", Run, FieldKind::Span, FairStarts,
        "Strict unfairness: how much later it starts than if nobody had come after it, seconds",
        |job, run| Some(job.outcome(run)?.strict_unfairness()? as f64);
    /// Relaxed fair start.
    RelaxedFairStart = ["relaxed_fair"], "Relaxed start", Run, FieldKind::Moment, FairStarts,
        "Relaxed fair start: the same, had it waited for the others queued at its arrival to start",
        |job, run| Some(job.outcome(run)?.fair?.1 as f64);
    /// Relaxed unfairness.
    RelaxedUnfairness = ["relaxed"], "Relaxed unfair", Run, FieldKind::Span, FairStarts,
        "Relaxed unfairness: the same, had it waited for the others queued at its arrival to start, seconds",
        |job, run| Some(job.outcome(run)?.relaxed_unfairness()? as f64);
    /// Hybrid fair start.
    HybridFairStart = ["hybrid_fair"], "Hybrid start", Run, FieldKind::Moment, FairStarts,
        "Hybrid fair start: when it would have started, had who waits got {units} in the order of arrival (FAIRNESS §5)",
        |job, run| Some(job.outcome(run)?.hybrid? as f64);
    /// Scheduler-independent fair start.
    IndependentFairStart = ["independent_fair"], "Indep. start", Run, FieldKind::Moment, FairStarts,
        "Scheduler-independent fair start: had Conservative scheduled all before it, and nobody backfilled from then on",
        |job, run| Some(job.outcome(run)?.independent? as f64);
    /// Class that the job was taken for.
    Class = ["class"], "Class", Run, FieldKind::Class, Classes,
        "Whether it was classified as small or large",
        |job, run| Some(if job.outcome(run)?.class?.class.is_small() { 0.0 } else { 1.0 });
    /// Share of the trees that took it for small.
    Votes = ["votes"], "Votes", Run, FieldKind::Share, Classes,
        "Share of the trees that say small",
        |job, run| votes(&job.outcome(run)?);
    /// Divider when the job was submitted.
    Divider = ["divider"], "Divider", Run, FieldKind::Span, Classes,
        "Run times below it were small when the job was submitted, seconds",
        |job, run| Some(job.outcome(run)?.class?.divider? as f64);
    /// Executions that were killed.
    Kills = ["killed", "kills"], "Killed", Run, FieldKind::Count, Kills,
        "How many of its executions were killed before the one that completed",
        |job, run| Some(f64::from(job.outcome(run)?.kills));
    /// Response time F.
    Response = ["response"], "Response", Run, FieldKind::Span, Never,
        "Response time: wait and run time, seconds",
        |job, run| Some(job.outcome(run)?.response() as f64);
    /// Bounded slowdown.
    Slowdown = ["slowdown"], "Slowdown", Run, FieldKind::Ratio, Never,
        "Response over run time of at least 10 s",
        |job, run| {
            let response = job.outcome(run)?.response() as f64;
            Some((response / (job.run as f64).max(SLOWDOWN_BOUND)).max(1.0))
        };
    /// Estimate E at submission.
    Estimate = ["estimate"], "Estimate", Run, FieldKind::Span, Never,
        "Estimate of its run time when it was submitted, seconds",
        |job, run| Some(job.outcome(run)?.estimate);
    /// Unweighted fair share less r D.
    EqualShare = ["equal_share", "share"], "Equal share less got", Run, FieldKind::Ratio, Never,
        "What an equal share of the {units} in use comes to, less its area, {unit}-seconds: above 0 it lacks so much",
        |job, run| Some(job.outcome(run)?.share?.0);
    /// Weighted fair share less r D.
    WidthShare = ["width_share"], "Share by width less got", Run, FieldKind::Ratio, Never,
        "The same of a share in proportion to its width (FAIRNESS §3.2)",
        |job, run| Some(job.outcome(run)?.share?.1);
    /// Wait under the run minus wait under the run beside it, which usually is its baseline.
    Difference = ["diff"], "Difference", Both, FieldKind::Change, Always,
        "Wait under the run minus wait under the one beside it, seconds: below 0 where the job waits less under the run",
        |job, _| Some((job.wait(0)? - job.wait(1)?) as f64);
}

/// The share of the trees that say small, where trees voted.
fn votes(outcome: &JobOutcome) -> Option<f64> {
    match outcome.because? {
        Because::Vote(vote) if vote.trees > 0 => Some(f64::from(vote.trees_for) / f64::from(vote.trees)),
        Because::Vote(vote) => Some(vote.small),
        _ => None,
    }
}

/// A field under one of the shown runs, as a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobColumn {
    /// The field.
    pub field: JobField,
    /// The index of the run; without meaning for fields that do not depend on a run.
    pub run: usize,
}

impl JobField {
    /// The column of the field under the run of that index.
    pub fn under(self, run: usize) -> JobColumn {
        JobColumn { field: self, run }
    }

    /// The fields whose values need a look at the whole schedule.
    pub(super) const OF_SHARES: [JobField; 2] = [JobField::EqualShare, JobField::WidthShare];

    /// The field with this name in searches, and its run.
    pub(super) fn named(name: &str) -> Option<JobColumn> {
        let find = |name: &str| {
            let is_so = |field: &&JobField| field.about().ids.iter().any(|id| id.eq_ignore_ascii_case(name));
            JobField::ALL.iter().find(is_so).copied()
        };
        let of_run = |digit: char, run: usize| {
            let field = find(name.strip_suffix(digit)?)?;
            (field.about().of == FieldOf::Run).then(|| field.under(run))
        };
        find(name).map(|field| field.under(0)).or_else(|| of_run('1', 0)).or_else(|| of_run('2', 1))
    }
}

impl From<JobField> for JobColumn {
    fn from(field: JobField) -> Self {
        field.under(0)
    }
}

impl JobColumn {
    /// The number of runs whose schedules the column needs.
    pub fn runs(self) -> usize {
        match self.field.about().of {
            FieldOf::Job => 0,
            FieldOf::Run => self.run + 1,
            FieldOf::Both => 2,
        }
    }

    /// The column's value for a job.
    pub(super) fn value_of(self, job: &SimulatedJob<'_>) -> Option<f64> {
        self.field.value(job, self.run)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_is_found_by_its_names_alone() {
        for &field in JobField::ALL {
            for id in field.about().ids {
                assert_eq!(JobField::named(id), Some(field.under(0)), "{id}");
                let second = JobField::named(&format!("{id}2"));
                assert_eq!(second, (field.about().of == FieldOf::Run).then(|| field.under(1)), "{id}2");
            }
        }
        assert_eq!(JobField::named("Wait1"), Some(JobField::Wait.under(0)));
        assert_eq!(JobField::named("user2"), None);
        assert_eq!(JobField::named("2"), None);
    }

    #[test]
    fn a_column_needs_the_schedules_of_its_runs() {
        let needed = [JobField::User.under(0), JobField::Wait.under(0), JobField::Wait.under(1)].map(JobColumn::runs);
        assert_eq!(needed, [0, 1, 2]);
        assert_eq!(JobColumn::from(JobField::Difference).runs(), 2);
    }
}

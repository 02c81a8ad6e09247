//! Which jobs count.

use super::{Grouping, Outcome};
use crate::workload::{Clock, Header, Request, Seconds, Workload, width_class};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Which jobs count in metrics, by when they complete.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Counted {
    /// Every job.
    All,
    /// All but those that complete at the very last completion time, as METRICS' and CP's tables.
    #[default]
    Metrics,
    /// Without jobs that complete after the last submission, and without the first 1 % to complete.
    Steady,
}

crate::named!(Counted, "way of counting", {
    All => "all", "All", "Every job";
    Metrics => "metrics", "As METRICS", "All but those that complete at the very last moment, as in METRICS' and CP's tables";
    Steady => "steady", "Steady state", "Without the first 1 % to complete, and without those that complete after the last \
        submission";
});

/// A group of jobs: of one user, of one queue, of a class of widths or run times.
///
/// All jobs are simulated; only these count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CountedGroup {
    /// By what jobs are grouped.
    pub by: Grouping,
    /// Which group, as [`GroupWaits::group`](super::GroupWaits::group).
    pub group: i64,
}

impl CountedGroup {
    /// The group of a job with this run time, seconds.
    pub fn of_job(by: Grouping, request: &Request, run: Seconds, clock: &Clock) -> Self {
        CountedGroup { by, group: by.of_request(request, run, clock) }
    }

    /// Whether a job with this run time, seconds, is one of the group.
    pub fn has(self, request: &Request, run: Seconds, clock: &Clock) -> bool {
        self.by.of_request(request, run, clock) == self.group
    }

    /// Those of `jobs`, which are jobs of `workload`, that are of the group.
    pub(super) fn retain(self, workload: &Workload, jobs: &mut Vec<Outcome>) {
        let clock = Clock::of_workload(workload);
        jobs.retain(|outcome| self.by.of(workload, &clock, outcome.job) == self.group);
    }

    /// Reads `user=12`, `queue=short`, `width=64` (the class that has this width), `runtime=3600` (the class that has
    /// these seconds), `hour=9` or `week=1` (the log's first). Names are those of the log's header.
    ///
    /// # Errors
    /// What it takes, for a person.
    pub fn read(text: &str, header: &Header) -> Result<Self, String> {
        let kinds = || Grouping::ALL.map(Grouping::id).join(", ");
        let (by, which) = text.split_once('=').ok_or_else(|| format!("one of {} with =, as in user=12", kinds()))?;
        let by: Grouping = by.trim().parse().map_err(|_| format!("one of {} with =, as in user=12", kinds()))?;
        let which = which.trim();
        let named = by.header_label().and_then(|label| header.number_of(label, which)).map(i64::from);
        // -1 is who is not known
        let least = match by {
            Grouping::Week => 1,
            _ if by.header_label().is_some() => -1,
            _ => 0,
        };
        let number = named.or_else(|| which.parse().ok()).filter(|&number| number >= least);
        let number = number.ok_or_else(|| match by.header_label() {
            Some(_) => format!("after {by}= a number, or a name of this log"),
            None => format!("after {by}= a number"),
        })?;
        let group = match by {
            Grouping::Width => width_class(u32::try_from(number).unwrap_or(u32::MAX).max(1)).into(),
            Grouping::RunTime => Grouping::class_of_run(number),
            Grouping::RunTimeDynp => Grouping::dynp_class_of_run(number),
            Grouping::Week => number - 1,
            Grouping::Hour if number > 23 => return Err("after hour= a number from 0 to 23".to_owned()),
            _ => number,
        };
        Ok(CountedGroup { by, group })
    }
}

/// As [`CountedGroup::read`] reads it.
impl fmt::Display for CountedGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.by, self.by.first_of(self.group))
    }
}

/// Which jobs count: by when they complete, and of which group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CountedJobs {
    /// By when they complete.
    pub counted: Counted,
    /// Of which group; none: of all.
    pub only: Option<CountedGroup>,
}

impl CountedJobs {
    /// Those that count, in log order. `all` is what became of the jobs of `workload`, in log order. Completions are
    /// looked at first, so that a group's jobs are the same whatever else is counted.
    pub fn of(self, workload: &Workload, all: &[Outcome]) -> Vec<Outcome> {
        let end = workload.life().map(|life| life.span.1);
        let mut kept = by_completion(all, self.counted, end);
        if let Some(end) = end {
            // the interval is the log's, however long its users take
            kept.retain(|outcome| outcome.submit <= end);
        }
        if workload.initial() > 0 {
            kept.retain(|outcome| outcome.job.index() >= workload.initial());
        }
        if let Some(group) = self.only {
            group.retain(workload, &mut kept);
        }
        kept
    }
}

/// `end` is when measuring ends, where that is not with the last submission.
fn by_completion(all: &[Outcome], counted: Counted, end: Option<Seconds>) -> Vec<Outcome> {
    match counted {
        Counted::All => all.to_vec(),
        Counted::Metrics => {
            let last = all.iter().map(Outcome::completion).max();
            all.iter().filter(|job| Some(job.completion()) < last).copied().collect()
        }
        Counted::Steady => {
            let Some((warm, last)) = steady_window(all) else { return Vec::new() };
            let last = end.unwrap_or(last);
            let inside = |&(i, job): &(usize, &Outcome)| (job.completion(), i) >= warm && job.completion() <= last;
            all.iter().enumerate().filter(inside).map(|(_, job)| *job).collect()
        }
    }
}

/// The steady part of a schedule (Tsafrir et al. 2007): the completion with which it begins, as
/// (time, index in `all`), once the first 1 % of jobs (rounded down) have completed, ties in log
/// order; and the last submission, with which it ends. None if there is no job.
pub(super) fn steady_window(all: &[Outcome]) -> Option<((Seconds, usize), Seconds)> {
    let last = all.iter().map(|job| job.submit).max()?;
    let mut completions: Vec<_> = all.iter().enumerate().map(|(i, job)| (job.completion(), i)).collect();
    let dropped = completions.len() / 100;
    let (_, &mut first, _) = completions.select_nth_unstable(dropped);
    Some((first, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        Header { labels: vec![("User".to_owned(), "3 ann".to_owned()), ("Queue".to_owned(), "1 short".to_owned())] }
    }

    #[test]
    fn a_group_is_read_as_it_is_written() {
        let header = header();
        for (text, written) in [
            ("user=ann", "user=3"),
            ("user=7", "user=7"),
            ("queue = short", "queue=1"),
            ("width=40", "width=33"),
            ("runtime=5000", "runtime=3600"),
            ("hour=9", "hour=9"),
            ("week=1", "week=1"),
            ("partition=-1", "partition=-1"),
        ] {
            let group = CountedGroup::read(text, &header).unwrap();
            assert_eq!(group.to_string(), written);
            assert_eq!(CountedGroup::read(written, &header), Ok(group));
        }
        for wrong in
            ["", "ann", "colour=3", "user=", "user=bob", "user=-2", "width=-1", "width=wide", "hour=24", "week=0"]
        {
            assert!(CountedGroup::read(wrong, &header).is_err(), "{wrong}");
        }
    }
}

//! Which jobs count.

use super::sums::ratio;
use super::{Grouping, Measure, Outcome, job_counts};
use crate::model::Schedule;
use packfair_workload::{Clock, Header, JobId, Request, Seconds, Workload, width_class};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Which jobs count in metrics, by their completion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Counted {
    All,
    /// All jobs except those that complete at the very last completion time, as in the tables of METRICS and CP.
    #[default]
    Metrics,
    /// The steady part: without jobs that complete after the last submission, and without the first 1 % to complete.
    Steady,
}

packfair_base::named!(Counted, "way of counting", {
    All => "all", "All", "Every job";
    Metrics => "metrics", "As METRICS", "All but those that complete at the very last moment, as in METRICS' and CP's tables";
    Steady => "steady", "Steady state", "Without the first 1 % to complete, and without those that complete after the last \
        submission";
});

/// A group of jobs, such as those of one user, of one queue, or of a class of widths or run times.
///
/// All jobs are simulated; only those of the group count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CountedGroup {
    pub by: Grouping,
    /// The group, as in [`GroupWaits::group`](super::GroupWaits::group).
    pub group: i64,
}

impl CountedGroup {
    pub fn of_job(by: Grouping, request: &Request, run: Seconds, clock: &Clock) -> Self {
        CountedGroup { by, group: by.of_request(request, run, clock) }
    }

    pub fn has(self, request: &Request, run: Seconds, clock: &Clock) -> bool {
        self.by.of_request(request, run, clock) == self.group
    }

    /// A test whether the job of an outcome is of the group.
    pub(super) fn test(self, workload: &Workload) -> impl Fn(&Outcome) -> bool {
        let clock = Clock::of_workload(workload);
        move |outcome| self.by.of(workload, &clock, outcome.job) == self.group
    }

    /// Reads a group: `user=12`, `queue=short`, `width=64` (the class with this width), `runtime=3600` (the class with
    /// these seconds), `hour=9` or `week=1` (the log's first week). Names are those of the log's header, and so may be the
    /// word for the kind of group: `qos=long`.
    ///
    /// # Errors
    /// A message for a person on what is allowed.
    pub fn read(text: &str, header: &Header) -> Result<Self, String> {
        let kinds = || Grouping::ALL.map(Grouping::id).join(", ");
        let (by, which) = text.split_once('=').ok_or_else(|| format!("one of {} with =, as in user=12", kinds()))?;
        let by =
            Grouping::read(by.trim(), header).ok_or_else(|| format!("one of {} with =, as in user=12", kinds()))?;
        let which = which.trim();
        let named = by.header_label().and_then(|label| header.number_of(label, which)).map(i64::from);
        // -1 stands for an unknown one.
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

/// The text form, which [`CountedGroup::read`] reads.
impl fmt::Display for CountedGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.by, self.by.first_of(self.group))
    }
}

/// Which jobs count: by their completion, and by group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CountedJobs {
    pub counted: Counted,
    /// The group whose jobs count; `None` for all jobs.
    pub only: Option<CountedGroup>,
}

impl CountedJobs {
    /// The jobs that count, in log order. `all` are the outcomes of the jobs of `workload`, in log order. Completions
    /// are checked before the group, so that choosing a group does not change which completions are left out.
    pub fn of(self, workload: &Workload, all: &[Outcome]) -> Vec<Outcome> {
        let which = self.which(workload, all);
        all.iter().zip(which).filter(|(_, is_counted)| *is_counted).map(|(outcome, _)| *outcome).collect()
    }

    /// Whether each of these jobs counts, of which [`CountedJobs::of`] takes those that do.
    pub(super) fn which(self, workload: &Workload, all: &[Outcome]) -> Vec<bool> {
        let end = workload.life().map(|life| life.span.1);
        let has_running = workload.still_running().next().is_some();
        let has_ended = |outcome: &Outcome| !has_running || !workload.still_ran(outcome.job);
        let ended = all.iter().enumerate().filter(|(_, outcome)| has_ended(outcome));
        let mut which = by_completion(ended, all.len(), self.counted, end);
        let mut keep = |is_kept: &dyn Fn(&Outcome) -> bool| {
            let counted = which.iter_mut().zip(all).filter(|(is_counted, _)| **is_counted);
            counted.for_each(|(is_counted, outcome)| *is_counted = is_kept(outcome));
        };
        if let Some(end) = end {
            // The span is that of the log, however long users who react take.
            keep(&|outcome| outcome.submit <= end);
        }
        if workload.initial() > 0 {
            keep(&|outcome| outcome.job.index() >= workload.initial());
        }
        if let Some(group) = self.only {
            keep(&group.test(workload));
        }
        which
    }
}

/// Whether each of so many jobs counts by its completion; `ended` are those that have ended, with their places. `end` is the
/// end of measuring, if that is not the last submission.
fn by_completion<'a>(
    ended: impl Iterator<Item = (usize, &'a Outcome)> + Clone,
    jobs: usize,
    counted: Counted,
    end: Option<Seconds>,
) -> Vec<bool> {
    let mut which = vec![false; jobs];
    match counted {
        Counted::All => ended.for_each(|(at, _)| which[at] = true),
        Counted::Metrics => {
            let last = ended.clone().map(|(_, job)| job.completion()).max();
            ended.for_each(|(at, job)| which[at] = Some(job.completion()) < last);
        }
        Counted::Steady => {
            if let Some((warm, last)) = steady_window(ended.clone()) {
                let last = end.unwrap_or(last);
                ended.for_each(|(at, job)| {
                    which[at] = (job.completion(), at) >= warm && job.completion() <= last;
                });
            }
        }
    }
    which
}

/// The steady part of a schedule (Tsafrir et al. 2007). It begins with the completion after which the first 1 % of jobs
/// (rounded down) have completed, given as (time, place), with ties in the order of the places. It ends with the last
/// submission. `None` if there is no job.
pub(super) fn steady_window<'a>(
    all: impl Iterator<Item = (usize, &'a Outcome)> + Clone,
) -> Option<((Seconds, usize), Seconds)> {
    let last = all.clone().map(|(_, job)| job.submit).max()?;
    let mut completions: Vec<_> = all.map(|(at, job)| (job.completion(), at)).collect();
    let dropped = completions.len() / 100;
    let (_, &mut first, _) = completions.select_nth_unstable(dropped);
    Some((first, last))
}

// The outcomes of a schedule as one list, so that a job that counts is not held twice.

pub(super) struct CountedOutcomes {
    /// Those that count, then the others; each in log order.
    list: Vec<Outcome>,
    counted: usize,
    /// Those that count, with the sizes that weights use where these are not their processors.
    sized: Option<Vec<Outcome>>,
}

impl CountedOutcomes {
    pub(super) fn of(workload: &Workload, schedule: &Schedule, measure: &Measure) -> Self {
        let mut list = job_counts::outcomes(workload, schedule);
        let count = measure.jobs().which(workload, &list);
        let mut others = Vec::new();
        let mut counts = count.into_iter();
        list.retain(|outcome| {
            let is_counted = counts.next().unwrap_or_default();
            others.extend((!is_counted).then_some(*outcome));
            is_counted
        });
        let counted = list.len();
        list.extend(others);
        let sized = workload.cluster().map(|cluster| {
            let sized = |job: &Outcome| {
                let processors = cluster.demands.size(workload.record(job.job)).unwrap_or(job.processors);
                Outcome { processors, ..*job }
            };
            list[..counted].iter().map(sized).collect()
        });
        CountedOutcomes { list, counted, sized }
    }

    /// The jobs that count, in log order.
    pub(super) fn counted(&self) -> &[Outcome] {
        self.sized.as_deref().unwrap_or(&self.list[..self.counted])
    }

    /// All jobs, in no certain order, for what does not depend on it.
    pub(super) fn all(&self) -> &[Outcome] {
        &self.list
    }

    /// All jobs in log order.
    pub(super) fn in_log_order(&self) -> impl Iterator<Item = &Outcome> + Clone {
        let (mut counted, mut others) = self.list.split_at(self.counted);
        std::iter::from_fn(move || {
            let is_other = others.first().is_some_and(|other| counted.first().is_none_or(|next| other.job < next.job));
            let from = if is_other { &mut others } else { &mut counted };
            let (first, rest) = from.split_first()?;
            *from = rest;
            Some(first)
        })
    }
}

// Executions that were killed (CLASSIFY §5.2): how many, and what they cost.

/// A killed execution and its processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KilledRun {
    pub job: JobId,
    pub processors: u32,
    pub start: Seconds,
    pub end: Seconds,
    /// How much of that time it was suspended.
    pub suspended: Seconds,
}

impl KilledRun {
    /// Lost processor-seconds.
    fn area(&self) -> i128 {
        i128::from(self.processors) * i128::from(self.end - self.start - self.suspended)
    }
}

/// The killed executions of a schedule.
pub fn killed_runs(workload: &Workload, schedule: &Schedule) -> Vec<KilledRun> {
    let suspensions = schedule.suspensions();
    let run = |killed: &crate::model::Execution| KilledRun {
        job: killed.job,
        processors: workload.request(killed.job).processors,
        start: killed.start,
        end: killed.end,
        suspended: suspensions.seconds(killed.job, killed.start, killed.end),
    };
    schedule.killed.iter().map(run).collect()
}

/// Number of killed executions.
pub fn kills(killed: &[KilledRun]) -> f64 {
    killed.len() as f64
}

/// Number of jobs that were killed at least once.
pub fn jobs_killed(killed: &[KilledRun]) -> f64 {
    let mut jobs: Vec<JobId> = killed.iter().map(|run| run.job).collect();
    jobs.sort_unstable();
    jobs.dedup();
    jobs.len() as f64
}

/// Processor-seconds of killed executions.
pub fn lost_area(killed: &[KilledRun]) -> i128 {
    killed.iter().map(KilledRun::area).sum()
}

/// Processor-seconds of killed executions, as a share of those of completed executions.
pub fn lost_share(killed: &[KilledRun], completed: &[Outcome]) -> Option<f64> {
    let useful: i128 = completed.iter().map(|job| i128::from(job.processors) * i128::from(job.run)).sum();
    ratio(lost_area(killed) as f64, useful as f64)
}

/// Processor-seconds of killed executions within [begin, end).
pub fn lost_area_within(killed: &[KilledRun], begin: Seconds, end: Seconds) -> i128 {
    let inside = |run: &KilledRun| (run.end.min(end) - run.start.max(begin)).max(0);
    killed.iter().map(|run| i128::from(run.processors) * i128::from(inside(run))).sum()
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

#[cfg(test)]
mod counted_outcomes_tests {
    use super::*;
    use crate::metric::{Counted, outcomes};
    use packfair_workload::testing;

    #[test]
    fn those_that_count_and_the_others_are_all_jobs_in_log_order() {
        let jobs: Vec<_> = (0..200).map(|at| (at * 3, 1, 1 + at * 37 % 100, 100)).collect();
        let workload = testing::jobs(8, &jobs);
        let schedule = Schedule::of_starts(&workload, (0..200).map(|at| at * 3 + at % 7 * 50).collect());
        let plain = outcomes(&workload, &schedule);
        for counted in Counted::ALL {
            let measure = Measure { counted, ..Measure::default() };
            let one = CountedOutcomes::of(&workload, &schedule, &measure);
            assert_eq!(one.counted(), measure.jobs().of(&workload, &plain));
            assert_eq!(one.in_log_order().copied().collect::<Vec<_>>(), plain);
            assert_eq!(one.all().len(), plain.len());
            assert_eq!(one.counted().len() < plain.len(), counted != Counted::All, "{counted}");
        }
    }
}

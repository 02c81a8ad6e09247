//! The size of the cluster and where it is known from.

use super::{JobId, Log, Seconds, Workload};
use packfair_base::machine::ExpectedPower;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub use packfair_base::machine::MOST_PROCESSORS;

/// A cluster of identical processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Number of processors R, at least 1.
    pub processors: u32,
    pub source: MachineSource,
}

/// Where the machine's size is known from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MachineSource {
    MaxProcs,
    /// The header's `MaxNodes`, where there is no `MaxProcs`.
    MaxNodes,
    /// The widest job of the log, where the header has no usable size.
    WidestJob,
    Given,
    /// The most processors that jobs held at once, by the log's own starts. Used where the header has no usable size,
    /// or only that of all partitions while some are selected.
    TakenAtOnce {
        /// The first time when they held as many, seconds of the log.
        at: Seconds,
    },
    /// The log is of a public data set whose machine is known.
    DataSet,
}

impl MachineSource {
    /// The source in words, to follow "100 processors, ".
    pub fn describe(self) -> &'static str {
        match self {
            MachineSource::MaxProcs => "from MaxProcs in the header",
            MachineSource::MaxNodes => "from MaxNodes in the header (no MaxProcs)",
            MachineSource::WidestJob => "assumed: the width of the widest job (no usable size in the header)",
            MachineSource::Given => "as given",
            MachineSource::TakenAtOnce { .. } => "assumed: the most that jobs held at once by the log's own starts",
            MachineSource::DataSet => "as known of the data set's machine",
        }
    }
}

// When a machine was down, as far as its log lets one guess.

/// The shortest stretch that counts, seconds.
const AT_LEAST: Seconds = 3600;

/// Stretches of at least an hour in which, by the log's own starts, jobs waited but none ran. Each is a pair of times:
/// from when nothing ran and a job waited, to the next start. Empty where the log does not tell every start.
pub fn down_times(workload: &Workload) -> Vec<(Seconds, Seconds)> {
    let times = |job| {
        let (submit, wait) = (workload.request(job).submit, workload.logged_wait(job)?);
        Some((submit + wait, submit, submit + wait + workload.run(job)))
    };
    // in the order of their starts
    let Some(mut jobs) = workload.jobs().map(times).collect::<Option<Vec<_>>>() else { return Vec::new() };
    jobs.sort_unstable();
    // for each job, the first submission of those that start then or later: that job waits at least until then
    let mut earliest = vec![Seconds::MAX; jobs.len()];
    let mut first = Seconds::MAX;
    for (place, &(_, submit, _)) in jobs.iter().enumerate().rev() {
        first = first.min(submit);
        earliest[place] = first;
    }
    let mut found = Vec::new();
    let mut idle_since = Seconds::MAX;
    for (&(start, _, end), waiting_since) in jobs.iter().zip(earliest) {
        let from = idle_since.max(waiting_since);
        if idle_since < start && start.saturating_sub(from) >= AT_LEAST {
            found.push((from, start));
        }
        idle_since = if idle_since == Seconds::MAX { end } else { idle_since.max(end) };
    }
    found
}

// What jobs drew, where their log tells it (docs/power.md).

/// Nanowatts in a milliwatt.
const NANO: f64 = 1e6;

impl JobPower {
    /// What the log tells of the jobs of a workload; none where it tells nothing of any of them.
    pub fn of_log(workload: &Workload, log: &Log) -> Option<Self> {
        if log.beyond.milliwatts.is_empty() {
            return None;
        }
        let mut each = vec![-1.0; log.records.len()];
        let mut is_any = false;
        for job in workload.jobs() {
            let record = workload.record(job);
            if let Some(&drawn) = log.beyond.milliwatts.get(record).filter(|&&drawn| drawn > 0) {
                each[record] = drawn as f64 * NANO / f64::from(workload.request(job).processors);
                is_any = true;
            }
        }
        is_any.then_some(JobPower { each })
    }

    /// What a job drew, nanowatts, where that is known.
    pub fn of(&self, workload: &Workload, job: JobId) -> Option<i64> {
        let each = self.each(workload.record(job))?;
        Some((each * f64::from(workload.request(job).processors)).round() as i64)
    }

    /// What is expected that each job draws, nanowatts, in log order; none where the nameplate of its nodes counts.
    pub fn expected(&self, workload: &Workload, by: ExpectedPower) -> Vec<Option<i64>> {
        match by {
            ExpectedPower::Nameplate => vec![None; workload.len()],
            ExpectedPower::Actual => workload.jobs().map(|job| self.of(workload, job)).collect(),
            ExpectedPower::History => self.by_history(workload),
        }
    }

    /// For each job the mean of what the user's last two jobs drew for each processor, times its own, of those that by
    /// the log had ended as it was submitted.
    fn by_history(&self, workload: &Workload) -> Vec<Option<i64>> {
        let mut ended: BinaryHeap<Reverse<(Seconds, JobId)>> = BinaryHeap::new();
        let mut last: FxHashMap<i32, [Option<f64>; 2]> = FxHashMap::default();
        let mut expected = Vec::with_capacity(workload.len());
        for job in workload.jobs() {
            let request = workload.request(job);
            while let Some(&Reverse((end, other))) = ended.peek().filter(|Reverse((end, _))| *end <= request.submit) {
                debug_assert!(end <= request.submit);
                ended.pop();
                if let Some(each) = self.each(workload.record(other)) {
                    let own = last.entry(workload.request(other).user).or_default();
                    *own = [own[1], Some(each)];
                }
            }
            let known = last.get(&request.user).map_or([None, None], |own| *own);
            let (sum, count) = known.into_iter().flatten().fold((0.0, 0.0), |(sum, n), each| (sum + each, n + 1.0));
            let mean = (count > 0.0).then(|| sum / count);
            expected.push(mean.map(|each| (each * f64::from(request.processors)).round() as i64));
            let start = request.submit + workload.logged_wait(job).unwrap_or(0);
            ended.push(Reverse((start + workload.run(job), job)));
        }
        expected
    }
}

impl Workload {
    /// What its jobs drew, where the log tells it of any.
    pub fn power(&self) -> Option<&JobPower> {
        self.power.as_deref()
    }

    /// Takes what the log tells of the power of its jobs.
    pub fn take_power(&mut self, log: &Log) {
        self.power = JobPower::of_log(self, log).map(std::sync::Arc::new);
    }
}

// What jobs drew, by the records of their log.

/// What jobs drew, for each processor that they held, nanowatts: so parts of a job that is split draw their share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobPower {
    /// By the record of the log; below 0 where it is not known.
    pub(super) each: Vec<f64>,
}

impl JobPower {
    /// What a job drew for each of its processors, nanowatts, where that is known.
    pub fn each(&self, record: usize) -> Option<f64> {
        self.each.get(record).copied().filter(|&each| each > 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cleaning, Filter, clean, reading};

    /// The down times of jobs with these submissions, waits and run times.
    fn down(jobs: &[(i64, i64, i64)]) -> Vec<(Seconds, Seconds)> {
        let line = |(n, (submit, wait, run)): (i32, &(i64, i64, i64))| {
            format!("{n} {submit} {wait} {run} 1 -1 -1 1 100000 -1 1 -1 -1 -1 -1 -1 -1 -1\n")
        };
        let text: String = (1..).zip(jobs).map(line).collect();
        let log = reading::read("log", text.as_bytes()).unwrap();
        down_times(&clean(&log, &Filter::default(), Cleaning::Metrics, Some(8)).unwrap())
    }

    #[test]
    fn nothing_runs_though_somebody_waits() {
        assert_eq!(down(&[(0, 0, 100), (50, 5_000, 100)]), [(100, 5_050)]);
        assert_eq!(down(&[(0, 0, 100), (2_000, 3_600, 100)]), [(2_000, 5_600)], "nobody waited before");
        assert_eq!(down(&[(0, 0, 100), (50, 3_649, 100)]), [], "below an hour");
        assert_eq!(down(&[(0, 0, 100), (9_000, 0, 100)]), [], "nobody waits");
        assert_eq!(down(&[(0, 0, 9_000), (50, 8_000, 100)]), [], "one runs");
        assert_eq!(
            down(&[(0, 0, 100), (50, 9_000, 10), (60, 5_000, 10)]),
            [(100, 5_060), (5_070, 9_050)],
            "who started later waited"
        );
        assert_eq!(
            down(&[(0, 0, 100), (50, 5_000, 100), (60, -1, 10)]),
            [],
            "one whose start is not told may have run"
        );
    }
}

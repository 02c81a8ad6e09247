//! What jobs drew, where their log tells it (docs/power.md).

use super::job_power::JobPower;
use super::{JobId, Log, Seconds, Workload};
use packfair_base::machine::ExpectedPower;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

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

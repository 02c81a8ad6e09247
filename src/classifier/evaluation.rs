//! How good a classifier is (CLASSIFY §5.2).

use super::{Class, Classified, Classifier, Weeks};
use crate::workload::{JobId, Seconds, Workload};

/// How jobs were classified, against what they turned out to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Confusion {
    /// Small jobs taken for small.
    pub true_small: u64,
    /// Large jobs taken for large.
    pub true_large: u64,
    /// Large jobs taken for small.
    pub false_small: u64,
    /// Small jobs taken for large.
    pub false_large: u64,
}

impl Confusion {
    /// Notes a job: what it was taken for, and what it is.
    pub fn note(&mut self, taken_for: Class, is: Class) {
        let count = match (taken_for, is) {
            (Class::Small, Class::Small) => &mut self.true_small,
            (Class::Large, Class::Large) => &mut self.true_large,
            (Class::Small, Class::Large) => &mut self.false_small,
            (Class::Large, Class::Small) => &mut self.false_large,
        };
        *count += 1;
    }

    /// Adds the jobs of another one.
    pub fn add(&mut self, other: &Confusion) {
        self.true_small += other.true_small;
        self.true_large += other.true_large;
        self.false_small += other.false_small;
        self.false_large += other.false_large;
    }

    /// How many jobs there are.
    pub fn jobs(&self) -> u64 {
        self.true_small + self.true_large + self.false_small + self.false_large
    }

    /// Share of jobs taken for what they are; `None` where there are no jobs, and so below.
    pub fn accuracy(&self) -> Option<f64> {
        share(self.true_small + self.true_large, self.jobs())
    }

    /// Share of small ones among the jobs taken for small.
    pub fn precision(&self) -> Option<f64> {
        share(self.true_small, self.true_small + self.false_small)
    }

    /// Share of those taken for small among the small jobs.
    pub fn recall(&self) -> Option<f64> {
        share(self.true_small, self.true_small + self.false_large)
    }

    /// Share of small jobs taken for large among all jobs.
    pub fn false_large_share(&self) -> Option<f64> {
        share(self.false_large, self.jobs())
    }

    /// Share of large jobs taken for small among all jobs.
    pub fn false_small_share(&self) -> Option<f64> {
        share(self.false_small, self.jobs())
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// How the jobs of each week were classified, from week 0 on, of which none count; nor do those without a divider.
/// `classified` is of each job of the workload, in log order.
pub fn weekly(workload: &Workload, classified: &[Classified]) -> Vec<Confusion> {
    let weeks = Weeks::of(workload);
    let mut weekly = Vec::new();
    for ((request, &run), classified) in workload.requests().iter().zip(workload.runs()).zip(classified) {
        let week = weeks.week(request.submit);
        if weekly.len() <= week {
            weekly.resize(week + 1, Confusion::default());
        }
        if let Some(divider) = classified.divider {
            weekly[week].note(classified.class, Class::of(run, divider));
        }
    }
    weekly
}

/// How the jobs of all weeks from `first` on were classified.
pub fn from_week(first: usize, weekly: &[Confusion]) -> Confusion {
    let mut all = Confusion::default();
    weekly.iter().skip(first).for_each(|week| all.add(week));
    all
}

/// What a classifier takes the jobs of a workload for, where they start at `starts` and none is killed.
pub fn replay(classifier: &mut dyn Classifier, workload: &Workload, starts: &[Seconds]) -> Vec<Classified> {
    // starts, and completions in the order of these, by time
    let mut by_start: Vec<JobId> = workload.jobs().collect();
    by_start.sort_by_key(|job| starts[job.index()]);
    let end = |job: JobId| starts[job.index()] + workload.run(job);
    let mut by_end = by_start.clone();
    by_end.sort_by_key(|&job| end(job));
    let (mut begun, mut ended) = (by_start.into_iter().peekable(), by_end.into_iter().peekable());
    let mut classified = Vec::with_capacity(workload.len());
    for job in workload.jobs() {
        let request = workload.request(job);
        let now = request.submit;
        loop {
            // at an instant jobs complete before others start
            let start = begun.peek().map(|job| starts[job.index()]).filter(|&start| start < now);
            match ended.peek().map(|&job| end(job)).filter(|&end| end < now) {
                Some(at) if start.is_none_or(|start| at <= start && starts[ended.peek().unwrap_or(&job).index()] < start) => {
                    if let Some(job) = ended.next() {
                        classifier.completed(job, workload.request(job), workload.run(job), at);
                    }
                }
                _ => match (start, begun.next_if(|_| start.is_some())) {
                    (Some(start), Some(job)) => classifier.started(job, start),
                    _ => break,
                },
            }
        }
        classified.push(classifier.classify(job, request, now));
    }
    classified
}

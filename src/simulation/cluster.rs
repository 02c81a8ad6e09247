//! The cluster as a scheduler sees it.

use crate::workload::{JobId, Seconds};

/// A job in the queue, as a scheduler sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waiting {
    /// Which job.
    pub job: JobId,
    /// Submit time s.
    pub submit: Seconds,
    /// Processors r.
    pub processors: u32,
    /// Current estimate E of the run time, seconds, above 0; fractional where it is distorted.
    pub estimate: f64,
}

impl Waiting {
    /// Estimated area r E, processor-seconds.
    pub fn area(&self) -> f64 {
        f64::from(self.processors) * self.estimate
    }
}

/// When a running job is expected to give its processors back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Release {
    /// Estimated end, start + E.
    pub at: f64,
    /// Processors that become free then.
    pub processors: u32,
    /// The running job.
    pub job: JobId,
}

/// The processors, who holds them, and until when (as far as estimates tell).
#[derive(Clone, Debug)]
pub struct Cluster {
    processors: u32,
    free: u32,
    now: Seconds,
    /// By estimated end, ties in log order.
    releases: Vec<Release>,
    /// Picked in the present round, in the order of picking.
    started: Vec<Waiting>,
    surprises: u64,
}

impl Cluster {
    /// An idle cluster.
    pub fn new(processors: u32) -> Self {
        Cluster {
            processors,
            free: processors,
            now: Seconds::MIN,
            releases: Vec::new(),
            started: Vec::new(),
            surprises: 0,
        }
    }

    /// Size of the machine, R.
    pub fn processors(&self) -> u32 {
        self.processors
    }

    /// Processors that nobody holds now.
    pub fn free(&self) -> u32 {
        self.free
    }

    /// The present instant.
    pub fn now(&self) -> Seconds {
        self.now
    }

    /// When running jobs are expected to end, soonest first, all later than now.
    ///
    /// A job that has outlived even its corrected estimate is taken to end a second from now
    /// (it always has whole seconds to go).
    pub fn releases(&self) -> impl Iterator<Item = Release> + '_ {
        let now = self.now as f64;
        let outlived = self.releases.partition_point(|r| r.at <= now);
        // distorted estimates may end within the second
        let within = outlived + self.releases[outlived..].partition_point(|r| r.at < now + 1.0);
        let late = self.releases[..outlived].iter().map(move |r| Release { at: now + 1.0, ..*r });
        let (soon, rest) = (&self.releases[outlived..within], &self.releases[within..]);
        soon.iter().copied().chain(late).chain(rest.iter().copied())
    }

    /// How often something happened so far that estimates did not foresee: a job ended before its
    /// estimate, or outlived it. As long as this does not change, plans made from estimates stand.
    pub fn surprises(&self) -> u64 {
        self.surprises
    }

    /// Starts a waiting job now.
    ///
    /// # Panics
    /// Where fewer processors are free than it needs: a scheduler's mistake.
    pub fn start(&mut self, job: Waiting) {
        assert!(job.processors <= self.free, "{job:?} was started with only {} processors free", self.free);
        self.free -= job.processors;
        self.insert(Release { at: self.now as f64 + job.estimate, processors: job.processors, job: job.job });
        self.started.push(job);
    }

    /// Moves to the instant `now`.
    pub(super) fn advance(&mut self, now: Seconds) {
        self.now = now;
    }

    /// All that happens at this instant before the round has happened.
    pub(super) fn settle(&mut self) {
        if self.releases.first().is_some_and(|r| r.at <= self.now as f64) {
            self.surprises += 1; // a job is overdue, and its end was put off once more
        }
    }

    /// Hands over the jobs picked since the last call.
    pub(super) fn take_started(&mut self, into: &mut Vec<Waiting>) {
        into.clear();
        into.append(&mut self.started);
    }

    /// A running job whose estimated end was `at` gives its processors back.
    pub(super) fn release(&mut self, job: JobId, at: f64) {
        let i = self.position(job, at);
        self.free += self.releases.remove(i).processors;
        if at != self.now as f64 {
            self.surprises += 1;
        }
    }

    /// A running job's estimated end moves from `from` to `to`.
    pub(super) fn correct(&mut self, job: JobId, from: f64, to: f64) {
        let i = self.position(job, from);
        let release = self.releases.remove(i);
        self.surprises += 1;
        self.insert(Release { at: to, ..release });
    }

    fn insert(&mut self, release: Release) {
        let i = self.releases.partition_point(|r| (r.at, r.job) < (release.at, release.job));
        self.releases.insert(i, release);
    }

    fn position(&self, job: JobId, at: f64) -> usize {
        let i = self.releases.partition_point(|r| (r.at, r.job) < (at, job));
        debug_assert_eq!(self.releases[i].job, job);
        i
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_come_soonest_first_even_where_a_job_has_outlived_its_estimate() {
        let mut cluster = Cluster::new(10);
        cluster.advance(0);
        for (job, estimate) in [(0, 5.0), (1, 5.4), (2, 6.5), (3, 6.0)] {
            cluster.start(Waiting { job: JobId(job), submit: 0, processors: 1, estimate });
        }
        cluster.advance(5);
        let releases: Vec<_> = cluster.releases().map(|release| (release.at, release.job.0)).collect();
        assert_eq!(releases, [(5.4, 1), (6.0, 0), (6.0, 3), (6.5, 2)]);
    }
}

//! Jobs under way when a log begins: the state in which a simulation finds the machine.
//!
//! A dump of a month has jobs that started before it and end within it. On an empty machine they would start at their
//! submissions, long before the dump, and be gone when it begins.

use super::{Log, Seconds, Workload};
use serde::{Deserialize, Serialize};

/// If no job of a log ends for this long after its first submission, seconds, the log is a dump that begins with jobs
/// under way. On a machine that begins empty a job would have ended by then.
const LONG: Seconds = 86_400;

/// What becomes of jobs that were submitted before the first moment of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum InitialJobs {
    /// Jobs that run at that moment hold their processors until they end, as in the log. Jobs that wait then wait from
    /// that moment on. Both are left out of averages.
    Held,
    /// They are ordinary jobs, which arrive when they were submitted.
    Ordinary,
}

packfair_base::named!(InitialJobs, "way of initial jobs", {
    Held => "held", "hold their part of the machine", "";
    Ordinary => "ordinary", "are jobs as all others", "";
});

impl InitialJobs {
    /// The choice that fits a log: held where the log is a dump of a batch system's accounting that begins with jobs
    /// under way.
    pub fn fitting(log: &Log) -> Self {
        let first = log.records.iter().map(|record| record.submit).min().unwrap_or(0);
        let is_dump = !log.beyond.ids.is_empty() && log.tells_starts();
        match first_end(log) {
            // where every job came before that, there is none that could count
            Some(end)
                if is_dump && end - first > LONG && log.records.iter().any(|job| job.submit >= end && job.run > 0) =>
            {
                InitialJobs::Held
            }
            _ => InitialJobs::Ordinary,
        }
    }
}

/// When the first job of a log ends. A dump begins about then: it has no job that ended before.
pub(super) fn first_end(log: &Log) -> Option<Seconds> {
    let ran = log.records.iter().filter(|record| record.run > 0 && record.wait >= 0);
    ran.map(|record| record.submit + record.wait + record.run).min()
}

impl Workload {
    /// Makes the jobs submitted before `moment` the workload's initial state; without `moment`, those submitted before
    /// the first job of `log` ends. `log` is what the workload was made of. Returns how many jobs hold processors at
    /// that moment, and how many wait.
    pub fn begin_at(&mut self, log: &Log, moment: Option<Seconds>) -> (usize, usize) {
        match moment.or_else(|| first_end(log)) {
            Some(moment) => self.take_initial(moment),
            None => (0, 0),
        }
    }
}

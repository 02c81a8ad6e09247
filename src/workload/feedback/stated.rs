//! Dependencies that a log states: which job another one came after (SWF fields 17 and 18).

use crate::workload::{JobId, Log, Seconds, Workload};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// A statement of a log: a job comes after another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stated {
    /// After which, as its number in the log.
    pub(super) after: i64,
    /// How long after that one's end; -1 where it is not said.
    pub(super) think: Seconds,
}

/// What became of the dependencies that a log states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatedCounts {
    /// Followed.
    pub followed: usize,
    /// On a job that is not in the workload.
    pub missing: usize,
    /// On the job itself.
    pub itself: usize,
    /// On a job that was submitted later: one of each circle is such.
    pub later: usize,
    /// On a job that had not ended when this one was submitted: the submission did not wait for it.
    pub contradicted: usize,
}

impl StatedCounts {
    /// All of them.
    pub fn all(&self) -> usize {
        self.followed + self.missing + self.itself + self.later + self.contradicted
    }
}

/// What `log` states of each job of a workload that was made of it; none where it states nothing.
pub(super) fn of_log(log: &Log, workload: &Workload) -> Vec<Option<Stated>> {
    let stated = |job: JobId| {
        let record = log.records.get(workload.record(job))?;
        // a copy of a job, of a user who is there besides, comes after copies
        let is_own = record.number == workload.request(job).number;
        (record.preceding > 0 && is_own).then_some(Stated { after: record.preceding, think: record.think })
    };
    workload.jobs().map(stated).collect()
}

/// A dependency on a job that comes before, with the time that the user thought.
pub(super) type OnJob = (JobId, Seconds);

/// Those that can be followed. `end` is when a job ended in the log, where that is known.
pub(super) fn followed(
    stated: &[Option<Stated>],
    workload: &Workload,
    end: impl Fn(JobId) -> Option<Seconds>,
) -> (Vec<Option<OnJob>>, StatedCounts) {
    let mut counts = StatedCounts::default();
    let mut numbers: FxHashMap<i64, JobId> = FxHashMap::default();
    if stated.iter().any(Option::is_some) {
        // where several jobs have a number, the one that came first has it
        for job in workload.jobs() {
            numbers.entry(workload.request(job).number).or_insert(job);
        }
    }
    let mut of_job = |job: JobId| {
        let Stated { after, think } = (*stated.get(job.index())?)?;
        let Some(&on) = numbers.get(&after) else {
            counts.missing += 1;
            return None;
        };
        let submit = workload.request(job).submit;
        let think = match end(on) {
            _ if on == job => {
                counts.itself += 1;
                return None;
            }
            _ if on > job => {
                counts.later += 1;
                return None;
            }
            Some(end) if end > submit => {
                counts.contradicted += 1;
                return None;
            }
            // the log's own times tell it to the second
            Some(end) => submit - end,
            None => think.max(0),
        };
        counts.followed += 1;
        Some((on, think))
    };
    let followed = workload.jobs().map(&mut of_job).collect();
    (followed, counts)
}

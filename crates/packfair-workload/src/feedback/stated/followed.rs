//! Which of the stated dependencies can be followed in a workload.

use super::{Stated, StatedAfter, StatedCounts};
use crate::{JobId, Seconds, Workload};
use rustc_hash::FxHashMap;

/// An earlier job on which another one depends, and the think time in between, seconds.
pub(in crate::feedback) type OnJob = (JobId, Seconds);

/// The dependencies that can be followed, in the order of their jobs, and how many of the others there are.
pub(in crate::feedback) struct Followed {
    each: Vec<(JobId, OnJob)>,
    pub(in crate::feedback) counts: StatedCounts,
}

impl Followed {
    pub(in crate::feedback) fn of(
        stated: &[Stated],
        workload: &Workload,
        end: impl Fn(JobId) -> Option<Seconds>,
    ) -> Self {
        let (mut each, mut counts) = (Vec::new(), StatedCounts::default());
        let copies = Copies::in_workload(stated, workload);
        for statement in stated {
            for &job in copies.of(statement.record) {
                match copies.on(job, statement, workload, &end) {
                    Ok(on) => {
                        counts.followed += 1;
                        each.push((job, on));
                    }
                    Err(why) => *why(&mut counts) += 1,
                }
            }
        }
        each.sort_unstable();
        each.dedup_by_key(|(job, (on, _))| (*job, *on));
        Followed { each, counts }
    }

    /// What a job comes after.
    pub(in crate::feedback) fn of_job(&self, job: JobId) -> impl Iterator<Item = OnJob> + '_ {
        let first = self.each.partition_point(|&(of, _)| of < job);
        self.each[first..].iter().take_while(move |&&(of, _)| of == job).map(|&(_, on)| on)
    }
}

/// The jobs of each record: one in a log, several where users were drawn with all that they submitted.
struct Copies(FxHashMap<u32, Vec<JobId>>);

/// The count to which a dependency that is not followed is added.
type Unfollowed = fn(&mut StatedCounts) -> &mut usize;

impl Copies {
    fn in_workload(stated: &[Stated], workload: &Workload) -> Self {
        let mut of: FxHashMap<u32, Vec<JobId>> = FxHashMap::default();
        for Stated { record, after, .. } in stated {
            of.entry(*record).or_default();
            if let StatedAfter::Record(on) = after {
                of.entry(*on).or_default();
            }
        }
        if !of.is_empty() {
            for job in workload.jobs() {
                of.get_mut(&(workload.record(job) as u32)).into_iter().for_each(|jobs| jobs.push(job));
            }
        }
        Copies(of)
    }

    fn of(&self, record: u32) -> &[JobId] {
        self.0.get(&record).map_or(&[], Vec::as_slice)
    }

    /// The job that `job` comes after by a statement, or the count of what cannot be followed.
    fn on(
        &self,
        job: JobId,
        statement: &Stated,
        workload: &Workload,
        end: impl Fn(JobId) -> Option<Seconds>,
    ) -> Result<OnJob, Unfollowed> {
        let record = match statement.after {
            StatedAfter::Record(record) if record == statement.record => return Err(|counts| &mut counts.itself),
            StatedAfter::Record(record) => record,
            StatedAfter::Missing => return Err(|counts| &mut counts.missing),
            StatedAfter::Other => return Err(|counts| &mut counts.other),
        };
        let of = |job: JobId| workload.request(job);
        // a copy comes after a copy of the same user. If the named job is of another user, both must exist once
        let is_meant = |&&on: &&JobId| of(on).user == of(job).user || self.is_one(statement.record, record);
        let named = self.of(record);
        let before = named.partition_point(|&on| on < job);
        let Some(&on) = named[..before].iter().rfind(is_meant) else {
            let is_later = named[before..].iter().any(|on| is_meant(&on));
            return Err(if is_later { |counts| &mut counts.later } else { |counts| &mut counts.missing });
        };
        let submit = of(job).submit;
        match end(on) {
            Some(end) if end > submit => Err(|counts| &mut counts.contradicted),
            // the log's own times give the think time to the second
            Some(end) => Ok((on, submit - end)),
            None => Ok((on, statement.think.max(0))),
        }
    }

    /// Whether each of two records has exactly one job.
    fn is_one(&self, record: u32, other: u32) -> bool {
        self.of(record).len() == 1 && self.of(other).len() == 1
    }
}

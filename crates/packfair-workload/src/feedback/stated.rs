//! Dependencies that a log states: which jobs another one came after (SWF fields 17 and 18, Slurm's and PBS's dependencies).

use crate::ties::NamedRecords;
use crate::{ComesAfter, JobId, Log, NamedJob, Record, Seconds, Workload};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A statement of a log: a job comes after something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stated {
    record: u32,
    after: StatedAfter,
    /// The think time that the log states, seconds; -1 where it states none.
    think: Seconds,
}

/// What a job comes after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum StatedAfter {
    Record(u32),
    /// The end of a job that the log does not have.
    Missing,
    Other,
}

/// What became of the dependencies that a log states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatedCounts {
    pub followed: usize,
    /// Dependencies on a job that is not in the workload.
    pub missing: usize,
    pub itself: usize,
    /// Dependencies on a job that was submitted later. Each cycle has one.
    pub later: usize,
    /// Dependencies on a job that had not ended when this one was submitted: the submission did not wait for it.
    pub contradicted: usize,
    /// Dependencies on something else than an end, such as the start of a job.
    pub other: usize,
}

impl StatedCounts {
    /// The number of all stated dependencies.
    pub fn all(&self) -> usize {
        self.followed + self.missing + self.itself + self.later + self.contradicted + self.other
    }
}

// Which of the stated dependencies can be followed in a workload.

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

// What a log states of the jobs of a workload.

/// The most tasks of an array that a job waits for: those that ended last in the log.
const MOST_TASKS: usize = 64;

/// What `log` states of the jobs of a workload that was made of it, in the order of its records.
#[inline(never)] // so that its code can be loaded later than that which every log needs
pub(in crate::feedback) fn of_log(log: &Log, workload: &Workload) -> Vec<Stated> {
    let told = &log.beyond.dependencies;
    let named = NamedRecords::in_log(log);
    let mut before: Option<Namesakes> = None;
    let mut stated = Vec::new();
    let mut push = |record: u32, after, think| stated.push(Stated { record, after, think });
    let latest = |name, than| named.latest(name, than, log).map_or(StatedAfter::Missing, StatedAfter::Record);
    let mut from = 0;
    for (record, of) in (0..).zip(&log.records) {
        if of.preceding > 0 {
            push(record, latest(NamedJob::Number(of.preceding), record), of.think);
        }
        while let Some(&(_, after)) = told.get(from).filter(|&&(at, _)| at <= record) {
            from += 1;
            match after {
                ComesAfter::End(name, _) => match named.array(name) {
                    Some(tasks) => {
                        last_tasks(tasks, log).iter().for_each(|&task| push(record, StatedAfter::Record(task), -1));
                    }
                    None => push(record, latest(name, record), -1),
                },
                ComesAfter::Namesakes => {
                    let before = before.get_or_insert_with(|| Namesakes::in_log(log, workload));
                    before.of(record).iter().for_each(|&namesake| push(record, StatedAfter::Record(namesake), -1));
                }
                ComesAfter::Start(..) | ComesAfter::Other => push(record, StatedAfter::Other, -1),
            }
        }
    }
    stated
}

/// The tasks of an array that are waited for: at most [`MOST_TASKS`], those that ended last.
fn last_tasks<'a>(tasks: &'a [u32], log: &Log) -> Cow<'a, [u32]> {
    if tasks.len() <= MOST_TASKS {
        return Cow::Borrowed(tasks);
    }
    let end = |record: &Record| record.submit + record.wait.max(0) + record.run.max(0);
    let mut last = tasks.to_vec();
    last.sort_by_key(|&task| std::cmp::Reverse(end(&log.records[task as usize])));
    last.truncate(MOST_TASKS);
    Cow::Owned(last)
}

/// For each record that comes after all its namesakes (Slurm's singleton), the records that it comes after.
struct Namesakes(FxHashMap<u32, Vec<u32>>);

impl Namesakes {
    fn in_log(log: &Log, workload: &Workload) -> Self {
        let is_alone: FxHashSet<u32> = {
            let namesakes = log.beyond.dependencies.iter().filter(|(_, after)| *after == ComesAfter::Namesakes);
            namesakes.map(|&(record, _)| record).collect()
        };
        let is_there: FxHashSet<u32> = workload.records().iter().copied().collect();
        let mut order: Vec<u32> = (0..log.records.len() as u32).filter(|record| is_there.contains(record)).collect();
        order.sort_by_key(|&record| (log.records[record as usize].submit, record));
        // by user and name: the records since the last one that came after its namesakes, and that one
        let mut since: FxHashMap<(i32, i32), Vec<u32>> = FxHashMap::default();
        let mut of = FxHashMap::default();
        for record in order {
            let Record { user, executable, .. } = log.records[record as usize];
            let since = since.entry((user, executable)).or_default();
            if is_alone.contains(&record) {
                of.insert(record, std::mem::take(since));
            }
            since.push(record);
        }
        Namesakes(of)
    }

    fn of(&self, record: u32) -> &[u32] {
        self.0.get(&record).map_or(&[], Vec::as_slice)
    }
}

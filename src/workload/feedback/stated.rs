//! Dependencies that a log states: which jobs another one came after (SWF fields 17 and 18, Slurm's and PBS's dependencies).

use crate::workload::{ComesAfter, JobId, Log, Record, Seconds, Workload};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

/// Of the tasks of an array that a job comes after, so many are waited for: those that ended last in the log.
const MOST_TASKS: usize = 64;

/// A statement of a log: a job comes after something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stated {
    /// Which job, by its record.
    record: u32,
    after: StatedAfter,
    /// How long after that one's end; -1 where it is not said.
    think: Seconds,
}

/// What a job comes after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum StatedAfter {
    /// The end of the job of a record.
    Record(u32),
    /// The end of a job that the log does not have.
    Missing,
    /// Something else than an end.
    Other,
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
    /// On something else than an end, such as the start of a job.
    pub other: usize,
}

impl StatedCounts {
    /// All of them.
    pub fn all(&self) -> usize {
        self.followed + self.missing + self.itself + self.later + self.contradicted + self.other
    }
}

/// What `log` states of the jobs of a workload that was made of it, in the order of its records.
#[inline(never)] // it comes later than what is called for each log
pub(super) fn of_log(log: &Log, workload: &Workload) -> Vec<Stated> {
    let told = &log.beyond.dependencies;
    let mut named = NamedRecords::in_log(log);
    let mut before: Option<Namesakes> = None;
    let mut stated = Vec::new();
    let mut push = |record: u32, after, think| stated.push(Stated { record, after, think });
    let mut from = 0;
    for (record, of) in (0..).zip(&log.records) {
        if of.preceding > 0 {
            push(record, named.latest(NameOfJob::Number(of.preceding), record, log), of.think);
        }
        while let Some(&(_, after)) = told.get(from).filter(|&&(at, _)| at <= record) {
            from += 1;
            match after {
                ComesAfter::Job(number) => match named.array(number, log) {
                    Some(tasks) => tasks.into_iter().for_each(|task| push(record, StatedAfter::Record(task), -1)),
                    None => push(record, named.latest(NameOfJob::Number(number), record, log), -1),
                },
                ComesAfter::Task(array, task) => {
                    push(record, named.latest(NameOfJob::Task(array, task), record, log), -1)
                }
                ComesAfter::Namesakes => {
                    let before = before.get_or_insert_with(|| Namesakes::in_log(log, workload));
                    before.of(record).iter().for_each(|&namesake| push(record, StatedAfter::Record(namesake), -1));
                }
                ComesAfter::Other => push(record, StatedAfter::Other, -1),
            }
        }
    }
    stated
}

/// The one job that each job comes after, by their records, as SWF has room for one (fields 17 and 18): of several that
/// which ended last in the log, and how long after its end this one was submitted; -1 where it was submitted before.
pub(in crate::workload) fn preceding(log: &Log) -> Vec<(u32, u32, Seconds)> {
    let end = |record: u32| {
        let Record { submit, wait, run, .. } = log.records[record as usize];
        submit + wait.max(0) + run.max(0)
    };
    let mut named = NamedRecords::in_log(log);
    let mut preceding: Vec<(u32, u32, Seconds)> = Vec::new();
    for &(record, after) in &log.beyond.dependencies {
        let latest = |name| match name {
            StatedAfter::Record(before) if before != record => Some(before),
            _ => None,
        };
        let before = match after {
            ComesAfter::Job(number) => match named.array(number, log) {
                Some(tasks) => tasks.into_iter().max_by_key(|&task| end(task)),
                None => latest(named.latest(NameOfJob::Number(number), record, log)),
            },
            ComesAfter::Task(array, task) => latest(named.latest(NameOfJob::Task(array, task), record, log)),
            ComesAfter::Namesakes | ComesAfter::Other => None,
        };
        let Some(before) = before else { continue };
        let think = (log.records[record as usize].submit - end(before)).max(-1);
        match preceding.last_mut().filter(|last| last.0 == record) {
            Some(last) if end(last.1) < end(before) => *last = (record, before, think),
            Some(_) => {}
            None => preceding.push((record, before, think)),
        }
    }
    preceding
}

/// By what a dependency names a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum NameOfJob {
    Number(i64),
    /// A task of an array.
    Task(i64, i64),
}

/// The records that are named by dependencies.
struct NamedRecords {
    /// In the order of their submissions.
    of: FxHashMap<NameOfJob, Vec<u32>>,
    /// The tasks of arrays, likewise.
    arrays: FxHashMap<i64, Vec<u32>>,
}

impl NamedRecords {
    fn in_log(log: &Log) -> Self {
        let (mut of, mut arrays): (FxHashMap<_, Vec<u32>>, FxHashMap<_, Vec<u32>>) = Default::default();
        for record in log.records.iter().filter(|record| record.preceding > 0) {
            of.entry(NameOfJob::Number(record.preceding)).or_default();
        }
        for (_, after) in &log.beyond.dependencies {
            match *after {
                ComesAfter::Job(number) => {
                    of.entry(NameOfJob::Number(number)).or_default();
                    arrays.entry(number).or_default();
                }
                ComesAfter::Task(array, task) => {
                    of.entry(NameOfJob::Task(array, task)).or_default();
                }
                ComesAfter::Namesakes | ComesAfter::Other => {}
            }
        }
        if !of.is_empty() {
            let put = |name, record: u32, of: &mut FxHashMap<_, Vec<u32>>| {
                of.get_mut(&name).into_iter().for_each(|named: &mut Vec<u32>| named.push(record));
            };
            for (place, record) in (0..).zip(&log.records) {
                put(NameOfJob::Number(record.number), place, &mut of);
            }
            for &(record, array, task) in &log.beyond.tasks {
                put(NameOfJob::Task(array, task), record, &mut of);
                arrays.get_mut(&array).into_iter().for_each(|tasks| tasks.push(record));
            }
            of.values_mut()
                .for_each(|named| named.sort_by_key(|&record| (log.records[record as usize].submit, record)));
        }
        arrays.retain(|_, tasks| !tasks.is_empty());
        NamedRecords { of, arrays }
    }

    /// The job of a name that was submitted last before another one; where each came later, any.
    fn latest(&self, name: NameOfJob, than: u32, log: &Log) -> StatedAfter {
        let submit = |record: u32| log.records[record as usize].submit;
        let named = self.of.get(&name).map_or(&[][..], Vec::as_slice);
        let before = named.partition_point(|&record| (submit(record), record) < (submit(than), than));
        let found = if before > 0 { named.get(before - 1) } else { named.first() };
        found.map_or(StatedAfter::Missing, |&record| StatedAfter::Record(record))
    }

    /// The tasks of an array, no more than count, where there is one of that number.
    fn array(&mut self, number: i64, log: &Log) -> Option<Vec<u32>> {
        let tasks = self.arrays.get_mut(&number)?;
        if tasks.len() > MOST_TASKS {
            let end = |record: &Record| record.submit + record.wait.max(0) + record.run.max(0);
            tasks.sort_by_key(|&task| std::cmp::Reverse(end(&log.records[task as usize])));
            tasks.truncate(MOST_TASKS);
        }
        Some(tasks.clone())
    }
}

/// Which jobs those that come after all their namesakes come after.
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
        // since the last that came after all before it
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

/// A dependency on a job that comes before, with the time that the user thought.
pub(super) type OnJob = (JobId, Seconds);

/// What of it can be followed, job by job. `end` is when a job ended in the log, where that is known.
pub(super) struct Followed {
    each: Vec<(JobId, OnJob)>,
    pub(super) counts: StatedCounts,
}

impl Followed {
    pub(super) fn of(stated: &[Stated], workload: &Workload, end: impl Fn(JobId) -> Option<Seconds>) -> Self {
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
    pub(super) fn of_job(&self, job: JobId) -> impl Iterator<Item = OnJob> + '_ {
        let first = self.each.partition_point(|&(of, _)| of < job);
        self.each[first..].iter().take_while(move |&&(of, _)| of == job).map(|&(_, on)| on)
    }
}

/// The jobs of each record: one of a log, several where users were drawn with all that they submitted.
struct Copies(FxHashMap<u32, Vec<JobId>>);

/// Which count a dependency adds to that is not followed.
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

    /// What a job of a statement comes after.
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
        // a copy comes after a copy of the same user; who waits for another user's job waits for the log's own
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
            // the log's own times tell it to the second
            Some(end) => Ok((on, submit - end)),
            None => Ok((on, statement.think.max(0))),
        }
    }

    /// Whether each of two records is that of one job.
    fn is_one(&self, record: u32, other: u32) -> bool {
        self.of(record).len() == 1 && self.of(other).len() == 1
    }
}

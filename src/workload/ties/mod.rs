//! What ties jobs of a workload to each other by what its log says: which come after which, and which are tasks of one
//! array.
//!
//! A batch system holds a job until what it comes after has ended. A dependency on a job that the workload lacks is
//! ignored, as batch systems ignore jobs that they have forgotten. So is one on a job that was submitted later, because
//! that could make a cycle. By the log the job did run: where the job before it did not end in the required way, its
//! end alone counts.

mod copies;
mod named;
mod preceding;

pub(in crate::workload) use named::NamedRecords;
pub(in crate::workload) use preceding::preceding;

use super::{ComesAfter, Ending, JobId, Log, NamedJob, Seconds, Workload};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What keeps a job from being eligible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tie {
    /// All jobs of this group have to end.
    Ends(u32),
    /// All jobs of this group have to start, and this many seconds have to pass after the last start.
    Starts(u32, Seconds),
    /// No other job of the same user and name may run, and no earlier one may wait.
    Singleton,
}

/// A job array, with the tasks that the workload has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobArray {
    /// Its tasks, by their places in the workload.
    pub tasks: Vec<JobId>,
    /// How many of them may run at once; none: any number.
    pub most: Option<u32>,
}

/// Which task of which array a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArrayTask {
    /// The array, by its place among those of the workload.
    pub array: u32,
    /// The number of the task in it.
    pub task: i64,
}

/// All ties of a workload's jobs, which are named by their places in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ties {
    /// All ties, in the order of the jobs.
    all: Vec<(JobId, Tie)>,
    /// Jobs for which one of their ties is enough, in order.
    alternatives: Vec<JobId>,
    groups: Vec<Vec<JobId>>,
    arrays: Vec<JobArray>,
    /// All ties, in the order of the jobs.
    tasks: Vec<(JobId, ArrayTask)>,
}

impl Ties {
    /// The ties that a log states for the jobs of a workload that was made of it; none where it states none.
    fn of(log: &Log, workload: &Workload) -> Option<Self> {
        let beyond = &log.beyond;
        let is_tied = !beyond.dependencies.is_empty() || log.records.iter().any(|record| record.preceding > 0);
        if !is_tied && beyond.tasks.is_empty() {
            return None;
        }
        let mut places: Vec<Option<JobId>> = vec![None; log.records.len()];
        workload.jobs().for_each(|job| places[workload.record(job)] = Some(job));
        let mut ties = Ties::default();
        ties.take_arrays(log, &places);
        if is_tied {
            let mut reading =
                Reading { log, places: &places, named: NamedRecords::in_log(log), groups_of: FxHashMap::default() };
            workload.jobs().for_each(|job| reading.take(job, workload.record(job) as u32, &mut ties));
        }
        Some(ties).filter(|ties| !ties.is_empty())
    }

    fn take_arrays(&mut self, log: &Log, places: &[Option<JobId>]) {
        let mut numbers: FxHashMap<i64, u32> = FxHashMap::default();
        for &(record, number, task) in &log.beyond.tasks {
            let Some(job) = places[record as usize] else { continue };
            let array = *numbers.entry(number).or_insert_with(|| self.add_array(None));
            self.arrays[array as usize].tasks.push(job);
            self.tasks.push((job, ArrayTask { array, task }));
        }
        for (number, most) in &log.beyond.task_limits {
            if let Some(&array) = numbers.get(number) {
                // where the limit of a waiting array was changed, the last one counts
                self.arrays[array as usize].most = Some(*most);
            }
        }
        self.arrays.iter_mut().for_each(|array| array.tasks.sort_unstable());
        self.tasks.sort_unstable_by_key(|(job, _)| *job);
    }

    fn add_array(&mut self, most: Option<u32>) -> u32 {
        self.arrays.push(JobArray { tasks: Vec::new(), most });
        self.arrays.len() as u32 - 1
    }

    /// Whether no job has a tie or is a task.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty() && self.tasks.is_empty()
    }

    /// The ties of a job.
    pub fn of_job(&self, job: JobId) -> &[(JobId, Tie)] {
        let first = self.all.partition_point(|&(of, _)| of < job);
        let count = self.all[first..].iter().take_while(|&&(of, _)| of == job).count();
        &self.all[first..first + count]
    }

    /// All ties, in the order of the jobs.
    pub fn all(&self) -> &[(JobId, Tie)] {
        &self.all
    }

    /// The number of jobs that come after others.
    pub fn tied_jobs(&self) -> usize {
        self.all.chunk_by(|a, b| a.0 == b.0).count()
    }

    /// Whether it is enough for a job that one of its ties is lifted.
    pub fn is_any_enough(&self, job: JobId) -> bool {
        self.alternatives.binary_search(&job).is_ok()
    }

    /// The groups of jobs for which ties wait.
    pub fn groups(&self) -> &[Vec<JobId>] {
        &self.groups
    }

    /// All arrays.
    pub fn arrays(&self) -> &[JobArray] {
        &self.arrays
    }

    /// The array and the task that a job is, if it is one.
    pub fn task(&self, job: JobId) -> Option<ArrayTask> {
        let at = self.tasks.binary_search_by_key(&job, |(of, _)| *of).ok()?;
        Some(self.tasks[at].1)
    }

    fn add_group(&mut self, jobs: Vec<JobId>) -> u32 {
        // jobs in a row that come after the same jobs share a group
        if self.groups.last() != Some(&jobs) {
            self.groups.push(jobs);
        }
        self.groups.len() as u32 - 1
    }
}

/// The state while a log's ties are read, job by job.
struct Reading<'a> {
    log: &'a Log,
    places: &'a [Option<JobId>],
    named: NamedRecords,
    /// The group of all tasks of an array, by its number.
    groups_of: FxHashMap<i64, u32>,
}

/// What a dependency means for a job.
enum Meaning {
    /// It keeps the job. The flag tells whether what it waits for ended in the required way.
    Kept(Tie, bool),
    /// Nothing is left to wait for.
    Lifted,
    /// It is of a kind that keeps no job.
    Nothing,
}

impl Reading<'_> {
    /// Adds the ties of a job.
    fn take(&mut self, job: JobId, record: u32, ties: &mut Ties) {
        let log = self.log;
        let told = &log.beyond.dependencies;
        let first = told.partition_point(|&(of, _)| of < record);
        let own = told[first..].iter().take_while(|&&(of, _)| of == record).map(|&(_, after)| after);
        let preceding = Some(log.records[record as usize].preceding).filter(|&number| number > 0);
        let preceding = preceding.map(|number| ComesAfter::End(NamedJob::Number(number), Ending::Any));
        let is_any = log.beyond.alternatives.binary_search(&record).is_ok();
        let (mut kept, mut in_vain) = (Vec::new(), Vec::new());
        for after in preceding.into_iter().chain(own) {
            match self.meaning(after, job, record, ties) {
                Meaning::Kept(tie, true) => kept.push(tie),
                Meaning::Kept(tie, false) => in_vain.push(tie),
                Meaning::Lifted if is_any => return,
                Meaning::Lifted | Meaning::Nothing => {}
            }
        }
        if !is_any || kept.is_empty() {
            kept.append(&mut in_vain);
        }
        if is_any && kept.len() > 1 {
            ties.alternatives.push(job);
        }
        ties.all.extend(kept.into_iter().map(|tie| (job, tie)));
    }

    fn meaning(&mut self, after: ComesAfter, job: JobId, record: u32, ties: &mut Ties) -> Meaning {
        let name = match after {
            ComesAfter::End(name, _) | ComesAfter::Start(name, _) => name,
            ComesAfter::Namesakes => return Meaning::Kept(Tie::Singleton, true),
            ComesAfter::Other => return Meaning::Nothing,
        };
        let Reading { log, places, named, groups_of } = self;
        let (log, places) = (*log, *places);
        let alone;
        let (group, records) = match (named.array(name), name) {
            (Some(tasks), NamedJob::Number(number)) => {
                let known = groups_of.get(&number).copied();
                let group = known.or_else(|| {
                    let jobs: Vec<JobId> = tasks.iter().filter_map(|&task| places[task as usize]).collect();
                    (!jobs.is_empty()).then(|| ties.add_group(jobs))
                });
                let Some(group) = group else { return Meaning::Lifted };
                groups_of.insert(number, group);
                (group, tasks)
            }
            _ => {
                let found = named.latest(name, record, log);
                let Some((found, on)) = found.and_then(|found| Some((found, places[found as usize]?))) else {
                    return Meaning::Lifted;
                };
                alone = [found];
                (ties.add_group(vec![on]), &alone[..])
            }
        };
        if ties.groups[group as usize].iter().any(|&on| on >= job) {
            return Meaning::Nothing;
        }
        let ended = |ending: Ending| records.iter().map(move |&on| ending.is_of(log.records[on as usize].status));
        match after {
            ComesAfter::End(_, Ending::Badly) => Meaning::Kept(Tie::Ends(group), ended(Ending::Badly).any(|is| is)),
            ComesAfter::End(_, ending) => Meaning::Kept(Tie::Ends(group), ended(ending).all(|is| is)),
            ComesAfter::Start(_, delay) => Meaning::Kept(Tie::Starts(group, delay), true),
            ComesAfter::Namesakes | ComesAfter::Other => Meaning::Nothing,
        }
    }
}

impl Workload {
    /// Takes the ties and arrays that `log`, of which the workload was made, states.
    pub fn take_ties(&mut self, log: &Log) {
        self.ties = Ties::of(log, self).map(Arc::new);
    }

    /// The ties of its jobs, where its log states any.
    pub fn ties(&self) -> Option<&Arc<Ties>> {
        self.ties.as_ref()
    }

    /// Takes the ties of another workload, of whose jobs its own are copies: `copied` has the original of each.
    pub(in crate::workload) fn take_ties_of(&mut self, other: &Workload, copied: &[JobId]) {
        self.ties = other.ties().and_then(|ties| ties.of_copies(other, self, copied)).map(Arc::new);
    }
}

#[cfg(test)]
mod tests;

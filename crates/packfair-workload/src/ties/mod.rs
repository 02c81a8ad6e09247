//! What ties jobs of a workload to each other by what its log says: which come after which, and which are tasks of one
//! array.
//!
//! A batch system holds a job until what it comes after has ended. A dependency on a job that the workload lacks is
//! ignored, as batch systems ignore jobs that they have forgotten. So is one on a job that was submitted later, because
//! that could make a cycle. By the log the job did run: where the job before it did not end in the required way, its
//! end alone counts.

use super::{JobId, Seconds};
use crate::{ComesAfter, Ending, Log, NamedJob, Record, Workload};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What keeps a job from being eligible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tie {
    Ends(u32),
    /// All jobs of this group have to start, and this many seconds have to pass after the last start.
    Starts(u32, Seconds),
    /// No other job of the same user and name may run, and no earlier one may wait.
    Singleton,
}

/// A job array, with the tasks that the workload has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobArray {
    pub tasks: Vec<JobId>,
    /// How many of them may run at once; none: any number.
    pub most: Option<u32>,
}

/// Which task of which array a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArrayTask {
    pub array: u32,
    pub task: i64,
}

/// All ties of a workload's jobs, which are named by their places in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ties {
    all: Vec<(JobId, Tie)>,
    alternatives: Vec<JobId>,
    groups: Vec<Vec<JobId>>,
    arrays: Vec<JobArray>,
    tasks: Vec<(JobId, ArrayTask)>,
}

impl Ties {
    fn add_array(&mut self, most: Option<u32>) -> u32 {
        self.arrays.push(JobArray { tasks: Vec::new(), most });
        self.arrays.len() as u32 - 1
    }

    /// Whether no job has a tie or is a task.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty() && self.tasks.is_empty()
    }

    pub fn of_job(&self, job: JobId) -> &[(JobId, Tie)] {
        let first = self.all.partition_point(|&(of, _)| of < job);
        let count = self.all[first..].iter().take_while(|&&(of, _)| of == job).count();
        &self.all[first..first + count]
    }

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

// Ties among copies of jobs: of users who were drawn, and of parts of a log.

impl Ties {
    /// The ties of the jobs of `new`, each of which is a copy of a job of `old`: `copied` has the original of each. A
    /// copy comes after copies of the same user. A job that comes after another user's job comes after the last copy of
    /// that job.
    fn of_copies(&self, old: &Workload, new: &Workload, copied: &[JobId]) -> Option<Self> {
        let named = self.groups.iter().flatten();
        let mut copies: FxHashMap<JobId, Vec<JobId>> = named.map(|&job| (job, Vec::new())).collect();
        for (job, of) in (0..).map(JobId).zip(copied) {
            copies.get_mut(of).into_iter().for_each(|jobs| jobs.push(job));
        }
        let user = |workload: &Workload, job: JobId| workload.request(job).user;
        let copy_of = |on: JobId, job: JobId| {
            let is_own = user(old, on) == user(old, copied[job.index()]);
            let is_meant = |&&copy: &&JobId| !is_own || user(new, copy) == user(new, job);
            let all = &copies[&on];
            all[..all.partition_point(|&copy| copy < job)].iter().rfind(is_meant).copied()
        };
        let mut made = Ties::default();
        let mut arrays: FxHashMap<(u32, i32, Seconds), u32> = FxHashMap::default();
        for (job, &of) in (0..).map(JobId).zip(copied) {
            let before = made.all.len();
            for &(_, tie) in self.of_job(of) {
                let tie = match tie {
                    Tie::Singleton => Some(tie),
                    Tie::Ends(group) | Tie::Starts(group, _) => {
                        let jobs = self.groups[group as usize].iter().filter_map(|&on| copy_of(on, job));
                        let jobs: Vec<JobId> = jobs.collect();
                        (!jobs.is_empty()).then(|| match (made.add_group(jobs), tie) {
                            (group, Tie::Starts(_, delay)) => Tie::Starts(group, delay),
                            (group, _) => Tie::Ends(group),
                        })
                    }
                };
                made.all.extend(tie.map(|tie| (job, tie)));
            }
            if self.is_any_enough(of) && made.all.len() > before + 1 {
                made.alternatives.push(job);
            }
            if let Some(ArrayTask { array, task }) = self.task(of) {
                let request = new.request(job);
                let most = self.arrays[array as usize].most;
                let array =
                    *arrays.entry((array, request.user, request.submit)).or_insert_with(|| made.add_array(most));
                made.arrays[array as usize].tasks.push(job);
                made.tasks.push((job, ArrayTask { array, task }));
            }
        }
        Some(made).filter(|made| !made.is_empty())
    }

    /// Puts tasks of one array into one array whenever they were submitted: the first jobs, copies of jobs that are tasks of
    /// these arrays.
    fn join_arrays(&mut self, originals: impl Iterator<Item = (JobId, u32)>) {
        let mut joined: FxHashMap<u32, u32> = FxHashMap::default();
        for (job, original) in originals {
            let Ok(at) = self.tasks.binary_search_by_key(&job, |&(of, _)| of) else { continue };
            let own = self.tasks[at].1.array;
            let array = *joined.entry(original).or_insert(own);
            if array != own {
                self.tasks[at].1.array = array;
                self.arrays[own as usize].tasks.retain(|&task| task != job);
                self.arrays[array as usize].tasks.push(job);
            }
        }
        self.arrays.iter_mut().for_each(|array| array.tasks.sort_unstable());
    }
}

impl Workload {
    /// Has its first jobs, which are copies of these jobs of another workload, be tasks of one array where these are,
    /// whenever they were submitted.
    pub fn join_arrays_of(&mut self, other: &Workload, copied: impl Iterator<Item = JobId>) {
        if let (Some(ties), Some(of)) = (&mut self.ties, other.ties()) {
            let originals = (0..).map(JobId).zip(copied).filter_map(|(job, copy)| Some((job, of.task(copy)?.array)));
            Arc::make_mut(ties).join_arrays(originals);
        }
    }

    /// Takes the ties of another workload, of whose jobs its own are copies: `copied` has the original of each.
    pub(crate) fn take_ties_of(&mut self, other: &Workload, copied: &[JobId]) {
        self.ties = other.ties().and_then(|ties| ties.of_copies(other, self, copied)).map(Arc::new);
    }
}

// The records that the dependencies of a log name.

pub(crate) struct NamedRecords {
    of: FxHashMap<NamedJob, Vec<u32>>,
    /// The records of each array's tasks, in the order of the log.
    arrays: FxHashMap<i64, Vec<u32>>,
}

impl NamedRecords {
    /// The records named by all dependencies of a log.
    pub(crate) fn in_log(log: &Log) -> Self {
        let (mut of, mut arrays): (FxHashMap<_, Vec<u32>>, FxHashMap<_, Vec<u32>>) = Default::default();
        for record in log.records.iter().filter(|record| record.preceding > 0) {
            of.entry(NamedJob::Number(record.preceding)).or_default();
        }
        for (_, after) in &log.beyond.dependencies {
            match *after {
                ComesAfter::End(name, _) | ComesAfter::Start(name, _) => {
                    of.entry(name).or_default();
                    if let NamedJob::Number(number) = name {
                        arrays.entry(number).or_default();
                    }
                }
                ComesAfter::Namesakes | ComesAfter::Other => {}
            }
        }
        if !of.is_empty() {
            let put = |name, record: u32, of: &mut FxHashMap<_, Vec<u32>>| {
                of.get_mut(&name).into_iter().for_each(|named: &mut Vec<u32>| named.push(record));
            };
            for (place, record) in (0..).zip(&log.records) {
                put(NamedJob::Number(record.number), place, &mut of);
            }
            for &(record, array, task) in &log.beyond.tasks {
                put(NamedJob::Task(array, task), record, &mut of);
                arrays.get_mut(&array).into_iter().for_each(|tasks| tasks.push(record));
            }
            of.values_mut()
                .for_each(|named| named.sort_by_key(|&record| (log.records[record as usize].submit, record)));
        }
        arrays.retain(|_, tasks| !tasks.is_empty());
        NamedRecords { of, arrays }
    }

    /// The last record of a name that was submitted before the record `than`; the first one where all came later. None
    /// where there is none.
    pub(crate) fn latest(&self, name: NamedJob, than: u32, log: &Log) -> Option<u32> {
        let submit = |record: u32| log.records[record as usize].submit;
        let named = self.of.get(&name).map_or(&[][..], Vec::as_slice);
        let before = named.partition_point(|&record| (submit(record), record) < (submit(than), than));
        let found = if before > 0 { named.get(before - 1) } else { named.first() };
        found.copied()
    }

    /// The records of the tasks, if the name is that of an array.
    pub(crate) fn array(&self, name: NamedJob) -> Option<&[u32]> {
        match name {
            NamedJob::Number(number) => self.arrays.get(&number).map(Vec::as_slice),
            NamedJob::Task(..) => None,
        }
    }
}

// The one job that each job comes after, for the Standard Workload Format, which has room for one.

/// For each job that comes after another: its record, the record of the other job, and the think time from that job's
/// end to the submission, seconds, -1 where the submission came before the end (SWF fields 17 and 18). Of several jobs
/// the one that ended last in the log counts. In the order of the records.
pub(crate) fn preceding(log: &Log) -> Vec<(u32, u32, Seconds)> {
    if log.beyond.dependencies.is_empty() {
        return Vec::new();
    }
    let end = |record: u32| {
        let Record { submit, wait, run, .. } = log.records[record as usize];
        submit + wait.max(0) + run.max(0)
    };
    let named = NamedRecords::in_log(log);
    let mut preceding: Vec<(u32, u32, Seconds)> = Vec::new();
    for &(record, after) in &log.beyond.dependencies {
        let ComesAfter::End(name, _) = after else { continue };
        let before = match named.array(name) {
            Some(tasks) => tasks.iter().copied().max_by_key(|&task| end(task)),
            None => named.latest(name, record, log),
        };
        let Some(before) = before.filter(|&before| before != record) else { continue };
        let think = (log.records[record as usize].submit - end(before)).max(-1);
        match preceding.last_mut().filter(|last| last.0 == record) {
            Some(last) if end(last.1) < end(before) => *last = (record, before, think),
            Some(_) => {}
            None => preceding.push((record, before, think)),
        }
    }
    preceding
}

// The ties that a log states for the jobs of a workload.

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
                TieReading { log, places: &places, named: NamedRecords::in_log(log), groups_of: FxHashMap::default() };
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
}

/// The state while a log's ties are read, job by job.
struct TieReading<'a> {
    log: &'a Log,
    places: &'a [Option<JobId>],
    named: NamedRecords,
    /// The group of all tasks of an array, by its number.
    groups_of: FxHashMap<i64, u32>,
}

enum Meaning {
    /// It keeps the job. The flag tells whether what it waits for ended in the required way.
    Kept(Tie, bool),
    /// Nothing is left to wait for.
    Lifted,
    /// It is of a kind that keeps no job.
    Nothing,
}

impl TieReading<'_> {
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
        let TieReading { log, places, named, groups_of } = self;
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
}

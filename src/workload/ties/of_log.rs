//! The ties that a log states for the jobs of a workload.

use super::{ArrayTask, NamedRecords, Tie, Ties};
use crate::workload::{ComesAfter, Ending, JobId, Log, NamedJob, Workload};
use rustc_hash::FxHashMap;
use std::sync::Arc;

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

//! What a log states of the jobs of a workload.

use super::{Stated, StatedAfter};
use crate::ties::NamedRecords;
use crate::{ComesAfter, Log, NamedJob, Record, Workload};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;

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

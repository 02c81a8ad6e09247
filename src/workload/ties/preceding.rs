//! The one job that each job comes after, for Standard Workload Format, which has room for one.

use super::NamedRecords;
use crate::workload::{ComesAfter, Log, Record, Seconds};

/// A job's record, that of the job which it comes after, and how long after its end it was submitted (SWF fields 17 and 18);
/// -1 where it was submitted before. Of several jobs that is the one which ended last in the log. In the order of the records.
pub(in crate::workload) fn preceding(log: &Log) -> Vec<(u32, u32, Seconds)> {
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

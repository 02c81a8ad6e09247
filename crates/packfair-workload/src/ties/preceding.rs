//! The one job that each job comes after, for the Standard Workload Format, which has room for one.

use super::NamedRecords;
use crate::{ComesAfter, Log, Record, Seconds};

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

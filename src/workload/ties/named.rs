//! The records that the dependencies of a log name.

use crate::workload::{ComesAfter, Log, NamedJob};
use rustc_hash::FxHashMap;

pub(in crate::workload) struct NamedRecords {
    of: FxHashMap<NamedJob, Vec<u32>>,
    /// The records of each array's tasks, in the order of the log.
    arrays: FxHashMap<i64, Vec<u32>>,
}

impl NamedRecords {
    /// The records named by all dependencies of a log.
    pub(in crate::workload) fn in_log(log: &Log) -> Self {
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
    pub(in crate::workload) fn latest(&self, name: NamedJob, than: u32, log: &Log) -> Option<u32> {
        let submit = |record: u32| log.records[record as usize].submit;
        let named = self.of.get(&name).map_or(&[][..], Vec::as_slice);
        let before = named.partition_point(|&record| (submit(record), record) < (submit(than), than));
        let found = if before > 0 { named.get(before - 1) } else { named.first() };
        found.copied()
    }

    /// The records of the tasks, if the name is that of an array.
    pub(in crate::workload) fn array(&self, name: NamedJob) -> Option<&[u32]> {
        match name {
            NamedJob::Number(number) => self.arrays.get(&number).map(Vec::as_slice),
            NamedJob::Task(..) => None,
        }
    }
}

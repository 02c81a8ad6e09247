//! Small workloads for tests, written as tables.

use crate::{Header, Machine, MachineSource, Request, Seconds, Workload};

/// A workload of jobs given as (submit, run, processors). They are numbered from 1, request twice their run time, and
/// belong to users 1 to 3 in turn.
pub fn workload(processors: u32, jobs: &[(Seconds, Seconds, u32)]) -> Workload {
    let machine = Machine { processors, source: MachineSource::Given };
    let mut workload = Workload::empty("small", machine, Header::default());
    for (i, &(submit, run, processors)) in jobs.iter().enumerate() {
        let request = Request {
            number: i as i64 + 1,
            submit,
            processors,
            limit: (2 * run).max(1),
            user: (i % 3) as i32 + 1,
            group: -1,
            executable: -1,
            queue: (i % 2) as i32,
            partition: -1,
        };
        workload.push(request, run, -1, i as u32);
    }
    workload.sort();
    workload
}

/// A workload of jobs that are numbered from 1, each (submit, processors, run time, requested time), in submit order.
pub fn jobs(processors: u32, rows: &[(Seconds, u32, Seconds, Seconds)]) -> Workload {
    let machine = Machine { processors, source: MachineSource::Given };
    let mut workload = Workload::empty("test", machine, Header::default());
    for (i, &(submit, processors, run, limit)) in rows.iter().enumerate() {
        let (number, unknown) = (i as i64 + 1, -1);
        let request = Request {
            number,
            submit,
            processors,
            limit,
            user: unknown,
            group: unknown,
            executable: unknown,
            queue: unknown,
            partition: unknown,
        };
        workload.push(request, run, -1, i as u32);
    }
    workload
}

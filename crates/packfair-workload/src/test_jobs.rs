//! Small workloads for tests, written as tables.

use crate::{Header, Machine, MachineSource, Request, Seconds, Workload};

/// A workload of jobs that are numbered from 1, each (submit, processors, run time, requested time), in submit order.
pub fn workload(processors: u32, jobs: &[(Seconds, u32, Seconds, Seconds)]) -> Workload {
    let machine = Machine { processors, source: MachineSource::Given };
    let mut workload = Workload::empty("test", machine, Header::default());
    for (i, &(submit, processors, run, limit)) in jobs.iter().enumerate() {
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

//! A log as it looked at a moment: what became known later is taken out of it.

use packfair_workload::{Log, Record, Seconds};

/// Whether those who are submitted after the moment are left in the log, without run times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Later {
    /// They are not: nobody knows of them yet.
    Unknown,
    /// They are left, for forecasts on what really came.
    Submitted,
}

/// The log as it looked at `now`: jobs that wait have no start, and jobs that run have no end.
pub fn cut(log: &Log, now: Seconds, later: Later) -> Log {
    let mut cut = log.clone();
    let tells_starts = log.tells_starts();
    for record in &mut cut.records {
        if record.submit > now {
            match later {
                Later::Unknown => no_job(record),
                Later::Submitted if tells_starts => wait(record),
                Later::Submitted => {}
            }
        } else if tells_starts && record.wait >= 0 {
            let start = record.submit + record.wait;
            if start > now {
                wait(record);
            } else if start.saturating_add(record.run) > now {
                run_on(record, now - start);
            }
        }
    }
    cut
}

/// The log without those who are submitted after `now`, for a simulation of what came before.
pub fn without_later(log: &Log, now: Seconds, later: Later) -> Log {
    let mut cut = log.clone();
    let is_out = |record: &&mut Record| later == Later::Unknown && record.submit > now;
    cut.records.iter_mut().filter(is_out).for_each(no_job);
    cut
}

/// Makes a record one that is no job: it has no width and no run time.
fn no_job(record: &mut Record) {
    (record.allocated, record.requested, record.run, record.wait) = (-1, -1, -1, -1);
}

fn wait(record: &mut Record) {
    record.wait = -1;
    run_on(record, 0);
}

/// Takes out the end of a job that has run for so long: in place of its run time stands one that is longer, which nobody
/// reads.
pub(super) fn run_on(record: &mut Record, elapsed: Seconds) {
    if record.requested_time > 0 {
        record.requested_time = record.requested_time.max(elapsed + 1);
    }
    record.run = record.requested_time.max(elapsed + 1);
    record.status = -1;
}

//! A log as it looked at a moment: what became known later is taken out of it.

use packfair_workload::{Cleaning, Log, Record, Seconds};

/// Whether those who are submitted after the moment are left in the log, without run times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Later {
    /// They are not: nobody knows of them yet.
    Unknown,
    /// They are left, for forecasts on what really came.
    Submitted,
}

/// The log as it looked at `now`: jobs that wait have no start and ask for what they asked for, jobs that run have no end, and
/// who left without having started is there until then.
pub fn cut(log: &Log, cleaning: Cleaning, now: Seconds, later: Later) -> Log {
    let tells_starts = log.tells_starts();
    let mut cut = if tells_starts { log.as_queued(cleaning).into_owned() } else { log.clone() };
    if tells_starts {
        cut.end_running();
    }
    let is_known = log.end().is_some_and(|end| now <= end);
    for place in 0..cut.records.len() {
        let record = &mut cut.records[place];
        if record.submit > now {
            match later {
                Later::Unknown => no_job(record),
                Later::Submitted if tells_starts => wait(&mut cut, place),
                Later::Submitted => {}
            }
        } else if tells_starts && record.wait >= 0 {
            let start = record.submit + record.wait;
            if start > now {
                wait(&mut cut, place);
            } else if start.saturating_add(record.run) > now || is_known && log.is_running(place) {
                cut.run_on(place, now - start);
                forget_use(&mut cut, place);
            }
        }
    }
    if later == Later::Unknown {
        forget_holds(&mut cut, now);
        cut.beyond.never_started.retain(|never| never.left <= now);
    }
    cut
}

/// Of jobs that are not eligible yet, hides when they become so. What is left says that it is not at `now`.
fn forget_holds(log: &mut Log, now: Seconds) {
    for (record, eligible) in log.records.iter().zip(&mut log.beyond.eligible) {
        if record.submit <= now && *eligible > now {
            *eligible = now + 1;
        }
    }
}

/// The log without those who are submitted after `now`, for a simulation of what came before.
pub fn without_later(log: &Log, now: Seconds, later: Later) -> Log {
    let mut cut = log.clone();
    let is_out = |record: &&mut Record| later == Later::Unknown && record.submit > now;
    cut.records.iter_mut().filter(is_out).for_each(no_job);
    if later == Later::Unknown {
        forget_holds(&mut cut, now);
    }
    cut
}

/// Makes a record one that is no job: it has no width and no run time.
fn no_job(record: &mut Record) {
    (record.allocated, record.requested, record.run, record.wait) = (-1, -1, -1, -1);
}

fn wait(log: &mut Log, record: usize) {
    log.wait_for_ever(record);
    forget_use(log, record);
    let record = &mut log.records[record];
    if record.requested > 0 {
        record.allocated = -1;
    }
}

/// Hides what is known of a job's use only once it has ended.
fn forget_use(log: &mut Log, record: usize) {
    log.beyond.milliwatts.get_mut(record).into_iter().for_each(|drawn| *drawn = -1);
    let record = &mut log.records[record];
    (record.cpu_time, record.memory) = (-1.0, -1.0);
}

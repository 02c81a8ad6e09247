//! A generated sample of what `sacct -P` prints: the log of a cluster that starts jobs first come, first served. It is
//! made without a simulation, because the page, which offers it, contains no schedulers; only its workers do.

use crate::{Generated, Treatment};
use chrono::DateTime;
use packfair_workload::{JobId, Seconds, Workload};

/// The first midnight of the sample, Unix seconds: Monday, 5 January 2026, UTC.
const BEGIN: i64 = 1_767_571_200;

/// Processors of one node of the cluster.
const NODE: u32 = 16;

/// A job that requests at most this time goes to the partition "short", seconds.
const SHORT: i64 = 7_200;

/// Users and their accounts. Users nearer to the front have more jobs.
const USERS: [(&str, &str); 8] = [
    ("ada", "astro"),
    ("blaise", "fluids"),
    ("carl", "astro"),
    ("dorothy", "chem"),
    ("emmy", "algebra"),
    ("fritz", "chem"),
    ("grace", "fluids"),
    ("hedy", "radio"),
];

/// The text of the sample: 2,000 jobs of the Lublin-Feitelson model on 128 processors.
pub fn sacct_sample() -> String {
    let log = Generated::Lublin { jobs: 2_000, processors: 128, seed: 5 }.generate();
    let mut text = String::from(
        "JobID|JobIDRaw|User|Account|Partition|QOS|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|NNodes|NCPUS|\
         ReqTRES|AllocTRES|State|Flags|JobName\n",
    );
    // A generated workload is valid.
    let Ok(workload) = Treatment::default().apply(&log) else { return text };
    let starts = first_come_first_served(&workload);
    let first = workload.requests().first().map_or(0, |request| request.submit);
    let moment = |time: i64| {
        let date = DateTime::from_timestamp(BEGIN + time - first, 0);
        date.map(|date| date.naive_utc().to_string().replace(' ', "T")).unwrap_or_default()
    };
    for (job, start) in workload.jobs().zip(starts) {
        text.push_str(&line(job, workload.request(job), workload.run(job), start, &moment));
    }
    text
}

/// The starts of all jobs where no job overtakes another.
fn first_come_first_served(workload: &Workload) -> Vec<Seconds> {
    // When each processor is free again, the earliest first.
    let mut free_at = vec![Seconds::MIN; workload.machine.processors as usize];
    let mut latest = Seconds::MIN;
    let mut start_of = |job: JobId| {
        let request = workload.request(job);
        let taken = &mut free_at[..request.processors as usize];
        let start = request.submit.max(latest).max(taken.last().copied().unwrap_or(latest));
        taken.fill(start + workload.run(job));
        free_at.sort_unstable();
        latest = start;
        start
    };
    workload.jobs().map(&mut start_of).collect()
}

fn line(
    job: JobId,
    request: &packfair_workload::Request,
    run: i64,
    start: i64,
    moment: &dyn Fn(i64) -> String,
) -> String {
    let id = 4_000_000 + job.0;
    // The larger of two draws is less often small.
    let draw = (job.0.wrapping_mul(2_654_435_761) >> 16) as usize;
    let (user, account) = USERS[(draw % USERS.len()).min(draw / 8 % USERS.len())];
    let partition = if request.limit <= SHORT { "short" } else { "long" };
    let (submit, width, nodes) = (moment(request.submit), request.processors, request.processors.div_ceil(NODE));
    let state = match (run >= request.limit, draw % 23) {
        (true, _) => "TIMEOUT",
        (false, 0) => "FAILED",
        (false, 1) => "CANCELLED by 1000",
        _ => "COMPLETED",
    };
    let tres = format!("billing={width},cpu={width},node={nodes}");
    format!(
        "{id}|{id}|{user}|{account}|{partition}|normal|{submit}|{submit}|{}|{}|{run}|{}|{nodes}|{width}|{tres}|{tres}|\
         {state}|SchedBackfill|run{}\n",
        moment(start),
        moment(start + run),
        (request.limit + 59) / 60,
        draw % 40,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_workload::{Unit, reading};

    #[test]
    fn the_sample_is_read_as_what_sacct_prints() {
        let log = reading::read("sample-sacct.txt", sacct_sample().as_bytes()).unwrap();
        assert_eq!(log.records.len(), 2_000);
        assert!(log.tells_starts() && log.account.entries().is_empty(), "{:?}", log.account);
        assert_eq!((log.names.partitions.len(), log.names.users.len()), (2, USERS.len()));
        assert_eq!(Unit::fitting(&log), Unit::Processors);
        assert!(log.records.iter().any(|record| record.wait > 600), "some wait");
        let machine = Treatment::default().apply(&log).unwrap().machine;
        assert!((100..=128).contains(&machine.processors), "{machine:?}");
    }
}

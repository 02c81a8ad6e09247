//! Jobs that were not over when their log was made: they hold their processors and are told, and what one file does not
//! know another may.

use packfair::metric::{Counted, Measure};
use packfair::simulation::Correction;
use packfair::study::{Run, Treatment, execute};
use packfair::workload::reading::read;
use packfair::workload::{InitialJobs, Log, Reason, Summary, merge};

fn log(text: &str) -> Log {
    read("log", text.as_bytes()).unwrap()
}

/// Jobs, jobs that still run with their processors, and jobs that had not started.
fn seen(log: &Log) -> (usize, Vec<i32>, u64) {
    let held = log.beyond.still_running.iter().map(|running| log.records[running.record as usize].requested);
    let waiting = log.account.count(Reason::NotStarted) + log.account.count(Reason::CancelledUnstarted);
    (log.jobs(), held.collect(), waiting)
}

/// A record of PBS: `times` are the submission, the start and the end, seconds after a moment.
fn pbs(kind: char, id: u32, times: &[u32], slots: u32) -> String {
    let names = ["ctime", "start", "end"];
    let times = times.iter().zip(names).map(|(time, name)| format!("{name}={} ", 1_767_225_600 + time));
    format!(
        "01/05/2026 12:00:00;{kind};{id}.host;user=ann queue=q {}exec_host=n1/0*{slots} Resource_List.walltime=10:00:00\n",
        times.collect::<String>()
    )
}

#[test]
fn what_runs_at_the_end_holds_its_processors_and_is_not_counted() {
    let text = [
        pbs('S', 1, &[0, 10], 8),
        pbs('S', 2, &[20, 30], 4),
        pbs('Q', 3, &[40], 1),
        pbs('E', 2, &[20, 30, 7_200], 4),
        pbs('S', 4, &[50, 60], 2),
        pbs('D', 4, &[50, 60], 2),
        pbs('E', 5, &[3_000, 3_000, 9_000], 4),
    ]
    .concat();
    let log = log(&text);
    // the job that was deleted while it ran has no end: it is a job of no known run time
    assert_eq!(seen(&log), (3, vec![8], 1));
    let workload = Treatment::default().apply(&log).unwrap();
    assert_eq!(workload.machine.processors, 16, "8 are held by what still runs");
    let summary = Summary::of(&workload);
    assert_eq!((summary.jobs, summary.counted()), (3, 2));
    assert_eq!((summary.uncounted.still_running, summary.uncounted.still_held), (1, 8));
    let said = summary.uncounted_in_words().unwrap();
    assert!(said.contains("1 job still ran when it was made, on 8 processors"), "{said}");
    let running = workload.still_running().next().unwrap();
    // from 10 s to the last end, which comes before its limit
    assert_eq!(workload.run(running), 8_990);
    assert_eq!(
        workload.account.in_short(log.records_read()),
        "5 records: 2 jobs, 1 still waiting, 1 still running, 1 that ran for no time"
    );
    let measure = Measure { counted: Counted::All, ..Measure::default() };
    let run = Run::new("easy".parse().unwrap(), "requested".parse().unwrap());
    assert_eq!(execute(&run, &workload, Correction::default(), &measure).unwrap().report.jobs, 2);
}

#[test]
fn the_next_file_knows_better() {
    let january =
        [pbs('S', 1, &[0, 10], 8), pbs('Q', 3, &[40], 1), pbs('E', 2, &[20, 30, 60], 4), pbs('Q', 6, &[0], 1)].concat();
    let february =
        [pbs('E', 1, &[0, 10, 90_000], 8), pbs('S', 3, &[40, 80_000], 2), pbs('S', 4, &[80_000, 80_100], 2)].concat();
    let march = [pbs('E', 3, &[40, 80_000, 99_000], 2), pbs('D', 6, &[0], 1)].concat();
    let (january, february, march) = (log(&january), log(&february), log(&march));
    assert_eq!(seen(&january), (1, vec![8], 2));
    assert_eq!(seen(&february), (1, vec![2, 2], 0));
    for logs in
        [vec![january.clone(), february.clone(), march.clone()], vec![march.clone(), february.clone(), january.clone()]]
    {
        let merged = merge(logs).unwrap();
        assert_eq!(seen(&merged), (3, vec![2], 1), "{}", merged.account.in_words());
        // 4 records of January, 3 of February, 2 of March
        assert_eq!(merged.records_read(), 9);
        assert_eq!(merged.account.count(Reason::Repeated), 4);
    }
    let merged = merge(vec![january, february]).unwrap();
    assert_eq!(seen(&merged), (2, vec![2, 2], 1));
}

const HEAD: &str = "JobIDRaw|User|Submit|Start|End|ElapsedRaw|TimelimitRaw|NCPUS|State\n";

#[test]
fn every_format_tells_what_still_runs() {
    let sacct = format!(
        "{HEAD}1|ann|2026-01-01T00:00:00|2026-01-01T00:10:00|2026-01-01T01:00:00|3000|120|4|COMPLETED\n\
         2|ann|2026-01-01T00:00:00|2026-01-01T00:10:00|Unknown|9000|1440|8|RUNNING\n\
         3|ann|2026-01-01T00:00:00|Unknown|Unknown|0|60|8|PENDING\n"
    );
    assert_eq!(seen(&log(&sacct)), (1, vec![8], 1));
    // it had run for 9,000 s: that is when the log was made
    let workload = Treatment::default().apply(&log(&sacct)).unwrap();
    let running = workload.still_running().next().unwrap();
    assert_eq!((workload.run(running), workload.machine.processors), (9_000, 12));
    // a limit that is shorter is the end
    let short = sacct.replace("|1440|", "|100|");
    let workload = Treatment::default().apply(&log(&short)).unwrap();
    assert_eq!(workload.still_running().next().map(|job| workload.run(job)), Some(6_000));
    let without_state = sacct.replace("|State", "").replace("|COMPLETED", "").replace("|RUNNING", "");
    let without_state: String =
        without_state.lines().filter(|line| !line.contains("PENDING")).map(|line| line.to_owned() + "\n").collect();
    assert_eq!(seen(&log(&without_state)), (1, vec![8], 0));
    let table = "id,submit,start,end,cores,state\n1,2026-01-01 00:00:00,2026-01-01 00:01:00,2026-01-01 01:00:00,4,Completed\n\
                 2,2026-01-01 00:00:00,2026-01-01 00:01:00,,8,Running\n3,2026-01-01 00:00:00,,,8,Pending\n\
                 4,2026-01-01 00:00:00,2026-01-01 00:01:00,NaT,16,\n";
    assert_eq!(seen(&log(table)), (1, vec![8, 16], 1));
}

#[test]
fn where_no_job_is_left_to_count_it_is_said_why() {
    let text = format!("{HEAD}2|ann|2026-01-01T00:00:00|2026-01-01T00:10:00|Unknown|9000|1440|8|RUNNING\n");
    let summary = Summary::of(&Treatment::default().apply(&log(&text)).unwrap());
    let said = summary.why_none_counts().unwrap();
    assert!(said.starts_with("no job is left to count, so there are no values: 1 job still ran"), "{said}");
    let held = Treatment { initial: Some(InitialJobs::Held), ..Treatment::default() };
    let long = format!(
        "{HEAD}1|ann|2026-01-01T00:00:00|2026-01-01T00:00:00|2026-01-03T00:00:00|172800|4320|8|COMPLETED\n\
         2|ann|2026-01-01T01:00:00|2026-01-01T01:00:00|2026-01-03T01:00:00|172800|4320|8|COMPLETED\n"
    );
    let workload = held.apply(&log(&long)).unwrap();
    let said = Summary::of(&workload).why_none_counts().unwrap();
    assert!(said.contains("ran or waited when the log begins; --initial=ordinary counts the first"), "{said}");
}

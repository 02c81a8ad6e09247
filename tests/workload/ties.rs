//! Ties that logs state.

use packfair::study::Treatment;
use packfair::workload::{JobId, Log, Tie, Ties, Workload, reading, times_users};

/// A log of sacct with these jobs (id, user, state, dependency), submitted a minute apart.
fn log(rows: &[(&str, &str, &str, &str)]) -> Log {
    let mut text = "JobID|User|JobName|Submit|Start|ElapsedRaw|NCPUS|State|Dependency\n".to_owned();
    for (minute, (id, user, state, after)) in rows.iter().enumerate() {
        let at = format!("2026-01-05T10:{minute:02}:00");
        text += &format!("{id}|{user}|fit|{at}|{at}|600|1|{state}|{after}\n");
    }
    reading::read("sacct.txt", text.as_bytes()).expect("a log")
}

fn workload(log: &Log) -> Workload {
    Treatment::default().apply(log).expect("it has jobs")
}

/// The ties of the job at a place: 'e' or 's' and the place of a job that has to end or start, with the delay; '1' and
/// -1 for a singleton.
fn kept(ties: &Ties, job: u32) -> Vec<(char, i64, i64)> {
    let of = |tie: &(JobId, Tie)| match tie.1 {
        Tie::Ends(group) => ties.groups()[group as usize].iter().map(|on| ('e', i64::from(on.0), 0)).collect(),
        Tie::Starts(group, delay) => {
            ties.groups()[group as usize].iter().map(|on| ('s', i64::from(on.0), delay)).collect()
        }
        Tie::Singleton => vec![('1', -1, 0)],
    };
    ties.of_job(JobId(job)).iter().flat_map(of).collect()
}

#[test]
fn what_a_log_says_is_told_by_places() {
    let log = log(&[
        ("1", "ann", "COMPLETED", ""),
        ("2", "ann", "FAILED", ""),
        ("3", "ann", "COMPLETED", "afterok:1,afterany:2"),
        ("4", "ann", "COMPLETED", "after:1+5"),
        ("5", "ann", "COMPLETED", "singleton"),
        // job 99 does not exist, 8 comes later, and 6 is the job itself
        ("6", "ann", "COMPLETED", "afterok:99,afterany:8:6"),
        ("7", "ann", "COMPLETED", "afterok:2?afternotok:2?afternotok:1"),
        ("8", "ann", "COMPLETED", "afterok:2"),
        ("9", "ann", "COMPLETED", "afterok:1?afterok:99"),
        ("10", "ann", "COMPLETED", "afterok:1?afterany:2"),
    ]);
    let workload = workload(&log);
    let ties = workload.ties().expect("some");
    assert_eq!(kept(ties, 0), []);
    assert_eq!(kept(ties, 2), [('e', 0, 0), ('e', 1, 0)]);
    assert_eq!(kept(ties, 3), [('s', 0, 300)]);
    assert_eq!(kept(ties, 4), [('1', -1, 0)]);
    assert_eq!(kept(ties, 5), []);
    assert_eq!(kept(ties, 6), [('e', 1, 0)], "that it has failed is what can be");
    assert_eq!(kept(ties, 7), [('e', 1, 0)], "it ran, though what it came after had failed");
    assert_eq!(kept(ties, 8), [], "one that is forgotten is enough");
    assert_eq!(kept(ties, 9), [('e', 0, 0), ('e', 1, 0)]);
    assert!(ties.is_any_enough(JobId(9)) && !ties.is_any_enough(JobId(2)));
    let silent = self::log(&[("1", "ann", "COMPLETED", ""), ("2", "ann", "COMPLETED", "")]);
    assert_eq!(self::workload(&silent).ties(), None);
}

#[test]
fn swf_says_it_too() {
    let text = "; MaxProcs: 4\n1 0 0 60 1 -1 -1 1 60 -1 1 1 1 1 1 1 -1 -1\n2 9 0 60 1 -1 -1 1 60 -1 1 1 1 1 1 1 1 5\n";
    let workload = workload(&reading::read("log.swf", text.as_bytes()).unwrap());
    assert_eq!(kept(workload.ties().expect("some"), 1), [('e', 0, 0)]);
}

#[test]
fn an_array_is_waited_for_as_a_whole_and_its_tasks_are_known() {
    let log = log(&[
        ("4_[7-9%2]", "ann", "PENDING", ""),
        ("4_1", "ann", "COMPLETED", ""),
        ("4_0", "ann", "COMPLETED", ""),
        ("5", "ann", "COMPLETED", "afterok:4"),
        ("6", "ann", "COMPLETED", "afterok:4_0"),
        ("7", "ann", "COMPLETED", "afterany:4"),
    ]);
    let workload = workload(&log);
    let ties = workload.ties().expect("some");
    assert_eq!(kept(ties, 2), [('e', 0, 0), ('e', 1, 0)]);
    assert_eq!((kept(ties, 3), kept(ties, 4)), (vec![('e', 1, 0)], kept(ties, 2)));
    assert_eq!(ties.arrays().len(), 1);
    assert_eq!((ties.arrays()[0].tasks.as_slice(), ties.arrays()[0].most), (&[JobId(0), JobId(1)][..], Some(2)));
    assert_eq!(ties.task(JobId(1)).map(|task| (task.array, task.task)), Some((0, 0)));
    assert_eq!(ties.task(JobId(2)), None);
}

#[test]
fn copies_come_after_copies_of_the_same_user() {
    let log = log(&[
        ("1", "ann", "COMPLETED", ""),
        ("2_1", "ann", "COMPLETED", "afterok:1"),
        ("3", "ann", "COMPLETED", "afterok:2_1"),
    ]);
    let twice = times_users(&workload(&log), 2.0).expect("users");
    assert_eq!(twice.len(), 6);
    let ties = twice.ties().expect("some");
    for job in twice.jobs() {
        let own = |on: JobId| twice.request(on).user == twice.request(job).user && on < job;
        let before = twice.jobs().filter(|&on| own(on)).last();
        let expected = before.map(|on| vec![('e', i64::from(on.0), 0)]).unwrap_or_default();
        assert_eq!(kept(ties, job.0), expected, "{job:?}");
    }
    assert_eq!(ties.arrays().iter().map(|array| array.tasks.len()).collect::<Vec<_>>(), [1, 1]);
    let sent: Workload = postcard::from_bytes(&postcard::to_stdvec(&twice).unwrap()).unwrap();
    assert_eq!(sent.ties(), twice.ties(), "another worker knows them");
}

//! The queue of a batch system at a moment: who runs and who waits, from what its commands print.

mod join;
mod json;
mod parts;
mod table;

use super::{JobOptions, Seconds};
use packfair_base::encoding::as_utf8;
use packfair_base::pasted::without_typed;

pub use join::Joined;
pub use parts::HeldNodes;

/// A job of the queue. Times are Unix seconds; what is not known is `None` or empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueuedJob {
    /// Its number; -1 where it has none.
    pub number: i64,
    /// The task of an array that it is, where its number is that of the array.
    pub task: Option<i64>,
    /// The array of which it is a task, or several.
    pub array: Option<i64>,
    /// How many tasks of that array may run at once, where its user has set that.
    pub at_once: Option<u32>,
    /// The heterogeneous job that it is a part of, or all parts of which it is.
    pub part_of: Option<i64>,
    pub submit: Option<Seconds>,
    /// When it started; none where it waits.
    pub start: Option<Seconds>,
    /// For how long it has run, where that is told in place of its start, seconds.
    pub elapsed: Option<Seconds>,
    pub runs: bool,
    pub limit: Option<Seconds>,
    pub processors: Option<u32>,
    pub nodes: Option<u32>,
    /// The nodes that it holds; none where it waits, or where nothing names them.
    pub on: Vec<HeldNodes>,
    /// Graphics processors on all its nodes.
    pub gpus: Option<u32>,
    /// Memory on all its nodes, MiB.
    pub memory: Option<u32>,
    /// What it asks for beyond these.
    pub options: Option<JobOptions>,
    pub priority: Option<i64>,
    pub user: String,
    pub account: String,
    pub name: String,
    /// The QOS, or the queue.
    pub qos: String,
    pub partition: String,
    /// The reservation whose nodes it may use.
    pub reservation: String,
    /// Why it waits, in the word of the batch system.
    pub reason: String,
    /// How many tasks of an array it stands for; 0 counts as 1.
    pub tasks: u32,
}

/// The queue at a moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Queue {
    /// The moment, Unix seconds, where it can be told.
    pub at: Option<Seconds>,
    pub jobs: Vec<QueuedJob>,
    /// Whether its names may be cut to the widths of columns.
    pub has_cut_names: bool,
}

/// Why a file is no queue.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueueError {
    #[error(
        "this lists no running and waiting jobs that are understood; give what squeue --json, squeue -o '%all', \
         scontrol show job, sacct -P -s R,PD or qstat -f -F json prints"
    )]
    Unknown,
    #[error("this is not complete JSON: {0}")]
    Json(String),
    #[error("the table has no column {0}")]
    NoColumn(&'static str),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum QueueState {
    Runs,
    Waits,
    Over,
}

/// The state that a word of Slurm or PBS names, long or short.
fn state(word: &str) -> QueueState {
    let word = word.split([' ', '+', ',']).next().unwrap_or_default().to_ascii_uppercase();
    match word.as_str() {
        // nodes that are made ready, or tidied up, are held too
        "RUNNING" | "R" | "COMPLETING" | "CG" | "SUSPENDED" | "S" | "STOPPED" | "ST" | "RESIZING" | "RS" | "E"
        | "CONFIGURING" | "CF" | "SIGNALING" | "SI" | "STAGE_OUT" | "SO" | "U" => QueueState::Runs,
        "PENDING" | "PD" | "REQUEUED" | "RQ" | "Q" | "H" | "W" | "T" | "B" | "REQUEUE_HOLD" | "RH" | "SPECIAL_EXIT"
        | "SE" | "RESV_DEL_HOLD" | "RD" | "REQUEUE_FED" | "RF" => QueueState::Waits,
        _ => QueueState::Over,
    }
}

impl QueuedJob {
    /// Whether the batch system does not let it start, whatever is free: it is held, waits for a time or for others, or
    /// may not run as it was submitted.
    pub fn is_held(&self) -> bool {
        const REASONS: &[&str] = &[
            "held",
            "hold",
            "dependency",
            "begintime",
            "reservationdeleted",
            "badconstraints",
            "invalidaccount",
            "invalidqos",
            "notallowed",
            "partitionnodelimit",
            "partitiontimelimit",
        ];
        let reason = self.reason.to_ascii_lowercase();
        !self.runs && REASONS.iter().any(|word| reason.contains(word))
    }
}

/// Whether a file that begins like this is the queue of a moment, and not a log: what squeue, scontrol show job or qstat
/// prints.
pub fn is_queue(head: &[u8]) -> bool {
    let head = as_utf8(head);
    let text = String::from_utf8_lossy(&head);
    let text = without_typed(&text);
    let text = without_date(&text).1.trim_start();
    if text.starts_with('{') {
        // sacct --json has neither; an old squeue tells its name only at the end
        let of_squeue = ["\"accrue_time\"", "\"job_state\"", "\"state_reason\"", "\"squeue\""];
        return of_squeue.iter().any(|key| text.contains(key));
    }
    let first = text.lines().next().unwrap_or_default();
    if first.starts_with("JobId=") {
        // completed jobs have lines of the same form, in which the name has another key
        return first.contains(" JobName=");
    }
    // sacct writes JobID
    let columns: Vec<&str> = first.split(['|', ' ', '\t']).collect();
    columns.contains(&"JOBID") && columns.iter().any(|column| ["ST", "STATE"].contains(column))
}

/// The moment that stands on a line of its own above a table, as `squeue -l` prints it, and what is below it.
fn without_date(text: &str) -> (Option<Seconds>, &str) {
    let text = text.trim_start_matches(['\r', '\n']);
    let dated = text.split_once('\n').and_then(|(first, rest)| Some((json::date(first.trim())?, rest)));
    dated.map_or((None, text), |(at, rest)| (Some(at), rest))
}

/// Reads the queue that a command of a batch system has printed.
///
/// # Errors
/// It is not what such a command prints.
pub fn read_queue(text: &[u8]) -> Result<Queue, QueueError> {
    let text = as_utf8(text);
    let text = String::from_utf8_lossy(&text);
    let text = without_typed(&text);
    let (at, text) = without_date(&text);
    // blanks before the first heading of a table belong to its columns
    let (table, text) = (text, text.trim_start());
    let mut queue = if text.starts_with('{') {
        json::read(text)
    } else if text.starts_with("JobId=") {
        Ok(table::read_blocks(text))
    } else {
        table::read(table)
    }?;
    queue.jobs = parts::joined(queue.jobs);
    if queue.jobs.is_empty() && queue.at.is_none() {
        return Err(QueueError::Unknown);
    }
    let started = |job: &QueuedJob| Some(job.start? + job.elapsed?);
    let latest = |job: &QueuedJob| job.start.filter(|_| job.runs).max(job.submit);
    // nothing that is told can lie after the moment
    let told = queue.jobs.iter().filter_map(started).max().or_else(|| queue.jobs.iter().filter_map(latest).max());
    queue.at = queue.at.or(at).or(told);
    Ok(queue)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(text: &str) -> (Option<Seconds>, Vec<QueuedJob>) {
        let queue = read_queue(text.as_bytes()).unwrap();
        (queue.at, queue.jobs)
    }

    fn expected(runs: bool) -> QueuedJob {
        QueuedJob {
            number: 12,
            submit: Some(1_769_900_000),
            start: runs.then_some(1_769_903_600),
            runs,
            limit: Some(7_200),
            processors: Some(8),
            nodes: Some(2),
            priority: Some(400),
            user: "ann".into(),
            account: "phys".into(),
            name: "sim".into(),
            qos: "normal".into(),
            partition: "main".into(),
            reason: if runs { "None".into() } else { "Resources".into() },
            ..QueuedJob::default()
        }
    }

    #[test]
    fn what_a_data_base_made_of_squeue_in_json_is_read() {
        let text = r#"{"jobs": [{"_id": {"$oid": "65a0"}, "job_id": {"$numberInt": "12"}, "job_state": "RUNNING",
            "submit_time": {"$date": "2026-01-31T22:53:20Z"}, "start_time": "2026-01-31T23:53:20+00:00", "time_limit": {"$numberLong": "120"},
            "cpus": 8, "user_name": "ann"}]}"#;
        let (_, jobs) = job(text);
        let seen = (jobs[0].number, jobs[0].submit, jobs[0].start, jobs[0].limit, jobs[0].processors);
        assert_eq!(seen, (12, Some(1_769_900_000), Some(1_769_903_600), Some(7_200), Some(8)));
    }

    #[test]
    fn squeue_in_json_of_old_and_new_versions() {
        let old = r#"{"jobs": [{"job_id": 12, "submit_time": 1769900000, "start_time": 1769903600, "time_limit": 120,
            "cpus": 8, "node_count": 2, "priority": 400, "user_name": "ann", "account": "phys", "name": "sim",
            "qos": "normal", "partition": "main", "job_state": "RUNNING", "state_reason": "None"}]}"#;
        assert_eq!(job(old), (Some(1_769_903_600), vec![expected(true)]));
        let new = r#"{"last_update": {"set": true, "infinite": false, "number": 1769909999}, "jobs": [{"job_id": 12,
            "submit_time": {"set": true, "infinite": false, "number": 1769900000},
            "start_time": {"set": true, "infinite": false, "number": 1769990000},
            "time_limit": {"set": true, "infinite": false, "number": 120}, "cpus": {"set": true, "number": 8},
            "node_count": {"set": true, "number": 2}, "priority": {"set": true, "number": 400}, "user_name": "ann",
            "account": "phys", "name": "sim", "qos": "normal", "partition": "main", "job_state": ["PENDING"],
            "state_reason": "Resources"}, {"job_id": 13, "job_state": ["COMPLETED"]}]}"#;
        assert_eq!(job(new), (Some(1_769_909_999), vec![expected(false)]));
    }

    #[test]
    fn prompts_around_a_queue_are_none_of_its_jobs() {
        let blanks = "             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)\n\
             12      main      sim      ann PD       0:00      2 (Resources)\n";
        let dated = format!("Sat Jan 31 23:53:20 2026\n{blanks}");
        let lines = "JOBID|USER|STATE|SUBMIT_TIME|TIME_LIMIT|CPUS\n12|ann|PENDING|2026-01-31T22:53:20|2:00:00|8\n";
        let blocks = "JobId=12 JobName=sim\n   UserId=ann(1001)\n   JobState=PENDING\n\n";
        let json = r#"{"jobs": [{"job_id": 12, "job_state": ["PENDING"], "accrue_time": 1}]}"#;
        for text in [blanks, &dated, lines, blocks, &format!("{json}\n")] {
            for before in ["", "[ann@login ~]$ squeue\n", "squeue -l\n"] {
                let pasted = format!("{before}{text}[ann@login ~]$ ");
                let queue = read_queue(pasted.as_bytes()).unwrap();
                assert!(is_queue(pasted.as_bytes()), "{pasted}");
                assert_eq!((queue.jobs.len(), queue.jobs[0].number), (1, 12), "{pasted}");
                assert_eq!(queue.jobs, read_queue(text.as_bytes()).unwrap().jobs, "{pasted}");
            }
        }
    }

    #[test]
    fn tables_of_squeue_and_sacct() {
        let squeue = "JOBID|USER|ACCOUNT|NAME|QOS|PARTITION|STATE|SUBMIT_TIME|START_TIME|TIME|TIME_LIMIT|CPUS|NODES|PRIORITY|REASON\n\
            12|ann|phys|sim|normal|main|RUNNING|2026-01-31T22:53:20|2026-01-31T23:53:20|10:00|2:00:00|8|2|400|None\n";
        let (at, jobs) = job(squeue);
        assert_eq!(at, Some(1_769_903_600 + 600));
        assert_eq!(jobs, [QueuedJob { elapsed: Some(600), ..expected(true) }]);
        let blanks = "             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)\n\
             12      main      sim      ann PD       0:00      2 (Nodes required for job are DOWN)\n";
        let (_, jobs) = job(blanks);
        assert_eq!((jobs[0].number, jobs[0].runs, jobs[0].nodes), (12, false, Some(2)));
        assert_eq!(jobs[0].reason, "Nodes required for job are DOWN");
        let sacct = "JobIDRaw|User|Account|JobName|QOS|Partition|State|Submit|Start|ElapsedRaw|TimelimitRaw|NCPUS|NNodes|Priority|Reason\n\
            11|ann|phys|sim|normal|main|COMPLETED|2026-01-31T22:53:20|2026-01-31T23:53:20|60|120|8|2|400|None\n\
            12|ann|phys|sim|normal|main|PENDING|2026-01-31T22:53:20|Unknown|0|120|8|2|400|Resources\n\
            12.batch|||batch|||RUNNING|2026-01-31T22:53:20|2026-01-31T23:53:20|60||8|2||\n";
        assert_eq!(job(sacct).1, [QueuedJob { elapsed: Some(0), ..expected(false) }]);
    }

    #[test]
    fn blocks_of_scontrol_and_pbs() {
        let scontrol = "JobId=12 JobName=sim\n   UserId=ann(1001) GroupId=users(100)\n   Priority=400 Account=phys QOS=normal\n   \
            JobState=PENDING Reason=Resources Dependency=(null)\n   TimeLimit=02:00:00\n   SubmitTime=2026-01-31T22:53:20 \
            EligibleTime=Unknown\n   StartTime=2026-02-01T23:53:20 EndTime=Unknown\n   Partition=main\n   NumNodes=2 NumCPUs=8\n\n\
            JobId=13 JobName=b\n   JobState=FAILED\n";
        assert_eq!(job(scontrol).1, [expected(false)]);
        let pbs = r#"{"timestamp": 1769909999, "Jobs": {"12.host": {"Job_Name": "sim", "Job_Owner": "ann@login",
            "job_state": "Q", "queue": "main", "qtime": "Sat Jan 31 22:53:20 2026", "Priority": 0, "comment": "Not Running",
            "Resource_List": {"ncpus": 8, "nodect": 2, "walltime": "02:00:00"}}}}"#;
        let (at, jobs) = job(pbs);
        assert_eq!(at, Some(1_769_909_999));
        let QueuedJob { number, submit, limit, processors, nodes, user, .. } = &jobs[0];
        assert_eq!((*number, *submit, *limit), (12, Some(1_769_900_000), Some(7_200)));
        assert_eq!((*processors, *nodes, user.as_str()), (Some(8), Some(2), "ann"));
    }

    #[test]
    fn running_jobs_hold_the_nodes_that_are_named() {
        let on = |text: &str| -> Vec<Vec<(String, Option<u32>)>> {
            let of = |job: QueuedJob| job.on.into_iter().map(|held| (held.list, held.cpus)).collect();
            job(text).1.into_iter().map(of).collect()
        };
        let all = |list: &str| vec![(list.to_owned(), None)];
        let table = "JOBID|STATE|NODELIST(REASON)\n1|RUNNING|n[1-2],g1\n2|PENDING|(Resources)\n3|RUNNING|\n";
        assert_eq!(on(table), [all("n[1-2],g1"), vec![], vec![]]);
        let sacct = "JobIDRaw|State|NodeList\n1|RUNNING|n1\n2|PENDING|None assigned\n";
        assert_eq!(on(sacct), [all("n1"), vec![]]);
        let scontrol = "JobId=1 JobName=a\n   JobState=RUNNING\n   ReqNodeList=(null) NodeList=n[1-2]\n\n\
            JobId=2 JobName=b\n   JobState=PENDING\n   ReqNodeList=n3 NodeList=(null)\n\n\
            JobId=3 JobName=c\n   JobState=RUNNING\n   NodeList=n[1-3]\n     Nodes=n1 CPU_IDs=0-3,8 Mem=10 GRES=\n     \
            Nodes=n[2-3] CPU_IDs=0,2 Mem=10 GRES=\n";
        let by_node = vec![("n1".to_owned(), Some(5)), ("n[2-3]".to_owned(), Some(2))];
        assert_eq!(on(scontrol), [all("n[1-2]"), vec![], by_node]);
        let json = r#"{"jobs": [
            {"job_id": 1, "job_state": ["RUNNING"], "nodes": "n[1-2]", "submit_time": 1769900000},
            {"job_id": 2, "job_state": ["PENDING"], "nodes": "", "submit_time": 1769900000},
            {"job_id": 3, "job_state": "RUNNING", "nodes": "n[1-2]", "job_resources": {"nodes": "n[1-2]",
                "allocated_nodes": [{"nodename": "n1", "cpus_used": 4}, {"nodename": "n2", "cpus_used": 2}]}},
            {"job_id": 4, "job_state": "RUNNING", "nodes": "n[1-2]", "job_resources": {"nodes": {"list": "n[1-2]",
                "allocation": [{"name": "n1", "cpus": {"count": 3, "used": 0}}, {"name": "n2", "cpus": {"count": 1}}]}}},
            {"job_id": 5, "job_state": "RUNNING", "nodes": "n1", "job_resources": {"allocated_nodes": {"0": {"cpus": 4}}}}]}"#;
        let two = |one: u32, other: u32| vec![("n1".to_owned(), Some(one)), ("n2".to_owned(), Some(other))];
        assert_eq!(on(json), [all("n[1-2]"), vec![], two(4, 2), two(3, 1), all("n1")]);
    }

    #[test]
    fn a_queue_is_told_from_a_log_by_how_it_begins() {
        for queue in [
            r#"{"meta": {"command": ["squeue", "--json"]}, "jobs": []}"#,
            r#"{"jobs": [{"account": "phys", "accrue_time": 1769900000,"#,
            r#"{"timestamp": 1, "Jobs": {"12.host": {"Job_Name": "sim", "job_state": "Q""#,
            "JobId=12 JobName=sim\n   UserId=ann(1001)",
            "JOBID|USER|STATE|SUBMIT_TIME\n",
            "             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)\n",
        ] {
            assert!(is_queue(queue.as_bytes()), "{queue}");
        }
        for log in [
            "JobIDRaw|User|State|Submit|Start\n12|ann|PENDING|",
            "JobID|JobName|State\n",
            r#"{"meta": {"command": ["sacct", "--json"]}, "jobs": [{"account": "phys", "state": {"current": ["RUNNING"]}}]}"#,
            "JobId=12 UserId=ann(1001) GroupId=users(100) Name=sim JobState=COMPLETED Partition=main",
            "; UnixStartTime: 1\n1 0 10 60 4",
            "",
        ] {
            assert!(!is_queue(log.as_bytes()), "{log}");
        }
    }

    #[test]
    fn tables_in_columns_have_names_with_blanks() {
        let row = |[id, partition, name, user, state, time, nodes, on]: [&str; 8]| {
            format!("{id:>18} {partition:>9} {name:>8} {user:>8} {state:>2} {time:>10} {nodes:>6} {on}\n")
        };
        let reason = "ReqNodeNotAvail, UnavailableNodes:n[1-2]";
        let usual = [
            row(["JOBID", "PARTITION", "NAME", "USER", "ST", "TIME", "NODES", "NODELIST(REASON)"]),
            row(["123_[4-9%2]", "a,b", "my sim", "anné", "PD", "0:00", "2", &format!("({reason})")]),
            row(["120_7", "main", "longname", "ann", "R", "1:00:00", "2", "n[1-2]"]),
            row(["12", "main", "2nd try!", "bob", "CF", "INVALID", "1", "n7"]),
        ];
        let jobs = job(&usual.concat()).1;
        let seen = |jobs: &[QueuedJob]| -> Vec<(i64, u32, String, String, bool, String)> {
            let of = |job: &QueuedJob| {
                (job.number, job.tasks, job.name.clone(), job.user.clone(), job.runs, job.reason.clone())
            };
            jobs.iter().map(of).collect()
        };
        let told = |number, tasks, name: &str, user: &str, runs, reason: &str| {
            (number, tasks, name.to_owned(), user.to_owned(), runs, reason.to_owned())
        };
        assert_eq!(seen(&jobs)[0], told(123, 6, "my sim", "anné", false, reason));
        assert_eq!((jobs[0].nodes, jobs[0].partition.as_str()), (Some(2), "a,b"));
        assert_eq!((jobs[1].name.as_str(), jobs[1].task, jobs[1].elapsed), ("longname", Some(7), Some(3_600)));
        assert_eq!((jobs[2].name.as_str(), jobs[2].runs, jobs[2].elapsed), ("2nd try!", true, None));
        assert_eq!(jobs[2].on, [HeldNodes { list: "n7".into(), cpus: None }]);
        let left = "JOBID               NAME                USER                STATE               REASON              \n\
            14                  a long name         ann                 PENDING             Priority            \n\
            15                                      bob                 PENDING             BeginTime           \n";
        let expected =
            [told(14, 0, "a long name", "ann", false, "Priority"), told(15, 0, "", "bob", false, "BeginTime")];
        assert_eq!(seen(&job(left).1), expected);
        // single blanks between fields are no columns
        let words = "JOBID USER ST REASON\n1 a R None\n2 b PD (Resources now)\n";
        assert_eq!(seen(&job(words).1)[1], told(2, 0, "", "b", false, "Resources now"));
    }

    #[test]
    fn what_a_job_was_given_comes_before_what_it_asked_for() {
        let text = "JobIDRaw|State|ReqCPUS|AllocCPUS|ReqNodes|AllocNodes|Priority\n\
            1|RUNNING|2|48|1|2|0.00011651403\n2|PENDING|2|0|1|0|7\n3|REQUEUE_HOLD|2|0|1|0|\n";
        let jobs = job(text).1;
        let seen: Vec<_> = jobs.iter().map(|job| (job.processors, job.nodes, job.priority)).collect();
        assert_eq!(seen, [(Some(48), Some(2), Some(500_423)), (Some(2), Some(1), Some(7)), (Some(2), Some(1), None)]);
    }

    #[test]
    fn a_name_of_a_job_says_nothing_of_it() {
        for text in [
            "JobId=1 JobName=run NumCPUs=99 JobState=RUNNING 1\n   UserId=ann(1001) JobState=PENDING\n   NumCPUs=4\n",
            "JobId=1 JobName=run NumCPUs=99 JobState=RUNNING 1 UserId=ann(1001) JobState=PENDING NumCPUs=4\n",
        ] {
            let jobs = job(text).1;
            assert_eq!((jobs[0].processors, jobs[0].runs, jobs[0].user.as_str()), (Some(4), false, "ann"));
            assert_eq!(jobs[0].name, "run NumCPUs=99 JobState=RUNNING 1");
        }
    }

    #[test]
    fn tasks_that_the_log_has_are_not_counted_twice() {
        let text = "JobID|JobIDRaw|User|Submit|Start|ElapsedRaw|TimelimitRaw|NCPUS|State|Partition\n\
            120_7|127|ann|2026-01-31T22:00:00|2026-01-31T22:10:00|600|60|4|RUNNING|main\n\
            119|119|ann|2026-01-31T20:00:00|2026-01-31T20:10:00|600|60|4|COMPLETED|main\n";
        let log = crate::reading::read("sacct", text.as_bytes()).unwrap();
        let queue = read_queue(
            b"JOBID|USER|ST|SUBMIT_TIME|CPUS|PARTITION|TIME\n120_7|ann|R|2026-01-31T22:00:00|4|main|20:00\n\
            120_[8-9]|ann|PD|2026-01-31T22:00:00|4|main,big|0:00\n12|bob|R|2026-01-31T22:00:00|4|main|INVALID\n",
        );
        let now = 2 * 3_600 + 1_800;
        let joined = queue.unwrap().beside(log.clone(), &log, now);
        assert_eq!((joined.running, joined.waiting, joined.log.records.len()), (1, 2, 5));
        let runs: Vec<_> = joined.log.records.iter().map(|record| (record.number, record.wait)).collect();
        // that which runs since no time that is told has just begun
        assert_eq!(runs, [(127, 600), (119, 600), (120, -1), (120, -1), (12, 1_800)]);
        let partition = |log: &crate::Log| log.names.partitions[log.records[2].partition as usize - 1].clone();
        assert_eq!(partition(&joined.log), "main");
    }

    #[test]
    fn tasks_of_arrays_are_known_in_every_format() {
        /// Number, array, task, how many tasks an entry stands for, how many of the array may run at once.
        type Tasks = (i64, Option<i64>, Option<i64>, u32, Option<u32>);
        let of = |text: &str| -> Vec<Tasks> {
            let told = |job: QueuedJob| (job.number, job.array, job.task, job.tasks, job.at_once);
            job(text).1.into_iter().map(told).collect()
        };
        let table = "JOBID|ST|NODES\n12_[4-9,11%2]|PD|1\n12_3|R|1\n14|PD|2-4\n";
        assert_eq!(
            of(table),
            [(12, Some(12), None, 7, Some(2)), (12, Some(12), Some(3), 0, None), (14, None, None, 0, None)]
        );
        assert_eq!(job(table).1[2].nodes, Some(2), "the fewest nodes of a range");
        let blocks = "JobId=15 ArrayJobId=12 ArrayTaskId=4-9,11%2 ArrayTaskThrottle=2 JobName=a\n   JobState=PENDING\n\n\
            JobId=13 ArrayJobId=12 ArrayTaskId=3 ArrayTaskThrottle=2 JobName=a\n   JobState=RUNNING\n";
        assert_eq!(of(blocks), [(15, Some(12), None, 7, Some(2)), (13, Some(12), None, 0, Some(2))]);
        let json = r#"{"jobs": [{"job_id": 15, "array_job_id": {"set": true, "number": 12}, "array_task_string": "4-9,11",
            "array_max_tasks": {"set": true, "number": 2}, "job_state": ["PENDING"]},
            {"job_id": 16, "array_job_id": 0, "array_task_id": null, "array_max_tasks": 0, "job_state": "PENDING"}]}"#;
        assert_eq!(of(json), [(15, Some(12), None, 7, Some(2)), (16, None, None, 0, None)]);
        let pbs = r#"{"timestamp": 1769909999, "Jobs": {
            "12[].host": {"job_state": "B", "array_indices_remaining": "4-9", "array_indices_submitted": "0-9", "max_run_subjobs": 2},
            "12[3].host": {"job_state": "R"}, "13[].host": {"job_state": "B", "array_indices_remaining": "-"},
            "14[].host": {"job_state": "B", "array_indices_remaining": "7-8"}, "14[7].host": {"job_state": "Q"},
            "14[8].host": {"job_state": "Q"}, "15.host": {"job_state": "W"}}}"#;
        let told = [
            (12, Some(12), None, 6, Some(2)),
            (12, Some(12), Some(3), 0, None),
            (14, Some(14), Some(7), 0, None),
            (14, Some(14), Some(8), 0, None),
            (15, None, None, 0, None),
        ];
        let mut found = of(pbs);
        found.sort_unstable();
        assert_eq!(found, told);
        assert!(job(pbs).1.iter().all(|job| job.is_held() == (job.number == 15)), "it waits for a time");
    }

    #[test]
    fn jobs_in_reservations_are_told() {
        for text in [
            "JOBID|ST|RESERVATION\n1|PD|class\n2|PD|(null)\n3|PD|N/A\n",
            "JobId=1 JobName=a\n   JobState=PENDING\n   Reservation=class\n\nJobId=2 JobName=b\n   JobState=PENDING\n",
            r#"{"jobs": [{"job_id": 1, "job_state": "PENDING", "resv_name": "class"}, {"job_id": 2, "job_state": "PENDING", "resv_name": ""}]}"#,
        ] {
            let reserved: Vec<String> = job(text).1.into_iter().map(|job| job.reservation).collect();
            assert_eq!((reserved[0].as_str(), reserved[1].as_str()), ("class", ""), "{text}");
        }
    }

    #[test]
    fn a_date_above_a_table_is_its_moment() {
        let long = "Sat Jan 31 22:53:20 2026\n             JOBID PARTITION     NAME     USER    STATE       TIME TIME_LIMI  NODES NODELIST(REASON)\n                \
            12      main      sim      ann  PENDING       0:00   2:00:00      2 (Resources)\n                \
            13      main      sim      ann  RUNNING       1:00 UNLIMITED      2 n[1-2]\n";
        assert!(is_queue(long.as_bytes()));
        let (at, jobs) = job(long);
        assert_eq!((at, jobs.len()), (Some(1_769_900_000), 2));
        assert_eq!((jobs[0].limit, jobs[0].reason.as_str(), jobs[1].limit), (Some(7_200), "Resources", None));
    }

    #[test]
    fn names_that_a_column_cuts_are_those_of_the_log() {
        let text = "JobID|JobIDRaw|User|Submit|Start|ElapsedRaw|TimelimitRaw|NCPUS|NNodes|State|Partition\n\
            1|1|elizabeth.smith|2026-01-31T22:00:00|2026-01-31T22:10:00|600|60|4|1|COMPLETED|gpu-a100-long\n\
            2|2|ann|2026-01-31T20:00:00|2026-01-31T20:10:00|600|60|4|1|COMPLETED|main\n";
        let log = crate::reading::read("sacct", text.as_bytes()).unwrap();
        let row = |[id, partition, name, user, state, time, nodes, on]: [&str; 8]| {
            format!("{id:>18} {partition:>9} {name:>8} {user:>8} {state:>2} {time:>10} {nodes:>6} {on}\n")
        };
        let table = row(["JOBID", "PARTITION", "NAME", "USER", "ST", "TIME", "NODES", "NODELIST(REASON)"])
            + &row(["7", "gpu-a100-", "a", "elizabet", "R", "1:00", "1", "g1"])
            + &row(["8", "main,gpu-", "a", "ann", "PD", "0:00", "2-4", "(BadConstraints)"])
            + &row(["9", "main,", "a", "ann", "PD", "0:00", "2-4", "(Priority)"]);
        let joined = read_queue(table.as_bytes()).unwrap().beside(log.clone(), &log, 3 * 3_600);
        let named = |place: usize| {
            let (record, names) = (&joined.log.records[place], &joined.log.names);
            (names.users[record.user as usize - 1].clone(), names.partitions[record.partition as usize - 1].clone())
        };
        assert_eq!(joined.log.records.len(), 4, "one of them is held");
        assert_eq!(named(2), ("elizabeth.smith".to_owned(), "gpu-a100-long".to_owned()));
        assert_eq!(named(3), ("ann".to_owned(), "main".to_owned()));
        assert!(
            joined.notes.iter().any(|note| note.contains("nodes are told and no processors")),
            "{:?}",
            joined.notes
        );
    }

    #[test]
    fn what_is_no_queue_says_so() {
        assert_eq!(read_queue(b"hello world\n"), Err(QueueError::Unknown));
        assert!(matches!(read_queue(b"{\"jobs\": ["), Err(QueueError::Json(_))));
        assert_eq!(read_queue(b"JOBID|USER\n1|ann\n"), Err(QueueError::NoColumn("of the state (ST, STATE)")));
        let held = QueuedJob { reason: "JobHeldUser".into(), ..QueuedJob::default() };
        assert!(held.is_held() && !QueuedJob { runs: true, ..held }.is_held());
    }
}

//! Each trap of sacct's output, tested by itself.

use super::COMMAND;
use crate::reading::read;
use crate::{Log, ReadError, Reason, Seconds};

const HEADER: &str = "JobID|JobIDRaw|User|Account|Partition|QOS|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|NNodes|NCPUS|ReqTRES|AllocTRES|State|JobName";

fn log(text: impl AsRef<[u8]>) -> Log {
    read("sacct.txt", text.as_ref()).unwrap()
}

fn error(text: &str) -> ReadError {
    read("sacct.txt", text.as_bytes()).unwrap_err()
}

/// A job's line under [`HEADER`].
fn job(id: &str, submit: &str, more: &str) -> String {
    format!(
        "{id}|{raw}|ann|lab|short|normal|2026-01-05T{submit}|2026-01-05T10:00:30|2026-01-05T11:00:00|\
         2026-01-05T12:00:00|3000|120|2|8|billing=8,cpu=8,node=2|billing=16,cpu=16,gres/gpu=4,node=2|{more}",
        raw = id.split(['_', '+', '[', '.']).next().unwrap()
    )
}

fn with_header(lines: &[String]) -> String {
    format!("{HEADER}\n{}\n", lines.join("\n"))
}

/// Number, submit, wait, run, processors, limit of each job.
fn jobs(log: &Log) -> Vec<(i64, Seconds, Seconds, Seconds, i32, Seconds)> {
    let of = log.records.iter();
    of.map(|r| (r.number, r.submit, r.wait, r.run, r.requested, r.requested_time)).collect()
}

fn count(log: &Log, reason: Reason) -> u64 {
    log.account.count(reason)
}

#[test]
fn a_job_is_read_with_all_it_has() {
    let log = log(with_header(&[job("7", "10:00:00", "COMPLETED|fit"), job("8", "10:00:10", "FAILED|fit")]));
    // its run time is what it ran, not what passed while it was suspended; its width is what it held
    assert_eq!(jobs(&log), [(7, 0, 3_600, 3_000, 8, 7_200), (8, 10, 3_590, 3_000, 8, 7_200)]);
    assert_eq!(log.header.unix_start(), Some(1_767_607_200));
    assert_eq!(log.records.iter().map(|r| r.status).collect::<Vec<_>>(), [1, 0]);
    assert_eq!(log.names.users, ["ann"]);
    assert_eq!(log.names.groups, ["lab"]);
    assert_eq!(log.names.queues, ["normal"]);
    assert_eq!(log.names.partitions, ["short"]);
    assert_eq!((log.records[0].user, log.records[0].group, log.records[0].executable), (1, 1, 1));
    let words = ["Group", "Executable", "Queue", "Partition"].map(|field| log.header.word(field));
    assert_eq!(words, ["Account", "Job name", "QOS", "Partition"], "Slurm's words, not those of SWF");
    assert_eq!(crate::Header::default().word("Queue"), "Queue");
    assert_eq!(log.beyond.eligible, [30, 30]);
    assert_eq!(log.beyond.nodes, [2, 2]);
    assert_eq!(log.beyond.gpus, [4, 4]);
    assert_eq!(log.account.entries().iter().map(|entry| entry.reason).collect::<Vec<_>>(), [Reason::ElapsedDiffers]);
}

#[test]
fn suspended_time_is_no_run_time() {
    let rows = |columns: &str, rows: &[&str]| {
        let times = "2026-01-05T10:00:00|2026-01-05T11:00:00|2026-01-05T12:00:00";
        let rows = rows.iter().enumerate().map(|(at, row)| format!("{}|{times}|4|{row}", at + 1));
        let head = format!("JobID|Submit|Start|End|NCPUS|{columns}");
        let log = log(std::iter::once(head).chain(rows).collect::<Vec<_>>().join("\n"));
        let runs: Vec<Seconds> = log.records.iter().map(|record| record.run).collect();
        (runs, [Reason::Suspended, Reason::ElapsedDiffers].map(|reason| count(&log, reason)))
    };
    let told = rows("ElapsedRaw|Suspended", &["3000|00:10:00", "3600|00:00:00", "3600|", "3000|00:00:00"]);
    assert_eq!(told, (vec![3_000, 3_600, 3_600, 3_000], [1, 1]));
    // without the time that it ran, that is what is left
    let left = rows("Suspended", &["00:10:00", "00:00:00", "3-00:00:00", "UNLIMITED"]);
    assert_eq!(left, (vec![3_000, 3_600, 0, 3_600], [2, 1]));
    assert_eq!(rows("Suspended", &["9999999999-00:00:00", "00:10:00"]).0[1], 3_000);
}

#[test]
fn a_time_beyond_all_logs_costs_the_job_or_is_unknown() {
    let lines = [job("1", "10:00:00", "COMPLETED|a"), job("2", "10:00:00", "COMPLETED|b").replace("2026", "6026")];
    let log = log(with_header(&lines));
    assert_eq!((log.records.len(), count(&log, Reason::NoSubmitTime)), (1, 1));
}

#[test]
fn any_delimiter_and_any_order_will_do() {
    for delimiter in ["|", "^|^", ";", "\t", ","] {
        let lines = ["State", "Elapsed", "Submit", "AllocTRES", "JobID", "Start", "Timelimit"].join(delimiter);
        let job =
            ["COMPLETED", "1-00:00:05", "1700000000", "cpu=4,mem=2G,node=1", "5", "2023-11-14T22:13:30", "UNLIMITED"];
        let log = log(format!("{lines}\r\n{}\r\n", job.join(delimiter)));
        assert_eq!(jobs(&log), [(5, 0, 10, 86_405, 4, -1)], "{delimiter}");
    }
}

#[test]
fn a_trailing_delimiter_is_no_column() {
    let text = "JobID|Submit|Elapsed|NCPUS|State|\n5|2026-01-05T10:00:00|00:01:00|2|COMPLETED|\n";
    assert_eq!(jobs(&log(text)), [(5, 0, -1, 60, 2, -1)]);
}

#[test]
fn constraints_and_command_lines_may_contain_the_delimiter() {
    let text = "JobID|Submit|Elapsed|NCPUS|State|Constraints|JobName|SubmitLine\n\
                1|2026-01-05T10:00:00|00:01:00|2|COMPLETED|new|old|a|sbatch -C new|old x.sh\n\
                2|2026-01-05T10:00:01|00:01:00|2|COMPLETED||b|sbatch --constraint=[new|old] -L m|n x.sh\n\
                3|2026-01-05T10:00:02|00:01:00|2|COMPLETED||c|sbatch x.sh\n\
                4|2026-01-05T10:00:03|00:01:00|2|COMPLETED|new|old|d|sbatch --constraint=new|old y.sh\n";
    let log = log(text);
    let kinds = &log.beyond.option_kinds;
    assert_eq!(log.beyond.options, [0, 1, -1, 0], "the same options are kept once");
    assert_eq!((kinds[0].constraint.as_str(), kinds[1].constraint.as_str()), ("new|old", "[new|old]"));
    assert_eq!((kinds[1].licences.len(), kinds[1].is_any_licence), (2, true));
    assert_eq!(log.names.executables[1..3], ["b", "c"]);
}

#[test]
fn a_delimiter_or_a_line_break_in_a_name_does_not_cost_the_job() {
    let log = log(with_header(&[
        job("1", "10:00:00", "COMPLETED|a||b"),
        job("2", "10:00:01", "COMPLETED|plain"),
        job("3", "10:00:02", "TIMEOUT|last"),
    ]));
    assert_eq!(log.records.len(), 3);
    assert_eq!(count(&log, Reason::DelimiterInText), 1);

    let text = "JobName|JobID|Submit|SubmitLine|Elapsed|NCPUS|State\n\
                a|1|2026-01-05T10:00:00|sbatch --wrap=echo\n\none | two\nthree|00:01:00|2|COMPLETED\n\
                b|2|2026-01-05T10:00:01|sbatch b|00:01:00|2|COMPLETED\n";
    let log = self::log(text);
    assert_eq!(jobs(&log), [(1, 0, -1, 60, 2, -1), (2, 1, -1, 60, 2, -1)]);
    assert_eq!((count(&log, Reason::BrokenLine), count(&log, Reason::NotAJob)), (1, 0));
}

#[test]
fn what_never_becomes_a_job_costs_only_itself() {
    let log = log(with_header(&["half of a|job".to_owned(), job("2", "10:00:01", "COMPLETED|x")]));
    assert_eq!(log.records.len(), 1);
    let lost = log.account.entries().iter().find(|entry| entry.reason == Reason::NotAJob).unwrap();
    assert_eq!((lost.count, lost.lines.as_slice()), (1, &[2][..]));
}

#[test]
fn steps_and_arrays_that_wait_are_left_out_and_counted() {
    let log = log(with_header(&[
        job("1", "10:00:00", "COMPLETED|x"),
        job("1.batch", "10:00:00", "COMPLETED|batch"),
        job("1.0", "10:00:00", "COMPLETED|step"),
        job("4_2", "10:00:00", "COMPLETED|array"),
        job("4_[3-9%2]", "10:00:00", "PENDING|array"),
        job("9", "10:00:00", "PENDING|waits"),
        job("10", "10:00:00", "RUNNING|runs"),
    ]));
    assert_eq!((log.records.iter().map(|r| r.number).collect::<Vec<_>>(), log.jobs()), (vec![1, 4, 10], 2));
    let counts = [Reason::JobStep, Reason::PendingArray, Reason::NotStarted, Reason::StillRunning];
    assert_eq!(counts.map(|reason| count(&log, reason)), [2, 1, 1, 1]);
}

#[test]
fn parts_of_a_heterogeneous_job_are_one_job() {
    let log = log(with_header(&[
        job("5+0", "10:00:00", "COMPLETED|x"),
        job("5+1", "10:00:00", "COMPLETED|x"),
        job("6", "10:00:01", "COMPLETED|x"),
    ]));
    assert_eq!(jobs(&log), [(5, 0, 3_600, 3_000, 16, 7_200), (6, 1, 3_599, 3_000, 8, 7_200)]);
    assert_eq!((log.beyond.nodes[0], log.beyond.gpus[0]), (4, 8));
    assert_eq!(count(&log, Reason::PartOfJob), 1);
    let kinds = &log.beyond.option_kinds;
    let parts = &kinds[usize::try_from(log.beyond.options[0]).unwrap()].parts;
    assert_eq!(parts.iter().map(|part| (part.processors, part.nodes, part.gpus)).collect::<Vec<_>>(), [(8, 2, 4); 2]);
    assert_eq!(log.beyond.options[1], -1);
}

#[test]
fn parts_that_two_dumps_have_count_once() {
    let first = with_header(&[job("5+0", "10:00:00", "RUNNING|x"), job("5+1", "10:00:00", "RUNNING|x")]);
    let second = with_header(&[job("5+0", "10:00:00", "COMPLETED|x"), job("5+1", "10:00:00", "COMPLETED|x")]);
    let log = log([first, second].concat());
    assert_eq!(jobs(&log), [(5, 0, 3_600, 3_000, 16, 7_200)]);
    assert_eq!((log.jobs(), count(&log, Reason::PartOfJob), count(&log, Reason::Repeated)), (1, 1, 2));
}

#[test]
fn requeued_jobs_are_jobs_of_their_own_and_repeated_ones_are_not() {
    let months = [
        with_header(&[job("5", "10:00:00", "PREEMPTED|x"), job("5", "10:30:00", "COMPLETED|x")]),
        with_header(&[job("5", "10:30:00", "COMPLETED|x"), job("6", "10:40:00", "CANCELLED by 1000|x")]),
    ];
    let log = log(months.concat());
    assert_eq!(log.records.iter().map(|r| (r.number, r.submit)).collect::<Vec<_>>(), [(5, 0), (5, 1_800), (6, 2_400)]);
    assert_eq!(log.records[2].status, 5);
    assert_eq!(count(&log, Reason::Repeated), 1);
    assert_eq!(log.beyond.nodes.len(), 3);
}

#[test]
fn later_columns_may_have_another_order() {
    let text = "JobID|Submit|Elapsed|NCPUS|State\n1|2026-01-05T10:00:00|00:01:00|2|COMPLETED\n\
                NCPUS|State|JobID|Elapsed|Submit\n4|COMPLETED|2|00:02:00|2026-01-05T10:00:09\n";
    assert_eq!(jobs(&log(text)), [(1, 0, -1, 60, 2, -1), (2, 9, -1, 120, 4, -1)]);
}

#[test]
fn limits_that_are_none_and_times_that_are_unknown() {
    let text = "JobID|Submit|Start|End|Timelimit|NNodes|State\n\
                1|2026-01-05T10:00:00|2026-01-05T10:00:05|2026-01-05T10:01:05|Partition_Limit|2|COMPLETED\n\
                2|2026-01-05T10:00:00|Unknown|Unknown||3|CANCELLED by 7\n\
                3|2026-01-05T10:00:00|None|2026-01-05T10:00:09|1-00:00:00|3|CANCELLED\n\
                4|Unknown|None|None|1-00:00:00|3|CANCELLED\n";
    let log = log(text);
    assert_eq!(jobs(&log), [(1, 0, 5, 60, 2, -1), (2, 0, -1, -1, 3, -1), (3, 0, -1, -1, 3, 86_400)]);
    assert_eq!(count(&log, Reason::NoSubmitTime), 1);
}

#[test]
fn names_may_be_in_any_encoding() {
    let mut bytes = with_header(&[job("1", "10:00:00", "COMPLETED|x")]).into_bytes();
    let at = bytes.windows(3).position(|w| w == b"ann").unwrap();
    bytes[at] = 0xff;
    assert_eq!(log(bytes).names.users, ["\u{fffd}nn"]);
}

#[test]
fn exports_without_a_header_are_told_by_content() {
    let job = |qos: &str, id: u32| {
        format!(
            "{id}|{id}|cl|part|{qos}acc|grp|100|ann|1000|2016-12-22T07:15:12|2016-12-22T07:15:12|2016-12-22T07:15:13|\
             2016-12-23T07:15:13|1-00:00:00|0:0|CANCELLED by 1000|1|12|12|31000Mn|cpu=12,node=1|\
             billing=12,cpu=12,gres/gpu=2,mem=31000M,node=1|37-14:00:00|n1,n[2-3]|name\n"
        )
    };
    for qos in ["qos|", ""] {
        let log = log([job(qos, 1), job(qos, 2)].concat());
        assert_eq!(jobs(&log)[1], (2, 0, 1, 86_400, 12, 3_247_200));
        assert_eq!(log.header.get("Computer"), Some("cl"));
        assert_eq!(log.names.groups, ["acc"]);
        assert_eq!(log.beyond.gpus, [2, 2]);
    }
}

#[test]
fn what_cannot_be_used_is_told_with_the_command() {
    let said = error("JobID|State|Partition|Timelimit\n1|COMPLETED|p|00:10:00\n").to_string();
    assert!(said.contains("columns are missing: the time of submission (Submit), the run time"), "{said}");
    assert!(said.contains("It has JobID, State, Partition, Timelimit. ") && said.ends_with(COMMAND), "{said}");
    let said = error(
        "       JobID    JobName  Partition    Account  AllocCPUS      State ExitCode \n\
         ------------ ---------- ---------- ---------- ---------- ---------- -------- \n\
         16261988.ba+      batch                   lab          1 CANCELLED+     0:15 \n",
    );
    assert_eq!(said, ReadError::FixedWidth { command: COMMAND });
}

const HEAD: &str = "JobIDRaw|User|Submit|Start|End|ElapsedRaw|NCPUS|State|Constraints|JobName\n";

fn row(id: &str, start: &str, end: &str, elapsed: u32, constraints: &str, name: &str) -> String {
    format!(
        "{id}|ann|2026-01-01T01:00:00|2026-01-01T{start}|2026-01-01T{end}|{elapsed}|4|COMPLETED|{constraints}|{name}\n"
    )
}

#[test]
fn rows_a_field_short_are_told_and_never_joined() {
    let whole = row("1", "01:10:00", "01:20:00", 600, "", "x");
    let short = whole.replace("|x\n", "\n").replace("1|ann", "2|ann");
    let text = [HEAD, &whole, &short, &short, &short, &whole.replace("1|ann", "3|ann")].concat();
    let log = read("sacct", text.as_bytes()).unwrap();
    assert_eq!((log.records.len(), log.account.count(Reason::NotAJob), log.account.records(2)), (2, 3, 5));
    let said = log.account.examples_in_words();
    assert_eq!(said.matches("reads \"2|ann|").count(), 3, "{said}");
    let few = crate::reading::Limits { lost: 10, ..Default::default() };
    let refused = crate::reading::read_within("sacct", text.as_bytes(), few).unwrap_err().to_string();
    assert!(refused.starts_with("3 of its 5 records were not understood"), "{refused}");
}

#[test]
fn delimiters_in_several_texts_are_put_together() {
    let text = [HEAD, &row("1", "01:10:00", "01:20:00", 600, "new|old", "a|b|c")].concat();
    let log = read("sacct", text.as_bytes()).unwrap();
    let record = &log.records[0];
    assert_eq!((record.run, record.wait, record.status, record.requested), (600, 600, 1, 4));
}

#[test]
fn rows_with_one_id_that_differ_are_jobs() {
    let rows = [row("7", "01:10:00", "01:20:00", 600, "", "x"), row("7", "01:15:00", "01:25:00", 600, "", "x")];
    let again = rows[0].clone();
    let log = read("sacct", [HEAD, &rows[0], &rows[1], &again].concat().as_bytes()).unwrap();
    let told = |reason| log.account.count(reason);
    assert_eq!((log.records.len(), told(Reason::SharedId), told(Reason::Repeated)), (2, 1, 1), "Slurm's own id");
    let text = [HEAD.replace("JobIDRaw", "JobID"), rows.concat(), again].concat();
    let log = read("sacct", text.as_bytes()).unwrap();
    assert_eq!((log.records.len(), log.account.count(Reason::SharedId)), (3, 2), "an id that tells nothing");
    let merged = crate::merge(vec![log.clone(), log]).unwrap();
    assert_eq!(merged.records.len(), 3, "dumps that overlap");
}

#[test]
fn times_that_contradict_each_other_are_told() {
    let rows = [row("1", "00:10:00", "00:20:00", 600, "", "x"), row("2", "01:10:00", "01:05:00", 600, "", "x")];
    let log = read("sacct", [HEAD, &rows[0], &rows[1]].concat().as_bytes()).unwrap();
    let told = [Reason::StartsBeforeSubmit, Reason::EndsBeforeStart].map(|reason| log.account.count(reason));
    assert_eq!(told, [1, 1]);
    assert!(log.account.in_words().contains("TZ=UTC"));
}

#[test]
fn columns_by_number_have_no_line_of_names() {
    let columns = "id=1,user=2,submit=3,start=4,end=5,processors=7,state=8";
    let columns = columns.split(',').map(|one| one.parse().unwrap()).collect();
    let text = [
        row("1", "01:10:00", "01:20:00", 600, "", "x"),
        row("1.batch", "01:10:00", "01:20:00", 600, "", "x"),
        row("2", "01:10:00", "01:20:00", 600, "", "x").replace("COMPLETED", "RUNNING"),
        row("3", "01:10:00", "01:20:00", 600, "", "x").replace("COMPLETED", "PENDING"),
    ];
    let map = crate::ColumnMap { columns };
    let reader = crate::reading::Reader::mapped("t", Default::default(), map);
    let log = crate::reading::read_by(reader, text.concat().as_bytes()).unwrap();
    let told = [Reason::JobStep, Reason::StillRunning, Reason::NotStarted].map(|reason| log.account.count(reason));
    assert_eq!((log.jobs(), log.records[0].wait, log.records[0].run, told), (1, 600, 600, [1, 1, 1]));
}

#[test]
fn what_stands_above_the_names_and_comments_are_no_records() {
    let rows = [job("7", "10:00:00", "COMPLETED|fit"), job("8", "10:00:10", "LAUNCH_FAILED|fit")].join("\n");
    for above in ["# dump of sacct\n", "Welcome to c\nLast login: today\n\n", "$ sacct -a -X -P\n", "#"] {
        let log = log(format!("{above}{HEADER}\n{rows}\n# end\n"));
        assert_eq!((log.jobs(), count(&log, Reason::NotAJob), log.records[1].status), (2, 0, 0), "{above}");
    }
    // rows above the names are of other columns, and must not vanish
    let mixed = read("sacct.txt", format!("1|2|3|4\n{HEADER}\n{rows}\n").as_bytes());
    assert!(mixed.is_err() || mixed.is_ok_and(|log| count(&log, Reason::NotAJob) > 0));
}

#[test]
fn every_state_of_slurm_is_known() {
    for (state, jobs, waits) in [
        ("RECONFIG_FAIL", 1, 0),
        ("POWER_UP_NODE", 0, 0),
        ("SIGNALING", 0, 0),
        ("STAGE_OUT", 0, 0),
        ("REQUEUE_HOLD", 0, 1),
        ("RESV_DEL_HOLD", 0, 1),
    ] {
        let log =
            log(with_header(&[job("7", "10:00:00", "COMPLETED|fit"), job("8", "10:00:00", &format!("{state}|fit"))]));
        assert_eq!((log.jobs(), count(&log, Reason::NotStarted)), (1 + jobs, waits), "{state}");
    }
}

#[test]
fn names_and_values_in_quotes_are_a_table() {
    let quoted = |line: &str| line.split('|').map(|field| format!("\"{field}\"")).collect::<Vec<_>>().join(",");
    let row = |id| job(id, "10:00:00", "COMPLETED|fit");
    // as R writes it: numbers without quotes
    let second = quoted(&row("8")).replace("\"3000\"", "3000");
    let log = log(format!("{}\n{}\n{second}\n", quoted(HEADER), quoted(&row("7"))));
    let seen: Vec<_> = log.records.iter().map(|r| (r.number, r.wait, r.run, r.requested_time)).collect();
    assert_eq!(seen, [(7, 3_600, 3_000, 7_200), (8, 3_600, 3_000, 7_200)]);
}

#[test]
fn runs_of_a_job_that_was_put_back_are_told_apart_by_their_count() {
    let row = |restarts: u32| {
        format!("7|7|2026-01-05T10:00:00|2026-01-05T10:01:00|2026-01-05T10:01:00|4|REQUEUED|{restarts}\n")
    };
    let text = format!("JobID|JobIDRaw|Submit|Start|End|NCPUS|State|Restarts\n{}{}{}", row(0), row(1), row(1));
    let log = read("sacct", text.as_bytes()).unwrap();
    assert_eq!((log.jobs(), log.account.count(Reason::Repeated)), (2, 1));
}

#[test]
fn counts_and_memory_with_prefixes_are_what_they_mean_or_told() {
    let of = |nodes: &str, cpus: &str, memory: &str, tres: &str| {
        let text = format!(
            "JobID|Submit|Start|End|NNodes|NCPUS|ReqMem|AllocTRES|State\n7|2026-01-05T10:00:00|2026-01-05T10:00:00|\
             2026-01-05T11:00:00|{nodes}|{cpus}|{memory}|{tres}|COMPLETED\n"
        );
        let log = log(text);
        let (record, memory) = (&log.records[0], log.beyond.memory.first().copied().unwrap_or(-1));
        (record.requested, log.beyond.nodes[0], memory, count(&log, Reason::ValueNotUnderstood))
    };
    assert_eq!(of("2K", "1.50K", "4000M", ""), (1_536, 2_048, 4_000, 0));
    assert_eq!(of("40", "", "1.95Gc", "cpu=1.50K,mem=2T,node=40"), (1_536, 40, 1_997 * 1_536, 0));
    assert_eq!(of("2", "8", "4000Mn", "billing=8"), (8, 2, 8_000, 0));
    assert_eq!(of("2", "8", "?", "cpu=?,mem=0"), (8, 2, -1, 0), "nothing is known");
    for (nodes, memory, tres) in [("1", "4000Xn", ""), ("1", "", "cpu=1.5,node=1"), ("1", "", "cpu=8,mem=much")] {
        assert_eq!(of(nodes, "8", memory, tres).3, 1, "{memory} {tres}");
    }
    let in_units = log("JobID|Submit|Start|End|NCPUS|NNodes|ReqNodes|State\n\
         7|2026-01-05T10:00:00|2026-01-05T10:00:00|2026-01-05T11:00:00|8|1|0.00K|COMPLETED\n");
    assert!(in_units.account.entries().is_empty(), "another column tells the nodes");
    let lost = log(
        "JobID|Submit|Start|End|NCPUS|State\n7|2026-01-05T10:00:00|2026-01-05T10:00:00|2026-01-05T11:00:00|0.01K|COMPLETED\n",
    );
    assert_eq!((lost.records[0].requested, count(&lost, Reason::ValueNotUnderstood)), (-1, 1));
}

#[test]
fn what_pandas_writes_of_sacct_s_columns_is_read() {
    let header = ",JobID,JobIDRaw,Submit,Start,End,ElapsedRaw,TimelimitRaw,NCPUS,State,AllocTRES,SubmitLine,JobName";
    let times = "2026-01-05T10:00:00,2026-01-05T11:00:00,2026-01-05T12:00:00,3600";
    let text = format!(
        "{header}\n0,7,7,{times},120.0,8.0,COMPLETED,\"billing=8,cpu=8,mem=4G,node=1\",\"sbatch --wrap=\"\"a, b\"\"\",\"x,y\"\n\
         1,7.batch,7.batch,{times},,8.0,COMPLETED,\"cpu=8,mem=4G,node=1\",,batch\n\
         2,8,8,{times},120.0,8.0,COMPLETED,\"billing=8,cpu=8,mem=4G,node=1\",\"sbatch \"\"two\nlines\"\".sh\",z\n\
         3,9,9,2026-01-05T10:00:00,Unknown,Unknown,0,1440.0,8.0,PENDING,,sbatch z,\"\"\n"
    );
    for text in [text.clone(), text.replace(',', ";").replace("8;mem=4G;", "8,mem=4G,").replace("8;cpu", "8,cpu")] {
        let log = log(text);
        assert_eq!(jobs(&log), [(7, 0, 3_600, 3_600, 8, 7_200), (8, 0, 3_600, 3_600, 8, 7_200)]);
        let told = [Reason::JobStep, Reason::NotStarted, Reason::ValueNotUnderstood, Reason::NotAJob];
        assert_eq!(told.map(|reason| count(&log, reason)), [1, 1, 0, 0]);
        assert_eq!((log.beyond.memory.as_slice(), log.beyond.nodes.as_slice()), (&[4_096, 4_096][..], &[1, 1][..]));
    }
    let open = "JobID,Submit,Start,End,NCPUS,State,JobName\n\
                7,2026-01-05T10:00:00,2026-01-05T11:00:00,2026-01-05T12:00:00,8,COMPLETED,\"x\n";
    assert_eq!(jobs(&log(open)), [(7, 0, 3_600, 3_600, 8, -1)], "sacct itself quotes nothing");
}

#[test]
fn a_job_that_was_resized_has_ended_at_each_size_but_the_last() {
    let row = |begin: u32, end: u32, cpus: u32, state: &str| {
        format!("7|7|2026-01-05T10:00:00|2026-01-05T{begin}:00:00|2026-01-05T{end}:00:00|3600|{cpus}|{state}\n")
    };
    let log = log(format!(
        "JobID|JobIDRaw|Submit|Start|End|ElapsedRaw|NCPUS|State\n{}{}",
        row(11, 12, 8, "RESIZING"),
        row(12, 13, 4, "COMPLETED")
    ));
    assert_eq!(jobs(&log), [(7, 0, 3_600, 3_600, 8, -1), (7, 0, 7_200, 3_600, 4, -1)]);
    assert_eq!(count(&log, Reason::StillRunning), 0);
}

#[test]
fn what_pandas_and_others_make_of_it_is_read() {
    let seen = |text: &str| {
        let log = read("sacct.csv", text.as_bytes()).unwrap();
        assert!(log.account.entries().is_empty(), "{text}: {:?}", log.account.entries());
        let r = &log.records[0];
        (log.jobs(), r.number, r.wait, r.run, r.requested, r.requested_time)
    };
    let row =
        "2026-01-05 10:00:00,2026-01-05 10:01:00,2026-01-05 10:11:00,0 days 00:10:00,4.0,0 days 01:00:00,COMPLETED\n";
    let names = "JobID,Submit,Start,End,Elapsed,NCPUS,Timelimit,State\n";
    for text in [
        format!("{names}12,{row}13,{row}"),
        format!(",{names}0,12,{row}1,13,{row}"),
        format!("{names}12.0,{row}13.0,{row}"),
        format!("{names}{names}12.0,{row}13.0,{row}"),
    ] {
        assert_eq!(seen(&text), (2, 12, 60, 600, 4, 3_600), "{text}");
    }
    let (start, end) = ("2026-01-05T10:01:00", "2026-01-05T10:11:00");
    let row = format!("| 12 | 2026-01-05T10:00:00 | {start} | {end} | 4 | 01:00:00 |\n");
    let names = "| JobID | Submit | Start | End | NCPUS | Timelimit |\n";
    let rule = |mark: &str, joint: &str| format!("{joint}{}\n", format!("{}{joint}", mark.repeat(9)).repeat(6));
    for text in [
        format!("{names}{}{row}", rule("-", "|")),
        format!("{0}{names}{1}{row}{0}", rule("-", "+"), rule("=", "+")),
        format!("{names}{}{row}(1 row)\n", rule("-", "+")),
    ] {
        assert_eq!(seen(&text), (1, 12, 60, 600, 4, 3_600), "{text}");
    }
    let text = "JobID,JobStep,JobIDSlurm,State,Elapsed,Submit,Start,End,NCPUS\n\
                12,,12,COMPLETED,600,1767607200,1767607260,1767607860,4\n\
                12,batch,12.batch,COMPLETED,600,1767607200,1767607260,1767607860,4\n";
    assert_eq!(read("slurm2sql.csv", text.as_bytes()).unwrap().jobs(), 1);
    // steps of a job that is there
    let text = "JobID,Submit,Start,End,NCPUS\n12,2026-01-05T10:00:00,2026-01-05T10:01:00,2026-01-05T10:11:00,4\n\
                12.0,2026-01-05T10:00:00,2026-01-05T10:01:00,2026-01-05T10:11:00,4\n";
    assert_eq!(read("sacct.csv", text.as_bytes()).unwrap().jobs(), 1);
}

#[test]
fn rows_of_another_table_behind_are_a_record_each() {
    let row = "12|ann|2026-01-05T10:00:00|2026-01-05T10:01:00|2026-01-05T10:11:00|4|COMPLETED\n";
    let other = "13,ann,2026-01-05T10:00:00,2026-01-05T10:01:00,2026-01-05T10:11:00,4,COMPLETED\n".repeat(40);
    let text = format!("JobID|User|Submit|Start|End|NCPUS|State\n{row}{other}");
    let log = crate::reading::read("t", text.as_bytes()).unwrap();
    assert_eq!((log.jobs(), log.account.count(crate::Reason::NotAJob)), (1, 40));
}

#[test]
fn zero_bytes_around_lines_are_no_records() {
    let row = "12|ann|2026-01-05T10:00:00|2026-01-05T10:01:00|2026-01-05T10:11:00|4|COMPLETED\n";
    let zeros = "\0".repeat(700);
    let text =
        format!("JobID|User|Submit|Start|End|NCPUS|State\n{zeros}{row}{zeros}\n{}{zeros}", row.replace("12|", "13|"));
    let log = crate::reading::read("t", text.as_bytes()).unwrap();
    assert_eq!((log.jobs(), log.account.in_words()), (2, String::new()));
}

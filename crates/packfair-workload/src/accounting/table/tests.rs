use crate::reading::{Limits, Reader, read, read_by};
use crate::{ColumnMap, Log, Reason, Seconds};

fn log(text: &str) -> Log {
    read("jobs.csv", text.as_bytes()).unwrap()
}

/// Number, submit, wait, run, processors, limit of each job.
fn jobs(log: &Log) -> Vec<(i64, Seconds, Seconds, Seconds, i32, Seconds)> {
    let of = log.records.iter();
    of.map(|r| (r.number, r.submit, r.wait, r.run, r.requested, r.requested_time)).collect()
}

#[test]
fn states_come_before_what_programs_returned() {
    let seen = |names: &str, states: [&str; 3]| {
        let row = |(n, state): (usize, &str)| format!("{n},1700000000,1700000060,1700000660,4,{state}\n");
        let rows: String = states.into_iter().enumerate().map(row).collect();
        let log = read("t.csv", format!("id,submit,start,end,cores,{names}\n{rows}").as_bytes()).unwrap();
        log.records.iter().map(|r| r.status).collect::<Vec<_>>()
    };
    assert_eq!(seen("exit_status", ["0", "1", "-11"]), [1, 0, 0]);
    assert_eq!(seen("ExitCode", ["0:0", "2:0", "0:15"]), [1, 0, 0]);
    assert_eq!(seen("exit_code,job_state", ["0,COMPLETED", "1,COMPLETED", "0,CANCELLED"]), [1, 1, 5]);
    assert_eq!(seen("exit_code,qdate,JobStatus", ["2,1700000000,4", "0,1700000000,4", "1,1700000000,3"]), [1, 1, 5]);
}

#[test]
fn batsim_s_schedules_are_logs() {
    let log =
        log("job_id,workload_name,submission_time,requested_number_of_resources,requested_time,success,starting_time,\
         execution_time,finish_time,waiting_time,turnaround_time,stretch,consumed_energy,allocated_resources\n\
         228,w,1497296309,8,300,1,1497296310,173,1497296483,1,174,1.00578034682081,-1,10 9 16 13 15 12 14 11\n\
         7,w,1497296300.0,4,200.0,1,1497296300.5,10.5,1497296311,0.5,11,1.0,-1,\"1-3,5\"\n");
    assert_eq!(jobs(&log), [(228, 9, 1, 173, 8, 300), (7, 0, 0, 10, 4, 200)]);
}

#[test]
fn published_data_sets_are_told_by_the_names_of_their_columns() {
    let alcf = "JOB_NAME,COBALT_JOBID,MACHINE_NAME,QUEUED_TIMESTAMP,START_TIMESTAMP,END_TIMESTAMP,USERNAME_GENID,\
                PROJECT_NAME_GENID,QUEUE_NAME,WALLTIME_SECONDS,RUNTIME_SECONDS,NODES_USED,NODES_REQUESTED,EXIT_STATUS\n\
                \"5.pbs\",5.0,polaris,2023-01-01 00:00:00,2023-01-01 00:01:00.5,2023-01-01 00:02:00,u1,p1,prod,3600.0,\
                60.0,10.0,10.0,0\n";
    let helios = "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue\n\
                  5,u1,vc1,8,64,1,COMPLETED,2020-04-01 00:00:00,2020-04-01 00:01:00,2020-04-01 00:02:00,60,60\n";
    let mit = "id_job,time_submit,time_eligible,time_start,time_end,timelimit,nodes_alloc,tres_alloc,id_user,state\n\
               5,1600000000,1600000000,1600000060,1600000120,60,1,\"1=40,2=170000,4=1,1002=2\",9,3\n";
    assert_eq!(jobs(&log(alcf)), [(5, 0, 60, 60, 10, 3_600)]);
    assert_eq!(jobs(&log(helios)), [(5, 0, 60, 60, 64, -1)]);
    assert_eq!(log(helios).beyond.gpus, [8]);
    assert_eq!(jobs(&log(mit)), [(5, 0, 60, 60, 40, 3_600)]);
}

#[test]
fn any_delimiter_will_do_and_quotes_may_hold_line_breaks() {
    for delimiter in [",", ";", "\t", "|"] {
        let text = "id,name,submit,run,cores,user\n1,\"a\nb\",2026-01-05T10:00:00,00:01:00,4,ann\n\
                    2,\"c\",2026-01-05T10:00:05,00:01:00,4,ann\nid,name,submit,run,cores,user\n3,c,,,,\n";
        let log = log(&text.replace(',', delimiter));
        assert_eq!(jobs(&log), [(1, 0, -1, 60, 4, -1), (2, 5, -1, 60, 4, -1)], "{delimiter}");
        assert_eq!(log.account.count(Reason::NoSubmitTime), 1);
    }
}

#[test]
fn what_is_missing_is_said() {
    let said = read("jobs.csv", "id,submit,user\n1,2,ann\n".as_bytes()).unwrap_err().to_string();
    assert!(said.contains("columns are missing: the run time (run, or start and end), the number of"), "{said}");
    let said = read("x.csv", "a,b,c\n1,2,3\n".as_bytes()).unwrap_err().to_string();
    assert!(said.contains("It has a, b, c") && said.contains("--columns submit=NAME"), "{said}");
    let said = read("x.txt", "Dear all,\nhere, as you know, it is\n".as_bytes()).unwrap_err().to_string();
    assert!(said.starts_with("this is text, but no log: no line holds a job; line 1 reads \"Dear all"), "{said}");
    let said = read("x.bin", b"\x01\x02\xff\n".as_slice()).unwrap_err().to_string();
    assert!(said.starts_with("this is not a text file"), "{said}");
}

#[test]
fn names_that_sacct_has_too_and_names_of_pods_are_read_as_what_they_are() {
    let some = log("job_id,user,partition,qos,processors_req,wallclock_req,submit_time,start_time,end_time,run_time\n\
                    5,ann,short,normal,4,3600,2024-01-01 00:00:00,2024-01-01 00:00:10,2024-01-01 00:10:10,600\n");
    assert_eq!(jobs(&some), [(5, 0, 10, 600, 4, 3_600)]);
    let elapsed = log("User,Partition,QOS,State,submit_time,run_time,processors\nann,p,q,COMPLETED,5,60,4\n");
    assert_eq!(jobs(&elapsed)[0].3, 60);
    let pods = log("name,cpu_milli,memory_mib,num_gpu,qos,pod_phase,creation_time,deletion_time,scheduled_time\n\
                    openb-pod-0000,12000,16384,1,LS,Running,0,100,0\n\
                    openb-pod-0007,6500,12288,0,BE,Failed,20,70,30\n\
                    openb-pod-0009,500,12288,1,BE,Pending,40,,\n");
    assert_eq!(jobs(&pods), [(0, 0, 0, 100, 12, -1), (7, 20, 10, 40, 7, -1)]);
    assert_eq!((pods.beyond.gpus.clone(), pods.account.count(Reason::NotStarted)), (vec![1, 0], 1));
}

#[test]
fn what_has_a_line_of_names_is_no_swf_whatever_stands_between_them() {
    let swf = "1 0 0 5 10 -1 -1 10 60 -1 1 1 1 1 1 1 -1 -1\n";
    let named = format!("jobid submit wait run procs f g h  limit j k user m n o p q r\n{swf}");
    let table = log(&named);
    assert!(table.is_table);
    assert_eq!(jobs(&table), [(1, 0, 0, 5, 10, 60)]);
    let unnamed = "a b c d e f g h i j k l m n o p q r\n";
    let said = read("x.swf", format!("{unnamed}{swf}").as_bytes()).unwrap_err().to_string();
    assert!(said.contains("columns are missing") && said.contains("It has a, b, c"), "{said}");
    // a line of words is not a line of names
    let dirty = log(&format!("written by hand on Monday\n{swf}"));
    assert!(!dirty.is_table && dirty.records.len() == 1);
    let commented = log(&format!("# jobid submit wait run procs\n{swf}"));
    assert!(!commented.is_table && commented.account.count(Reason::NotAJob) == 0);
}

#[test]
fn tables_as_data_bases_and_documents_print_them_are_read() {
    let names = "id | submit              | start               | end                 | cpus";
    let row = |n: u32| format!("{n} | 2026-01-01 00:00:0{n} | 2026-01-01 00:01:0{n} | 2026-01-01 00:11:0{n} | 4");
    let framed = |begin: &str, end: &str, rule: &str, title: &str, total: &str| {
        let rows: String = (1..6).map(|n| format!("{begin}{}{end}\n", row(n))).collect();
        format!("{title}{begin}{names}{end}\n{rule}\n{rows}{total}")
    };
    for text in [
        framed(" ", " ", "----+-----+-----+-----+-----", "", "(5 rows)\n\n"),
        framed("| ", " |", "|----|:----|-----|----:|-----|", "", ""),
        framed(
            "| ",
            " |",
            "+----+-----+-----+-----+-----+",
            "+----+----+----+----+----+\n",
            "+---+---+\n5 rows in set (0.01 sec)\n",
        ),
        framed("", "", "-----+-----", "Jobs of January\nmade by ann\n", ""),
    ] {
        let log = crate::reading::read("t", text.as_bytes()).unwrap();
        let seen = log.records.iter().filter(|r| (r.wait, r.run, r.requested) == (60, 600, 4)).count();
        assert_eq!((log.jobs(), seen, log.account.count(crate::Reason::NotAJob)), (5, 5, 0), "{text}");
    }
}

#[test]
fn frames_as_programs_print_them_are_read_or_refused() {
    let at = |minute: u32| format!("2026-01-05 10:{minute:02}:00");
    let rows: Vec<[String; 6]> =
        (1..6).map(|n| [n.to_string(), "ann".to_owned(), at(n), at(n + 1), at(n + 11), "4".to_owned()]).collect();
    let names = ["id", "user", "submit", "start", "end", "cpus"];
    let types = ["i64", "str", "datetime[us]", "datetime[us]", "datetime[us]", "i64"];
    let between =
        |mark: &str, cells: &[String]| cells.iter().map(|cell| format!("{cell:>20}")).collect::<Vec<_>>().join(mark);
    let line =
        |mark: &str, cells: &[&str]| between(mark, &cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>());
    let drawn = |mark: &str| -> String {
        let rows: String = rows.iter().map(|row| format!("│{}│\n", between(mark, row))).collect();
        format!(
            "shape: (5, 6)\n┌────┬────┐\n│{}│\n│{}│\n│{}│\n╞════╪════╡\n{rows}└────┴────┘\n",
            line(mark, &names),
            line(mark, &["---"; 6]),
            line(mark, &types)
        )
    };
    let plain = |index: bool| -> String {
        let rows = rows.iter().enumerate().map(|(n, row)| {
            format!("{}{}\n", if index { format!("{n:<3}") } else { String::new() }, between(" ", row))
        });
        format!("{}\n{}", line(" ", &names), rows.collect::<String>())
    };
    let named = plain(false).replacen(" id ", "    ", 1).replacen('\n', "\nid\n", 1);
    let tibble = plain(true).replacen('\n', "\n  <int> <chr> <dttm> <dttm> <dttm> <int>\n", 1);
    for text in [plain(true), plain(false), named, format!("# A tibble: 5 × 6\n{tibble}"), drawn("┆"), drawn("│")]
    {
        let log = crate::reading::read("t", text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"));
        let seen = log.records.iter().filter(|r| (r.wait, r.run, r.requested) == (60, 600, 4)).count();
        assert_eq!((log.jobs(), seen, log.account.in_words()), (5, 5, String::new()), "{text}");
    }
    for text in [
        format!("{}..  ...  ...  ...  ...  ...  ...\n", plain(true)),
        format!("{}\n[500 rows x 6 columns]\n", plain(true)),
        format!("{tibble}# ℹ 990 more rows\n"),
        drawn("┆").replacen("└", &format!("│{}│\n└", line("┆", &["…"; 6])), 1),
    ] {
        let said = crate::reading::read("t", text.as_bytes()).unwrap_err().to_string();
        assert!(said.contains("which leaves out rows"), "{said}: {text}");
    }
}

#[test]
fn what_ended_and_never_started_is_told_as_that() {
    for phase in ["Pending", "Deleted", ""] {
        let log = log(&format!(
            "name,cpus,phase,creation_time,deletion_time,scheduled_time\na,4,Succeeded,0,660,60\nb,4,{phase},100,200,\n"
        ));
        let left: Vec<_> = log.beyond.never_started.iter().map(|never| (never.record, never.left)).collect();
        assert_eq!((log.records.len(), left), (2, vec![(1, 200)]), "{phase}");
    }
}

#[test]
fn a_name_of_a_column_may_be_of_any_length() {
    let began = std::time::Instant::now();
    for part in ["x", "x.", "x ", "_"] {
        let log = log(&format!("id,submit,run,cpus,{}\n7,5,60,4,1\n", part.repeat(30_000 / part.len())));
        assert_eq!((log.records[0].number, log.records[0].run), (7, 60));
    }
    assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
}

#[test]
fn tasks_of_nodes_and_their_processors_make_a_width() {
    let log = log("id,submit,start,end,nodes,ntasks_per_node,cpus_per_task\n7,0,60,660,2,4,8\n");
    assert_eq!((log.records[0].requested, log.beyond.nodes[0]), (64, 2));
}

#[test]
fn rows_of_steps_are_told_by_a_column_of_them() {
    let row = |id: u32, step: &str, state: &str, end: u32| format!("{id},{step},0,60,{end},4,{state}\n");
    let steps = ["", "batch", "0", "1"].map(|step| row(7, step, "COMPLETED", 660)).concat();
    let cancelled = row(8, "", "CANCELLED by 5", 60);
    let log = log(&format!("job_id,job_step,submit,start,end,cpus,state\n{steps}{cancelled}"));
    assert_eq!((log.records.len(), log.account.count(Reason::JobStep), log.beyond.never_started.len()), (2, 3, 1));
}

#[test]
fn what_has_neither_start_nor_end_waits() {
    for state in ["Waiting", "toLaunch", "", "Hold"] {
        let text =
            format!("id,submit,start,end,cpus,state\n7,5,60,660,4,Terminated\n8,6,1970-01-01 01:00:00,,4,{state}\n");
        let log = log(&text);
        assert_eq!(
            (log.records.len(), log.records[0].status, log.account.count(Reason::NotStarted)),
            (1, 1, 1),
            "{state}"
        );
    }
}

#[test]
fn a_row_may_tell_the_zone_of_its_times() {
    let rows = "7,2026-01-05 10:00:00,2026-01-05 10:01:00,2026-01-05 10:11:00,4,UTC\n\
                8,2026-01-05 11:05:00,2026-01-05 11:06:00,2026-01-05 11:16:00,4,+01:00\n\
                9,2026-01-05 05:10:00Z,2026-01-05 05:11:00Z,2026-01-05 05:21:00Z,4,EST\n";
    let read = log(&format!("id,submit,start,end,cpus,timezone\n{rows}"));
    let seen: Vec<_> =
        read.records.iter().map(|r| (r.number, r.submit - read.records[0].submit, r.wait, r.run)).collect();
    assert_eq!(seen, [(7, 0, 60, 600), (8, 300, 60, 600), (9, -17_400, 60, 600)]);
    let named = log(&format!("id,submit,start,end,cpus,timezone\n{}", rows.replace("+01:00", "Europe/Berlin")));
    assert_eq!(named.records[1].submit - named.records[0].submit, 300);
    let unknown = log(&format!("id,submit,start,end,cpus,timezone\n{}", rows.replace("+01:00", "Middle/Earth")));
    assert_eq!((unknown.records.len(), unknown.account.count(Reason::NoSubmitTime)), (2, 1), "none is guessed");
}

#[test]
fn rows_may_be_parted_otherwise_than_names_and_quoted_otherwise() {
    let names = ["id", "user", "submit", "start", "end", "cpus"];
    let values = ["7", "ann", "2026-01-05 10:00:00", "2026-01-05 10:01:00", "2026-01-05 10:11:00", "4"];
    let quoted = |values: &[&str]| values.iter().map(|value| format!("'{value}'")).collect::<Vec<_>>().join(",");
    for text in [
        format!("{}\n{}\n", names.join(","), values.join("|")),
        format!("{}\n{}\n", names.join(" "), values.join(";")),
        format!("{}\n{}\n", names.join("\t"), values.join(",")),
        format!("{}\n{}\n", quoted(&names), quoted(&values)),
        format!("{}\n{}\n,,,,Sum:,4\n", names.join(","), values.join(",")),
    ] {
        let log = log(&text);
        let r = &log.records[0];
        assert_eq!(
            (r.number, r.wait, r.run, r.requested, log.account.in_words()),
            (7, 60, 600, 4, String::new()),
            "{text}"
        );
    }
}

#[test]
fn what_all_names_begin_with_is_no_part_of_them() {
    for begin in ["sim_", "hpc.", "task-", "j "] {
        let names = ["job_id", "submit", "duration", "tasks", "wclimit", "qosname", "features"]
            .map(|name| format!("{begin}{name}"));
        let log = log(&format!("{}\n7,2017-01-01 00:01:26,15,12,900,q,x\n", names.join(",")));
        let r = &log.records[0];
        assert_eq!((r.number, r.run, r.requested, r.requested_time), (7, 15, 12, 900), "{begin}");
    }
}

#[test]
fn durations_between_two_times_tell_their_unit() {
    let text = |unit: f64| -> String {
        let row = |n: i64| {
            let (wait, run) = (400.0 * n as f64 / unit, 5_000.0 * n as f64 / unit);
            format!("{n},{},{},{},{wait},{run},4\n", 0, 400 * n, 5_400 * n)
        };
        (1..9).fold("id,submit,start,end,wait,duration,cpus\n".to_owned(), |text, n| text + &row(n))
    };
    for unit in [1.0, 0.001, 60.0, 3_600.0] {
        let log = log(&text(unit));
        let r = &log.records[3];
        assert!((r.wait - 1_600).abs() < 2 && (r.run - 20_000).abs() < 2, "{unit}: {} {}", r.wait, r.run);
        assert_eq!(log.account.count(Reason::SpansInOtherUnit), u64::from(unit != 1.0), "{unit}");
    }
    let rows: String = (1..40).map(|n| format!("{n},17672{n:02}000000,{},16\n", 30_000 * n * n)).collect();
    let alone = log(&format!("id,submission_time,duration,cpu_count\n{rows}"));
    assert_eq!((alone.records[9].run, alone.account.count(Reason::SpansInOtherUnit)), (3_000, 1));
}

#[test]
fn limits_are_found_whatever_they_are_called() {
    for name in [
        "tLimit",
        "time_requested",
        "timeout",
        "walltime_sec",
        "max_runtime",
        "Req. Walltime",
        "timeLimitSeconds",
        "requested_wall",
    ] {
        let log = log(&format!("id,submit,start,end,cpus,{name}\n7,0,60,660,4,900\n"));
        assert_eq!(log.records[0].requested_time, 900, "{name}");
    }
    let ended = log("id,submit,start,end,cpus,timeout\n7,0,60,660,4,False\n8,0,60,660,4,True\n");
    assert_eq!((ended.records[0].requested_time, ended.account.entries().len()), (-1, 0));
}

#[test]
fn suspended_time_is_no_run_time() {
    let read = |text: &str| {
        let log = log(text);
        let runs: Vec<Seconds> = log.records.iter().map(|record| record.run).collect();
        (runs, [Reason::Suspended, Reason::ElapsedDiffers].map(|reason| log.account.count(reason)))
    };
    // Slurm's data base; the third is suspended now, and since then has a moment in place of a time
    let slurm = "id_job,time_submit,time_start,time_end,time_suspended,timelimit,nodes_alloc,state\n\
                 5,1600000000,1600000060,1600000660,200,60,1,3\n6,1600000000,1600000060,1600000660,0,60,1,3\n\
                 7,1600000000,1600000060,1600000660,1600000300,60,1,3\n";
    assert_eq!(read(slurm), (vec![400, 600, 600], [1, 0]));
    // HTCondor counts it as wall clock time
    let condor = "ClusterId,ProcId,QDate,JobCurrentStartDate,CompletionDate,RemoteWallClockTime,\
                  CumulativeSuspensionTime,RequestCpus,JobStatus,Owner\n\
                  5,0,1600000000,1600000060,1600000660,600,200,1,4,ann\n5,1,1600000000,1600000060,1600000660,600,0,1,4,ann\n";
    assert_eq!(read(condor), (vec![400, 600], [1, 0]));
    // elsewhere the run time is what it is
    let other = "id,submit,start,end,run,suspended,cores\n1,1600000000,1600000060,1600000660,400,200,1\n\
                 2,1600000000,1600000060,1600000660,600,no,1\n";
    assert_eq!(read(other), (vec![400, 600], [1, 0]));
}

#[test]
fn durations_in_words_thousandths_of_processors_and_walltimes() {
    let read = |text: &str| crate::reading::read("t", text.as_bytes()).unwrap();
    let rows: String = (0..4).map(|n| format!("{n},2026-01-01 00:00:0{n}.123,11m,10m 5s,2500m\n")).collect();
    let log = read(&format!("task_id,submit,duration,realtime,cpus\n{rows}"));
    assert_eq!((log.records[0].run, log.records[0].requested), (605, 3));
    let rows: String = (0..4).map(|n| format!("{n},{},00:01:00,00:10:00,01:00:00,4\n", 1_700_000_000 + n)).collect();
    let log = read(&format!("jobid,submit,waittime,walltime,reqwalltime,ncores\n{rows}"));
    let first = &log.records[0];
    assert_eq!((first.wait, first.run, first.requested_time), (60, 600, 3_600), "two limits: one is what was used");
}

#[test]
fn a_value_that_is_not_understood_is_told() {
    let row = |values: &str| format!("1,2026-01-05 10:00:00,{values}\n");
    let read = |values: &str| {
        let text = format!("id,submit,start,run,limit,cores\n{}", row(values));
        let log = read("t.csv", text.as_bytes()).unwrap();
        let record = &log.records[0];
        (record.run, record.requested_time, record.requested, log.account.count(Reason::ValueNotUnderstood))
    };
    assert_eq!(read("2026-01-05 10:01:00,1:02:03:04,2 days,2.5"), (93_784, 172_800, 3, 0));
    assert_eq!(read("2026-01-05 10:01:00,,unlimited,4"), (-1, -1, 4, 0), "nothing is known");
    assert_eq!(read("2026-01-05 10:01:00,-60,-1,4"), (0, -1, 4, 0), "contradictions are told otherwise");
    for odd in [
        "soon,60,60,4",
        "2026-01-05 10:01:00,a while,60,4",
        "2026-01-05 10:01:00,60,long,4",
        "2026-01-05 10:01:00,60,60,#VALUE!",
    ] {
        assert_eq!(read(odd).3, 1, "{odd}");
    }
}

#[test]
fn days_of_spreadsheets_are_times() {
    let rows =
        "1;46027,4166667;46027,4236111;0,0416667;0,0833333;1.024,0\n2;46037,4166667;46037,4236111;1,0416667;;1'024\n";
    let log = read("t.csv", format!("id;submit;start;run;limit;cores\n{rows}").as_bytes()).unwrap();
    let seen: Vec<_> = log.records.iter().map(|r| (r.submit, r.wait, r.run, r.requested_time, r.requested)).collect();
    assert_eq!(seen, [(0, 600, 3_600, 7_200, 1_024), (864_000, 600, 90_000, -1, 1_024)]);
    assert_eq!(log.header.unix_start(), Some(1_767_607_200));
    let sacct = "JobID,Submit,Start,End,AllocCPUS,State\n1,46027.4166667,46027.4236111,46027.4652778,4,COMPLETED\n";
    let record = &read("t.csv", sacct.as_bytes()).unwrap().records[0];
    assert_eq!((record.wait, record.run), (600, 3_600), "with the names of sacct");
}

#[test]
fn processors_are_those_of_all_tasks_and_nodes() {
    let widths = |names: &str, values: &str| {
        let text = format!("id,submit,run,{names}\n1,1767607200,60,{values}\n2,1767607200,60,{values}\n");
        let record = &read("t.csv", text.as_bytes()).unwrap().records[0];
        (record.allocated, record.requested)
    };
    assert_eq!(widths("ntasks,cpus_per_task", "2,16"), (32, 32));
    assert_eq!(widths("nodes,ppn", "2,16"), (32, 32));
    assert_eq!(widths("nnodes,ncpus", "1K,1.50K"), (1_536, 1_536), "as Slurm writes them");
    assert_eq!(widths("nodes,cores_per_node,cores", "2,16,24"), (24, 24));
    assert_eq!(widths("ntasks,cpus_per_task,ncpus", "2,16,40"), (40, 40));
    assert_eq!(widths("cpus,req_cpus", ",8"), (8, 8), "what it asked for, where what it was given is not known");
    assert_eq!(widths("nodes,req_nodes", "2,3"), (2, 2));
}

#[test]
fn tables_that_were_put_together_are_read_each_by_its_own_names() {
    let of = |text: &str| {
        let log = read("t.csv", text.as_bytes()).unwrap();
        let jobs: Vec<_> = log.records.iter().map(|r| (r.number, r.submit, r.wait, r.run, r.requested)).collect();
        (jobs, log.account.others().names, log.account.count(Reason::NotAJob))
    };
    let expected = vec![(1, 0, 30, 600, 4), (2, 60, 40, 500, 8)];
    let first = "id,submit,start,end,cores\n1,1767607200,1767607230,1767607830,4\n";
    for second in [
        "id,submit,start,end,cores\n2,1767607260,1767607300,1767607800,8\n",
        "id,start,submit,cores,end\n2,1767607300,1767607260,8,1767607800\n",
        "\"ID\",\"Start\",\"Submit\",\"Cores\",\"End\"\n2,1767607300,1767607260,8,1767607800\n",
        "\u{feff}cores,end,start,submit,id\n8,1767607800,1767607300,1767607260,2\n",
        "queue,id,start,submit,cores,end\nlong,2,1767607300,1767607260,8,1767607800\n",
    ] {
        assert_eq!(of(&format!("{first}{second}")), (expected.clone(), 2, 0), "{second}");
    }
}

#[test]
fn rows_that_sum_up_others_are_no_jobs() {
    for total in ["Total,,,,12\n", "Sum,20,,,12\n", "total,,,,\n"] {
        let text = format!(
            "id,submit,start,end,cores\n1,1767607200,1767607230,1767607830,4\n2,1767607260,1767607300,1767607800,8\n{total}"
        );
        let log = read("t.csv", text.as_bytes()).unwrap();
        assert_eq!((log.jobs(), log.account.others().comments, log.records[0].submit), (2, 1, 0), "{total}");
        assert!(log.account.entries().is_empty(), "{}", log.account.in_words());
    }
    let log =
        read("t.csv", b"name,submit,run,cores\ntotal,1767607200,600,4\nsum,1767607200,60,4\n".as_slice()).unwrap();
    assert_eq!(log.jobs(), 2, "jobs may be called so");
}

#[test]
fn commas_are_between_thousands_where_nothing_tells_of_decimal_commas() {
    let of = |rows: &str| {
        let log = read("t.csv", format!("id;submit;wait;run;cores;limit\n{rows}").as_bytes()).unwrap();
        log.records.iter().map(|r| (r.wait, r.run, r.requested, r.requested_time)).collect::<Vec<_>>()
    };
    let thousands = "1;1767607200;30;1,600;4;3,600\n2;1767607201;1,030;90;1,024;14,400\n";
    assert_eq!(of(thousands), [(30, 1_600, 4, 3_600), (1_030, 90, 1_024, 14_400)]);
    let decimals = "1;1767607200;30,5;1,600;4;3600\n2;1767607201;30;90;12;3600\n";
    assert_eq!(of(decimals), [(30, 1, 4, 3_600), (30, 90, 12, 3_600)], "30,5 tells of decimal commas");
    let german = "1;15.03.2026 10:00:00;30;1,600;4;3600\n2;15.03.2026 10:00:01;30;90;12;3600\n";
    assert_eq!(of(german), [(30, 1, 4, 3_600), (30, 90, 12, 3_600)], "dates with points tell of decimal commas");
}

#[test]
fn how_dates_are_written_is_said_once() {
    let rows = "id,submit,start,end,cores\n1,03/02/26 08:02:47 AM,03/02/26 08:41:38 AM,03/02/26 10:38:20 PM,4\n";
    let mapped = |columns: &str| {
        let map = ColumnMap { columns: columns.split(',').map(|column| column.parse().unwrap()).collect() };
        let log = read_by(Reader::mapped("t.csv", Limits::default(), map), rows.as_bytes());
        log.map(|log| log.records.iter().map(|r| (r.wait, r.run)).collect::<Vec<_>>())
            .map_err(|error| error.to_string())
    };
    let told = [(2_331, 50_202)];
    assert_eq!(mapped("submit=submit:%m/%d/%y %I:%M:%S %p").unwrap(), told, "start and end are written so, too");
    assert_eq!(mapped("end=end:%d/%m/%y %I:%M:%S %p").unwrap(), told);
    assert!(mapped("submit=submit:%m/%d/%y").is_err());
}

#[test]
fn points_are_between_thousands_where_other_values_tell_so() {
    let of = |rows: &str| {
        let log = read("t.csv", format!("id;submit;wait;run;cores\n{rows}").as_bytes()).unwrap();
        let jobs: Vec<_> = log.records.iter().map(|r| (r.wait, r.run, r.requested)).collect();
        (jobs, log.account.count(Reason::ValueNotUnderstood))
    };
    let dates = "1;15.03.2026 10:00:00;30;1.600;1.024\n2;15.03.2026 10:00:01;30;90;12\n";
    assert_eq!(of(dates), (vec![(30, 1_600, 1_024), (30, 90, 12)], 0));
    let commas = "1;1767607200;30,5;1.600;1.024\n2;1767607201;30;90;12\n";
    assert_eq!(of(commas), (vec![(30, 1_600, 1_024), (30, 90, 12)], 0));
    let decimals = "1;15.03.2026 10:00:00;30.5;1.600;4\n2;15.03.2026 10:00:01;30;90;12\n";
    assert_eq!(of(decimals), (vec![(30, 1, 4), (30, 90, 12)], 0));
    assert_eq!(of("1;1767607200;30;90;1.024\n2;1767607201;30;90;12\n").1, 1, "nothing tells");
}

#[test]
fn a_walltime_beside_a_requested_one_is_no_limit() {
    let log = log("Local Job Id,Submit Time,Start Time,End Time,Cores,Wall Time,Requested Wall Time\n\
                   1,1700000000,1700000060,1700003660,4,3600,7200\n2,1700000000,1700000060,1700003660,4,3600,7200\n");
    assert_eq!(jobs(&log), [(1, 0, 60, 3_600, 4, 7_200), (2, 0, 60, 3_600, 4, 7_200)]);
}

#[test]
fn a_walltime_that_is_the_run_time_of_each_job_is_no_limit() {
    let of = |name: &str, used: &dyn Fn(i64) -> String| {
        let row = |n: i64| {
            let start = 1_700_000_000 + n;
            format!("{n},{start},{start},{},4,{}\n", start + 600 * n, used(600 * n))
        };
        let rows: String = (1..9).map(row).collect();
        log(&format!("id,submit,start,end,cores,{name}\n{rows}"))
            .records
            .iter()
            .map(|r| r.requested_time)
            .collect::<Vec<_>>()
    };
    let unknown = vec![-1; 8];
    assert_eq!(of("walltime", &|used| used.to_string()), unknown);
    assert_eq!(of("Wall Time", &|used| format!("{:02}:{:02}:01", used / 3_600, used / 60 % 60)), unknown);
    assert_eq!(of("walltime", &|used| (used / 60).to_string()), unknown, "minutes");
    assert_eq!(of("walltime_hours", &|used| format!("{:.4}", used as f64 / 3_600.0)), unknown);
    assert_eq!(of("walltime", &|used| (used + 900).to_string())[0], 1_500);
    assert_eq!(of("requested_time", &|used| used.to_string())[0], 600, "it says what it is");
}

#[test]
fn a_unit_in_the_name_of_limits_holds_whatever_outlives_them() {
    let rows: String = (1..40).map(|n| format!("{n},{},3630,4,1\n", 1_700_000_000 + n)).collect();
    let limit = |name: &str| log(&format!("id,submit,run,cores,{name}\n{rows}")).records[0].requested_time;
    assert_eq!(["limit_hours", "timelimit (min)", "walltime_seconds"].map(limit), [3_600, 60, 1]);
}

#[test]
fn names_of_nodes_are_no_number_of_them() {
    for nodes in ["n1", "\"n[1-4],m7\"", "[n1]"] {
        let text = format!("id,submit,start,end,cpus,nodes\n1,1700000000,1700000060,1700003660,4,{nodes}\n");
        let read = log(&text);
        assert_eq!(jobs(&read), [(1, 0, 60, 3_600, 4, -1)], "{nodes}");
        let counted =
            log(&text.replace("cpus", "total_cpus").replace("id,", "id,total_nodes,").replace("\n1,", "\n1,2,"));
        assert_eq!((jobs(&counted), counted.beyond.nodes), (vec![(1, 0, 60, 3_600, 4, -1)], vec![2]), "{nodes}");
    }
    let said = read("t.csv", &b"id,submit,start,end,nodes\n1,1700000000,1700000060,1700003660,n1\n"[..]).unwrap_err();
    assert!(said.to_string().contains("the number of processors or nodes"), "{said}");
}

#[test]
fn a_date_alone_among_times_of_day_is_a_midnight() {
    let text = "id,submit,start,run,cpus\n1,2026-01-05 10:00:00,2026-01-06,60,4\n2,2026-01-06,2026-01-06 00:00:30,60,4\n\
                3,2026-01-05 23:00:00,2026-01-06 01:00:00,60,4\n4,2026-01-05 23:00:00,2026-01-06 01:00:00,60,4\n";
    let read_all: Vec<_> = jobs(&log(text)).iter().map(|job| (job.1, job.2)).collect();
    assert_eq!(read_all, [(0, 14 * 3_600), (14 * 3_600, 30), (13 * 3_600, 7_200), (13 * 3_600, 7_200)]);
    let of_days = "id,submit,run,cpus\n1,2026-01-05,60,4\n2,2026-01-06,60,4\n";
    assert!(read("t.csv", of_days.as_bytes()).is_err(), "days are no times");
}

#[test]
fn parts_of_heterogeneous_jobs_in_slurm_s_data_base_are_one_job() {
    let row = |id: u32, whole: u32, part: u32| {
        format!("{id},{whole},{part},3,60,1700000000,1700000060,1700003660,\"1=4,2=1000,4=1\"\n")
    };
    for names in ["het_job_id,het_job_offset", "pack_job_id,pack_job_offset"] {
        let text = format!(
            "id_job,{names},state,timelimit,time_submit,time_start,time_end,tres_alloc\n{}{}{}{}",
            row(7, 0, 4_294_967_294),
            row(8, 8, 0),
            row(9, 8, 1),
            row(10, 0, 0)
        );
        let log = log(&text);
        let seen: Vec<_> = jobs(&log).iter().map(|job| (job.0, job.4)).collect();
        assert_eq!((seen, log.account.count(Reason::PartOfJob)), (vec![(7, 4), (8, 8), (10, 4)], 1));
    }
}

/// What is seen of the only job of a log: its number, wait, run time, processors and limit.
fn only(text: &str) -> (i64, i64, i64, i64, i64) {
    let log = read("t.csv", text.as_bytes()).unwrap();
    assert_eq!((log.jobs(), log.account.entries().len()), (1, 0), "{text}: {:?}", log.account.entries());
    let r = &log.records[0];
    (r.number, r.wait, r.run, i64::from(r.requested), r.requested_time)
}

const EXPECTED: (i64, i64, i64, i64, i64) = (12, 60, 600, 4, 3_600);

#[test]
fn dates_and_times_of_day_may_stand_in_two_columns() {
    for text in [
        "id,submit_date,submit_time,start_date,start_time,end_date,end_time,cores,limit\n\
         12,2026-01-05,23:59:30,2026-01-06,00:00:30,2026-01-06,00:10:30,4,3600\n",
        "JobID;SubmitTime;SubmitDate;StartTime;StartDate;EndTime;EndDate;NCPUS;Timelimit\n\
         12;10:00;05.01.2026;10:01;05.01.2026;10:11;05.01.2026;4;01:00:00\n",
        "id,submit date,submit time,start date,start time,runtime,cores,limit\n\
         12,01/15/2026,9:59:30 AM,01/15/2026,10:00:30 AM,600,4,3600\n",
        "id\tdate_submitted\ttime_submitted\tday_started\ttime_started\trun\tcores\tlimit\n\
         12\t20260105\t10:00:00\t20260105\t10:01:00\t600\t4\t3600\n",
        "id;Einreichdatum;Einreichzeit;Startdatum;Startzeit;Enddatum;Endzeit;Kerne;Zeitlimit\n\
         12;2026-01-05;10:00:00;2026-01-05;10:01:00;2026-01-05;10:11:00;4;3600\n",
    ] {
        assert_eq!(only(text), EXPECTED, "{text}");
    }
    let log =
        read("t.csv", "id,submit_date,submit_time,run,cores\n1,2026-01-05,10:00,60,4\n2,,,60,4\n".as_bytes()).unwrap();
    assert_eq!((log.jobs(), log.account.count(Reason::NoSubmitTime)), (1, 1));
}

#[test]
fn names_may_have_joints() {
    for text in [
        "job.id,job.times.submit,job.times.start,job.times.end,job.resources.num_cores,job.resources.walltime\n\
         12,2026-01-05T10:00:00,2026-01-05T10:01:00,2026-01-05T10:11:00,4,3600\n",
        "job_id,account,time.elapsed,time.end,time.start,time.submission,time.suspended,time.limit.set,\
         time.limit.number,required.CPUs,required.memory_per_cpu.number,state.current,reservation.id\n\
         12,a,600,1767607860,1767607260,1767607200,0,True,60,4,1000,['COMPLETED'],7\n",
        "id,timing/submitted,timing/started,timing/runtime_ms,resources/cores,limits__walltime_min\n\
         12,1767607200,1767607260,600000,4,60\n",
        "id,reservation.start,submit_time,start_time,end_time,cpus,memory.limit,time_limit\n\
         12,5,1767607200,1767607260,1767607860,4,8000,3600\n",
    ] {
        assert_eq!(only(text), EXPECTED, "{text}");
    }
    // what pandas makes of qstat -x -f -F json
    let text = "Job_Id,ctime,qtime,stime,resources_used.walltime,resources_used.ncpus,Resource_List.ncpus,Resource_List.walltime\n\
                12.pbs,Mon Jan  5 10:00:00 2026,Mon Jan  5 10:00:00 2026,Mon Jan  5 10:01:00 2026,00:10:00,4,4,01:00:00\n";
    assert_eq!(only(text), EXPECTED);
    let text = "id,submit,run,cores,owner.name,project.name,queue.name,app.name\n1,5,60,4,ann,bio,long,fit\n";
    let names = read("t.csv", text.as_bytes()).unwrap().names;
    assert_eq!([names.users, names.groups, names.queues].concat(), ["ann", "bio", "long"]);
}

#[test]
fn rows_may_have_names_that_have_no_name_themselves() {
    for text in [
        "\"id\" \"submit\" \"start\" \"end\" \"cores\" \"limit\"\n\
         \"1\" 12 \"2026-01-05 10:00:00\" \"2026-01-05 10:01:00\" \"2026-01-05 10:11:00\" 4 3600\n",
        "\"id\",\"submit\",\"run\",\"wait\",\"cores\",\"limit\"\n\"1\",12,1767607200,600,60,4,3600\n",
        "   id               submit                start  run  cores  limit\n\
         0  12  2026-01-05T10:00:00  2026-01-05T10:01:00  600      4   3600\n",
    ] {
        assert_eq!(only(text), EXPECTED, "{text}");
    }
    // a text with the delimiter in it
    let text = "id,name,submit,run,cores\n12,a,b,1767607200,600,4\n13,a,b,1767607200,600,4\n";
    let log = read("t.csv", text.as_bytes()).unwrap();
    assert_eq!((log.records[0].number, log.records[0].run, log.names.executables.join(",")), (12, 600, "a".into()));
}

#[test]
fn a_difference_that_is_nothing_may_be_negative() {
    let text = "id,submit,wait,run,cores\n1,5.0,-0.000000,60.0,4\n2,6.0,0.5,60.0,4\n";
    let log = read("t.csv", text.as_bytes()).unwrap();
    assert_eq!((log.records[0].wait, log.records[0].run, log.account.entries().len()), (0, 60, 0));
}

#[test]
fn a_queue_time_may_be_a_moment_or_a_wait() {
    for text in [
        "id,queue_time,start_time,end_time,cores,limit\n12,2026-01-05 10:00:00,2026-01-05 10:01:00,2026-01-05 10:11:00,4,3600\n",
        "id,queue_time,start_time,end_time,cores,limit\n12,60,2026-01-05 10:01:00,2026-01-05 10:11:00,4,3600\n",
        "Job ID,Submission Date,Start Date,Finish Date,CPUs,Time Limit\n12,5.1.2026 9:59,5.1.2026 10:00,5.1.2026 10:10,4,3600\n",
        "id,submitted_on,started_at,END_DT,ncpu,limit\n12,2026-1-5 9:59:00,2026-1-5 10:00:00,2026-1-5 10:10:00,4,3600\n",
    ] {
        assert_eq!(only(text), EXPECTED, "{text}");
    }
}

#[test]
fn words_for_the_end_of_a_job_are_understood() {
    let status = |word: &str| {
        let text = format!("id,submit,run,cores,state\n1,5,60,4,{word}\n");
        read("t.csv", text.as_bytes()).unwrap().records[0].status
    };
    assert_eq!(["finished", "Succeeded", "DONE", "CD", "['COMPLETED']"].map(status), [1; 5]);
    assert_eq!(["failed", "Killed", "CA", "CANCELLED by 7"].map(status), [0, 5, 5, 5]);
}

#[test]
fn names_as_long_as_texts_are_not_looked_into() {
    let long = "a.b/c__d".repeat(10_000);
    let text = format!("id,submit,run,cores,{long}\n12,5,60,4,1\n");
    assert_eq!(read("t.csv", text.as_bytes()).unwrap().jobs(), 1);
    assert!(read("t.json", format!("{{\"{long}\": 1}}").as_bytes()).is_err());
}

#[test]
fn a_row_of_units_below_the_names_says_the_units() {
    let rows: String = (1..150).map(|n| format!("{n},{},0.5,2,4,2.5\n", 1_767_607_200 + n)).collect();
    for units in ["-,s,h,h,cores,h", ",(unix),[h],(h),,hours", ",s,Hours,hr,#,h"] {
        let log = read("t.csv", format!("id,submit,wait,runtime,cores,limit\n{units}\n{rows}").as_bytes()).unwrap();
        let first = &log.records[0];
        let seen = (first.wait, first.run, first.requested, first.requested_time);
        assert_eq!((log.jobs(), seen, log.account.entries().len()), (149, (1_800, 7_200, 4, 9_000), 0), "{units}");
    }
    let refused = read("t.csv", format!("id,submit,wait,runtime,cores,limit\n,s,s,weeks,,h\n{rows}").as_bytes());
    assert!(refused.unwrap_err().to_string().contains("the run time"));
}

#[test]
fn dates_are_read_as_data_bases_and_browsers_write_them() {
    let of = |dates: [&str; 3]| {
        let text = format!("id;submit;start;end;cores\n1;{}\n", [&dates[..], &["4"]].concat().join(";"));
        let log = read("t.csv", text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"));
        (log.header.unix_start(), log.records[0].wait, log.records[0].run)
    };
    for dates in [
        ["30-NOV-26 01.42.16.000000 AM", "30-NOV-26 01.43.16.000000 AM", "30-NOV-26 01.53.16.000000 AM"],
        ["30-Nov-2026 01.42.16", "30-Nov-2026 01.43.16", "30-Nov-2026 01.53.16"],
        ["2026-11-30-01.42.16.000000", "2026-11-30-01.43.16.000000", "2026-11-30-01.53.16.000000"],
        ["30NOV2026:01:42:16", "30NOV2026:01:43:16", "30NOV2026:01:53:16"],
        ["30/11/2026, 01:42:16", "30/11/2026, 01:43:16", "30/11/2026, 01:53:16"],
        ["11/30/2026, 1:42:16 AM", "11/30/2026, 1:43:16 AM", "11/30/2026, 1:53:16 AM"],
        ["30. 11. 2026 1:42:16", "30. 11. 2026 1:43:16", "30. 11. 2026 1:53:16"],
        ["2026年11月30日 01:42:16", "2026年11月30日 01:43:16", "2026年11月30日 01:53:16"],
        ["2026-11-30T01:42:16Z[UTC]", "2026-11-30T02:43:16+01:00[Europe/Berlin]", "2026-11-30T01:53:16Z"],
    ] {
        assert_eq!(of(dates), (Some(1_796_002_936), 60, 600), "{dates:?}");
    }
    let zones = |first: &str, second: &str| {
        let text = format!(
            "id,submit,run,cores,timezone\n1,2026-01-05 10:00:00,60,4,{first}\n2,2026-07-05 10:00:00,60,4,{second}\n"
        );
        read("t.csv", text.as_bytes()).map(|log| log.records[1].submit).map_err(|error| error.to_string())
    };
    let days = 181 * 86_400;
    assert_eq!(zones("Europe/Berlin", "Europe/Berlin"), Ok(days - 3_600));
    assert_eq!(zones("Europe/Berlin", "Asia/Tokyo"), Ok(days - 8 * 3_600));
    assert_eq!(zones("UTC", ""), Ok(days));
}

#[test]
fn names_in_quotes_may_have_line_breaks() {
    let text = "sep=;\nJob;Submit;\"Runtime\n(h)\";Cores\n1;1767607200;2;4\n2;1767607260;0,5;8\n";
    for text in [text.to_owned(), text.replace("sep=;\n", "").replace('\n', "\r\n")] {
        let log = read("t.csv", text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"));
        let seen: Vec<_> = log.records.iter().map(|r| (r.number, r.run, r.requested)).collect();
        assert_eq!(seen, [(1, 7_200, 4), (2, 1_800, 8)]);
        assert!(log.account.entries().is_empty(), "{text}");
    }
}

#[test]
fn hours_and_minutes_are_told_from_minutes_and_seconds_by_the_times_around_them() {
    let rows: String = [(630, "10:30"), (120, "2:00"), (61, "1:01"), (1_500, "25:00")]
        .iter()
        .enumerate()
        .map(|(n, (minutes, told))| format!("{n},1767607200,1767607260,{},{told},4\n", 1_767_607_260 + minutes * 60))
        .collect();
    let read = log(&format!("id,submit,start,end,elapsed,cores\n{rows}"));
    assert_eq!(read.records.iter().map(|r| r.run / 60).collect::<Vec<_>>(), [630, 120, 61, 1_500]);
    assert_eq!(read.account.count(Reason::SpansInOtherUnit), 1);
    let read = log("id,submit,elapsed,cores\n1,1767607200,10:30,4\n2,1767607200,1:00:00,4\n");
    assert_eq!(read.records.iter().map(|r| r.run).collect::<Vec<_>>(), [630, 3_600]);
}

#[test]
fn a_start_may_be_told_by_a_wait_and_an_end() {
    let read =
        log("id,created_at,queue_wait,finish_time,cores\n1,1767607200,60,1767607860,4\n2,1767607200,0,1767607800,4\n");
    assert_eq!(read.records.iter().map(|r| (r.wait, r.run)).collect::<Vec<_>>(), [(60, 600), (0, 600)]);
}

#[test]
fn only_slurm_s_own_data_base_counts_limits_in_minutes() {
    let limit = |name: &str| {
        log(&format!("id,time_submit,run,cores,{name}\n1,1767607200,60,4,900\n")).records[0].requested_time
    };
    assert_eq!(["timelimit", "time_limit"].map(limit), [54_000, 900]);
    let read = log(
        "id,time_submit,run,cores,timelimit\n1,1767607200,60,4,86400\n2,1767607200,60,4,3600\n3,1767607200,60,4,36000\n",
    );
    assert_eq!(read.records[0].requested_time, 86_400, "weeks of minutes are seconds");
}

#[test]
fn names_may_say_how_durations_are_written() {
    let read = log("Job ID;Submit;Queue Time [s];Run Time [hh:mm:ss];Requested Time (HH:MM);Cores\n\
                    1;1767607200;60;00:10:00;01:30;4\n2;1767607200;60;1-00:10:00;48:00;4\n");
    let seen: Vec<_> = read.records.iter().map(|r| (r.wait, r.run, r.requested_time)).collect();
    assert_eq!(seen, [(60, 600, 5_400), (60, 87_000, 172_800)]);
}

#[test]
fn names_that_come_again_change_nothing_of_what_is_told_by_values() {
    let text = "id,submit,start,end,cores\n1,46027.4166667,46027.4173611,46027.4243056,4\nid,submit,start,end,cores\n\
                2,46027.4166667,46027.4173611,46027.4243056,4\n";
    let read = log(text);
    assert_eq!(jobs(&read).iter().map(|job| (job.2, job.3)).collect::<Vec<_>>(), [(60, 600); 2]);
    assert_eq!(read.header.unix_start(), Some(1_767_607_200));
}

#[test]
fn names_of_sacct_among_others_hide_none_of_these() {
    let read = log("JobID\tState\towner\tElapsed\tncpus\tSubmit\treq_walltime_h\twait_hours\n\
                    1\tCOMPLETED\tann\t600\t4\t2026-01-05T10:00:00\t0.5\t0.25\n");
    let r = &read.records[0];
    assert_eq!((r.wait, r.run, r.requested_time, read.names.users.join(",")), (900, 600, 1_800, "ann".to_owned()));
}

#[test]
fn a_column_with_hundreds_tells_what_stands_between_thousands() {
    let of = |names: &str, rows: &str| {
        let read = log(&format!("{names}\n{rows}"));
        read.records.iter().map(|r| (r.wait, r.run)).collect::<Vec<_>>()
    };
    let expected = [(2_485, 65_850), (60, 850)];
    let names = "id;submit;wait;run;cores";
    assert_eq!(of(names, "1;1767607200;2.485;65.850;4\n2;1767607200;60;850;4\n"), expected);
    assert_eq!(of(names, "1;1767607200;2,485;65,850;4\n2;1767607200;60;850;4\n"), expected);
    let dated =
        of(&names.replace(';', "\t"), "1\t05.01.2026 10:00:00\t2,485\t65,850\t4\n2\t05.01.2026 10:00:00\t60\t850\t4\n");
    assert_eq!(dated, expected, "whatever dates have");
    assert_eq!(of(names, "1;1767607200;2.485;65.850;4\n2;1767607200;60.125;850.5;4\n"), [(2, 65), (60, 850)]);
}

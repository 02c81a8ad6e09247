//! Which of a log's jobs are simulated, and how they are measured.

use crate::program::{Folder, log, packfair, refusal, run_json, stdout, text, with_input};
use serde_json::Value;

/// A log that begins 2001-01-01 00:00 UTC, with jobs of two users, queues and partitions, one every six hours.
const LOG: &str = "; UnixStartTime: 978307200\n; TimeZoneString: Europe/Stockholm\n; MaxProcs: 4\n\
    1 0 0 50 4 -1 -1 4 60 -1 1 3 1 1 1 1\n\
    2 21600 0 50 4 -1 -1 4 60 -1 1 5 1 1 2 1\n\
    3 43200 0 50 4 -1 -1 4 60 -1 1 3 1 1 2 2\n\
    4 64800 0 50 4 -1 -1 4 60 -1 1 -1 1 1 1 2\n";

/// How many jobs of [`LOG`] are simulated.
fn jobs(more: &[&str]) -> Option<u64> {
    let arguments = [&["-s", "easy", "-e", "actual", "--count", "all"], more].concat();
    run_json(LOG.as_bytes(), &arguments)[0]["jobs"].as_u64()
}

#[test]
fn what_a_log_calls_qos_is_called_so() {
    let log = format!("; Called: Queue QOS\n; Queue: 1 long\n; Queue: 2 short\n{LOG}");
    let run = |more: &[&str]| {
        let arguments = [&["run", "-", "-s", "easy", "-e", "actual", "--count", "all"], more].concat();
        with_input(&arguments, log.as_bytes())
    };
    let table = stdout(&run(&["--by", "queue"])).to_owned();
    assert!(table.contains("QOS") && table.contains("long") && !table.contains("Queue"), "{table}");
    let of = |only: &str| serde_json::from_str::<Value>(stdout(&run(&["--only", only, "--format", "json"]))).unwrap();
    assert_eq!(of("qos=short")[0]["jobs"], of("queue=2")[0]["jobs"]);
    let refused = run(&["--queues", "middle"]);
    assert!(text(&refused.stderr).contains("the log has no such QOS"), "{}", text(&refused.stderr));
}

#[test]
fn a_filter_takes_times_users_queues_and_partitions() {
    assert_eq!(jobs(&[]), Some(4));
    assert_eq!(jobs(&["--from", "21600"]), Some(3));
    assert_eq!(jobs(&["--from", "21600", "--until", "43200"]), Some(1));
    // the log begins an hour after midnight in Stockholm
    assert_eq!(jobs(&["--from", "2001-01-01 01:00"]), Some(4));
    assert_eq!(jobs(&["--from", "2001-01-01 01:01"]), Some(3));
    assert_eq!(jobs(&["--until", "2001-01-01T13:00"]), Some(2));
    assert_eq!(jobs(&["--users", "3"]), Some(2));
    assert_eq!(jobs(&["--users", "3,5", "--queues", "2"]), Some(2));
    assert_eq!(jobs(&["--users", "-1"]), Some(1), "of an unknown user");
    assert_eq!(jobs(&["--partitions", "2", "--queues", "1,2"]), Some(2));
}

#[test]
fn summaries_and_logs_like_another_are_filtered_too() {
    let folder = Folder::new("filtered");
    let path = folder.write("log.swf", LOG.as_bytes());
    let output = packfair(&["summary", &path, "--users", "3", "--format", "json"]);
    let told: Value = serde_json::from_str(stdout(&output)).expect("JSON");
    assert_eq!(told["summary"]["jobs"].as_u64(), Some(2));
    let log = folder.write("generated.swf", &log());
    let like = |more: &[&str]| {
        let arguments = [&["generate", "like", &log, "--jobs", "50"], more].concat();
        stdout(&packfair(&arguments)).to_owned()
    };
    assert_ne!(like(&[]), like(&["--from", "100000"]));
}

#[test]
fn a_filter_that_cannot_be_is_said() {
    let said = |more: &[&str]| {
        refusal(&with_input(&[&["run", "-", "-s", "easy", "-e", "actual"], more].concat(), LOG.as_bytes())).to_owned()
    };
    assert!(said(&["--from", "yesterday"]).contains("--from yesterday: it takes a date as 2026-01-31"));
    let message = said(&["--from", "500", "--until", "500"]);
    assert!(message.contains("the filter takes jobs from 500 s until 500 s, which is no time at all"), "{message}");
    assert!(said(&["--users", "7"]).contains("no job of 4 is left"), "{}", said(&["--users", "7"]));
    assert!(said(&["--users", "x"]).contains("--users x: the log has numbers, and this is none"));
    let undated = b"; MaxProcs: 4\n1 0 0 50 4 -1 -1 4 60 -1 1 3\n";
    let output = with_input(&["run", "-", "-s", "easy", "-e", "actual", "--from", "2001-01-01"], undated);
    assert!(refusal(&output).contains("its header has no start date"), "{}", text(&output.stderr));
}

#[test]
fn every_parameter_of_a_metric_can_be_set() {
    let value = |id: &str, more: &[&str]| {
        let runs = run_json(&log(), &[&["-s", "easy", "-e", "actual", "--columns", id], more].concat());
        runs[0]["metrics"][id].as_f64().expect("it is defined")
    };
    for (id, option) in [("BSLD", "--bsld"), ("PaSF", "--alpha"), ("Lp", "--norm"), ("SLDwW", "--sldww")] {
        assert_ne!(value(id, &[option, "3"]), value(id, &[]), "{id}");
    }
    // tables for users show the metric whose parameter was set
    let output = with_input(&["run", "-", "-s", "easy", "-e", "actual", "--norm", "3", "--format", "markdown"], &log());
    assert!(
        stdout(&output).lines().next().is_some_and(|heading| heading.contains("l\\_p norm")),
        "{}",
        stdout(&output)
    );
    let said = |more: &[&str]| {
        refusal(&with_input(&[&["run", "-", "-s", "easy", "-e", "actual"], more].concat(), &log())).to_owned()
    };
    assert!(said(&["--norm", "0.5"]).contains("it takes a number from 1 to 20"));
    assert!(said(&["--sldww", "0"]).contains("it takes a number from 0.1 to 1000000"));
    assert!(said(&["--columns", "AF", "--sldww", "300"]).contains("--sldww=300 is for SLDwW"));
}

#[test]
fn shrinking_factors_are_swept() {
    let folder = Folder::new("shrink");
    let trace = folder.write("log.swf", &log());
    let run = |more: &[&str]| {
        let arguments = ["run", &trace, "-s", "easy", "dynp", "-e", "requested", "--columns", "ARTwW,dynp_tries"];
        packfair(&[&arguments[..], more].concat())
    };
    let swept = run(&["--shrink", "1,0.5,0.1", "--format", "json"]);
    let rows: Value = serde_json::from_str(stdout(&swept)).expect("JSON");
    let shrinks: Vec<f64> = (0..6).map(|i| rows[i]["shrink"].as_f64().expect("a factor")).collect();
    assert_eq!(shrinks, [1.0, 0.5, 0.1, 1.0, 0.5, 0.1]);
    // each row is that of a study at its factor alone
    for (i, factor) in ["1", "0.5", "0.1"].into_iter().enumerate() {
        let alone: Value = serde_json::from_str(stdout(&run(&["--shrink", factor, "--format", "json"]))).expect("JSON");
        assert_eq!((&rows[i]["metrics"], &rows[i + 3]["metrics"]), (&alone[0]["metrics"], &alone[1]["metrics"]));
        assert_eq!(rows[i]["saturated"], alone[0]["saturated"]);
    }
    assert!(rows[0]["metrics"].get("dynp_tries").is_none() && rows[3]["metrics"]["dynp_tries"].is_number());
    // where much is left at its end, the log is too short to tell
    assert_eq!((&rows[0]["saturated"], &rows[2]["saturated"]), (&Value::Bool(false), &Value::Null));
    let table = stdout(&run(&["--shrink", "1,0.1"])).to_owned();
    assert!(table.contains("EASY") && table.contains("(†) Too short to tell: "), "{table}");
    assert!(!table.contains("Saturated"), "{table}");
    for (factors, bad) in [("0", "0"), ("1,-0.5", "-0.5"), ("0.9,x", "x")] {
        let output = run(&[&format!("--shrink={factors}")]);
        assert!(!output.status.success());
        assert!(text(&output.stderr).contains(&format!("'{bad}'")), "{}", text(&output.stderr));
    }
    let bounds = packfair(&["run", &trace, "-s", "dynp-basic:lower=9,upper=8", "-e", "requested"]);
    assert!(text(&bounds.stderr).contains("a whole number from 9, which is lower"), "{}", text(&bounds.stderr));
    let none = packfair(&["run", &trace, "-s", "dynp:policies=", "-e", "requested"]);
    assert!(text(&none.stderr).contains("all, or some of fcfs"), "{}", text(&none.stderr));
}

#[test]
fn what_a_log_lacks_to_tell_small_jobs_from_large_ones_is_said() {
    let job = |number: i64, submit: i64| format!("{number} {submit} 0 10 1 -1 -1 1 -1 -1 1 -1 1 -1 -1 -1 -1 -1\n");
    let log = format!("; MaxProcs: 4\n{}{}", job(1, 0), job(2, 5));
    let output = with_input(&["run", "-", "-s", "fcfs-ci", "-e", "requested"], log.as_bytes());
    assert!(stdout(&output).contains("FCFS-CI"), "the run goes on");
    let told = text(&output.stderr);
    for what in ["names no users", "name no requested time", "All jobs were submitted within a week"] {
        assert!(told.contains(what), "{told}");
    }
    let output = with_input(&["run", "-", "-s", "easy", "-e", "requested"], log.as_bytes());
    assert!(!text(&output.stderr).contains("names no users"), "nobody asks");
}

#[test]
fn settings_of_classes_out_of_their_range_are_refused() {
    for (setting, takes) in [
        ("threshold=1.5", "a number from 0 to 1"),
        ("threshold=-0.1", "a number from 0 to 1"),
        ("threshold=NaN", "a number from 0 to 1"),
        ("threshold=x", "a number from 0 to 1"),
        ("divider=0", "all, week, trace"),
        ("trees=0", "a whole number from 1 to 500"),
        ("depth=61", "a whole number from 1 to 60"),
    ] {
        let scheduler = format!("classes:{setting}");
        let output = with_input(&["run", "-", "-s", &scheduler, "-e", "requested"], b"; MaxProcs: 4\n");
        assert!(!output.status.success());
        let (told, name) = (text(&output.stderr), setting.split('=').next().expect("it has a name"));
        assert!(told.contains(&format!("{name} of Classes cannot be")) && told.contains(takes), "{setting}: {told}");
    }
}

#[test]
fn each_partition_is_a_machine_with_rows_of_its_own() {
    let folder = Folder::new("partitions");
    let lines: String = (1..=40)
        .map(|n| {
            format!("{n} {} 0 100 {} -1 -1 {} 100 -1 1 1 1 1 1 {} -1 -1\n", n * 10, n % 4 + 1, n % 4 + 1, n % 2 + 1)
        })
        .collect();
    let log = folder.write("log.swf", format!("; Partition: 1 small\n; Partition: 2 large\n{lines}").as_bytes());
    let run = ["run", &log, "-s", "easy", "as-logged", "-e", "requested", "--columns", "AF"];
    let output = packfair(&[&run[..], &["--each-partition", "--baseline", "easy"]].concat());
    let table = stdout(&output);
    for row in ["small: EASY *", "large: EASY *", "small: As logged", "large: As logged"] {
        assert!(table.contains(row), "{table}");
    }
    let json = |more: &[&str]| -> Vec<Value> {
        let output = packfair(&[&run[..], &["--format", "json"], more].concat());
        serde_json::from_str(stdout(&output)).expect("JSON")
    };
    let (each, alone) = (json(&["--each-partition"]), json(&["--partitions", "2"]));
    assert_eq!(each.len(), 4);
    assert_eq!(each[2]["metrics"], alone[0]["metrics"], "as if there were no other");
    assert_eq!(json(&["--each-partition", "--partitions", "2"]).len(), 2);
    let sized = packfair(&[&run[..], &["--each-partition", "--partition-procs", "2=12,small=9"]].concat());
    assert!(stdout(&sized).contains("Machine sizes: small 9 (as given), large 12 (as given)."), "{}", stdout(&sized));
    for (given, why) in [("tiny=4", "the log has no such partition"), ("small", "it takes partition=size")] {
        let refused = packfair(&[&run[..], &["--each-partition", "--partition-procs", given]].concat());
        assert!(text(&refused.stderr).contains(why), "{given}: {}", text(&refused.stderr));
    }
}

/// Slurm's accounting of two partitions: one of 4 nodes, on which one job follows the other, and one of 12, which
/// mostly idles. On one machine of 16 nodes there would be no wait at all.
fn merged() -> String {
    let line = |id: usize, partition: &str, (submit, start): (usize, usize), run: usize, nodes: usize| {
        let [submit, start] = [submit, start].map(|second| 1_700_000_000 + second);
        format!("{id}|{partition}|{submit}|{start}|{run}|60|{nodes}|{}|COMPLETED\n", 8 * nodes)
    };
    let narrow = (0..260).map(|i| line(i, "narrow", (1_000 * i, 2_000 * i), 2_000, 4));
    let wide = (0..240).map(|i| line(260 + i, "wide", (2_000 * i + 5, 2_000 * i + 5), 100, 12));
    let lines: String = narrow.chain(wide).collect();
    "JobID|Partition|Submit|Start|ElapsedRaw|TimelimitRaw|NNodes|NCPUS|State\n".to_owned() + lines.as_str()
}

#[test]
fn where_the_model_explains_little_what_explains_more_is_offered() {
    let folder = Folder::new("offered");
    let log = folder.write("merged.txt", merged().as_bytes());
    let run = ["run", &log, "-s", "as-logged", "easy", "fcfs", "-e", "requested"];
    let output = packfair(&run);
    let offer = text(&output.stderr).replace('\u{a0}', " ");
    assert!(offer.contains("packfair: Each partition by itself explains 100 % of the logged starts, not "), "{offer}");
    assert!(offer.contains("(--each-partition)"), "{offer}");
    // no row claims to be the cluster's own, so nothing is said of a forecast before the answer
    let told = stdout(&output).replace('\u{a0}', " ");
    assert!(!told.contains("of this cluster"), "{told}");
    assert!(told.contains("\nNo row schedules as this cluster did. "), "{told}");
    // with each partition by itself, each has an answer, and all together have one
    let output = packfair(&[&run[..], &["--each-partition", "--by", "user"]].concat());
    let (told, said) = (stdout(&output), text(&output.stderr));
    assert!(!said.contains("explains"), "{said}");
    for part in [" jobs): ", "wide (", "All partitions, weighted by their jobs: "] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert!(told.contains("narrow: EASY with requested estimates comes nearest to the log."), "{told}");
    assert!(told.contains("wide: FCFS"), "waits by group name the machine: {told}");
    // formats for programs have only results, and no remedies are tried for them
    let output = packfair(&[&run[..], &["--format", "json"]].concat());
    assert!(!text(&output.stderr).contains("explains"), "{}", text(&output.stderr));
}

#[test]
fn a_sample_with_merged_partitions_is_explained_partition_by_partition() {
    let Some(shared) = crate::files::folder() else { return };
    let log = shared.join("samples/sacct/xdmod-layout.psv").display().to_string();
    let output = packfair(&["run", &log, "-s", "as-logged", "easy", "-e", "requested"]);
    let offer = text(&output.stderr).replace('\u{a0}', " ");
    assert!(
        offer.contains(
            "Each partition by itself explains 41 to 100 % of the logged starts, not 10 %. (--each-partition)"
        ),
        "{offer}"
    );
}

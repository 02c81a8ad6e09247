//! Forecasts of when jobs start.

use crate::program::{Folder, log, packfair, refusal, stdout, text};
use serde_json::Value;

/// A moment at which jobs of the log wait.
const MOMENT: &str = "200000";

#[test]
fn a_moment_of_a_log_has_a_forecast_for_each_waiting_job() {
    let folder = Folder::new("when");
    let log = folder.write("log.swf", &log());
    let when = |more: &[&str]| packfair(&[&["when", &log, "--now", MOMENT, "-s", "easy"], more].concat());
    let json: Value = serde_json::from_str(stdout(&when(&["--format", "json"]))).unwrap();
    let forecasts = json.as_array().unwrap();
    assert!(!forecasts.is_empty());
    for forecast in forecasts {
        let seconds = |key: &str| forecast[key].as_i64().unwrap();
        assert!(forecast["job"].is_i64() && !forecast["reason"].as_str().unwrap().is_empty(), "{forecast}");
        assert!(
            0 <= seconds("p10") && seconds("p10") <= seconds("p50") && seconds("p50") <= seconds("p90"),
            "{forecast}"
        );
        let chances = ["within_1h", "within_4h", "within_24h"].map(|key| forecast[key].as_f64().unwrap());
        assert!(chances.is_sorted() && chances.iter().all(|chance| (0.0..=1.0).contains(chance)), "{forecast}");
    }
    let one = stdout(&when(&["--format", "json", "--jobs", "1"])).to_owned();
    assert_eq!(one, stdout(&when(&["--format", "json", "--jobs", "3"])), "whatever the number of threads");
    let job = forecasts[0]["job"].to_string();
    let alone: Value = serde_json::from_str(stdout(&when(&["--format", "json", "--job", &job]))).unwrap();
    assert_eq!(alone[0]["p50"], forecasts[0]["p50"]);
    let table = when(&[]);
    assert!(stdout(&table).contains("why it waits"), "{}", stdout(&table));
    assert!(text(&table.stderr).contains("8 weeks") || text(&table.stderr).contains("nobody waited"));
}

#[test]
fn what_comes_later_in_the_file_changes_no_forecast() {
    let folder = Folder::new("when-later");
    let whole = String::from_utf8(log()).unwrap();
    let now: i64 = MOMENT.parse().unwrap();
    let (mut before, mut other) = (String::new(), String::new());
    for line in whole.lines() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let is_later = !line.starts_with(';') && fields[1].parse::<i64>().unwrap() > now;
        if !is_later {
            before.push_str(&format!("{line}\n"));
            other.push_str(&format!("{line}\n"));
        } else {
            other.push_str(&format!("{} {} -1 77 1 -1 -1 1 99 -1 1 1 1 -1 -1 -1 -1 -1\n", fields[0], now + 50_000));
        }
    }
    let told = |name: &str, text: &str| {
        let path = folder.write(name, text.as_bytes());
        stdout(&packfair(&["when", &path, "--now", MOMENT, "--format", "json"])).to_owned()
    };
    let whole = told("a.swf", &whole);
    assert_eq!(whole, told("b.swf", &before));
    assert_eq!(whole, told("c.swf", &other));
}

#[test]
fn a_back_test_tells_how_true_forecasts_were() {
    let folder = Folder::new("when-back-test");
    let log = folder.write("log.swf", &log());
    let arguments =
        ["when", &log, "-s", "easy", "--backtest", "30", "--futures", "20", "--seed", "1", "--arrivals", "again"];
    let told = packfair(&[&arguments[..], &["--format", "json"]].concat());
    let json: Value = serde_json::from_str(stdout(&told)).unwrap();
    assert!(json["predictions"].as_u64().unwrap() > 0);
    assert!((0.0..=1.0).contains(&json["coverage_80"].as_f64().unwrap()));
    for key in ["median_error_s", "limits_median_error_s", "similar_median_error_s"] {
        assert!(json[key].as_f64().unwrap() >= 0.0, "{key}");
    }
    let table = packfair(&arguments);
    assert!(stdout(&table).contains("in the 80 % band"), "{}", stdout(&table));
}

#[test]
fn what_is_missing_is_said() {
    let folder = Folder::new("when-refused");
    let log = folder.write("log.swf", &log());
    let refused = |more: &[&str]| refusal(&packfair(&[&["when", &log], more].concat())).to_owned();
    assert!(refused(&[]).contains("--now"));
    assert!(refused(&["--now", "soon"]).contains("--now takes"));
    assert!(refused(&["--now", MOMENT, "-s", "as-logged"]).contains("does not decide"));
    assert!(refused(&["--now", MOMENT, "-e", "actual"]).contains("knows run times"));
    assert!(refused(&["--now", MOMENT, "--job", "999999"]).contains("does not wait"));
}

#[test]
fn a_queue_beside_its_log_is_a_snapshot() {
    let folder = Folder::new("when-queue");
    let mut sacct =
        String::from("JobIDRaw|User|Account|Submit|Start|ElapsedRaw|TimelimitRaw|NCPUS|State|JobName|Partition|QOS\n");
    for job in 1..200 {
        let (day, hour) = (1 + job / 10, job % 10);
        sacct.push_str(&format!(
            "{job}|ann|phys|2026-01-{day:02}T{hour:02}:00:00|2026-01-{day:02}T{hour:02}:10:00|{}|60|4|COMPLETED|sim|main|normal\n",
            600 + 37 * (job % 50)
        ));
    }
    let squeue = "JOBID|USER|STATE|SUBMIT_TIME|START_TIME|TIME|TIME_LIMIT|CPUS|NODES|PRIORITY|REASON\n\
        301|ann|RUNNING|2026-01-21T08:00:00|2026-01-21T08:00:00|20:00|1:00:00|4|1|10|None\n\
        302|ann|PENDING|2026-01-21T08:05:00|N/A|0:00|1:00:00|4|1|10|Resources\n\
        303|eve|PENDING|2026-01-21T08:06:00|N/A|0:00|1:00:00|4|1|9|Priority\n\
        304|ann|PENDING|2026-01-21T08:07:00|N/A|0:00|1:00:00|4|1|0|JobHeldUser\n\
        305|ann|PENDING|2026-01-21T08:08:00|N/A|0:00|1:00:00|64|1|9|Priority\n";
    let (sacct, squeue) = (folder.write("sacct.txt", sacct.as_bytes()), folder.write("squeue.txt", squeue.as_bytes()));
    let rest = ["-s", "easy", "--procs", "4", "--arrivals", "none", "--format", "json"];
    let asked = packfair(&[&["when", &sacct, "--queue", &squeue], &rest[..]].concat());
    let json: Value = serde_json::from_str(stdout(&asked)).unwrap();
    let jobs: Vec<i64> = json.as_array().unwrap().iter().map(|told| told["job"].as_i64().unwrap()).collect();
    assert_eq!(jobs, [302, 303, 305]);
    // who runs has run for 20 minutes, of at most an hour
    let (first, second) = (&json[0], &json[1]);
    assert!((1..=2_400).contains(&first["p50"].as_i64().unwrap()), "{first}");
    assert!(second["p50"].as_i64().unwrap() > first["p50"].as_i64().unwrap(), "{second}");
    assert_eq!(first["user"], "ann");
    assert!(json[2]["never"] == true && json[2]["reason"].as_str().unwrap().contains("can never start"), "{}", json[2]);
    let said = text(&asked.stderr);
    assert!(said.contains("have no forecast: 1") && said.contains("users of whom the log knows none"), "{said}");
    let among = packfair(&[&["when", &squeue, &sacct], &rest[..]].concat());
    assert_eq!(stdout(&among), stdout(&asked), "also where it stands among the logs");
    let alone = packfair(&[&["when", &squeue], &rest[..]].concat());
    assert!(text(&alone.stderr).contains("there is a queue and no log"), "{}", text(&alone.stderr));
    assert!(stdout(&alone).contains("302"));
    let of_job = packfair(&[&["when", &sacct, "--queue", &squeue, "--job", "303"], &rest[..6]].concat());
    let table = stdout(&of_job);
    assert!(
        table.contains("starts after") && table.contains("302") && table.contains("half the time limit"),
        "{table}"
    );
}

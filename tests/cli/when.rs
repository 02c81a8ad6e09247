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
        assert!(0 <= seconds("p10") && seconds("p10") <= seconds("p50") && seconds("p50") <= seconds("p90"), "{forecast}");
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
    let arguments = ["when", &log, "-s", "easy", "--backtest", "30", "--futures", "20", "--seed", "1", "--arrivals", "again"];
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

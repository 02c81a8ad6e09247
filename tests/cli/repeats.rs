//! Repeats on resampled workloads: intervals in every form, the same from any number of threads.

use crate::program::{Folder, packfair, refusal, stdout, with_input};
use serde_json::Value;

/// A log with some weeks of jobs.
fn weeks(folder: &Folder) -> String {
    let log = packfair(&["generate", "lublin", "--jobs", "1500", "--procs", "64"]);
    folder.write("weeks.swf", stdout(&log).as_bytes())
}

#[test]
fn values_and_changes_come_with_intervals() {
    let folder = Folder::new("repeats");
    let log = weeks(&folder);
    let of = |more: &[&str]| {
        let always = ["run", &log, "-s", "easy", "saf-easy", "-e", "requested", "--baseline", "easy", "--repeats", "5"];
        stdout(&packfair(&[&always[..], more].concat())).to_owned()
    };
    let table = of(&[]);
    assert!(table.contains("95 % intervals, from 5 workloads with the users' weeks drawn anew."), "{table}");
    assert!(table.contains(" to ") && table.contains("–"), "{table}");
    assert!(of(&["--resample", "shake"]).contains("workloads with shaken submit times"));
    let heading = of(&["--format", "csv", "--columns", "AF"]);
    assert!(heading.contains("jobs,AF,AF_change,AF_low,AF_high,AF_change_low,AF_change_high,wall_s"), "{heading}");
    let numbers = |more: &[&str]| -> Vec<Value> {
        let mut rows: Vec<Value> = serde_json::from_str(&of(&[&["--format", "json"], more].concat())).unwrap();
        rows.iter_mut().for_each(|row| row["wall_s"] = Value::Null);
        rows
    };
    let one = numbers(&["--jobs", "1"]);
    assert_eq!(one, numbers(&["--jobs", "3"]), "any number of threads");
    assert_eq!(one, numbers(&["--repeat-seed", "1"]), "the usual seed");
    let other = numbers(&["--repeat-seed", "2"]);
    assert_eq!(one[1]["metrics"], other[1]["metrics"], "the log itself is as it was");
    assert_ne!(one[1]["intervals"], other[1]["intervals"]);
    let bounds = &one[1]["intervals"]["BSLD"];
    assert!(bounds["low"].as_f64() < bounds["high"].as_f64(), "{bounds}");
    assert_eq!(one[0]["change_intervals"]["BSLD"]["high"], 0.0, "the baseline to itself");
}

#[test]
fn what_cannot_be_repeated_is_said() {
    let said = |more: &[&str]| {
        let always = ["run", "-", "-s", "easy", "-e", "actual"];
        refusal(&with_input(
            &[&always[..], more].concat(),
            b"; Version: 2.2\n1 0 0 50 4 -1 -1 4 60\n2 60 0 50 4 -1 -1 4 60\n",
        ))
        .to_owned()
    };
    for count in ["0", "1", "10001", "-3", "many"] {
        assert!(said(&[&format!("--repeats={count}")]).contains("--repeats"), "{count}");
    }
    let short = said(&["--repeats", "10"]);
    assert!(short.contains("the jobs were submitted within 0 days, and two weeks are the least"), "{short}");
    assert!(said(&["--repeats", "10", "--resample", "dice"]).contains("there are users, shake"));
    assert!(said(&["--resample", "shake"]).contains("--repeats"));
}

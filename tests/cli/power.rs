//! The worked example of docs/power.md, computed, and what the command line says of prices.

use crate::program::{Folder, packfair, refusal, stdout, text};
use serde_json::Value;

const DOCS: &str = include_str!("../../docs/power.md");

/// The first block of the document in this language whose text has the word.
fn block(language: &str, word: &str) -> String {
    let fence = format!("```{language}\n");
    let mut blocks = DOCS.split(&fence).skip(1).filter_map(|rest| rest.split("```").next());
    blocks.find(|block| block.contains(word)).expect("the document has it").to_owned()
}

/// The machine of the document without some of its beginning.
fn machine(has_suspend: bool) -> String {
    let whole = block("toml", "[suspend]");
    let cells = &whole[whole.find("[[cells]]").expect("cells")..];
    if has_suspend { format!("[suspend]\nafter = 600\n\n{cells}") } else { cells.to_owned() }
}

/// The row of the example's table that begins with this.
fn row(begin: &str) -> Vec<Option<f64>> {
    let line = DOCS.lines().find(|line| line.starts_with(&format!("| {begin}"))).expect("the row");
    line.split('|').skip(2).take(6).map(|cell| cell.trim().parse().ok()).collect()
}

#[test]
fn the_example_of_the_document_comes_out() {
    let folder = Folder::new("power-example");
    let log = folder.write("log.swf", block("swf", "MaxProcs").as_bytes());
    let prices = folder.write("prices.csv", block("csv", "time,price").as_bytes());
    let waits = ["--machine-plus", "wait_for=1-2 user=1"];
    let cases = [(false, "always on", 0), (true, "`[suspend] after = 600`", 0), (false, "`wait_for=1-2 user=1`", 1)];
    for (has_suspend, begin, at) in cases {
        let machine = folder.write("machine.toml", machine(has_suspend).as_bytes());
        let arguments =
            ["run", &log, "-s", "easy", "-e", "requested", "--count", "all", "--check", "--machine", &machine];
        let more = if at > 0 { &waits[..] } else { &[] };
        let output = packfair(&[&arguments[..], &["--prices", &prices, "--format", "json"], more].concat());
        let told: Value = serde_json::from_str(stdout(&output)).expect("JSON");
        let metrics = ["energy_kwh", "energy_jobs_kwh", "peak_kw", "cost", "AQ", "boots"];
        for (metric, expected) in metrics.into_iter().zip(row(begin)) {
            let found = told[at]["metrics"][metric].as_f64();
            match expected {
                None => assert_eq!(found, None, "{metric}: {told}"),
                Some(expected) => {
                    let found = found.unwrap_or_else(|| panic!("{metric} is not in {told}"));
                    assert!((found - expected).abs() < 1e-6, "{begin}, {metric}: {found} instead of {expected}");
                }
            }
        }
    }
}

#[test]
fn texts_in_other_encodings_are_read() {
    let folder = Folder::new("power-encodings");
    let log = folder.write("log.swf", block("swf", "MaxProcs").as_bytes());
    let arguments = ["run", &log, "-s", "easy", "-e", "requested", "--count", "all", "--format", "json"];
    let run = |encoded: &dyn Fn(&str) -> Vec<u8>| {
        let prices = folder.write("prices.csv", &encoded(&block("csv", "time,price")));
        let machine = folder.write("machine.toml", &encoded(&machine(true)));
        let output = packfair(&[&arguments[..], &["--prices", &prices, "--machine", &machine]].concat());
        let told: Value = serde_json::from_str(stdout(&output)).expect("JSON");
        told[0]["metrics"].clone()
    };
    let plain = run(&|text| text.as_bytes().to_vec());
    assert!(plain["cost"].as_f64().is_some(), "{plain}");
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let utf32 = |text: &str| text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect::<Vec<u8>>();
    assert_eq!(run(&|text| utf16(&format!("\u{feff}{text}"))), plain);
    assert_eq!(run(&utf16), plain);
    assert_eq!(run(&|text| utf32(&format!("\u{feff}{text}"))), plain);
}

#[test]
fn what_ifs_of_power_are_rows_and_the_sentence_tells_the_energy() {
    let folder = Folder::new("power-what-if");
    let log = folder.write("log.swf", block("swf", "MaxProcs").as_bytes());
    let machine = folder.write("machine.toml", machine(false).as_bytes());
    let arguments = ["run", &log, "-s", "easy", "fcfs", "-e", "requested", "--count", "all", "--machine", &machine];
    let output =
        packfair(&[&arguments[..], &["--machine-plus", "suspend=600", "--machine-plus", "power_cap=80%"]].concat());
    let said = stdout(&output);
    assert!(said.contains("idle nodes off after 10 min") && said.contains("cap at 80 % of the peak"), "{said}");
    assert!(said.contains("Energy"), "the columns of energy are there: {said}");
    let all = format!("{said}{}", text(&output.stderr));
    assert!(all.contains("saves 9.6"), "{all}");
    assert!(all.contains("of the energy and adds 30"), "{all}");
}

#[test]
fn who_waits_for_cheap_hours_is_a_row_and_the_sentence_tells_the_cost() {
    let folder = Folder::new("power-waits");
    let log = folder.write("log.swf", block("swf", "MaxProcs").as_bytes());
    let prices = folder.write("prices.csv", block("csv", "time,price").as_bytes());
    let machine = folder.write("machine.toml", machine(false).as_bytes());
    let arguments = ["run", &log, "-s", "easy", "-e", "requested", "--count", "all", "--machine", &machine];
    let asked = |what: &str| {
        packfair(&[&arguments[..], &["--prices", &prices, "--machine-plus", &format!("wait_for={what}")]].concat())
    };
    let output = asked("1-2 user=1");
    let all = format!("{}{}", stdout(&output), text(&output.stderr)).replace('\u{202f}', " ").replace('\u{a0}', " ");
    assert!(
        all.contains(
            "With jobs of 1 waiting for 01:00 to 02:00, EASY (requested) lowers the cost by 11 %, takes as much energy and \
             adds 16 min to the mean wait. That these jobs may wait is an assumption."
        ),
        "{all}"
    );
    assert!(refusal(&asked("1-2 user=nobody")).contains("no job is of those that wait (wait_for=1-2 user=nobody)"));
    assert!(refusal(&asked("1")).contains("the hours of the day in which energy is cheap, as 22-6"));
}

#[test]
fn what_is_wrong_with_watts_and_prices_is_said() {
    let folder = Folder::new("power-wrong");
    let log = folder.write("log.swf", block("swf", "MaxProcs").as_bytes());
    let said = |machine: &str, more: &[&str]| {
        let machine = folder.write("machine.toml", machine.as_bytes());
        let arguments = ["run", &log, "-s", "easy", "-e", "requested", "--machine", &machine];
        refusal(&packfair(&[&arguments[..], more].concat())).to_owned()
    };
    let cells = machine(false);
    let without = cells.replace("busy_watts = 300, ", "");
    assert!(said(&without, &[]).contains("cell \"cpu\" lacks idle_watts or busy_watts"), "{}", said(&without, &[]));
    let below = cells.replace("busy_watts = 300", "busy_watts = 3");
    assert!(said(&below, &[]).contains("has busy_watts = 3, below idle_watts = 100"));
    let bare = cells.replace("idle_watts = 100, busy_watts = 300, off_watts = 10, ", "");
    let capped = format!("power_cap = 2.5\n{bare}");
    assert!(said(&capped, &[]).contains("power_cap needs idle_watts and busy_watts of a node of each cell"));
    let dated = folder.write("dated.csv", b"time,price\n2026-01-01,5\n");
    assert!(said(&cells, &["--prices", &dated]).contains("it has dates, and the log has none"));
    let wrong = folder.write("wrong.csv", b"time,price\n1,dear\n");
    assert!(said(&cells, &["--prices", &wrong]).contains("line 2: \"dear\" is no number"));
}

#[test]
fn prices_come_back_with_a_study_file() {
    use packfair::metric::Measure;
    use packfair::power::{PowerSeries, SeriesKind};
    let prices = Some(Box::new(PowerSeries::read("time,price\n0,5\n9,-6.5\n", SeriesKind::Price).unwrap()));
    let measure = Measure { prices, ..Measure::default() };
    let text = serde_json::to_string(&measure).unwrap();
    assert_eq!(serde_json::from_str::<Measure>(&text).unwrap(), measure);
    let plain = serde_json::to_string(&Measure::default()).unwrap();
    assert!(!plain.contains("prices") && !plain.contains("intensity"), "{plain}");
}

#[test]
fn power_is_drawn_over_time_with_the_price_below() {
    let folder = Folder::new("power-chart");
    let log = folder.write("log.swf", block("swf", "MaxProcs").as_bytes());
    let prices = folder.write("prices.csv", block("csv", "time,price").as_bytes());
    let machine = folder.write("machine.toml", machine(true).as_bytes());
    let files = |name: &str, more: &[&str]| {
        let (curves, figures) = (folder.path(&format!("{name}-curves")), folder.path(&format!("{name}-figures")));
        let arguments = ["run", &log, "-s", "easy", "-e", "requested", "--count", "all", "--format", "csv"];
        stdout(&packfair(&[&arguments[..], &["--curves", &curves, "--figures", &figures], more].concat()));
        let has = |folder: &str, file: &str| std::path::Path::new(folder).join(file).exists();
        ["power", "price", "intensity"]
            .map(|kind| (has(&curves, &format!("{kind}.csv")), has(&figures, &format!("{kind}.svg"))))
    };
    assert_eq!(files("bare", &[]), [(false, false); 3], "nobody knows watts");
    let watts = ["--machine", machine.as_str()];
    assert_eq!(files("watts", &watts), [(true, true), (false, false), (false, false)]);
    let priced = [&watts[..], &["--prices", &prices]].concat();
    assert_eq!(files("priced", &priced), [(true, true), (true, true), (false, false)]);
}

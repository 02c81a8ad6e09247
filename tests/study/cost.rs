//! Compares the estimates of how long runs take with measured times. For each value, or the least and the most, of each
//! parameter of each family, the estimate must be within a factor, or the run starts only on request. Nothing is
//! measured here: `cargo run --release --example cost` has measured `tests/study/cost.txt`.

mod asked;

use asked::{WORKLOADS, named, runs};
use packfair::study::cost::{AT_ONCE, Size, Speeds};
use packfair::workload::Summary;
use std::collections::BTreeMap;

const TABLE: &str = include_str!("cost.txt");

/// The factor by which a run may take longer or shorter than estimated.
const FACTOR: f64 = 5.0;

/// The factor for scripts, of which it is not known beforehand what they do.
const FACTOR_OF_SCRIPTS: f64 = 10.0;

/// The time to load code and to hand over workload and result in a browser, seconds. The estimates include it, and the
/// measured times do not.
const OVERHEAD: f64 = 0.01;

#[test]
fn whatever_is_set_it_takes_about_as_long_as_is_said_or_is_asked_for() {
    let table: BTreeMap<&str, &str> =
        TABLE.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.rsplit_once(' ')).collect();
    let (mut wrong, mut used) = (Vec::new(), 0);
    let runs = runs();
    for asked in &WORKLOADS {
        let made = asked.made();
        let size = Size::of(asked.name.to_owned(), &asked.treatment(), &Summary::of(&made));
        for run in runs.iter().filter(|run| asked.is_for(run, &made)).map(|run| &run.run) {
            let line = named(asked, run);
            let Some(measured) = table.get(line.as_str()) else {
                wrong.push(format!("{line} was not measured: cargo run --release --example cost"));
                continue;
            };
            used += 1;
            let said = Speeds::default().seconds(run, &size);
            let measured: f64 = measured.trim_start_matches('>').parse::<f64>().expect("a number") + OVERHEAD;
            let factor = if run.scheduler.is_script() { FACTOR_OF_SCRIPTS } else { FACTOR };
            let is_about = said <= factor * measured && measured <= factor * said;
            if !is_about && said < AT_ONCE {
                wrong.push(format!("{line} takes {measured} s, and {said:.4} s is said"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {used}:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(used, table.len(), "the table has lines that nobody asks for");
}

//! Metrics of the reference schedules are the reference's own numbers, and those of the papers' tables.

use crate::shared;
use packfair::metric::{Counted, Evaluation, Measure, Metric};
use packfair::model::Schedule;
use packfair::workload::Workload;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The reference's keys, and our metrics that they are.
const KEYS: [(&str, Metric); 11] = [
    ("BSLD", Metric::Bsld),
    ("AF", Metric::Af),
    ("AQ", Metric::Aq),
    ("AWF", Metric::Awf),
    ("AWQ", Metric::Awq),
    ("P1SF", Metric::P1sf),
    ("P2SF", Metric::P2sf),
    ("P3SF", Metric::P3sf),
    ("max_wait", Metric::MaxWait),
    ("R2", Metric::R2),
    ("under_frac", Metric::UnderRate),
];

/// Metrics by run of one log, over the jobs that METRICS' tables count.
type Values = BTreeMap<String, BTreeMap<Metric, f64>>;

fn is_close(value: f64, expected: f64) -> bool {
    (value - expected).abs() <= 1e-9 * expected.abs()
}

fn evaluate<'a>(workload: &'a Workload, schedule: &'a Schedule, counted: Counted) -> Evaluation<'a> {
    Evaluation::new(workload, schedule, &Measure { counted, ..Measure::default() })
}

/// Compares a schedule with a column of the reference's numbers, and returns what differs.
fn differences(workload: &Workload, schedule: &Schedule, counted: Counted, expected: &Value) -> Vec<String> {
    let evaluation = evaluate(workload, schedule, counted);
    let values = evaluation.values();
    let requests = workload.requests().iter().map(|request| request.limit as f64).collect();
    let as_requested = Schedule { estimates: requests, ..schedule.clone() };
    let columns = expected.as_object().expect("numbers by key");
    let compared = columns.iter().filter_map(|(key, expected)| {
        // null where it is not defined: no estimates, no R²
        let expected = expected.as_f64();
        let value = match key.as_str() {
            "n" => Some(evaluation.jobs() as f64),
            "utilization" => values.get(&Metric::Utilisation).copied(),
            "R2_reqtime" => evaluate(workload, &as_requested, counted).value(Metric::R2),
            key => {
                let (_, metric) = KEYS.iter().find(|known| known.0 == key).unwrap_or_else(|| panic!("{key}: unknown"));
                values.get(metric).copied()
            }
        };
        let right = match (value, expected) {
            (Some(value), Some(expected)) => is_close(value, expected),
            (value, expected) => value == expected,
        };
        (!right).then(|| format!("{key} {value:?} instead of {expected:?}"))
    });
    compared.collect()
}

/// Measures every reference schedule of a log, and compares with the reference's numbers.
fn measured(folder: &Path, trace: &str) -> Values {
    let workload = shared::trace(folder, trace);
    let numbers = shared::json(folder, "metrics.json");
    let mut all = Values::new();
    let mut wrong = Vec::new();
    for (run, expected) in numbers.as_object().expect("runs") {
        let Some(name) = run.strip_prefix(&format!("{trace}/")) else { continue };
        if !shared::gold_file(folder, run).exists() {
            continue;
        }
        let gold = shared::gold(folder, run, &workload);
        let schedule = Schedule {
            estimates: gold.estimates.unwrap_or_default(),
            corrections: vec![0; workload.len()],
            ..Schedule::of_starts(&workload, gold.starts)
        };
        for (column, counted) in [("untrimmed", Counted::All), ("metrics", Counted::Metrics)] {
            let differences = differences(&workload, &schedule, counted, &expected[column]);
            wrong.extend(differences.into_iter().map(|difference| format!("{name} ({column}): {difference}")));
        }
        all.insert(name.to_owned(), evaluate(&workload, &schedule, Counted::Metrics).values());
    }
    assert!(wrong.is_empty(), "{trace}:\n{}", wrong.join("\n"));
    all
}

/// Adds the reference's numbers for runs of a log that have no reference schedule.
fn add_numbers(folder: &Path, trace: &str, values: &mut Values) {
    let numbers = shared::json(folder, "metrics.json");
    for (run, expected) in numbers.as_object().expect("runs") {
        let Some(name) = run.strip_prefix(&format!("{trace}/")) else { continue };
        let known = KEYS.iter().filter_map(|(key, metric)| Some((*metric, expected["metrics"].get(key)?.as_f64()?)));
        values.entry(name.to_owned()).or_insert_with(|| known.collect());
    }
}

/// The result of comparing printed cells.
#[derive(Debug, PartialEq)]
struct Compared {
    cells: usize,
    /// The cells whose values differ.
    wrong: Vec<String>,
}

impl Compared {
    fn all_right(cells: usize) -> Self {
        Compared { cells, wrong: Vec::new() }
    }
}

/// Compares the printed cells of one table for one log.
///
/// `made` makes a cell from the run's value and the value of another run of the same log. A cell whose run has neither
/// a schedule nor numbers is not compared.
fn cells(
    table: &Value,
    values: &Values,
    decimals: i32,
    made: impl Fn(&str, f64, &dyn Fn(&str) -> f64) -> f64,
) -> Compared {
    let mut compared = Compared::all_right(0);
    for (metric, runs) in table.as_object().expect("metrics") {
        let key: Metric = metric.parse().expect("a metric");
        for (run, printed) in runs.as_object().expect("runs") {
            let Some(value) = values.get(run) else { continue };
            let cell = made(run, value[&key], &|other| values[other][&key]);
            let unit = 10.0_f64.powi(decimals);
            let printed = printed.as_f64().expect("a number");
            compared.cells += 1;
            if ((cell * unit).round() - (printed * unit).round()).abs() > 0.0 {
                compared.wrong.push(format!("{metric} of {run}: {cell:.3} where {printed} is printed"));
            }
        }
    }
    compared
}

/// A run of `scheduler` with the estimates of `run`.
fn same_estimates(scheduler: &str, run: &str) -> String {
    format!("{scheduler}__{}", run.split_once("__").expect("scheduler__estimate").1)
}

/// The run of the same scheduler with requested times.
fn requested(run: &str) -> String {
    format!("{}__requested", run.split_once("__").expect("scheduler__estimate").0)
}

/// METRICS Tables II, III, IV and CP Table 2 for one log.
fn tables(folder: &Path, trace: &str, values: &Values) -> [Compared; 4] {
    let papers = shared::json(folder, "papers.json");
    let change = |value: f64, base: f64| 100.0 * (value - base) / base;
    let justbf = |run: &str| same_estimates("justbf", run);
    [
        cells(
            &papers["METRICS Table II: percent change to justbf with the same estimate"][trace],
            values,
            0,
            |run, x, of| change(x, of(&justbf(run))),
        ),
        cells(&papers["METRICS Table III: percent change to requested"][trace], values, 1, |run, x, of| {
            change(x, of(&requested(run)))
        }),
        cells(&papers["METRICS Table IV: R2"][trace], values, 2, |_, x, _| x),
        cells(&papers["CP Table 2: percent of justbf with the same estimate"][trace], values, 0, |run, x, of| {
            100.0 * x / of(&justbf(run))
        }),
    ]
}

#[test]
fn kth_sp2_is_as_the_reference_and_the_papers_have_it() {
    let Some(folder) = shared::folder() else { return };
    let values = measured(&folder, "KTH-SP2");
    assert_eq!(values.len(), 57, "runs measured");
    assert_eq!(tables(&folder, "KTH-SP2", &values), [72, 22, 22, 20].map(Compared::all_right));
}

#[test]
fn ctc_sp2_is_as_the_reference_and_the_papers_have_it() {
    let Some(folder) = shared::folder() else { return };
    let mut values = measured(&folder, "CTC-SP2");
    assert_eq!(values.len(), 11, "runs measured");
    add_numbers(&folder, "CTC-SP2", &mut values);
    let [table_2, table_3, table_4, cp] = tables(&folder, "CTC-SP2", &values);
    assert_eq!([table_2, table_3, table_4], [64, 7, 7].map(Compared::all_right));
    // the reference's own numbers, without a schedule, give another value than is printed
    let wrong = vec!["BSLD of spf-justbf__requested: 54.998 where 57 is printed".to_owned()];
    assert_eq!(cp, Compared { cells: 20, wrong });
}

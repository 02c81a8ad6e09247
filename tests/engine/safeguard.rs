//! Schedules and counts with job-size classes are those of an independent simulator (CLASSIFY §5).

use crate::shared;
use packfair::metric::{Counted, Measure, Metric};
use packfair::model::Schedule;
use packfair::simulation::{Correction, check};
use packfair::study::{Run, RunResult, execute};
use packfair::workload::{JobId, Seconds, Workload};
use sha2::{Digest, Sha256};
use std::collections::HashMap;

/// The run that the reference calls `name`: `classes-CLASSIFIER-POLICY[-kill][-capped][-week]__ESTIMATE`, or
/// `base-POLICY__ESTIMATE`.
fn run_called(name: &str) -> Run {
    let (variant, estimate) = name.split_once("__").expect("scheduler__estimate");
    let parts: Vec<&str> = variant.split('-').collect();
    let scheduler = match parts[..] {
        ["base", policy] => format!("easy:initial={policy},backfill={policy}"),
        ["classes", by, policy, ref options @ ..] => {
            let safeguard = if options.contains(&"kill") { "on" } else { "off" };
            let estimate = if options.contains(&"capped") { "capped" } else { "limit" };
            let divider = if options.contains(&"week") { "week" } else { "all" };
            format!(
                "classes:policy={policy},by={by},safeguard={safeguard},estimate={estimate},divider={divider},\
                 known=decoupled"
            )
        }
        _ => panic!("{name} is not a run of the reference"),
    };
    Run::new(scheduler.parse().expect("a scheduler"), estimate.parse().expect("an estimate"))
}

fn executed(name: &str, workload: &Workload) -> RunResult {
    let measure = Measure { counted: Counted::All, bsld_bound: 60.0, ..Measure::default() };
    execute(&run_called(name), workload, Correction::Request, &measure).expect("it can be run")
}

/// SHA-256 over the lines `job,start`, sorted by job.
fn sha256(workload: &Workload, schedule: &Schedule) -> String {
    let mut starts: Vec<(i64, Seconds)> =
        workload.jobs().map(|job| (workload.request(job).number, schedule.start(job))).collect();
    starts.sort_unstable();
    let mut hash = Sha256::new();
    for (job, start) in starts {
        hash.update(format!("{job},{start}\n"));
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Compares starts, kills and the work that kills lose of the reference's runs on a log: of every `each`-th run, or of
/// all runs if `PACKFAIR_CASES` is set, as for random tests.
fn compare(trace: &str, each: usize) {
    let each = if std::env::var_os("PACKFAIR_CASES").is_some() { 1 } else { each };
    let Some(folder) = shared::folder() else { return };
    let workload = shared::trace(&folder, trace);
    let numbers = shared::json(&folder, "classes.json");
    let mut wrong = Vec::new();
    for (name, expected) in numbers[trace]["runs"].as_object().expect("runs").iter().step_by(each) {
        let result = executed(name, &workload);
        let value = |metric: Metric| result.report.values.get(&metric).copied().unwrap_or(0.0);
        let counts = [
            ("kills", value(Metric::Kills)),
            ("jobs_killed", value(Metric::JobsKilled)),
            ("lost_processor_seconds", value(Metric::LostArea)),
        ];
        for (key, ours) in counts {
            if expected[key].as_f64() != Some(ours) {
                wrong.push(format!("{name}: {key} is {ours} instead of {}", expected[key]));
            }
        }
        if expected["sha256"].as_str() != Some(&sha256(&workload, &result.schedule)) {
            wrong.push(format!("{name}: starts differ"));
        }
    }
    assert!(wrong.is_empty(), "{trace}: {} differences\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn kth_sp2_is_as_the_reference_has_it() {
    compare("KTH-SP2", 1);
}

#[test]
fn ctc_sp2_is_as_the_reference_has_it() {
    compare("CTC-SP2", 3);
}

#[test]
fn sdsc_blue_is_as_the_reference_has_it() {
    compare("SDSC-BLUE", 5);
}

#[test]
fn every_schedule_of_kth_sp2_is_met_job_by_job() {
    let Some(folder) = shared::folder() else { return };
    let workload = shared::trace(&folder, "KTH-SP2");
    let mut compared = 0;
    for file in std::fs::read_dir(folder.join("gold/KTH-SP2")).expect("the folder is there") {
        let file = file.expect("a file").file_name().into_string().expect("an ASCII name");
        let Some(name) = file.strip_suffix(".csv.gz").filter(|name| name.starts_with("classes-")) else { continue };
        let schedule = executed(name, &workload).schedule;
        let mut kills: HashMap<JobId, usize> = HashMap::new();
        for killed in &schedule.killed {
            *kills.entry(killed.job).or_default() += 1;
        }
        let mut ours: Vec<(i64, Seconds, usize)> = workload
            .jobs()
            .map(|job| (workload.request(job).number, schedule.start(job), kills.get(&job).copied().unwrap_or(0)))
            .collect();
        ours.sort_unstable();
        assert_eq!(check(&workload, &schedule), [], "{name}");
        let expected = shared::starts_and_kills(&folder, &format!("KTH-SP2/{name}"));
        assert_eq!(ours.iter().zip(&expected).find(|(ours, expected)| ours != expected), None, "{name}");
        assert_eq!(ours.len(), expected.len());
        compared += 1;
    }
    assert_eq!(compared, 28);
}

//! Schedules that anyone can check: those of the plain schedulers for 500 generated jobs, stored in
//! `tests/data/starts.csv`. The plain and the fast schedulers must still give them.
//!
//! The file has a line for each job: its number, submit time, processors, run time and request, and its wait under each
//! run. If a schedule is meant to change, `PACKFAIR_RENEW=1 cargo test --test engine starts` writes the file anew; the
//! difference tells which schedule did.

use packfair::model::Schedule;
use packfair::scheduler::PRESETS;
use packfair::simulation::{Driven, Simulation};
use packfair::study::{Rules, Run, Treatment};
use packfair::workload::{Workload, lublin};
use std::path::Path;

/// Settings and estimates that no preset with requested times has.
const OTHERS: [(&str, &str); 17] = [
    ("easy", "last2"),
    ("easy-sjbf", "hierarchy"),
    ("saf-justbf", "cvh"),
    ("justbf", "actual*0.5"),
    ("sjf-aggressive", "sp2"),
    ("list:order=lxf", "actual"),
    ("list:order=wfp,depth=3", "requested*0.3"),
    ("easy:initial=saf,backfill=ljf,threshold=7200", "actual*2"),
    ("conservative:compression=submission", "requested"),
    ("conservative", "survival"),
    ("pc:order=sjf", "requested"),
    ("pc:order=lxf", "last2"),
    ("dc:order=sjf", "actual*0.7"),
    ("dc:order=wfp", "requested"),
    ("easy:initial=formula:wait^2/(estimate^1.5*processors^(-0.5)),backfill=f2", "requested"),
    ("list:order=f4", "requested"),
    ("list:order=formula:min(wait,24h)+600*processors,depth=4", "requested"),
];

fn workload() -> Workload {
    // a load under which jobs wait
    let treatment = Treatment { shrink: 0.6, ..Treatment::default() };
    treatment.apply(&lublin(500, 64, 2022)).expect("a generated log has jobs")
}

fn runs() -> Vec<Run> {
    let presets = PRESETS.iter().map(|preset| (preset.id, "requested"));
    let run = |(scheduler, estimate): (&str, &str)| Run::new(scheduler.parse().unwrap(), estimate.parse().unwrap());
    presets.chain(OTHERS).map(run).filter(|run| run.scheduler.build_plain().is_some()).collect()
}

fn schedule(run: &Run, scheduler: Option<Box<dyn Driven>>, workload: &Workload) -> Schedule {
    let options = Rules::default().options(run);
    let simulation = Simulation::new(workload, scheduler.unwrap(), run.estimate.build(workload), options);
    simulation.with_classifier(run.scheduler.classifier(workload)).finish()
}

/// The lines of the file, with the waits of these schedules.
fn lines(workload: &Workload, runs: &[Run], schedules: &[Schedule]) -> Vec<Vec<String>> {
    let mut lines = vec![["job", "submit", "processors", "run", "request"].map(str::to_owned).to_vec()];
    lines[0].extend(runs.iter().map(Run::id));
    lines.extend(workload.jobs().map(|job| {
        let request = workload.request(job);
        let known = [request.number, request.submit, request.processors.into(), workload.run(job), request.limit];
        let waits = schedules.iter().map(|schedule| schedule.start(job) - request.submit);
        known.into_iter().chain(waits).map(|number| number.to_string()).collect()
    }));
    lines
}

/// The first difference from the stored lines, in words.
fn difference(stored: &[Vec<String>], now: &[Vec<String>]) -> Option<String> {
    if stored.len() != now.len() || stored.first() != now.first() {
        return Some("the file is of other jobs or runs".to_owned());
    }
    let (title, stored, now) = (&now[0], &stored[1..], &now[1..]);
    let of_column = |column: usize| {
        let mut differing = stored.iter().zip(now).filter(|(was, is)| was[column] != is[column]);
        let (was, is) = differing.next()?;
        let others = differing.count();
        Some(format!(
            "{}: job {} has {} instead of {}; so have {others} others",
            title[column], is[0], is[column], was[column]
        ))
    };
    let differences: Vec<String> = (0..title.len()).filter_map(of_column).collect();
    (!differences.is_empty()).then(|| differences.join("\n"))
}

#[test]
fn plain_and_fast_schedulers_give_the_stored_starts() {
    let (workload, runs) = (workload(), runs());
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/starts.csv");
    let plain: Vec<Schedule> = runs.iter().map(|run| schedule(run, run.scheduler.build_plain(), &workload)).collect();
    let made = lines(&workload, &runs, &plain);
    if std::env::var_os("PACKFAIR_RENEW").is_some() {
        let mut writer = csv::Writer::from_path(&file).expect("it can be written");
        made.iter().for_each(|line| writer.write_record(line).expect("it can be written"));
    }
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(&file).expect("it can be read");
    let stored: Vec<Vec<String>> =
        reader.records().map(|line| line.expect("a line").iter().map(str::to_owned).collect()).collect();
    assert_eq!(difference(&stored, &made), None, "the plain schedulers");
    let fast: Vec<Schedule> = runs.iter().map(|run| schedule(run, run.scheduler.build(), &workload)).collect();
    assert_eq!(difference(&stored, &lines(&workload, &runs, &fast)), None, "the fast schedulers");
}

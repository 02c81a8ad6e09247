//! Recipes give the papers' tables on the papers' log; queries about schedules agree with them.

use crate::shared as files;

use packfair::metric::Metric;
use packfair::model::Schedule;
use packfair::simulation::Correction;
use packfair::study::printed::{Facts, PrintedAgreement, PrintedComparison};
use packfair::study::query::{
    Answer, BoxesAsked, GanttBox, JobColumn, JobField, JobRow, JobsQuery, Query, ScheduleFormat, answer,
};
use packfair::study::recipe::Recipe;
use packfair::study::table::{Mode, Table, TableCell};
use packfair::study::{
    Baseline, Generated, Rules, Run, RunReport, Study, Treatment, compare_with_plain, execute, verify,
};
use packfair::workload::{Log, Seconds, Workload, reading};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::collections::BTreeMap;
use std::path::Path;

fn recipe(id: &str) -> Study {
    let mut study = Study::first_visit();
    id.parse::<&Recipe>().unwrap().apply(&mut study);
    study
}

fn results(study: &Study, workload: &Workload) -> Vec<RunReport> {
    study.runs().iter().map(|run| execute(run, workload, study.rules(), &study.measure).unwrap().report).collect()
}

#[test]
fn table_2_has_the_paper_s_figures() {
    let Some(folder) = files::folder() else { return };
    let workload = files::trace(&folder, "KTH-SP2");
    let study = recipe("metrics-table-2");
    let reports = results(&study, &workload);
    let table = Table::of(&reports, &study.columns, &study.baseline, Mode::Change);
    let papers = files::json(&folder, "papers.json");
    let printed = &papers["METRICS Table II: percent change to justbf with the same estimate"]["KTH-SP2"];
    let mut compared = 0;
    for row in table.rows.iter().filter(|row| !row.is_baseline) {
        for cell in row.cells.iter().flatten() {
            let figure = printed[cell.metric.to_string()][row.run.id()].as_f64().expect("the paper has this cell");
            let percent = cell.change.expect("it is compared") * 100.0;
            assert_eq!(percent.round(), figure, "{} of {}: {percent} %", cell.metric, row.run.id());
            compared += 1;
        }
    }
    assert_eq!(compared, 72);
    let facts = Facts::of(&workload, 28_481);
    let beside = PrintedComparison::of("metrics-table-2".parse().unwrap(), &study, &facts, None, &reports);
    assert_eq!(
        beside.expect("the log is the paper's").agreement(),
        PrintedAgreement { printed: 72, ours: 72, equal: 72 }
    );
}

#[test]
fn the_printed_figures_are_the_paper_s() {
    let Some(folder) = files::folder() else { return };
    let papers = files::json(&folder, "papers.json");
    let mut compared = 0;
    for (id, table) in [
        ("metrics-table-2", "METRICS Table II: percent change to justbf with the same estimate"),
        ("metrics-table-3", "METRICS Table III: percent change to requested"),
        ("metrics-table-4", "METRICS Table IV: R2"),
        ("cp-table-2", "CP Table 2: percent of justbf with the same estimate"),
    ] {
        for (log, jobs, processors, months) in
            [("KTH-SP2", 28_480, 100, 11), ("CTC-SP2", 77_199, 338, 11), ("SDSC-BLUE", 232_542, 1_152, 32)]
        {
            let span = months * 2_630_000;
            let facts = Facts { lines: jobs, jobs, processors, span, users: 0, has_executables: true, taken_for: None };
            let beside =
                PrintedComparison::of(id.parse().unwrap(), &recipe(id), &facts, None, &[]).expect("it is the paper's");
            assert_eq!(beside.log.name, log);
            for row in &beside.rows {
                for (metric, cell) in beside.metrics.iter().zip(&row.cells) {
                    let figure = papers[table][log][metric.to_string()][row.run.id()].as_f64();
                    if let (Some(cell), Some(figure)) = (cell, figure) {
                        assert_eq!(cell.printed, figure, "{table}: {metric} of {} on {log}", row.run.id());
                        compared += 1;
                    }
                }
            }
        }
    }
    assert!(compared > 300, "{compared}");
}

/// Compares the cells that the paper prints of a recipe's table, rounded by `shown`. Returns how many there are.
fn compare_with_paper(folder: &Path, id: &str, table: &str, shown: impl Fn(&TableCell) -> f64) -> usize {
    let workload = files::trace(folder, "KTH-SP2");
    let study = recipe(id);
    let mode = if study.baseline == Baseline::None { Mode::Absolute } else { Mode::Change };
    let rows = Table::of(&results(&study, &workload), &study.columns, &study.baseline, mode).rows;
    let papers = files::json(folder, "papers.json");
    let mut compared = 0;
    for (row, cell) in rows.iter().flat_map(|row| row.cells.iter().flatten().map(move |cell| (row, cell))) {
        let printed = &papers[table]["KTH-SP2"][cell.metric.to_string()][row.run.id()];
        if let Some(printed) = printed.as_f64() {
            let ours = shown(cell);
            assert!((ours - printed).abs() < 1e-9, "{} of {}: {ours} instead of {printed}", cell.metric, row.run.id());
            compared += 1;
        }
    }
    compared
}

#[test]
fn table_3_has_the_paper_s_figures() {
    let Some(folder) = files::folder() else { return };
    let percent = |cell: &TableCell| (cell.change.expect("it is compared") * 1_000.0).round() / 10.0;
    let table = "METRICS Table III: percent change to requested";
    assert_eq!(compare_with_paper(&folder, "metrics-table-3", table, percent), 22);
}

#[test]
fn table_4_has_the_paper_s_figures() {
    let Some(folder) = files::folder() else { return };
    let two_places = |cell: &TableCell| (cell.value * 100.0).round() / 100.0;
    assert_eq!(compare_with_paper(&folder, "metrics-table-4", "METRICS Table IV: R2", two_places), 22);
}

#[test]
fn the_sweep_has_the_reference_s_values() {
    let Some(folder) = files::folder() else { return };
    let workload = files::trace(&folder, "KTH-SP2");
    let mut study = recipe("metrics-fig-4");
    let reference = files::json(&folder, "metrics.json");
    let ks = [("x0.5", 0), ("x1.149", 6), ("x2", 10)];
    assert_eq!(study.distortions.len(), 11);
    study.distortions = ks.iter().map(|&(_, i)| study.distortions[i]).collect();
    let results = results(&study, &workload);
    assert_eq!(results.len(), 9);
    for result in &results {
        let (name, _) = ks[study.distortions.iter().position(|&k| k == result.run.estimate.k).unwrap()];
        let entry = &reference[format!("KTH-SP2/{}__actual-{name}", result.run.scheduler)];
        assert_eq!(entry["k"].as_f64(), Some(result.run.estimate.k));
        for metric in &study.columns {
            let expected = entry["metrics"][metric.to_string()].as_f64().expect("the reference has it");
            let ours = result.values[metric];
            assert!((ours - expected).abs() <= expected.abs() * 1e-9, "{metric} of {}: {ours}", result.run.id());
        }
    }
}

const GENERATED: Generated = Generated::Lublin { jobs: 400, processors: 96, seed: 3 };

/// A workload, its log, and two runs of it with their schedules.
struct Case {
    log: Log,
    workload: Workload,
    schedules: Vec<(Run, Schedule)>,
}

impl Case {
    fn new() -> Self {
        let log = GENERATED.generate();
        let workload = Treatment::default().apply(&log).unwrap();
        let schedule = |scheduler: &str, estimate: &str| {
            let run = Run::new(scheduler.parse().unwrap(), estimate.parse().unwrap());
            let result = execute(&run, &workload, Correction::Request, &Default::default()).unwrap();
            (run, result.schedule)
        };
        let schedules = vec![schedule("easy", "requested"), schedule("saf-justbf", "actual")];
        Case { log, workload, schedules }
    }

    fn runs(&self) -> Vec<Run> {
        self.schedules.iter().map(|(run, _)| run.clone()).collect()
    }

    fn ask(&self, query: &Query) -> Result<Answer, String> {
        let find = |run: &Run| self.schedules.iter().find(|(r, _)| r == run).map(|(_, schedule)| schedule);
        answer(query, &self.workload, Some(&self.log), &find)
    }

    fn file(&self, run: usize, format: ScheduleFormat) -> Vec<u8> {
        match self.ask(&Query::Export { run: self.runs()[run].clone(), format }).unwrap() {
            Answer::File(bytes) => bytes,
            other => panic!("{other:?}"),
        }
    }

    fn jobs(&self, query: JobsQuery) -> (usize, Vec<JobRow>) {
        match self.ask(&Query::Jobs(query)).unwrap() {
            Answer::Jobs { matching, rows } => (matching, rows),
            other => panic!("{other:?}"),
        }
    }

    fn gantt(&self, run: usize, from: Seconds, until: Seconds) -> Vec<GanttBox> {
        match self
            .ask(&Query::Gantt {
                run: self.runs()[run].clone(),
                from,
                until,
                boxes: BoxesAsked { most: 100_000, only: None },
            })
            .unwrap()
        {
            Answer::Gantt { boxes, total } => {
                assert_eq!(boxes.len(), total);
                boxes
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_schedule_saved_as_swf_is_read_again_with_its_waits() {
    let case = Case::new();
    let log = reading::read("saved", &*case.file(1, ScheduleFormat::Swf)).unwrap();
    let again = Treatment::default().apply(&log).unwrap();
    assert_eq!(again.requests(), case.workload.requests());
    assert_eq!(again.runs(), case.workload.runs());
    for job in again.jobs() {
        let wait = case.schedules[1].1.start(job) - case.workload.request(job).submit;
        assert_eq!(again.logged_wait(job), Some(wait));
    }
}

#[test]
fn batsim_s_jobs_hold_as_many_processors_as_they_asked_for() {
    let case = Case::new();
    let file = case.file(0, ScheduleFormat::BatsimJobs);
    let rows: Vec<BTreeMap<String, String>> =
        csv::Reader::from_reader(&*file).deserialize().collect::<Result<_, _>>().unwrap();
    assert_eq!(rows.len(), case.workload.len());
    for row in &rows {
        let number = |column: &str| row[column].parse::<i64>().unwrap();
        let held: i64 = row["allocated_resources"]
            .split(' ')
            .map(|interval| {
                let (first, last) = interval.split_once('-').unwrap_or((interval, interval));
                last.parse::<i64>().unwrap() - first.parse::<i64>().unwrap() + 1
            })
            .sum();
        assert_eq!(held, number("requested_number_of_resources"));
        assert_eq!(number("finish_time") - number("starting_time"), number("execution_time"));
        assert_eq!(number("submission_time") + number("waiting_time"), number("starting_time"));
    }
}

#[test]
fn no_two_boxes_of_a_gantt_chart_overlap() {
    let case = Case::new();
    for run in 0..2 {
        let boxes = case.gantt(run, 0, Seconds::MAX);
        let area: i64 = boxes.iter().map(|b| (b.span.1 - b.span.0) * i64::from(b.count)).sum();
        let expected: f64 = case.workload.jobs().map(|job| case.workload.area(job)).sum();
        assert_eq!(area as f64, expected);
        for (i, a) in boxes.iter().enumerate() {
            assert!(a.first + a.count <= 96);
            let apart = |b: &GanttBox| {
                let (processors, times) = ((a.first, a.first + a.count), a.span);
                b.first >= processors.1
                    || b.first + b.count <= processors.0
                    || b.span.0 >= times.1
                    || b.span.1 <= times.0
            };
            assert!(boxes[i + 1..].iter().all(apart));
        }
        let (from, until) = (100_000, 200_000);
        let within: Vec<GanttBox> = boxes.into_iter().filter(|b| b.span.0 < until && b.span.1 > from).collect();
        assert_eq!(case.gantt(run, from, until), within, "a job keeps its processors in every window");
    }
}

#[test]
fn a_window_of_time_is_answered() {
    let case = Case::new();
    let query = Query::Window { run: case.runs()[0].clone(), from: 100_000.0, until: 200_000.0, bins: 50 };
    let Answer::Window(series) = case.ask(&query).unwrap() else { panic!("another answer") };
    assert_eq!((series.utilisation.begin, series.utilisation.mean.len()), (100_000.0, 50));
    assert!(series.utilisation.high.iter().all(|&u| (0.0..=1.0).contains(&u)));
    assert!(series.utilisation.high.iter().any(|&u| u > 0.0));
}

#[test]
fn schedules_are_checked_and_faults_told() {
    let mut case = Case::new();
    let (run, rules) = (case.runs()[0].clone(), Rules::default());
    let faults = |case: &Case| verify(&run, rules, &case.workload, &case.schedules[0].1).faults;
    let compared = |case: &Case| compare_with_plain(&run, rules, &case.workload, &case.schedules[0].1).unwrap();
    assert_eq!(faults(&case), [""; 0]);
    assert!(compared(&case).is_equal(), "{}", compared(&case));
    case.schedules[0].1.starts[17] = -5;
    let comparison = compared(&case);
    assert_eq!((comparison.differing, comparison.first.unwrap().job), (1, 18));
    let faults = faults(&case);
    assert!(faults.iter().any(|fault| fault.starts_with("Job 18 starts at -5 s, before its submission")), "{faults:?}");
}

#[test]
fn a_run_without_a_schedule_is_said() {
    let case = Case::new();
    let run = Run::new("fcfs".parse().unwrap(), "actual*2".parse().unwrap());
    let message = case.ask(&Query::UserWaits { run }).unwrap_err();
    assert_eq!(message, "FCFS with actual*2 has not been simulated here; run it first.");

    let mut other = Case::new();
    other.schedules[0].1.starts.pop();
    let run = other.runs()[0].clone();
    assert!(other.ask(&Query::UserWaits { run }).is_err(), "a schedule of other jobs");
}

#[test]
fn the_first_visit_s_jobs_wait() {
    let study = Study::first_visit();
    let packfair::study::Source::Generated(generated) = &study.source else { panic!("it is generated") };
    let workload = study.treatment.apply(&generated.generate()).unwrap();
    for result in results(&study, &workload) {
        assert!(result.values[&Metric::Aq] > 600.0, "{}: there is something to see", result.run.id());
        assert!(result.values[&Metric::Utilisation] > 0.5);
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 64,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(2022),
        ..ProptestConfig::default()
    })]

    /// A page of jobs is the result of filtering and sorting job by job.
    #[test]
    fn a_page_of_jobs_is_as_by_hand(
        search in prop::sample::select(vec![("", 0), ("procs>=8", 1), ("wait>1h", 2), ("diff<0 procs:..16", 3)]),
        column in prop::sample::select(vec![
            JobField::Number.under(0), JobField::Processors.under(0), JobField::Run.under(0), JobField::Wait.under(1), JobField::Difference.under(0),
        ]),
        descending: bool,
        first in 0..500_usize,
        count in 0..60_usize,
    ) {
        let case = Case::new();
        let wait = |row: &JobRow, run: usize| row.outcomes[run].unwrap().start - row.request.submit;
        let query = |search: &str, first, count| JobsQuery {
            search: search.to_owned(), sort: column, descending, first, count, runs: case.runs(),
        };
        let (all, mut rows) = case.jobs(JobsQuery { sort: JobField::Submit.under(0), descending: false, ..query("", 0, 1_000) });
        prop_assert_eq!((all, rows.len()), (400, 400));
        rows.retain(|row| match search.1 {
            0 => true,
            1 => row.request.processors >= 8,
            2 => wait(row, 0) > 3_600,
            _ => wait(row, 0) < wait(row, 1) && row.request.processors <= 16,
        });
        let key = |row: &JobRow| match column {
            JobColumn { field: JobField::Processors, .. } => i64::from(row.request.processors),
            JobColumn { field: JobField::Run, .. } => row.run,
            JobColumn { field: JobField::Wait, run } => wait(row, run),
            JobColumn { field: JobField::Difference, .. } => wait(row, 0) - wait(row, 1),
            _ => row.request.number,
        };
        // stable, so that ties keep log order both ways
        if descending { rows.sort_by_key(|row| std::cmp::Reverse(key(row))) } else { rows.sort_by_key(key) }
        let (matching, page) = case.jobs(query(search.0, first, count));
        prop_assert_eq!(matching, rows.len());
        let expected: Vec<JobRow> = rows.into_iter().skip(first).take(count).collect();
        prop_assert_eq!(page, expected);
    }
}

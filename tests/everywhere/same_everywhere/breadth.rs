//! What is read, treated, asked, tabled, shared and drawn. Unlike those of runs, these expectations also change with a
//! wording or a colour, and then no stored result is computed again.

use super::expected::short;
use super::{figures, sample};
use packfair::chart::kinds::{self, Colouring, GanttView};
use packfair::chart::{AxisClock, FigureView, Heading, Legend, Panels, Sheet, Theme, draw, pdf};
use packfair::metric::{Counted, CountedGroup, CountedJobs, Grouping, Measure, Metric};
use packfair::model::{FairStarts, Schedule};
use packfair::study::query::{Answer, BoxesAsked, JobField, JobsQuery, Query, ScheduleFormat, answer};
use packfair::study::sureness::{Repeated, Repeats, measured, repeatable};
use packfair::study::table::{self, Mode, Table};
use packfair::study::{
    Baseline, Generated, LogPart, Report, Rules, Run, RunReport, RunResult, Source, Study, Treatment, digest, execute,
    export, fair_starts_of, link,
};
use packfair::workload::{
    Cleaning, Filter, JobId, Log, Resampling, Summary, Unit, Workload, anonymise, reading, write_log,
};
use std::fmt::Write;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// Logs of every format.
const LOGS: [(&str, &[u8]); 11] = [
    ("swf", include_bytes!("../../../fuzz/seeds/log/swf")),
    ("late", include_bytes!("../../../fuzz/seeds/log/a-year-beyond-all-logs")),
    ("batsim", include_bytes!("../../../fuzz/seeds/log/batsim")),
    ("csv", include_bytes!("../../../fuzz/seeds/log/csv")),
    ("lsf", include_bytes!("../../../fuzz/seeds/log/lsf")),
    ("pbs", include_bytes!("../../../fuzz/seeds/log/pbs")),
    ("sge", include_bytes!("../../../fuzz/seeds/log/sge")),
    ("sacct", include_bytes!("../../data/slurm/sacct.txt")),
    ("sacct-steps", include_bytes!("../../data/slurm/steps.txt")),
    ("sacct-json", include_bytes!("../../data/slurm/sacct.json")),
    ("dirty", super::DIRTY.as_bytes()),
];

/// Time zones with daylight saving that begins on different days, one with an offset of half an hour, and an unknown
/// one.
const ZONES: [&str; 5] = ["Europe/Stockholm", "US/Pacific", "Asia/Kolkata", "Australia/Lord_Howe", "Nowhere/At_all"];

/// The lines of a file.
#[derive(Default)]
struct Lines(String);

impl Lines {
    /// Adds a line of what came out, and of it what is to be read.
    fn add(&mut self, name: impl std::fmt::Display, came: &[u8], readable: impl std::fmt::Display) {
        // writing into a string does not fail
        writeln!(self.0, "{name} {:016x} | {readable}", xxh3_64(came)).unwrap();
    }

    /// Adds a line with the beginning of a text.
    fn add_text(&mut self, name: impl std::fmt::Display, text: &str) {
        self.add(name, text.as_bytes(), short(text));
    }

    fn add_debug(&mut self, name: impl std::fmt::Display, value: &impl std::fmt::Debug) {
        self.add_text(name, &format!("{value:?}"));
    }
}

/// Every file of `tests/expected` about something else than runs, with what came out and what is expected.
pub fn everything() -> Vec<(&'static str, String, &'static str)> {
    let asked = Asked::new();
    vec![
        ("logs.txt", read_and_treated(), include_str!("../../expected/logs.txt")),
        ("zones.txt", zones(), include_str!("../../expected/zones.txt")),
        ("beyond-32-bits.txt", beyond_32_bits(), include_str!("../../expected/beyond-32-bits.txt")),
        ("answers.txt", asked.answers(), include_str!("../../expected/answers.txt")),
        ("tables.txt", asked.tables(), include_str!("../../expected/tables.txt")),
        ("shared.txt", asked.shared(), include_str!("../../expected/shared.txt")),
        ("drawings.txt", asked.drawings(), include_str!("../../expected/drawings.txt")),
        ("intervals.txt", intervals(), include_str!("../../expected/intervals.txt")),
        ("forecasts.txt", forecasts(), include_str!("../../expected/forecasts.txt")),
    ]
}

/// Forecasts of the jobs that wait at the fullest moment of a generated log, with bands that earlier ones calibrate.
fn forecasts() -> String {
    let log = Generated::Lublin { jobs: 400, processors: 64, seed: 11 }.generate();
    let mut lines = Lines::default();
    for (scheduler, method) in [
        ("easy", "requested"),
        ("easy-sjbf", "last2"),
        ("conservative", "requested"),
        ("dynp", "cvh"),
        ("slurm", "requested"),
    ] {
        let run = Run::new(scheduler.parse().unwrap(), method.parse().unwrap());
        let (id, rules, arrivals) = (run.id(), Rules::default(), packfair_when::Arrivals::Drawn);
        let question =
            packfair_when::Question { run, rules, arrivals, futures: 8, seed: 3, horizon: packfair_when::HORIZON };
        let scene = packfair_when::Scene::of(&log, None, &Treatment::default(), &question, None).unwrap();
        let past = scene.past();
        let history = packfair_when::History::of(&past);
        let futures = packfair_when::Futures::new(&history, &question, scene.starts);
        let ensemble = futures.of(&[scene.now], &(0..8)).pop().unwrap();
        let moments = packfair_when::TriedMoments::before(&past, scene.now, packfair_when::WEEKS, 6, 3);
        let trials = packfair_when::trials(&futures, &past, &moments.all, 4);
        let scale = packfair_when::known(&trials, scene.now).scale();
        for forecast in packfair_when::forecasts(&ensemble, &scene.workload, &scale, question.horizon) {
            let job = forecast.job;
            lines.add_debug(format_args!("{id} at {}, job {job}", scene.now), &forecast);
        }
    }
    lines.0
}

/// Readers, every cleaning, filters, shrinking, summaries, and what is written again.
fn read_and_treated() -> String {
    let mut lines = Lines::default();
    for (name, bytes) in LOGS {
        let log = match reading::read(name, bytes) {
            Ok(log) => log,
            Err(error) => {
                lines.add_text(format_args!("{name} refused"), &error.to_string());
                continue;
            }
        };
        let told = format!("{} jobs, {:?}, the first {:?}", log.records.len(), log.account, log.records.first());
        lines.add(format_args!("{name} read"), format!("{log:?}").as_bytes(), told);
        let mut written = Vec::new();
        write_log(&mut written, &anonymise(&log, b"key")).unwrap();
        lines.add(format_args!("{name} written"), &written, short(&String::from_utf8_lossy(&written)));
        for cleaning in Cleaning::ALL {
            for (how, treatment) in treatments(cleaning) {
                treated(&mut lines, &format!("{name} {cleaning} {how}"), &treatment, &log);
            }
        }
    }
    lines.0
}

/// Filters of every kind, and shrinking both ways.
fn treatments(cleaning: Cleaning) -> [(&'static str, Treatment); 6] {
    let plain = Treatment { cleaning, ..Treatment::default() };
    let filtered = |filter| Treatment { filter, ..plain.clone() };
    [
        ("plain", plain.clone()),
        ("dense", Treatment { shrink: 0.7, ..plain.clone() }),
        ("sparse", Treatment { shrink: 3.1, processors: Some(1_000), ..plain.clone() }),
        ("from", filtered(Filter { from: Some(1), until: Some(1 << 40), ..Filter::default() })),
        ("users", filtered(Filter { users: vec![0, 1], ..Filter::default() })),
        ("queues", filtered(Filter { queues: vec![0, 1], partitions: vec![-1, 0, 1], ..Filter::default() })),
    ]
}

fn treated(lines: &mut Lines, name: &str, treatment: &Treatment, log: &Log) {
    let workload = match treatment.apply(log) {
        Err(error) => return lines.add_text(name, &error.to_string()),
        Ok(workload) => workload,
    };
    let work: i64 = workload.jobs().map(|job| workload.whole_area(job)).sum();
    let submits = workload.requests().iter().map(|request| request.submit);
    let told = format!(
        "{} jobs on {}, submitted from {:?} to {:?}, work {work}, {:?}",
        workload.len(),
        workload.machine.processors,
        submits.clone().min(),
        submits.max(),
        workload.account,
    );
    lines.add(name, serde_json::to_string(&workload).unwrap().as_bytes(), told);
    // on summer time in centuries to come, browsers and the tables of the command line disagree
    if !name.starts_with("dirty") {
        let summary = Summary::of(&workload);
        let told = format!(
            "load {:?}, used {:?}, {} users, run {:?}",
            summary.offered_load, summary.logged_utilisation, summary.users, summary.runs.quantiles
        );
        lines.add(format_args!("{name} summary"), format!("{summary:?}").as_bytes(), told);
    }
}

/// Hours and days of a log's place. A browser takes time zones from its own database.
fn zones() -> String {
    let mut lines = Lines::default();
    let log = Generated::Lublin { jobs: 2_000, processors: 64, seed: 3 }.generate();
    let workload = Treatment::default().apply(&log).unwrap();
    for zone in ZONES {
        let mut there = workload.clone();
        let labels = [("UnixStartTime", "1079000000"), ("TimeZoneString", zone)];
        there.header.labels = labels.map(|(label, value)| (label.to_owned(), value.to_owned())).to_vec();
        let summary = Summary::of(&there);
        let told = format!("by hour {:?}, by day {:?}", summary.hours, summary.weekdays);
        lines.add(zone, format!("{summary:?}").as_bytes(), told);
    }
    lines.0
}

/// Submit times, run times and widths near and beyond 32 bits.
fn beyond_32_bits() -> String {
    let mut lines = Lines::default();
    let mut text = String::from("; MaxProcs: 2000000000\n; UnixStartTime: 4294967297\n");
    for job in 0_i64..60 {
        let (submit, run) = ((job << 29) + (1 << 33), (1 << 32) + ((job * job * 7_919) << 20) % (1 << 33));
        let (width, limit) = (1 + (job * 699_999_991) % 2_000_000_000, 2 * run);
        // writing into a string does not fail
        writeln!(text, "{} {submit} -1 {run} {width} -1 -1 {width} {limit} -1 1 {} 1 1 1 1 -1 -1", job + 1, job % 3)
            .unwrap();
    }
    let workload = Treatment::default().apply(&reading::read("wide", text.as_bytes()).unwrap()).unwrap();
    lines.add_debug("summary", &Summary::of(&workload));
    for scheduler in ["fcfs", "easy", "easy-sjbf", "justbf", "saf-justbf", "conservative", "pc", "dc", "dynp"] {
        for method in ["actual", "requested", "last2", "hierarchy"] {
            let run = Run::new(scheduler.parse().unwrap(), method.parse().unwrap());
            let RunResult { schedule, report } =
                execute(&run, &workload, Rules::default(), &Measure::default()).unwrap();
            let told = figures(&workload, &schedule, &report);
            lines.add(run.id(), &digest(&schedule, &report).to_le_bytes(), told);
        }
    }
    lines.0
}

/// A study that has been run, with fair start times.
struct Asked {
    study: Study,
    log: Log,
    workload: Workload,
    runs: Vec<(Run, Schedule, RunReport)>,
}

impl Asked {
    fn new() -> Self {
        let generated = Generated::Lublin { jobs: 400, processors: 64, seed: 5 };
        let mut study = Study::on(Source::Generated(generated.clone()));
        study.schedulers = [
            "easy",
            "saf-justbf",
            "conservative",
            "easy:initial=wfp,backfill=saf",
            "easy:initial=formula:min(wait,24h)+24h*share,backfill=f2",
            "fcfs-ci",
        ]
        .map(|id| id.parse().unwrap())
        .into();
        study.methods = ["requested", "hierarchy"].map(|id| id.parse().unwrap()).into();
        study.baseline = Baseline::Scheduler("easy".parse().unwrap());
        study.treatment.shrink = 0.5;
        study.columns = vec![Metric::Af, Metric::Awf, Metric::Bsld, Metric::P2sf, Metric::StrictUnfairness];
        let log = generated.generate();
        let workload = study.treatment.apply(&log).unwrap();
        let one = |run: Run| {
            let mut schedule = execute(&run, &workload, study.rules(), &study.measure).unwrap().schedule;
            if run.check_fair_starts().is_ok() {
                schedule.fair = Some(in_parts(&run, &workload, study.rules(), &schedule));
            }
            let report = RunReport::of(run.clone(), &workload, &schedule, &study.measure, 0.0);
            (run, schedule, report)
        };
        let runs = study.runs().into_iter().map(one).collect();
        Asked { study, log, workload, runs }
    }

    fn reports(&self) -> Vec<RunReport> {
        self.runs.iter().map(|(.., report)| report.clone()).collect()
    }

    /// Every question, of every run.
    fn answers(&self) -> String {
        let mut lines = Lines::default();
        let rules = self.study.rules();
        let counted = CountedJobs { counted: Counted::All, only: Some(CountedGroup { by: Grouping::Width, group: 1 }) };
        let all = CountedJobs { counted: Counted::All, only: None };
        for (at, (run, schedule, _)) in self.runs.iter().enumerate() {
            // one of the jobs that wait longest
            let mut jobs: Vec<JobId> = self.workload.jobs().collect();
            jobs.sort_by_key(|&job| self.workload.request(job).submit - schedule.start(job));
            let (run, job) = (run.clone(), jobs[at]);
            let other = self.runs[(at + 1) % self.runs.len()].0.clone();
            let boxes = BoxesAsked { most: 500, only: None };
            let jobs = |search: &str, sort: JobField| {
                let runs = vec![run.clone(), other.clone()];
                Query::Jobs(JobsQuery {
                    search: search.to_owned(),
                    sort: sort.into(),
                    descending: true,
                    first: 3,
                    count: 20,
                    runs,
                })
            };
            let of_run = || run.clone();
            let mut queries = vec![
                jobs("procs>=4 wait>1m", JobField::Difference),
                jobs("run:10m..", JobField::StrictUnfairness),
                jobs("", JobField::Delay),
                Query::Gantt { run: of_run(), from: 1_000, until: 90_000, boxes },
                Query::Window { run: of_run(), from: 0.0, until: 2e5, bins: 40 },
                Query::WaitMap { run: Some(of_run()), counted: all },
                Query::Waited { run: of_run(), job },
                Query::Reasons { run: of_run(), rules, job },
                Query::FairStart { run: of_run(), rules, job },
                Query::Reservation { run: of_run(), rules, job },
                Query::Outlook { run: of_run(), rules, at: 50_000, from: 40_000, boxes },
                Query::Estimated { run: of_run(), rules, job },
                Query::Classes { run: of_run(), counted: all, bound: 10.0 },
                Query::Accuracy { run: of_run(), counted },
            ];
            let formats = [ScheduleFormat::Swf, ScheduleFormat::BatsimJobs, ScheduleFormat::Starts];
            queries.extend(formats.map(|format| Query::Export { run: of_run(), format }));
            let groupings = [Grouping::User, Grouping::Width, Grouping::RunTime, Grouping::Hour, Grouping::Week];
            queries.extend(groupings.map(|by| Query::Waits {
                run: Some(of_run()),
                by,
                measure: self.study.measure.clone(),
            }));
            for (number, query) in queries.iter().enumerate() {
                self.ask(&mut lines, format_args!("{} {number}", run.id()), query);
            }
        }
        let log = Query::Log { key: Some("key".to_owned()) };
        for (name, query) in [("sizes", Query::Sizes), ("log", log)] {
            self.ask(&mut lines, name, &query);
        }
        self.measured(&mut lines);
        lines.0
    }

    fn ask(&self, lines: &mut Lines, name: impl std::fmt::Display, query: &Query) {
        let schedule = |run: &Run| self.runs.iter().find(|(of, ..)| of == run).map(|(_, schedule, _)| schedule);
        let answer = answer(query, &self.workload, Some(&self.log), &schedule);
        let said = answer.map(|answer| serde_json::to_string(&answer).unwrap()).unwrap_or_else(|why| why);
        lines.add_text(name, &said);
    }

    /// The question of a search, in one piece and in the shares of four workers.
    fn measured(&self, lines: &mut Lines) {
        let runs = self.study.runs();
        let ask = |runs: &[Run]| {
            let query = Query::Measured {
                runs: runs.to_vec(),
                rules: self.study.rules(),
                measure: self.study.measure.clone(),
                metrics: vec![Metric::Af, Metric::Awf, Metric::Bsld],
                losses: None,
                part: LogPart::First(0.6),
            };
            answer(&query, &self.workload, None, &|_| None).unwrap()
        };
        let Answer::Measured { jobs, values } = ask(&runs) else { panic!("it is measured") };
        let mut shared = Vec::new();
        for share in runs.chunks(runs.len().div_ceil(4)) {
            if let Answer::Measured { values, .. } = ask(share) {
                shared.extend(values);
            }
        }
        assert_eq!(values, shared, "on four workers");
        lines.add_debug("measured", &(jobs, values));
    }

    /// Tables in every form, as they are.
    fn tables(&self) -> String {
        let reports = self.reports();
        let mut tables = String::new();
        for mode in [Mode::Absolute, Mode::Change] {
            let table = Table::of(&reports, &self.study.columns, &self.study.baseline, mode);
            let table = table.with_truth(&self.study, &reports).with_origin(&self.study.source);
            let unit = packfair::study::format::TimeUnit::Seconds;
            let forms = [
                ("text", table::text(&table, unit)),
                ("json", table::json(&table)),
                ("csv", table::csv(&table)),
                ("markdown", table::markdown(&table, unit)),
                ("latex", table::latex(&table, unit)),
            ];
            for (form, text) in forms {
                writeln!(tables, "==== {form} {mode:?}\n{text}").unwrap();
            }
        }
        tables
    }

    /// A link, and a study's file.
    fn shared(&self) -> String {
        let (reports, summary) = (self.reports(), Summary::of(&self.workload));
        let mut lines = Lines::default();
        let report = Report { study: self.study.clone(), summary, runs: reports.clone() };
        // without the engine's digest, which depends on another table
        let shared = link::SharedStudy { engine: None, ..link::SharedStudy::of(&report, Vec::new()) };
        let link = link::encode(&shared).unwrap();
        lines.add_text("link", &link);
        lines.add_debug("link, opened", &link::decode(&link).unwrap());
        lines.0 + export::write_study(&self.study).as_str()
    }

    fn drawings(&self) -> String {
        let reports = self.reports();
        let mut lines = Lines::default();
        let sheet = Sheet { width: 620.0, height: 340.0, legend: Legend::Below, heading: Heading::Apart };
        let boxes = sample::boxes(&self.workload, &self.runs[0].1.starts);
        let view = GanttView {
            window: (0.0, 200_000.0),
            instant: None,
            processors: 64,
            unit: Unit::Processors,
            clock: &AxisClock::ELAPSED,
            colouring: Colouring::Wait,
            users: &[],
            picked: Some(JobId(7)),
            gone: &[],
        };
        let gantt = kinds::gantt(Some(&self.runs[0].0), &boxes, view);
        let mut figures = sample::figures(&self.workload, &reports);
        figures.push((gantt, "gantt".to_owned()));
        for (figure, name) in figures {
            let drawing = draw(&Arc::new(figure), &FigureView::default(), sheet, &Theme::LIGHT);
            lines.add(format_args!("{name}, drawn"), drawing.svg.as_bytes(), short(&words(&drawing.svg)));
            let file = pdf(&Panels::of(vec![drawing], 1, &Theme::LIGHT), &Theme::LIGHT, "a log");
            lines.add(format_args!("{name}, printed"), &file, format_args!("{} bytes", file.len()));
        }
        lines.0
    }
}

/// The texts of a drawing, and how much else is drawn.
fn words(svg: &str) -> String {
    let texts = svg.split('<').filter_map(|part| part.strip_prefix("text")?.split_once('>').map(|(_, text)| text));
    format!("{} elements; {}", svg.matches("<").count(), texts.map(str::trim).collect::<Vec<_>>().join(" "))
}

/// Fair start times as one worker computes them, which must be those of four workers.
fn in_parts(run: &Run, workload: &Workload, rules: Rules, schedule: &Schedule) -> FairStarts {
    let whole = fair_starts_of(run, workload, rules, schedule, 0..workload.len()).unwrap();
    let part = |part: usize| workload.len() * part / 4..workload.len() * (part + 1) / 4;
    let mut parts = fair_starts_of(run, workload, rules, schedule, part(0)).unwrap();
    (1..4).for_each(|at| parts.append(fair_starts_of(run, workload, rules, schedule, part(at)).unwrap()));
    assert_eq!(whole, parts, "on four workers");
    whole
}

/// Results of runs on repeats, which do not depend on the order in which workers compute them.
fn intervals() -> String {
    let mut lines = Lines::default();
    let workload = Treatment::default().apply(&Generated::Lublin { jobs: 1_500, processors: 64, seed: 5 }.generate());
    let workload = workload.unwrap();
    let run = Run::new("easy-sjbf".parse().unwrap(), "hierarchy".parse().unwrap());
    let metrics = repeatable(&[Metric::Af, Metric::Bsld]);
    for way in Resampling::ALL {
        let repeats = Repeats { way, ..Repeats::of(4) };
        let on = |workload: &Workload| {
            let schedule = execute(&run, workload, Rules::default(), &Measure::default()).unwrap().schedule;
            measured(workload, &schedule, &Measure::default(), &metrics)
        };
        let value = |repeat: u32| on(&repeats.workload(&workload, repeat).unwrap());
        let all = |order: [u32; 4]| {
            let mut repeated = Repeated::new(repeats, metrics.clone(), std::slice::from_ref(&run));
            order.into_iter().for_each(|repeat| repeated.set(&run, repeat, value(repeat)));
            repeated
        };
        let one = all([0, 1, 2, 3]);
        assert_eq!(one, all([2, 0, 3, 1]), "on four workers");
        lines.add_debug(way.id(), &one.interval(&run, metrics[0], on(&workload)[0].unwrap()));
    }
    lines.0
}

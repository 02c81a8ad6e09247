//! What is fuzzed: functions of any bytes, that must not panic, hang or contradict themselves. The fuzzer calls them
//! (`fuzz_targets/`), and so does an ordinary test (`tests/study/fuzz.rs`).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use packfair::address::PagePlace;
use packfair::catalogue::Script;
use packfair::estimator::Estimate;
use packfair::expression::{Expression, Template, Variable};
use packfair::machine::{MachineDescription, changes_of_table};
use packfair::metric::{CountedGroup, Metric};
use packfair::model::Schedule;
use packfair::scheduler::script::{Allowance, Scripted};
use packfair::scheduler::{PRESETS, Policy};
use packfair::simulation::{Driven, Simulation, check};
use packfair::slurm::{SiteFile, Version, read_site};
use packfair::study::query::{JobField, JobsQuery, Query, answer};
use packfair::study::recipe::Recipe;
use packfair::study::{Rules, Run, Running, Study, Treatment, export, fair_starts_of, link, verify};
use packfair::workload::reading::{Limits, Reader, read_by, read_file};
use packfair::workload::{
    ColumnMap, Header, Log, Machine, MachineSource, MappedColumn, Request, Summary, Workload, anonymise, read_moment,
    write_log,
};
use std::io::{Cursor, Write};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// A target by its name.
pub type Target = (&'static str, fn(&[u8]));

/// All of them.
pub const TARGETS: [Target; 17] = [
    ("log", log),
    ("parquet", parquet),
    ("bzip2", bzip2),
    ("xz", xz),
    ("columns", columns),
    ("study", study),
    ("link", any_link),
    ("packed_link", packed_link),
    ("ids", ids),
    ("search", search),
    ("schedules", schedules),
    ("forks", forks),
    ("formulas", formulas),
    ("templates", templates),
    ("scripts", scripts),
    ("machines", machines),
    ("site", site),
];

/// So much is read of a log that a fuzzer makes.
const LIMITS: Limits = Limits { jobs: 2_000, text: 1_000_000, lost: 10 };

/// A file of any format: read, described, cleaned, written, and read again.
pub fn log(bytes: &[u8]) {
    if let Ok(log) = read_by(Reader::within("fuzzed", LIMITS), bytes) {
        take(&log);
    }
}

/// A Parquet file: its bytes between the first four and the last four, and as a file that is read from its end.
pub fn parquet(bytes: &[u8]) {
    let file = [b"PAR1", bytes, b"PAR1"].concat();
    if let Ok(log) = read_file("fuzzed", Cursor::new(file), LIMITS) {
        take(&log);
    }
}

/// A file that is packed by bzip2, or says so.
pub fn bzip2(bytes: &[u8]) {
    log(&[b"BZh9\x31\x41", bytes].concat());
}

/// A file that is packed by xz, or says so.
pub fn xz(bytes: &[u8]) {
    log(&[b"\xfd7zXZ\x00", bytes].concat());
}

/// A table of which somebody says what its columns are: the first line says it, as on the command line.
pub fn columns(bytes: &[u8]) {
    let (said, table) = bytes.split_at(bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len()));
    let columns =
        String::from_utf8_lossy(said).split(',').filter_map(|one| one.parse().ok()).collect::<Vec<MappedColumn>>();
    if let Ok(log) = read_by(Reader::mapped("fuzzed", LIMITS, ColumnMap { columns }), table) {
        take(&log);
    }
}

fn take(log: &Log) {
    let treatment = Treatment { processors: Some(1 << 20), ..Treatment::default() };
    let Ok(workload) = treatment.apply(log) else { return };
    let _ = Summary::of(&workload);
    let mut written = Vec::new();
    write_log(&mut written, &anonymise(log, b"key")).expect("memory takes all");
    let again = read_by(Reader::new("again"), written.as_slice()).expect("what is written can be read");
    assert_eq!(again.records.len(), log.records.len());
}

/// A study as a file.
pub fn study(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let source = Study::first_visit().source;
    if let Ok(study) = export::read_study(&text, &source) {
        study.check().expect("what is read is sound");
        let again = export::read_study(&export::write_study(&study), &source).expect("what is written can be read");
        assert_eq!(again.runs(), study.runs());
    }
}

/// A link as text.
pub fn any_link(bytes: &[u8]) {
    decode(&String::from_utf8_lossy(bytes));
    let _ = PagePlace::parse(&String::from_utf8_lossy(bytes));
}

/// A link that is packed as links are, whatever is in it.
pub fn packed_link(bytes: &[u8]) {
    let sum = (xxh3_64(bytes) as u32).to_le_bytes();
    let mut packed = DeflateEncoder::new(sum.to_vec(), Compression::fast());
    packed.write_all(bytes).expect("memory takes all");
    let packed = packed.finish().expect("memory takes all");
    decode(&format!("v1.{}", URL_SAFE_NO_PAD.encode(packed)));
}

fn decode(text: &str) {
    if let Ok(shared) = link::decode(text) {
        let again = link::encode(&shared).map(|text| link::decode(&text).expect("what is encoded can be decoded"));
        if let Ok(again) = again {
            assert_eq!(again.study.runs(), shared.study.runs());
        }
    }
}

/// Ids, numbers and moments as people type them.
pub fn ids(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(policy) = text.parse::<Policy>() {
        assert_eq!(policy.to_string().parse(), Ok(policy));
    }
    if let Ok(estimate) = text.parse::<Estimate>() {
        assert_eq!(estimate.to_string().parse(), Ok(estimate));
    }
    if let Ok(metric) = text.parse::<Metric>() {
        assert_eq!(metric.to_string().parse(), Ok(metric));
    }
    if let Ok(group) = CountedGroup::read(&text, &Header::default()) {
        assert_eq!(CountedGroup::read(&group.to_string(), &Header::default()), Ok(group));
    }
    let _ = text.parse::<&Recipe>();
    let _ = read_moment(None, &text);
}

/// What is typed into the search of jobs.
pub fn search(bytes: &[u8]) {
    let workload = workload(&[3; 40]);
    let query = Query::Jobs(JobsQuery {
        search: String::from_utf8_lossy(bytes).into_owned(),
        sort: JobField::Submit.into(),
        descending: false,
        first: 0,
        count: 100,
        runs: Vec::new(),
    });
    // a search that is not understood is an answer as well
    let _ = answer(&query, &workload, None, &|_| None);
}

/// A small workload under one scheduler of the catalogue: the fast and the plain one do the same.
pub fn schedules(bytes: &[u8]) {
    let [preset, estimate, jobs @ ..] = bytes else { return };
    // an off-line schedule is no scheduler's, and forests are learned for weeks
    let presets = PRESETS.iter().filter(|preset| !preset.id.starts_with("off-") && !preset.id.ends_with("-ci"));
    let presets: Vec<&str> = presets.map(|preset| preset.id).collect();
    let scheduler: Policy = presets[usize::from(*preset) % presets.len()].parse().expect("it is in the catalogue");
    let estimates = ["actual", "requested", "actual*0.5", "requested*1.5", "last2", "requested*0.3"];
    let estimate: Estimate = estimates[usize::from(*estimate) % estimates.len()].parse().expect("so is this");
    let workload = workload(jobs);
    let run = Run::new(scheduler, estimate);
    let simulated = |scheduler: Option<Box<dyn Driven>>| -> Option<Schedule> {
        let estimator = run.estimate.build(&workload);
        let simulation = Simulation::new(&workload, scheduler?, estimator, Rules::default().options(&run));
        Some(simulation.with_classifier(run.scheduler.classifier(&workload)).finish())
    };
    if let (Some(fast), Some(plain)) = (simulated(run.scheduler.build()), simulated(run.scheduler.build_plain())) {
        assert_eq!(fast, plain, "{run:?}");
    }
}

/// A small workload under a scheduler that may kill: what is found bit by bit is what is found at once, and so are fair starts,
/// for which the simulation goes on by itself from each arrival.
pub fn forks(bytes: &[u8]) {
    let [policy, order, estimate, split, jobs @ ..] = bytes else { return };
    let pick = |options: &[&'static str], byte: u8| options[usize::from(byte) % options.len()];
    let order = pick(&["fcfs", "sjf", "spf", "saf", "wfp", "lxf"], *order);
    let id = match policy % 4 {
        0 => format!("classes:policy={order},starvation={}", 1 + policy / 4 % 12),
        1 => format!("classes:policy={order},by=all,kill=useful,starvation={}", 1 + policy / 4 % 12),
        2 => format!("classes:policy={order},by=clairvoyant,safeguard=on,estimate=capped"),
        _ => format!("classes:policy={order},by=last,kill=waiting"),
    };
    // not every order is one of this family
    let Ok(scheduler) = id.parse::<Policy>() else { return };
    let estimate = pick(&["actual", "requested", "actual*0.5", "requested*1.5", "last2", "actual*1.149"], *estimate);
    let run = Run::new(scheduler, estimate.parse().expect("it is in the catalogue"));
    let (workload, rules) = (workload(&jobs[..jobs.len().min(4 * 24)]), Rules::default());
    let Ok(running) = Running::begin(&run, &workload, rules) else { return };
    let schedule = running.ended().expect("it is no script").schedule;
    let mut slowly = Running::begin(&run, &workload, rules).expect("it could be run before");
    while !slowly.advance(2).is_done() {}
    assert_eq!(slowly.ended().expect("it is no script").schedule, schedule, "{run:?}");
    let faults = verify(&run, rules, &workload, &schedule).faults;
    assert!(faults.is_empty(), "{run:?}: {faults:?}");
    let (all, split) = (workload.len(), usize::from(*split) % (workload.len() + 1));
    let of = |jobs| fair_starts_of(&run, &workload, rules, &schedule, jobs).expect("a scheduler decides");
    let (whole, mut parts) = (of(0..all), of(0..split));
    parts.append(of(split..all));
    assert_eq!(parts, whole, "{run:?}");
}

/// A formula that a person writes: read, written, read again, and computed.
pub fn formulas(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Ok(formula) = text.parse::<Expression>() else { return };
    let written = formula.to_string();
    let again: Expression = written.parse().unwrap_or_else(|error| panic!("{written}: {error}"));
    assert_eq!(again.to_string(), written);
    for scale in [0.0, 1.0, -3.5, 1e300] {
        let known = |variable: Variable| scale * (variable as u32 as f64 + 1.0);
        assert_eq!(formula.value(&known).to_bits(), again.value(&known).to_bits(), "{written}");
        assert!(!formula.key(&known).is_nan(), "{written}");
    }
}

/// A formula with open numbers: with any of their values it is one that is read as it is written.
pub fn templates(bytes: &[u8]) {
    let [pick, text @ ..] = bytes else { return };
    let Ok(template) = String::from_utf8_lossy(text).parse::<Template>() else { return };
    let values: Vec<f64> = template
        .numbers()
        .iter()
        .map(|number| {
            assert!(number.values.is_sorted_by(|a, b| a < b), "{:?}", number.values);
            number.values[usize::from(*pick) % number.values.len()]
        })
        .collect();
    let Ok(formula) = template.filled(&values) else { return };
    let written = formula.to_string();
    let again: Expression = written.parse().unwrap_or_else(|error| panic!("{written}: {error}"));
    assert_eq!(again.to_string(), written);
}

/// A scheduler that a person writes as a script: it ends, with a schedule that is valid or with a sentence.
pub fn scripts(bytes: &[u8]) {
    let Ok(script) = Script::read("fuzzed", &String::from_utf8_lossy(bytes)) else { return };
    let run = Run::new("easy".parse().expect("it is in the catalogue"), "requested".parse().expect("so is this"));
    let workload = workload(&JOBS.as_bytes()[..4 * 40]);
    let scheduler = Box::new(Scripted::within(Allowance::of_thousands(20), &script));
    let estimator = run.estimate.build(&workload);
    let mut simulation = Simulation::new(&workload, scheduler, estimator, Rules::default().options(&run));
    simulation.advance(usize::MAX);
    if let Some(failure) = simulation.failure() {
        assert!(failure.to_string().len() > 10, "{failure}");
        return;
    }
    let schedule = simulation.finish();
    if schedule.starts.iter().all(|&start| start >= 0) {
        let faults = check(&workload, &schedule);
        assert!(faults.is_empty(), "{faults:?}");
    }
}

/// A machine as a file says it; behind a line of minus signs, a table of its changes.
pub fn machines(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (machine, table) = text.split_once("\n---\n").unwrap_or((&text, ""));
    let changes = changes_of_table(table).unwrap_or_default();
    let Ok(mut described) = toml::from_str::<MachineDescription>(machine) else { return };
    described.changes.extend(changes);
    let Ok(machine) = described.machine(|_| Err("no clock".to_owned())) else { return };
    let again = MachineDescription::from(machine.clone()).machine(|_| Err("no clock".to_owned()));
    assert_eq!(again.map_err(|error| error.to_string()), Ok(machine.clone()), "what was read can be described");
    // a huge one is for logs of its size
    if machine.processors() > 1_000 {
        return;
    }
    let log = read_by(Reader::new("a log"), JOBS.as_bytes()).expect("it is a log");
    let Ok(workload) = (Treatment { machine: Some(Box::new(machine.into())), ..Treatment::default() }).apply(&log)
    else {
        return;
    };
    for scheduler in ["easy", "justbf", "conservative"] {
        let run =
            Run::new(scheduler.parse().expect("it is in the catalogue"), "requested".parse().expect("so is this"));
        let Ok(running) = Running::begin(&run, &workload, Rules::default()) else { continue };
        let schedule = running.ended().expect("it is no script").schedule;
        let faults = verify(&run, Rules::default(), &workload, &schedule).faults;
        assert!(faults.is_empty(), "{scheduler}: {faults:?}");
    }
}

/// A few jobs for machines.
const JOBS: &str = "; MaxProcs: 8\n1 0 -1 50 2 -1 -1 2 60 -1 1 1 1 1 1 1 -1 -1\n\
    2 0 -1 20 4 -1 -1 4 20 -1 1 2 1 1 1 1 -1 -1\n3 5 -1 30 1 -1 -1 1 90 -1 1 1 1 1 1 2 -1 -1\n\
    4 9 -1 5 8 -1 -1 8 5 -1 1 3 1 1 1 1 -1 -1\n5 40 -1 10 1 -1 -1 1 10 -1 1 3 1 1 1 -1 -1 -1\n";

/// The files of a Slurm site, parted by lines of minus signs: read, and put beside a few jobs.
pub fn site(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let contents: Vec<&str> = text.split("\n---\n").collect();
    let files: Vec<SiteFile> =
        contents.iter().map(|content| SiteFile { name: "file", content: content.as_bytes() }).collect();
    let site = read_site(&files, Version::default());
    for finding in &site.findings {
        assert!(!finding.to_string().is_empty());
    }
    if site.nodes.len() > 200 || site.cpus() > 1_000 {
        return;
    }
    let mut log = read_by(Reader::new("a log"), JOBS.as_bytes()).expect("it is a log");
    log.site = Some(Arc::new(site));
    // to simulate it takes as long as its reservations and outages last: its scheduler has a round each few seconds
    let _ = Treatment::default().apply(&log);
}

/// Four bytes a job: gap, width, run time, and how much more was requested; at most 60 jobs on 16 processors.
fn workload(bytes: &[u8]) -> Workload {
    let machine = Machine { processors: 16, source: MachineSource::Given };
    let mut workload = Workload::empty("fuzzed", machine, Header::default());
    let mut submit = 0;
    for (i, job) in bytes.chunks_exact(4).take(60).enumerate() {
        submit += i64::from(job[0] % 16);
        let run = i64::from(job[2] % 64);
        let request = Request {
            number: i as i64 + 1,
            submit,
            processors: u32::from(job[1] % 16) + 1,
            limit: (run + i64::from(job[3] % 64) - 3).max(1),
            user: i32::from(job[3] % 3),
            group: -1,
            executable: i32::from(job[2] % 2),
            queue: -1,
            partition: -1,
        };
        workload.push(request, run, -1, i as u32);
    }
    workload
}

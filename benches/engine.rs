//! Measures how long reading, cleaning, simulating and measuring take: `cargo bench`, or `cargo bench -- KTH` for
//! benchmarks with KTH in their names.
//!
//! It uses the real logs of `../shared/traces`, if that folder exists, and generated workloads of three sizes at three
//! loads. `cargo run --release --example scaling` makes the table of docs/scaling.md.
#![allow(missing_docs)]

use criterion::{
    BatchSize, BenchmarkGroup, Criterion, SamplingMode, Throughput, criterion_group, criterion_main, measurement,
};
use packfair::metric::Evaluation;
use packfair::scheduler::PRESETS;
use packfair::simulation::Correction;
use packfair::study::{Run, Running, Treatment, execute};
use packfair::workload::{Log, Workload, lublin, reading, write_swf};
use std::fs::File;
use std::path::Path;
use std::time::Duration;

/// The schedulers of METRICS Table II, each measured with actual and with requested times.
const TABLE_II: [&str; 10] = [
    "easy",
    "easy-sjbf",
    "saf-easy",
    "justbf",
    "sjf-justbf",
    "saf-justbf",
    "laf-justbf",
    "sjf-aggressive",
    "saf-aggressive",
    "laf-aggressive",
];

/// Shrinking factors with which queues stay short, become long at times, and grow for ever.
const LOADS: [(&str, f64); 3] = [("short queues", 1.25), ("long queues", 0.95), ("growing queues", 0.7)];

type Group<'a> = BenchmarkGroup<'a, measurement::WallTime>;

fn traces() -> Vec<(&'static str, Log)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/traces");
    let mut logs = Vec::new();
    for name in ["KTH-SP2", "CTC-SP2", "SDSC-BLUE"] {
        match File::open(folder.join(format!("{name}.swf.gz"))) {
            Ok(file) => logs.push((name, reading::read(name, file).expect("a trace of the archive"))),
            Err(_) => println!("{name} skipped: no ../shared"),
        }
    }
    logs
}

/// The log as plain text, so that reading does not measure unpacking.
fn text(log: &Log, workload: &Workload) -> Vec<u8> {
    let mut text = Vec::new();
    write_swf(&mut text, log, workload, None).expect("memory can be written to");
    text
}

fn run(scheduler: &str, estimate: &str) -> Run {
    Run::new(scheduler.parse().expect("a preset's id"), estimate.parse().expect("an estimator's id"))
}

fn simulate(group: &mut Group, run: &Run, workload: &Workload) {
    group.throughput(Throughput::Elements(workload.len() as u64));
    group.bench_function(run.id(), |bench| {
        // making and dropping a run is not measured
        bench.iter_batched_ref(
            || Running::begin(run, workload, Correction::default()).expect("it decides"),
            |running| running.advance(usize::MAX),
            BatchSize::PerIteration,
        );
    });
}

fn read_and_clean(group: &mut Group, log: &Log, treatment: &Treatment) -> Workload {
    let workload = treatment.apply(log).expect("there are usable jobs");
    let text = text(log, &workload);
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("read", |bench| bench.iter(|| reading::read(&log.name, text.as_slice())));
    group.throughput(Throughput::Elements(workload.len() as u64));
    group.bench_function("clean", |bench| bench.iter(|| treatment.apply(log)));
    workload
}

/// Real logs: everything.
fn real(criterion: &mut Criterion) {
    for (name, log) in traces() {
        let mut group = criterion.benchmark_group(name);
        group.sample_size(10);
        let workload = read_and_clean(&mut group, &log, &Treatment::default());
        for preset in PRESETS.iter().filter(|preset| !preset.id.starts_with("off-")) {
            for estimate in ["actual", "requested"] {
                simulate(&mut group, &run(preset.id, estimate), &workload);
            }
        }
        let measure = Default::default();
        let easy = execute(&run("easy", "requested"), &workload, Correction::default(), &measure).expect("it decides");
        let evaluation = Evaluation::new(&workload, &easy.schedule, &measure);
        group.bench_function("measure: metrics", |bench| {
            bench.iter(|| Evaluation::new(&workload, &easy.schedule, &measure).values());
        });
        group.bench_function("measure: curves", |bench| bench.iter(|| evaluation.curves()));
        group.bench_function("METRICS Table II", |bench| {
            bench.iter(|| {
                for scheduler in TABLE_II {
                    for estimate in ["actual", "requested"] {
                        let run = run(scheduler, estimate);
                        execute(&run, &workload, Correction::default(), &measure).expect("it decides");
                    }
                }
            });
        });
        group.finish();
    }
}

/// Generated workloads: the effect of size and load. Growing queues are simulated only by schedulers that are fast
/// enough for them.
fn generated(criterion: &mut Criterion) {
    for jobs in [10_000, 100_000, 1_000_000] {
        let log = lublin(jobs, 256, 1);
        for (load, shrink) in LOADS {
            let mut group = criterion.benchmark_group(format!("{jobs} jobs, {load}"));
            group.sample_size(10).sampling_mode(SamplingMode::Flat);
            group.warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
            let workload = read_and_clean(&mut group, &log, &Treatment { shrink, ..Treatment::default() });
            let grows = shrink < 0.9;
            let schedulers: &[&str] = match grows && jobs > 10_000 {
                true => &["easy", "saf-easy", "saf-aggressive"],
                false => &["easy", "saf-easy", "saf-aggressive", "justbf", "saf-justbf"],
            };
            for scheduler in schedulers {
                for estimate in ["actual", "requested"] {
                    simulate(&mut group, &run(scheduler, estimate), &workload);
                }
            }
            group.finish();
        }
    }
}

criterion_group!(benches, real, generated);
criterion_main!(benches);

//! How long reading, cleaning, simulating and measuring take: `cargo bench`, or `cargo bench -- KTH`
//! for what has that in its name.
//!
//! On a generated workload, and on the real logs of `../shared/traces` where that folder is.
#![allow(missing_docs)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use packfair::metric::Evaluation;
use packfair::scheduler::PRESETS;
use packfair::simulation::Correction;
use packfair::study::{Run, Running, Treatment, execute};
use packfair::workload::{Log, Workload, lublin, swf, write_swf};
use std::fs::File;
use std::path::Path;

fn logs() -> Vec<(&'static str, Log)> {
    let mut logs = vec![("generated", lublin(10_000, 256, 1))];
    let traces = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/traces");
    for name in ["KTH-SP2", "CTC-SP2", "SDSC-BLUE"] {
        match File::open(traces.join(format!("{name}.swf.gz"))) {
            Ok(file) => logs.push((name, swf::read(name, file).expect("a trace of the archive"))),
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

fn engine(criterion: &mut Criterion) {
    for (name, log) in logs() {
        let treatment = Treatment::default();
        let workload = treatment.apply(&log).expect("there are usable jobs");
        let mut group = criterion.benchmark_group(name);
        group.sample_size(10);

        let text = text(&log, &workload);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function("read", |bench| bench.iter(|| swf::read(name, text.as_slice())));

        group.throughput(Throughput::Elements(workload.len() as u64));
        group.bench_function("clean", |bench| bench.iter(|| treatment.apply(&log)));
        for preset in PRESETS {
            for estimate in ["actual", "requested"] {
                let policy = preset.id.parse().expect("a preset's id");
                let run = Run::new(policy, estimate.parse().expect("an estimator's id"));
                group.bench_function(run.id(), |bench| {
                    bench.iter(|| {
                        let mut running = Running::begin(&run, &workload, Correction::default()).expect("it decides");
                        running.advance(usize::MAX)
                    });
                });
            }
        }

        let run = Run::new("easy".parse().expect("a preset's id"), "requested".parse().expect("an estimator's id"));
        let measure = Default::default();
        let result = execute(&run, &workload, Correction::default(), &measure).expect("it decides");
        group.bench_function("measure", |bench| {
            bench.iter(|| {
                let evaluation = Evaluation::new(&workload, &result.schedule, &measure);
                (evaluation.values(), evaluation.curves())
            });
        });
        group.finish();
    }
}

criterion_group!(benches, engine);
criterion_main!(benches);

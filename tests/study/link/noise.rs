//! Studies whose results are noise, and what must come back of them from a link.

use packfair::metric::{Curves, Envelope, Line, Metric};
use packfair::study::link::{SharedStudy, SharedWorkload};
use packfair::study::{Run, RunReport, Source, Study};
use packfair::workload::{Fingerprint, Machine, MachineSource};
use std::collections::BTreeMap;

pub const EIGHT: [Metric; 8] = [
    Metric::Bsld,
    Metric::Af,
    Metric::Awf,
    Metric::P2sf,
    Metric::Loc,
    Metric::Utilisation,
    Metric::MaxWait,
    Metric::Makespan,
];

/// A number that looks random, the same every time.
pub fn number(seed: u64) -> f64 {
    let mixed = (seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 11) as f64 / (1_u64 << 30) as f64
}

pub fn line(seed: u64, points: u64) -> Line {
    let mut y: Vec<f64> = (0..points).map(|i| number(seed * 1_000 + i)).collect();
    y.sort_by(f64::total_cmp);
    Line { x: (0..points).map(|i| 1.02_f64.powi(i as i32)).collect(), y }
}

pub fn envelope(seed: u64, bins: u64) -> Envelope {
    let mean: Vec<f64> = (0..bins).map(|i| number(seed * 1_000 + i)).collect();
    Envelope {
        begin: -5.0,
        step: 3_600.0,
        low: mean.iter().map(|m| m * 0.5).collect(),
        high: mean.iter().map(|m| m * 1.5).collect(),
        mean,
    }
}

pub fn result(run: Run, seed: u64) -> RunReport {
    let values: BTreeMap<Metric, f64> =
        Metric::ALL.iter().zip(0..).map(|(&metric, i)| (metric, number(seed * 100 + i))).collect();
    let curves = Curves {
        cwa: line(seed, 600),
        waits: line(seed + 1, 600),
        slowdowns: line(seed + 2, 600),
        queue_jobs: envelope(seed, 1_000),
        queue_width: envelope(seed + 1, 1_000),
        utilisation: envelope(seed + 2, 1_000),
        ..Curves::default()
    };
    RunReport {
        run,
        jobs: 28_480,
        values,
        curves,
        wall_s: number(seed) / 1e9,
        machine: None,
        machine_use: None,
        is_plain: false,
        overfull: None,
        saturation: None,
        is_too_short: false,
        shrink: 1.0,
    }
}

/// A study of `runs` runs whose results are noise.
pub fn noise(runs: usize) -> SharedStudy {
    let mut study = Study::on(Source::Trace { name: "log.swf.gz".into(), fingerprint: Fingerprint(7) });
    study.schedulers.truncate(1);
    study.methods.truncate(1);
    study.distortions = (0..runs).map(|i| 0.1 + i as f64 / 1_000.0).collect();
    study.columns = EIGHT.to_vec();
    let results = study.runs().into_iter().zip(0..).map(|(run, seed)| result(run, seed)).collect();
    let workload = SharedWorkload {
        name: "log.swf.gz".into(),
        jobs: 28_481,
        machine: Machine { processors: 100, source: MachineSource::MaxProcs },
        jobs_by_area: line(98, 600),
        area_by_area: line(99, 600),
        clock: None,
    };
    let charted = study.runs().into_iter().rev().take(4).collect();
    SharedStudy {
        study,
        workload,
        runs: results,
        charted,
        engine: Some(packfair::study::Engine::THIS),
        repeated: None,
        sender_view: None,
    }
}

pub fn columns(report: &RunReport) -> Vec<Option<u64>> {
    EIGHT.iter().map(|metric| report.values.get(metric).map(|value| value.to_bits())).collect()
}

/// Asserts that everything except curves and further metrics came back, to the last bit.
pub fn assert_carried(sent: &SharedStudy, got: &SharedStudy) {
    assert_eq!(got.study, sent.study);
    assert_eq!((&got.charted, got.engine), (&sent.charted, sent.engine));
    assert_eq!(got.workload.name, sent.workload.name);
    assert_eq!((got.workload.jobs, got.workload.machine), (sent.workload.jobs, sent.workload.machine));
    assert_eq!(got.runs.len(), sent.runs.len());
    for (got, sent) in got.runs.iter().zip(&sent.runs) {
        assert_eq!((&got.run, got.jobs), (&sent.run, sent.jobs));
        assert_eq!(columns(got), columns(sent));
        assert_eq!(got.wall_s.to_bits(), sent.wall_s.to_bits());
    }
}

/// The largest distance of a curve from a link to the original, at the points that it has, as a fraction of the curve's
/// height.
pub fn error_of(got: &Line, sent: &Line) -> f64 {
    let top = sent.y.last().copied().unwrap_or(1.0);
    let at = |x: f64| sent.y[sent.x.partition_point(|p| *p <= x).max(1) - 1];
    got.x.iter().zip(&got.y).map(|(&x, &y)| (y - at(x)).abs() / top).fold(0.0, f64::max)
}

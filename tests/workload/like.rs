//! Workloads like the real logs, and the analyses from which they are generated.

use crate::shared;
use packfair::workload::Workload;
use packfair::workload::like::{Analysis, Arrivals, Likeness, OF_DYNP, TimeExtent};
use packfair::workload::{Cleaning, Filter, clean};

/// A log of `../shared`, and the rows of DYNP Table 2 for it.
fn analysed(name: &str) -> Option<(Workload, Analysis)> {
    let workload = shared::trace(&shared::folder()?, name);
    let analysis = Analysis::of(&workload);
    Some((workload, analysis))
}

fn rounded(extent: TimeExtent) -> (i64, i64, i64) {
    (extent.mean.round() as i64, extent.min, extent.max)
}

#[test]
fn kth_sp2_has_its_rows() {
    let Some((_, analysis)) = analysed("KTH-SP2") else { return };
    assert_eq!((analysis.jobs, analysis.max_width, analysis.processors), (28_481, 100, 100));
    assert_eq!(format!("{:.2}", analysis.mean_width), "7.66");
    assert_eq!(rounded(analysis.requested), (13_678, 60, 216_000));
    assert_eq!(rounded(analysis.run), (8_860, 1, 216_000));
    assert_eq!(rounded(analysis.gap), (1_031, 0, 327_952));
    assert_eq!((analysis.overruns, analysis.zero_gaps), (0, 332));
    assert_eq!(analysis.p0, 332.0 / 28_481.0);
    let fit = analysis.fit.expect("a law");
    let law = format!("{:.6} {:.4} {:.1}", fit.law.alpha, fit.law.beta, fit.log_likelihood);
    assert_eq!(law, "0.514123 453.7328 -205234.4");
}

#[test]
fn ctc_sp2_has_its_rows() {
    let Some((_, analysis)) = analysed("CTC-SP2") else { return };
    assert_eq!((analysis.jobs, analysis.max_width, analysis.processors), (77_199, 336, 338));
    assert_eq!(format!("{:.2}", analysis.mean_width), "10.99");
    assert_eq!(rounded(analysis.requested), (24_394, 300, 64_800));
    assert_eq!(rounded(analysis.run), (11_254, 1, 64_800));
    assert_eq!(rounded(analysis.gap), (380, 0, 164_472));
    assert_eq!((analysis.overruns, analysis.zero_gaps), (0, 501));
    let fit = analysis.fit.expect("a law");
    let law = format!("{:.6} {:.4} {:.1}", fit.law.alpha, fit.law.beta, fit.log_likelihood);
    assert_eq!(law, "0.511365 178.7422 -486173.8");
}

#[test]
fn a_workload_made_from_a_log_is_like_it() {
    let Some((kth, analysis)) = analysed("KTH-SP2") else { return };
    let made = |arrivals| {
        let log = Likeness { jobs: 100_000, seed: 5, arrivals }.log(&kth).expect("the log has a law");
        clean(&log, &Filter::default(), Cleaning::Metrics, None).expect("jobs")
    };
    let own = Analysis::of(&made(Arrivals::default()));
    let near = |a: f64, b: f64, most: f64| assert!((a / b - 1.0).abs() < most, "{a} is not near {b}");
    near(own.mean_width, analysis.mean_width, 0.02);
    near(own.run.mean, analysis.run.mean, 0.02);
    near(own.requested.mean, analysis.requested.mean, 0.02);
    near(own.p0, analysis.p0, 0.1);
    near(own.gap.mean, 853.0, 0.03);
    let (_, law, p0) = OF_DYNP[1];
    let arrivals = Arrivals { alpha: Some(law.alpha), beta: Some(law.beta), p0: Some(p0) };
    near(Analysis::of(&made(arrivals)).gap.mean, 1006.0 * (1.0 - p0), 0.05);
}

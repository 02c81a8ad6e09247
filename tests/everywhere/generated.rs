//! Generated workloads are the same on every target, and like those that the model's authors made.

use packfair::workload::lublin;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test;

/// The fingerprints are fixed: links to studies on generated workloads must give the same jobs for ever,
/// natively and in browsers alike.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn lublin_is_the_same_everywhere() {
    let fingerprints = [(5_000, 256, 1), (2_000, 100, 42), (1_000, 1, u64::MAX)]
        .map(|(jobs, processors, seed)| lublin(jobs, processors, seed).fingerprint.to_string());
    assert_eq!(
        fingerprints,
        ["5ea8fa960a96b9c68c91c805163e38ab", "df5b0813b4574d177d9c44e7b8012bf5", "a4a26aa8a5baf9803bb52b130024ef69"]
    );
}

#[cfg(not(target_arch = "wasm32"))]
mod like_the_authors {
    use packfair::workload::{Log, lublin, reading};
    use std::fs::File;

    /// The authors' own sample on 256 processors; `None` where it is not available.
    fn sample() -> Option<Log> {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/traces/lublin_256.swf.gz");
        let Ok(file) = File::open(path) else {
            crate::shared::skipped();
            return None;
        };
        Some(reading::read("lublin_256", file).unwrap())
    }

    fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
        let count = values.len() as f64;
        values.sum::<f64>() / count
    }

    fn share(log: &Log, of: impl Fn(i32) -> bool) -> f64 {
        log.records.iter().filter(|record| of(record.allocated)).count() as f64 / log.records.len() as f64
    }

    fn close(what: &str, ours: f64, theirs: f64, within: f64) {
        assert!((ours - theirs).abs() <= within, "{what}: {ours} here, {theirs} in the authors' sample");
    }

    #[test]
    fn sizes() {
        let Some(theirs) = sample() else { return };
        let ours = lublin(10_000, 256, 7);
        let logarithm = |log: &Log| mean(log.records.iter().map(|record| f64::from(record.allocated).log2()));
        close("mean log2 of size", logarithm(&ours), logarithm(&theirs), 0.1);
        close("serial jobs", share(&ours, |size| size == 1), share(&theirs, |size| size == 1), 0.02);
        let is_power = |size: i32| size > 1 && size.count_ones() == 1;
        close("powers of two", share(&ours, is_power), share(&theirs, is_power), 0.02);
        for most in [4, 16, 32, 64, 128] {
            let upto = |log: &Log| share(log, |size| size <= most);
            close("jobs up to a size", upto(&ours), upto(&theirs), 0.025);
        }
    }

    #[test]
    fn run_times() {
        let Some(theirs) = sample() else { return };
        let ours = lublin(10_000, 256, 7);
        let quantile = |log: &Log, percent: usize| {
            let mut runs: Vec<i64> = log.records.iter().map(|record| record.run).collect();
            runs.sort_unstable();
            (runs[runs.len() * percent / 100].max(1) as f64).ln()
        };
        for percent in [10, 25, 50, 75, 90, 99] {
            close("ln of a run time quantile", quantile(&ours, percent), quantile(&theirs, percent), 0.25);
        }
        // wide jobs run longer
        let wide = |log: &Log| {
            let wide: Vec<f64> =
                log.records.iter().filter(|r| r.allocated >= 64).map(|r| (r.run.max(1) as f64).ln()).collect();
            mean(wide.into_iter())
        };
        close("mean ln of wide jobs' run time", wide(&ours), wide(&theirs), 0.3);
    }

    #[test]
    fn arrivals() {
        let Some(theirs) = sample() else { return };
        // more jobs than in theirs, because single gaps of days shift the hours of all later jobs
        let ours = lublin(50_000, 256, 7);
        let quantile = |log: &Log, percent: usize| {
            let mut gaps: Vec<i64> = log.records.windows(2).map(|pair| pair[1].submit - pair[0].submit).collect();
            gaps.sort_unstable();
            (gaps[gaps.len() * percent / 100].max(1) as f64).ln()
        };
        for percent in [10, 25, 50, 75, 90, 95] {
            close("ln of a quantile of gaps", quantile(&ours, percent), quantile(&theirs, percent), 0.15);
        }
        let by_hour = |log: &Log, hour: i64| {
            let within = log.records.iter().filter(|record| record.submit % 86_400 / 3600 == hour).count();
            within as f64 / log.records.len() as f64
        };
        for hour in 0..24 {
            close(&format!("arrivals at {hour} h"), by_hour(&ours, hour), by_hour(&theirs, hour), 0.02);
        }
    }
}

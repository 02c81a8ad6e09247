//! A study on a generated workload gives the same report, bit for bit, natively and in a browser.
#![allow(missing_docs)]

use packfair::metric::{Counted, Measure};
use packfair::simulation::Correction;
use packfair::study::query::{Answer, Query, answer};
use packfair::study::{Generated, Rules, Source, Study, execute};
use packfair::workload::{JobId, Workload};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use xxhash_rust::xxh3::xxh3_64;

#[cfg(target_arch = "wasm32")]
wasm_bindgen_test_configure!(run_in_browser);

/// Those that learn compute with exp, ln, pow, sin and cos.
const METHODS: [&str; 7] = ["actual", "requested", "last2", "hierarchy", "sp3", "survival", "cvh"];

/// Every scheduler with a name that does not draw random numbers, with every way of estimating, plain and distorted.
fn study() -> (Study, Workload) {
    let generated = Generated::Lublin { jobs: 500, processors: 64, seed: 11 };
    let mut study = Study::on(Source::Generated(generated.clone()));
    // optimised rounds have a test of their own
    let presets = packfair::scheduler::PRESETS.iter().filter(|preset| !preset.id.starts_with("opt-"));
    study.schedulers = presets.map(|preset| preset.id.parse().unwrap()).collect();
    study.methods = METHODS.iter().map(|method| method.parse().unwrap()).collect();
    study.distortions = vec![0.5, 1.0, 1.149];
    study.measure = Measure { alpha: 1.7, norm: 2.5, ..Measure::default() };
    let workload = study.treatment.apply(&generated.generate()).unwrap();
    (study, workload)
}

/// One digest a run, over its schedule and over its report to the last bit.
fn digests(study: &Study, workload: &Workload, correction: Correction) -> Vec<(String, u64)> {
    let digest = |run| {
        let result = execute(run, workload, correction, &study.measure).unwrap();
        let text = serde_json::to_string(&(&result.schedule, &result.report)).unwrap();
        (run.id(), xxh3_64(text.as_bytes()))
    };
    study.runs().iter().map(digest).collect()
}

/// The digest of all digests. It changes when a schedule, a metric or the form of a report does: say
/// in the commit which of these was meant.
fn assert_digest(correction: Correction, expected: u64) {
    let (study, workload) = study();
    assert_digest_of(&study, &workload, correction, expected);
}

fn assert_digest_of(study: &Study, workload: &Workload, correction: Correction, expected: u64) {
    let digests = digests(study, workload, correction);
    let all = xxh3_64(format!("{digests:?}").as_bytes());
    assert_eq!(all, expected, "{correction:?}: the runs' digests are {digests:#x?}");
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn reports_are_the_same_everywhere() {
    assert_digest(Correction::Request, 6_202_089_796_160_062_078);
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn corrections_are_the_same_everywhere() {
    assert_digest(Correction::Incremental, 13_289_025_188_672_803_178);
    assert_digest(Correction::Doubling, 1_826_677_740_665_480_315);
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn optimised_rounds_are_the_same_everywhere() {
    let (mut study, workload) = study();
    let presets = packfair::scheduler::PRESETS.iter().filter(|preset| preset.id.starts_with("opt-"));
    study.schedulers = presets.map(|preset| preset.id.parse().unwrap()).collect();
    study.methods = ["actual", "requested", "sp3"].map(|method| method.parse().unwrap()).to_vec();
    study.distortions = vec![1.0, 1.149];
    assert_digest_of(&study, &workload, Correction::Request, 0);
}

/// What is said of estimates: how good they are, and why they are as they are. It changes when a wording does.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn what_is_said_of_estimates_is_the_same_everywhere() {
    let (mut study, workload) = study();
    study.schedulers = vec!["easy-sjbf".parse().unwrap()];
    let rules = Rules::default();
    let mut said = String::new();
    for run in study.runs() {
        let schedule = execute(&run, &workload, rules, &study.measure).unwrap().schedule;
        let counted = Counted::All;
        let why = [3, 300, 499].map(|job| Query::Estimated { run: run.clone(), rules, job: JobId(job) });
        for query in why.into_iter().chain([Query::Accuracy { run: run.clone(), counted }]) {
            let answer: Answer = answer(&query, &workload, None, &|_| Some(&schedule)).unwrap();
            said.push_str(&serde_json::to_string(&answer).unwrap());
        }
    }
    assert_eq!(xxh3_64(said.as_bytes()), 11_841_981_354_931_706_469, "{said}");
}

//! Texts that are not links, or carry impossible data, are refused with a sentence.

use super::noise::{EIGHT, assert_carried, noise};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use packfair::metric::Metric;
use packfair::study::link::{self, LinkError, SharedStudy};
use packfair::study::{Source, Study};
use packfair::workload::Fingerprint;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::collections::BTreeMap;

#[test]
fn an_address_s_hash_and_spaces_do_no_harm() {
    let sent = noise(3);
    let text = link::encode(&sent).unwrap();
    assert_carried(&sent, &link::decode(&format!(" #{text}\n")).unwrap());
}

#[test]
fn each_fault_has_its_sentence() {
    let text = link::encode(&noise(3)).unwrap();
    let message = |text: &str| link::decode(text).unwrap_err().to_string();
    assert!(message("").starts_with("this is no link to a result"));
    assert!(message("charts").starts_with("this is no link to a result"));
    assert!(message("v0.AAAA").starts_with("this is no link to a result"));
    assert!(message("v12.AAAA").contains("a newer version of Packfair (v12)"));
    assert_eq!(link::decode("v1."), Err(LinkError::CutShort));
    assert!(message(&text[..text.len() / 2]).starts_with("the link was cut short"));
    assert!(message(&text.replace("v1.", "v1.%")).starts_with("the link is damaged"));
    assert!(message(&format!("{text}AAAA")).starts_with("the link is damaged"));
    assert_eq!(link::decode(&format!("v1.{}", "A".repeat(3_000_000))), Err(LinkError::TooLarge));
}

/// A link with these bytes as its data.
fn link_of(data: &[u8]) -> String {
    use std::io::Read;
    let mut bytes = (xxhash_rust::xxh3::xxh3_64(data) as u32).to_le_bytes().to_vec();
    flate2::read::DeflateEncoder::new(data, flate2::Compression::best()).read_to_end(&mut bytes).unwrap();
    format!("v1.{}", URL_SAFE_NO_PAD.encode(bytes))
}

#[test]
fn a_bomb_is_not_inflated() {
    let bomb = link_of(&vec![0; 300_000_000]);
    assert!(bomb.len() < 500_000);
    assert_eq!(link::decode(&bomb), Err(LinkError::TooLarge));
}

#[test]
fn a_study_that_is_unknown_or_cannot_be_run_is_refused() {
    // the study is the first field: its length, then JSON
    let with_study = |study: &str| {
        let mut data = postcard::to_stdvec(study).unwrap();
        // workload: name, jobs, machine; then no metric, row, charted run or section
        data.extend(postcard::to_stdvec(&("log", 5_u64, (100_u32, 0_u32))).unwrap());
        data.extend([0, 0, 0, 0]);
        link::decode(&link_of(&data))
    };
    let fine = r#"{"schedulers":["easy"],"methods":["actual"]}"#;
    assert_eq!(with_study(fine).unwrap().workload.jobs, 5);
    let message = |study: &str| with_study(study).unwrap_err().to_string();
    let unknown = message(r#"{"schedulers":["quantum"],"methods":["actual"]}"#);
    assert!(unknown.starts_with("the link's study cannot be read (there is no scheduler \"quantum\""), "{unknown}");
    assert!(
        message(r#"{"schedulers":[],"methods":["actual"]}"#).starts_with("the link's study is not valid: no scheduler")
    );
    assert!(message(&fine.replace('}', ",\"distortions\":[1e300]}")).contains("a factor k is 1"));
    for (setting, takes) in [
        ("threshold=1.5", "it takes a number from 0 to 1"),
        ("threshold=-0.1", "it takes a number from 0 to 1"),
        ("threshold=NaN", "it takes a number from 0 to 1"),
        ("divider=0", "it takes all, week, trace"),
        ("trees=0", "it takes a whole number from 1 to 500"),
        ("depth=0", "it takes a whole number from 1 to 60"),
    ] {
        let said = message(&fine.replace("easy", &format!("classes:{setting}")));
        let name = setting.split('=').next().unwrap();
        assert!(said.contains(&format!("{name} of Classes cannot be")) && said.contains(takes), "{setting}: {said}");
    }
    let many: Vec<String> = (0..3_000).map(|i| format!("{}", 1.0 + f64::from(i) / 1e6)).collect();
    let many = format!("[{}]", many.join(","));
    let repeated = format!("[{}\"AF\"]", "\"AF\",".repeat(300_000));
    let got = with_study(&fine.replace('}', &format!(",\"columns\":{repeated}}}"))).unwrap();
    assert_eq!(got.study.columns, [Metric::Af]);
    assert!(message(&fine.replace('}', &format!(",\"distortions\":{many}}}"))).contains("more than 2000 runs"));
}

#[test]
fn a_study_of_dynp_with_bad_numbers_is_refused_with_words() {
    let message = |field: &str, value: serde_json::Value| {
        let mut study = serde_json::to_value(Study::first_visit()).unwrap();
        study[field] = value;
        let mut data = postcard::to_stdvec(&study.to_string()).unwrap();
        data.extend(postcard::to_stdvec(&("log", 5_u64, (100_u32, 0_u32))).unwrap());
        data.extend([0, 0, 0, 0]);
        link::decode(&link_of(&data)).unwrap_err().to_string()
    };
    let bounds = message("schedulers", serde_json::json!(["dynp-basic:lower=9000,upper=7200"]));
    assert!(bounds.contains("from 9000, which is lower"), "{bounds}");
    let policies = message("schedulers", serde_json::json!(["dynp:policies="]));
    assert!(policies.contains("all, or some of fcfs"), "{policies}");
    for factors in [[0.9, 0.0], [0.9, -0.5]] {
        let factor = message("shrinks", serde_json::json!(factors));
        assert!(factor.contains("a shrinking factor is"), "{factor}");
    }
    let mut treatment = serde_json::to_value(Study::first_visit().treatment).unwrap();
    treatment["shrink"] = serde_json::json!(0.0);
    let factor = message("treatment", treatment.clone());
    assert!(factor.contains("the shrinking factor is 0"), "{factor}");
    treatment["shrink"] = serde_json::json!(1.0);
    treatment["like"] = serde_json::json!({ "jobs": 100, "seed": 1, "arrivals": { "alpha": 0.0 } });
    let alpha = message("treatment", treatment);
    assert!(alpha.contains("alpha"), "{alpha}");
}

#[test]
fn parts_that_are_not_known_here_are_skipped() {
    let mut data = postcard::to_stdvec(r#"{"schedulers":["easy"],"methods":["actual"]}"#).unwrap();
    data.extend(postcard::to_stdvec(&("log", 5_u64, (100_u32, 0_u32))).unwrap());
    data.extend(postcard::to_stdvec(&["of the future", "BSLD"].as_slice()).unwrap());
    data.extend(postcard::to_stdvec(&[(0_u32, 5_u64, 0.5, [Some(3.0), Some(4.0)].as_slice())].as_slice()).unwrap());
    data.push(0);
    data.extend(postcard::to_stdvec(&[(77_u8, [1_u8, 2, 3].as_slice())].as_slice()).unwrap());
    let got = link::decode(&link_of(&data)).unwrap();
    assert_eq!(got.runs[0].values, BTreeMap::from([(Metric::Bsld, 4.0)]));
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 256,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(2022),
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_text_is_answered(text in "\\PC*", prefix in prop::sample::select(vec!["", "v1.", "#v1.", "v2."])) {
        let _ = link::decode(&format!("{prefix}{text}"));
    }

    #[test]
    fn any_data_is_answered(data in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = link::decode(&link_of(&data));
    }

    #[test]
    fn a_changed_link_is_refused(at in any::<prop::sample::Index>(), with in "[A-Za-z0-9_-]") {
        let text = link::encode(&noise(3)).unwrap();
        let at = at.index(text.len() - 3) + 3;
        let changed = format!("{}{with}{}", &text[..at], &text[at + 1..]);
        // the last byte of packed data may have bits that say nothing
        let says_the_same = |got| format!("{got:?}") == format!("{:?}", link::decode(&text).unwrap());
        prop_assert!(link::decode(&changed).map_or(true, says_the_same));
    }

    /// Changed data with a right check sum: it is answered, whatever it says, and accepted values are finite.
    #[test]
    fn changed_data_is_answered(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let text = link::encode(&noise(2)).unwrap();
        let bytes = URL_SAFE_NO_PAD.decode(&text[3..]).unwrap();
        let mut data = Vec::new();
        std::io::Read::read_to_end(&mut flate2::read::DeflateDecoder::new(&bytes[4..]), &mut data).unwrap();
        for (at, with) in changes {
            let at = at.index(data.len());
            data[at] = with;
        }
        if let Ok(got) = link::decode(&link_of(&data)) {
            for run in &got.runs {
                prop_assert!(run.values.values().all(|value| value.is_finite()));
                prop_assert!(run.curves.cwa.x.iter().chain(&run.curves.cwa.y).all(|value| value.is_finite()));
            }
        }
    }
}

#[test]
fn repeats_are_lost_and_a_hundred_thousand_columns_are_those_that_there_are() {
    let mut sent = noise(1);
    let once = sent.study.clone();
    sent.study.columns = EIGHT.iter().copied().cycle().take(240_000).collect();
    sent.study.schedulers.extend(once.schedulers.clone());
    let got = link::decode(&link::encode(&sent).unwrap()).unwrap();
    assert_eq!(got.study, once);
}

#[test]
fn what_no_reader_takes_is_not_written() {
    let refused = |change: fn(&mut SharedStudy)| {
        let mut shared = noise(1);
        change(&mut shared);
        link::encode(&shared).unwrap_err().to_string()
    };
    assert!(refused(|shared| shared.study.columns.clear()).contains("no metric is chosen"));
    assert!(refused(|shared| shared.study.measure.norm = f64::NAN).contains("cannot be read"));
    assert_eq!(
        refused(|shared| shared.workload.jobs = 1 << 32),
        "the link speaks of 4294967296 jobs, more than Packfair takes (4294967295); it is not opened"
    );
    assert!(refused(|shared| shared.workload.machine.processors = u32::MAX).contains("4294967295 processors"));
    assert!(refused(|shared| shared.workload.name = "x".repeat(256)).contains("256 characters in its log's name"));
}

#[test]
fn what_a_name_would_have_the_page_do_is_not_passed_on() {
    let mut sent = noise(1);
    sent.workload.name = "a\u{202e}b\u{1b}".into();
    sent.study.source = Source::Trace { name: "\u{2066}log".into(), fingerprint: Fingerprint(7) };
    let got = link::decode(&link::encode(&sent).unwrap()).unwrap();
    assert_eq!(got.workload.name, "a\u{fffd}b\u{fffd}");
    assert_eq!(got.study.source.name(), "\u{fffd}log");
}

#[test]
fn thousands_of_runs_that_were_taken_out_are_counted_at_once() {
    let mut study = Study::first_visit();
    study.schedulers = (0..2_000).map(|i| format!("easy:threshold={}", i + 1).parse().unwrap()).collect();
    study.methods.truncate(1);
    let runs = study.runs();
    assert_eq!(runs.len(), 2_000);
    study.removed = runs[1..].to_vec();
    assert_eq!(study.runs(), runs[..1]);
    assert_eq!(study.check(), Ok(()));
}

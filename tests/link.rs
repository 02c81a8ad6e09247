//! Links carry a study and its numbers exactly, stay short, and fail with a sentence.
#![cfg(not(target_arch = "wasm32"))]

#[path = "shared/mod.rs"]
mod files;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use packfair::metric::{Curves, Envelope, Line, Metric};
use packfair::study::link::{self, BUDGET, LinkError, SharedStudy, SharedWorkload};
use packfair::study::recipe::Recipe;
use packfair::study::{Report, Run, RunReport, Source, Study, execute};
use packfair::workload::{Clock, Fingerprint, Header, Machine, MachineSource, Summary};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::collections::BTreeMap;

const EIGHT: [Metric; 8] = [
    Metric::Bsld,
    Metric::Af,
    Metric::Awf,
    Metric::P2sf,
    Metric::Loc,
    Metric::Utilisation,
    Metric::MaxWait,
    Metric::Makespan,
];

/// A number that looks like any other, the same every time.
fn number(seed: u64) -> f64 {
    let mixed = (seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 11) as f64 / (1_u64 << 30) as f64
}

fn line(seed: u64, points: u64) -> Line {
    let mut y: Vec<f64> = (0..points).map(|i| number(seed * 1_000 + i)).collect();
    y.sort_by(f64::total_cmp);
    Line { x: (0..points).map(|i| 1.02_f64.powi(i as i32)).collect(), y }
}

fn envelope(seed: u64, bins: u64) -> Envelope {
    let mean: Vec<f64> = (0..bins).map(|i| number(seed * 1_000 + i)).collect();
    Envelope {
        begin: -5.0,
        step: 3_600.0,
        low: mean.iter().map(|m| m * 0.5).collect(),
        high: mean.iter().map(|m| m * 1.5).collect(),
        mean,
    }
}

fn result(run: Run, seed: u64) -> RunReport {
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
        overfull: None,
        saturation: None,
        shrink: 1.0,
    }
}

/// A study of `runs` runs with noise for results.
fn noise(runs: usize) -> SharedStudy {
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
    SharedStudy { study, workload, runs: results, charted, engine: Some(packfair::study::Engine::THIS), repeated: None }
}

fn columns(report: &RunReport) -> Vec<Option<u64>> {
    EIGHT.iter().map(|metric| report.values.get(metric).map(|value| value.to_bits())).collect()
}

/// Everything but curves and further metrics came back, to the bit.
fn assert_carried(sent: &SharedStudy, got: &SharedStudy) {
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

/// How far a curve out of a link lies from the original at most, as a fraction of its height, at the
/// places that it has.
fn error_of(got: &Line, sent: &Line) -> f64 {
    let top = sent.y.last().copied().unwrap_or(1.0);
    let at = |x: f64| sent.y[sent.x.partition_point(|p| *p <= x).max(1) - 1];
    got.x.iter().zip(&got.y).map(|(&x, &y)| (y - at(x)).abs() / top).fold(0.0, f64::max)
}

#[test]
fn table_2_on_a_real_log_fits_with_its_curves() {
    let Some(folder) = files::folder() else { return };
    let workload = files::trace(&folder, "KTH-SP2");
    let mut study = Study::on(Source::Trace { name: "KTH-SP2.swf.gz".into(), fingerprint: Fingerprint(1 << 127) });
    "metrics-table-2".parse::<&Recipe>().unwrap().apply(&mut study);
    study.columns = EIGHT.to_vec();
    let runs: Vec<RunReport> = study
        .runs()
        .iter()
        .map(|run| execute(run, &workload, study.rules(), &study.measure).unwrap().report)
        .map(|report| RunReport { wall_s: number(report.jobs as u64) / 1e9, ..report })
        .collect();
    let charted: Vec<Run> = [0, 2, 8, 16].map(|i: usize| runs[i].run.clone()).to_vec();
    let report = Report { study, summary: Summary::of(&workload), runs };
    let sent = SharedStudy::of(&report, charted.clone());

    let text = link::encode(&sent).unwrap();
    println!("{} characters", text.len());
    assert!(text.len() < 7_600, "{} characters", text.len());
    let got = link::decode(&text).unwrap();
    assert_carried(&sent, &got);
    for (got, sent) in [
        (&got.workload.jobs_by_area, &sent.workload.jobs_by_area),
        (&got.workload.area_by_area, &sent.workload.area_by_area),
    ] {
        assert!(got.x.len() >= 100, "{} points", got.x.len());
        assert!(error_of(got, sent) < 0.002);
    }
    for run in &charted {
        let of = |shared: &SharedStudy| shared.runs.iter().find(|r| r.run == *run).unwrap().curves.clone();
        let (got, sent) = (of(&got), of(&sent));
        assert!(got.cwa.x.len() >= 100, "{} points", got.cwa.x.len());
        assert!(error_of(&got.cwa, &sent.cwa) < 0.002);
        assert_eq!((got.cwa.x.last(), got.cwa.y.last()), (sent.cwa.x.last(), sent.cwa.y.last()));
        assert!(!got.queue_jobs.high.is_empty(), "there is room for the queues");
    }
}

#[test]
fn twenty_rows_of_noise_fit_too() {
    let sent = noise(20);
    let text = link::encode(&sent).unwrap();
    assert!(text.len() <= BUDGET, "{} characters", text.len());
    let got = link::decode(&text).unwrap();
    assert_carried(&sent, &got);
    let with_cwa: Vec<&Run> = got.runs.iter().filter(|r| !r.curves.cwa.x.is_empty()).map(|r| &r.run).collect();
    assert!(sent.charted.iter().all(|run| with_cwa.contains(&run)), "those charted come first");
    assert!(text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b)), "no character needs escaping");
}

#[test]
fn dates_and_zone_are_carried_and_what_no_log_has_is_refused() {
    let labels = [("UnixStartTime", "843471188"), ("TimeZoneString", "Europe/Stockholm")];
    let labels = labels.map(|(label, value)| (label.to_owned(), value.to_owned())).to_vec();
    let clock = Clock::of(&Header { labels }, 0, 30_000_000);
    let mut sent = noise(20);
    sent.workload.clock = Some(clock.clone());
    let text = link::encode(&sent).unwrap();
    assert!(text.len() <= BUDGET, "{} characters", text.len());
    assert_eq!(link::decode(&text).unwrap().workload.clock, Some(clock.clone()));
    let mut wrong = clock;
    wrong.unix_start = Some(i64::MAX);
    sent.workload.clock = Some(wrong);
    assert_eq!(link::encode(&sent), Err(LinkError::Damaged));
}

#[test]
fn who_is_charted_is_told_by_the_link() {
    let got = link::decode(&link::encode(&noise(33)).unwrap()).unwrap();
    let charted: Vec<&Run> = got.runs.iter().filter(|run| run.has_curves()).map(|run| &run.run).collect();
    assert!(charted.len() < 33 && got.charted.iter().all(|run| charted.contains(&run)), "{charted:?}");
}

#[test]
fn small_studies_carry_all_curves_and_metrics() {
    let sent = noise(1);
    let got = link::decode(&link::encode(&sent).unwrap()).unwrap();
    assert_eq!(got.runs[0].values, sent.runs[0].values);
    let curves = &got.runs[0].curves;
    assert!(error_of(&curves.waits, &sent.runs[0].curves.waits) < 0.002);
    assert!(error_of(&curves.slowdowns, &sent.runs[0].curves.slowdowns) < 0.002);
    let (got, sent) = (&curves.utilisation, &sent.runs[0].curves.utilisation);
    assert_eq!(
        (got.begin, got.high.iter().copied().fold(0.0, f64::max)),
        (-5.0, sent.high.iter().copied().fold(0.0, f64::max))
    );
}

#[test]
fn any_number_of_rows_is_carried() {
    for runs in [2, 150, 2_000] {
        let sent = noise(runs);
        let text = link::encode(&sent).unwrap();
        assert_carried(&sent, &link::decode(&text).unwrap());
    }
}

#[test]
fn results_that_are_missing_or_not_finite_are_left_out() {
    let mut sent = noise(5);
    sent.runs.remove(2);
    sent.runs[0].values.remove(&Metric::Loc);
    sent.runs[1].values.insert(Metric::Bsld, f64::NAN);
    sent.runs[1].curves.cwa.y[3] = f64::INFINITY;
    sent.runs[2].run.estimate.k = 9.0; // not the study's
    let got = link::decode(&link::encode(&sent).unwrap()).unwrap();
    assert_eq!(got.runs.len(), 3);
    assert_eq!(got.runs[0].values.get(&Metric::Loc), None);
    assert_eq!(got.runs[1].values.get(&Metric::Bsld), None);
    assert_eq!(got.runs[2].run, sent.runs[3].run);
}

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

/// A link of these bytes as data.
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
        ("again=0", "it takes a whole number from 1"),
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
fn policies_over_time_are_carried() {
    use packfair::chart::kinds::{Charted, queue_jobs};
    use packfair::chart::{AxisClock as ChartClock, Data, Ink};
    let study = Study { schedulers: vec!["dynp".parse().unwrap(), "easy".parse().unwrap()], ..Study::first_visit() };
    let log = packfair::study::Generated::Lublin { jobs: 600, processors: 64, seed: 5 }.generate();
    let workload = study.treatment.apply(&log).unwrap();
    let runs = study.runs();
    let runs = runs.iter().map(|run| execute(run, &workload, study.rules(), &study.measure).unwrap().report).collect();
    let report = Report { study: study.clone(), summary: Summary::of(&workload), runs };
    let sent = SharedStudy::of(&report, study.runs());
    let got = link::decode(&link::encode(&sent).unwrap()).unwrap();
    let with_policies =
        |shared: &SharedStudy| shared.runs.iter().filter(|run| !run.curves.policies.x.is_empty()).count();
    assert!(with_policies(&sent) >= 1);
    assert_eq!(with_policies(&got), with_policies(&sent));
    let charted = |shared: &SharedStudy| {
        let runs: Vec<Charted<'_>> = shared.runs.iter().map(|report| Charted { report, ink: Ink::Series(0) }).collect();
        let bands = queue_jobs(&runs, &ChartClock::ELAPSED).series.into_iter().filter_map(|series| match series.data {
            Data::Band { stretches, .. } => Some((series.name, stretches)),
            _ => None,
        });
        // how long each policy ruled
        let long = bands.map(|(name, stretches)| (name, stretches.iter().map(|s| s.x.1 - s.x.0).sum::<f64>()));
        long.collect::<BTreeMap<String, f64>>()
    };
    let (sent, got) = (charted(&sent), charted(&got));
    let whole: f64 = sent.values().sum();
    for (name, long) in &got {
        assert!((long - sent[name]).abs() < 0.1 * whole, "{name}: {long} {}", sent[name]);
    }
    assert!((got.values().sum::<f64>() - whole).abs() < 0.02 * whole, "without gaps");
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
        prop_assert!(changed == text || link::decode(&changed).is_err());
    }

    /// Past the checksum: whatever the data says, it is answered, and what is accepted is finite.
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
fn curves_beyond_all_bounds_are_left_out() {
    let mut sent = noise(1);
    let highest = vec![f64::MAX / 1.5; 1_000];
    sent.runs[0].curves.queue_jobs =
        Envelope { begin: 0.0, step: f64::MAX / 2.0, low: highest.clone(), high: highest.clone(), mean: highest };
    sent.runs[0].curves.waits = Line { x: vec![1.0, 2.0], y: vec![-f64::MAX, f64::MAX] };
    let got = link::decode(&link::encode(&sent).unwrap()).unwrap();
    assert_carried(&sent, &got);
    assert_eq!(got.runs[0].curves.queue_jobs, Envelope::default());
}

#[test]
fn a_link_says_which_engine_computed_it_and_old_ones_do_not() {
    let mut sent = noise(1);
    assert_eq!(link::decode(&link::encode(&sent).unwrap()).unwrap().engine, Some(packfair::study::Engine::THIS));
    sent.engine = Some(packfair::study::Engine(5));
    assert_eq!(link::decode(&link::encode(&sent).unwrap()).unwrap().engine, sent.engine);
    sent.engine = None;
    assert_eq!(link::decode(&link::encode(&sent).unwrap()).unwrap().engine, None);
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

#[test]
fn a_sweep_of_loads_and_queues_that_grow_are_carried() {
    let mut sent = noise(2);
    sent.study.set_shrinks(&[1.0, 0.9, 0.8]);
    let baseline = sent.study.runs()[4].clone();
    sent.study.baseline = packfair::study::Baseline::Run(baseline);
    let loads = sent.study.runs().into_iter().zip(0..);
    sent.runs = loads.map(|(run, seed)| RunReport { shrink: run.shrink.unwrap_or(1.0), ..result(run, seed) }).collect();
    assert_eq!(sent.runs.iter().map(|run| run.shrink).collect::<Vec<_>>(), [1.0, 0.9, 0.8, 1.0, 0.9, 0.8]);
    sent.runs[2].saturation = Some(packfair::metric::Saturation { left_s: 86_400.0, share: 0.25 });
    let got = link::decode(&link::encode(&sent).unwrap()).unwrap();
    assert_carried(&sent, &got);
    for (got, sent) in got.runs.iter().zip(&sent.runs) {
        assert_eq!((got.shrink, got.saturation), (sent.shrink, sent.saturation));
    }
}

#[test]
fn a_study_from_before_there_were_sweeps_of_loads_is_read() {
    let mut study = Study::first_visit();
    study.treatment.shrink = 0.8;
    study.removed = vec![study.runs()[1].clone()];
    let mut old = serde_json::to_value(&study).unwrap();
    assert!(old.get("shrinks").is_none(), "one factor is written as before");
    old["removed"][0].as_object_mut().unwrap().remove("shrink");
    let read: Study = serde_json::from_value(old).unwrap();
    assert_eq!(read, study);
    assert_eq!((read.all_shrinks(), read.runs().len()), (vec![0.8], 7));
}

/// A link holds no job: those that were made like a log's are made again from the log, and are the same.
#[test]
fn jobs_made_like_a_log_are_made_again_from_the_log_and_from_nothing_else() {
    use packfair::study::Generated;
    use packfair::workload::like::{Arrivals, Likeness};
    let log = Generated::Lublin { jobs: 400, processors: 64, seed: 3 }.generate();
    let mut study = Study::on(Source::Trace { name: "mine.swf".into(), fingerprint: log.fingerprint });
    let arrivals = Arrivals { alpha: Some(0.5), ..Arrivals::default() };
    study.treatment.like = Some(Likeness { jobs: 500, seed: 9, arrivals });
    study.set_shrinks(&[1.0, 0.7]);
    study.schedulers = vec!["dynp".parse().unwrap()];
    study.columns = EIGHT.to_vec();
    let run_all = |study: &Study, log| {
        let workloads = packfair::study::Workloads::of(study, log).unwrap();
        let report = |run: &Run| execute(run, workloads.of_run(run), study.rules(), &study.measure).unwrap().report;
        let runs: Vec<RunReport> = study.runs().iter().map(report).collect();
        Report { study: study.clone(), summary: Summary::of(workloads.first()), runs }
    };
    let sent = SharedStudy::of(&run_all(&study, &log), Vec::new());
    let got = link::decode(&link::encode(&sent).unwrap()).unwrap();
    assert_carried(&sent, &got);
    assert_eq!(got.workload.jobs, 500);
    let again = run_all(&got.study, &log);
    for (again, carried) in again.runs.iter().zip(&got.runs) {
        assert_eq!(again.run, carried.run);
        // a link carries further metrics where there is room
        for (metric, value) in &carried.values {
            assert_eq!(again.values.get(metric).map(|value| value.to_bits()), Some(value.to_bits()), "{metric}");
        }
    }
    let other = Generated::Lublin { jobs: 400, processors: 64, seed: 4 }.generate();
    assert_ne!(columns(&run_all(&got.study, &other).runs[0]), columns(&got.runs[0]), "another log makes other jobs");
}

#[test]
fn intervals_of_repeats_travel_to_the_last_bit() {
    use packfair::study::sureness::{Repeated, Repeats};
    let mut sent = noise(3);
    sent.study.repeats = Some(Repeats::of(50));
    sent.study.baseline = packfair::study::Baseline::Run(sent.runs[0].run.clone());
    let runs: Vec<_> = sent.runs.iter().map(|report| report.run.clone()).collect();
    let mut repeated = Repeated::new(Repeats::of(50), EIGHT[..2].to_vec(), &runs);
    for repeat in 0..50 {
        for (run, of) in runs.iter().zip(1..) {
            let value = |metric: u32| Some(1.0 / f64::from(of * 100 + metric * 10 + repeat % (5 + of)));
            repeated.set(run, repeat, vec![value(1), if of == 3 { None } else { value(2) }]);
        }
    }
    sent.repeated = Some(repeated.clone());
    let link = link::encode(&sent).unwrap();
    let got = link::decode(&link).unwrap().repeated.expect("they travel");
    assert_eq!((got.repeats, &got.metrics, got.complete()), (repeated.repeats, &repeated.metrics, 50));
    for run in &runs {
        for metric in &EIGHT[..2] {
            assert_eq!(got.interval(run, *metric), repeated.interval(run, *metric));
            assert_eq!(got.change(run, &runs[0], *metric), repeated.change(run, &runs[0], *metric));
            assert_eq!(got.change(&runs[0], run, *metric).is_some(), run == &runs[0], "only to the study's baseline");
        }
    }
    let again = link::encode(&link::decode(&link).unwrap()).unwrap();
    assert_eq!(link::decode(&again).unwrap().repeated, Some(got), "a link can be passed on");
    // those of other repeats than the study's are not its own
    sent.study.repeats = Some(Repeats::of(51));
    assert_eq!(link::decode(&link::encode(&sent).unwrap()).unwrap().repeated, None);
}

//! What a link carries arrives to the last bit.

use super::noise::{EIGHT, assert_carried, columns, noise, result};
use packfair::metric::{Envelope, Line, Metric};
use packfair::study::link::{self, BUDGET, LinkError, SharedStudy};
use packfair::study::{Report, Run, RunReport, Source, Study, execute};
use packfair::workload::{Clock, Header, Summary};
use std::collections::BTreeMap;

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
        // how long each policy was in force
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
fn the_machine_what_is_otherwise_on_it_and_what_became_of_it_are_carried() {
    use packfair::metric::{MachinePart, MachineUse, ResourceUse, WindowUse};
    let mut sent = noise(2);
    let machine = r#"{"cells": [{"name": "gpu", "nodes": 4, "node": {"processors": 8, "gpus": 2}}],
        "partitions": [{"name": "batch", "cells": ["gpu"]}],
        "changes": [{"from": "2026-02-03 08:00", "until": 900, "nodes": -2, "every": 7}]}"#;
    sent.study.treatment.machine = Some(Box::new(serde_json::from_str(machine).unwrap()));
    sent.study.what_ifs = vec!["nodes=+20 cell=gpu from=2026-02-03".parse().unwrap()];
    sent.runs = sent.study.runs().into_iter().zip(0..).map(|(run, seed)| result(run, seed)).collect();
    let share =
        ResourceUse { part: MachinePart::Cell("gpu".into()), resource: "gpus".into(), utilisation: 0.5, loss: 0.1 };
    let window =
        WindowUse { cell: "gpu".into(), from: 5, until: None, nodes: 2, before: 100, idle: 1.5, killed: 3, lost: 7.0 };
    sent.runs[1].machine_use =
        Some(Box::new(MachineUse { shares: vec![share], windows: vec![window], stuck: Vec::new() }));
    let got = link::decode(&link::encode(&sent).unwrap()).unwrap();
    assert_eq!((&got.study.treatment, &got.study.what_ifs), (&sent.study.treatment, &sent.study.what_ifs));
    assert_eq!(got.runs.iter().map(|run| run.run.clone()).collect::<Vec<_>>(), sent.study.runs());
    assert_eq!(got.runs[1].machine_use, sent.runs[1].machine_use);
    sent.runs[1].machine_use.as_mut().unwrap().shares[0].loss = f64::NAN;
    assert_eq!(link::encode(&sent), Err(LinkError::Damaged));
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
    assert_eq!((read.all_shrinks(), read.runs().len()), (vec![0.8], 3));
}

/// A link carries no jobs: jobs generated like a log's are generated again from the log, and are the same.
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
    use packfair::study::sureness::{NoInterval, Repeated, Repeats};
    let mut sent = noise(3);
    sent.study.repeats = Some(Repeats::of(50));
    sent.study.baseline = packfair::study::Baseline::Run(sent.runs[0].run.clone());
    let runs: Vec<_> = sent.runs.iter().map(|report| report.run.clone()).collect();
    let mut repeated = Repeated::new(Repeats::of(50), EIGHT[..2].to_vec(), &runs);
    let value = |of: u32, metric: u32, more: u32| 1.0 / f64::from(of * 100 + metric * 10 + more % (5 + of));
    for repeat in 0..50 {
        for (run, of) in runs.iter().zip(1..) {
            repeated.set(run, repeat, vec![Some(value(of, 1, repeat)), (of != 3).then(|| value(of, 2, repeat))]);
        }
    }
    for (report, of) in sent.runs.iter_mut().zip(1..) {
        let values = [value(of, 1, 2), if of == 2 { 9.0 } else { value(of, 2, 2) }];
        report.values.extend(EIGHT.into_iter().zip(values));
    }
    sent.repeated = Some(repeated.clone());
    let link = link::encode(&sent).unwrap();
    let got = link::decode(&link).unwrap().repeated.expect("they travel");
    assert_eq!((got.repeats, &got.metrics, got.complete()), (repeated.repeats, &repeated.metrics, 50));
    let mut reasons = Vec::new();
    for report in &sent.runs {
        let run = &report.run;
        for metric in &EIGHT[..2] {
            let (own, first) = (report.values[metric], sent.runs[0].values[metric]);
            let change = (own - first) / first;
            assert_eq!(got.interval(run, *metric, own), repeated.interval(run, *metric, own));
            assert_eq!(got.change(run, &runs[0], *metric, change), repeated.change(run, &runs[0], *metric, change));
            let other_way = got.change(&runs[0], run, *metric, 0.0);
            assert_eq!(other_way.is_ok(), run == &runs[0], "only to the study's baseline");
            reasons.extend(got.interval(run, *metric, own).err());
        }
    }
    assert_eq!(reasons, [NoInterval::Misfit, NoInterval::Undefined], "so do the reasons why there is none");
    let again = link::encode(&link::decode(&link).unwrap()).unwrap();
    assert_eq!(link::decode(&again).unwrap().repeated, Some(got), "a link can be passed on");
    // results of other repeats than the study's are not accepted
    sent.study.repeats = Some(Repeats::of(51));
    assert_eq!(link::decode(&link::encode(&sent).unwrap()).unwrap().repeated, None);
}

#[test]
fn beside_the_log_s_own_schedule_it_is_carried_how_far_the_others_are_from_it() {
    let mut sent = noise(60);
    sent.study.schedulers.push("as-logged".parse().unwrap());
    sent.runs = sent.study.runs().into_iter().zip(0..).map(|(run, seed)| result(run, seed)).collect();
    let text = link::encode(&sent).unwrap();
    assert!(text.len() > BUDGET, "there is no room for more than the table: {} characters", text.len());
    let got = link::decode(&text).unwrap();
    assert_carried(&sent, &got);
    for (got, sent) in got.runs.iter().zip(&sent.runs) {
        for metric in Metric::BESIDE_LOG {
            assert_eq!(got.values.get(&metric), sent.values.get(&metric), "{metric} of {:?}", sent.run);
        }
    }
}

#[test]
fn what_the_sender_saw_is_carried_and_what_is_beyond_limits_is_refused() {
    use packfair::papers::recipe::Recipe;
    use packfair::study::link::{LogEssentials, SenderView};
    use packfair::study::verdict::Concern;
    let log = LogEssentials { lines: 28_489, span: 29_363_625, users: 214, has_executables: false, load: Some(0.692) };
    let told = SenderView {
        recipe: Some(Recipe::of_id("metrics-table-2").unwrap().entry.id.to_owned()),
        concern: Concern::Of(Metric::Loc),
        verdict: Some("For LOC, nothing here is better than EASY (requested).".to_owned()),
        partition: Some(3),
        taken_for: Some("KTH-SP2".to_owned()),
        log: Some(log),
        account: Some("28,489 records: 28,481 jobs, 8 never started".to_owned()),
    };
    let sent = noise(20).with_sender_view(told.clone());
    let text = link::encode(&sent).unwrap();
    assert!(text.len() <= BUDGET, "{} characters", text.len());
    let got = link::decode(&text).unwrap();
    assert_carried(&sent, &got);
    assert_eq!(got.sender_view, Some(told.clone()));
    let about = got.about_its_log().replace(['\u{a0}', '\u{202f}'], " ");
    assert_eq!(about, "28,481 jobs on 100 processors in 340 d, load 69 %.");
    // characters that a terminal or a page would obey are replaced, and a long text is cut
    let long = SenderView { verdict: Some("a\u{202e}b".repeat(1_000)), ..told.clone() };
    let got = link::decode(&link::encode(&noise(1).with_sender_view(long)).unwrap())
        .unwrap()
        .sender_view
        .unwrap()
        .verdict
        .unwrap();
    assert!(got.starts_with("a\u{fffd}b") && got.chars().count() == 1_000, "{got}");
    for log in [
        LogEssentials { lines: u64::MAX, ..log },
        LogEssentials { span: -1, ..log },
        LogEssentials { load: Some(f64::NAN), ..log },
    ] {
        let wrong = SenderView { log: Some(log), ..told.clone() };
        assert_eq!(link::encode(&noise(1).with_sender_view(wrong)), Err(LinkError::Damaged), "{log:?}");
    }
}

#[test]
fn a_short_link_has_all_values_and_says_of_them_what_the_long_one_says() {
    use packfair::study::verdict::{Concern, Fit, Judged, judge};
    use packfair::study::{Baseline, Generated};
    let mut study = Study::on(Source::Generated(Generated::Lublin { jobs: 900, processors: 64, seed: 5 }));
    study.schedulers = ["easy", "easy-sjbf", "saf-justbf"].map(|id| id.parse().unwrap()).to_vec();
    study.methods.truncate(1);
    study.columns = EIGHT.to_vec();
    study.baseline = Baseline::Scheduler("easy".parse().unwrap());
    let Source::Generated(generated) = &study.source else { panic!("it is generated") };
    let mut log = generated.generate();
    for crowded in [true, false] {
        if !crowded {
            // hardly any job waits
            log.records.iter_mut().for_each(|record| (record.allocated, record.requested) = (1, 1));
        } else {
            // a load under which jobs wait, in a log that tells when they started
            for (n, record) in (0..).zip(&mut log.records) {
                (record.submit, record.wait) = (record.submit / 2, n * 37 % 5_000);
            }
        }
        let workload = study.treatment.apply(&log).unwrap();
        let report = |run: &Run| execute(run, &workload, study.rules(), &study.measure).unwrap().report;
        let runs = study.runs().iter().map(report).collect();
        let sent = SharedStudy::of(&Report { study: study.clone(), summary: Summary::of(&workload), runs }, Vec::new());
        let long = link::encode(&sent).unwrap();
        let short = link::encode_values(&sent).unwrap();
        assert!(short.len() * 2 < long.len(), "{} and {} characters", short.len(), long.len());
        let got = link::decode(&short).unwrap();
        assert_carried(&sent, &got);
        assert!(got.runs.iter().all(|run| !run.has_curves()));
        let nearest = |shared: &SharedStudy| Fit::of(&shared.runs).map(|fit| (fit.report.run.clone(), fit.closeness));
        assert!(nearest(&sent).is_some());
        assert_eq!(nearest(&got), nearest(&sent), "how far it is to be believed");
        let said = |shared: &SharedStudy| {
            let table = Judged {
                reports: shared.runs.iter().collect(),
                missing: Vec::new(),
                columns: &study.columns,
                baseline: &study.baseline,
                repeated: None,
                load: None,
                has_site: false,
            };
            Concern::NAMED.map(|concern| judge(&table, concern).unwrap().text)
        };
        assert_eq!(said(&got), said(&sent));
        assert_eq!(said(&link::decode(&long).unwrap()), said(&sent), "how many wait is exact there too");
        assert_eq!(said(&sent)[0].contains("Too few to tell"), !crowded, "{:?}", said(&sent));
    }
}

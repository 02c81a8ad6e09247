//! A link stays short: charts are reduced to the room that there is.

use super::noise::{EIGHT, assert_carried, error_of, noise, number};
use crate::shared as files;
use packfair::papers::recipe::Recipe;
use packfair::study::link::{self, BUDGET, SharedStudy};
use packfair::study::{Report, Run, RunReport, Source, Study, execute};
use packfair::workload::{Fingerprint, Summary};

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
fn who_is_charted_is_told_by_the_link() {
    let got = link::decode(&link::encode(&noise(33)).unwrap()).unwrap();
    let charted: Vec<&Run> = got.runs.iter().filter(|run| run.has_curves()).map(|run| &run.run).collect();
    assert!(charted.len() < 33 && got.charted.iter().all(|run| charted.contains(&run)), "{charted:?}");
}

#[test]
fn small_studies_carry_all_curves_and_metrics() {
    let mut sent = noise(1);
    let drawn = sent.runs[0].curves.utilisation.clone();
    sent.runs[0].curves.power = drawn.clone();
    let got = link::decode(&link::encode(&sent).unwrap()).unwrap();
    assert_eq!(got.runs[0].values, sent.runs[0].values);
    let curves = &got.runs[0].curves;
    assert_eq!((curves.power.begin, curves.power.is_empty()), (drawn.begin, false));
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

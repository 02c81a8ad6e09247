//! What a site's own limits and partitions cost is among the changes that are tried, and is found, on cases that a real
//! Slurm ran.

use packfair::metric::Measure;
use packfair::scheduler::Policy;
use packfair::slurm::{SiteFile, Version, read_site};
use packfair::study::query::{Query, answer};
use packfair::study::what_if::{
    CARD_METRICS, ChangeCard, QUESTIONS, RunDraw, Standing, WorkloadSpan, finding, ranked, without_one_limit,
};
use packfair::study::{Rules, Run, Treatment};
use packfair::workload::{Workload, reading};
use std::path::Path;
use std::sync::Arc;

/// The cards of a recorded case over five draws, with the draws of Slurm as configured.
fn cards_of(case: &str) -> (Vec<ChangeCard>, Vec<RunDraw>) {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/real_slurm")).join(case);
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap_or_else(|why| panic!("{name}: {why}"));
    let files = ["slurm.conf", "assoc.txt", "qos.txt"].map(|name| (name, read(name)));
    let files: Vec<SiteFile<'_>> = files.iter().map(|(name, content)| SiteFile { name, content }).collect();
    let site = read_site(&files, Version::default());
    let mut log = reading::read("sacct.txt", read("sacct.txt").as_slice()).unwrap();
    let treatment = Treatment { site: site.files.clone(), ..Treatment::default() };
    log.site = Some(Arc::new(site));
    let workload = treatment.apply(&log).unwrap();
    let site = &workload.site().unwrap().site;
    let base: Policy = "slurm".parse().unwrap();
    let limits = without_one_limit(&base, site, 8);
    let asked = QUESTIONS.iter().filter_map(|question| question.to_policy(&base, site, WorkloadSpan::of(&workload)));
    let run = |policy| Run::new(policy, "requested".parse().unwrap());
    let mut cards: Vec<ChangeCard> =
        limits.into_iter().chain(asked).filter_map(|policy| ChangeCard::of(run(policy), site)).collect();
    cards.iter_mut().for_each(|card| card.take(drawn(&card.run, &workload)));
    (cards, drawn(&run(base.clone()), &workload).into_iter().flatten().collect())
}

fn drawn(run: &Run, workload: &Workload) -> Vec<Result<RunDraw, String>> {
    let (rules, measure) = (Rules::default(), Measure::default());
    let query = Query::Drawn { run: run.clone(), draws: (0, 5), rules, measure, metrics: CARD_METRICS.to_vec() };
    answer(&query, workload, None, &|_| None).unwrap().decoded().unwrap()
}

fn told(cards: &[ChangeCard], base: &[RunDraw]) -> String {
    let line = |place: usize| {
        let card = &cards[place];
        let effect = card.effect(base).map(|effect| format!("{:+.2} {}", effect.change, effect.certainty()));
        format!("{} | {:?} | {}", card.label, card.standing(base), effect.unwrap_or_default())
    };
    ranked(cards, base).into_iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_a_site_s_own_rules_cost_is_found() {
    let (cards, base) = cards_of("overlap");
    let lines = told(&cards, &base);
    let best = &cards[ranked(&cards, &base)[0]];
    assert!(best.label.contains("may use all 16 nodes"), "{lines}");
    assert_eq!(best.standing(&base), Standing::Shorter, "{lines}");
    assert!(best.effect(&base).unwrap().change < -0.1, "{lines}");
    assert!(finding(&cards, &base).unwrap().contains("shorter"), "{lines}");
    // limits, partitions, both, and each limit by itself are asked on either
    for (case, asked) in [
        ("overlap", vec!["Without all limits", "Every partition may use", "Without GrpTRES of QOS far"]),
        (
            "qos",
            vec!["Without all limits", "Without MaxTRESPU of QOS normal (cpu=8)", "Without MaxJobsPU of QOS high (2)"],
        ),
    ] {
        let (cards, base) = cards_of(case);
        let lines = told(&cards, &base);
        for words in asked {
            let found = cards.iter().find(|card| card.label.starts_with(words));
            let found = found.unwrap_or_else(|| panic!("{words}\n{lines}"));
            assert!(found.effect(&base).unwrap().interval.is_some(), "{words}\n{lines}");
        }
    }
}

#[test]
fn every_label_is_said_once_and_every_card_is_computed() {
    for case in ["overlap", "qos", "gpu", "shared"] {
        let (cards, base) = cards_of(case);
        let mut labels: Vec<&str> = cards.iter().map(|card| card.label.as_str()).collect();
        labels.sort_unstable();
        let count = labels.len();
        labels.dedup();
        assert_eq!(labels.len(), count, "{case}: {labels:?}");
        let faults: Vec<_> = cards.iter().filter_map(|card| card.fault.as_deref()).collect();
        assert!(faults.is_empty() && base.len() == 5, "{case}: {faults:?}");
    }
}

#[test]
fn slurm_runs_with_more_nodes_in_a_partition() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/real_slurm/overlap"));
    let conf = std::fs::read(folder.join("slurm.conf")).unwrap();
    let site = read_site(&[SiteFile { name: "slurm.conf", content: &conf }], Version::default());
    let mut log = reading::read("sacct.txt", std::fs::read(folder.join("sacct.txt")).unwrap().as_slice()).unwrap();
    let own = Treatment { site: site.files.clone(), ..Treatment::default() };
    log.site = Some(Arc::new(site));
    let run = Run::new("slurm".parse().unwrap(), "requested".parse().unwrap());
    let wait = |what_if: Option<&str>| -> Result<f64, String> {
        let run = run.clone().what_if(what_if.map(|text| text.parse().unwrap()));
        let workload = run.treatment(&own).apply(&log).map_err(|why| why.to_string())?;
        let draw = drawn(&run, &workload).remove(0)?;
        draw.values[0].ok_or_else(|| "no mean wait".to_owned())
    };
    let now = wait(None).unwrap();
    assert!(wait(Some("+20 cell=wide")).unwrap() < 0.8 * now, "20 nodes are 20 nodes");
    assert!(wait(Some("nodes=-2 cell=wide")).unwrap() > now);
    let message = wait(Some("+20")).unwrap_err();
    assert!(message.contains("does not say in which partition; add cell=, one of wide, far"), "{message}");
    let message = wait(Some("memory=64000")).unwrap_err();
    assert!(message.contains("add nodes to a partition"), "{message}");
}

//! Tables drawn at random, with each sentence checked against their numbers by a reader that knows nothing of the rules.

use super::*;
use packfair_engine::metric::{Curves, Line};
use crate::format::SPACE;

const COLUMNS: [(Metric, &str); 3] =
    [(Metric::Bsld, "slowdown"), (Metric::Af, "response time"), (Metric::P2sf, "P²SF")];

/// Less is better in all columns; a difference counts from 1 % of the larger value, and a hair more for rounding.
fn is_less(one: f64, other: f64) -> bool {
    one < other && other - one >= 0.0101 * other.max(one)
}

/// A generator of numbers, the same on every machine.
struct Draws(u64);

impl Draws {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

fn drawn(draws: &mut Draws) -> (Vec<RunReport>, Baseline) {
    let ids = ["justbf", "easy", "saf-justbf", "laf-justbf", "fcfs"];
    let rows = 2 + draws.below(4) as usize;
    let mut reports: Vec<RunReport> = Vec::new();
    for place in 0..rows + draws.below(3) as usize {
        let method = if place < rows { "requested" } else { "actual" };
        let values =
            COLUMNS.map(|(metric, _)| (metric, 50.0 + draws.below(30) as f64 * [0.1, 5.0][draws.below(2) as usize]));
        let lacks = draws.below(12) as usize;
        reports.push(RunReport {
            run: Run::new(ids[place % ids.len()].parse().unwrap(), method.parse().unwrap()),
            shrink: 1.0,
            jobs: 1_000,
            values: values
                .into_iter()
                .enumerate()
                .filter(|(column, _)| *column != lacks)
                .map(|(_, value)| value)
                .collect(),
            curves: Curves { waits: Line { x: vec![0.0, 50.0], y: vec![0.5, 1.0] }, ..Curves::default() },
            wall_s: 0.0,
            machine: None,
            machine_use: None,
            is_plain: false,
            overfull: None,
            saturation: None,
        });
    }
    let baseline = match draws.below(3) {
        0 => Baseline::None,
        1 => Baseline::Run(reports[0].run.clone()),
        _ => Baseline::Scheduler("justbf".parse().unwrap()),
    };
    (reports, baseline)
}

/// The rows that a sentence that speaks of "here" speaks of: all, or only those that could be chosen.
fn spoken_of<'a>(text: &str, reports: &'a [RunReport]) -> Vec<&'a RunReport> {
    let could = |report: &&RunReport| !text.contains("could be chosen") || report.run.id().contains("requested");
    reports.iter().filter(could).collect()
}

fn named<'a>(name: &str, reports: &'a [RunReport]) -> &'a RunReport {
    let is_it = |report: &&RunReport| {
        let estimate = if report.run.id().contains("requested") { "requested" } else { "actual" };
        name.starts_with(&format!("{} ({estimate})", report.run.scheduler.name()))
    };
    reports.iter().find(is_it).unwrap_or_else(|| panic!("no row is called {name}"))
}

/// Checks what a sentence claims; whether it claims anything that this reader knows.
fn read(text: &str, reports: &[RunReport], baseline: &Baseline) -> bool {
    let value = |report: &RunReport, metric| report.values.get(&metric).copied();
    if let Some((what, name)) = text.strip_prefix("For ").and_then(|text| text.split_once(", nothing ")) {
        let (_, name) = name.split_once("better than ").unwrap();
        let best = named(name, reports);
        let (metric, _) = COLUMNS.into_iter().find(|(_, words)| what.contains(words)).unwrap();
        for other in spoken_of(text, reports) {
            if let (Some(own), Some(best)) = (value(other, metric), value(best, metric)) {
                assert!(!is_less(own, best), "{text} But {} has {own}, not {best}", other.run.id());
            }
        }
        return true;
    }
    if let Some((name, _)) = text.split_once(" is better in everything than ") {
        let best = named(name, reports);
        assert!(COLUMNS.iter().all(|(metric, _)| value(best, *metric).is_some()), "{text}");
        return true;
    }
    if text.starts_with("No run ") && text.contains("better without a price") {
        for own in spoken_of(text, reports) {
            let Some(basis) = baseline.of(&own.run).and_then(|run| reports.iter().find(|other| other.run == run))
            else {
                continue;
            };
            let pairs = COLUMNS.iter().filter_map(|(metric, _)| Some((value(own, *metric)?, value(basis, *metric)?)));
            let pairs: Vec<(f64, f64)> = pairs.collect();
            let is_free = pairs.iter().any(|&(a, b)| a <= 0.9899 * b) && !pairs.iter().any(|&(a, b)| a >= 1.0099 * b);
            assert!(!is_free, "{text} But {} is, against {}", own.run.id(), basis.run.id());
        }
        return true;
    }
    if text.starts_with("No scheduler differs by 1 %") {
        let is_scoped = text.contains("among those");
        let rows = || reports.iter().filter(move |report| !is_scoped || report.run.id().contains("requested"));
        for (metric, _) in COLUMNS {
            let values = || rows().filter_map(|report| value(report, metric));
            let (least, most) = (values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max));
            assert!(!is_less(least, most), "{text} But {least} and {most}");
        }
        return true;
    }
    false
}

#[test]
fn no_sentence_is_refuted_by_its_table() {
    let mut draws = Draws(7);
    let columns = COLUMNS.map(|(metric, _)| metric);
    let mut read_so_far = 0;
    for _ in 0..3_000 {
        let (reports, baseline) = drawn(&mut draws);
        let table = Judged {
            reports: reports.iter().collect(),
            missing: Vec::new(),
            columns: &columns,
            baseline: &baseline,
            repeated: None,
            load: None,
            has_site: false,
        };
        for concern in [Concern::Everything, Concern::Slowdown, Concern::Response, Concern::Fairness] {
            let Some(verdict) = judge(&table, concern) else { continue };
            read_so_far += usize::from(read(&verdict.text.replace(SPACE, " "), &reports, &baseline));
        }
    }
    assert!(read_so_far > 1_000, "the reader knows only {read_so_far} sentences");
}

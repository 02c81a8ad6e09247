//! Each policy without classes, with them, and with knowledge that no scheduler has (CLASSIFY Fig. 9).

use super::{Charted, NO_CLASSES};
use crate::{Axis, AxisUnit, Bar, Data, Extent, Figure, Ink, Series};
use packfair_engine::metric::Metric;
use packfair_study::Run;
use packfair_workload::UnitText;

/// The number of metrics that are drawn, each in a figure: the first columns of the table.
pub const METRICS_BY_POLICY: usize = 3;

/// The fraction of a group's width that its bars fill.
const FILLED: f64 = 0.8;

/// The variants of a policy, in the order of the bars.
const VARIANTS: [&str; 5] =
    ["base", "classification", "classification-idempotent", "class-clairvoyant", "runtime-clairvoyant"];

/// The policy of a run and the index of its variant in [`VARIANTS`]. `None` for a run that has no classes and is not
/// EASY with one order for start and backfill.
fn variant(run: &Run) -> Option<(String, usize)> {
    let (scheduler, settings) = (&run.scheduler, run.scheduler.settings());
    match scheduler.family().entry.id {
        "easy" if settings.get("initial") == settings.get("backfill") => {
            Some((settings.get("initial").to_string(), if run.estimate.is_exact() { 4 } else { 0 }))
        }
        "classes" => {
            let place = match settings.choice("by") {
                "clairvoyant" => 3,
                _ if settings.choice("safeguard") == "off" => 1,
                _ => 2,
            };
            Some((settings.get("policy").to_string(), place))
        }
        _ => None,
    }
}

/// A metric by policy: a group of bars for each policy, a bar for each variant. If several runs are the same variant,
/// the first is drawn. The paper's total of slowdowns is their average times the number of jobs.
pub fn by_policy(runs: &[Charted<'_>], metric: Metric) -> Figure {
    let mut policies: Vec<String> = Vec::new();
    let mut bars: Vec<Vec<Bar>> = vec![Vec::new(); VARIANTS.len()];
    let width = FILLED / VARIANTS.len() as f64;
    for charted in runs {
        let Some((policy, place)) = variant(&charted.report.run) else { continue };
        let Some(&height) = charted.report.values.get(&metric) else { continue };
        let group = policies.iter().position(|known| *known == policy).unwrap_or_else(|| {
            policies.push(policy);
            policies.len() - 1
        });
        let from = group as f64 - FILLED / 2.0 + place as f64 * width;
        if bars[place].iter().all(|bar| bar.from != from) {
            bars[place].push(Bar { from, to: from + width, height });
        }
    }
    let named = VARIANTS.iter().zip(bars).enumerate().filter(|(_, (_, bars))| !bars.is_empty());
    let series = named.map(|(place, (name, bars))| Series {
        name: (*name).to_owned(),
        data: Data::Bars(bars),
        ink: Ink::Series(place),
        run: None,
    });
    let about = metric.about();
    let groups = policies.len() as f64;
    let names: Vec<String> = policies.iter().map(|policy| policy.to_uppercase()).collect();
    Figure {
        kind: "by-policy",
        title: format!("{} by policy", about.name),
        common: String::new(),
        help: UnitText::new(
            "Each policy without classes (base), with learned ones, with these and the safeguard, with true classes, and \
             without classes where run times are known.",
        ),
        source: "CLASSIFY Fig. 9",
        x: Axis::linear("policy", AxisUnit::Names(names.into())).with_extent(Extent::Fixed(-0.6, groups - 0.4)),
        y: Axis::linear(about.name, AxisUnit::of(metric)).with_extent(Extent::DataAndZero),
        series: series.collect(),
        marks: Vec::new(),
        empty: NO_CLASSES.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_engine::metric::Measure;
    use packfair_engine::simulation::Correction;
    use packfair_study::execute;
    use packfair_workload::test_jobs;

    #[test]
    fn a_policy_s_bars_stand_beside_each_other() {
        let run = |scheduler: &str, estimate: &str| Run::new(scheduler.parse().unwrap(), estimate.parse().unwrap());
        let runs = [
            run("easy:initial=sjf,backfill=sjf", "requested"),
            run("classes:policy=sjf,safeguard=off", "requested"),
            run("classes:policy=sjf", "requested"),
            run("classes:policy=sjf,by=clairvoyant", "requested"),
            run("easy:initial=sjf,backfill=sjf", "actual"),
            run("easy", "requested"),
            run("easy-sjbf", "requested"),
            run("justbf", "requested"),
        ];
        let told: Vec<_> =
            runs.iter().map(|run| variant(run).map(|(policy, place)| (policy, VARIANTS[place]))).collect();
        let of = |policy: &str, variant| Some((policy.to_owned(), variant));
        assert_eq!(told[..5], VARIANTS.map(|variant| of("sjf", variant)));
        assert_eq!(told[5..], [of("fcfs", "base"), None, None]);
        let workload = test_jobs::workload(4, &[(0, 3, 50, 60), (1, 3, 20, 30), (2, 1, 10, 90)]);
        let report = |run: &Run| execute(run, &workload, Correction::Request, &Measure::default()).unwrap().report;
        let reports: Vec<_> = runs.iter().map(report).collect();
        let charted: Vec<_> = reports.iter().map(|report| Charted { report, ink: Ink::Plain }).collect();
        let figure = by_policy(&charted, Metric::Bsld);
        assert_eq!(figure.series.iter().map(|series| series.name.as_str()).collect::<Vec<_>>(), VARIANTS);
        let Data::Bars(base) = &figure.series[0].data else { panic!("bars") };
        let of_easy = reports[5].values[&Metric::Bsld];
        assert_eq!((base.len(), base[1].height, base[1].from), (2, of_easy, 1.0 - FILLED / 2.0));
    }
}

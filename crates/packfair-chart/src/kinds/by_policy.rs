//! Each policy without classes, with them, and with knowledge that no scheduler has (CLASSIFY Fig. 9).

use super::tradeoff::front_of;
use super::{Charted, NO_CLASSES, NO_RUNS, common, run_names};
use crate::{Axis, AxisUnit, Bar, Data, Extent, Figure, Ink, NamedPoint, Scale, Series, Stretch};
use packfair_engine::metric::{Line, Metric};
use packfair_schedulers::dynp::decider;
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

// Which policy of a scheduler was in force at which time, as bands at the foot of charts over time.

/// The first ink of policies: charted runs usually have the inks before it.
const FIRST_INK: usize = 4;

/// A series for each policy that was in force in some run. Each run with policies has a lane; the first run has the
/// lowest lane.
pub(super) fn bands(runs: &[Charted<'_>]) -> Vec<Series> {
    let mut of_each: Vec<Vec<Stretch>> = vec![Vec::new(); decider::POLICIES.len()];
    let ruled: Vec<&Charted<'_>> = runs.iter().filter(|run| !run.report.curves.policies.x.is_empty()).collect();
    let lanes = run_names(&ruled.iter().map(|run| &run.report.run).collect::<Vec<_>>());
    for (lane, run) in ruled.into_iter().enumerate() {
        let (course, queue) = (&run.report.curves.policies, &run.report.curves.queue_jobs);
        let end = queue.begin + queue.step * queue.mean.len() as f64;
        for (i, (&from, &policy)) in course.x.iter().zip(&course.y).enumerate() {
            let until = course.x.get(i + 1).copied().unwrap_or(end);
            // an index into the list of policies, as the scheduler reported it
            if let Some(stretches) = of_each.get_mut(policy as usize).filter(|_| until > from) {
                stretches.push(Stretch { x: (from, until), lane });
            }
        }
    }
    let series = |(place, stretches): (usize, Vec<Stretch>)| {
        let name = format!("{} in force", decider::policy_name(place));
        Series {
            name,
            data: Data::Band { stretches, lanes: lanes.clone() },
            ink: Ink::Series(FIRST_INK + place),
            run: None,
        }
    };
    of_each.into_iter().enumerate().filter(|(_, stretches)| !stretches.is_empty()).map(series).collect()
}

// The benefit and the cost of kills: BSLD against the share of work lost.

/// The share of work lost on the x axis and BSLD on the y axis, a point for each run. A run without kills loses
/// nothing. The dotted line is the Pareto front.
pub fn lost_work(runs: &[Charted<'_>]) -> Figure {
    let value = |run: &Charted<'_>| {
        let of = |metric| run.report.values.get(&metric).copied();
        Some((of(Metric::LostShare).unwrap_or(0.0), of(Metric::Bsld)?))
    };
    let kills = runs.iter().any(|run| run.report.values.contains_key(&Metric::LostShare));
    let names = run_names(&runs.iter().map(|run| &run.report.run).collect::<Vec<_>>());
    let mut series = Vec::new();
    let mut placed = Vec::new();
    for (run, name) in runs.iter().zip(names).filter(|_| kills) {
        let Some((x, y)) = value(run) else { continue };
        placed.push((x, y));
        let point = NamedPoint { x, y, name: name.clone() };
        series.push(Series::of_run(name, &run.report.run, run.ink, Data::NamedPoints(vec![point])));
    }
    let front = front_of(runs, placed);
    if front.len() > 1 {
        let (x, y) = front.into_iter().unzip();
        let data = Data::Steps { line: Line { x, y }, before: None };
        series.insert(0, Series { name: "Pareto front".to_owned(), data, ink: Ink::Guide, run: None });
    }
    Figure {
        kind: "lost-work",
        title: "Slowdown against work lost".to_owned(),
        common: common(runs),
        help: UnitText::new(
            "Less is better in both: what runs that were cut off cost, and what they bring. The dotted line, where \
             there is one, joins runs that no other beats in both.",
        ),
        source: "after CLASSIFY §5",
        x: Axis::linear("work lost to kills, of all that completed", AxisUnit::Fraction)
            .with_extent(Extent::DataAndZero),
        y: Axis::linear("BSLD", AxisUnit::Number("")).or(Scale::Log),
        series,
        marks: Vec::new(),
        empty: if runs.is_empty() { NO_RUNS.to_owned() } else { "None of these schedulers kills jobs".to_owned() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_engine::metric::Measure;
    use packfair_engine::simulation::Correction;
    use packfair_study::execute;
    use packfair_workload::testing;

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
        let workload = testing::jobs(4, &[(0, 3, 50, 60), (1, 3, 20, 30), (2, 1, 10, 90)]);
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

#[cfg(test)]
mod policies_tests {
    use super::*;
    use packfair_engine::metric::Measure;
    use packfair_study::{Run, execute};
    use packfair_workload::testing;

    #[test]
    fn a_band_shows_when_which_policy_ruled() {
        let jobs: Vec<_> = (0..40).map(|i| (3 * i, 1 + (i % 4) as u32, 20 + i % 7, 30)).collect();
        let workload = testing::jobs(4, &jobs);
        let report = |scheduler: &str| {
            let run = Run::new(scheduler.parse().unwrap(), "actual".parse().unwrap());
            execute(&run, &workload, packfair_engine::simulation::Correction::Request, &Measure::default())
                .unwrap()
                .report
        };
        let (easy, dynp) = (report("easy"), report("dynp:quality=art"));
        let [easy, dynp] = [&easy, &dynp].map(|report| Charted { report, ink: Ink::Series(0) });
        assert!(bands(&[easy]).is_empty());
        let series = bands(&[easy, dynp, dynp]);
        assert!(series.len() >= 2 && series[0].name == "FCFS in force", "{series:?}");
        let mut stretches: Vec<Stretch> = Vec::new();
        for one in &series {
            let Data::Band { stretches: of_policy, lanes } = &one.data else { panic!("{one:?}") };
            assert_eq!(lanes.len(), 2);
            assert_eq!(of_policy.iter().filter(|s| s.lane == 0).count(), of_policy.len() / 2, "a lane a run");
            stretches.extend(of_policy.iter().filter(|s| s.lane == 0));
        }
        stretches.sort_by(|a, b| a.x.0.total_cmp(&b.x.0));
        assert!(stretches.windows(2).all(|pair| pair[0].x.1 == pair[1].x.0), "without gaps: {stretches:?}");
    }
}

#[cfg(test)]
mod lost_work_tests {
    use super::*;
    use packfair_engine::metric::Curves;
    use packfair_study::{Run, RunReport};

    #[test]
    fn the_front_has_what_none_beats_and_who_kills_nobody_loses_nothing() {
        let report = |id: &str, values: &[(Metric, f64)]| RunReport {
            run: Run::new(id.parse().unwrap(), "requested".parse().unwrap()),
            shrink: 1.0,
            jobs: 1,
            values: values.iter().copied().collect(),
            curves: Curves::default(),
            wall_s: 0.0,
            machine: None,
            machine_use: None,
            is_plain: false,
            overfull: None,
            saturation: None,
            is_too_short: false,
        };
        let easy = report("easy", &[(Metric::Bsld, 30.0)]);
        let reports = [
            easy.clone(),
            report("fcfs-ci", &[(Metric::Bsld, 20.0), (Metric::LostShare, 0.01)]),
            report("spf-ci", &[(Metric::Bsld, 25.0), (Metric::LostShare, 0.02)]),
        ];
        let charted = |reports: &[RunReport]| {
            let runs: Vec<Charted<'_>> = reports.iter().map(|report| Charted { report, ink: Ink::Rest }).collect();
            lost_work(&runs)
        };
        let figure = charted(&reports);
        assert_eq!(figure.series.len(), 4);
        let line = Line { x: vec![0.0, 0.01], y: vec![30.0, 20.0] };
        assert_eq!(figure.series[0].data, Data::Steps { line, before: None });
        assert!(charted(&[easy]).series.is_empty(), "where nobody is killed there is nothing to see");
    }
}

//! Bounded slowdown of small and of large jobs (CLASSIFY Fig. 8).

use super::{Classed, NO_CLASSES, names, run_names};
use crate::{Axis, AxisUnit, Bar, Data, Extent, Figure, Scale, Series};
use packfair_engine::metric::OfClass;
use packfair_schedulers::Policy;
use packfair_study::Run;
use packfair_study::format::change;
use packfair_workload::UnitText;

/// The fraction of a group's width that its bars fill.
const FILLED: f64 = 0.8;

/// The average bounded slowdown by class: a group of bars for each class, a bar for each run.
pub fn class_slowdowns(runs: &[Classed<'_>]) -> Figure {
    let named: Vec<&Run> = runs.iter().map(|run| run.run).collect();
    let width = FILLED / runs.len().max(1) as f64;
    let of_run = |(place, (run, name)): (usize, (&Classed<'_>, String))| {
        let bar = |(group, class): (usize, &packfair_engine::metric::OfClass)| {
            let from = group as f64 - FILLED / 2.0 + place as f64 * width;
            (class.jobs > 0).then_some(Bar { from, to: from + width, height: class.bsld })
        };
        let bars = run.course.classes.iter().enumerate().filter_map(bar).collect();
        Series::of_run(name, run.run, run.ink, Data::Bars(bars))
    };
    let series: Vec<Series> = runs.iter().zip(run_names(&named)).enumerate().map(of_run).collect();
    let names: Vec<String> = ["small", "small, premature", "large"].map(str::to_owned).to_vec();
    let groups = names.len() as f64;
    Figure {
        kind: "class-slowdowns",
        title: "Bounded slowdown by class".to_owned(),
        common: [names::common_of(&named), changes(runs)]
            .into_iter()
            .filter(|text| !text.is_empty())
            .collect::<Vec<_>>()
            .join("; "),
        help: UnitText::new(
            "Small jobs run for less than the median of the log; premature ones asked for more than that.",
        ),
        source: "CLASSIFY Fig. 8",
        x: Axis::linear("class", AxisUnit::Names(names.into())).with_extent(Extent::Fixed(-0.6, groups - 0.4)),
        y: Axis::linear("BSLD", AxisUnit::Number("")).with_extent(Extent::DataAndZero).or(Scale::Log),
        series,
        marks: Vec::new(),
        empty: NO_CLASSES.to_owned(),
    }
}

/// The greatest gain of small jobs and the greatest loss of large jobs against the same policy without classes, beside
/// the values that the paper gives for its seven logs (CLASSIFY §6.3). Empty if no run has its counterpart among the
/// runs.
fn changes(runs: &[Classed<'_>]) -> String {
    let of = |run: &Classed<'_>| {
        let base = without_classes(&run.run.scheduler)?;
        let base = runs.iter().find(|other| other.run.scheduler == base && other.run.estimate == run.run.estimate)?;
        let ([small, premature, large], [base_small, base_premature, base_large]) =
            (&run.course.classes, &base.course.classes);
        let change = |now: &[&OfClass], before: &[&OfClass]| mean(now) / mean(before) - 1.0;
        Some((change(&[small, premature], &[base_small, base_premature]), change(&[large], &[base_large])))
    };
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    for (small, large) in runs.iter().filter_map(of).filter(|(small, large)| small.is_finite() && large.is_finite()) {
        (least, most) = (least.min(small), most.max(large));
    }
    if least > most {
        return String::new();
    }
    format!(
        "against the same policy without classes, small jobs at best {} (paper: {}), large ones at worst {} (paper: {})",
        change(least),
        change(-0.55),
        change(most),
        change(0.15)
    )
}

/// The same policy without classes, which also backfills in its own order; `None` for a scheduler without classes.
fn without_classes(scheduler: &Policy) -> Option<Policy> {
    if scheduler.family().entry.id != "classes" {
        return None;
    }
    let policy = scheduler.settings().get("policy");
    format!("easy:initial={policy},backfill={policy}").parse().ok()
}

/// The average bounded slowdown over the jobs of several classes.
fn mean(classes: &[&OfClass]) -> f64 {
    let jobs: u64 = classes.iter().map(|class| class.jobs).sum();
    classes.iter().map(|class| class.bsld * class.jobs as f64).sum::<f64>() / jobs as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ink;
    use packfair_engine::metric::ClassCourse;

    #[test]
    fn what_classes_change_stands_beside_what_the_paper_says() {
        let course = |small, large| ClassCourse {
            classes: [OfClass { jobs: 2, bsld: small }, OfClass::default(), OfClass { jobs: 1, bsld: large }],
            ..ClassCourse::default()
        };
        let run = |id: &str| Run::new(id.parse().unwrap(), "requested".parse().unwrap());
        let (base, with) = (run("saf-easy"), run("saf-ci"));
        let (before, after) = (course(10.0, 4.0), course(4.0, 5.0));
        let classed = |run, course| Classed { run, ink: Ink::Series(0), course };
        let said = changes(&[classed(&base, &before), classed(&with, &after)]);
        assert_eq!(
            said.replace('\u{a0}', " "),
            "against the same policy without classes, small jobs at best −60 % (paper: −55 %), large ones at worst +25 % \
             (paper: +15 %)"
        );
        assert_eq!(changes(&[classed(&with, &after)]), "");
        let order = "formula:wait/(estimate*processors^0.5)";
        let (base, with) =
            (run(&format!("easy:initial={order},backfill={order}")), run(&format!("classes:policy={order}")));
        assert_eq!(changes(&[classed(&base, &before), classed(&with, &after)]), said);
    }

    #[test]
    fn each_class_that_has_jobs_has_a_bar_a_run() {
        let classes = [OfClass { jobs: 3, bsld: 2.0 }, OfClass::default(), OfClass { jobs: 1, bsld: 5.0 }];
        let course = ClassCourse { classes, ..ClassCourse::default() };
        let run = Run::new("easy".parse().unwrap(), "requested".parse().unwrap());
        let figure = class_slowdowns(&[0, 1].map(|i| Classed { run: &run, ink: Ink::Series(i), course: &course }));
        let Data::Bars(second) = &figure.series[1].data else { panic!("bars") };
        assert_eq!(second.iter().map(|bar| bar.height).collect::<Vec<_>>(), [2.0, 5.0]);
        assert!((second[0].from - 0.0).abs() < 1e-12 && (second[1].to - 2.4).abs() < 1e-12);
    }
}

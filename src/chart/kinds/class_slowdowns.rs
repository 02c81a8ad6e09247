//! Bounded slowdown of small and of large jobs (CLASSIFY Fig. 8).

use super::{Classed, NO_CLASSES, names, run_names};
use crate::chart::{Axis, AxisUnit, Bar, Data, Extent, Figure, Scale, Series};
use crate::study::Run;

/// How much of a group's place its bars take.
const FILLED: f64 = 0.8;

/// Average bounded slowdown by class, a group of bars a class, a bar a run.
pub fn class_slowdowns(runs: &[Classed<'_>]) -> Figure {
    let named: Vec<&Run> = runs.iter().map(|run| run.run).collect();
    let width = FILLED / runs.len().max(1) as f64;
    let of_run = |(place, (run, name)): (usize, (&Classed<'_>, String))| {
        let bar = |(group, class): (usize, &crate::metric::OfClass)| {
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
        common: names::common_of(&named),
        help: "Small jobs run for less than the median of the log; premature ones asked for more than that.",
        source: "CLASSIFY Fig. 8",
        x: Axis::linear("class", AxisUnit::Names(names.into())).with_extent(Extent::Fixed(-0.6, groups - 0.4)),
        y: Axis::linear("BSLD", AxisUnit::Number("")).with_extent(Extent::DataAndZero).or(Scale::Log),
        series,
        marks: Vec::new(),
        empty: NO_CLASSES.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::Ink;
    use crate::metric::{ClassCourse, OfClass};

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

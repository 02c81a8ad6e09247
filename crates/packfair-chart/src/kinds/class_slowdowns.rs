//! Bounded slowdown of small and of large jobs (CLASSIFY Fig. 8).

use super::{Classed, NO_CLASSES, run_names, series_of_classed};
use crate::{Axis, AxisClock, AxisUnit, Bar, BoxPlot, Data, Extent, Figure, Ink, Scale, Series, kinds};
use packfair_engine::metric::{Line, OfClass, Quartiles, WeekOfClasses};
use packfair_schedulers::Policy;
use packfair_study::Run;
use packfair_study::format::change;
use packfair_study::query::LearnedSizes;
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
        common: [kinds::common_of(&named), changes(runs)]
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

// How the jobs of each week were classified (CLASSIFY Fig. 4).

/// A rate of the jobs of a week, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rate {
    /// The share of jobs that were classified correctly.
    Accuracy,
    /// The share of small jobs among those classified as small.
    Precision,
    /// The share of small jobs that were classified as small.
    Recall,
    /// The share of all jobs that were small and classified as large.
    FalseLarge,
    /// The share of all jobs that were large and classified as small.
    FalseSmall,
}

impl Rate {
    fn of(self, week: &WeekOfClasses) -> Option<f64> {
        match self {
            Rate::Accuracy => week.accuracy,
            Rate::Precision => week.precision,
            Rate::Recall => week.recall,
            Rate::FalseLarge => week.false_large,
            Rate::FalseSmall => week.false_small,
        }
    }

    fn name(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Rate::Accuracy => ("class-accuracy", "Accuracy of classes", "jobs classified correctly"),
            Rate::Precision => {
                ("class-precision", "Precision of classes", "small jobs among those classified as small")
            }
            Rate::Recall => ("class-recall", "Recall of classes", "small jobs that were classified as small"),
            Rate::FalseLarge => ("class-false-large", "False large", "small jobs classified as large, of all jobs"),
            Rate::FalseSmall => ("class-false-small", "False small", "large jobs classified as small, of all jobs"),
        }
    }
}

/// A rate by the week in which jobs were submitted, a line for each run.
pub fn class_weeks(runs: &[Classed<'_>], rate: Rate, clock: &AxisClock) -> Figure {
    let (series, common) = series_of_classed(runs, |course| {
        let known = course.weeks.iter().filter_map(|week| Some((week.begin as f64, rate.of(week)?)));
        let (x, y) = known.unzip();
        Data::Line(Line { x, y })
    });
    let (kind, title, y) = rate.name();
    // errors are rare: on an axis up to 1, they could not be distinguished
    let is_error = matches!(rate, Rate::FalseLarge | Rate::FalseSmall);
    let extent = if is_error { Extent::DataAndZero } else { Extent::Fixed(0.0, 1.0) };
    Figure {
        kind,
        title: title.to_owned(),
        common,
        help: UnitText::new(
            "Of the jobs submitted in each week. Jobs of the first week are not classified: nothing is known then.",
        ),
        source: "CLASSIFY Fig. 4",
        x: Axis::linear(clock.title(), AxisUnit::Time(clock.clone())),
        y: Axis::linear(y, AxisUnit::Fraction).with_extent(extent),
        series,
        marks: Vec::new(),
        empty: NO_CLASSES.to_owned(),
    }
}

// How much the run times of a category's jobs say about later ones (CLASSIFY Fig. 2).

/// The median autocorrelation of run times by lag, a line for each kind of category. Dotted lines are the quartiles of
/// the first kind.
pub fn autocorrelation(sizes: Option<&LearnedSizes>) -> Figure {
    let lags = sizes.map(|sizes| &sizes.lags[..]).unwrap_or_default();
    let line = |place: usize, share: f64| {
        let known = lags[place].1.iter().filter_map(|at| Some((at.lag as f64, at.quantile(share)?)));
        let (x, y) = known.unzip();
        Data::Line(Line { x, y })
    };
    let mut series = Vec::new();
    for (place, (category, _)) in lags.iter().enumerate() {
        let name = format!("({})", category.symbols());
        series.push(Series { name, data: line(place, 0.5), ink: Ink::Series(place), run: None });
    }
    if !lags.is_empty() {
        for (name, share) in [("first quartile", 0.25), ("third quartile", 0.75)] {
            let name = format!("({}), {name}", lags[0].0.symbols());
            series.push(Series { name, data: line(0, share), ink: Ink::Guide, run: None });
        }
    }
    series.retain(|series| !series.data.is_empty());
    Figure {
        kind: "autocorrelation",
        title: "What run times say of later ones".to_owned(),
        common: String::new(),
        help: UnitText::new(
            "Median over the categories of 50 jobs or more: 1, the job so many later of the same category runs as long; 0, \
             nothing is known of it. u user, L requested time, q {units}, d day of the week.",
        ),
        source: "CLASSIFY Fig. 2",
        x: Axis::linear("lag", AxisUnit::Number("jobs")),
        y: Axis::linear("autocorrelation", AxisUnit::Number("")).with_extent(Extent::DataAndZero),
        series,
        marks: Vec::new(),
        empty: "No category of a user's jobs has 50 of them".to_owned(),
    }
}

/// Half the width of a box, in lags.
const HALF: f64 = 0.35;

/// The autocorrelation of one user's run times: for each lag, a box plot over the categories of jobs of the same width.
pub fn user_autocorrelation(sizes: Option<&LearnedSizes>) -> Figure {
    let of_user = sizes.and_then(|sizes| sizes.of_user.as_ref());
    let lags = of_user.map(|user| &user.lags[..]).unwrap_or_default();
    let plots: Vec<BoxPlot> = lags
        .iter()
        .filter_map(|at| {
            let (lag, spread) = (at.lag as f64, Quartiles::of(at.coefficients.clone())?);
            Some(BoxPlot { from: lag - HALF, to: lag + HALF, spread })
        })
        .collect();
    let is_empty = plots.is_empty();
    let series = Series { name: "(u, q)".to_owned(), data: Data::BoxPlots(plots), ink: Ink::Plain, run: None };
    Figure {
        kind: "user-autocorrelation",
        title: "What run times of one user say of later ones".to_owned(),
        common: of_user.map(|user| format!("user {}, {} jobs", user.user, user.jobs)).unwrap_or_default(),
        help: UnitText::new(
            "Of who submitted most, over the widths of 20 jobs or more: the box has the middle half of the widths, the line \
             in it the median. 1: the job so many later of the same width runs as long; 0: nothing is known of it.",
        ),
        source: "CLASSIFY Fig. 2",
        x: Axis::linear("lag", AxisUnit::Number("jobs")),
        y: Axis::linear("autocorrelation", AxisUnit::Number("")).with_extent(Extent::DataAndZero),
        series: if is_empty { Vec::new() } else { vec![series] },
        marks: Vec::new(),
        empty: "No user has 20 jobs of one width".to_owned(),
    }
}

// How much features mattered to a learned classifier, week by week (CLASSIFY Fig. 5).

/// The Gini importances by week, a line for each feature, of the first run that has any.
pub fn importances(runs: &[Classed<'_>], clock: &AxisClock) -> Figure {
    let first = runs.iter().find(|run| !run.course.importances.is_empty());
    let lines = first.map(|run| &run.course.importances[..]).unwrap_or_default();
    let one = |(place, (name, line)): (usize, &(String, packfair_engine::metric::Line))| Series {
        name: name.clone(),
        data: Data::Line(line.clone()),
        ink: Ink::Series(place),
        run: None,
    };
    Figure {
        kind: "importances",
        title: "What classes are learned from".to_owned(),
        common: first.map(|run| run_names(&[run.run]).concat()).unwrap_or_default(),
        help: UnitText::new(
            "Gini importance in the forest of each week, of the features that matter most. u user, L requested time, q \
             {units}, d day of the week.",
        ),
        source: "CLASSIFY Fig. 5",
        x: Axis::linear(clock.title(), AxisUnit::Time(clock.clone())),
        y: Axis::linear("importance", AxisUnit::Fraction).with_extent(Extent::DataAndZero),
        series: lines.iter().enumerate().map(one).collect(),
        marks: Vec::new(),
        empty: NO_CLASSES.to_owned(),
    }
}

/// The spread of each feature's Gini importance over the weeks, a box plot for each feature, of the first run that has
/// any.
pub fn importance_boxes(runs: &[Classed<'_>]) -> Figure {
    let first = runs.iter().find(|run| !run.course.spreads.is_empty());
    let spreads = first.map(|run| &run.course.spreads[..]).unwrap_or_default();
    let at = |(place, (_, spread)): (usize, &(String, packfair_engine::metric::Quartiles))| BoxPlot {
        from: place as f64 - IMPORTANCES_HALF,
        to: place as f64 + IMPORTANCES_HALF,
        spread: *spread,
    };
    let plots: Vec<BoxPlot> = spreads.iter().enumerate().map(at).collect();
    let names: Vec<String> = spreads.iter().map(|(name, _)| name.clone()).collect();
    let extent = Extent::Fixed(-1.0, names.len() as f64);
    let series = Series { name: "importance".to_owned(), data: Data::BoxPlots(plots), ink: Ink::Plain, run: None };
    Figure {
        kind: "importance-boxes",
        title: "What features are worth".to_owned(),
        common: first.map(|run| run_names(&[run.run]).concat()).unwrap_or_default(),
        help: UnitText::new(
            "Gini importance over the weeks: the box has the middle half of them, the line in it the median, and whiskers \
             reach to the farthest within one and a half times the box. u user, L requested time, q {units}, d day of \
             the week.",
        ),
        source: "CLASSIFY Fig. 5",
        x: Axis::linear("feature", AxisUnit::Names(names.into())).with_extent(extent),
        y: Axis::linear("importance", AxisUnit::Fraction).with_extent(Extent::DataAndZero),
        series: if spreads.is_empty() { Vec::new() } else { vec![series] },
        marks: Vec::new(),
        empty: NO_CLASSES.to_owned(),
    }
}

/// Half the width of a box, as a fraction of its place.
const IMPORTANCES_HALF: f64 = 0.35;

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

#[cfg(test)]
mod class_weeks_tests {
    use super::*;
    use crate::Ink;
    use packfair_engine::metric::ClassCourse;
    use packfair_study::Run;

    #[test]
    fn weeks_without_a_value_are_left_out_and_so_are_runs_without_classes() {
        let week = |begin, precision| WeekOfClasses {
            begin,
            accuracy: Some(0.5),
            precision,
            recall: None,
            false_large: None,
            false_small: None,
        };
        let course = ClassCourse { weeks: vec![week(7, Some(0.25)), week(14, None)], ..ClassCourse::default() };
        let (run, none) = (Run::new("fcfs-ci".parse().unwrap(), "requested".parse().unwrap()), ClassCourse::default());
        let runs = [&course, &none].map(|course| Classed { run: &run, ink: Ink::Series(0), course });
        let figure = class_weeks(&runs, Rate::Precision, &AxisClock::ELAPSED);
        assert_eq!(figure.series.len(), 1);
        assert_eq!(figure.series[0].data, Data::Line(Line { x: vec![7.0], y: vec![0.25] }));
        assert_eq!(class_weeks(&runs, Rate::Accuracy, &AxisClock::ELAPSED).series[0].data.len(), 2);
        assert!(class_weeks(&runs, Rate::Recall, &AxisClock::ELAPSED).series.is_empty());
    }
}

#[cfg(test)]
mod autocorrelation_tests {
    use super::*;
    use packfair_engine::classifier::Category;
    use packfair_engine::classifier::evaluation::Autocorrelation;
    use packfair_study::query::UserLags;

    #[test]
    fn each_kind_of_category_has_a_line_and_the_first_its_quartiles() {
        let at = |lag, coefficients: &[f64]| Autocorrelation { lag, coefficients: coefficients.to_vec() };
        let lags = vec![
            (Category::UserLimit, vec![at(1, &[0.1, 0.5, 0.9]), at(2, &[0.0, 0.25, 0.5])]),
            (Category::UserWidth, vec![at(1, &[])]),
        ];
        let of_user = UserLags { user: 7, jobs: 90, lags: vec![at(1, &[0.0, 0.5, 1.0]), at(2, &[])] };
        let sizes = LearnedSizes { shares: None, lags, of_user: Some(of_user) };
        let boxes = user_autocorrelation(Some(&sizes));
        assert_eq!((boxes.common.as_str(), boxes.series[0].data.len()), ("user 7, 90 jobs", 1));
        assert_eq!(boxes.series[0].data.y_range((0.0, 9.0), |_| true), Some((0.0, 1.0)));
        assert!(user_autocorrelation(None).series.is_empty());
        let figure = autocorrelation(Some(&sizes));
        assert_eq!(figure.series.len(), 3, "a kind without categories has no line");
        assert_eq!(figure.series[0].data, Data::Line(Line { x: vec![1.0, 2.0], y: vec![0.5, 0.25] }));
        assert!(autocorrelation(None).series.is_empty());
    }
}

#[cfg(test)]
mod importances_tests {
    use super::*;
    use packfair_engine::metric::{ClassCourse, Line, Quartiles};
    use packfair_study::Run;

    #[test]
    fn the_first_run_with_trees_is_told_of() {
        let line = |y| Line { x: vec![0.0], y: vec![y] };
        let course = ClassCourse {
            importances: vec![("L".into(), line(0.5)), ("q".into(), line(0.1))],
            spreads: ["q", "L"].map(|name| (name.to_owned(), Quartiles::of(vec![0.25, 0.75]).unwrap())).into(),
            ..ClassCourse::default()
        };
        let bare = ClassCourse::default();
        let run = |id: &str| Run::new(id.parse().unwrap(), "requested".parse().unwrap());
        let (easy, learned) = (run("easy"), run("fcfs-ci"));
        let of = |run, course| Classed { run, ink: Ink::Plain, course };
        let figure = importances(&[of(&easy, &bare), of(&learned, &course)], &AxisClock::ELAPSED);
        assert_eq!(figure.common, "FCFS-CI");
        assert_eq!(figure.series.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(), ["L", "q"]);
        assert!(importances(&[of(&easy, &bare)], &AxisClock::ELAPSED).series.is_empty());
        let boxes = importance_boxes(&[of(&easy, &bare), of(&learned, &course)]);
        assert_eq!((boxes.common.as_str(), boxes.series.len(), boxes.series[0].data.len()), ("FCFS-CI", 1, 2));
        assert_eq!(boxes.series[0].data.x_range(|_| true), Some((-IMPORTANCES_HALF, 1.0 + IMPORTANCES_HALF)));
        assert_eq!(boxes.to_csv().lines().nth(2), Some("\"importance, quartiles\",-0.35,0.35,0.5,0.375,0.625"));
        assert!(importance_boxes(&[of(&easy, &bare)]).series.is_empty());
    }
}

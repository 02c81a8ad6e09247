//! How much the run times of a category's jobs say about later ones (CLASSIFY Fig. 2).

use crate::{Axis, AxisUnit, BoxPlot, Data, Extent, Figure, Ink, Series};
use packfair_engine::metric::{Line, Quartiles};
use packfair_study::query::LearnedSizes;
use packfair_workload::UnitText;

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

#[cfg(test)]
mod tests {
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

//! Requested and actual run times, and the divider between small and large jobs (CLASSIFY Fig. 1).

use crate::{Axis, AxisUnit, Bar, Data, Extent, Figure, Ink, Mark, Series};
use packfair_study::format::whole;
use packfair_study::query::LearnedSizes;
use packfair_workload::{Distribution, Summary, UnitText};

/// Jobs by requested time and by actual run time, in the same classes. A line marks the median run time. `sizes`, once
/// it is known, says how many jobs lie on either side of the line.
pub fn requests(summary: &Summary, sizes: Option<&LearnedSizes>) -> Figure {
    let of = |name: &str, distribution: &Distribution, ink| {
        let classes = distribution.classes.iter().filter(|class| class.jobs > 0);
        // values below a second cannot be drawn on a logarithmic axis
        let bar = |class: &packfair_workload::HistogramClass| Bar {
            from: class.from.max(0.5),
            to: class.below,
            height: class.jobs as f64,
        };
        Series { name: name.to_owned(), data: Data::Bars(classes.map(bar).collect()), ink: Ink::Series(ink), run: None }
    };
    let shares = sizes.and_then(|sizes| sizes.shares);
    let divider = shares.map_or(summary.runs.quantiles.median, |shares| shares.divider as f64);
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let common = shares.map_or(String::new(), |shares| {
        let (jobs, area) = (shares.jobs, shares.area);
        format!(
            "divider {} s: {} of the jobs are small and asked for no more, {} are small and asked for more; large jobs do \
             {} of the work",
            whole(shares.divider),
            percent(jobs.expected),
            percent(jobs.premature),
            percent(area.large),
        )
    });
    Figure {
        kind: "requests",
        title: "Requested and actual run times".to_owned(),
        common,
        help: UnitText::new(
            "Jobs by requested and by actual run time; the line is the median run time, which divides small jobs from \
             large ones.",
        ),
        source: "CLASSIFY Fig. 1, Tables 2 and 3",
        x: Axis::log("time", AxisUnit::Duration),
        y: Axis::linear("jobs", AxisUnit::Number("")).with_extent(Extent::DataAndZero),
        series: vec![of("requested", &summary.limits, 0), of("actual", &summary.runs, 1)],
        marks: vec![Mark::X { at: divider.max(1.0), label: "divider".to_owned() }],
        empty: "The workload has no jobs".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_engine::classifier::evaluation::shares;
    use packfair_workload::test_jobs;

    #[test]
    fn the_divider_is_marked_and_shares_are_told() {
        let workload = test_jobs::workload(4, &[(0, 1, 10, 10), (1, 1, 50, 900), (2, 1, 500, 900), (3, 1, 600, 900)]);
        let summary = Summary::of(&workload);
        let sizes = LearnedSizes { shares: shares(&workload), lags: Vec::new(), of_user: None };
        let figure = requests(&summary, Some(&sizes));
        assert_eq!(figure.marks, [Mark::X { at: 275.0, label: "divider".to_owned() }]);
        assert!(figure.common.starts_with("divider 275 s: 25.0 % of the jobs are small"), "{}", figure.common);
        let jobs = |series: &Series| match &series.data {
            Data::Bars(bars) => bars.iter().map(|bar| bar.height).sum::<f64>(),
            other => panic!("{other:?}"),
        };
        assert_eq!(figure.series.iter().map(jobs).collect::<Vec<_>>(), [4.0, 4.0]);
        assert!(requests(&summary, None).common.is_empty());
    }
}

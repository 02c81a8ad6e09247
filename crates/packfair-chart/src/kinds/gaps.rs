//! The interarrival times of jobs, against the Weibull laws from which similar workloads are generated.

use crate::{Axis, AxisUnit, Data, Extent, Figure, Ink, Series};
use packfair_engine::metric::Line;
use packfair_workload::UnitText;
use packfair_workload::like::{Analysis, OF_DYNP, Weibull};

/// The number of points of a law's line.
const POINTS: u32 = 120;

/// The distribution of interarrival times above 0 s, the law of maximum likelihood, and the law that DYNP gives for the
/// log called `name`.
pub fn gaps(name: &str, analysis: &Analysis) -> Figure {
    let line = Line { x: analysis.by_length.x.clone(), y: analysis.by_length.y.clone() };
    let (first, last) = (line.x.first().copied(), line.x.last().copied());
    let mut series = Vec::new();
    if let (Some(first), Some(last)) = (first, last) {
        let of = |name: String, data, ink| Series { name, data, ink: Ink::Series(ink), run: None };
        series.push(of("submissions".to_owned(), Data::Steps { line, before: Some(0.0) }, 0));
        let curve = |law: &Weibull| {
            let at = |i| first * libm::pow(last / first, f64::from(i) / f64::from(POINTS));
            let x: Vec<f64> = (0..=POINTS).map(at).collect();
            let y = x.iter().map(|&gap| law.share_until(gap)).collect();
            Data::Line(Line { x, y })
        };
        let named = |law: &Weibull, from: &str| format!("{from}: alpha {:.3}, beta {:.1} s", law.alpha, law.beta);
        if let Ok(fit) = &analysis.fit {
            series.push(of(named(&fit.law, "maximum likelihood"), curve(&fit.law), 1));
        }
        if let Some((_, law, _)) = OF_DYNP.iter().find(|(log, ..)| name.to_ascii_uppercase().contains(log)) {
            series.push(of(named(law, "DYNP Table 2"), curve(law), 2));
        }
    }
    Figure {
        kind: "gaps",
        title: "Times between submissions".to_owned(),
        common: String::new(),
        help: UnitText::new(
            "Of those above 0 s. Workloads that are made like this one follow a Weibull law in place of the steps.",
        ),
        source: "DYNP §4",
        x: Axis::log("time between two submissions", AxisUnit::Duration),
        y: Axis::linear("cumulative fraction", AxisUnit::Fraction).with_extent(Extent::Fixed(0.0, 1.0)),
        series,
        marks: Vec::new(),
        empty: "No two jobs are submitted at different times".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_workload::test_jobs;

    #[test]
    fn laws_stand_beside_what_the_log_does() {
        let workload = test_jobs::workload(4, &[(0, 1, 9, 10), (60, 1, 9, 10), (400, 2, 5, 5), (410, 2, 5, 6)]);
        let analysis = Analysis::of(&workload);
        let names = |name| gaps(name, &analysis).series.into_iter().map(|series| series.name).collect::<Vec<_>>();
        assert_eq!(names("x.swf").len(), 2);
        assert_eq!(names("KTH-SP2.swf")[2], "DYNP Table 2: alpha 0.350, beta 200.0 s");
        let none = gaps("x", &Analysis::of(&test_jobs::workload(4, &[(0, 1, 9, 10)])));
        assert!(none.series.is_empty());
    }
}

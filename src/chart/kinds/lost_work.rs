//! The benefit and the cost of kills: BSLD against the share of work lost.

use super::tradeoff::front_of;
use super::{Charted, NO_RUNS, common, run_names};
use crate::chart::{Axis, AxisUnit, Data, Extent, Figure, Ink, NamedPoint, Scale, Series};
use crate::metric::{Line, Metric};
use crate::workload::UnitText;

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
    use crate::metric::Curves;
    use crate::study::{Run, RunReport};

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

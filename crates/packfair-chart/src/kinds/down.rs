//! The times when the machine seems to have been down, at the foot of a chart over time.

use crate::{Data, Figure, Ink, Series, Stretch};
use packfair_workload::Seconds;

/// Adds to a chart over time the stretches in which the machine seems to have been down, above its other bands.
pub fn with_down_times(mut figure: Figure, down: &[(Seconds, Seconds)]) -> Figure {
    if down.is_empty() || figure.series.is_empty() {
        return figure;
    }
    let lanes_of = |series: &Series| match &series.data {
        Data::Band { lanes, .. } => lanes.len(),
        _ => 0,
    };
    let lane = figure.series.iter().map(lanes_of).max().unwrap_or(0);
    let stretch = |&(from, until): &(Seconds, Seconds)| Stretch { x: (from as f64, until as f64), lane };
    let data = Data::Band { stretches: down.iter().map(stretch).collect(), lanes: vec!["machine".to_owned()] };
    let name = "nothing ran though jobs waited, as logged: down, it seems".to_owned();
    figure.series.insert(0, Series { name, data, ink: Ink::Rest, run: None });
    figure
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AxisClock;
    use crate::kinds::{Charted, queue_jobs};
    use packfair_engine::metric::Measure;
    use packfair_engine::simulation::Correction;
    use packfair_study::{Run, execute};
    use packfair_workload::test_jobs;

    #[test]
    fn a_band_tells_when_the_machine_was_down() {
        let workload = test_jobs::workload(4, &[(0, 4, 10, 20), (1, 4, 10, 20)]);
        let run = Run::new("easy".parse().unwrap(), "actual".parse().unwrap());
        let report = execute(&run, &workload, Correction::Request, &Measure::default()).unwrap().report;
        let figure = queue_jobs(&[Charted { report: &report, ink: Ink::Series(0) }], &AxisClock::ELAPSED);
        assert_eq!(with_down_times(figure.clone(), &[]), figure);
        let with = with_down_times(figure.clone(), &[(5, 9)]);
        assert_eq!(with.series.len(), figure.series.len() + 1);
        let Data::Band { stretches, .. } = &with.series[0].data else { panic!("{with:?}") };
        assert_eq!(stretches, &[Stretch { x: (5.0, 9.0), lane: 0 }]);
    }
}

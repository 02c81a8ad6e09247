//! Which policy of a scheduler was in force at which time, as bands at the foot of charts over time.

use super::{Charted, run_names};
use crate::{Data, Ink, Series, Stretch};
use packfair_schedulers::dynp::notes;

/// The first ink of policies: charted runs usually have the inks before it.
const FIRST_INK: usize = 4;

/// A series for each policy that was in force in some run. Each run with policies has a lane; the first run has the
/// lowest lane.
pub(super) fn bands(runs: &[Charted<'_>]) -> Vec<Series> {
    let mut of_each: Vec<Vec<Stretch>> = vec![Vec::new(); notes::POLICIES.len()];
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
        let name = format!("{} in force", notes::policy_name(place));
        Series {
            name,
            data: Data::Band { stretches, lanes: lanes.clone() },
            ink: Ink::Series(FIRST_INK + place),
            run: None,
        }
    };
    of_each.into_iter().enumerate().filter(|(_, stretches)| !stretches.is_empty()).map(series).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_engine::metric::Measure;
    use packfair_study::{Run, execute};
    use packfair_workload::test_jobs;

    #[test]
    fn a_band_shows_when_which_policy_ruled() {
        let jobs: Vec<_> = (0..40).map(|i| (3 * i, 1 + (i % 4) as u32, 20 + i % 7, 30)).collect();
        let workload = test_jobs::workload(4, &jobs);
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

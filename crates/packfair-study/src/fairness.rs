//! Fair start times of a run's jobs.

use super::{Rules, Run, Study, preset};
use packfair_engine::metric::Metric;
use packfair_engine::model::{FairStarts, Schedule, SchedulerFailure};
use packfair_engine::simulation::FairStartSearch;
use packfair_workload::Workload;
use std::ops::Range;

/// Why a run has no fair start times.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoFairStarts {
    #[error("Nobody can say when these jobs would have started without those that came later: take a scheduler.")]
    NobodyDecides,
    #[error("Without the jobs that came later: {0}")]
    Mistaken(SchedulerFailure),
}

impl Study {
    /// Whether the study needs fair start times: a column shows a metric that is made of them.
    pub fn asks_for_fair_starts(&self) -> bool {
        Metric::OF_FAIR_STARTS.iter().any(|metric| self.columns.contains(metric))
    }
}

impl Run {
    /// Checks that this run has fair start times.
    ///
    /// # Errors
    /// The log's own schedule, that of a file, and an off-line schedule have none.
    pub fn check_fair_starts(&self) -> Result<(), NoFairStarts> {
        let decides = !self.scheduler.is_given() && !self.scheduler.is_offline();
        if decides { Ok(()) } else { Err(NoFairStarts::NobodyDecides) }
    }
}

/// A search for the fair start times (FAIRNESS §3.1) of jobs of `workload` under the scheduler and the estimates of
/// `run`. `schedule` is what `run` on `workload` came to under the same `rules`.
///
/// The search forks the simulation at the arrival of each job that did not start at once. Where waiting jobs are
/// estimated anew, the fork's estimator goes on learning.
///
/// # Errors
/// As [`Run::check_fair_starts`].
pub fn fair_start_search<'a>(
    run: &Run,
    workload: &'a Workload,
    rules: impl Into<Rules>,
    schedule: &'a Schedule,
) -> Result<FairStartSearch<'a>, NoFairStarts> {
    let rules = rules.into();
    let simulation = run.simulation(workload, rules).ok_or(NoFairStarts::NobodyDecides)?;
    let search = FairStartSearch::new(simulation, schedule);
    // The conservative shortcut serves the queue in order, and knows neither cells nor outages.
    let is_plain = workload.cluster().is_none();
    let conservative = Run::new(preset("conservative"), run.estimate.clone()).in_conditions_of(run);
    let conservative = is_plain.then(|| conservative.simulation(workload, rules)).flatten();
    Ok(match conservative {
        Some(conservative) => search.with_conservative(workload, conservative.finish().starts),
        None => search,
    })
}

/// Fair start times of these `jobs`, as indices into `workload` ([`fair_start_search`]). The range can be split:
/// consecutive ranges together give what the whole range gives.
///
/// # Errors
/// As [`Run::check_fair_starts`].
pub fn fair_starts_of(
    run: &Run,
    workload: &Workload,
    rules: impl Into<Rules>,
    schedule: &Schedule,
    jobs: Range<usize>,
) -> Result<FairStarts, NoFairStarts> {
    let mut search = fair_start_search(run, workload, rules, schedule)?;
    let fair = search.of(jobs);
    match search.failure() {
        Some(failure) => Err(NoFairStarts::Mistaken(failure)),
        None => Ok(fair),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::execute;
    use packfair_engine::simulation::Correction;
    use packfair_schedulers::PRESETS;
    use packfair_workload::testing;

    #[test]
    fn a_run_is_refused_before_it_is_tried() {
        let workload = testing::workload(4, &[(0, 10, 4), (1, 20, 3), (2, 5, 1)]);
        for preset in PRESETS {
            for estimate in ["actual", "requested*2", "last2", "cvh", "hierarchy", "sp2"] {
                let run = Run::new(preset.id.parse().unwrap(), estimate.parse().unwrap());
                let Ok(result) = execute(&run, &workload, Correction::Request, &Default::default()) else { continue };
                let found = fair_starts_of(&run, &workload, Correction::Request, &result.schedule, 0..3);
                assert_eq!(run.check_fair_starts().err(), found.err(), "{}", run.id());
            }
        }
    }
}

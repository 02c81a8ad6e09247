//! Who loses: waits of groups of jobs in a run, compared with those of another run on the same workload.

use super::grouped::{group_name, in_a_sentence};
use super::report::CannotRun;
use super::rules::Rules;
use super::run::Run;
use super::running::{Ended, Running};
use super::{Study, preset};
use packfair_engine::metric::{Evaluation, Grouping, Measure, Metric};
use packfair_engine::model::{FairStarts, Schedule, SchedulerFailure};
use packfair_engine::simulation::FairStartSearch;
use packfair_workload::{JobId, Workload};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;

/// A group needs at least this many jobs for its loss to count.
const FEWEST_JOBS: u32 = 20;

/// A group loses only if its mean wait grows by more than this, in seconds. It is also the shortest wait that a loss is
/// related to: for groups that hardly waited, a relative change says little.
const A_MINUTE: f64 = 60.0;

/// Waits of groups of jobs in a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroupedWaits {
    by: Grouping,
    /// By group name: the number of jobs, and the sum of their waits in seconds.
    groups: BTreeMap<String, (u32, f64)>,
}

/// What the group that loses most loses.
#[derive(Clone, Debug, PartialEq)]
pub struct Loss<'a> {
    pub group: &'a str,
    /// Its mean wait before, seconds.
    pub before: f64,
    /// By how much its mean wait grows, seconds.
    pub by: f64,
}

impl Loss<'_> {
    /// The loss as a share of the wait before, or of a minute where the group waited less than that.
    pub fn relative(&self) -> f64 {
        self.by / self.before.max(A_MINUTE)
    }

    /// Whether the loss is one, and not a matter of seconds.
    pub fn counts(&self) -> bool {
        self.by > A_MINUTE
    }
}

impl GroupedWaits {
    /// The waits of all jobs in a schedule whose group is known.
    pub fn of(workload: &Workload, schedule: &Schedule, by: Grouping) -> Self {
        let mut numbered: BTreeMap<i64, (u32, f64)> = BTreeMap::new();
        for (number, job) in by.of_all(workload).zip(workload.jobs()) {
            if number >= 0 {
                let wait = schedule.starts[job.index()] - workload.request(job).submit;
                let group = numbered.entry(number).or_default();
                *group = (group.0 + 1, group.1 + wait as f64);
            }
        }
        let mut groups: BTreeMap<String, (u32, f64)> = BTreeMap::new();
        for (number, (jobs, waits)) in numbered {
            let group = groups.entry(group_name(by, number, &workload.header)).or_default();
            *group = (group.0 + jobs, group.1 + waits);
        }
        GroupedWaits { by, groups }
    }

    pub fn by(&self) -> Grouping {
        self.by
    }

    /// The loss of the group that loses most against `before`, among those with enough jobs; `None` where none loses.
    pub fn largest_loss(&self, before: &GroupedWaits) -> Option<Loss<'_>> {
        let losses = self.changes(before, 1).into_iter().map(|(loss, _)| loss).filter(Loss::counts);
        losses.max_by(|one, other| one.relative().total_cmp(&other.relative()))
    }

    /// What changes for each group with enough jobs against `before`, and how many jobs it has. Both are sums over `draws`
    /// runs.
    pub fn changes<'a>(&'a self, before: &GroupedWaits, draws: u32) -> Vec<(Loss<'a>, u32)> {
        let draws = draws.max(1);
        let many = self.groups.iter().filter(|(_, (jobs, _))| *jobs >= FEWEST_JOBS * draws);
        let changes = many.filter_map(|(group, &(jobs, waits))| {
            let &(jobs_before, waited) = before.groups.get(group)?;
            let before = waited / f64::from(jobs_before.max(1));
            let by = match jobs == jobs_before {
                true => (waits - waited) / f64::from(jobs),
                false => waits / f64::from(jobs) - before,
            };
            Some((Loss { group, before, by }, jobs / draws))
        });
        changes.collect()
    }

    /// The sums of these waits and those of another run.
    pub fn with(mut self, other: &GroupedWaits) -> Self {
        for (group, &(jobs, waits)) in &other.groups {
            let sum = self.groups.entry(group.clone()).or_default();
            *sum = (sum.0 + jobs, sum.1 + waits);
        }
        self
    }

    /// Waits that are known by group: the number of jobs and the sum of their waits.
    #[cfg(test)]
    pub(crate) fn from_parts(by: Grouping, groups: &[(&str, u32, f64)]) -> Self {
        let groups = groups.iter().map(|&(group, jobs, waits)| (group.to_owned(), (jobs, waits))).collect();
        GroupedWaits { by, groups }
    }
}

/// The groupings of which [`Effects`] tell who loses most.
const TOLD: [Grouping; 6] =
    [Grouping::User, Grouping::Partition, Grouping::Queue, Grouping::Account, Grouping::Width, Grouping::RunTime];

/// What changes for a workload's jobs from one run to another, and how crowded the machine is before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Effects {
    /// The number of jobs that wait before.
    pub waiting: u64,
    /// Whether the queue grows to the end before ([`packfair_engine::metric::Saturation`]).
    pub is_saturated: bool,
    /// Of each grouping in which a group loses, the group that loses most.
    pub losers: Vec<Loser>,
}

/// The group that loses most of a grouping.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Loser {
    pub by: Grouping,
    /// What the log calls the grouping ([`Grouping::called`]).
    pub word: String,
    pub group: String,
    /// Its mean wait before, seconds.
    pub before: f64,
    /// By how much its mean wait grows, seconds.
    pub more: f64,
}

impl Loser {
    /// The group within a sentence, by the log's own words: `QOS long`, `user ann`.
    pub fn in_words(&self) -> String {
        format!("{} {}", in_a_sentence(&self.word), self.group)
    }
}

impl Effects {
    /// The effects of going from one run to another.
    ///
    /// # Errors
    /// Where a run has no schedule.
    pub fn of(
        [before, after]: [&Run; 2],
        workload: &Workload,
        rules: Rules,
        measure: &Measure,
    ) -> Result<Self, CannotRun> {
        let before = Running::begin(before, workload, rules)?.ended()?;
        let after = Running::begin(after, workload, rules)?.ended()?;
        let waits = |job: &JobId| before.schedule.starts[job.index()] > before.workload.request(*job).submit;
        let loser = |by: Grouping| {
            let of = |ended: &Ended<'_>| GroupedWaits::of(&ended.workload, &ended.schedule, by);
            let (before, after) = (of(&before), of(&after));
            let loss = after.largest_loss(&before)?;
            let (word, group) = (by.called(&workload.header).to_owned(), loss.group.to_owned());
            Some(Loser { by, word, group, before: loss.before, more: loss.by })
        };
        Ok(Effects {
            waiting: before.workload.jobs().filter(waits).count() as u64,
            is_saturated: Evaluation::new(&before.workload, &before.schedule, measure).saturation().is_some(),
            losers: TOLD.into_iter().filter_map(loser).collect(),
        })
    }
}

/// Losses of groups that are to be measured: against a run, for some groupings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Losses {
    pub beside: Run,
    pub by: Vec<Grouping>,
}

impl Losses {
    /// The waits that others are compared with, one for each grouping.
    ///
    /// # Errors
    /// Where the run that others are compared with has no schedule.
    pub fn before(&self, workload: &Workload, rules: Rules) -> Result<Vec<GroupedWaits>, CannotRun> {
        let Ended { workload, schedule } = Running::begin(&self.beside, workload, rules)?.ended()?;
        Ok(self.by.iter().map(|by| GroupedWaits::of(&workload, &schedule, *by)).collect())
    }
}

// Fair start times of a run's jobs.

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
    use packfair_workload::testing;

    /// Twenty jobs of users 1 and 2, and 19 of user 3.
    fn workload() -> Workload {
        testing::workload(1, &[(0, 5, 1); 59])
    }

    fn waits(workload: &Workload, of_users: [i64; 3]) -> GroupedWaits {
        let starts = (0..59).map(|job: usize| of_users[job % 3]).collect();
        GroupedWaits::of(workload, &Schedule::of_starts(workload, starts), Grouping::User)
    }

    #[test]
    fn the_group_that_loses_most_is_named_if_it_has_jobs_enough() {
        let workload = workload();
        let before = waits(&workload, [0, 600, 600]);
        let after = waits(&workload, [90, 1_200, 60_000]);
        let loss = after.largest_loss(&before).unwrap();
        // User 1's 90 s are related to a minute, and user 3 has too few jobs.
        assert_eq!(loss, Loss { group: "1", before: 0.0, by: 90.0 });
        assert_eq!(loss.relative(), 1.5);
        let after = waits(&workload, [60, 660, 0]);
        assert_eq!(after.largest_loss(&before), None, "a minute is no loss");
        assert_eq!(before.largest_loss(&before), None);
    }
}

#[cfg(test)]
mod fairness_tests {
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

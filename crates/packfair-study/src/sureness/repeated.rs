//! The results of a study's runs on each of its repeats.

use super::{CarriedIntervals, DistributionBand, Interval, NoInterval, Repeats};
use crate::format::relative;
use crate::{Run, Study};
use packfair_engine::metric::{Evaluation, JobCounts, JobDistribution, Measure, Metric};
use packfair_engine::model::Schedule;
use packfair_workload::{CleanError, Workload, shrink, times_users};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// The metrics of one run on one repeat; `None` where a metric is not defined. Empty where the repeat is missing.
pub type RepeatedValues = Vec<Option<f64>>;

/// The distributions of a run on one repeat, shared between clones.
type RepeatCounts = Arc<[(JobDistribution, JobCounts)]>;

/// The results of one run on one repeat.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RepeatedRun {
    pub values: RepeatedValues,
    pub counts: Vec<(JobDistribution, JobCounts)>,
}

/// The results of runs on all repeats.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Repeated {
    pub repeats: Repeats,
    pub metrics: Vec<Metric>,
    /// By run id, the metrics on each repeat; empty where a repeat is missing.
    pub runs: BTreeMap<String, Vec<RepeatedValues>>,
    /// By run id, the distributions on each repeat; absent where they are not wanted.
    #[serde(skip)]
    counts: BTreeMap<String, Vec<RepeatCounts>>,
    /// Intervals from a link, for runs that have not been repeated here.
    #[serde(skip)]
    carried: Option<Box<CarriedIntervals>>,
}

impl Repeated {
    /// Empty results for these runs and metrics.
    pub fn new(repeats: Repeats, metrics: Vec<Metric>, runs: &[Run]) -> Self {
        let none = vec![RepeatedValues::new(); repeats.count as usize];
        let runs = BTreeMap::from_iter(runs.iter().map(|run| (run.id(), none.clone())));
        Repeated { repeats, metrics, runs, counts: BTreeMap::new(), carried: None }
    }

    /// Results from a link, without the repeats themselves.
    pub fn carried(repeats: Repeats, metrics: Vec<Metric>, carried: CarriedIntervals) -> Self {
        let carried = Some(Box::new(carried));
        Repeated { repeats, metrics, runs: BTreeMap::new(), counts: BTreeMap::new(), carried }
    }

    /// Stores the metrics of a run on a repeat. Runs and repeats that were not planned are ignored.
    pub fn set(&mut self, run: &Run, repeat: u32, values: RepeatedValues) {
        let place = self.runs.get_mut(&run.id()).and_then(|each| each.get_mut(repeat as usize));
        if let Some(place) = place.filter(|_| values.len() == self.metrics.len()) {
            *place = values;
        }
    }

    /// Stores the metrics and distributions of a run on a repeat.
    pub fn set_with_counts(&mut self, run: &Run, repeat: u32, of_run: RepeatedRun) {
        if (repeat as usize) < self.repeats.count as usize && !of_run.counts.is_empty() {
            let none = || vec![RepeatCounts::default(); self.repeats.count as usize];
            self.counts.entry(run.id()).or_insert_with(none)[repeat as usize] = of_run.counts.into();
        }
        self.set(run, repeat, of_run.values);
    }

    /// Takes the repeats that are missing here from other results for the same runs and metrics.
    pub fn join(&mut self, other: Repeated) {
        let is_same = other.metrics == self.metrics && other.repeats == self.repeats;
        for (run, each) in other.runs.into_iter().filter(|_| is_same) {
            let Some(own) = self.runs.get_mut(&run) else { continue };
            for (own, other) in own.iter_mut().zip(each).filter(|(own, _)| own.is_empty()) {
                *own = other;
            }
        }
    }

    /// The runs of `wanted` that lack this repeat.
    pub fn missing(&self, wanted: &[Run], repeat: u32) -> Vec<Run> {
        let lacks = |run: &&Run| self.runs.get(&run.id()).is_none_or(|each| each[repeat as usize].is_empty());
        wanted.iter().filter(lacks).cloned().collect()
    }

    /// Makes room for further runs, and keeps the results of the others.
    pub fn add(&mut self, runs: &[Run]) {
        for run in runs {
            let none = || vec![RepeatedValues::new(); self.repeats.count as usize];
            self.runs.entry(run.id()).or_insert_with(none);
        }
    }

    pub fn complete(&self) -> usize {
        if let Some(carried) = self.carried.as_ref().filter(|_| self.runs.is_empty()) {
            return carried.complete();
        }
        let has = |repeat: usize| self.runs.values().all(|each| each.get(repeat).is_some_and(|v| !v.is_empty()));
        (0..self.repeats.count as usize).filter(|&repeat| has(repeat)).count()
    }

    /// The values of the run with an id in a metric, one for each repeat; `None` where the repeat is missing, and `None`
    /// in it where the metric is not defined.
    fn values(&self, run: &str, metric: Metric) -> Option<impl Iterator<Item = Option<Option<f64>>>> {
        let column = self.metrics.iter().position(|&other| other == metric)?;
        let each = self.runs.get(run)?;
        Some(each.iter().map(move |values| values.get(column).copied()))
    }

    /// The interval of a run's value, which is `own` on the log itself.
    ///
    /// # Errors
    /// Why there is none.
    pub fn interval(&self, run: &Run, metric: Metric, own: f64) -> Result<Interval, NoInterval> {
        self.interval_by_id(&run.id(), metric, own)
    }

    /// [`Repeated::interval`] of a run that is given by its id.
    pub(crate) fn interval_by_id(&self, id: &str, metric: Metric, own: f64) -> Result<Interval, NoInterval> {
        let values = self.values(id, metric).ok_or(NoInterval::NotRepeated);
        let here = values.and_then(|values| Interval::of_value(own, &values.flatten().collect::<Vec<_>>()));
        self.or_carried(here, |carried| carried.interval(id, metric))
    }

    /// The bounds between which 95 % of a run's distributions lie, point by point. `None` where fewer than two repeats
    /// have them; links carry none.
    pub fn band(&self, run: &Run, distribution: JobDistribution) -> Option<DistributionBand> {
        let of_repeat = |counts: &'_ RepeatCounts| counts.iter().position(|(of, _)| *of == distribution);
        let each = self.counts.get(&run.id())?;
        let counts: Vec<&JobCounts> = each.iter().filter_map(|counts| Some(&counts[of_repeat(counts)?].1)).collect();
        DistributionBand::of(&counts)
    }

    /// The interval of a run's change relative to `baseline`, which is `own` on the log itself. Each change compares both
    /// runs on the same workload.
    ///
    /// # Errors
    /// Why there is none.
    pub fn change(&self, run: &Run, baseline: &Run, metric: Metric, own: f64) -> Result<Interval, NoInterval> {
        self.change_by_ids(&run.id(), &baseline.id(), metric, own)
    }

    /// [`Repeated::change`] of runs that are given by their ids: to write an id takes long, where many runs are compared.
    pub(crate) fn change_by_ids(
        &self,
        run: &str,
        baseline: &str,
        metric: Metric,
        own: f64,
    ) -> Result<Interval, NoInterval> {
        let change = |(value, other): (Option<Option<f64>>, Option<Option<f64>>)| {
            let (value, other) = (value?, other?);
            Some(value.zip(other).and_then(|(value, other)| relative(value, other)))
        };
        let both = self.values(run, metric).zip(self.values(baseline, metric)).ok_or(NoInterval::NotRepeated);
        let here = both.and_then(|(values, others)| {
            Interval::of_change(own, &values.zip(others).filter_map(change).collect::<Vec<_>>())
        });
        self.or_carried(here, |carried| carried.change(run, baseline, metric))
    }

    /// What a link carries, where too little was repeated here.
    fn or_carried(
        &self,
        here: Result<Interval, NoInterval>,
        of_link: impl FnOnce(&CarriedIntervals) -> Result<Interval, NoInterval>,
    ) -> Result<Interval, NoInterval> {
        match (here, &self.carried) {
            (Err(NoInterval::NotRepeated | NoInterval::TooFew), Some(carried)) => of_link(carried),
            (here, _) => here,
        }
    }
}

pub fn measured(workload: &Workload, schedule: &Schedule, measure: &Measure, metrics: &[Metric]) -> RepeatedValues {
    RepeatedRun::of(workload, schedule, measure, metrics, &[]).values
}

impl RepeatedRun {
    /// The values of `metrics` in a schedule, and these distributions of its jobs.
    pub fn of(
        workload: &Workload,
        schedule: &Schedule,
        measure: &Measure,
        metrics: &[Metric],
        distributions: &[JobDistribution],
    ) -> Self {
        let evaluation = Evaluation::new(workload, schedule, measure);
        let values = metrics.iter().map(|&metric| evaluation.value(metric)).collect();
        let counts =
            distributions.iter().map(|&distribution| (distribution, evaluation.counts(distribution))).collect();
        RepeatedRun { values, counts }
    }
}

/// The workloads of one repeat on one machine: one for each combination of users and load in the study.
#[derive(Debug)]
pub struct RepeatedWorkloads {
    /// The drawn workload, before shrinking.
    drawn: Workload,
    /// The workloads; that of the study's treatment comes first.
    each: Vec<RepeatedWorkload>,
}

/// The drawn workload with a number of users and a shrinking factor.
#[derive(Debug)]
struct RepeatedWorkload {
    users: f64,
    shrink: f64,
    workload: Workload,
    replay: OnceLock<Workload>,
}

impl RepeatedWorkloads {
    /// The workloads of a repeat, counted from 0, made from the machine's workload before shrinking. That workload
    /// already has the first number of users in `loads`; further numbers are relative to it.
    ///
    /// # Errors
    /// Where no such workload can be made from this log.
    pub fn of(loads: &RepeatedLoads, repeats: &Repeats, unshrunk: &Workload, repeat: u32) -> Result<Self, CleanError> {
        let drawn = repeats.workload(unshrunk, repeat).map_err(CleanError::Resample)?;
        let mut each = Vec::with_capacity(loads.users.len() * loads.shrinks.len());
        for &users in &loads.users {
            // The drawn workload already has the users of the treatment.
            let times = users / loads.users.first().copied().unwrap_or(users);
            let of_users = if times == 1.0 {
                Cow::Borrowed(&drawn)
            } else {
                Cow::Owned(times_users(&drawn, times).map_err(CleanError::Users)?)
            };
            for &factor in &loads.shrinks {
                let mut workload = (*of_users).clone();
                shrink(&mut workload, factor)?;
                each.push(RepeatedWorkload { users, shrink: factor, workload, replay: OnceLock::new() });
            }
        }
        Ok(RepeatedWorkloads { drawn, each })
    }

    pub fn of_run(&self, run: &Run) -> &Workload {
        let is_it = |asked: Option<f64>, own: f64| asked.is_none_or(|asked| asked == own);
        let is_of_run = |of: &&RepeatedWorkload| is_it(run.shrink, of.shrink) && is_it(run.users, of.users);
        match self.each.iter().find(is_of_run) {
            Some(of_run) if run.replayed => of_run.replay.get_or_init(|| of_run.workload.replayed()),
            Some(of_run) => &of_run.workload,
            None => &self.drawn,
        }
    }
}

/// The loads of a repeat's runs; those of the study's treatment come first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RepeatedLoads {
    /// Shrinking factors ([`Study::all_shrinks`]).
    pub shrinks: Vec<f64>,
    /// Numbers of users, as multiples of the log's ([`Study::all_users`]).
    pub users: Vec<f64>,
}

impl RepeatedLoads {
    pub fn of(study: &Study) -> Self {
        RepeatedLoads { shrinks: study.all_shrinks(), users: study.all_users() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs() -> [Run; 2] {
        ["easy", "justbf"].map(|id| Run::new(id.parse().unwrap(), "actual".parse().unwrap()))
    }

    #[test]
    fn changes_are_computed_within_each_repeat() {
        let [easy, justbf] = runs();
        let mut repeated = Repeated::new(Repeats::of(3), vec![Metric::Af, Metric::Bsld], &runs());
        for (repeat, (base, value)) in [(100.0, 90.0), (1_000.0, 950.0), (10.0, 8.0)].into_iter().enumerate() {
            repeated.set(&justbf, repeat as u32, vec![Some(base), None]);
            repeated.set(&easy, repeat as u32, vec![Some(value), Some(1.0)]);
        }
        // The values differ by a factor of a hundred, and yet the change hardly does.
        assert_eq!(repeated.interval(&easy, Metric::Af, 90.0), Err(NoInterval::FewDecide));
        let change = repeated.change(&easy, &justbf, Metric::Af, -0.1).unwrap();
        assert_eq!(Ok(change), Interval::of_change(-0.1, &[Some(-0.1), Some(-0.05), Some(-0.2)]));
        assert!(change.holds(-0.1) && change.low > -0.4 && change.high < 0.4, "{change:?}");
        assert_eq!(repeated.change(&easy, &justbf, Metric::Bsld, 0.0), Err(NoInterval::Undefined));
        assert_eq!(repeated.interval(&easy, Metric::Awf, 1.0), Err(NoInterval::NotRepeated), "nobody asked for it");
        assert_eq!(repeated.complete(), 3);
    }

    #[test]
    fn what_is_missing_is_left_out() {
        let [easy, justbf] = runs();
        let mut repeated = Repeated::new(Repeats::of(3), vec![Metric::Af], &runs());
        repeated.set(&easy, 0, vec![Some(1.0)]);
        repeated.set(&easy, 2, vec![Some(2.0)]);
        repeated.set(&justbf, 2, vec![Some(4.0)]);
        repeated.set(&justbf, 7, vec![Some(4.0)]);
        assert_eq!(repeated.complete(), 1);
        let interval = Interval::of_value(1.5, &[Some(1.0), Some(2.0)]);
        assert_eq!(repeated.interval(&easy, Metric::Af, 1.5), interval);
        assert_eq!(
            repeated.change(&easy, &justbf, Metric::Af, 0.0),
            Err(NoInterval::TooFew),
            "there is one pair alone"
        );
    }

    #[test]
    fn a_band_is_the_interval_of_the_shares_at_each_point() {
        use packfair_workload::testing::workload;
        let measure = Measure::default();
        let [easy, justbf] = runs();
        let repeats: Vec<Workload> = (0..50_i64)
            .map(|repeat| {
                workload(8, &(0..40).map(|i| (i * 3, 1 + (i * repeat * 7) % 90, 1 + i as u32 % 8)).collect::<Vec<_>>())
            })
            .collect();
        let mut repeated = Repeated::new(Repeats::of(50), vec![Metric::Af], &runs());
        let mut schedules = Vec::new();
        for (repeat, workload) in repeats.iter().enumerate() {
            let schedule =
                crate::Running::begin(&easy, workload, crate::Rules::default()).unwrap().ended().unwrap().schedule;
            let of_run = RepeatedRun::of(workload, &schedule, &measure, &[Metric::Af], &JobDistribution::ALL);
            assert_eq!(of_run.values, measured(workload, &schedule, &measure, &[Metric::Af]));
            // As a worker sends it.
            let sent = postcard::from_bytes(&postcard::to_stdvec(&of_run).unwrap()).unwrap();
            assert_eq!(of_run, sent);
            repeated.set_with_counts(&easy, repeat as u32, sent);
            schedules.push(schedule);
        }
        assert_eq!(repeated.complete(), 0, "the other run has none");
        assert_eq!(repeated.band(&justbf, JobDistribution::Waits), None);
        for distribution in JobDistribution::ALL {
            let band = repeated.band(&easy, distribution).unwrap();
            assert!(band.x.len() > 20 && band.high[0] > 0.0 && band.low.last() == Some(&1.0), "{distribution:?}");
            for ((x, low), high) in band.x.iter().zip(&band.low).zip(&band.high) {
                let share = |(workload, schedule): (&Workload, &Schedule)| {
                    let outcomes = measure.jobs().of(workload, &packfair_engine::metric::outcomes(workload, schedule));
                    let within = |job: &&packfair_engine::metric::Outcome| match distribution {
                        JobDistribution::Waits => job.wait() as f64 <= *x,
                        JobDistribution::Responses => job.response() as f64 <= *x,
                        JobDistribution::Slowdowns => job.bounded_slowdown(measure.bsld_bound) <= *x,
                    };
                    outcomes.iter().filter(within).count() as f64 / outcomes.len() as f64
                };
                let plain = Interval::holding(repeats.iter().zip(&schedules).map(share).collect()).unwrap();
                assert_eq!((*low, *high), (plain.low, plain.high), "{distribution:?} at {x}");
            }
        }
    }

    #[test]
    fn all_runs_of_a_repeat_see_one_workload_at_each_load() {
        let mut study = Study::first_visit();
        study.set_shrinks(&[0.9, 1.0]);
        let super::super::super::Source::Generated(generated) = &study.source else { panic!("{:?}", study.source) };
        let unshrunk = crate::Treatment::default().apply(&generated.generate()).unwrap();
        let repeats = Repeats { way: packfair_workload::Resampling::Shake, ..Repeats::of(2) };
        let workloads = RepeatedWorkloads::of(&RepeatedLoads::of(&study), &repeats, &unshrunk, 1).unwrap();
        let drawn = repeats.workload(&unshrunk, 1).unwrap();
        for run in study.runs() {
            let alone = workloads.of_run(&run);
            assert_eq!(alone.shrunk(), run.shrink.unwrap_or(0.9));
            assert_eq!(alone.runs(), drawn.runs());
            assert!(alone.shrunk() != 1.0 || alone.requests() == drawn.requests());
        }
    }
}

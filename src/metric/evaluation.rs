//! Measures one schedule.

use super::classes::confusion;
use super::estimate_sums::EstimateSums;
use super::fair_share::FairShares;
use super::fair_start::Fair;
use super::killed::{self, KilledRun};
use super::logged::Distance;
use super::sorted_waits::SortedWaits;
use super::sums::{JobSums, PowerSums};
use super::timeline::Timeline;
use super::{Curves, JobCounts, JobDistribution, Measure, Metric, Outcome, Saturation};
use super::{capacity, fair_start, fairness, outcome, response};
use crate::model::{NoteId, Schedule};
use crate::order;
use crate::workload::Workload;
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// A schedule under measurement: which jobs count, and what follows from them.
pub struct Evaluation<'a> {
    schedule: &'a Schedule,
    processors: u32,
    measure: Measure,
    /// Every job that started, in log order.
    all: Vec<Outcome>,
    /// Executions that were killed.
    killed: Vec<KilledRun>,
    /// Those of them that count.
    pub(super) kept: Vec<Outcome>,
    /// How well they were estimated, once that was asked for.
    estimates: OnceCell<EstimateSums>,
    /// Their waits, likewise.
    waits: OnceCell<SortedWaits>,
    /// Once they were asked for.
    sums: OnceCell<JobSums>,
    /// Likewise.
    powers: OnceCell<Option<PowerSums>>,
    /// Once it was asked for: a sort of all starts and ends.
    timeline: OnceCell<Timeline>,
    /// Once they were asked for.
    fair_shares: OnceCell<FairShares>,
    /// How far it is from the log's own, where the log tells that; once it was asked for.
    distance: OnceCell<Option<Distance>>,
    workload: &'a Workload,
}

impl<'a> Evaluation<'a> {
    /// Of a schedule of `workload`.
    pub fn new(workload: &'a Workload, schedule: &'a Schedule, measure: &Measure) -> Self {
        let all = outcome::outcomes(workload, schedule);
        let killed = killed::killed_runs(workload, schedule);
        let kept = measure.jobs().of(workload, &all);
        Evaluation {
            schedule,
            processors: workload.machine.processors,
            measure: *measure,
            distance: OnceCell::new(),
            workload,
            kept,
            estimates: OnceCell::new(),
            waits: OnceCell::new(),
            sums: OnceCell::new(),
            powers: OnceCell::new(),
            timeline: OnceCell::new(),
            fair_shares: OnceCell::new(),
            all,
            killed,
        }
    }

    /// How many jobs count.
    pub fn jobs(&self) -> usize {
        self.kept.len()
    }

    /// Every metric that is defined for this schedule.
    pub fn values(&self) -> BTreeMap<Metric, f64> {
        order::map(Metric::ALL.iter().filter_map(|&metric| Some((metric, self.value(metric)?))))
    }

    /// One metric; none if it is not defined for this schedule.
    pub fn value(&self, metric: Metric) -> Option<f64> {
        let (kept, all, processors) = (&self.kept[..], &self.all[..], self.processors);
        let value = match metric {
            Metric::Bsld => self.sums().bsld(),
            Metric::Af => self.sums().average_response(),
            Metric::Aq => self.sums().average_wait(),
            Metric::Awf => self.sums().area_weighted_response(),
            Metric::Awq => self.sums().area_weighted_wait(),
            Metric::P0sf => self.priority_weighted_response(0.0),
            Metric::P1sf => self.priority_weighted_response(1.0),
            Metric::P2sf => self.priority_weighted_response(2.0),
            Metric::P3sf => self.priority_weighted_response(3.0),
            Metric::Pasf => self.priority_weighted_response(self.measure.alpha),
            Metric::UnfairShare => self.fair_shares().unweighted(kept),
            Metric::UnfairShareWeighted => self.fair_shares().weighted(kept),
            Metric::UnfairShareShort => self.fair_shares().short(kept),
            Metric::StrictUnfairness => self.unfairness(Fair::Strict),
            Metric::RelaxedUnfairness => self.unfairness(Fair::Relaxed),
            Metric::Late => fair_start::later_than_promised(kept, self.schedule.notes.of_jobs(NoteId::PROMISE)),
            Metric::Remade => self.schedule.notes.count(NoteId::REMADE).filter(|_| !all.is_empty()),
            Metric::Kills => self.can_kill().then(|| killed::kills(&self.killed)),
            Metric::JobsKilled => self.can_kill().then(|| killed::jobs_killed(&self.killed)),
            Metric::LostArea => self.can_kill().then(|| killed::lost_area(&self.killed) as f64),
            Metric::LostShare => self.can_kill().then(|| killed::lost_share(&self.killed, all)).flatten(),
            Metric::UsefulUtilisation => {
                self.can_kill().then(|| capacity::useful_utilisation(all, processors)).flatten()
            }
            Metric::ClassAccuracy => confusion(all, self.schedule)?.accuracy(),
            Metric::ClassPrecision => confusion(all, self.schedule)?.precision(),
            Metric::ClassRecall => confusion(all, self.schedule)?.recall(),
            Metric::FalseLarge => confusion(all, self.schedule)?.false_large_share(),
            Metric::FalseSmall => confusion(all, self.schedule)?.false_small_share(),
            Metric::Loc => capacity::lost(self.timeline(), processors),
            Metric::Makespan => capacity::makespan(all),
            Metric::Utilisation => capacity::utilisation(all, &self.killed, processors),
            Metric::UtilisationClipped => self.steady_utilisation(),
            Metric::MaxWait => self.sums().longest_wait(),
            Metric::Lp => response::norm(kept, self.measure.norm),
            Metric::Artww => self.sums().width_weighted_response(),
            Metric::Sldww => self.sums().width_weighted_slowdown(),
            Metric::R2 => self.estimates().r_squared(),
            Metric::Mae => self.estimates().mean_absolute_error(),
            Metric::UnderRate => self.estimates().under_rate(),
            Metric::Corrections => self.estimates().corrections(),
            Metric::Noted(noted) => noted.value(&self.schedule.notes),
            Metric::NearLog => self.distance().map(|distance| distance.near),
            Metric::LogGap => self.distance().map(|distance| distance.median_gap),
            Metric::LogGap90 => self.distance().map(|distance| distance.p90_gap),
            Metric::LogRank => self.distance()?.rank_correlation,
            Metric::NearerLog => self.distance().map(|distance| distance.nearer),
        };
        value.filter(|value| value.is_finite())
    }

    /// Whether the scheduler is one that may kill jobs: others have no number of kills.
    fn can_kill(&self) -> bool {
        self.schedule.notes.count(NoteId::KILLS).is_some() || !self.killed.is_empty()
    }

    fn sums(&self) -> &JobSums {
        self.sums.get_or_init(|| JobSums::of(&self.kept, &self.measure))
    }

    fn priority_weighted_response(&self, a: f64) -> Option<f64> {
        let powers = self.powers.get_or_init(|| PowerSums::of(&self.kept)).as_ref();
        let summed = powers.and_then(|powers| powers.priority_weighted_response(a));
        summed.unwrap_or_else(|| fairness::priority_weighted_response(&self.kept, a))
    }

    fn timeline(&self) -> &Timeline {
        self.timeline.get_or_init(|| Timeline::new(&self.all, &self.killed))
    }

    fn distance(&self) -> Option<&Distance> {
        let distance = || Distance::of_sorted(self.workload, &self.kept, self.waits());
        self.distance.get_or_init(distance).as_ref()
    }

    fn waits(&self) -> &SortedWaits {
        self.waits.get_or_init(|| SortedWaits::of(&self.kept))
    }

    fn estimates(&self) -> &EstimateSums {
        self.estimates.get_or_init(|| EstimateSums::of(&self.kept, self.schedule))
    }

    fn steady_utilisation(&self) -> Option<f64> {
        let (all, killed, processors) = (&self.all[..], &self.killed[..], self.processors);
        // its completions are sorted already, where it is there
        let window = match self.timeline.get() {
            Some(timeline) => timeline.steady_window(),
            None => capacity::steady_window_of(all),
        };
        let (begin, end) = window?;
        // where users react, the interval is the log's, however long they take
        let end = self.workload.life().map_or(end, |life| life.span.1);
        capacity::utilisation_within(all, killed, processors, (begin, end))
    }

    fn unfairness(&self, fair: Fair) -> Option<f64> {
        fair_start::average_unfairness(&self.kept, self.schedule.fair.as_ref()?, fair)
    }

    fn fair_shares(&self) -> &FairShares {
        self.fair_shares.get_or_init(|| FairShares::new(self.timeline()))
    }

    /// Whether the queue grew to the end of the log, and how much was left.
    pub fn saturation(&self) -> Option<Saturation> {
        Saturation::of(&self.all, self.processors)
    }

    /// How many of the jobs that count have at most how much of something.
    pub fn counts(&self, distribution: JobDistribution) -> JobCounts {
        JobCounts::of(&self.kept, distribution, self.measure.bsld_bound)
    }

    /// The curves.
    pub fn curves(&self) -> Curves {
        let of_group = self.measure.only.map(|group| {
            let mut jobs = self.all.clone();
            group.retain(self.workload, &mut jobs);
            let is_of_group = |run: &KilledRun| jobs.binary_search_by_key(&run.job, |job| job.job).is_ok();
            let killed: Vec<_> = self.killed.iter().filter(|run| is_of_group(run)).copied().collect();
            let timeline = Timeline::new(&jobs, &killed);
            (jobs, timeline)
        });
        let group = of_group.as_ref().map(|(jobs, timeline)| (&jobs[..], timeline));
        let Evaluation { workload, schedule, all, kept, measure, .. } = self;
        Curves::of(workload, schedule, all, (kept, self.waits()), self.timeline(), group, measure.bsld_bound)
    }
}

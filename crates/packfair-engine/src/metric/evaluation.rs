//! Computes the metrics of a schedule.

use super::capacity::{Available, BusyShares, Unused};
use super::counted::{CountedOutcomes, KilledRun};
use super::curve::BINS;
use super::estimates::EstimateSums;
use super::fairness::{Fair, FairShareMeans, Sharing};
use super::job_counts::{SuspendedRun, suspended_runs};
use super::line::{SeriesInBins, binned};
use super::logged::Distance;
use super::machine_use::{MachineUse, WindowUse};
use super::measure::weights_of;
use super::power::PowerUse;
use super::response::{SortedWaits, Throughput, worst_count};
use super::sums::{JobSums, PowerSums, Totals, mean};
use super::timeline::{QueueLengths, Timeline};
use super::{
    Curves, JobCounts, JobDistribution, Measure, Noted, Outcome, Saturation, capacity, counted, fairness, response,
};
use crate::model::{FairStarts, NoteId, Schedule};
use packfair_workload::{JobId, Seconds, Workload};
use std::cell::OnceCell;

/// A schedule to be measured: the jobs that count, and intermediate results, each computed once when it is needed.
pub struct Evaluation<'a> {
    pub(super) schedule: &'a Schedule,
    pub(super) processors: u32,
    /// The number of processors over time.
    pub(super) available: Available,
    pub(super) measure: Measure,
    outcomes: CountedOutcomes,
    /// Totals over all jobs; `None` without jobs.
    pub(super) totals: Option<Totals>,
    pub(super) killed: Vec<KilledRun>,
    suspended: Vec<SuspendedRun>,
    /// The priority weights p of the jobs that count; `None` where all have the same weight.
    weights: Option<Vec<f64>>,
    estimates: OnceCell<EstimateSums>,
    /// Their waits, sorted.
    waits: OnceCell<SortedWaits>,
    sums: OnceCell<JobSums>,
    /// Sums of powers over the jobs that count; `None` where there are none.
    powers: OnceCell<Option<PowerSums>>,
    /// The timeline, which needs a sort of all starts and ends.
    timeline: OnceCell<Timeline>,
    /// The loss of capacity, where it was asked for alone.
    lost: OnceCell<Option<f64>>,
    course: OnceCell<Course>,
    /// The distance from the log's own schedule; `None` where the log does not tell it.
    distance: OnceCell<Option<Distance>>,
    /// What was done within the log's span.
    throughput: OnceCell<Option<Throughput>>,
    /// How the cells of the machine were used; `None` where the machine is only a number of processors.
    machine_use: OnceCell<Option<MachineUse>>,
    /// What was drawn; `None` where no watts are known.
    power: OnceCell<Option<PowerUse>>,
    workload: &'a Workload,
}

impl<'a> Evaluation<'a> {
    /// Prepares to measure a schedule of `workload`.
    pub fn new(workload: &'a Workload, schedule: &'a Schedule, measure: &Measure) -> Self {
        let outcomes = CountedOutcomes::of(workload, schedule, measure);
        let killed = counted::killed_runs(workload, schedule);
        let weights = (!measure.weights.is_empty()).then(|| weights_of(workload, outcomes.counted(), &measure.weights));
        Evaluation {
            schedule,
            processors: workload.machine.processors,
            available: Available::of(workload),
            measure: measure.clone(),
            distance: OnceCell::new(),
            throughput: OnceCell::new(),
            machine_use: OnceCell::new(),
            power: OnceCell::new(),
            workload,
            weights,
            estimates: OnceCell::new(),
            waits: OnceCell::new(),
            sums: OnceCell::new(),
            powers: OnceCell::new(),
            timeline: OnceCell::new(),
            lost: OnceCell::new(),
            course: OnceCell::new(),
            totals: Totals::of(outcomes.all()),
            outcomes,
            killed,
            suspended: suspended_runs(workload, schedule),
        }
    }

    /// How many jobs count.
    pub fn jobs(&self) -> usize {
        self.counted().len()
    }

    /// The jobs that count, in log order.
    pub(super) fn counted(&self) -> &[Outcome] {
        self.outcomes.counted()
    }

    /// All jobs, in no certain order.
    pub(super) fn all(&self) -> &[Outcome] {
        self.outcomes.all()
    }

    pub(super) fn noted(&self, noted: Noted) -> Option<f64> {
        noted.value(&self.schedule.notes)
    }

    /// Whether the scheduler may kill jobs. Other schedulers have no number of kills.
    pub(super) fn can_kill(&self) -> bool {
        self.schedule.notes.count(NoteId::KILLS).is_some() || !self.killed.is_empty()
    }

    pub(super) fn sums(&self) -> &JobSums {
        self.sums.get_or_init(|| JobSums::of(self.counted(), &self.measure))
    }

    pub(super) fn area_weighted_response(&self) -> Option<f64> {
        match &self.weights {
            Some(weights) => response::area_weighted_response_with(self.counted(), weights),
            None => self.sums().area_weighted_response(),
        }
    }

    pub(super) fn area_weighted_wait(&self) -> Option<f64> {
        match &self.weights {
            Some(weights) => response::area_weighted_wait_with(self.counted(), weights),
            None => self.sums().area_weighted_wait(),
        }
    }

    pub(super) fn priority_weighted_response(&self, a: f64) -> Option<f64> {
        if let Some(weights) = &self.weights {
            return fairness::priority_weighted_response_with(self.counted(), weights, a);
        }
        let summed = self.powers().and_then(|powers| powers.priority_weighted_response(a));
        summed.unwrap_or_else(|| fairness::priority_weighted_response(self.counted(), a))
    }

    fn powers(&self) -> Option<&PowerSums> {
        let powers = || Some(PowerSums::of(self.counted(), self.sums().longest_response()?));
        self.powers.get_or_init(powers).as_ref()
    }

    pub(super) fn norm(&self) -> Option<f64> {
        match self.measure.norm {
            2.0 => self.powers()?.norm_of_squares(),
            p => response::norm(self.counted(), p),
        }
    }

    fn timeline(&self) -> &Timeline {
        self.timeline.get_or_init(|| Timeline::new(self.all(), &self.killed).without(&self.suspended))
    }

    /// All metrics that are computed from the timeline, in one pass.
    pub(super) fn course(&self) -> &Course {
        self.course.get_or_init(|| {
            let timeline = self.timeline();
            let (mut unused, mut shares) = (Unused::of(&self.available), Sharing::of(self.all()));
            let mut busy = BusyShares::of(self.processors);
            timeline.show(&mut ((&mut unused, &mut shares), &mut busy));
            Course {
                lost: self.totals.and_then(|totals| totals.share(unused.area, &self.available)),
                shares: shares.shares().means(self.counted()),
                variance: busy.variance(timeline),
            }
        })
    }

    /// From the first submission to the last completion.
    fn window(&self) -> (f64, f64) {
        self.totals.map_or((0.0, 0.0), |totals| (totals.first_submit as f64, totals.last_end as f64))
    }

    pub(super) fn loss_of_capacity(&self) -> Option<f64> {
        match self.course.get() {
            Some(course) => course.lost,
            None => *self.lost.get_or_init(|| {
                let mut unused = Unused::of(&self.available);
                self.timeline().show(&mut unused);
                self.totals?.share(unused.area, &self.available)
            }),
        }
    }

    pub(super) fn fair_share_means(&self) -> &FairShareMeans {
        &self.course().shares
    }

    pub(super) fn distance(&self) -> Option<&Distance> {
        let distance = || Distance::of_sorted(self.workload, self.counted(), self.waits());
        self.distance.get_or_init(distance).as_ref()
    }

    pub(super) fn throughput(&self) -> Option<&Throughput> {
        let throughput = || Some(Throughput::of(self.workload, self.all(), self.totals?));
        self.throughput.get_or_init(throughput).as_ref()
    }

    /// How the cells and resources of the machine were used; `None` where the machine is only a number of processors.
    pub fn machine_use(&self) -> Option<&MachineUse> {
        self.machine_use.get_or_init(|| MachineUse::of(self.workload, self.schedule)).as_ref()
    }

    /// What was drawn; `None` where no watts are known.
    pub(super) fn power(&self) -> Option<&PowerUse> {
        let power = || PowerUse::of(self.workload, self.schedule, self.all(), &self.measure);
        self.power.get_or_init(power).as_ref()
    }

    /// What was drawn, where the watts of the machine are known.
    pub(super) fn machine_power(&self) -> Option<&PowerUse> {
        self.power().filter(|power| power.is_of_machine)
    }

    /// Energy for each processor-hour of executions that completed, Wh.
    pub(super) fn energy_per_work(&self) -> Option<f64> {
        let work: f64 = self.outcomes.in_log_order().map(Outcome::area).sum();
        super::sums::ratio(self.power()?.energy * 1_000.0, work / 3_600.0)
    }

    /// The sum over the windows in which nodes are away; `None` where there is no window.
    pub(super) fn of_windows(&self, of: impl Fn(&WindowUse) -> f64) -> Option<f64> {
        let windows = &self.machine_use()?.windows;
        (!windows.is_empty()).then(|| windows.iter().map(of).sum())
    }

    fn waits(&self) -> &SortedWaits {
        self.waits.get_or_init(|| SortedWaits::of(self.counted()))
    }

    pub(super) fn estimates(&self) -> &EstimateSums {
        self.estimates.get_or_init(|| EstimateSums::of(self.counted(), self.schedule))
    }

    pub(super) fn steady_utilisation(&self) -> Option<f64> {
        let (all, available) = (self.all(), &self.available);
        let others = (&self.killed[..], &self.suspended[..]);
        // An existing timeline has the completions sorted already.
        let begin = match self.timeline.get() {
            Some(timeline) => timeline.warm(),
            None => capacity::steady_window_of(all).map(|window| window.0),
        };
        let begin = begin?;
        // Where users react, the span is that of the log, however long they take.
        let end = self.workload.life().map_or(self.totals?.last_submit, |life| life.span.1);
        capacity::utilisation_within(all, others, available, (begin, end))
    }

    pub(super) fn unfairness(&self, fair: Fair) -> Option<f64> {
        fairness::average_unfairness(self.counted(), self.schedule.fair.as_ref()?, fair)
    }

    /// [`response::worst_waits`](super::response::worst_waits) from sorted waits.
    pub(super) fn worst_waits(&self, percent: usize) -> Option<f64> {
        let waits = self.waits().jobs();
        let worst = &waits[waits.len() - worst_count(waits.len(), percent)..];
        mean(worst.iter().map(|&(wait, _)| wait as f64))
    }

    pub(super) fn lateness(&self, fair: impl Fn(&FairStarts) -> &Vec<Seconds>) -> Option<f64> {
        fairness::average_lateness(self.counted(), fair(self.schedule.fair.as_ref()?))
    }

    pub(super) fn fair_turnaround(&self, fair: impl Fn(&FairStarts) -> &Vec<Seconds>) -> Option<f64> {
        fairness::fair_turnaround(self.counted(), fair(self.schedule.fair.as_ref()?))
    }

    pub(super) fn fair_slowdown(&self, fair: impl Fn(&FairStarts) -> &Vec<Seconds>) -> Option<f64> {
        fairness::fair_slowdown(self.counted(), fair(self.schedule.fair.as_ref()?), self.measure.bsld_bound)
    }

    /// How the queue grew to the end of the log, and how much work was left; `None` where it did not grow.
    pub fn saturation(&self) -> Option<Saturation> {
        Saturation::of(self.outcomes.in_log_order(), self.totals?, self.processors)
    }

    /// Whether much is left at the end of the log, which is too short to tell whether the queue grew.
    pub fn is_too_short_to_tell(&self) -> bool {
        self.totals.is_some_and(|totals| Saturation::is_open(self.outcomes.in_log_order(), totals, self.processors))
    }

    /// For many points, how many of the jobs that count have at most this value of a quantity.
    pub fn counts(&self, distribution: JobDistribution) -> JobCounts {
        JobCounts::of(self.counted(), distribution, self.measure.bsld_bound)
    }

    pub fn curves(&self) -> Curves {
        let of_group = self.measure.only.map(|group| {
            let is_in_group = group.test(self.workload);
            let jobs: Vec<Outcome> = self.outcomes.in_log_order().filter(|job| is_in_group(job)).copied().collect();
            let is_of_group = |id: JobId| jobs.binary_search_by_key(&id, |job| job.job).is_ok();
            let killed: Vec<_> = self.killed.iter().filter(|run| is_of_group(run.job)).copied().collect();
            let suspended: Vec<_> = self.suspended.iter().filter(|run| is_of_group(run.job())).copied().collect();
            binned(&jobs, &Timeline::new(&jobs, &killed).without(&suspended), self.processors, self.window(), BINS)
        });
        let (timeline, mut lengths) = (self.timeline(), QueueLengths::default());
        let mut series = SeriesInBins::new(timeline, self.processors, self.window(), BINS);
        timeline.show(&mut (&mut lengths, &mut series));
        let series = series.map(|series| series.finish(self.outcomes.in_log_order())).unwrap_or_default();
        let Evaluation { workload, schedule, measure, .. } = self;
        let kept = (self.counted(), self.waits());
        Curves::of(workload, schedule, kept, (series, &lengths), self.window(), of_group, measure.bsld_bound)
    }
}

pub(super) struct Course {
    lost: Option<f64>,
    shares: FairShareMeans,
    pub(super) variance: Option<f64>,
}

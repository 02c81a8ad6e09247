//! Resource equality (FAIRNESS §3.2): what each job would have got of the processors in use, had they been
//! shared out equally among the active jobs (submitted, and not completed).

use super::killed::killed_runs;
use super::sum::mean;
use super::timeline::{Level, Timeline};
use super::{Outcome, outcomes};
use crate::model::Schedule;
use crate::workload::{Seconds, Workload};

/// Average unweighted unfairness, processor-seconds (FAIRNESS §3.2 eq. 1): the mean over `jobs` of their
/// unweighted fair share less r D. The share is the integral from submission to completion of
/// min(processors in use / active jobs, r). All jobs of the schedule, `all`, use and are active.
pub fn unweighted_unfairness(jobs: &[Outcome], all: &[Outcome]) -> Option<f64> {
    FairShares::new(&Timeline::new(all, &[])).unweighted(jobs)
}

/// Average weighted unfairness, processor-seconds (FAIRNESS §3.2 eq. 2): as [`unweighted_unfairness`], but
/// the share is the integral of min(r / width of the active jobs × processors in use, r).
///
/// These shares add up to the processors in use. So over all jobs of a schedule this is 0, whatever the
/// scheduler, but for rounding; it tells something of a part of the jobs only. FAIRNESS Fig. 7 has
/// percentages of it nevertheless, and does not say of what: here they are of [`weighted_shortfall`].
pub fn weighted_unfairness(jobs: &[Outcome], all: &[Outcome]) -> Option<f64> {
    FairShares::new(&Timeline::new(all, &[])).weighted(jobs)
}

/// Average weighted shortfall, processor-seconds: as [`weighted_unfairness`], but a job that got more than
/// its share counts 0, as one that starts before its fair start does (FAIRNESS §3.1). So what some get
/// beyond their shares does not make good what others lack.
pub fn weighted_shortfall(jobs: &[Outcome], all: &[Outcome]) -> Option<f64> {
    FairShares::new(&Timeline::new(all, &[])).short(jobs)
}

/// Average unweighted shortfall, processor-seconds: as [`unweighted_unfairness`], but a job that got more than its share
/// counts 0.
pub fn unweighted_shortfall(jobs: &[Outcome], all: &[Outcome]) -> Option<f64> {
    FairShares::new(&Timeline::new(all, &[])).unweighted_short(jobs)
}

/// Of each job of a schedule, in log order, its unweighted and its weighted fair share less r D, processor-seconds: above 0 it
/// lacks so much (FAIRNESS §3.2 eq. 1 and 2). Executions that were killed are use, and nobody's share. Of a job that never
/// started it is 0.
pub fn less_than_shares(workload: &Workload, schedule: &Schedule) -> Vec<(f64, f64)> {
    let all = outcomes(workload, schedule);
    let shares = FairShares::new(&Timeline::new(&all, &killed_runs(workload, schedule)));
    let mut less = vec![(0.0, 0.0); workload.len()];
    for job in &all {
        less[job.job.index()] = (shares.unweighted_of(job), shares.weighted_of(job));
    }
    less
}

/// Up to which width a class is looked up in a table.
const LOOKED_UP: u32 = 4_096;

/// The fair shares of all jobs of a schedule.
pub(super) struct FairShares {
    /// By the jobs' places in the log.
    lives: Vec<Life>,
}

/// What makes up a job's fair shares.
#[derive(Clone, Copy, Default)]
struct Life {
    /// The class of the job's width.
    class: u32,
    /// Of the levels of its life with at most r processors for each active job.
    equal: Equal,
    /// What one processor asked for got in its life, processor-seconds: at most one all the time, for whoever
    /// uses any is active.
    each: f64,
}

impl FairShares {
    /// Of the jobs of this timeline.
    ///
    /// An unweighted share is a sum over the levels of the job's life, of which those with at most r processors for
    /// each active job count by that number, and all others by r. As time passes a binary indexed tree holds, for
    /// the widths that jobs have, what such jobs would have got until then.
    pub(super) fn new(timeline: &Timeline) -> Self {
        let widths = timeline.widths();
        let search = |at_least: u32| widths.partition_point(|&width| width < at_least);
        // asked at every moment, mostly for small widths
        let looked_up: Vec<usize> =
            (0..LOOKED_UP.min(widths.last().map_or(0, |&widest| widest.saturating_add(1)))).map(search).collect();
        let class = |at_least: u32| looked_up.get(at_least as usize).copied().unwrap_or_else(|| search(at_least));
        let mut lives = vec![Life::default(); timeline.jobs()];
        let (mut got, mut got_each) = (ShareTree::new(widths.len()), 0.0);
        for moment in timeline.moments() {
            for event in timeline.submitted_at(&moment) {
                let class = class(event.processors);
                let equal = got.up_to(class);
                lives[event.job.index()] = Life { class: class as u32, equal, each: got_each };
            }
            for event in timeline.completed_at(&moment) {
                let life = &mut lives[event.job.index()];
                life.equal = got.up_to(life.class as usize).since(life.equal);
                life.each = got_each - life.each;
            }
            let Level { from, until, active, width, busy, .. } = moment.level;
            if active > 0 {
                let (span, each) = (until - from, busy as f64 / active as f64);
                // `each`, rounded up: only a job that is wider has the equal share
                got.add(class((busy as u64).div_ceil(active as u64) as u32), Equal { share: each * span as f64, span });
                got_each += busy as f64 / (width + busy) as f64 * span as f64;
            }
        }
        FairShares { lives }
    }

    /// [`unweighted_unfairness`].
    pub(super) fn unweighted(&self, jobs: &[Outcome]) -> Option<f64> {
        mean(jobs.iter().map(|job| self.unweighted_of(job)))
    }

    /// [`unweighted_shortfall`].
    pub(super) fn unweighted_short(&self, jobs: &[Outcome]) -> Option<f64> {
        mean(jobs.iter().map(|job| self.unweighted_of(job).max(0.0)))
    }

    /// [`weighted_unfairness`].
    pub(super) fn weighted(&self, jobs: &[Outcome]) -> Option<f64> {
        mean(jobs.iter().map(|job| self.weighted_of(job)))
    }

    /// [`weighted_shortfall`].
    pub(super) fn short(&self, jobs: &[Outcome]) -> Option<f64> {
        mean(jobs.iter().map(|job| self.weighted_of(job).max(0.0)))
    }

    /// Unweighted fair share less r D.
    fn unweighted_of(&self, job: &Outcome) -> f64 {
        let equal = self.lives[job.job.index()].equal;
        let capped = job.response() - equal.span;
        equal.share + job.width() * capped as f64 - job.area()
    }

    /// Weighted fair share less r D.
    fn weighted_of(&self, job: &Outcome) -> f64 {
        job.width() * self.lives[job.job.index()].each - job.area()
    }
}

/// Levels that count by an equal share of the processors in use.
#[derive(Clone, Copy, Default)]
struct Equal {
    /// Integral of the share, processor-seconds.
    share: f64,
    /// How long they last, seconds.
    span: Seconds,
}

impl Equal {
    /// Without those that counted `before`.
    fn since(self, before: Equal) -> Equal {
        Equal { share: self.share - before.share, span: self.span - before.span }
    }
}

/// A binary indexed tree: sums of what was added at the places before a place.
struct ShareTree(Vec<Equal>);

impl ShareTree {
    fn new(places: usize) -> Self {
        ShareTree(vec![Equal::default(); places + 1])
    }

    /// What is added after the last place is in no sum.
    fn add(&mut self, place: usize, equal: Equal) {
        let mut i = place + 1;
        while let Some(sum) = self.0.get_mut(i) {
            sum.share += equal.share;
            sum.span += equal.span;
            i += i & i.wrapping_neg();
        }
    }

    /// The sum up to a place.
    fn up_to(&self, place: usize) -> Equal {
        let (mut sum, mut i) = (Equal::default(), place + 1);
        while i > 0 {
            let Equal { share, span } = self.0[i];
            sum.share += share;
            sum.span += span;
            i &= i - 1;
        }
        sum
    }
}

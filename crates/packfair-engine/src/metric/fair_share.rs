//! Resource equality (FAIRNESS §3.2): what each job would have got if the processors in use had been shared equally
//! among the active jobs (submitted, and not completed).

use super::killed::killed_runs;
use super::sum::mean;
use super::timeline::{Level, Timeline};
use super::{Outcome, outcomes};
use crate::model::Schedule;
use packfair_workload::{Seconds, Workload};

/// Average unweighted unfairness, processor-seconds (FAIRNESS §3.2 eq. 1): the mean over `jobs` of their unweighted
/// fair share less r D. The share is the integral from submission to completion of min(processors in use / active jobs,
/// r). Use and active jobs are those of the whole schedule, `all`.
pub fn unweighted_unfairness(jobs: &[Outcome], all: &[Outcome]) -> Option<f64> {
    FairShares::new(&Timeline::new(all, &[])).unweighted(jobs)
}

/// Average weighted unfairness, processor-seconds (FAIRNESS §3.2 eq. 2): as [`unweighted_unfairness`], but
/// the share is the integral of min(r / width of the active jobs × processors in use, r).
///
/// These shares add up to the processors in use. So over all jobs of a schedule this is 0 for every scheduler, apart
/// from rounding; it only says something about a part of the jobs. FAIRNESS Fig. 7 nevertheless has percentages of it,
/// and does not say what they are percentages of. Here they are percentages of [`weighted_shortfall`].
pub fn weighted_unfairness(jobs: &[Outcome], all: &[Outcome]) -> Option<f64> {
    FairShares::new(&Timeline::new(all, &[])).weighted(jobs)
}

/// Average weighted shortfall, processor-seconds: as [`weighted_unfairness`], but a job that got more than its share
/// counts 0, like a job that starts before its fair start (FAIRNESS §3.1). So what some jobs get beyond their shares
/// does not make up for what others lack.
pub fn weighted_shortfall(jobs: &[Outcome], all: &[Outcome]) -> Option<f64> {
    FairShares::new(&Timeline::new(all, &[])).short(jobs)
}

/// Average unweighted shortfall, processor-seconds: as [`unweighted_unfairness`], but a job that got more than its share
/// counts 0.
pub fn unweighted_shortfall(jobs: &[Outcome], all: &[Outcome]) -> Option<f64> {
    FairShares::new(&Timeline::new(all, &[])).unweighted_short(jobs)
}

/// For each job of a schedule, in log order, its unweighted and its weighted fair share less r D, processor-seconds:
/// positive where it lacks that much (FAIRNESS §3.2 eq. 1 and 2). Killed executions count as use, but not as something
/// that the job got. A job that never started has 0.
pub fn less_than_shares(workload: &Workload, schedule: &Schedule) -> Vec<(f64, f64)> {
    let all = outcomes(workload, schedule);
    let shares = FairShares::new(&Timeline::new(&all, &killed_runs(workload, schedule)));
    let mut less = vec![(0.0, 0.0); workload.len()];
    for job in &all {
        less[job.job.index()] = (shares.unweighted_of(job), shares.weighted_of(job));
    }
    less
}

/// Widths below this are looked up in a table to find their class.
const LOOKED_UP: u32 = 4_096;

/// The fair shares of all jobs of a schedule.
pub(super) struct FairShares {
    /// The shares of each job, by its place in the log.
    lives: Vec<Life>,
}

/// What makes up a job's fair shares.
#[derive(Clone, Copy, Default)]
struct Life {
    /// The index of the job's width among all widths.
    class: u32,
    /// The levels in the job's life with at most r processors for each active job, added up.
    equal: Equal,
    /// What one requested processor got during the job's life, processor-seconds. It is at most one processor all the
    /// time, because a job that uses processors is active.
    each: f64,
}

impl FairShares {
    /// Computes the fair shares of the jobs of this timeline.
    ///
    /// An unweighted share is a sum over the levels of the job's life. A level with at most r processors for each
    /// active job counts that number; any other level counts r. As time passes, a binary indexed tree holds, for each
    /// width that jobs have, what a job of that width would have got so far.
    pub(super) fn new(timeline: &Timeline) -> Self {
        let widths = timeline.widths();
        let search = |at_least: u32| widths.partition_point(|&width| width < at_least);
        // These are needed at every moment, mostly for small widths.
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
                // `each` is rounded up: only a job at least that wide takes the equal share.
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

/// Levels that count with an equal share of the processors in use, added up.
#[derive(Clone, Copy, Default)]
struct Equal {
    /// Integral of the share, processor-seconds.
    share: f64,
    /// Total length of the levels, seconds.
    span: Seconds,
}

impl Equal {
    /// The difference to an earlier sum, `before`.
    fn since(self, before: Equal) -> Equal {
        Equal { share: self.share - before.share, span: self.span - before.span }
    }
}

/// A binary indexed tree, which gives the sum of what was added up to a place.
struct ShareTree(Vec<Equal>);

impl ShareTree {
    fn new(places: usize) -> Self {
        ShareTree(vec![Equal::default(); places + 1])
    }

    /// Adds at a place. A place after the last one is in no sum.
    fn add(&mut self, place: usize, equal: Equal) {
        let mut i = place + 1;
        while let Some(sum) = self.0.get_mut(i) {
            sum.share += equal.share;
            sum.span += equal.span;
            i += i & i.wrapping_neg();
        }
    }

    /// The sum up to and including a place.
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

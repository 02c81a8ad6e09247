//! Resource equality (FAIRNESS §3.2): what each job would have got of the processors in use, had they been
//! shared out equally among the active jobs (submitted, and not completed).

use super::Outcome;
use super::sum::mean;
use super::timeline::Timeline;
use crate::workload::Seconds;

/// Average unweighted unfairness, processor-seconds (FAIRNESS §3.2 eq. 1): the mean over `jobs` of their
/// unweighted fair share less r D. The share is the integral from submission to completion of
/// min(processors in use / active jobs, r). All jobs of the schedule, `all`, use and are active.
pub fn unweighted_unfairness(jobs: &[Outcome], all: &[Outcome]) -> Option<f64> {
    unweighted(jobs, &Timeline::new(all))
}

/// Average weighted unfairness, processor-seconds (FAIRNESS §3.2 eq. 2): as [`unweighted_unfairness`], but
/// the share is the integral of min(r / width of the active jobs × processors in use, r).
///
/// These shares add up to the processors in use. So over all jobs of a schedule this is 0, whatever the
/// scheduler, but for rounding; it tells something of a part of the jobs only. FAIRNESS Fig. 7 has
/// percentages of it nevertheless, and does not say of what: here they are of [`weighted_shortfall`].
pub fn weighted_unfairness(jobs: &[Outcome], all: &[Outcome]) -> Option<f64> {
    weighted(jobs, &Timeline::new(all))
}

/// Average weighted shortfall, processor-seconds: as [`weighted_unfairness`], but a job that got more than
/// its share counts 0, as one that starts before its fair start does (FAIRNESS §3.1). So what some get
/// beyond their shares does not make good what others lack.
pub fn weighted_shortfall(jobs: &[Outcome], all: &[Outcome]) -> Option<f64> {
    short(jobs, &Timeline::new(all))
}

/// [`unweighted_unfairness`] of a timeline that is there already.
///
/// A job's share is a sum over the levels of its life, of which those with at most r processors for each
/// active job count by that number, and all others by r. From the narrowest job to the widest, ever more
/// levels count by their number: a binary indexed tree holds these.
pub(super) fn unweighted(jobs: &[Outcome], timeline: &Timeline) -> Option<f64> {
    let mut from = Vec::new();
    let mut levels = Vec::new();
    for level in timeline.levels() {
        let span = level.until - level.from;
        let each = if level.active > 0 { level.busy as f64 / level.active as f64 } else { 0.0 };
        levels.push((each.ceil() as u32, from.len(), Equal { share: each * span as f64, span }));
        from.push(level.from);
    }
    levels.sort_unstable_by_key(|&(at_least, i, _)| (at_least, i));
    let mut by_width: Vec<usize> = (0..jobs.len()).collect();
    by_width.sort_by_key(|&i| jobs[i].processors);
    let mut tree = Tree::new(from.len());
    let mut levels = levels.into_iter().peekable();
    let mut unfairness = vec![0.0; jobs.len()];
    for i in by_width {
        let job = &jobs[i];
        while let Some((_, place, equal)) = levels.next_if(|&(at_least, ..)| at_least <= job.processors) {
            tree.add(place, equal);
        }
        let [begin, end] = [job.submit, job.completion()].map(|at| tree.before(place_of(&from, at)));
        let capped = job.response() - (end.span - begin.span);
        unfairness[i] = end.share - begin.share + job.width() * capped as f64 - job.area();
    }
    mean(unfairness.into_iter())
}

/// [`weighted_unfairness`] of a timeline that is there already.
pub(super) fn weighted(jobs: &[Outcome], timeline: &Timeline) -> Option<f64> {
    mean(weighted_each(jobs, timeline).into_iter())
}

/// [`weighted_shortfall`] of a timeline that is there already.
pub(super) fn short(jobs: &[Outcome], timeline: &Timeline) -> Option<f64> {
    mean(weighted_each(jobs, timeline).into_iter().map(|unfairness| unfairness.max(0.0)))
}

/// Weighted fair share less r D of each job.
fn weighted_each(jobs: &[Outcome], timeline: &Timeline) -> Vec<f64> {
    let mut from = Vec::new();
    // what one processor asked for has got until then: at most one, for whoever uses any is active
    let mut got = vec![0.0];
    let mut total = 0.0;
    for level in timeline.levels() {
        let asked = level.width + level.busy;
        if asked > 0 {
            total += level.busy as f64 / asked as f64 * (level.until - level.from) as f64;
        }
        from.push(level.from);
        got.push(total);
    }
    let unfairness = |job: &Outcome| {
        let [begin, end] = [job.submit, job.completion()].map(|at| got[place_of(&from, at)]);
        job.width() * (end - begin) - job.area()
    };
    jobs.iter().map(unfairness).collect()
}

/// How many levels begin before `at`, with which a level begins or the last one ends.
fn place_of(from: &[Seconds], at: Seconds) -> usize {
    from.partition_point(|&from| from < at)
}

/// Levels that count by an equal share of the processors in use.
#[derive(Clone, Copy, Default)]
struct Equal {
    /// Integral of the share, processor-seconds.
    share: f64,
    /// How long they last, seconds.
    span: Seconds,
}

/// A binary indexed tree: sums of what was added at the first so many places.
struct Tree(Vec<Equal>);

impl Tree {
    fn new(places: usize) -> Self {
        Tree(vec![Equal::default(); places + 1])
    }

    fn add(&mut self, place: usize, equal: Equal) {
        let mut i = place + 1;
        while i < self.0.len() {
            self.0[i].share += equal.share;
            self.0[i].span += equal.span;
            i += i & i.wrapping_neg();
        }
    }

    fn before(&self, place: usize) -> Equal {
        let (mut sum, mut i) = (Equal::default(), place);
        while i > 0 {
            sum.share += self.0[i].share;
            sum.span += self.0[i].span;
            i &= i - 1;
        }
        sum
    }
}

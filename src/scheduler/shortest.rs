//! The shortest jobs of a part of a queue, by width.

use crate::model::Waiting;

/// The number of width classes. Their largest widths are 1, 2, 3, 4, 6, 8, 12, 16, ... 4096; one more has all wider
/// jobs.
const CLASSES: usize = 25;

/// The shortest estimate of jobs up to each width. It tells of most blocks of a long queue that none of their jobs
/// fits, without a look at the jobs.
#[derive(Clone, Debug)]
pub(super) struct ShortestByWidth {
    /// The shortest estimate among the jobs of each class and all narrower ones; infinite if there are none.
    shortest: [f64; CLASSES],
}

#[inline]
pub(super) fn class(width: u32) -> usize {
    let below = width.saturating_sub(1);
    let class = match below.checked_ilog2() {
        None | Some(0) => below,
        Some(log) => 2 * log + (below >> (log - 1) & 1),
    };
    (class as usize).min(CLASSES - 1)
}

fn narrowest(class: usize) -> u32 {
    match class {
        0 | 1 => class as u32 + 1,
        _ => ((2 + class as u32 % 2) << (class / 2 - 1)) + 1,
    }
}

impl ShortestByWidth {
    /// The bounds for jobs with these processors and estimates.
    pub(super) fn of(jobs: impl Iterator<Item = (u32, f64)>) -> Self {
        let mut shortest = [f64::INFINITY; CLASSES];
        for (processors, estimate) in jobs {
            let least = &mut shortest[class(processors)];
            *least = least.min(estimate);
        }
        for class in 1..CLASSES {
            shortest[class] = shortest[class].min(shortest[class - 1]);
        }
        ShortestByWidth { shortest }
    }

    pub(super) fn enter(&mut self, job: &Waiting) {
        for least in &mut self.shortest[class(job.processors)..] {
            *least = least.min(job.estimate);
        }
    }

    /// Whether the bounds may change when this job leaves.
    pub(super) fn depends_on(&self, job: &Waiting) -> bool {
        self.shortest[class(job.processors)] == job.estimate
    }

    /// The shortest estimate of the jobs of this class and all narrower ones.
    #[inline]
    pub(super) fn shortest(&self, class: usize) -> f64 {
        self.shortest[class]
    }

    /// Pairs of width and estimate such that each job is at least as wide and as long as one of them.
    pub(super) fn least(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        let mut before = f64::INFINITY;
        self.shortest.iter().enumerate().filter_map(move |(class, &shortest)| {
            let is_less = shortest < std::mem::replace(&mut before, shortest);
            is_less.then(|| (narrowest(class), shortest))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::JobId;

    #[test]
    fn a_class_ends_where_the_next_begins() {
        assert_eq!((class(1), narrowest(0)), (0, 1));
        for next in 1..CLASSES {
            let width = narrowest(next);
            assert_eq!((class(width - 1), class(width)), (next - 1, next), "{width}");
        }
        assert_eq!((narrowest(CLASSES - 1), class(u32::MAX)), (4097, CLASSES - 1));
    }

    #[test]
    fn the_shortest_are_those_of_the_jobs() {
        let job = |processors, estimate| Waiting { job: JobId(0), submit: 0, processors, estimate };
        let jobs = [job(4, 50.0), job(3, 70.0), job(16, 60.0), job(9000, 20.0)];
        let of = |jobs: &[Waiting]| ShortestByWidth::of(jobs.iter().map(|job| (job.processors, job.estimate)));
        let by_width = of(&jobs);
        assert_eq!(by_width.least().collect::<Vec<_>>(), [(3, 70.0), (4, 50.0), (4097, 20.0)]);
        assert_eq!([1, 3, 20, 9000].map(|width| by_width.shortest(class(width))), [f64::INFINITY, 70.0, 50.0, 20.0]);
        assert_eq!(jobs.map(|job| by_width.depends_on(&job)), [true, true, false, true]);
        let mut entered = of(&jobs[..2]);
        entered.enter(&jobs[2]);
        entered.enter(&jobs[3]);
        assert_eq!(entered.shortest, by_width.shortest);
    }
}

//! Orders to start from: what lists with backfilling would do.

use super::problem::RoundProblem;

/// The orders by which waiting jobs are listed. Ties keep the order of submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartList {
    /// First come first served (List-REG).
    Fcfs,
    /// Shortest first.
    Sjf,
    /// Smallest area r E first.
    Saf,
    /// Smallest r E² first.
    Spf,
    /// Largest area first.
    Laf,
    /// Widest first.
    Widest,
    /// Steepest rise of cost per area first.
    Density,
}

impl StartList {
    /// All list orders.
    pub const ALL: [StartList; 7] = [
        StartList::Density,
        StartList::Fcfs,
        StartList::Sjf,
        StartList::Saf,
        StartList::Spf,
        StartList::Laf,
        StartList::Widest,
    ];

    /// The value by which the list is sorted, smallest first.
    #[inline]
    fn key(self, problem: &RoundProblem, job: u32) -> f64 {
        let task = problem.task(job);
        let (width, length) = (f64::from(task.demand.take), f64::from(task.demand.length));
        match self {
            StartList::Fcfs => 0.0,
            StartList::Sjf => length,
            StartList::Saf => width * length,
            StartList::Spf => width * length * length,
            StartList::Laf => -width * length,
            StartList::Widest => -width,
            StartList::Density => -task.density(),
        }
    }
}

/// Sorts `submitted`, the jobs in the order of submission, into `order`, the order of a list.
pub fn sort(
    list: StartList,
    problem: &RoundProblem,
    submitted: &[u32],
    keyed: &mut Vec<(f64, u32)>,
    order: &mut Vec<u32>,
) {
    order.clear();
    if list == StartList::Fcfs {
        order.extend_from_slice(submitted);
        return;
    }
    keyed.clear();
    keyed.extend(submitted.iter().zip(0..).map(|(&job, i)| (list.key(problem, job), i)));
    keyed.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    order.extend(keyed.iter().map(|&(_, i)| submitted[i as usize]));
}

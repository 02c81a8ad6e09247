//! The divider between small and large jobs: a median of known run times.

use super::options::{Divide, Known, Options};
use super::week::Weeks;
use crate::workload::{Seconds, Workload};

/// The dividers of the weeks.
#[derive(Clone, Debug)]
pub(super) struct Dividers {
    rule: Divide,
    weeks: Weeks,
    /// When each run time became known, and it, in the order of time.
    known: Vec<(Seconds, Seconds)>,
    /// The first so many of the known run times, in order of length.
    sorted: Vec<Seconds>,
    /// Of the whole log, where that is the rule.
    of_trace: Option<Seconds>,
    /// The week asked for last, and its divider.
    last: (usize, Option<Seconds>),
}

impl Dividers {
    pub(super) fn new(options: &Options, workload: &Workload) -> Self {
        let mut known = Vec::new();
        if options.known != Known::Online {
            known.extend(workload.requests().iter().map(|request| request.submit).zip(workload.runs().iter().copied()));
        }
        let of_trace = (options.divider == Divide::Trace).then(|| median(workload.runs().to_vec())).flatten();
        let weeks = Weeks::of(workload);
        Dividers { rule: options.divider, weeks, known, sorted: Vec::new(), of_trace, last: (0, None) }
    }

    /// A job completes; later ones are told later.
    pub(super) fn completed(&mut self, run: Seconds, now: Seconds) {
        self.known.push((now, run));
    }

    /// The divider of a week; those asked for do not go back in time, and all that completed before the week are told.
    pub(super) fn of(&mut self, week: usize) -> Option<Seconds> {
        if week != self.last.0 {
            self.last = (week, self.find(week));
        }
        self.last.1
    }

    fn find(&mut self, week: usize) -> Option<Seconds> {
        if week == 0 {
            return None;
        }
        let before = |time: Seconds| self.known.partition_point(|&(known, _)| known < time);
        let count = before(self.weeks.begin(week));
        match self.rule {
            Divide::Trace => self.of_trace,
            Divide::All => {
                self.sorted.extend(self.known[self.sorted.len()..count].iter().map(|&(_, run)| run));
                // two runs in order: this sort merges them
                self.sorted.sort();
                middle(&self.sorted)
            }
            Divide::Week => {
                // where nobody became known in a week, the divider before it stays
                let (latest, _) = *self.known[..count].last()?;
                let first = before(self.weeks.begin(self.weeks.week(latest)));
                median(self.known[first..count].iter().map(|&(_, run)| run).collect())
            }
        }
    }
}

/// The median of run times, that of an even number the mean of the middle two, rounded half up.
pub(super) fn median(mut runs: Vec<Seconds>) -> Option<Seconds> {
    runs.sort();
    middle(&runs)
}

fn middle(sorted: &[Seconds]) -> Option<Seconds> {
    let (low, high) = (sorted.get(sorted.len().checked_sub(1)? / 2)?, sorted.get(sorted.len() / 2)?);
    Some((low + high + 1) / 2)
}

#[cfg(test)]
mod tests {
    use super::super::WEEK;
    use super::super::testing::workload;
    use super::*;

    #[test]
    fn the_median_of_an_even_number_is_rounded_up() {
        assert_eq!(median(vec![]), None);
        assert_eq!(median(vec![7]), Some(7));
        assert_eq!(median(vec![4, 1]), Some(3));
        assert_eq!(median(vec![5, 1, 3]), Some(3));
        assert_eq!(median(vec![9, 1, 3, 5]), Some(4));
    }

    /// A job every half week, of 10, 20, 30 ... seconds.
    fn dividers(rule: Divide, known: Known, weeks: &[usize]) -> Vec<Option<Seconds>> {
        let jobs: Vec<(Seconds, Seconds)> = (0..8).map(|i| (100 + i * WEEK / 2, 10 * (i + 1))).collect();
        let workload = workload(&jobs);
        let options = Options { divider: rule, known, ..Options::default() };
        let mut dividers = Dividers::new(&options, &workload);
        if known == Known::Online {
            jobs.iter().for_each(|&(submit, run)| dividers.completed(run, submit + run));
        }
        weeks.iter().map(|&week| dividers.of(week)).collect()
    }

    #[test]
    fn each_rule_takes_its_jobs() {
        for known in [Known::Online, Known::Decoupled] {
            assert_eq!(dividers(Divide::All, known, &[0, 1, 2, 3]), [None, Some(15), Some(25), Some(35)]);
            assert_eq!(dividers(Divide::Week, known, &[0, 1, 2, 3]), [None, Some(15), Some(35), Some(55)]);
            assert_eq!(dividers(Divide::Trace, known, &[0, 1, 3]), [None, Some(45), Some(45)]);
            assert_eq!(dividers(Divide::Week, known, &[9]), [Some(75)], "it stays where nobody became known");
            assert_eq!(dividers(Divide::All, known, &[1, 9]), [Some(15), Some(45)]);
        }
    }

    #[test]
    fn a_job_that_completes_as_the_week_begins_is_not_known_yet() {
        let workload = workload(&[(0, 50), (WEEK - 60, 60)]);
        let mut dividers = Dividers::new(&Options::default(), &workload);
        dividers.completed(50, 50);
        dividers.completed(60, WEEK);
        assert_eq!(dividers.of(1), Some(50));
    }
}

//! The divider between small and large jobs: a median of known run times, or a run time between two clusters of them.

use super::clusters::LogRuns;
use super::feature::Weeks;
use super::options::{ClassifierOptions, Divide, Known};
use packfair_workload::{Seconds, Workload};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The dividers of the weeks.
#[derive(Debug)]
pub(super) struct Dividers {
    rule: Divide,
    weeks: Weeks,
    /// Whether a run time is known from the submission on.
    known_without_end: bool,
    /// When each run time became known, and the run time, in order of time.
    known: Vec<(Seconds, Seconds)>,
    /// The median of the first `medians` known run times.
    median: Median,
    medians: usize,
    /// The same run times by their logarithms, where that is the rule.
    logarithms: LogRuns,
    /// The median of the whole log, if that is the rule.
    of_trace: Option<Seconds>,
    /// The week that was asked for last, and its divider.
    last: (usize, Option<Seconds>),
}

impl Dividers {
    pub(super) fn new(options: &ClassifierOptions, workload: &Workload) -> Self {
        let of_trace = (options.divider == Divide::Trace).then(|| median(workload.runs())).flatten();
        Dividers {
            rule: options.divider,
            weeks: Weeks::of_days(workload, options.retrain),
            known_without_end: options.known != Known::Online,
            known: Vec::new(),
            median: Median::default(),
            medians: 0,
            logarithms: LogRuns::default(),
            of_trace,
            last: (0, None),
        }
    }

    /// Takes a submitted job that runs for `run` seconds. Jobs come in the order of their submissions.
    pub(super) fn submitted(&mut self, run: Seconds, now: Seconds) {
        if self.known_without_end {
            self.known.push((now, run));
        }
    }

    /// Takes a completed job. Jobs come in the order of their completions.
    pub(super) fn completed(&mut self, run: Seconds, now: Seconds) {
        if !self.known_without_end {
            self.known.push((now, run));
        }
    }

    /// The divider of a week. Weeks are asked for in order, and after all completions before them.
    #[inline]
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
                self.add_medians(count);
                self.median.get()
            }
            Divide::Em | Divide::Dbscan => {
                let added = self.medians;
                self.add_medians(count);
                self.known[added..count].iter().for_each(|&(_, run)| self.logarithms.add(run));
                let divided = match self.rule {
                    Divide::Em => self.logarithms.divided_by_em(),
                    _ => self.logarithms.divided_by_dbscan(),
                };
                // where two clusters are not found the median divides
                divided.or_else(|| self.median.get())
            }
            Divide::Week => {
                // a week without known jobs keeps the divider before it
                let (latest, _) = *self.known[..count].last()?;
                let first = before(self.weeks.begin(self.weeks.week(latest)));
                let mut of_week = Median::default();
                self.known[first..count].iter().for_each(|&(_, run)| of_week.add(run));
                of_week.get()
            }
        }
    }
}

impl Dividers {
    /// Takes the first `count` known run times into the median.
    fn add_medians(&mut self, count: usize) {
        self.known[self.medians..count].iter().for_each(|&(_, run)| self.median.add(run));
        self.medians = count;
    }
}

/// The median of run times. For an even number of them it is the mean of the middle two, rounded half up.
pub(super) fn median(runs: &[Seconds]) -> Option<Seconds> {
    let mut median = Median::default();
    runs.iter().for_each(|&run| median.add(run));
    median.get()
}

/// The median of numbers that are added one by one.
///
/// A log of three years has 140 weeks: sorting all known run times in each week took longer than the simulation.
#[derive(Debug, Default)]
struct Median {
    /// The lower numbers. None of them is above one of the higher numbers.
    low: BinaryHeap<Seconds>,
    /// The higher numbers.
    high: BinaryHeap<Reverse<Seconds>>,
}

impl Median {
    fn add(&mut self, number: Seconds) {
        match self.low.peek() {
            Some(&middle) if number <= middle => self.low.push(number),
            _ => self.high.push(Reverse(number)),
        }
    }

    fn get(&mut self) -> Option<Seconds> {
        while self.low.len() > self.high.len() + 1 {
            self.high.extend(self.low.pop().map(Reverse));
        }
        while self.low.len() < self.high.len() {
            self.low.extend(self.high.pop().map(|Reverse(number)| number));
        }
        let &low = self.low.peek()?;
        match self.high.peek() {
            Some(&Reverse(high)) if self.high.len() == self.low.len() => Some((low + high + 1) / 2),
            _ => Some(low),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::WEEK;
    use super::super::testing::workload;
    use super::*;

    #[test]
    fn the_median_of_an_even_number_is_rounded_up() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[7]), Some(7));
        assert_eq!(median(&[4, 1]), Some(3));
        assert_eq!(median(&[5, 1, 3]), Some(3));
        assert_eq!(median(&[9, 1, 3, 5]), Some(4));
    }

    #[test]
    fn a_median_asked_for_in_between_is_that_of_the_sorted_numbers() {
        let (mut median, mut numbers) = (Median::default(), Vec::new());
        for i in 0..500 {
            let number = i * i % 97 + if i % 50 < 25 { 0 } else { 40 };
            median.add(number);
            numbers.push(number);
            if i % 7 == 0 || i > 480 {
                numbers.sort_unstable();
                let (low, high) = (numbers[(numbers.len() - 1) / 2], numbers[numbers.len() / 2]);
                assert_eq!(median.get(), Some((low + high + 1) / 2), "after {i}");
            }
        }
    }

    /// A job every half week, of 10, 20, 30 ... seconds.
    fn dividers(rule: Divide, known: Known, weeks: &[usize]) -> Vec<Option<Seconds>> {
        let jobs: Vec<(Seconds, Seconds)> = (0..8).map(|i| (100 + i * WEEK / 2, 10 * (i + 1))).collect();
        let workload = workload(&jobs);
        let options = ClassifierOptions { divider: rule, known, ..ClassifierOptions::default() };
        let mut dividers = Dividers::new(&options, &workload);
        for &(submit, run) in &jobs {
            dividers.submitted(run, submit);
            dividers.completed(run, submit + run);
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
    fn clusters_of_known_run_times_divide_and_the_median_does_where_there_are_none() {
        // twenty jobs of about a minute and twenty of about three hours in the first week, then one of a day
        let jobs: Vec<(Seconds, Seconds)> =
            (0..40).map(|i| (i, if i % 2 == 0 { 55 + i } else { 10_000 + 50 * i })).collect();
        let workload = workload(&[jobs.clone(), vec![(WEEK + 5, 86_400)]].concat());
        for (rule, between) in [(Divide::Em, 95..10_000), (Divide::Dbscan, 500..1_200)] {
            let mut dividers =
                Dividers::new(&ClassifierOptions { divider: rule, ..ClassifierOptions::default() }, &workload);
            assert_eq!(dividers.of(0), None);
            jobs.iter().for_each(|&(submit, run)| dividers.completed(run, submit + run));
            let found = dividers.of(1).unwrap();
            assert!(between.contains(&found), "{rule:?}: {found}");
            let mut alike =
                Dividers::new(&ClassifierOptions { divider: rule, ..ClassifierOptions::default() }, &workload);
            (0..9).for_each(|at| alike.completed(70, at));
            assert_eq!(alike.of(1), Some(70), "{rule:?}");
        }
    }

    #[test]
    fn periods_of_days_take_the_place_of_weeks() {
        let jobs: Vec<(Seconds, Seconds)> = (0..8).map(|i| (i * WEEK / 7, 10 * (i + 1))).collect();
        let workload = workload(&jobs);
        let options = ClassifierOptions { retrain: 2, ..ClassifierOptions::default() };
        let mut dividers = Dividers::new(&options, &workload);
        jobs.iter().for_each(|&(submit, run)| dividers.completed(run, submit + run));
        // after two days jobs of 10 and 20 s are known, after four those up to 40 s
        assert_eq!([0, 1, 2].map(|period| dividers.of(period)), [None, Some(15), Some(25)]);
    }

    #[test]
    fn a_job_that_completes_as_the_week_begins_is_not_known_yet() {
        let workload = workload(&[(0, 50), (WEEK - 60, 60)]);
        let mut dividers = Dividers::new(&ClassifierOptions::default(), &workload);
        dividers.completed(50, 50);
        dividers.completed(60, WEEK);
        assert_eq!(dividers.of(1), Some(50));
    }
}

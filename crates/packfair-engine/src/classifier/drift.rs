//! Drift: whether a classifier errs more often than it did, so that it is time to train anew.
//!
//! The rule is that of a control chart of shares, Shewhart's p-chart (1931) with its three sigmas: errors have risen if
//! their share among the last 100 jobs exceeds p by more than three standard deviations, sqrt(p (1 - p) / 100). p is
//! the share of errors among all jobs before, whichever training classified them. The training error is no measure:
//! trees grow until nearly every row is right. DDM (Gama et al. 2004) was tried and dropped. It compares with the least
//! share since the last training, and so reports the end of a lucky beginning as often as a change of habits.

use std::collections::VecDeque;

/// The number of last jobs that are compared with those before. There must be at least as many before.
const LAST: usize = 100;

/// How many standard deviations are too many.
const DEVIATIONS: f64 = 3.0;

/// Errors so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Drift {
    /// The last jobs: whether each was an error.
    last: VecDeque<bool>,
    /// Errors among them.
    recent: u32,
    /// Jobs before them, and errors among these.
    jobs: u32,
    errors: u32,
}

impl Drift {
    /// Takes the next job whose class becomes known. Returns whether errors have risen.
    pub(super) fn judge(&mut self, is_error: bool) -> bool {
        self.last.push_back(is_error);
        self.recent += u32::from(is_error);
        if self.last.len() > LAST {
            self.forget_first();
        }
        if self.last.len() < LAST || self.jobs < LAST as u32 {
            return false;
        }
        let number = LAST as f64;
        // even without an error so far, one is assumed
        let share = f64::from(self.errors.max(1)) / f64::from(self.jobs);
        let deviation = (share * (1.0 - share) / number).sqrt();
        f64::from(self.recent) / number > share + DEVIATIONS * deviation
    }

    /// Notes that training begins: the last jobs then count as those before.
    pub(super) fn train(&mut self) {
        while !self.last.is_empty() {
            self.forget_first();
        }
    }

    fn forget_first(&mut self) {
        if let Some(is_error) = self.last.pop_front() {
            self.recent -= u32::from(is_error);
            self.jobs += 1;
            self.errors += u32::from(is_error);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After how many jobs errors have risen, if every tenth of the first 300 jobs is an error, and then one of `then`.
    fn risen(then: u32) -> Option<u32> {
        let mut drift = Drift::default();
        (1..2_000).find(|&job| drift.judge(job % if job <= 300 { 10 } else { then } == 0))
    }

    #[test]
    fn errors_that_rise_are_noticed_and_others_are_not() {
        assert_eq!(risen(10), None);
        assert_eq!(risen(20), None, "fewer errors are no drift");
        assert_eq!(risen(8), None, "nor is what may well be chance");
        // by hand, every second from 302 on: at job 322 there are 19 errors in the last hundred and 22 in the 222 before, so
        // that p = 0.0991, sigma = 0.0299, and the bound is 0.1887; at 320 it were 18 in a hundred
        assert_eq!(risen(2), Some(322));
    }

    #[test]
    fn a_few_jobs_say_nothing_and_a_training_begins_anew() {
        let mut drift = Drift::default();
        assert!((0..199).all(|_| !drift.judge(true)));
        let mut drift = Drift::default();
        assert!((0..300).all(|_| !drift.judge(false)));
        // one error in 200 jobs would be 0.5 %, sigma 0.7 %: three in a hundred are above 2.6 %
        assert_eq!([true; 3].map(|is_error| drift.judge(is_error)), [false, false, true]);
        drift.train();
        assert_eq!((drift.jobs, drift.errors, drift.recent), (303, 3, 0));
        assert!((0..99).all(|_| !drift.judge(true)) && drift.judge(true));
    }
}

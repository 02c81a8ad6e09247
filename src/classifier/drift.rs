//! Drift: whether a classifier errs more often than it did, so that it is time to train anew.
//!
//! The rule is that of a control chart of shares, Shewhart's p-chart (1931) with its three sigmas: of the last 100 jobs a
//! larger share was taken for the wrong class than before by more than three standard deviations, sqrt(p (1 - p) / 100),
//! where p is the share of errors among all jobs before them, by whichever training. The training error itself is no
//! measure: trees grow until nearly every row is right. Tried and left: DDM (Gama et al. 2004), which compares with the
//! least share since the last training, and calls a lucky beginning to an end as often as habits change.

use std::collections::VecDeque;

/// Jobs that are compared with those before them; as many must be known before.
const LAST: usize = 100;

/// How many deviations are too many.
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
    /// The next job's class is known. Whether errors have risen by now.
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
        // no error so far does not mean that there is never one
        let share = f64::from(self.errors.max(1)) / f64::from(self.jobs);
        let deviation = (share * (1.0 - share) / number).sqrt();
        f64::from(self.recent) / number > share + DEVIATIONS * deviation
    }

    /// Training begins: the last jobs are of the past.
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

    /// After how many jobs errors have risen: every tenth of the first 300 is one, then every so many.
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

//! The weeks in which a classifier is trained, or other periods.

use packfair_workload::{Seconds, Workload};

/// A week, in seconds.
pub const WEEK: Seconds = 7 * 86_400;

/// A day, in seconds.
const DAY: Seconds = 86_400;

/// The weeks of a workload, counted from its first submission (CLASSIFY §4.2), or periods of another length that take
/// their place. Week 0 is the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weeks {
    first: Seconds,
    length: Seconds,
}

impl Weeks {
    /// The weeks of a workload.
    pub fn of(workload: &Workload) -> Self {
        Weeks { first: workload.requests().first().map_or(0, |request| request.submit), length: WEEK }
    }

    /// Periods of `days` days in place of weeks.
    pub fn of_days(workload: &Workload, days: u32) -> Self {
        Weeks { length: Seconds::from(days.max(1)) * DAY, ..Weeks::of(workload) }
    }

    /// The week of a point in time.
    pub fn week(&self, time: Seconds) -> usize {
        ((time - self.first) / self.length).max(0) as usize
    }

    /// When a week begins.
    pub fn begin(&self, week: usize) -> Seconds {
        self.first + week as Seconds * self.length
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::workload;
    use super::*;

    #[test]
    fn periods_are_counted_from_the_first_submission() {
        let workload = workload(&[(100, 1)]);
        let (weeks, days) = (Weeks::of(&workload), Weeks::of_days(&workload, 2));
        assert_eq!(weeks, Weeks::of_days(&workload, 7));
        assert_eq!((weeks.week(100 + WEEK - 1), weeks.week(100 + WEEK), weeks.begin(1)), (0, 1, 100 + WEEK));
        assert_eq!((days.week(100 + 2 * DAY - 1), days.week(100 + 2 * DAY), days.begin(3)), (0, 1, 100 + 6 * DAY));
    }
}

//! The hours in which a user works.

use crate::workload::moment::time_of;
use crate::workload::{Clock, Seconds};
use serde::{Deserialize, Serialize};

const HOUR: Seconds = 3_600;

const WEEK: usize = 168;

/// The fewest hours in a row that count as working hours.
const FEWEST: usize = 8;

/// The share of a user's batches that begin in the working hours of a day, and the share that begin on working days: 19
/// of 20.
const SHARE: (usize, usize) = (19, 20);

/// The hours of the week in which a user's batches begin, on the clock of the log's place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct WorkingHours {
    /// For each hour of the week, whether the user works then. Some hours are worked.
    is_worked: Vec<bool>,
}

impl WorkingHours {
    /// The working hours of a user whose batches began at these times, on the clock of the place: the fewest hours in a
    /// row, at least 8, in which 95 % of the batches begin, on the fewest days of the week on which 95 % begin.
    pub(super) fn of(begins: &[Seconds]) -> Self {
        let (mut hours, mut days) = ([0; 24], [0; 7]);
        for &begin in begins {
            let hour = hour_of_week(begin);
            hours[hour % 24] += 1;
            days[hour / 24] += 1;
        }
        let is_enough = |count: usize| count * SHARE.1 >= begins.len() * SHARE.0;
        let within = |first: usize, length: usize| (first..first + length).map(|hour| hours[hour % 24]).sum::<usize>();
        let windows = (FEWEST..=24).flat_map(|length| (0..24).map(move |first| (first, length)));
        // all 24 hours hold all batches, so a window is found
        let (first, length) =
            windows.clone().find(|&(first, length)| is_enough(within(first, length))).unwrap_or((0, 24));
        let mut by_use: Vec<usize> = (0..7).collect();
        by_use.sort_by_key(|&day| std::cmp::Reverse(days[day]));
        let (mut is_day, mut held) = ([false; 7], 0);
        for day in by_use {
            if held > 0 && is_enough(held) {
                break;
            }
            is_day[day] = true;
            held += days[day];
        }
        let is_worked = |hour: usize| is_day[hour / 24] && (hour % 24 + 24 - first) % 24 < length;
        WorkingHours { is_worked: (0..WEEK).map(is_worked).collect() }
    }

    fn is_within(&self, local: Seconds) -> bool {
        self.is_worked[hour_of_week(local)]
    }

    /// The first moment from `time` on that is within the working hours.
    pub(super) fn next(&self, clock: &Clock, time: Seconds) -> Seconds {
        let local = clock.local(time);
        if self.is_within(local) {
            return time;
        }
        let hour = local.div_euclid(HOUR);
        // every week has working hours
        let next = (hour + 1..=hour + WEEK as Seconds).find(|hour| self.is_within(hour * HOUR)).unwrap_or(hour);
        time_of(clock, next * HOUR).max(time)
    }

    pub(super) fn between(&self, clock: &Clock, from: Seconds, until: Seconds) -> Seconds {
        self.until(clock.local(until)) - self.until(clock.local(from))
    }

    /// The moment at which `seconds` of working hours have passed since `from`. It is within the working hours.
    pub(super) fn after(&self, clock: &Clock, from: Seconds, seconds: Seconds) -> Seconds {
        let target = self.until(clock.local(from)) + seconds;
        let week = target.div_euclid(self.of_a_week());
        let mut left = target - week * self.of_a_week();
        let mut hour = week * WEEK as Seconds;
        // less than a week of working hours is left
        while !self.is_within(hour * HOUR) || left >= HOUR {
            left -= if self.is_within(hour * HOUR) { HOUR } else { 0 };
            hour += 1;
        }
        time_of(clock, hour * HOUR + left).max(from)
    }

    /// The seconds of working hours from the zero of the place's clock to the moment `local` on it.
    fn until(&self, local: Seconds) -> Seconds {
        let week = local.div_euclid(WEEK as Seconds * HOUR);
        let hour = hour_of_week(local);
        let whole = self.is_worked[..hour].iter().filter(|&&is| is).count() as Seconds;
        let part = if self.is_worked[hour] { local.rem_euclid(HOUR) } else { 0 };
        week * self.of_a_week() + whole * HOUR + part
    }

    fn of_a_week(&self) -> Seconds {
        self.is_worked.iter().filter(|&&is| is).count() as Seconds * HOUR
    }
}

fn hour_of_week(local: Seconds) -> usize {
    local.div_euclid(HOUR).rem_euclid(WEEK as Seconds) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::Header;

    /// Nine to five on the first five days after the clock's zero.
    fn office() -> WorkingHours {
        WorkingHours::of(
            &(0..5).flat_map(|day| (9..17).map(move |hour| (day * 24 + hour) * HOUR + 60)).collect::<Vec<_>>(),
        )
    }

    fn clock() -> Clock {
        Clock::of(&Header::default(), 0, 0)
    }

    #[test]
    fn an_office_works_on_its_days_and_hours() {
        let (office, clock) = (office(), clock());
        assert_eq!(office.of_a_week(), 40 * HOUR);
        assert_eq!(office.next(&clock, 10 * HOUR + 5), 10 * HOUR + 5);
        assert_eq!(office.next(&clock, 17 * HOUR), 33 * HOUR, "the next day");
        assert_eq!(office.next(&clock, (4 * 24 + 17) * HOUR), (7 * 24 + 9) * HOUR, "after the weekend");
    }

    #[test]
    fn hours_that_go_by_are_the_same_wherever_they_begin() {
        let (office, clock) = (office(), clock());
        assert_eq!(office.between(&clock, 16 * HOUR, 34 * HOUR), 2 * HOUR);
        assert_eq!(office.after(&clock, 16 * HOUR, 2 * HOUR), 34 * HOUR);
        assert_eq!(office.after(&clock, 16 * HOUR, HOUR), 33 * HOUR, "the end of a day is no working hour");
        for from in (0..900).map(|i| i * 1_777) {
            for gone in [0, 1, 3_599, 28_800, 200_000] {
                let then = office.after(&clock, from, gone);
                assert!(office.is_within(then), "{from} {gone}");
                assert_eq!(office.between(&clock, from, then), gone);
            }
        }
    }

    #[test]
    fn who_came_once_works_for_eight_hours_of_that_day() {
        let once = WorkingHours::of(&[50 * HOUR]);
        assert_eq!(once.of_a_week(), 8 * HOUR);
        assert!(once.is_within(50 * HOUR));
        assert_eq!(WorkingHours::of(&[]).of_a_week(), 7 * 8 * HOUR, "who never came works some time of each day");
    }
}

//! Reservations that come again (DAILY and its like).

use serde::{Deserialize, Serialize};

const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;

/// When a reservation comes again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Repeat {
    Hourly,
    Daily,
    /// From Monday to Friday.
    Weekdays,
    /// On Saturday and Sunday.
    Weekends,
    Weekly,
}

/// The flags of reservations that come again. Slurm goes by the first that is there.
const FLAGS: [(&str, Repeat); 5] = [
    ("HOURLY", Repeat::Hourly),
    ("DAILY", Repeat::Daily),
    ("WEEKDAY", Repeat::Weekdays),
    ("WEEKEND", Repeat::Weekends),
    ("WEEKLY", Repeat::Weekly),
];

impl Repeat {
    /// What the flags of a reservation say, with the word that says it.
    pub(super) fn of(has: impl Fn(&str) -> bool) -> Option<(&'static str, Self)> {
        FLAGS.into_iter().find(|(flag, _)| has(flag))
    }

    /// The first time that ends after `now`, where one of the times is `from` to `until`, in seconds since 1970 on the site's
    /// clock. Slurm looks no further ahead.
    pub fn next(self, (from, until): (i64, i64), now: i64) -> (i64, i64) {
        let step = match self {
            Repeat::Hourly => HOUR,
            Repeat::Weekly => 7 * DAY,
            Repeat::Daily | Repeat::Weekdays | Repeat::Weekends => DAY,
        };
        let times = now.saturating_sub(until).div_euclid(step).saturating_add(1);
        let later = times.saturating_mul(step);
        let from_then = from.saturating_add(later);
        let is_on = |days: &i64| {
            // 1970 began on a Thursday; Monday is 0
            let day = (from_then.div_euclid(DAY) + days + 3).rem_euclid(7);
            match self {
                Repeat::Weekdays => day < 5,
                Repeat::Weekends => day >= 5,
                _ => true,
            }
        };
        let later = later.saturating_add((0..7).find(is_on).unwrap_or(0) * DAY);
        (from.saturating_add(later), until.saturating_add(later))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_come_again_on_their_days() {
        // Friday, 2026-01-02
        let friday = 1_767_312_000;
        let first = (friday + 8 * HOUR, friday + 10 * HOUR);
        let next = |repeat: Repeat, now: i64| (repeat.next(first, now).0 - first.0) / HOUR;
        for (repeat, at, hours) in [
            (Repeat::Daily, first.0, 0),
            (Repeat::Daily, first.1, 24),
            (Repeat::Daily, first.1 - 1, 0),
            (Repeat::Daily, first.0 - 9 * DAY, -9 * 24),
            (Repeat::Weekdays, first.1, 72),
            (Repeat::Weekdays, first.0 - DAY, -24),
            (Repeat::Weekends, first.0, 24),
            (Repeat::Weekends, first.0 + 2 * DAY, 48),
            (Repeat::Weekends, first.0 + 3 * DAY, 8 * 24),
            (Repeat::Weekly, first.1, 7 * 24),
            (Repeat::Weekly, first.0 - 8 * DAY, -7 * 24),
            (Repeat::Hourly, first.1 + 30, 1),
        ] {
            assert_eq!(next(repeat, at), hours, "{repeat:?} {at}");
        }
        for now in [i64::MIN, i64::MAX] {
            assert!(Repeat::Weekends.next(first, now).0 <= Repeat::Weekends.next(first, now).1);
        }
    }
}

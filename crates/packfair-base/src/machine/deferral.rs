//! Jobs that are let wait for hours of the day in which energy is cheap.

use super::Seconds;
use std::fmt;

/// An hour, seconds.
const HOUR: Seconds = 3_600;

/// A day, seconds.
const DAY: Seconds = 24 * HOUR;

/// Which jobs wait for which hours: an assumption, for no log tells who could have waited.
#[derive(Clone, Debug, PartialEq)]
pub struct Deferral {
    /// The hours of the day, 0 to 23: from the first to before the second, past midnight where that is smaller.
    hours: (u8, u8),
    who: Deferred,
}

/// Who waits.
#[derive(Clone, Debug, PartialEq)]
pub enum Deferred {
    All,
    /// The jobs of these users, by name or number.
    Users(Vec<String>),
    /// The jobs of these queues (partitions), by name or number.
    Queues(Vec<String>),
    /// So many percent of all jobs.
    Share(f64),
}

impl Deferral {
    /// Who waits from which hour on it is cheap, and until which.
    pub(super) fn read(hours: &str, who: Deferred) -> Option<Self> {
        let (from, until) = hours.split_once('-')?;
        let hours = (from.trim().parse().ok()?, until.trim().parse().ok()?);
        let is_hour = |hour: u8| hour < 24;
        (is_hour(hours.0) && is_hour(hours.1) && hours.0 != hours.1).then_some(Deferral { hours, who })
    }

    /// That of so many percent of all jobs, for the hours from one to another.
    pub(super) fn of_share(hours: (u8, u8), percent: f64) -> Self {
        Deferral { hours, who: Deferred::Share(percent) }
    }

    /// Who waits.
    pub fn who(&self) -> &Deferred {
        &self.who
    }

    /// How long a job waits at least that is submitted at this time of a clock, seconds.
    pub fn wait_at(&self, local: Seconds) -> Seconds {
        let begin = Seconds::from(self.hours.0) * HOUR;
        let length = (Seconds::from(self.hours.1) * HOUR - begin).rem_euclid(DAY);
        let since = (local - begin).rem_euclid(DAY);
        if since < length { 0 } else { DAY - since }
    }

    /// A short name, for a row.
    pub(super) fn name(&self) -> String {
        let who = match &self.who {
            Deferred::All => "all jobs".to_owned(),
            Deferred::Users(names) => format!("jobs of {}", names.join(" and ")),
            Deferred::Queues(names) => format!("jobs of queue {}", names.join(" and ")),
            Deferred::Share(percent) => format!("{percent} % of jobs"),
        };
        format!("{who} waiting for {:02}:00 to {:02}:00", self.hours.0, self.hours.1)
    }
}

impl fmt::Display for Deferral {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "wait_for={}-{}", self.hours.0, self.hours.1)?;
        match &self.who {
            Deferred::All => Ok(()),
            Deferred::Users(names) => write!(f, " user={}", names.join("+")),
            Deferred::Queues(names) => write!(f, " queue={}", names.join("+")),
            Deferred::Share(percent) => write!(f, " share={percent}%"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_comes_in_cheap_hours_does_not_wait() {
        let night = Deferral::read("22-6", Deferred::All).unwrap();
        for (hour, wait) in [(0, 0), (5, 0), (6, 16), (21, 1), (22, 0), (30, 16), (-1, 0)] {
            assert_eq!(night.wait_at(hour * HOUR), wait * HOUR, "{hour}");
        }
        assert_eq!(night.wait_at(6 * HOUR - 1), 0);
        assert_eq!(night.wait_at(22 * HOUR - 1), 1);
        for wrong in ["22", "22-22", "24-6", "a-b", "-1-6", ""] {
            assert_eq!(Deferral::read(wrong, Deferred::All), None, "{wrong}");
        }
    }
}

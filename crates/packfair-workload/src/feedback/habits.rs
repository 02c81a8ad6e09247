//! What a log tells of its users: their sessions, their think times, and whether these depend on response times.

use super::{Reactions, StatedCounts};
use crate::clock::time_of;
use crate::{Clock, Distribution, Seconds, Workload};
use serde::{Deserialize, Serialize};

/// Classes of response times, seconds: up to a minute, ten minutes, an hour, eight hours, and longer.
const CLASSES: [Seconds; 4] = [60, 600, 3_600, 28_800];

/// The fewest think times from which a dependence is computed.
const FEWEST: usize = 30;

/// What a log tells of its users.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Habits {
    pub sessions: Distribution,
    pub jobs: Distribution,
    pub batches: usize,
    /// The number of batches that wait for something.
    pub dependent: usize,
    /// Think times, seconds: from the end of what a batch waited for to its submission, where this is no longer than
    /// the gap between sessions.
    pub thinks: Distribution,
    /// Whether users think longer after longer responses; none where there are too few think times to tell.
    pub dependence: Option<Dependence>,
    /// What became of the dependencies that the log states.
    pub stated: StatedCounts,
    /// The number of jobs of which the log does not tell when they started. They are assumed to have started at once.
    pub unknown_starts: usize,
}

/// How think times depend on the response times before them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dependence {
    /// Spearman's rank correlation of think times and response times.
    pub rank: f64,
    /// Its interval of 95 % confidence (Fisher's z, with the standard error 1.03 / √(n − 3) of ranks).
    pub interval: (f64, f64),
    /// For each class of response times: its upper end, seconds (none for the last class), the number of think times in
    /// it, and their median, seconds.
    pub classes: Vec<(Option<Seconds>, usize, f64)>,
}

impl Habits {
    pub fn of(workload: &Workload, reactions: &Reactions) -> Self {
        let mut sessions: Vec<(u32, i32)> =
            workload.jobs().zip(reactions.sessions()).map(|(job, &s)| (s, workload.request(job).user)).collect();
        sessions.sort_unstable();
        let jobs = run_lengths(sessions.iter().map(|&(session, _)| session));
        sessions.dedup();
        let mut users: Vec<i32> = sessions.iter().map(|&(_, user)| user).filter(|&user| user >= 0).collect();
        users.sort_unstable();
        let of_users = run_lengths(users.into_iter());
        let gap = reactions.rule().gap();
        let mut pairs: Vec<(f64, f64)> = Vec::new();
        for batch in 0..reactions.batches() {
            // of several dependencies, the one that ended last is what the user waited for last
            let last = reactions.dependencies(batch).iter().max_by_key(|dependency| dependency.end);
            if let Some(dependency) = last.filter(|dependency| (0..=gap).contains(&dependency.think)) {
                pairs.push(((dependency.end - dependency.begin) as f64, dependency.think as f64));
            }
        }
        Habits {
            sessions: Distribution::of(of_users),
            jobs: Distribution::of(jobs),
            batches: reactions.batches(),
            dependent: reactions.dependent_batches(),
            thinks: Distribution::of(pairs.iter().map(|&(_, think)| think).collect()),
            dependence: Dependence::of(&pairs),
            stated: reactions.stated(),
            unknown_starts: reactions.unknown_starts(),
        }
    }
}

/// How often each value occurs in a sequence in which equal values follow each other.
fn run_lengths<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<f64> {
    let (mut lengths, mut last): (Vec<f64>, Option<T>) = Default::default();
    for value in values {
        match lengths.last_mut() {
            Some(length) if last.as_ref() == Some(&value) => *length += 1.0,
            _ => lengths.push(1.0),
        }
        last = Some(value);
    }
    lengths
}

impl Dependence {
    /// The dependence in pairs of a response time and the think time after it.
    fn of(pairs: &[(f64, f64)]) -> Option<Self> {
        if pairs.len() < FEWEST {
            return None;
        }
        let ranked = |of: fn(&(f64, f64)) -> f64| ranks(&pairs.iter().map(of).collect::<Vec<_>>());
        let rank = correlation(&ranked(|pair| pair.0), &ranked(|pair| pair.1))?;
        let error = 1.03 / libm::sqrt(pairs.len() as f64 - 3.0);
        let z = libm::atanh(rank.clamp(-0.999_999, 0.999_999));
        let interval = (libm::tanh(z - 1.96 * error), libm::tanh(z + 1.96 * error));
        let mut classes = Vec::new();
        let mut from = Seconds::MIN;
        for upto in CLASSES.into_iter().map(Some).chain([None]) {
            let is_in = |response: f64| response > from as f64 && upto.is_none_or(|upto| response <= upto as f64);
            let thinks: Vec<f64> = pairs.iter().filter(|pair| is_in(pair.0)).map(|pair| pair.1).collect();
            from = upto.unwrap_or(Seconds::MAX);
            let count = thinks.len();
            classes.push((upto, count, Distribution::of(thinks).quantiles.median));
        }
        Some(Dependence { rank, interval, classes })
    }
}

/// The rank of each value, from 0; equal values have the mean of their ranks.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut first = 0;
    while first < order.len() {
        let alike = order[first..].iter().take_while(|&&i| values[i] == values[order[first]]).count();
        let mean = first as f64 + (alike - 1) as f64 / 2.0;
        order[first..first + alike].iter().for_each(|&i| ranks[i] = mean);
        first += alike;
    }
    ranks
}

/// Pearson's correlation of `x` and `y`; none where one of them does not vary.
fn correlation(x: &[f64], y: &[f64]) -> Option<f64> {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (of_x, of_y) = (mean(x), mean(y));
    let sum = |f: &dyn Fn(f64, f64) -> f64| x.iter().zip(y).map(|(x, y)| f(x - of_x, y - of_y)).sum::<f64>();
    let (xx, yy, xy) = (sum(&|x, _| x * x), sum(&|_, y| y * y), sum(&|x, y| x * y));
    (xx > 0.0 && yy > 0.0).then(|| xy / libm::sqrt(xx * yy))
}

// The hours in which a user works.

const HOUR: Seconds = 3_600;

const WEEK: usize = 168;

/// The fewest hours in a row that count as working hours.
const HOURS_FEWEST: usize = 8;

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
        let windows = (HOURS_FEWEST..=24).flat_map(|length| (0..24).map(move |first| (first, length)));
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

    #[test]
    fn who_thinks_longer_after_longer_responses_is_seen() {
        let pairs: Vec<(f64, f64)> = (0..100).map(|i| (f64::from(i) * 100.0, f64::from(i * i))).collect();
        let found = Dependence::of(&pairs).unwrap();
        assert_eq!(found.rank, 1.0);
        assert!(found.interval.0 > 0.99, "{found:?}");
        assert_eq!(found.classes.iter().map(|class| class.1).sum::<usize>(), 100);
        assert!(found.classes.windows(2).all(|pair| pair[1].1 == 0 || pair[0].2 < pair[1].2), "{found:?}");
        // ranks of 1, 2, 3, 4 against 2, 1, 4, 3: 1 - 6 * 4 / (4 * 15)
        let four = [(1.0, 2.0), (2.0, 1.0), (3.0, 4.0), (4.0, 3.0)];
        let (x, y): (Vec<f64>, Vec<f64>) = four.into_iter().unzip();
        assert!((correlation(&ranks(&x), &ranks(&y)).unwrap() - 0.6).abs() < 1e-12);
        assert_eq!(ranks(&[5.0, 1.0, 5.0]), [1.5, 0.0, 1.5]);
        assert_eq!(Dependence::of(&vec![(1.0, 1.0); 50]), None, "nothing varies");
    }
}

#[cfg(test)]
mod hours_tests {
    use super::*;
    use crate::Header;

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

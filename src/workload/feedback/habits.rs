//! What a log tells of its users: their sessions, their think times, and whether these depend on response times.

use super::{Reactions, StatedCounts};
use crate::workload::{Distribution, Seconds, Workload};
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::Treatment;
    use crate::workload::{FeedbackRule, reading};

    #[test]
    fn sessions_jobs_and_think_times_are_those_of_the_log() {
        // user 1: two jobs at once, one 100 s after both had ended, and one the next day; user 2: one job
        let lines = "; Version: 2.2\n1 0 0 50 1 -1 -1 1 600 -1 1 1\n2 10 0 90 1 -1 -1 1 600 -1 1 1\n3 200 0 50 1 -1 -1 1 600 -1 1 1\n\
            4 300 0 50 1 -1 -1 1 600 -1 1 2\n5 90000 0 50 1 -1 -1 1 600 -1 1 1\n";
        let log = reading::read("log", format!("; MaxProcs: 8\n{lines}").as_bytes()).unwrap();
        let workload = Treatment { feedback: FeedbackRule::sessions(), ..Treatment::default() }.apply(&log).unwrap();
        let habits = Habits::of(&workload, workload.reactions().unwrap());
        assert_eq!((habits.sessions.jobs, habits.sessions.mean), (2, 1.5));
        assert_eq!((habits.jobs.jobs, habits.jobs.quantiles.max), (3, 3.0));
        assert_eq!((habits.batches, habits.dependent), (4, 2));
        // the gap to the next day is not a think time
        assert_eq!((habits.thinks.jobs, habits.thinks.mean), (1, 100.0));
        assert_eq!(habits.dependence, None, "of one think time nothing is said");
    }

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

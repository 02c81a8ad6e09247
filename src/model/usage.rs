//! How much of the machine each user has had lately, and the share factor that follows from it, as Slurm's multifactor
//! plugin computes them (priority/multifactor, with the classic fair-share algorithm).
//!
//! The usage of a user is the area of their runs so far, in processor-seconds. Each second counts half as much for
//! every half-life that has passed since. Every user has an equal share of the machine: with N users, one with usage U
//! of U_all in all has the factor 2^(-N U / U_all). It is 1 for a user who has used nothing and 1/2 for one who has
//! used exactly their share. Factors are calculated anew at the first instant that is at least a period after the last
//! calculation.

use crate::workload::Seconds;
use rustc_hash::FxHashMap;

/// The half-life of usage, seconds: a week, the default of PriorityDecayHalfLife.
const HALF_LIFE: f64 = 7.0 * 86_400.0;

/// The time from one calculation to the next, seconds: the default of PriorityCalcPeriod.
const PERIOD: Seconds = 300;

/// The user and the account of a job; accounts are the log's groups.
pub(crate) type UserAndAccount = (i32, i32);

#[derive(Clone, Debug)]
pub(crate) struct Usage {
    users: FxHashMap<i32, UserUsage>,
    /// The usage of each account; accounts are the log's groups.
    accounts: FxHashMap<i32, DecayedArea>,
    all: DecayedArea,
    calculation: u64,
    at: Seconds,
    /// The usage of all users at that time, and how many users had submitted a job by then (`known`).
    of_all: f64,
    known: usize,
}

/// An area that decays, and that grows while `processors` are in use.
#[derive(Clone, Copy, Debug)]
struct DecayedArea {
    area: f64,
    processors: u64,
    at: Seconds,
}

#[derive(Clone, Copy, Debug)]
struct UserUsage {
    used: DecayedArea,
    factor: (u64, f64),
}

impl DecayedArea {
    const NONE: DecayedArea = DecayedArea { area: 0.0, processors: 0, at: 0 };

    /// The area at a time, which must not be before the last change.
    fn at(&self, time: Seconds) -> f64 {
        let left = libm::exp2(-((time - self.at) as f64) / HALF_LIFE);
        self.area * left + self.processors as f64 * HALF_LIFE / std::f64::consts::LN_2 * (1.0 - left)
    }

    /// Changes the number of processors that add to the area from `now` on.
    fn change(&mut self, now: Seconds, change: impl FnOnce(u64) -> u64) {
        *self = DecayedArea { area: self.at(now), processors: change(self.processors), at: now };
    }
}

impl Default for Usage {
    fn default() -> Self {
        Usage {
            users: FxHashMap::default(),
            accounts: FxHashMap::default(),
            all: DecayedArea::NONE,
            calculation: 0,
            at: Seconds::MIN,
            of_all: 0.0,
            known: 0,
        }
    }
}

impl Usage {
    /// Moves on to `now`, and calculates factors anew if a period has passed.
    pub(crate) fn advance(&mut self, now: Seconds) {
        if now >= self.at.saturating_add(PERIOD) {
            self.calculation += 1;
            (self.at, self.of_all, self.known) = (now, self.all.at(now), self.users.len());
        }
    }

    /// The number of the last calculation. Factors change only when it does.
    pub(crate) fn calculation(&self) -> u64 {
        self.calculation
    }

    /// Notes that a user has submitted a job.
    pub(crate) fn submitted(&mut self, user: i32) {
        self.users.entry(user).or_insert(UserUsage { used: DecayedArea::NONE, factor: (0, 1.0) });
    }

    /// Notes that a job starts on this many processors.
    pub(crate) fn started(&mut self, of: UserAndAccount, processors: u32, now: Seconds) {
        self.change(of, now, |all| all + u64::from(processors));
    }

    /// Notes that a job has ended, or was killed.
    pub(crate) fn ended(&mut self, of: UserAndAccount, processors: u32, now: Seconds) {
        self.change(of, now, |all| all - u64::from(processors));
    }

    fn change(&mut self, (user, account): UserAndAccount, now: Seconds, change: impl Fn(u64) -> u64) {
        self.accounts.entry(account).or_insert(DecayedArea::NONE).change(now, &change);
        // the factor is of the time of the calculation, so it must not see this change
        self.factor(user);
        if let Some(own) = self.users.get_mut(&user) {
            own.used.change(now, &change);
        }
        self.all.change(now, change);
    }

    /// The decayed usage of a user at `now`, processor-seconds.
    pub(crate) fn used(&self, user: i32, now: Seconds) -> f64 {
        self.users.get(&user).map_or(0.0, |own| own.used.at(now))
    }

    /// The decayed usage of an account at `now`, processor-seconds.
    pub(crate) fn used_by_account(&self, account: i32, now: Seconds) -> f64 {
        self.accounts.get(&account).map_or(0.0, |used| used.at(now))
    }

    /// The factor of a user as of the last calculation.
    pub(crate) fn factor(&mut self, user: i32) -> f64 {
        let Some(own) = self.users.get_mut(&user) else { return 1.0 };
        if own.factor.0 != self.calculation {
            let share = if self.of_all > 0.0 { own.used.at(self.at) / self.of_all } else { 0.0 };
            own.factor = (self.calculation, libm::exp2(-(self.known as f64) * share));
        }
        own.factor.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run: user, processors, start, end.
    type ToldRun = (i32, u32, Seconds, Seconds);

    /// The usage of a user, or of all, at a time, added up second by second.
    fn plain(runs: &[ToldRun], user: Option<i32>, at: Seconds) -> f64 {
        let second = |second: Seconds| (-((at - second) as f64 - 0.5) / HALF_LIFE).exp2();
        let of = |&(_, processors, start, end): &ToldRun| {
            f64::from(processors) * (start..end.min(at)).map(second).sum::<f64>()
        };
        runs.iter().filter(|run| user.is_none_or(|user| run.0 == user)).map(of).sum()
    }

    #[test]
    fn factors_are_those_of_the_definition_at_the_last_calculation() {
        let runs: [ToldRun; 5] = [
            (1, 4, 0, 90_000),
            (2, 1, 500, 700),
            (1, 2, 90_000, 95_000),
            (3, 8, 400, 120_000),
            (2, 3, 200_000, 200_001),
        ];
        let mut events: Vec<(Seconds, bool, ToldRun)> =
            runs.iter().flat_map(|&run| [(run.2, true, run), (run.3, false, run)]).collect();
        events.sort_by_key(|event| event.0);
        let mut usage = Usage::default();
        (1..=3).for_each(|user| usage.submitted(user));
        let (mut last, mut users) = (Seconds::MIN, 3);
        for (now, starts, (user, processors, ..)) in events {
            usage.advance(now);
            if last == Seconds::MIN || now >= last + PERIOD {
                last = now;
                users = 3;
            }
            if starts {
                usage.started((user, user % 2), processors, now);
            } else {
                usage.ended((user, user % 2), processors, now);
            }
            for user in 1..=3 {
                let all = plain(&runs, None, last);
                let expected =
                    if all > 0.0 { (-f64::from(users) * plain(&runs, Some(user), last) / all).exp2() } else { 1.0 };
                let of_account = usage.used_by_account(user % 2, now);
                let of_users: f64 =
                    (1..=3).filter(|other| other % 2 == user % 2).map(|user| usage.used(user, now)).sum();
                assert!((of_account - of_users).abs() < 1e-6, "what an account has had is what its users have");
                let found = usage.factor(user);
                assert!((found - expected).abs() < 1e-6, "user {user} at {now}: {found}, {expected}");
            }
        }
        assert_eq!(usage.factor(9), 1.0, "who is not known has used nothing");
    }

    #[test]
    fn who_has_used_their_share_has_half() {
        let mut usage = Usage::default();
        (1..=2).for_each(|user| usage.submitted(user));
        usage.advance(0);
        (1..=2).for_each(|user| usage.started((user, 7), 5, 0));
        usage.advance(PERIOD - 1);
        assert_eq!((usage.factor(1), usage.calculation()), (1.0, 1), "it is not time yet");
        usage.advance(PERIOD);
        assert_eq!((usage.factor(1), usage.factor(2), usage.calculation()), (0.5, 0.5, 2));
    }
}

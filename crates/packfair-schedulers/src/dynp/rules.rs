//! The settings of self-tuning dynP, and what they make of a comparison of plans.

use super::decider::{self, Case, Decider};
use super::quality::{Mean, Quality, ReducedFuture};
use crate::Order;
use packfair_base::catalogue::Settings;
use packfair_engine::model::Notes;
use packfair_workload::Seconds;
use std::cmp::Ordering;

/// The policies of the paper. The cases of DYNP Table 1 are counted for these only.
pub(super) const OF_THE_PAPER: [Order; 3] = [Order::Fcfs, Order::Sjf, Order::Ljf];

/// Settings of self-tuning dynP.
#[derive(Clone, Debug)]
pub(super) struct DynpRules {
    pub(super) policies: Vec<Order>,
    pub(super) quality: Quality,
    /// A second quality that counts as much as the first, where two are combined (DYNP §6).
    pub(super) also: Option<Quality>,
    pub(super) decider: Decider,
    /// By how much another policy must be better than the current one, in thousandths of a per cent.
    pub(super) slackness: u32,
    pub(super) future: ReducedFuture,
    pub(super) fcfs: FcfsOrder,
}

/// The order in which FCFS takes the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FcfsOrder {
    /// The order of submission, as the paper says.
    Submission,
    /// The order in which the SJF sort of the last try left the queue, with jobs that came since behind (DYNP Table 6
    /// suggests it).
    Left,
    /// As [`FcfsOrder::Left`], but the order of submission while FCFS is in force, because then FCFS sorted the queue
    /// last.
    Resorted,
}

impl DynpRules {
    pub(super) fn of(settings: &Settings) -> Self {
        let (first, second) = match settings.choice("quality").split_once('+') {
            Some((first, second)) => (first, Some(second)),
            None => (settings.choice("quality"), None),
        };
        let quality = |id: &str| match id {
            "art" => Quality::Art,
            "ms" => Quality::Makespan,
            "sldww" => Quality::Slowdown,
            _ => Quality::Artww,
        };
        DynpRules {
            policies: Order::of_several(settings.several("policies")),
            quality: quality(first),
            also: second.map(quality),
            decider: if settings.choice("decider") == "simple" { Decider::Simple } else { Decider::Advanced },
            slackness: (settings.real("slackness") * 1000.0).round() as u32,
            future: ReducedFuture {
                first: settings.whole("first").map(|n| n as usize),
                within: settings.whole("within").map(|seconds| seconds as f64),
            },
            fcfs: match settings.choice("fcfs") {
                "left" => FcfsOrder::Left,
                "resorted" => FcfsOrder::Resorted,
                _ => FcfsOrder::Submission,
            },
        }
    }

    /// Whether a policy needs to know how much of the machine each user has had.
    pub(super) fn counts_usage(&self) -> bool {
        self.policies.iter().any(|policy| policy.counts_usage())
    }

    /// Whether a policy depends on the hour or the day of the week.
    pub(super) fn reads_clock(&self) -> bool {
        self.policies.iter().any(|policy| policy.reads_clock())
    }

    /// The place of the policy to begin with: FCFS, or the first policy where FCFS is not among them (DYNP §3.2).
    pub(super) fn initial(&self) -> usize {
        self.policies.iter().position(|&order| order == Order::Fcfs).unwrap_or(0)
    }

    /// Whether a try with this outcome leaves the queue in the order of submission instead of that of an SJF sort.
    pub(super) fn leaves_submission(&self, current: usize) -> bool {
        self.fcfs == FcfsOrder::Resorted && self.policies[current] == Order::Fcfs
    }

    /// Whether this many waiting jobs make a try (DYNP §5.2: tuning "only makes sense, when more than one job" waits).
    pub(super) fn is_try(waiting: usize) -> bool {
        waiting >= 2
    }

    /// Whether plans are compared by their whole means, and not only by the part that differs between plans.
    pub(super) fn compares_means(&self) -> bool {
        // slowdowns are fractions, and of two combined qualities the ratio to the best plan counts
        self.slackness > 0 || !self.future.is_whole() || self.quality == Quality::Slowdown || self.also.is_some()
    }

    /// The policy after a try, given `best`, the places of the best policies in ascending order. `mean` tells the
    /// quality of a policy, and is called only with slackness.
    pub(super) fn decide(
        &self,
        best: &[usize],
        current: usize,
        mut mean: impl FnMut(usize) -> Mean,
        counts: &mut Counts,
    ) -> usize {
        let mut choose = |decider: Decider| {
            let choice = decider.choose(best, current);
            let holds = choice == current || self.slackness == 0;
            if holds || mean(choice).is_better_by(&mean(current), self.slackness) { choice } else { current }
        };
        let [simple, advanced] = [Decider::Simple, Decider::Advanced].map(&mut choose);
        counts.differing += u64::from(simple != advanced);
        if self.decider == Decider::Simple { simple } else { advanced }
    }

    /// Counts the case of a try, if the policies are those of the paper.
    pub(super) fn count_case(
        &self,
        best: &[usize],
        current: usize,
        fcfs_with_sjf: impl FnOnce() -> Ordering,
        counts: &mut Counts,
    ) {
        if self.policies == OF_THE_PAPER {
            counts.cases[Case::of(best, current, fcfs_with_sjf) as usize] += 1;
        }
    }
}

/// The places of the smallest values.
pub(super) fn places_of_least<T>(values: &[T], compare: impl Fn(&T, &T) -> Ordering) -> Vec<usize> {
    let mut best: Vec<usize> = Vec::new();
    for (place, value) in values.iter().enumerate() {
        match best.first().map_or(Ordering::Equal, |&first| compare(value, &values[first])) {
            Ordering::Less => best = vec![place],
            Ordering::Equal => best.push(place),
            Ordering::Greater => {}
        }
    }
    best
}

// What a dynP run counts (DYNP Tables 4 to 6).

/// What happened to the policies over a whole run.
#[derive(Clone, Debug, PartialEq)]
pub struct Counts {
    /// The policies, as places in [`decider::POLICIES`]. Other fields name a policy by its index in this list.
    pub policies: Vec<usize>,
    /// How many jobs started under each policy.
    pub started: Vec<u64>,
    /// Decisions. Self-tuning: rounds in which at least two jobs wait; basic: rounds with an arrival in which at
    /// least five do.
    pub tries: u64,
    /// How many tries ended with another policy than before, by the policy after.
    pub switches: Vec<u64>,
    /// The number of jobs that waited at a try before any started, summed over tries.
    pub backlog: u64,
    /// How often each case of DYNP Table 1 occurred, in the order of [`Case::ALL`]; all zero where the policies are
    /// not FCFS, SJF and LJF, or nothing is compared.
    pub cases: [u64; Case::ALL.len()],
    /// Tries in which the two deciders would choose differently.
    pub differing: u64,
    /// When policies came into force, and which, from the first arrival on.
    pub course: Vec<(Seconds, usize)>,
}

impl Counts {
    pub(super) fn new(policies: &[Order]) -> Self {
        let none = vec![0; policies.len()];
        Counts {
            policies: decider::places_of(policies),
            started: none.clone(),
            tries: 0,
            switches: none,
            backlog: 0,
            cases: [0; Case::ALL.len()],
            differing: 0,
            course: Vec::new(),
        }
    }

    /// Notes that the policy at the place `current` is in force at `now`, if none was before.
    pub(super) fn begin(&mut self, now: Seconds, current: usize) {
        if self.course.is_empty() {
            self.course.push((now, current));
        }
    }

    /// Counts a try at `now`, with `backlog` jobs waiting.
    pub(super) fn decided(&mut self, now: Seconds, backlog: usize, before: usize, after: usize) {
        self.tries += 1;
        self.backlog += backlog as u64;
        if before != after {
            self.switches[after] += 1;
            self.course.push((now, after));
        }
    }

    /// Reports all counts under the names of [`super::decider`].
    pub(super) fn report(&self, notes: &mut Notes) {
        notes.set(decider::TRIES, self.tries as f64);
        notes.set(decider::SAME_POLICY, self.same_policy() as f64);
        notes.set(decider::DIFFERING, self.differing as f64);
        notes.set(decider::BACKLOG, self.backlog as f64);
        for (i, &policy) in self.policies.iter().enumerate() {
            let (id, _) = decider::POLICIES[policy];
            notes.set_part(decider::STARTED, id, self.started[i] as f64);
            notes.set_part(decider::SWITCHES, id, self.switches[i] as f64);
        }
        if self.cases.iter().any(|&count| count > 0) {
            for case in Case::ALL {
                notes.set_part(decider::CASES, case.id(), self.of_case(case) as f64);
            }
        }
        let course = self.course.iter().map(|&(from, policy)| (from, self.policies[policy] as f64));
        notes.set_course(decider::POLICY, course.collect());
    }

    /// Reads what a dynP run reported; none if the notes are of another scheduler.
    pub fn of(reported: &Notes) -> Option<Counts> {
        let count = |note| Some(reported.count(note)? as u64);
        let part =
            |note, part: &str| reported.parts(note).find(|(name, _)| *name == part).map(|(_, value)| value as u64);
        let has_part = |&place: &usize| part(decider::STARTED, decider::POLICIES[place].0).is_some();
        let policies: Vec<usize> = (0..decider::POLICIES.len()).filter(has_part).collect();
        let of_each =
            |note| policies.iter().map(|&at| part(note, decider::POLICIES[at].0).unwrap_or_default()).collect();
        let place = |of: f64| policies.iter().position(|&policy| policy as f64 == of).unwrap_or_default();
        Some(Counts {
            tries: count(decider::TRIES)?,
            started: of_each(decider::STARTED),
            switches: of_each(decider::SWITCHES),
            backlog: count(decider::BACKLOG)?,
            cases: Case::ALL.map(|case| part(decider::CASES, case.id()).unwrap_or_default()),
            differing: count(decider::DIFFERING)?,
            course: reported.course(decider::POLICY).iter().map(|&(from, order)| (from, place(order))).collect(),
            policies,
        })
    }

    /// The number of tries after which the policy was the same as before.
    pub fn same_policy(&self) -> u64 {
        self.tries - self.switches.iter().sum::<u64>()
    }

    /// How many jobs waited on average at a try; none without tries.
    pub fn mean_backlog(&self) -> Option<f64> {
        (self.tries > 0).then(|| self.backlog as f64 / self.tries as f64)
    }

    /// How often a case occurred.
    pub fn of_case(&self, case: Case) -> u64 {
        self.cases[case as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_did_not_switch_stayed() {
        let mut counts = Counts::new(&[Order::Fcfs, Order::Sjf]);
        assert_eq!(counts.mean_backlog(), None, "there is no mean of nothing");
        counts.begin(3, 0);
        for (now, backlog, before, after) in [(5, 2, 0, 1), (6, 5, 1, 1), (7, 3, 1, 0)] {
            counts.begin(now, before);
            counts.decided(now, backlog, before, after);
        }
        assert_eq!((counts.tries, counts.same_policy(), counts.mean_backlog()), (3, 1, Some(10.0 / 3.0)));
        assert_eq!(counts.switches, [1, 1]);
        assert_eq!(counts.course, [(3, 0), (5, 1), (7, 0)]);
    }
}

//! The settings of self-tuning dynP, and what they make of a comparison of plans.

use super::counts::Counts;
use super::decider::{Case, Decider};
use super::quality::{Mean, Quality, ReducedFuture};
use crate::catalogue::Settings;
use crate::scheduler::Order;
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

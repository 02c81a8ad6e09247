//! Which policy follows from the qualities of the plans (DYNP §3.2, Table 1).

use crate::Order;
use packfair_base::catalogue::Selection;
pub use packfair_engine::model::note::dynp::*;
use std::cmp::Ordering;

/// How the policy is chosen where several plans are best, or the current policy's plan is among the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decider {
    /// The first of the policies whose plan is best.
    Simple,
    /// The current policy if its plan is among the best, otherwise as [`Decider::Simple`].
    Advanced,
}

impl Decider {
    /// The policy after the decision, given the current one: one of `best`, the places of the best policies in
    /// ascending order.
    pub fn choose(self, best: &[usize], current: usize) -> usize {
        if self == Decider::Advanced && best.contains(&current) { current } else { best[0] }
    }
}

/// The cases of DYNP Table 1, for the policies FCFS, SJF and LJF in this order. A case that is contained in another
/// is counted with it, as in Table 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// All plans are equally good.
    One,
    /// SJF is better than both others (cases 2 and 7).
    TwoSeven,
    /// FCFS is better than both others (cases 3 and 9).
    ThreeNine,
    /// LJF is better than both others, of which FCFS is the better.
    FourA,
    /// LJF is better than both others, which are equal (cases 4b and 5).
    FourBFive,
    /// LJF is better than both others, of which SJF is the better.
    FourC,
    /// FCFS and SJF are the best, FCFS is current.
    SixA,
    /// FCFS and SJF are the best, SJF is current.
    SixB,
    /// FCFS and SJF are the best, LJF is current.
    SixC,
    /// FCFS and LJF are the best, FCFS is current.
    EightA,
    /// FCFS and LJF are the best, SJF is current.
    EightB,
    /// FCFS and LJF are the best, LJF is current.
    EightC,
    /// SJF and LJF are the best, FCFS is current.
    TenA,
    /// SJF and LJF are the best, SJF is current.
    TenB,
    /// SJF and LJF are the best, LJF is current.
    TenC,
}

impl Case {
    /// All cases, in the order of Table 6.
    pub const ALL: [Case; 15] = [
        Case::One,
        Case::TwoSeven,
        Case::ThreeNine,
        Case::FourA,
        Case::FourBFive,
        Case::FourC,
        Case::SixA,
        Case::SixB,
        Case::SixC,
        Case::EightA,
        Case::EightB,
        Case::EightC,
        Case::TenA,
        Case::TenB,
        Case::TenC,
    ];

    /// The name of the case in Table 6.
    pub fn id(self) -> &'static str {
        match self {
            Case::One => "1",
            Case::TwoSeven => "2&7",
            Case::ThreeNine => "3&9",
            Case::FourA => "4a",
            Case::FourBFive => "4b&5",
            Case::FourC => "4c",
            Case::SixA => "6a",
            Case::SixB => "6b",
            Case::SixC => "6c",
            Case::EightA => "8a",
            Case::EightB => "8b",
            Case::EightC => "8c",
            Case::TenA => "10a",
            Case::TenB => "10b",
            Case::TenC => "10c",
        }
    }

    /// The case in which the policies at the places `best` of FCFS, SJF, LJF are best, and `current` is the policy
    /// before. `others` compares FCFS with SJF; called only where LJF alone is best.
    pub fn of(best: &[usize], current: usize, others: impl FnOnce() -> Ordering) -> Case {
        let by_current = |cases: [Case; 3]| cases[current];
        match best {
            [0] => Case::ThreeNine,
            [1] => Case::TwoSeven,
            [2] => match others() {
                Ordering::Less => Case::FourA,
                Ordering::Equal => Case::FourBFive,
                Ordering::Greater => Case::FourC,
            },
            [0, 1] => by_current([Case::SixA, Case::SixB, Case::SixC]),
            [0, 2] => by_current([Case::EightA, Case::EightB, Case::EightC]),
            [1, 2] => by_current([Case::TenA, Case::TenB, Case::TenC]),
            _ => Case::One,
        }
    }
}

// The names under which a dynP run reports what happened to its policies (DYNP Tables 4 to 6).

/// The formulas that a person has written, in order: the name as a part of a note, and the name in charts.
const FORMULAS: [(&str, &str); Selection::MOST_WRITTEN] =
    [("formula1", "formula 1"), ("formula2", "formula 2"), ("formula3", "formula 3"), ("formula4", "formula 4")];

/// All policies that a run may have: the name as a part of a note, and the name in charts. Named orders first, then
/// formulas.
pub const POLICIES: [(&str, &str); Order::OPTIONS.len() + FORMULAS.len()] = {
    let mut policies = [("", ""); Order::OPTIONS.len() + FORMULAS.len()];
    let mut i = 0;
    while i < policies.len() {
        policies[i] = match i.checked_sub(Order::OPTIONS.len()) {
            Some(formula) => FORMULAS[formula],
            None => (Order::OPTIONS[i].0, Order::OPTIONS[i].0),
        };
        i += 1;
    }
    policies
};

/// The name of the policy at a place of [`POLICIES`]; orders are in capitals.
pub fn policy_name(place: usize) -> String {
    let name = POLICIES.get(place).map_or("", |policy| policy.1);
    if place < Order::OPTIONS.len() { name.to_uppercase() } else { name.to_owned() }
}

/// The places of these policies in [`POLICIES`].
pub(super) fn places_of(policies: &[Order]) -> Vec<usize> {
    let mut formulas = Order::OPTIONS.len()..POLICIES.len();
    let place = |policy: &Order| match policy {
        // there are no more formulas than `Selection::MOST_WRITTEN`
        Order::Written(_) => formulas.next().unwrap_or_default(),
        named => named.place(),
    };
    policies.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FCFS: usize = 0;
    const SJF: usize = 1;
    const LJF: usize = 2;

    /// Case and choices of both deciders by three qualities and the current policy.
    fn decide(qualities: [u32; 3], current: usize) -> (&'static str, usize, usize) {
        let least = qualities.into_iter().min().unwrap();
        let best: Vec<usize> = (0..3).filter(|&i| qualities[i] == least).collect();
        let case = Case::of(&best, current, || qualities[FCFS].cmp(&qualities[SJF]));
        (case.id(), Decider::Simple.choose(&best, current), Decider::Advanced.choose(&best, current))
    }

    #[test]
    fn table_1_is_met() {
        for current in [FCFS, SJF, LJF] {
            assert_eq!(decide([5, 5, 5], current), ("1", FCFS, current));
            for qualities in [[6, 5, 7], [7, 5, 6], [6, 5, 6]] {
                assert_eq!(decide(qualities, current), ("2&7", SJF, SJF));
            }
            for qualities in [[5, 6, 7], [5, 7, 6], [5, 6, 6]] {
                assert_eq!(decide(qualities, current), ("3&9", FCFS, FCFS));
            }
            assert_eq!(decide([6, 7, 5], current), ("4a", LJF, LJF));
            assert_eq!(decide([6, 6, 5], current), ("4b&5", LJF, LJF));
            assert_eq!(decide([7, 6, 5], current), ("4c", LJF, LJF));
        }
        assert_eq!(decide([5, 5, 6], FCFS), ("6a", FCFS, FCFS));
        assert_eq!(decide([5, 5, 6], SJF), ("6b", FCFS, SJF));
        assert_eq!(decide([5, 5, 6], LJF), ("6c", FCFS, FCFS));
        assert_eq!(decide([5, 6, 5], FCFS), ("8a", FCFS, FCFS));
        assert_eq!(decide([5, 6, 5], SJF), ("8b", FCFS, FCFS));
        assert_eq!(decide([5, 6, 5], LJF), ("8c", FCFS, LJF));
        assert_eq!(decide([6, 5, 5], FCFS), ("10a", SJF, SJF));
        assert_eq!(decide([6, 5, 5], SJF), ("10b", SJF, SJF));
        assert_eq!(decide([6, 5, 5], LJF), ("10c", SJF, LJF));
    }
}

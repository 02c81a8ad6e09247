//! The names under which a dynP run reports what happened to its policies (DYNP Tables 4 to 6).

use crate::catalogue::Selection;
pub use crate::model::reported::dynp::*;
use crate::scheduler::Order;

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

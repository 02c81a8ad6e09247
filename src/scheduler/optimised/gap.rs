//! How far the plans of small rounds are from the best ones: every round of up to [`SOME`] jobs is planned once more, by all
//! orders.
//!
//! What is compared is what a plan can change of the objective. Where it is a sum, that is the cost of the planned starts;
//! where it is the ratio P²SF, the ratio, and the best one that a list plan has: putting off a job beyond its earliest start
//! could lower it further.

use super::exact::{ExactSearch, SOME, Solved};
use super::objective::Total;
use super::problem::RoundProblem;
use crate::model::Notes;
use crate::model::reported::optimised::{GAP_EXCESS, GAP_LEAST, GAP_MISSED, GAP_ROUNDS};

/// Sums over rounds that were planned once more.
#[derive(Clone, Debug, Default)]
pub struct Gap {
    rounds: u64,
    missed: u64,
    excess: f64,
    least: f64,
    search: ExactSearch,
    order: Vec<u32>,
}

/// The rounding of sums, relative.
const ROUNDING: f64 = 1e-9;

impl Gap {
    /// Compares a plan of a round with the best one; of a round with more jobs nothing is known, and one job has one plan.
    pub fn compare(&mut self, problem: &RoundProblem, order: &[u32], total: Total) {
        if !(2..=SOME).contains(&order.len()) {
            return;
        }
        self.order.clear();
        self.order.extend_from_slice(order);
        let solved = self.search.solve(problem, &mut self.order, total, usize::MAX);
        let (Solved::Best(best) | Solved::Unproven(best)) = solved;
        let excess = total.value() - best.value();
        self.rounds += 1;
        self.missed += u64::from(excess > ROUNDING * best.value().abs());
        self.excess += excess;
        self.least += best.value();
    }

    /// Tells what came of it.
    pub fn report(&self, notes: &mut Notes) {
        notes.set(GAP_ROUNDS, self.rounds as f64);
        notes.set(GAP_MISSED, self.missed as f64);
        notes.set(GAP_EXCESS, 100.0 * self.excess);
        notes.set(GAP_LEAST, self.least);
    }
}

//! How far the plans of small rounds are from the best ones. Every round of 2 to [`SOME`] jobs is planned once more by
//! a search through all orders.
//!
//! The part of the objective that a plan can change is compared. Where the objective is a sum, this is the cost of the
//! planned starts. Where it is the ratio P²SF, it is the ratio, and the best one is that of the best list plan: a job
//! that starts later than its earliest start could lower it further.

use super::exact::{ExactSearch, SOME, Solved};
use super::objective::Total;
use super::problem::RoundProblem;
use packfair_engine::model::Notes;
use packfair_engine::model::reported::optimised::{GAP_EXCESS, GAP_LEAST, GAP_MISSED, GAP_ROUNDS};

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

/// The relative rounding error that is tolerated in sums.
const ROUNDING: f64 = 1e-9;

impl Gap {
    /// Compares the plan of a round with the best one. Rounds of one job or of more than [`SOME`] jobs are skipped.
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

    /// Reports the sums as notes.
    pub fn report(&self, notes: &mut Notes) {
        notes.set(GAP_ROUNDS, self.rounds as f64);
        notes.set(GAP_MISSED, self.missed as f64);
        notes.set(GAP_EXCESS, 100.0 * self.excess);
        notes.set(GAP_LEAST, self.least);
    }
}

//! How a plan changes as jobs start and end, and what must hold of it.

use super::ReservationPlan;
use crate::model::{Release, View};
use crate::scheduler::rank::Rank;
use crate::scheduler::timetable::Completion;

impl ReservationPlan {
    /// Notes that a running job has ended.
    #[inline(always)]
    pub(in crate::scheduler) fn completed(&mut self, release: Release, view: &View) {
        self.open_from = Rank::FIRST;
        if self.timetable.completed(&release, view.now() as f64) == Completion::Unexpected {
            self.has_surprises = true;
            self.forget();
            self.timetable.give_back(release.at, release.processors);
        }
    }

    /// Notes that a running job is now expected to end at `end`.
    pub(in crate::scheduler) fn expected(&mut self, release: Release, end: f64) {
        self.open_from = Rank::FIRST;
        self.has_surprises = true;
        self.forget();
        self.timetable.expected(&release, end);
    }

    /// Notes that the capacity of the machine has changed, or that a change was announced.
    pub(in crate::scheduler) fn capacity_changed(&mut self, view: &View) {
        self.open_from = Rank::FIRST;
        self.forget();
        self.timetable.capacity_changed(view);
    }

    pub(super) fn forget(&mut self) {
        self.planned = Rank::FIRST;
        self.horizon = f64::NEG_INFINITY;
        self.next_begin = f64::INFINITY;
        self.is_short_lived |= !self.reservations.is_empty();
        if self.timetable.forget_reservations() {
            self.reservations.clear();
        }
        for gone in self.reservations.drain(..).rev() {
            self.timetable.withdraw(gone.begin, gone.end, gone.processors);
        }
    }

    /// Checks what must hold at the end of a round.
    ///
    /// # Panics
    /// If something does not hold.
    #[cfg(debug_assertions)]
    pub(in crate::scheduler) fn check(&self, view: &View) {
        self.timetable.check(view);
        let ranks = self.reservations.iter().map(|reservation| reservation.rank);
        assert!(ranks.is_sorted_by(|a, b| a < b), "reservations are not in the order of the queue");
        for reservation in &self.reservations {
            assert!(reservation.rank < self.planned, "a job has a reservation and is not planned");
            assert!(reservation.begin >= self.next_begin, "a reservation begins before the next that does");
            assert!(reservation.begin < reservation.end && reservation.begin > self.now, "{reservation:?} is past");
        }
        assert!(self.started.is_empty(), "jobs that have started are in the queue");
    }
}

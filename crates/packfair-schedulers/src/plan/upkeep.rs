//! How a plan changes as jobs start and end, and what must hold of it.

use super::ReservationPlan;
use crate::capacity::QueuePlace;
use crate::contenders::{Rank, Scan};
use crate::profile::StepPlace;
use crate::queue::Queue;
use crate::timetable::Completion;
use packfair_engine::model::{Release, View};

impl ReservationPlan {
    /// Notes that a running job has ended.
    #[inline(always)]
    pub(crate) fn completed(&mut self, release: Release, view: &View) {
        self.open_from = Rank::FIRST;
        if self.timetable.completed(&release, view.now() as f64) == Completion::Unexpected {
            self.has_surprises = true;
            self.forget();
            self.timetable.give_back(release.at, release.processors);
        }
    }

    /// Notes that a running job is now expected to end at `end`.
    pub(crate) fn expected(&mut self, release: Release, end: f64) {
        self.open_from = Rank::FIRST;
        self.has_surprises = true;
        self.forget();
        self.timetable.expected(&release, end);
    }

    /// Notes that the capacity of the machine has changed, or that a change was announced.
    pub(crate) fn capacity_changed(&mut self, view: &View) {
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
    pub(crate) fn check(&self, view: &View) {
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

// How far a plan looks ahead: jobs that do not begin before its horizon are put off.

impl ReservationPlan {
    /// Moves the horizon to a later time, and plans jobs before `planned` that were put off. Returns whether this made
    /// reservations.
    #[inline(always)]
    pub(super) fn move_horizon(&mut self, horizon: f64, planned: QueuePlace, queue: &Queue) -> bool {
        if self.has_put_off(planned, queue) {
            return self.reserve_until(horizon, planned, queue);
        }
        self.horizon = horizon;
        false
    }

    /// Moves the horizon as [`ReservationPlan::move_horizon`] does, where jobs were put off.
    #[inline(never)] // most often none was
    fn reserve_until(&mut self, horizon: f64, planned: QueuePlace, queue: &Queue) -> bool {
        let reserved = self.reservations.len();
        let first = self.timetable.profile().step_at(self.horizon.max(self.now));
        let mut next = Some(horizon);
        while let Some(horizon) = next {
            self.horizon = horizon;
            next = self.reserve_put_off(first, planned, queue);
        }
        self.reservations.len() > reserved
    }

    /// Plans the jobs before `planned` that were put off; none of them begins before the step `first`. If that takes a
    /// later horizon, stops and returns it.
    fn reserve_put_off(&mut self, first: StepPlace, planned: QueuePlace, queue: &Queue) -> Option<f64> {
        let mut scan = self.scan_from(first);
        let mut cursor = queue.cursor(QueuePlace::HEAD);
        let mut reserved = 0;
        while let Some(next) = cursor.next_narrow(scan.most, &self.bounds).filter(|next| next.place < planned) {
            if self.is_reserved(next.rank(), &mut reserved) {
                continue;
            }
            let Some(span) = scan.earliest(&next, self.timetable.profile(), &mut self.bounds, self.horizon) else {
                continue;
            };
            if span.end > self.horizon && queue.has_more_before(next.place, reserved) {
                return Some(span.end);
            }
            self.reserve(span, &next, reserved);
            reserved += 1;
        }
        None
    }

    /// Begins a scan of jobs that may begin at any time.
    pub(super) fn scan_from_now(&mut self) -> Scan {
        self.scan_from(StepPlace::FIRST)
    }

    /// Begins a scan of jobs that do not begin before the step `first`.
    fn scan_from(&mut self, first: StepPlace) -> Scan {
        self.bounds.clear();
        Scan::new(first, self.timetable.profile(), self.horizon)
    }

    /// Whether any job before `planned` has no reservation.
    #[inline(always)]
    pub(super) fn has_put_off(&self, planned: QueuePlace, queue: &Queue) -> bool {
        queue.has_more_before(planned, self.reservations.len())
    }

    /// Whether the job of this rank has a reservation. `reserved` is the number of reservations up to the job that was
    /// asked about last, and is moved on to this job.
    fn is_reserved(&self, rank: Rank, reserved: &mut usize) -> bool {
        let rest = &self.reservations[*reserved..];
        let before = rest.iter().take_while(|reservation| reservation.rank < rank).count();
        let is_reserved = rest.get(before).is_some_and(|reservation| reservation.rank == rank);
        *reserved += before + usize::from(is_reserved);
        is_reserved
    }
}

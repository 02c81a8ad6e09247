//! How far a plan looks ahead: jobs that do not begin before its horizon are put off.

use super::Plan;
use crate::scheduler::queue::Queue;
use crate::scheduler::scan::Scan;
use crate::scheduler::spot::Spot;

impl Plan {
    /// Moves the horizon to a later time: plans jobs before the place `planned` that were put off. Whether there
    /// are more reservations now.
    #[inline(always)]
    pub(super) fn move_horizon(&mut self, horizon: f64, planned: usize, queue: &Queue) -> bool {
        if self.has_put_off(planned, queue) {
            return self.reserve_until(horizon, planned, queue);
        }
        self.horizon = horizon;
        false
    }

    /// The same, where some were put off.
    #[inline(never)] // most often nobody was
    fn reserve_until(&mut self, horizon: f64, planned: usize, queue: &Queue) -> bool {
        let reserved = self.reservations.len();
        let first = self.profile.step_at(self.horizon.max(self.now));
        let mut next = Some(horizon);
        while let Some(horizon) = next {
            self.horizon = horizon;
            next = self.reserve_put_off(first, planned, queue);
        }
        self.reservations.len() > reserved
    }

    /// Plans the jobs before the place `planned` that were put off; none of them begins before the step `first`.
    /// Where to the horizon has to move for that, if it has to.
    fn reserve_put_off(&mut self, first: usize, planned: usize, queue: &Queue) -> Option<f64> {
        let mut scan = self.scan_from(first);
        let mut walk = queue.walk(0);
        let mut reserved = 0;
        while let Some(next) = walk.next_narrow(scan.most, &self.room).filter(|next| next.place < planned) {
            if self.is_reserved(next.spot(), &mut reserved) {
                continue;
            }
            let Some(span) = scan.earliest(&next, &mut self.profile, &mut self.room, self.horizon) else {
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

    /// Begins a scan through jobs none of which begins before the step `first`.
    pub(super) fn scan_from(&mut self, first: usize) -> Scan {
        self.room.clear();
        Scan::new(first, &self.profile, self.horizon)
    }

    /// Whether any of the jobs before the place `planned` has no reservation.
    #[inline(always)]
    pub(super) fn has_put_off(&self, planned: usize, queue: &Queue) -> bool {
        queue.has_more_before(planned, self.reservations.len())
    }

    /// Whether the job that stands at `spot` has a reservation. `reserved` stand before the job that was asked
    /// for last; and afterwards before the next.
    fn is_reserved(&self, spot: Spot, reserved: &mut usize) -> bool {
        let rest = &self.reservations[*reserved..];
        let before = rest.iter().take_while(|reservation| reservation.spot < spot).count();
        let is_reserved = rest.get(before).is_some_and(|reservation| reservation.spot == spot);
        *reserved += before + usize::from(is_reserved);
        is_reserved
    }
}

//! The list family (METRICS §V Alg. 1, CP §2.2 Alg. 1).

use super::{Profile, sorted};
use crate::catalogue::Settings;
use crate::model::{Actions, Reservation, Scheduler, Token, View, Waiting};
use crate::scheduler::order::Order;
use crate::simulation::Driven;

/// Goes through the queue in one order and starts what fits.
#[derive(Clone)]
struct PlainList {
    order: Order,
    blocked: PlainBlocked,
}

/// What happens at a job that cannot start now.
#[derive(Clone, Copy, PartialEq)]
enum PlainBlocked {
    /// The round ends ("PASSIVE").
    EndsTheRound,
    /// The job is skipped ("AGGRESSIVE").
    IsSkipped,
    /// The job gets a reservation at its earliest time ("BACKFILL", JustBF), if fewer than this many jobs have one (CP
    /// §5.5). Otherwise it is skipped. Reservations are forgotten at the end of the round.
    IsReservedFor(usize),
}

pub(in crate::scheduler) fn build(settings: &Settings) -> Box<dyn Driven> {
    let order = Order::of(settings, "order");
    let blocked = match settings.choice("blocked") {
        "strict" => PlainBlocked::EndsTheRound,
        "greedy" => PlainBlocked::IsSkipped,
        _ => PlainBlocked::IsReservedFor(settings.whole("depth").map_or(usize::MAX, |depth| depth as usize)),
    };
    Box::new(PlainList { order, blocked })
}

impl Scheduler for PlainList {
    fn counts_usage(&self) -> bool {
        self.order.counts_usage()
    }

    fn reads_clock(&self) -> bool {
        self.order.reads_clock()
    }

    fn round(&mut self, view: &View, actions: &mut Actions) {
        let now = view.now() as f64;
        let mut profile = Profile::of_running(view);
        let mut reservations = 0;
        for job in sorted(self.order, view.waiting(), view) {
            if let Some(placement) = profile.place(&job, now, now + job.estimate) {
                profile.reserve(&job, &placement, now, now + job.estimate);
                actions.start_on(job, Token::default(), placement);
                continue;
            }
            match self.blocked {
                PlainBlocked::EndsTheRound => return,
                // a job that never fits, as far as is known, gets no reservation
                PlainBlocked::IsReservedFor(most) if reservations < most => {
                    reservations += usize::from(profile.reserve_earliest(&job, now).is_finite());
                }
                PlainBlocked::IsReservedFor(_) | PlainBlocked::IsSkipped => {}
            }
        }
    }

    fn reservations(&self, view: &View) -> Vec<Reservation> {
        let PlainBlocked::IsReservedFor(most) = self.blocked else { return Vec::new() };
        let mut profile = Profile::of_running(view);
        let reserve = |job: Waiting| Reservation { job, start: profile.reserve_earliest(&job, view.now() as f64) };
        let reservations = sorted(self.order, view.waiting(), view).into_iter().map(reserve);
        reservations.filter(|reservation| reservation.start.is_finite()).take(most).collect()
    }
}

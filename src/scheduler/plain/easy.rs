//! The EASY family (METRICS §V Alg. 2; waiting threshold: CLASSIFY §5.1).

use super::{Profile, reservation};
use crate::catalogue::Settings;
use crate::model::{Actions, Reservation, Scheduler, Token, View, Waiting};
use crate::scheduler::order::Order;
use crate::simulation::Driven;
use crate::workload::Seconds;

/// Starts jobs from the head of the queue. The first job that does not fit gets the one reservation, and others start
/// now where that does not delay it.
#[derive(Clone)]
struct PlainEasy {
    initial: Order,
    backfill: Order,
    threshold: Option<Seconds>,
}

pub(in crate::scheduler) fn build(settings: &Settings) -> Box<dyn Driven> {
    Box::new(PlainEasy {
        initial: Order::of(settings, "initial"),
        backfill: Order::of(settings, "backfill"),
        threshold: settings.whole("threshold"),
    })
}

impl PlainEasy {
    /// The queue in its initial order. Jobs that have waited longer than the threshold come first, in log order.
    fn queue(&self, view: &View) -> Vec<Waiting> {
        let has_waited_long = |job: &Waiting| self.threshold.is_some_and(|longest| view.now() - job.submit > longest);
        let (mut queue, others): (Vec<Waiting>, Vec<Waiting>) = view.waiting().partition(has_waited_long);
        queue.extend(by_first_key(self.initial, others, view));
        queue
    }
}

/// The jobs in an order. All ties are first come, first served.
fn by_first_key(order: Order, mut jobs: Vec<Waiting>, view: &View) -> Vec<Waiting> {
    // keys are never NaN, because estimates are above 0
    jobs.sort_by(|a, b| order.key_in(view, a).0.partial_cmp(&order.key_in(view, b).0).unwrap());
    jobs
}

impl Scheduler for PlainEasy {
    fn counts_usage(&self) -> bool {
        self.initial.counts_usage() || self.backfill.counts_usage()
    }

    fn reads_clock(&self) -> bool {
        self.initial.reads_clock() || self.backfill.reads_clock()
    }

    fn round(&mut self, view: &View, actions: &mut Actions) {
        let now = view.now() as f64;
        let mut profile = Profile::of_running(view);
        let mut start = |job: Waiting, profile: &mut Profile| {
            let Some(placement) = profile.place(&job, now, now + job.estimate) else { return false };
            profile.reserve(&job, &placement, now, now + job.estimate);
            actions.start_on(job, Token::default(), placement);
            true
        };
        let mut waiting = self.queue(view).into_iter();
        let Some(head) = waiting.find(|&job| !start(job, &mut profile)) else { return };
        profile.reserve_earliest(&head, now);
        // ties in backfill order are first come, first served, and not in the initial order
        let mut others: Vec<Waiting> = waiting.collect();
        others.sort_by_key(|job| job.job);
        for job in by_first_key(self.backfill, others, view) {
            start(job, &mut profile);
        }
    }

    fn reservations(&self, view: &View) -> Vec<Reservation> {
        self.queue(view).first().and_then(|head| reservation(head, view)).into_iter().collect()
    }
}

//! The EASY family (METRICS §II Alg. 2; waiting threshold: CLASSIFY §5.1).

use super::Profile;
use crate::catalogue::Settings;
use crate::model::{Actions, Reservation, Scheduler, Token, View, Waiting};
use crate::scheduler::order::Order;
use crate::simulation::Driven;
use crate::workload::Seconds;

/// Starts jobs from the head of the queue. The first that does not fit gets the one reservation, and others start now
/// where they leave it alone.
#[derive(Clone)]
struct Easy {
    initial: Order,
    backfill: Order,
    threshold: Option<Seconds>,
}

/// The plain scheduler with these settings.
pub(in crate::scheduler) fn build(settings: &Settings) -> Box<dyn Driven> {
    Box::new(Easy {
        initial: Order::of(settings, "initial"),
        backfill: Order::of(settings, "backfill"),
        threshold: settings.whole("threshold"),
    })
}

impl Easy {
    /// The queue in its initial order. Whoever has waited longer than the threshold comes first, in log order.
    fn queue(&self, view: &View) -> Vec<Waiting> {
        let has_waited_long = |job: &Waiting| self.threshold.is_some_and(|longest| view.now() - job.submit > longest);
        let (mut queue, others): (Vec<Waiting>, Vec<Waiting>) = view.waiting().partition(has_waited_long);
        queue.extend(by_first_key(self.initial, others, view));
        queue
    }
}

/// The jobs in an order. Here all ties are first come, first served.
fn by_first_key(order: Order, mut jobs: Vec<Waiting>, view: &View) -> Vec<Waiting> {
    // keys are numbers, for estimates are above 0
    jobs.sort_by(|a, b| order.key_in(view, a).0.partial_cmp(&order.key_in(view, b).0).unwrap());
    jobs
}

impl Scheduler for Easy {
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
            profile.reserve(job.processors, now, now + job.estimate);
            actions.start(job, Token::default());
        };
        let queue = self.queue(view);
        let fits = |job: &Waiting, profile: &Profile| profile.is_free(job.processors, now, now + job.estimate);
        let mut waiting = queue.into_iter();
        let head = loop {
            match waiting.next() {
                Some(job) if fits(&job, &profile) => start(job, &mut profile),
                Some(job) => break job,
                None => return,
            }
        };
        let shadow_time = profile.earliest(head.processors, head.estimate, now);
        profile.reserve(head.processors, shadow_time, shadow_time + head.estimate);
        // ties in backfill order are first come, first served, and not as the initial order has them
        let mut others: Vec<Waiting> = waiting.collect();
        others.sort_by_key(|job| job.job);
        for job in by_first_key(self.backfill, others, view) {
            if fits(&job, &profile) {
                start(job, &mut profile);
            }
        }
    }

    fn reservations(&self, view: &View) -> Vec<Reservation> {
        let profile = Profile::of_running(view);
        let reserve = |job: Waiting| {
            let start = profile.earliest(job.processors, job.estimate, view.now() as f64);
            Reservation { job, start }
        };
        self.queue(view).into_iter().take(1).map(reserve).collect()
    }
}

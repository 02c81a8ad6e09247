//! The classes family (CLASSIFY §5). Beyond the paper it can kill jobs only where that is of use.

use super::{Profile, reservation};
use crate::classes::Kill;
use crate::order::Order;
use packfair_base::catalogue::Settings;
use packfair_engine::model::{Actions, Class, NoteId, Notes, Release, Reservation, Scheduler, Token, View, Waiting};
use packfair_engine::simulation::Driven;
use packfair_workload::{JobId, Seconds};
use std::cmp::Ordering;

/// EASY over a queue in which small jobs stand before large ones. A job that was classified as small and has run for its
/// divider is killed, and waits again as a large job.
#[derive(Clone)]
struct Classes {
    policy: Order,
    starvation: Option<Seconds>,
    safeguard: bool,
    capped: bool,
    kill: Kill,
    /// Running jobs that may be killed, in the order of their starts.
    watched: Vec<Watched>,
    kills: u64,
}

/// A running job that may be killed.
#[derive(Clone, Copy)]
struct Watched {
    job: JobId,
    start: Seconds,
    divider: Seconds,
}

pub(crate) fn build(settings: &Settings) -> Box<dyn Driven> {
    let safeguard = settings.choice("safeguard") == "on";
    Box::new(Classes {
        policy: Order::of(settings, "policy"),
        starvation: settings.whole("starvation"),
        safeguard,
        capped: safeguard && settings.choice("estimate") == "capped",
        kill: Kill::of(settings),
        watched: Vec::new(),
        kills: 0,
    })
}

/// Compares two jobs in the order of the queue: small jobs first, then the policy, then log order.
fn compare(policy: Order, a: (Class, &Waiting), b: (Class, &Waiting), view: &View) -> Ordering {
    let first = |job: &Waiting| policy.key_in(view, job).0;
    // keys are never NaN, because estimates are above 0
    a.0.cmp(&b.0).then(first(a.1).partial_cmp(&first(b.1)).unwrap()).then(a.1.job.cmp(&b.1.job))
}

/// Puts waiting jobs in the order of the queue.
fn sort(jobs: &mut [Waiting], policy: Order, view: &View) {
    let class = |job: &Waiting| view.present_class(job.job);
    jobs.sort_by(|a, b| compare(policy, (class(a), a), (class(b), b), view));
}

/// Adds what a running job holds to the idle amounts.
fn give_back(running: &Release, idle: &mut [i64], view: &View) {
    let need = view.needs().of(running.job, running.processors);
    need.shape.take(&view.placement(running), idle, -1);
}

impl Classes {
    /// The waiting jobs in order, with the estimates that count. Jobs that have waited longer than the starvation
    /// threshold come first, in log order.
    fn queue(&self, view: &View) -> Vec<Waiting> {
        let capped = |job: Waiting| match view.class(job.job).divider {
            Some(divider) if self.capped && view.present_class(job.job) == Class::Small => {
                Waiting { estimate: job.estimate.min(divider as f64), ..job }
            }
            _ => job,
        };
        let has_waited_long = |job: &Waiting| self.starvation.is_some_and(|longest| view.now() - job.submit > longest);
        let (mut queue, mut others): (Vec<Waiting>, Vec<Waiting>) =
            view.waiting().map(capped).partition(has_waited_long);
        sort(&mut others, self.policy, view);
        queue.extend(others);
        queue
    }

    /// Whether a running job that is looked at is to be killed, while `idle` is idle.
    fn is_worth_it(&self, running: &Release, idle: &[i64], view: &View) -> bool {
        let request = view.request(running.job);
        let (submit, estimate) = (request.submit, request.limit as f64);
        let own = Waiting { job: running.job, submit, processors: running.processors, estimate };
        let stands_before = |other: &Waiting| {
            let class = view.present_class(other.job);
            compare(self.policy, (class, other), (Class::Large, &own), view) == Ordering::Less
        };
        let fits = |other: &Waiting, idle: &[i64]| {
            let need = view.needs().of_waiting(other);
            need.shape.fits(need.parts, idle)
        };
        let mut blocked = view.waiting().filter(|other| !fits(other, idle) && stands_before(other));
        match self.kill {
            Kill::Always => true,
            Kill::Waiting => blocked.next().is_some(),
            Kill::Useful => {
                let mut without = idle.to_vec();
                give_back(running, &mut without, view);
                blocked.any(|other| fits(&other, &without))
            }
        }
    }

    /// Watches a job that starts, if it may be killed.
    fn watch(&mut self, job: &Waiting, view: &View) {
        let is_watched = self.safeguard && view.present_class(job.job) == Class::Small;
        if let Some(divider) = view.class(job.job).divider.filter(|_| is_watched) {
            self.watched.push(Watched { job: job.job, start: view.now(), divider });
        }
    }

    /// Asks to be woken when the next job is to be looked at.
    fn wake(&self, actions: &mut Actions) {
        if let Some(at) = self.watched.iter().map(|watched| watched.start + watched.divider).min() {
            actions.wake_at(at);
        }
    }
}

impl Scheduler for Classes {
    fn kills(&self) -> bool {
        self.safeguard
    }

    fn counts_usage(&self) -> bool {
        self.policy.counts_usage()
    }

    fn reads_clock(&self) -> bool {
        self.policy.reads_clock()
    }

    fn completed(&mut self, release: Release, _: &View) {
        self.watched.retain(|watched| watched.job != release.job);
    }

    fn woken(&mut self, view: &View, actions: &mut Actions) -> bool {
        let mut idle = view.idle();
        let mut watched = Vec::new();
        for looked_at in std::mem::take(&mut self.watched) {
            let Watched { job, start, divider } = looked_at;
            if start + divider > view.now() {
                watched.push(looked_at);
                continue;
            }
            // a job that no longer runs is not watched any more
            let Some(running) = view.running().find(|running| running.job == job) else { continue };
            if self.is_worth_it(&running, &idle, view) {
                give_back(&running, &mut idle, view);
                self.kills += 1;
                actions.kill(job);
            }
        }
        self.watched = watched;
        self.wake(actions);
        false
    }

    fn round(&mut self, view: &View, actions: &mut Actions) {
        let now = view.now() as f64;
        let policy = self.policy;
        let mut profile = Profile::of_running(view);
        let mut waiting = self.queue(view).into_iter();
        let mut start = |job: Waiting, profile: &mut Profile| {
            let Some(placement) = profile.place(&job, now, now + job.estimate) else { return false };
            profile.reserve(&job, &placement, now, now + job.estimate);
            actions.start_on(job, Token::default(), placement);
            self.watch(&job, view);
            true
        };
        let head = waiting.find(|&job| !start(job, &mut profile));
        if let Some(head) = head {
            profile.reserve_earliest(&head, now);
            // jobs that have waited long come before others for the reservation only
            let mut others: Vec<Waiting> = waiting.collect();
            sort(&mut others, policy, view);
            for job in others {
                start(job, &mut profile);
            }
        }
        self.wake(actions);
    }

    fn reservations(&self, view: &View) -> Vec<Reservation> {
        self.queue(view).first().and_then(|head| reservation(head, view)).into_iter().collect()
    }

    fn report(&self, notes: &mut Notes) {
        notes.set(NoteId::KILLS, self.kills as f64);
    }
}

//! Start times that are guaranteed (FAIRNESS §2): what Conservative, PC and DC share.
//!
//! One profile lives as long as the simulation, and every queued job has its start in it. A start only
//! ever moves earlier, as long as no running job outlives its estimate. Where one does, the starts that
//! have become impossible by it are made anew, and counted; all others stand.
//!
//! Plans are in whole seconds: a fractional estimate takes up the second in which it ends.
//!
//! Where estimates were too short this follows the order of an instant (2-simulation of the specification): what a
//! corrected estimate makes impossible is made anew before the jobs of the instant arrive and complete, even if the job
//! that outlived its estimate completes at that instant. A job that outlives even its corrected estimate is taken to
//! end at the next second, but not before all completions of the instant are through. `plain/guaranteed.rs` says the
//! same in plain words, and property tests compare both.

use super::freed::{Candidate, Freed};
use super::order::{Key, Order};
use super::profile::Profile;
use crate::model::{Actions, Reservation, Token, View, Waiting};
use crate::workload::{JobId, Seconds};

/// A queued job and the start that it is guaranteed.
#[derive(Clone, Copy, Debug)]
struct Planned {
    job: Waiting,
    key: Key,
    begin: f64,
    /// For how long it is planned: its estimate, in whole seconds.
    length: f64,
}

impl Planned {
    fn end(&self) -> f64 {
        self.begin + self.length
    }

    fn candidate(&self) -> Candidate {
        Candidate { processors: self.job.processors, length: self.length, begin: self.begin }
    }
}

/// A running job, and until when its processors are taken in the profile.
#[derive(Clone, Copy, Debug)]
struct Running {
    job: JobId,
    processors: u32,
    end: f64,
}

/// The queue, the guaranteed starts of its jobs, and the profile that they and the running jobs make.
#[derive(Clone, Debug)]
pub(super) struct Guarantees {
    order: Order,
    now: Seconds,
    profile: Profile,
    /// By priority, ties in log order.
    queue: Vec<Planned>,
    /// In the order of their starts.
    running: Vec<Running>,
    /// Running jobs that were estimated anew, and their new ends; not yet in the profile, for which time
    /// has not passed yet.
    expected: Vec<(JobId, f64)>,
    remade: u64,
    /// Whether there may be room for starts to move earlier: processors were given back before they
    /// were expected, or a start was made anew elsewhere.
    loose: bool,
    /// What was given back, and who has not been asked whether that lets it move earlier.
    freed: Freed,
    /// Places in the queue, to go through it in another order.
    places: Vec<usize>,
}

impl Guarantees {
    /// An empty queue with this priority order.
    pub(super) fn new(order: Order) -> Self {
        Guarantees {
            order,
            now: Seconds::MIN,
            profile: Profile::default(),
            queue: Vec::new(),
            running: Vec::new(),
            expected: Vec::new(),
            remade: 0,
            loose: false,
            freed: Freed::default(),
            places: Vec::new(),
        }
    }

    /// Brings everything up to the present instant: to be called before anything else at it.
    pub(super) fn catch_up(&mut self, view: &View) {
        if self.now == view.now() && self.expected.is_empty() {
            return;
        }
        self.pass_time(view);
        let now = self.now as f64;
        // a job that is to end at this instant may still do so
        self.extend(view, |running| running.end < now);
    }

    /// The same, once all that end at the present instant have: whoever was to end at it and has not outlives its
    /// estimate.
    pub(super) fn settle(&mut self, view: &View) {
        self.pass_time(view);
        let now = self.now as f64;
        self.extend(view, |running| running.end <= now);
    }

    fn pass_time(&mut self, view: &View) {
        self.now = view.now();
        let now = self.now as f64;
        if self.queue.is_empty() && self.running.is_empty() {
            self.profile.rebuild(now, view.processors(), std::iter::empty());
        } else {
            self.profile.advance(now);
        }
    }

    /// Moves the ends of jobs that were estimated anew, and of those that outlive their estimates; an overdue one is taken to end a second
    /// from now.
    fn extend(&mut self, view: &View, overdue: impl Fn(&Running) -> bool) {
        let now = self.now as f64;
        let mut extended = !self.expected.is_empty();
        for (job, end) in self.expected.drain(..) {
            if let Some(running) = self.running.iter_mut().find(|running| running.job == job) {
                self.loose |= end < running.end;
                running.end = end;
            }
        }
        for running in self.running.iter_mut().filter(|running| overdue(running)) {
            running.end = now + 1.0;
            extended = true;
        }
        let missed = self.queue.iter().any(|planned| planned.begin < now);
        if extended || missed {
            self.remake(view);
        }
    }

    /// Makes the profile anew. A start that is still possible stands, the soonest first (ties in log
    /// order); the others become the earliest that there are, in the same order.
    fn remake(&mut self, view: &View) {
        let now = self.now as f64;
        let held = self.running.iter().filter(|running| running.end > now);
        let mut releases: Vec<(f64, u32)> = held.map(|running| (running.end, running.processors)).collect();
        releases.sort_by(|a, b| a.0.total_cmp(&b.0));
        let in_use: u32 = releases.iter().map(|&(_, processors)| processors).sum();
        self.profile.rebuild(now, view.processors() - in_use, releases.into_iter());
        self.freed.everything();
        self.sort_places_by_start();
        let mut impossible = std::mem::take(&mut self.places);
        impossible.retain(|&place| {
            let planned = &self.queue[place];
            let (begin, end, processors) = (planned.begin, planned.end(), planned.job.processors);
            let possible = begin >= now && self.profile.has_free(begin, end, processors);
            if possible {
                self.profile.reserve(begin, end, processors);
            }
            !possible
        });
        for &place in &impossible {
            let planned = &mut self.queue[place];
            (planned.begin, _) = self.profile.place(planned.job.processors, planned.length);
        }
        self.remade += impossible.len() as u64;
        self.loose |= !impossible.is_empty();
        self.places = impossible;
    }

    /// All places in the queue by guaranteed start, ties in log order.
    fn sort_places_by_start(&mut self) {
        let queue = &self.queue;
        self.places.clear();
        self.places.extend(0..queue.len());
        self.places.sort_unstable_by(|&a, &b| {
            let (a, b) = (&queue[a], &queue[b]);
            a.begin.total_cmp(&b.begin).then(a.job.job.cmp(&b.job.job))
        });
    }

    /// Brings the priorities up to date, for keys that change as time passes.
    pub(super) fn refresh(&mut self) {
        if self.order.depends_on_now() {
            for planned in &mut self.queue {
                planned.key = self.order.key(&planned.job, self.now);
            }
            self.sort();
        }
    }

    fn sort(&mut self) {
        // who was asked is told by places
        self.freed.everything();
        // keys are never NaN, for estimates are above 0
        self.queue.sort_unstable_by(|a, b| (a.key, a.job.job).partial_cmp(&(b.key, b.job.job)).unwrap());
    }

    /// The place that a job would have in the queue.
    pub(super) fn place_of(&self, job: &Waiting) -> usize {
        let key = self.order.key(job, self.now);
        self.queue.partition_point(|planned| (planned.key, planned.job.job) < (key, job.job))
    }

    /// A job enters the queue: it is guaranteed the earliest start at which it disturbs nobody.
    pub(super) fn insert(&mut self, job: Waiting) {
        let place = self.place_of(&job);
        let length = job.estimate.ceil();
        let (begin, _) = self.profile.place(job.processors, length);
        self.freed.entered(place);
        self.queue.insert(place, Planned { job, key: self.order.key(&job, self.now), begin, length });
    }

    /// A job has completed.
    pub(super) fn completed(&mut self, job: JobId) {
        let Some(i) = self.running.iter().position(|running| running.job == job) else { return };
        let Running { processors, end, .. } = self.running.remove(i);
        let now = self.now as f64;
        self.profile.release(now, end, processors);
        self.freed.add(now, end, processors, &mut self.profile);
        self.loose |= end > now;
    }

    /// Whether there may be room for starts to move earlier since this was last asked for.
    pub(super) fn take_loose(&mut self) -> bool {
        std::mem::take(&mut self.loose)
    }

    /// A running job was estimated anew: it is to end at `end`.
    pub(super) fn expected(&mut self, job: JobId, end: f64) {
        self.expected.push((job, end.ceil()));
    }

    /// Queued jobs were estimated anew, in log order. Starts that are possible for as long stand.
    pub(super) fn reestimated(&mut self, estimates: &[f64], view: &View) {
        let mut changed = false;
        for planned in &mut self.queue {
            let estimate = estimates[planned.job.job.index()];
            changed |= estimate != planned.job.estimate;
            self.loose |= estimate < planned.job.estimate;
            planned.job.estimate = estimate;
            planned.length = estimate.ceil();
            planned.key = self.order.key(&planned.job, self.now);
        }
        if changed {
            self.sort();
            self.remake(view);
        }
    }

    /// Whether any queued job is narrow enough to start now.
    pub(super) fn could_start(&self, view: &View) -> bool {
        self.queue.iter().any(|planned| planned.job.processors <= view.free())
    }

    /// Moves each job, in the order of the profile, to its earliest start (Conservative's compression).
    pub(super) fn compress_by_start(&mut self) {
        self.sort_places_by_start();
        for i in 0..self.places.len() {
            let place = self.places[i];
            if let Some(earlier) = self.freed.earliest(&self.queue[place].candidate(), &mut self.profile) {
                self.move_job(place, earlier);
            }
        }
        // what a job gives back begins behind its old start, and so behind the starts of all that were asked before
        self.freed.forget();
    }

    /// Moves each job, by priority, to its earliest start, once. This may leave gaps (FAIRNESS Fig. 1).
    pub(super) fn compress_by_priority(&mut self) {
        for place in 0..self.queue.len() {
            self.advance_job(place);
        }
        self.freed.forget();
    }

    /// Moves the first of the first `jobs` jobs that can start earlier to its earliest start, and
    /// begins again, until none can (PC's compression).
    pub(super) fn compress_until_tight(&mut self, jobs: usize) {
        if !self.freed.is_news_to(jobs) {
            return;
        }
        self.freed.begin(self.queue.iter().map(Planned::candidate));
        while let Some((place, begin)) = self.freed.first_that_can_move(jobs, &mut self.profile) {
            self.move_job(place, begin);
            self.freed.moved(place, begin);
        }
        self.freed.forget_used(self.now as f64, self.queue.len());
    }

    /// Moves the first job that can start right now to now, and begins again, until none can (DC).
    pub(super) fn move_to_now(&mut self) {
        while (0..self.queue.len()).any(|place| self.move_job_to_now(place)) {}
    }

    fn advance_job(&mut self, place: usize) {
        let Candidate { processors, length, begin } = self.queue[place].candidate();
        if let Some(earlier) = self.profile.earlier(processors, length, begin) {
            self.move_job(place, earlier);
        }
    }

    fn move_job_to_now(&mut self, place: usize) -> bool {
        let now = self.now as f64;
        let Planned { job, length, begin, .. } = self.queue[place];
        begin > now && self.profile.could_begin_now(job.processors, length, begin) && self.move_job(place, now)
    }

    fn move_job(&mut self, place: usize, begin: f64) -> bool {
        let planned = &mut self.queue[place];
        let (processors, before) = (planned.job.processors, planned.begin..planned.end());
        self.profile.release(before.start, before.end, processors);
        planned.begin = begin;
        let end = planned.end();
        self.profile.reserve(begin, end, processors);
        self.freed.add(before.start.max(end), before.end, processors, &mut self.profile);
        true
    }

    /// Starts the jobs whose time has come, in the order of their priorities.
    pub(super) fn start_due(&mut self, actions: &mut Actions) {
        let now = self.now as f64;
        let running = &mut self.running;
        let mut place = 0;
        self.places.clear();
        self.queue.retain(|planned| {
            place += 1;
            if planned.begin > now {
                return true;
            }
            self.places.push(place - 1);
            actions.start(planned.job, Token::default());
            running.push(Running { job: planned.job.job, processors: planned.job.processors, end: planned.end() });
            false
        });
        self.freed.left(&self.places);
        // Who does not fit beside the jobs that run now can only start once one of them completes.
        let fitting = self.queue.iter().filter(|planned| planned.job.processors <= actions.free());
        if let Some(next) = fitting.map(|planned| planned.begin as Seconds).min() {
            actions.wake_at(next);
        }
    }

    /// How many jobs are queued.
    pub(super) fn len(&self) -> usize {
        self.queue.len()
    }

    /// The start guaranteed to a job that has arrived in the present instant, after the round.
    pub(super) fn promise(&self, job: JobId) -> Seconds {
        let queued = self.queue.iter().find(|planned| planned.job.job == job);
        queued.map_or(self.now, |planned| planned.begin as Seconds)
    }

    /// The guaranteed starts.
    pub(super) fn reservations(&self) -> Vec<Reservation> {
        self.queue.iter().map(|planned| Reservation { job: planned.job, start: planned.begin }).collect()
    }

    /// How many starts were made anew.
    pub(super) fn remade(&self) -> u64 {
        self.remade
    }
}

//! Start times that are guaranteed (FAIRNESS §2): what Conservative, PC and DC share.
//!
//! One profile lives as long as the simulation, and every queued job has its start in it. A start only moves earlier, as
//! long as no running job outlives its estimate. If one does, the starts that it makes impossible are made anew, and
//! counted; all others stand.
//!
//! Plans are in whole seconds: a fractional estimate takes up the second in which it ends.
//!
//! Where estimates were too short this follows the order of an instant (corrections, arrivals, completions, round): what a
//! corrected estimate makes impossible is made anew before the jobs of the instant arrive and complete, even if the job
//! that outlived its estimate completes at that instant. A job that outlives even its corrected estimate is taken to
//! end at the next second, but not before all completions of the instant are through. `plain/guaranteed.rs` says the
//! same in plain words, and property tests compare both.

use super::freed::{Candidate, Freed};
use super::guaranteed::Protected;
use super::order::{Key, Order};
use super::place::ListPlace;
use super::profile::Profile;
use super::timetable::{Completion, Timetable};
use crate::model::{Actions, Release, Reservation, View, Waiting};
use crate::workload::{JobId, Seconds};

/// A queued job and the start that it is guaranteed.
#[derive(Clone, Copy, Debug)]
struct GuaranteedJob {
    job: Waiting,
    key: Key,
    begin: f64,
    /// For how long it is queued: its estimate, in whole seconds.
    length: f64,
}

impl GuaranteedJob {
    fn end(&self) -> f64 {
        self.begin + self.length
    }

    fn candidate(&self) -> Candidate {
        Candidate { processors: self.job.processors, length: self.length, begin: self.begin }
    }
}

/// When a running job is to end, in whole seconds. If that has passed, it is taken to end at the next second.
fn expected_end(release: &Release, now: f64) -> f64 {
    let end = release.at.ceil();
    if end < now { now + 1.0 } else { end }
}

/// The queue, the guaranteed starts of its jobs, and the profile that they and the running jobs leave.
#[derive(Clone, Debug)]
pub(super) struct Guarantees {
    order: Order,
    now: Seconds,
    timetable: Timetable,
    /// By priority, ties in log order.
    queue: Vec<GuaranteedJob>,
    /// No queued job is guaranteed a start before it.
    soonest: f64,
    /// Whether running jobs are expected to end at other times than the profile says.
    ends_have_moved: bool,
    remade: u64,
    /// Whether some starts may be able to move earlier: processors were given back before they were expected, or a start
    /// was made anew elsewhere.
    is_loose: bool,
    /// What was given back, and which jobs have not tried to use it.
    freed: Freed,
    /// Places in the queue in another order; kept for its memory.
    places: Vec<ListPlace>,
}

impl Guarantees {
    /// An empty queue with this priority order.
    pub(super) fn new(order: Order) -> Self {
        Guarantees {
            order,
            now: Seconds::MIN,
            timetable: Timetable::default(),
            queue: Vec::new(),
            soonest: f64::INFINITY,
            ends_have_moved: false,
            remade: 0,
            is_loose: false,
            freed: Freed::default(),
            places: Vec::new(),
        }
    }

    /// The profile at the present.
    fn profile(&mut self) -> &mut Profile {
        self.timetable.at(self.now as f64)
    }

    /// Brings everything up to the present instant: to be called before anything else at it. `completing` has just left
    /// the running jobs of `view`.
    pub(super) fn catch_up(&mut self, view: &View, completing: Option<&Release>) {
        if self.now == view.now() && !self.ends_have_moved {
            return;
        }
        self.pass_time(view);
        let now = self.now as f64;
        // a job that is to end at this instant may still do so; plans are in whole seconds
        self.ends_have_moved |= view.running().chain(completing.copied()).any(|release| release.at <= now - 1.0);
        self.follow_ends(view, completing);
    }

    /// The same, after all completions of the present instant.
    pub(super) fn settle(&mut self, view: &View) {
        self.pass_time(view);
        self.follow_ends(view, None);
    }

    fn pass_time(&mut self, view: &View) {
        self.now = view.now();
        self.timetable.begin(self.now as f64, view.processors());
    }

    /// Takes over the ends of running jobs if they have moved, and makes those starts anew that have become impossible.
    fn follow_ends(&mut self, view: &View, completing: Option<&Release>) {
        let now = self.now as f64;
        if std::mem::take(&mut self.ends_have_moved) || self.soonest < now {
            self.remake(view, completing);
        }
    }

    /// Makes the profile anew. A start that is still possible stands, the soonest first (ties: log order). The others
    /// become the earliest possible ones, in the same order.
    fn remake(&mut self, view: &View, completing: Option<&Release>) {
        let now = self.now as f64;
        let running = view.running().chain(completing.copied());
        let ends = running.map(|release| (expected_end(&release, now), release.processors));
        self.timetable.rebuild(view, ends.filter(|&(end, _)| end > now));
        self.freed.everything();
        self.sort_places_by_start();
        let mut impossible = std::mem::take(&mut self.places);
        let (queue, profile) = (&mut self.queue, self.timetable.at(now));
        impossible.retain(|place| {
            let queued = &queue[place.index()];
            let (begin, end, processors) = (queued.begin, queued.end(), queued.job.processors);
            let possible = begin >= now && profile.has_free(begin, end, processors);
            if possible {
                profile.reserve(begin, end, processors);
            }
            !possible
        });
        for &place in &impossible {
            let queued = &mut queue[place.index()];
            (queued.begin, _) = profile.place(queued.job.processors, queued.length);
        }
        self.soonest = queue.iter().map(|queued| queued.begin).fold(f64::INFINITY, f64::min);
        self.remade += impossible.len() as u64;
        self.is_loose |= !impossible.is_empty();
        self.places = impossible;
    }

    /// All places in the queue by guaranteed start, ties in log order.
    fn sort_places_by_start(&mut self) {
        let queue = &self.queue;
        self.places.clear();
        self.places.extend((0..queue.len()).map(ListPlace::new));
        self.places.sort_unstable_by(|a, b| {
            let (a, b) = (&queue[a.index()], &queue[b.index()]);
            a.begin.total_cmp(&b.begin).then(a.job.job.cmp(&b.job.job))
        });
    }

    /// Brings the priorities up to date, for keys that change as time passes.
    pub(super) fn refresh(&mut self) {
        if self.order.depends_on_now() {
            for queued in &mut self.queue {
                queued.key = self.order.key(&queued.job, self.now);
            }
            self.sort();
        }
    }

    fn sort(&mut self) {
        // which jobs have tried is known by their places
        self.freed.everything();
        // keys are never NaN, for estimates are above 0
        self.queue.sort_unstable_by(|a, b| (a.key, a.job.job).partial_cmp(&(b.key, b.job.job)).unwrap());
    }

    /// The place that a job would have in the queue.
    pub(super) fn place_of(&self, job: &Waiting) -> ListPlace {
        let key = self.order.key(job, self.now);
        ListPlace::new(self.queue.partition_point(|queued| (queued.key, queued.job.job) < (key, job.job)))
    }

    /// A job enters the queue. It is guaranteed the earliest start at which it delays no other job.
    pub(super) fn insert(&mut self, job: Waiting) {
        let place = self.place_of(&job);
        let length = job.estimate.ceil();
        let (begin, _) = self.profile().place(job.processors, length);
        self.freed.entered(place);
        self.soonest = self.soonest.min(begin);
        let key = self.order.key(&job, self.now);
        self.queue.insert(place.index(), GuaranteedJob { job, key, begin, length });
    }

    /// A job has completed.
    pub(super) fn completed(&mut self, release: &Release) {
        let now = self.now as f64;
        if self.timetable.completed(release, now) == Completion::NeverEntered {
            return;
        }
        let end = expected_end(release, now);
        let profile = self.timetable.at(now);
        profile.release(now, end, release.processors);
        self.freed.add(now, end, release.processors, self.queue.len(), profile);
        self.is_loose |= end > now;
    }

    /// Whether starts may be able to move earlier since this was last asked.
    pub(super) fn take_loose(&mut self) -> bool {
        std::mem::take(&mut self.is_loose)
    }

    /// A running job is now expected to end at `end`.
    pub(super) fn expected(&mut self, release: &Release, end: f64) {
        self.ends_have_moved = true;
        self.is_loose |= end.ceil() < release.at.ceil();
    }

    /// Queued jobs were estimated anew, in log order. Starts that are possible for as long stand.
    pub(super) fn reestimated(&mut self, estimates: &[f64], view: &View) {
        let mut changed = false;
        for queued in &mut self.queue {
            let estimate = estimates[queued.job.job.index()];
            changed |= estimate != queued.job.estimate;
            self.is_loose |= estimate < queued.job.estimate;
            queued.job.estimate = estimate;
            queued.length = estimate.ceil();
            queued.key = self.order.key(&queued.job, self.now);
        }
        if changed {
            self.sort();
            self.remake(view, None);
        }
    }

    /// Whether any queued job is narrow enough to start now.
    pub(super) fn could_start(&self, view: &View) -> bool {
        self.queue.iter().any(|queued| queued.job.processors <= view.free())
    }

    /// Moves each job, in the order of the profile, to its earliest start (Conservative's compression).
    pub(super) fn compress_by_start(&mut self) {
        self.sort_places_by_start();
        for i in 0..self.places.len() {
            let place = self.places[i];
            let candidate = self.queue[place.index()].candidate();
            if let Some(earlier) = self.freed.earliest(&candidate, self.timetable.at(self.now as f64)) {
                self.move_job(place, earlier);
            }
        }
        // what a job gives back begins after its old start, and so after the starts of all jobs that tried before it
        self.freed.forget();
    }

    /// Moves each job, by priority, to its earliest start, once. This may leave gaps (FAIRNESS Fig. 1).
    pub(super) fn compress_by_priority(&mut self) {
        for place in 0..self.queue.len() {
            self.advance_job(ListPlace::new(place));
        }
        self.freed.forget();
    }

    /// Moves the first job before `end` that can start earlier to its earliest start, and begins again, until none can
    /// (PC's compression).
    pub(super) fn compress_until_tight(&mut self, end: ListPlace) {
        if !self.freed.is_left_to(end) {
            return;
        }
        self.freed.begin(self.queue.iter().map(GuaranteedJob::candidate));
        while let Some((place, begin)) = self.freed.first_that_can_move(end, self.timetable.at(self.now as f64)) {
            self.move_job(place, begin);
            self.freed.moved(place, begin);
        }
        self.freed.forget_used(self.now as f64, self.end());
    }

    /// Moves the first job that can start right now to now, and begins again, until none can (DC). Who is protected moves
    /// earlier before that.
    pub(super) fn move_to_now(&mut self, protected: Protected) {
        match protected {
            Protected::Nobody => {
                while (0..self.queue.len()).any(|place| self.move_job_to_now(ListPlace::new(place))) {}
            }
            Protected::First => {
                while self.advance_first()
                    || (0..self.queue.len()).any(|place| self.move_job_to_now(ListPlace::new(place)))
                {}
            }
            Protected::Higher => {
                while let Some(place) =
                    (0..self.queue.len()).map(ListPlace::new).find(|&place| self.can_begin_now(place))
                {
                    // where that moves nobody, the job still can; where it moves somebody, all are looked at again
                    self.compress_until_tight(place);
                    if self.can_begin_now(place) {
                        self.move_job(place, self.now as f64);
                    }
                }
            }
        }
    }

    /// Moves the first job by priority that does not start now to its earliest start. Whether it has moved.
    fn advance_first(&mut self) -> bool {
        let now = self.now as f64;
        let first = self.queue.iter().position(|queued| queued.begin > now);
        first.is_some_and(|place| self.advance_job(ListPlace::new(place)))
    }

    /// Whether a job that does not start now could.
    fn can_begin_now(&mut self, place: ListPlace) -> bool {
        let now = self.now as f64;
        let GuaranteedJob { job, length, begin, .. } = self.queue[place.index()];
        begin > now && self.profile().could_begin_now(job.processors, length, begin)
    }

    /// Moves a job to its earliest start. Whether it has moved.
    fn advance_job(&mut self, place: ListPlace) -> bool {
        let Candidate { processors, length, begin } = self.queue[place.index()].candidate();
        let earlier = self.profile().earlier(processors, length, begin);
        if let Some(earlier) = earlier {
            self.move_job(place, earlier);
        }
        earlier.is_some()
    }

    fn move_job_to_now(&mut self, place: ListPlace) -> bool {
        let can_move = self.can_begin_now(place);
        if can_move {
            self.move_job(place, self.now as f64);
        }
        can_move
    }

    fn move_job(&mut self, place: ListPlace, begin: f64) {
        let queued = &mut self.queue[place.index()];
        let (processors, before) = (queued.job.processors, queued.begin..queued.end());
        queued.begin = begin;
        self.soonest = self.soonest.min(begin);
        let end = queued.end();
        let profile = self.timetable.at(self.now as f64);
        profile.release(before.start, before.end, processors);
        profile.reserve(begin, end, processors);
        self.freed.add(before.start.max(end), before.end, processors, self.queue.len(), profile);
    }

    /// Starts the jobs whose time has come, in the order of their priorities.
    pub(super) fn start_due(&mut self, actions: &mut Actions) {
        let now = self.now as f64;
        self.timetable.at(now);
        if self.soonest <= now {
            self.start_those_due(now, actions);
        }
        // a job that does not fit beside the jobs that run now can start only once one of them completes
        let (mut soonest, mut next) = (f64::INFINITY, f64::INFINITY);
        for queued in &self.queue {
            soonest = if queued.begin < soonest { queued.begin } else { soonest };
            next = if queued.begin < next && queued.job.processors <= actions.free() { queued.begin } else { next };
        }
        self.soonest = soonest;
        if next < f64::INFINITY {
            actions.wake_at(next as Seconds);
        }
    }

    #[inline(never)]
    fn start_those_due(&mut self, now: f64, actions: &mut Actions) {
        let (timetable, mut place) = (&mut self.timetable, 0);
        self.places.clear();
        self.queue.retain(|queued| {
            place += 1;
            if queued.begin > now {
                return true;
            }
            self.places.push(ListPlace::new(place - 1));
            actions.start(queued.job, timetable.start_reserved(queued.end(), queued.job.processors));
            false
        });
        self.freed.left(&self.places);
    }

    /// The place after the last job.
    pub(super) fn end(&self) -> ListPlace {
        ListPlace::new(self.queue.len())
    }

    /// The start guaranteed to a job that has arrived in the present instant, after the round.
    pub(super) fn promise(&self, job: JobId) -> Seconds {
        let queued = self.queue.iter().find(|queued| queued.job.job == job);
        queued.map_or(self.now, |queued| queued.begin as Seconds)
    }

    /// The guaranteed starts.
    pub(super) fn reservations(&self) -> Vec<Reservation> {
        self.queue.iter().map(|queued| Reservation { job: queued.job, start: queued.begin }).collect()
    }

    /// How many starts were made anew.
    pub(super) fn remade(&self) -> u64 {
        self.remade
    }

    /// What must hold at the end of a round, in which `actions` were decided.
    ///
    /// # Panics
    /// If it does not.
    #[cfg(debug_assertions)]
    pub(super) fn check(&self, view: &View, actions: &Actions) {
        self.timetable.check(view);
        let now = self.now as f64;
        let is_in_order = |a: &GuaranteedJob, b: &GuaranteedJob| (a.key, a.job.job) < (b.key, b.job.job);
        assert!(self.queue.is_sorted_by(is_in_order), "the queue is not in the order of its priorities");
        assert!(self.queue.iter().all(|queued| queued.begin > now), "a guaranteed start has passed");
        assert!(self.queue.iter().all(|queued| queued.begin >= self.soonest), "a start is before the soonest one");
        assert_eq!(self.timetable.free_now(), actions.free(), "the profile does not hold the running jobs");
    }
}

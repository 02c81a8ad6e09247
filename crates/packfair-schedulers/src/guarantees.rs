//! Guaranteed start times (FAIRNESS §2): what Conservative, PC and DC share.
//!
//! One profile lives as long as the simulation, and holds the start of every queued job. As long as no running job
//! outlives its estimate, starts only move earlier. If one does, the starts that this makes impossible are made anew
//! and counted. All others stand.
//!
//! Plans are in whole seconds: a fractional estimate takes up the second in which it ends.
//!
//! Where estimates were too short, this follows the order of an instant: corrections, arrivals, completions, round.
//! Starts that a corrected estimate makes impossible are made anew before the jobs of the instant arrive and complete,
//! even if the job that outlived its estimate completes at that instant. A job that outlives even its corrected
//! estimate is taken to end at the next second, but not before all completions of the instant are processed.
//! `plain/guaranteed.rs` states the same rules, and property tests compare both.

use super::capacity::ListPlace;
use super::contenders::Rank;
use super::freed::{Candidate, Freed};
use super::order::Order;
use super::profile::Profile;
use super::timetable::{Completion, Timetable};
use packfair_engine::model::{Actions, Release, Reservation, View, Waiting};
use packfair_workload::{JobId, Seconds};

/// Which jobs move earlier under delayed compression although they cannot start now, so that others do not take their
/// room.
///
/// The paper finds that DC is unfair by fair starts (§4.1): a job that could start soon keeps its old, late start while
/// others are let in before it. It asks for a modification that avoids that (§6). `First` and `Higher` are
/// modifications of this project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Protected {
    Nobody,
    /// In every round the first job by priority that does not start now, as EASY protects the head of its queue.
    First,
    /// All jobs of higher priority than a job that could start now, as where such a job arrives. Compression is still
    /// delayed as long as no job of lower priority is about to take what it would use.
    Higher,
}

#[derive(Clone, Copy, Debug)]
struct GuaranteedJob {
    job: Waiting,
    rank: Rank,
    begin: f64,
    /// How long its reservation is: its estimate, rounded up to whole seconds.
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

fn rank(order: Order, job: &Waiting, now: Seconds) -> Rank {
    // keys are never NaN, because estimates are above 0
    Rank::new(order.key(job, now), job.job)
}

/// The expected end of a running job, in whole seconds. If it has passed, the job is taken to end at the next second.
fn expected_end(release: &Release, now: f64) -> f64 {
    let end = release.at.ceil();
    if end < now { now + 1.0 } else { end }
}

/// The queue, the guaranteed starts of its jobs, and the profile that these and the running jobs leave.
#[derive(Clone, Debug)]
pub(super) struct Guarantees {
    order: Order,
    now: Seconds,
    timetable: Timetable,
    /// The queued jobs by priority, ties in log order.
    queue: Vec<GuaranteedJob>,
    /// No queued job has a guaranteed start before this time, seconds.
    soonest: f64,
    /// Whether running jobs are expected to end at other times than those in the profile.
    ends_have_moved: bool,
    remade: u64,
    /// Whether starts may be able to move earlier, because processors were given back early or a start was made anew
    /// elsewhere.
    is_loose: bool,
    /// The spans that were given back, and which jobs have not tried to use them.
    freed: Freed,
    /// Places in the queue, in another order; kept for its memory.
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

    fn profile(&mut self) -> &mut Profile {
        self.timetable.at(self.now as f64)
    }

    /// Brings everything up to the present instant. Called before anything else at that instant. `completing` is a job
    /// that has just left the running jobs of `view`.
    pub(super) fn catch_up(&mut self, view: &View, completing: Option<&Release>) {
        if self.now == view.now() && !self.ends_have_moved {
            return;
        }
        self.pass_time(view);
        let now = self.now as f64;
        // a job that is to end at this instant may still do so, since plans are in whole seconds
        self.ends_have_moved |= view.running().chain(completing.copied()).any(|release| release.at <= now - 1.0);
        self.follow_ends(view, completing);
    }

    /// Brings everything up to the present instant, after all its completions.
    pub(super) fn settle(&mut self, view: &View) {
        self.pass_time(view);
        self.follow_ends(view, None);
    }

    fn pass_time(&mut self, view: &View) {
        self.now = view.now();
        self.timetable.begin(self.now as f64, view.processors());
    }

    /// Takes over the expected ends of running jobs if they have moved, and makes starts anew that have become
    /// impossible.
    fn follow_ends(&mut self, view: &View, completing: Option<&Release>) {
        let now = self.now as f64;
        if std::mem::take(&mut self.ends_have_moved) || self.soonest < now {
            self.remake(view, completing);
        }
    }

    /// Makes the profile anew. Starts that are still possible stand; they are entered by start, the soonest first
    /// (ties: log order). The others become the earliest possible ones, in the same order.
    fn remake(&mut self, view: &View, completing: Option<&Release>) {
        let now = self.now as f64;
        let running = view.running().chain(completing.copied());
        let ends = running.map(|release| (expected_end(&release, now), release.processors));
        self.timetable.rebuild(view, ends);
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

    /// Fills `places` with all places in the queue by guaranteed start, ties in log order.
    fn sort_places_by_start(&mut self) {
        let queue = &self.queue;
        self.places.clear();
        self.places.extend((0..queue.len()).map(ListPlace::new));
        self.places.sort_unstable_by(|a, b| {
            let (a, b) = (&queue[a.index()], &queue[b.index()]);
            a.begin.total_cmp(&b.begin).then(a.job.job.cmp(&b.job.job))
        });
    }

    /// Brings the order of the queue up to date, where keys change as time passes.
    pub(super) fn refresh(&mut self) {
        if self.order.depends_on_now() {
            for queued in &mut self.queue {
                queued.rank = rank(self.order, &queued.job, self.now);
            }
            self.sort();
        }
    }

    fn sort(&mut self) {
        // the spans refer to places in the queue, which change
        self.freed.everything();
        self.queue.sort_unstable_by_key(|queued| queued.rank);
    }

    /// The place in the queue at which a job would be inserted.
    pub(super) fn place_of(&self, job: &Waiting) -> ListPlace {
        let rank = rank(self.order, job, self.now);
        ListPlace::new(self.queue.partition_point(|queued| queued.rank < rank))
    }

    /// Adds a job to the queue, with a guarantee of the earliest start at which it delays no other job.
    pub(super) fn insert(&mut self, job: Waiting) {
        let place = self.place_of(&job);
        let length = job.estimate.ceil();
        let (begin, _) = self.profile().place(job.processors, length);
        self.freed.entered(place);
        self.soonest = self.soonest.min(begin);
        let rank = rank(self.order, &job, self.now);
        self.queue.insert(place.index(), GuaranteedJob { job, rank, begin, length });
    }

    /// Takes a running job that has completed out of the profile.
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

    /// Whether starts may have become able to move earlier since the last call.
    pub(super) fn take_loose(&mut self) -> bool {
        std::mem::take(&mut self.is_loose)
    }

    /// Notes that a running job is now expected to end at `end`.
    pub(super) fn expected(&mut self, release: &Release, end: f64) {
        self.ends_have_moved = true;
        self.is_loose |= end.ceil() < release.at.ceil();
    }

    /// Takes over new estimates of queued jobs, indexed by log order. Starts that are possible for the new lengths
    /// stand.
    pub(super) fn reestimated(&mut self, estimates: &[f64], view: &View) {
        let mut changed = false;
        for queued in &mut self.queue {
            let estimate = estimates[queued.job.job.index()];
            changed |= estimate != queued.job.estimate;
            self.is_loose |= estimate < queued.job.estimate;
            queued.job.estimate = estimate;
            queued.length = estimate.ceil();
            queued.rank = rank(self.order, &queued.job, self.now);
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

    /// Moves each job once, in the order of the profile, to its earliest start (Conservative's compression).
    pub(super) fn compress_by_start(&mut self) {
        self.sort_places_by_start();
        for i in 0..self.places.len() {
            let place = self.places[i];
            let candidate = self.queue[place.index()].candidate();
            if let Some(earlier) = self.freed.earliest(&candidate, self.timetable.at(self.now as f64)) {
                self.move_job(place, earlier);
            }
        }
        // a job gives back time after its old start, so after the starts of all jobs that tried before it
        self.freed.forget();
    }

    /// Moves each job once, by priority, to its earliest start. This may leave gaps (FAIRNESS Fig. 1).
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

    /// Moves the first job that can start right now to the present, and begins again, until none can (DC). Protected
    /// jobs move earlier before that.
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
                    // if this moves no job, the job can still start now; if it moves some, all jobs are looked at again
                    self.compress_until_tight(place);
                    if self.can_begin_now(place) {
                        self.move_job(place, self.now as f64);
                    }
                }
            }
        }
    }

    /// Moves the first job by priority that does not start now to its earliest start. Returns whether it moved.
    fn advance_first(&mut self) -> bool {
        let now = self.now as f64;
        let first = self.queue.iter().position(|queued| queued.begin > now);
        first.is_some_and(|place| self.advance_job(ListPlace::new(place)))
    }

    /// Whether a job that is not planned to start now could start now.
    fn can_begin_now(&mut self, place: ListPlace) -> bool {
        let now = self.now as f64;
        let GuaranteedJob { job, length, begin, .. } = self.queue[place.index()];
        begin > now && self.profile().could_begin_now(job.processors, length, begin)
    }

    /// Moves a job to its earliest start. Returns whether it moved.
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

    /// Starts the jobs whose guaranteed start has come, by priority.
    pub(super) fn start_due(&mut self, actions: &mut Actions) {
        let now = self.now as f64;
        self.timetable.at(now);
        if self.soonest <= now {
            self.start_those_due(now, actions);
        }
        // a job that does not fit beside the present running jobs can start only once one of them completes
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

    /// The guaranteed start of a job that arrived in the present instant. Called after the round.
    pub(super) fn promise(&self, job: JobId) -> Seconds {
        let queued = self.queue.iter().find(|queued| queued.job.job == job);
        queued.map_or(self.now, |queued| queued.begin as Seconds)
    }

    pub(super) fn reservations(&self) -> Vec<Reservation> {
        self.queue.iter().map(|queued| Reservation { job: queued.job, start: queued.begin }).collect()
    }

    /// How many guaranteed starts were made anew so far.
    pub(super) fn remade(&self) -> u64 {
        self.remade
    }

    /// Checks what must hold at the end of a round that decided `actions`.
    ///
    /// # Panics
    /// If something does not hold.
    #[cfg(debug_assertions)]
    pub(super) fn check(&self, view: &View, actions: &Actions) {
        self.timetable.check(view);
        let now = self.now as f64;
        let is_in_order = |a: &GuaranteedJob, b: &GuaranteedJob| a.rank < b.rank;
        assert!(self.queue.is_sorted_by(is_in_order), "the queue is not in the order of its priorities");
        assert!(self.queue.iter().all(|queued| queued.begin > now), "a guaranteed start has passed");
        assert!(self.queue.iter().all(|queued| queued.begin >= self.soonest), "a start is before the soonest one");
        assert_eq!(self.timetable.free_now(), actions.free(), "the profile does not hold the running jobs");
    }
}

//! A round in which every blocked job gets a reservation (METRICS Alg. 1 with BACKFILL; JustBF).
//!
//! A round forgets all reservations and plans the queue anew: that is the definition. Done to the
//! letter it costs a placement for each waiting job and round. These observations save nearly all of
//! that and change no start:
//! - Only what starts now matters. Reservations are made just up to the last job that could still
//!   start now, and whether a job could is read off the [`Hole`] that the reservations so far leave.
//! - A reservation that begins after a candidate would have ended is nothing to it. Such jobs are put off,
//!   unplaced, up to a *horizon*. Where a job that begins before the horizon would end after it,
//!   it may get in their way: then the horizon moves to its end, and they are looked at again.
//!   Once plans have proved to be short-lived the horizon goes back for a candidate that ends sooner.
//! - In a scan the profile only fills up: a job as wide and as long as the one before it begins no earlier than
//!   that did: the search for its place goes on from there, or there is none. A search in vain also tells for how
//!   long so many processors are free at most: whoever is as wide and longer needs none, and what is known of the
//!   needs of a part of the queue may tell that of all its jobs.
//! - Where nothing happened but what was expected (jobs ended exactly when their estimates said, no
//!   estimate was corrected), planning anew would place every job exactly where it is: the plan of
//!   the last round stands.
//! - A job that arrives, or is estimated anew, changes nothing for those before it in the queue: their
//!   part of the plan stands. Until a job ends or is estimated anew there is less and less room for whoever waited
//!   in vain: only the job itself can start, and those behind it where it moves their reservations. It moves none
//!   where it can start beside all of them, wherever it stands.
//! - A job that starts is taken into the profile when that is looked at. If it ends before, soon as that may be, the
//!   plan stands: it was made without it.

mod horizon;
mod upkeep;

use super::hole::Hole;
use super::profile::{Profile, Span, Taken};
use super::queue::Queue;
use super::recent::Recent;
use super::room::Room;
use super::scan::Scan;
use super::spot::Spot;
use super::walk::Stop;
use crate::model::{Actions, View, Waiting};

/// The plan of a round, kept for the next.
///
/// Of the jobs that stand before `planned`, each has its reservation, or is put off: it does not begin before the
/// horizon. A job that is put off, and stands before another with a reservation, does not begin before that ends.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// Running jobs and reservations; empty before the first round.
    profile: Profile,
    /// Running jobs alone; kept only where there are reservations, and they might have to be forgotten at once.
    running: Option<Profile>,
    /// What was `running` last; kept for its memory.
    spare: Profile,
    /// Running jobs that are in neither profile yet.
    recent: Recent,
    /// The present, when the profiles were last brought up to it.
    updated: f64,
    /// In the order of the queue. In the course of a round those that begin now have started.
    reservations: Vec<Placed>,
    /// None of those who wait has a reservation that begins before.
    next_begin: f64,
    planned: Spot,
    horizon: f64,
    /// Reservations were given up: what is planned further ahead than is needed is planned in vain.
    is_short_lived: bool,
    /// Jobs did not end when they were expected to: all reservations were given up.
    has_surprises: bool,
    /// Nobody before it can start: the last round has tried them, and nothing has happened that makes room.
    open_from: Spot,
    now: f64,
    hole: Hole,
    hole_is_known: bool,
    /// Places in the queue of the jobs that start.
    started: Vec<usize>,
    /// For the jobs of the present scan.
    room: Room,
}

#[derive(Clone, Copy, Debug)]
struct Placed {
    spot: Spot,
    processors: u32,
    begin: f64,
    end: f64,
}

/// What becomes of a job that has just come.
pub(super) enum Admission {
    /// It has started.
    Starts,
    /// It cannot start.
    Waits,
    /// That can be told only when it is in the queue.
    Unknown,
}

impl Default for Plan {
    fn default() -> Self {
        Plan {
            profile: Profile::default(),
            running: None,
            spare: Profile::default(),
            recent: Recent::default(),
            updated: f64::NEG_INFINITY,
            reservations: Vec::new(),
            next_begin: f64::INFINITY,
            planned: Spot::FIRST,
            horizon: f64::NEG_INFINITY,
            is_short_lived: false,
            has_surprises: false,
            open_from: Spot::FIRST,
            now: f64::NEG_INFINITY,
            hole: Hole::default(),
            hole_is_known: false,
            started: Vec::new(),
            room: Room::default(),
        }
    }
}

impl Plan {
    /// A job has come that stands at `spot`. Whether it might start.
    #[inline(always)]
    pub(super) fn arrived(&mut self, spot: Spot, might_start: bool) {
        if might_start || spot < self.planned {
            self.changed_from(spot);
        }
    }

    /// Whether it is known that none of those who wait can start.
    pub(super) fn is_settled(&self) -> bool {
        self.open_from == Spot::LAST
    }

    /// The jobs of the queue from `spot` on, or their estimates, are not what they were.
    pub(super) fn changed_from(&mut self, spot: Spot) {
        self.open_from = self.open_from.min(spot);
        if spot < self.planned {
            if self.reservations.first().is_none_or(|first| first.spot >= spot) {
                self.forget();
                return;
            }
            self.is_short_lived = true;
            self.planned = spot;
            while let Some(gone) = self.reservations.pop_if(|reservation| reservation.spot >= spot) {
                self.profile.release(gone.begin, gone.end, gone.processors);
            }
        }
    }

    /// One round: starts jobs, and takes them out of the queue. At most `depth` jobs get reservations.
    #[inline(always)]
    pub(super) fn round(&mut self, queue: &mut Queue, view: &View, actions: &mut Actions, depth: usize) {
        let narrowest = queue.narrowest();
        if narrowest > actions.free() || self.open_from == Spot::LAST {
            return; // nothing can start, and reservations are forgotten anyway
        }
        self.open(queue, view, actions);
        let mut planned = queue.place(self.planned);
        let mut place = if self.open_from > self.planned { queue.place(self.open_from) } else { planned };
        while let Some(candidate) = self.next_candidate(place, queue, actions) {
            let mut fits = true;
            if planned < candidate || self.has_put_off(planned, queue) {
                (planned, fits) = self.reserve_before(candidate, &queue.job(candidate), planned, queue, depth);
            }
            if fits {
                self.start(candidate, queue, actions);
                planned = if planned == candidate { planned + 1 } else { planned };
            }
            place = candidate + 1; // in a round less and less fits: nobody is a candidate twice
        }
        self.planned = queue.spot_from(planned);
        self.open_from = Spot::LAST;
        if !self.started.is_empty() {
            self.reservations.retain(|reservation| reservation.begin > self.now);
            queue.remove(&self.started);
            self.started.clear();
        }
    }

    /// A round for a job that has just come, of which it is known that nobody else can start. It is not in the queue,
    /// where it would stand at `spot`.
    #[inline(always)]
    pub(super) fn admit(
        &mut self,
        newcomer: &Waiting,
        spot: Spot,
        queue: &Queue,
        view: &View,
        actions: &mut Actions,
        depth: usize,
    ) -> Admission {
        self.open(queue, view, actions);
        debug_assert!(self.started.is_empty(), "a reservation begins only where a job ends");
        let admission = if queue.is_empty() { Admission::Starts } else { self.admission(newcomer, spot, queue, depth) };
        if let Admission::Starts = admission {
            let token = self.occupy(self.now + newcomer.estimate, newcomer.processors);
            actions.start(*newcomer, token);
        }
        admission
    }

    /// What becomes of a newcomer where others wait. It is narrow enough to start.
    #[inline(always)]
    fn admission(&mut self, newcomer: &Waiting, spot: Spot, queue: &Queue, depth: usize) -> Admission {
        let end = self.now + newcomer.estimate;
        let leaves_plan = self.reservations.is_empty() || {
            self.update();
            self.profile.has_free_until(end, newcomer.processors)
        };
        if spot < self.planned {
            // all who have reservations keep them if it can start beside them; who was put off might be in its way
            let may_be_hindered = || end > self.horizon && self.has_put_off(queue.place(self.planned), queue);
            return if leaves_plan && !may_be_hindered() { Admission::Starts } else { Admission::Unknown };
        }
        let (place, mut planned) = (queue.place(spot), queue.place(self.planned));
        let mut fits = leaves_plan;
        if fits && (planned < place || self.has_put_off(planned, queue)) {
            (planned, fits) = self.reserve_before(place, newcomer, planned, queue, depth);
            self.planned = if planned == place { spot } else { queue.spot_from(planned) };
        }
        if fits { Admission::Starts } else { Admission::Waits }
    }

    /// Brings the plan up to the present, and starts the jobs whose reservations begin now.
    #[inline(always)]
    fn open(&mut self, queue: &Queue, view: &View, actions: &mut Actions) {
        self.now = view.now() as f64;
        if self.profile.is_empty() {
            self.profile = Profile::idle(self.now, view.processors());
        }
        if self.reservations.is_empty()
            && let Some(running) = self.running.take()
        {
            self.spare = running;
        }
        if self.next_begin <= self.now {
            self.start_reserved(queue, actions);
        }
        if self.horizon <= self.now {
            // Who was put off may begin now, but not before the reservations end that stand behind.
            self.planned = self.reservations.last().map_or(Spot::FIRST, |last| last.spot.next());
        }
        self.hole_is_known = false;
    }

    /// Starts the jobs whose reservations begin now, if there are any.
    #[inline(never)]
    fn start_reserved(&mut self, queue: &Queue, actions: &mut Actions) {
        self.update();
        self.next_begin = f64::INFINITY;
        for reservation in &self.reservations {
            debug_assert!(reservation.begin >= self.now);
            if reservation.begin > self.now {
                self.next_begin = self.next_begin.min(reservation.begin);
                continue;
            }
            let place = queue.place(reservation.spot);
            let token = self.recent.pass_by();
            actions.start(queue.job(place), token);
            if let Some(running) = &mut self.running {
                running.reserve_until(reservation.end, reservation.processors);
            }
            self.started.push(place);
        }
    }

    /// Whether anybody who waits has a reservation.
    #[inline(always)]
    fn has_reserved(&self) -> bool {
        self.reservations.len() > self.started.len()
    }

    /// The place of the first job from `place` on that could start now.
    #[inline(always)]
    fn next_candidate(&mut self, place: usize, queue: &Queue, actions: &Actions) -> Option<usize> {
        let any = queue.first_narrow(place, actions.free())?;
        if !self.has_reserved() {
            return Some(any);
        }
        if !std::mem::replace(&mut self.hole_is_known, true) {
            self.update();
            self.hole.read(self.now, actions.free(), &self.profile, queue.narrowest());
        }
        queue.first_fitting(any, &self.hole)
    }

    /// Starts the job at `candidate`.
    #[inline(always)]
    fn start(&mut self, candidate: usize, queue: &Queue, actions: &mut Actions) {
        let (job, spot) = (queue.job(candidate), queue.spot(candidate));
        let end = self.now + job.estimate;
        let token = self.occupy(end, job.processors);
        actions.start(job, token);
        self.started.push(candidate);
        self.reservations.push(Placed { spot, processors: job.processors, begin: self.now, end });
        self.hole_is_known = false;
    }

    /// Plans the jobs before `candidate` as far as they may matter to it; or until it does not fit any more,
    /// or `depth` jobs have reservations. The jobs before the place `planned` are; the same place afterwards, and
    /// whether the candidate still fits.
    #[inline(never)] // what it consists of is all in place, and by itself it has registers for that
    fn reserve_before(
        &mut self,
        candidate: usize,
        job: &Waiting,
        planned: usize,
        queue: &Queue,
        depth: usize,
    ) -> (usize, bool) {
        self.update();
        let Waiting { processors: wide, estimate, .. } = *job;
        let ends = self.now + estimate;
        // which jobs are the first `depth` can only be told where none is put off
        let horizon = if depth == usize::MAX { ends } else { f64::INFINITY };
        if horizon > self.horizon {
            let changed = self.move_horizon(horizon, planned, queue);
            if changed && !self.profile.has_free_until(ends, wide) {
                return (planned, false);
            }
        } else if self.is_short_lived {
            self.horizon = horizon;
        }
        if planned == candidate {
            return (candidate, true); // all before it are planned, now as far as it matters to this one
        }
        let mut scan = self.scan_from(0);
        let mut walk = queue.walk(planned);
        while let Some(next) = walk.next_narrow(scan.most, &self.room).filter(|next| next.place < candidate) {
            if self.reservations.len() - self.started.len() == depth {
                return (next.place, true);
            }
            let horizon = self.horizon;
            let span = self.earliest(&next, &mut scan, queue);
            if self.horizon > horizon && !self.profile.has_free_until(ends, wide) {
                return (next.place, false);
            }
            let Some(span) = span else { continue };
            let begin = span.begin;
            let taken = self.reserve(span, &next, self.reservations.len());
            if taken.least < wide && begin < ends && !self.profile.has_free_in(&taken, ends, wide) {
                return (next.place + 1, false);
            }
        }
        (candidate, true)
    }

    /// The earliest span for the job that is to be planned next, where that begins before the horizon.
    #[inline(always)]
    fn earliest(&mut self, next: &Stop, scan: &mut Scan, queue: &Queue) -> Option<Span> {
        loop {
            let span = scan.earliest(next, &mut self.profile, &mut self.room, self.horizon)?;
            if span.end <= self.horizon || !self.has_put_off(next.place, queue) {
                return Some(span);
            }
            self.move_horizon(span.end, next.place, queue);
            *scan = self.scan_from(0);
        }
    }

    /// Makes a job's reservation over a span that was just found for it; `before` stand before it.
    #[inline(always)] // it is what a plan consists of
    fn reserve(&mut self, span: Span, next: &Stop, before: usize) -> Taken {
        if self.has_surprises && self.running.is_none() && !self.has_reserved() {
            self.keep_running();
        }
        self.hole_is_known = false;
        let processors = next.processors;
        self.next_begin = self.next_begin.min(span.begin);
        self.reservations.insert(before, Placed { spot: next.spot(), processors, begin: span.begin, end: span.end });
        self.profile.take(span, processors)
    }
}

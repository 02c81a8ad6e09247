//! A round in which every blocked job gets a reservation (METRICS Alg. 1 with BACKFILL; JustBF).
//!
//! By definition a round forgets all reservations and plans the whole queue anew (`plain/list.rs`). That costs a
//! placement for each waiting job in each round. The following observations save nearly all of this and change no
//! start. `docs/engine.md` illustrates them.
//!
//! - *Only what starts now matters.* Reservations are made up to the last job that could still start now. Whether a job
//!   could start now is read from the [`BackfillWindow`] that the reservations so far leave.
//! - *The horizon.* A reservation that starts after the candidate ends cannot delay it. So jobs that do not begin
//!   before the horizon are put off, without a reservation. If a job begins before the horizon and ends after it, it
//!   may delay jobs that were put off: then the horizon moves to its end, and they are planned. Once plans have turned
//!   out to be short-lived, the horizon also moves back for a candidate that ends sooner.
//! - *Scans.* While jobs are placed, free capacity only shrinks. So a failed search tells that other jobs, and even
//!   whole blocks of the queue, fit nowhere ([`Scan`], [`CapacityBounds`]).
//! - *Plans that stand.* If jobs ended exactly when they were expected to, and no estimate was corrected, planning anew
//!   would place every job where it is. The plan of the last round stands.
//! - *Prefixes that stand.* A job that arrives or is estimated anew changes nothing for the jobs before it in the
//!   queue: their part of the plan stands. Until a job ends or is estimated anew, free capacity only shrinks, so no job
//!   can start that could not start before. Only the new job can, and jobs after it whose reservations it moves. It
//!   moves none if it can start beside all of them.
//! - *Jobs that start* enter the profile when it is next read ([`Timetable`]). A job that ends before that was never
//!   part of the plan, so the plan stands.

mod upkeep;

use super::capacity::{CapacityBounds, Depth, QueuePlace};
use super::contenders::{BackfillWindow, Rank, Scan};
use super::profile::{FreeSpan, ReservedSpan};
use super::queue::{Queue, QueuedJob};
use super::timetable::Timetable;
use packfair_engine::model::{Actions, View, Waiting};

/// The plan of a round, which is kept for the next.
///
/// Each job before `planned` has a reservation or is put off, which means that it does not begin before the horizon. A
/// job that is put off, and stands before a job with a reservation, does not begin before that reservation ends.
#[derive(Clone, Debug)]
pub(super) struct ReservationPlan {
    timetable: Timetable,
    /// Reservations in the order of the queue. During a round, jobs whose reservations begin now have started.
    reservations: Vec<ReservedJob>,
    /// No waiting job has a reservation that begins before this time.
    next_begin: f64,
    planned: Rank,
    horizon: f64,
    /// Whether reservations had to be given up before. Then what is planned further ahead than needed is wasted.
    is_short_lived: bool,
    /// Whether jobs ended when they were not expected to. Then all reservations had to be given up at once.
    has_surprises: bool,
    /// No job before this rank can start: the last round has tried these jobs, and no capacity was given back since.
    open_from: Rank,
    now: f64,
    window: BackfillWindow,
    window_is_known: bool,
    started: Vec<QueuePlace>,
    /// What the present scan has learned.
    bounds: CapacityBounds,
}

#[derive(Clone, Copy, Debug)]
struct ReservedJob {
    rank: Rank,
    processors: u32,
    begin: f64,
    end: f64,
}

/// How far the queue is planned, and whether the candidate still fits.
struct PlanProgress {
    /// Jobs before this place are planned.
    planned: QueuePlace,
    fits: bool,
}

/// What a round decides of a job that has just arrived.
pub(super) enum Admission {
    Starts,
    Waits,
    /// The job must enter the queue before this can be decided.
    Unknown,
}

impl Default for ReservationPlan {
    fn default() -> Self {
        ReservationPlan {
            timetable: Timetable::default(),
            reservations: Vec::new(),
            next_begin: f64::INFINITY,
            planned: Rank::FIRST,
            horizon: f64::NEG_INFINITY,
            is_short_lived: false,
            has_surprises: false,
            open_from: Rank::FIRST,
            now: f64::NEG_INFINITY,
            window: BackfillWindow::default(),
            window_is_known: false,
            started: Vec::new(),
            bounds: CapacityBounds::default(),
        }
    }
}

impl ReservationPlan {
    /// Notes that a job of this rank has arrived; `might_start` says whether it might start now.
    #[inline(always)]
    pub(super) fn arrived(&mut self, rank: Rank, might_start: bool) {
        if might_start || rank < self.planned {
            self.changed_from(rank);
        }
    }

    /// Whether it is known that no waiting job can start.
    pub(super) fn is_settled(&self) -> bool {
        self.open_from == Rank::LAST
    }

    /// Notes that jobs of the queue from `rank` on, or their estimates, have changed.
    pub(super) fn changed_from(&mut self, rank: Rank) {
        self.open_from = self.open_from.min(rank);
        if rank < self.planned {
            if self.reservations.first().is_none_or(|first| first.rank >= rank) {
                self.forget();
                return;
            }
            self.is_short_lived = true;
            self.planned = rank;
            while let Some(gone) = self.reservations.pop_if(|reservation| reservation.rank >= rank) {
                self.timetable.withdraw(gone.begin, gone.end, gone.processors);
            }
        }
    }

    /// Decides one round: starts jobs, and removes them from the queue. At most `depth` jobs get reservations.
    #[inline(always)]
    pub(super) fn round(&mut self, queue: &mut Queue, view: &View, actions: &mut Actions, depth: Depth) {
        let narrowest = queue.narrowest();
        if narrowest > actions.free() || self.open_from == Rank::LAST {
            return; // nothing can start, and reservations are forgotten anyway
        }
        self.open(queue, view, actions);
        let mut planned = queue.place(self.planned);
        let mut place = if self.open_from > self.planned { queue.place(self.open_from) } else { planned };
        while let Some(candidate) = self.next_candidate(place, queue, actions) {
            let mut fits = true;
            if planned < candidate || self.has_put_off(planned, queue) {
                PlanProgress { planned, fits } =
                    self.reserve_before(candidate, &queue.job(candidate), planned, queue, depth);
            }
            if fits {
                self.start(candidate, queue, view, actions);
                planned = if planned == candidate { planned.next() } else { planned };
            }
            place = candidate.next(); // capacity only shrinks in a round, so no job is a candidate twice
        }
        self.planned = queue.rank_from(planned);
        self.open_from = Rank::LAST;
        if !self.started.is_empty() {
            self.reservations.retain(|reservation| reservation.begin > self.now);
            queue.remove(&self.started);
            self.started.clear();
        }
    }

    /// Decides a round for a job that has just arrived, if it is known that no other job can start. The job is not in
    /// the queue; `rank` is the rank that it would have there.
    #[inline(always)]
    pub(super) fn admit(
        &mut self,
        newcomer: &Waiting,
        rank: Rank,
        queue: &Queue,
        view: &View,
        actions: &mut Actions,
        depth: Depth,
    ) -> Admission {
        self.open(queue, view, actions);
        debug_assert!(self.started.is_empty(), "a reservation begins only when a job ends");
        let is_free = queue.is_empty() && !self.timetable.shrinks();
        let admission = if is_free { Admission::Starts } else { self.admission(newcomer, rank, queue, depth) };
        if let Admission::Starts = admission {
            let token = self.timetable.start(self.now + newcomer.estimate, newcomer.processors, view);
            actions.start(*newcomer, token);
        }
        admission
    }

    /// Whether fewer processors may be free at a later time than now.
    #[inline(always)]
    fn has_less_later(&self) -> bool {
        self.reserved() > 0 || self.timetable.shrinks()
    }

    /// What is decided of a newcomer that is narrow enough to start, while other jobs wait.
    #[inline(always)]
    fn admission(&mut self, newcomer: &Waiting, rank: Rank, queue: &Queue, depth: Depth) -> Admission {
        let end = self.now + newcomer.estimate;
        let fits_plan = !self.has_less_later() || self.timetable.at(self.now).has_free_until(end, newcomer.processors);
        if rank < self.planned {
            // if it fits beside all reservations, they stand; but it might delay a job that was put off
            let may_delay = || end > self.horizon && self.has_put_off(queue.place(self.planned), queue);
            return if fits_plan && !may_delay() { Admission::Starts } else { Admission::Unknown };
        }
        let (place, mut planned) = (queue.place(rank), queue.place(self.planned));
        let mut fits = fits_plan;
        if fits && (planned < place || self.has_put_off(planned, queue)) {
            PlanProgress { planned, fits } = self.reserve_before(place, newcomer, planned, queue, depth);
            self.planned = if planned == place { rank } else { queue.rank_from(planned) };
        }
        if fits { Admission::Starts } else { Admission::Waits }
    }

    /// Brings the plan up to the present, and starts the jobs whose reservations begin now.
    #[inline(always)]
    fn open(&mut self, queue: &Queue, view: &View, actions: &mut Actions) {
        self.now = view.now() as f64;
        self.timetable.begin(self.now, view.processors());
        if self.reservations.is_empty() {
            self.timetable.forget_running_alone();
        }
        if self.next_begin <= self.now {
            self.start_reserved(queue, actions);
        }
        if self.horizon <= self.now {
            // jobs that were put off may begin now, except those before a reservation
            self.planned = self.reservations.last().map_or(Rank::FIRST, |last| last.rank.next());
        }
        self.window_is_known = false;
    }

    /// Starts the jobs whose reservations begin now, if there are any.
    #[inline(never)]
    fn start_reserved(&mut self, queue: &Queue, actions: &mut Actions) {
        self.timetable.at(self.now);
        self.next_begin = f64::INFINITY;
        for reservation in &self.reservations {
            debug_assert!(reservation.begin >= self.now);
            if reservation.begin > self.now {
                self.next_begin = self.next_begin.min(reservation.begin);
                continue;
            }
            let place = queue.place(reservation.rank);
            let token = self.timetable.start_reserved(reservation.end, reservation.processors);
            actions.start(queue.job(place), token);
            self.started.push(place);
        }
    }

    /// How many waiting jobs have reservations.
    #[inline(always)]
    fn reserved(&self) -> usize {
        self.reservations.len() - self.started.len()
    }

    /// The place of the first job at `place` or later that could start now.
    #[inline(always)]
    fn next_candidate(&mut self, place: QueuePlace, queue: &Queue, actions: &Actions) -> Option<QueuePlace> {
        let any = queue.first_narrow(place, actions.free())?;
        if !self.has_less_later() {
            return Some(any);
        }
        if !std::mem::replace(&mut self.window_is_known, true) {
            self.window.read(self.now, actions.free(), self.timetable.at(self.now), queue.narrowest());
        }
        queue.first_fitting(any, &self.window)
    }

    #[inline(always)]
    fn start(&mut self, candidate: QueuePlace, queue: &Queue, view: &View, actions: &mut Actions) {
        let (job, rank) = (queue.job(candidate), queue.rank(candidate));
        let end = self.now + job.estimate;
        let token = self.timetable.start(end, job.processors, view);
        actions.start(job, token);
        self.started.push(candidate);
        self.reservations.push(ReservedJob { rank, processors: job.processors, begin: self.now, end });
        self.window_is_known = false;
    }

    /// Plans the jobs before `candidate` as far as they may delay it. Stops when the candidate no longer fits, or when
    /// `depth` jobs have reservations. Jobs before `planned` are already planned.
    #[inline(never)] // inlined into the round it was slower; on its own it has all registers
    fn reserve_before(
        &mut self,
        candidate: QueuePlace,
        job: &Waiting,
        planned: QueuePlace,
        queue: &Queue,
        depth: Depth,
    ) -> PlanProgress {
        self.timetable.at(self.now);
        let Waiting { processors: wide, estimate, .. } = *job;
        let ends = self.now + estimate;
        // which jobs are the first `depth` is known only if none is put off
        let horizon = if depth.is_limited() { f64::INFINITY } else { ends };
        if horizon > self.horizon {
            let changed = self.move_horizon(horizon, planned, queue);
            if changed && !self.timetable.profile().has_free_until(ends, wide) {
                return PlanProgress { planned, fits: false };
            }
        } else if self.is_short_lived {
            self.horizon = horizon;
        }
        if planned == candidate {
            return PlanProgress { planned, fits: true }; // all jobs before it are planned as far as they may delay it
        }
        let mut scan = self.scan_from_now();
        let mut cursor = queue.cursor(planned);
        while let Some(next) = cursor.next_narrow(scan.most, &self.bounds).filter(|next| next.place < candidate) {
            if depth.is_reached(self.reserved()) {
                return PlanProgress { planned: next.place, fits: true };
            }
            let horizon = self.horizon;
            let span = self.earliest(&next, &mut scan, queue);
            if self.horizon > horizon && !self.timetable.profile().has_free_until(ends, wide) {
                return PlanProgress { planned: next.place, fits: false };
            }
            let Some(span) = span else { continue };
            let begin = span.begin;
            let reserved = self.reserve(span, &next, self.reservations.len());
            if reserved.least < wide && begin < ends && !self.timetable.profile().has_free_in(&reserved, ends, wide) {
                return PlanProgress { planned: next.place.next(), fits: false };
            }
        }
        PlanProgress { planned: candidate, fits: true }
    }

    /// The earliest span for the job that is to be planned next, if it begins before the horizon.
    #[inline(always)]
    fn earliest(&mut self, next: &QueuedJob, scan: &mut Scan, queue: &Queue) -> Option<FreeSpan> {
        loop {
            let span = scan.earliest(next, self.timetable.profile(), &mut self.bounds, self.horizon)?;
            if span.end <= self.horizon || !self.has_put_off(next.place, queue) {
                return Some(span);
            }
            self.move_horizon(span.end, next.place, queue);
            *scan = self.scan_from_now();
        }
    }

    /// Reserves a span that was just found for a job; `before` is the number of reservations before it.
    #[inline(always)] // a plan consists of this
    fn reserve(&mut self, span: FreeSpan, next: &QueuedJob, before: usize) -> ReservedSpan {
        if self.has_surprises && !self.timetable.keeps_running_alone() && self.reserved() == 0 {
            self.timetable.keep_running_alone();
        }
        self.window_is_known = false;
        let processors = next.processors;
        self.next_begin = self.next_begin.min(span.begin);
        self.reservations
            .insert(before, ReservedJob { rank: next.rank(), processors, begin: span.begin, end: span.end });
        self.timetable.profile().take(span, processors)
    }
}

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
//! - In a scan the profile only fills up: a job as wide and as long as the one before it begins no earlier than
//!   that did: the search for its place goes on from there, or there is none.
//! - Where nothing happened but what was expected (jobs ended exactly when their estimates said, no
//!   estimate was corrected), planning anew would place every job exactly where it is: the plan of
//!   the last round stands.
//! - A job that arrives, or is estimated anew, changes nothing for those before it in the queue: their
//!   part of the plan stands.

use super::hole::Hole;
use super::queue::Queue;
use super::spot::Spot;
use crate::simulation::{Cluster, Profile, Release, Span, Waiting};

/// The plan of a round, kept for the next.
///
/// Of the jobs that stand before `planned`, each has its reservation, or does not begin before the
/// horizon. A reservation that ends after the horizon has none of the latter before it.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// Running jobs and reservations; empty before the first round.
    profile: Profile,
    /// Running jobs alone; kept only where there are reservations.
    running: Option<Profile>,
    /// What was `running` last; kept for its memory.
    spare: Profile,
    /// In the order of the queue. In the course of a round those that begin now have started.
    reservations: Vec<Placed>,
    planned: Spot,
    horizon: f64,
    now: f64,
    hole: Hole,
    hole_is_known: bool,
    /// Places in the queue of the jobs that start.
    started: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Placed {
    spot: Spot,
    processors: u32,
    begin: f64,
    end: f64,
}

/// How far planning has come.
struct Scan {
    /// The next place in the queue.
    place: usize,
    /// How many reservations stand before it.
    reserved: usize,
    /// The most processors that are free at any time before the horizon, or more.
    most: u32,
    /// The last search: whoever is as wide and as long begins no earlier.
    last: Search,
}

/// For whom an earliest fit was searched, and where that ended.
struct Search {
    processors: u32,
    estimate: f64,
    /// The step of the profile at which it begins; `usize::MAX` where that is not before the horizon. Placing
    /// the job adds steps behind it alone.
    step: usize,
}

impl Default for Plan {
    fn default() -> Self {
        Plan {
            profile: Profile::default(),
            running: None,
            spare: Profile::default(),
            reservations: Vec::new(),
            planned: Spot::FIRST,
            horizon: f64::NEG_INFINITY,
            now: f64::NEG_INFINITY,
            hole: Hole::default(),
            hole_is_known: false,
            started: Vec::new(),
        }
    }
}

impl Plan {
    /// The jobs of the queue from `spot` on, or their estimates, are not what they were.
    pub(super) fn changed_from(&mut self, spot: Spot) {
        if spot < self.planned {
            if self.reservations.first().is_none_or(|first| first.spot >= spot) {
                self.forget();
                return;
            }
            self.planned = spot;
            while let Some(gone) = self.reservations.pop_if(|reservation| reservation.spot >= spot) {
                self.profile.release(gone.begin, gone.end, gone.processors);
            }
        }
    }

    /// A running job has ended.
    pub(super) fn completed(&mut self, release: Release, cluster: &Cluster) {
        if release.at != cluster.now() as f64 {
            self.forget();
            self.profile.release_until(release.at, release.processors);
        }
    }

    /// A running job is now expected to end at `end`.
    pub(super) fn expected(&mut self, release: Release, end: f64) {
        self.forget();
        self.profile.move_end(release.at, end, release.processors);
    }

    /// Nothing of the plan stands any more.
    fn forget(&mut self) {
        self.planned = Spot::FIRST;
        self.horizon = f64::NEG_INFINITY;
        self.reservations.clear();
        if let Some(running) = self.running.take() {
            self.spare = std::mem::replace(&mut self.profile, running);
        }
    }

    /// One round: starts jobs, and takes them out of the queue. At most `depth` jobs get reservations.
    pub(super) fn round(&mut self, queue: &mut Queue, cluster: &mut Cluster, depth: usize) {
        let narrowest = queue.narrowest();
        if narrowest > cluster.free() {
            return; // nothing can start, and reservations are forgotten anyway
        }
        self.open(queue, cluster);
        let mut planned = queue.place(self.planned);
        let mut place = planned;
        while let Some(candidate) = self.next_candidate(place, queue, cluster) {
            let fits;
            (planned, fits) = self.reserve_before(candidate, planned, queue, depth);
            place = place.max(planned);
            if fits {
                self.start(candidate, queue, cluster);
                place = candidate + 1;
                planned = if planned == candidate { place } else { planned };
            }
        }
        self.planned = queue.spot_from(planned);
        if !self.started.is_empty() {
            self.reservations.retain(|reservation| reservation.begin > self.now);
            queue.remove(&self.started);
            self.started.clear();
        }
    }

    /// Brings the plan up to the present, and starts the jobs whose reservations begin now.
    fn open(&mut self, queue: &Queue, cluster: &mut Cluster) {
        self.now = cluster.now() as f64;
        if self.profile.is_empty() {
            self.profile = Profile::idle(self.now, cluster.processors());
        }
        self.profile.advance(self.now);
        if self.reservations.is_empty()
            && let Some(running) = self.running.take()
        {
            self.spare = running;
        }
        if let Some(running) = &mut self.running {
            running.advance(self.now);
        }
        for reservation in &self.reservations {
            debug_assert!(reservation.begin >= self.now);
            if reservation.begin == self.now {
                let place = queue.place(reservation.spot);
                cluster.start(queue.job(place));
                if let Some(running) = &mut self.running {
                    running.reserve_until(reservation.end, reservation.processors);
                }
                self.started.push(place);
            }
        }
        if self.horizon <= self.now {
            // Who was put off may begin now. Nobody with a reservation stands behind one of them.
            self.planned = self.reservations.last().map_or(Spot::FIRST, |last| last.spot.next());
        }
        self.hole_is_known = false;
    }

    /// The place of the first job from `place` on that could start now.
    fn next_candidate(&mut self, place: usize, queue: &mut Queue, cluster: &Cluster) -> Option<usize> {
        let any = queue.first_narrow(place, cluster.free())?;
        if !std::mem::replace(&mut self.hole_is_known, true) {
            match self.running {
                Some(_) => self.hole.read(self.now, cluster.free(), &self.profile, queue.narrowest()),
                // nothing is reserved
                None => self.hole.endless(self.now, cluster.free()),
            }
        }
        queue.first_fitting(any, &self.hole)
    }

    /// Starts the job at `candidate`.
    fn start(&mut self, candidate: usize, queue: &Queue, cluster: &mut Cluster) {
        let (job, spot) = (queue.job(candidate), queue.spot(candidate));
        let end = self.now + job.estimate;
        cluster.start(job);
        self.started.push(candidate);
        self.profile.reserve_until(end, job.processors);
        if let Some(running) = &mut self.running {
            running.reserve_until(end, job.processors);
        }
        self.reservations.push(Placed { spot, processors: job.processors, begin: self.now, end });
        self.hole_is_known = false;
    }

    /// Plans the jobs before `candidate` as far as they may matter to it; or until it does not fit any more,
    /// or `depth` jobs have reservations. The jobs before the place `planned` are; the same place afterwards, and
    /// whether the candidate still fits.
    fn reserve_before(&mut self, candidate: usize, mut planned: usize, queue: &Queue, depth: usize) -> (usize, bool) {
        if planned == candidate && !self.has_put_off(planned, queue) {
            return (candidate, true);
        }
        let wide = queue.job(candidate).processors;
        let ends = self.now + queue.job(candidate).estimate;
        // which jobs are the first `depth` can only be told where none is put off
        let horizon = if depth == usize::MAX { ends } else { f64::INFINITY };
        let mut fits = true;
        let mut scan = self.scan(horizon, planned, queue);
        let mut until = candidate;
        while let Some(next) = queue.first_narrow(scan.place, scan.most).filter(|&next| next < until) {
            let (job, spot) = (queue.job(next), queue.spot(next));
            scan.place = next + 1;
            if self.is_reserved(spot, &mut scan) {
                continue;
            }
            if self.reservations.len() - self.started.len() == depth {
                return (next, fits);
            }
            let Waiting { processors, estimate, .. } = job;
            let is_as_large = processors >= scan.last.processors && estimate >= scan.last.estimate;
            if is_as_large && scan.last.step == usize::MAX {
                continue;
            }
            let first = if is_as_large { scan.last.step } else { 0 };
            let Some(span) = self.profile.earliest_from(first, self.horizon, processors, estimate) else {
                scan.last = Search { processors, estimate, step: usize::MAX };
                continue;
            };
            scan.last = Search { processors, estimate, step: span.first_step() };
            let Span { begin, end, .. } = span;
            if end > self.horizon && queue.has_more_before(next, scan.reserved) {
                planned = planned.max(next);
                scan = self.scan(end, planned, queue);
                continue;
            }
            if self.running.is_none() {
                self.running = Some(self.copied_profile());
            }
            let least = self.profile.take(span, job.processors);
            self.reservations.insert(scan.reserved, Placed { spot, processors: job.processors, begin, end });
            scan.reserved += 1;
            self.hole_is_known = false;
            if least < wide && begin < ends && !self.profile.has_free(begin, end.min(ends), wide) {
                fits = false;
                until = planned.max(next + 1);
            }
        }
        (until, fits)
    }

    /// Begins to plan up to `horizon`: what is not planned yet, or everything that was put off before.
    fn scan(&mut self, horizon: f64, planned: usize, queue: &Queue) -> Scan {
        let (mut place, mut reserved) = (planned, self.reservations.len());
        if horizon > self.horizon {
            self.horizon = horizon;
            if self.has_put_off(planned, queue) {
                (place, reserved) = (0, 0);
            }
        }
        Scan {
            place,
            reserved,
            most: self.profile.most_before(self.horizon),
            last: Search { processors: 0, estimate: 0.0, step: 0 },
        }
    }

    /// Whether any of the jobs before the place `planned` has no reservation.
    fn has_put_off(&self, planned: usize, queue: &Queue) -> bool {
        queue.has_more_before(planned, self.reservations.len())
    }

    /// Whether the job that stands at `spot`, to which `scan` has come, has a reservation.
    fn is_reserved(&self, spot: Spot, scan: &mut Scan) -> bool {
        let rest = &self.reservations[scan.reserved..];
        let before = rest.iter().take_while(|reservation| reservation.spot < spot).count();
        let is_reserved = rest.get(before).is_some_and(|reservation| reservation.spot == spot);
        scan.reserved += before + usize::from(is_reserved);
        is_reserved
    }

    fn copied_profile(&mut self) -> Profile {
        let mut copy = std::mem::take(&mut self.spare);
        copy.clone_from(&self.profile);
        copy
    }
}

//! A round in which every blocked job gets a reservation (METRICS Alg. 1 with BACKFILL; JustBF).
//!
//! A round forgets all reservations and plans the queue anew: that is the definition. Done to the
//! letter it costs a placement for each waiting job and round. Three observations save nearly all of
//! that and change no start:
//! - Only what starts now matters. Reservations are made just up to the last job that could still
//!   start now, and whether a job could is read off the [`Hole`] that the reservations so far leave.
//! - Where nothing happened but what was expected (jobs ended exactly when their estimates said, no
//!   estimate was corrected), planning anew would place every job exactly where it is: the plan of
//!   the last round stands.
//! - A job that arrives, or is estimated anew, changes nothing for those before it in the queue: their
//!   part of the plan stands.

use super::hole::Hole;
use super::queue::Queue;
use crate::simulation::{Cluster, Profile};

/// The plan of a round, kept for the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// Running jobs and reservations.
    profile: Profile,
    hole: Hole,
    /// Of the first jobs of the queue, in its order.
    reservations: Vec<Reservation>,
    /// How many of them still stand.
    standing: usize,
    /// The cluster's count of surprises when the plan was made.
    surprises: u64,
    /// Places in the queue of the jobs that start.
    started: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Reservation {
    begin: f64,
    end: f64,
    processors: u32,
}

impl Plan {
    /// The jobs of the queue from `place` on, or their estimates, are not what they were.
    pub(super) fn changed_from(&mut self, place: usize) {
        self.standing = self.standing.min(place);
    }

    /// One round: starts jobs, and takes them out of the queue. At most `depth` jobs get reservations.
    pub(super) fn round(&mut self, queue: &mut Queue, cluster: &mut Cluster, depth: usize) {
        let narrowest = queue.narrowest();
        if narrowest > cluster.free() {
            return; // nothing can start, and reservations are forgotten anyway
        }
        self.revise(cluster);
        self.start_planned(queue, cluster);
        self.hole.read(&self.profile, narrowest);
        let mut next = self.reservations.len() + self.started.len();
        while let Some(candidate) = queue.first_fitting(next, &self.hole) {
            next = self.reserve_before(candidate, next, queue, narrowest, depth);
            let job = queue.job(candidate);
            if !self.hole.takes(&job) {
                continue;
            }
            cluster.start(job);
            self.started.push(candidate);
            let now = cluster.now() as f64;
            self.profile.take_now(now + job.estimate, job.processors);
            self.hole.read(&self.profile, narrowest);
            next = candidate + 1;
        }
        queue.remove(&self.started);
        self.started.clear();
        self.standing = self.reservations.len();
    }

    /// Brings the profile and the reservations up to the present: what does not stand any more goes.
    fn revise(&mut self, cluster: &Cluster) {
        let now = cluster.now() as f64;
        let surprises = cluster.surprises();
        if surprises != self.surprises || self.standing == 0 {
            self.surprises = surprises;
            self.profile.rebuild(now, cluster.free(), cluster.releases());
            self.reservations.clear();
            return;
        }
        self.profile.advance(now);
        for gone in self.reservations.drain(self.standing..).rev() {
            self.profile.release(gone.begin, gone.end, gone.processors);
        }
    }

    /// Starts the jobs whose reservations begin now.
    fn start_planned(&mut self, queue: &Queue, cluster: &mut Cluster) {
        let now = cluster.now() as f64;
        let mut place = 0;
        self.reservations.retain(|reservation| {
            debug_assert!(reservation.begin >= now);
            let starts = reservation.begin == now;
            if starts {
                cluster.start(queue.job(place));
                self.started.push(place);
            }
            place += 1;
            !starts
        });
    }

    /// Reserves for the jobs from `next` on, up to `candidate` or until that does not fit any more;
    /// the place of the first job that was not looked at.
    fn reserve_before(
        &mut self,
        candidate: usize,
        mut next: usize,
        queue: &Queue,
        narrowest: u32,
        depth: usize,
    ) -> usize {
        while next < candidate && self.reservations.len() < depth {
            let job = queue.job(next);
            let (begin, end) = self.profile.place(job.processors, job.estimate);
            self.reservations.push(Reservation { begin, end, processors: job.processors });
            next += 1;
            if self.hole.ends_after(begin) {
                self.hole.read(&self.profile, narrowest);
                if !self.hole.takes(&queue.job(candidate)) {
                    break;
                }
            }
        }
        next
    }
}

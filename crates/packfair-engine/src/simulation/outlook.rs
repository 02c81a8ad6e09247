//! What a scheduler expects at an instant, and what it expected of a job while the job waited. This is for a person to
//! look at, and no schedule depends on it.

use super::Simulation;
use crate::model::Reservation;
use packfair_workload::{JobId, Seconds};
use serde::{Deserialize, Serialize};

/// What is expected at an instant, by present estimates.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outlook {
    pub running: Vec<Expected>,
    /// The waiting jobs that have a reservation, the soonest first.
    pub reserved: Vec<Expected>,
}

/// A job and what is expected of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Expected {
    pub job: JobId,
    /// The reserved start of a waiting job; the instant itself for a running one.
    pub start: f64,
    pub end: f64,
}

/// The reservation of a job after a round.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reserved {
    pub at: Seconds,
    /// The reserved start; none if the job has no reservation.
    pub start: Option<f64>,
}

impl Simulation<'_> {
    /// Lives through up to `instants` further instants, but none after `at`. Returns whether `at` is reached.
    pub fn reach(&mut self, at: Seconds, instants: usize) -> bool {
        for _ in 0..instants {
            if self.next_instant().is_none_or(|next| next > at) {
                return true;
            }
            self.advance(1);
        }
        false
    }
}

/// What is expected at `at`, after all that happens then. `simulation` must have reached `at`.
pub fn outlook(simulation: &Simulation, at: Seconds) -> Outlook {
    let running = simulation.world.view().releases().into_iter();
    let mut reserved: Vec<Expected> = simulation
        .reservations()
        .into_iter()
        .map(|Reservation { job, start }| Expected { job: job.job, start, end: start + job.estimate })
        .collect();
    reserved.sort_by(|a, b| a.start.total_cmp(&b.start).then(a.job.cmp(&b.job)));
    Outlook {
        running: running.map(|release| Expected { job: release.job, start: at as f64, end: release.at }).collect(),
        reserved,
    }
}

/// A search for the reservations of a job from its submission to its start. It follows a simulation.
pub struct ReservationCourse<'a> {
    simulation: Simulation<'a>,
    job: JobId,
    course: Vec<Reserved>,
}

impl<'a> ReservationCourse<'a> {
    /// The search for `job`. `simulation` must not have begun.
    pub fn new(simulation: Simulation<'a>, job: JobId) -> Self {
        ReservationCourse { simulation, job, course: Vec::new() }
    }

    /// Lives through up to `instants` further instants. Once the job has started, returns a reservation for each round
    /// that changed it; none before.
    pub fn advance(&mut self, instants: usize) -> Option<Vec<Reserved>> {
        for _ in 0..instants {
            let now = self.simulation.next_instant();
            if now.is_none_or(|now| self.has_started_after(now)) {
                return Some(std::mem::take(&mut self.course));
            }
        }
        None
    }

    /// Lives through an instant. Returns whether the job has started by its end.
    fn has_started_after(&mut self, now: Seconds) -> bool {
        let (simulation, job) = (&mut self.simulation, self.job);
        let (rounds, waited) = (simulation.world.rounds(), simulation.world.is_waiting(job));
        simulation.advance(1);
        if !simulation.world.is_waiting(job) {
            return waited || simulation.world.next_arrival().is_none_or(|next| next > job);
        }
        if simulation.world.rounds() > rounds {
            let own = simulation.reservations().into_iter().find(|reservation| reservation.job.job == job);
            let start = own.map(|reservation| reservation.start);
            if self.course.last().is_none_or(|last| last.start != start) {
                self.course.push(Reserved { at: now, start });
            }
        }
        false
    }
}

/// The reservations of `job` from its submission to its start: one for each round that changed it. `simulation` must
/// not have begun.
pub fn reservation_course(simulation: Simulation, job: JobId) -> Vec<Reserved> {
    // no simulation has so many instants
    ReservationCourse::new(simulation, job).advance(usize::MAX).unwrap_or_default()
}

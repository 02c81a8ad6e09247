//! What a scheduler expects at an instant, and what it expected of a job while the job waited. This is for a person to
//! look at, and no schedule depends on it.

use super::Simulation;
use crate::model::Reservation;
use crate::workload::{JobId, Seconds};
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

#[cfg(test)]
mod tests {
    use super::super::{Options, test_jobs};
    use super::*;
    use crate::estimator::Requested;
    use crate::scheduler::Policy;
    use crate::workload::Workload;

    /// Jobs as (submit, processors, run time, estimate), for 4 processors. The first ends early.
    const JOBS: [(Seconds, u32, Seconds, Seconds); 4] = [(0, 3, 20, 50), (1, 4, 10, 10), (2, 1, 30, 40), (3, 2, 5, 5)];

    fn simulation<'a>(workload: &'a Workload, policy: &str) -> Simulation<'a> {
        let policy: Policy = policy.parse().unwrap();
        Simulation::new(workload, policy.build().unwrap(), Box::new(Requested), Options::default())
    }

    fn course(policy: &str, job: u32) -> Vec<(Seconds, Option<f64>)> {
        let workload = test_jobs::workload(4, &JOBS);
        let course = reservation_course(simulation(&workload, policy), JobId(job));
        course.into_iter().map(|reserved| (reserved.at, reserved.start)).collect()
    }

    #[test]
    fn a_reservation_is_followed_until_the_job_starts() {
        // by its estimate the third job runs until 42; it ends at 32
        for policy in ["easy", "justbf", "conservative", "pc", "dc"] {
            let expected = match policy {
                // a job that could move, but not to now, is left where it is
                "dc" => vec![(1, Some(50.0))],
                _ => vec![(1, Some(50.0)), (20, Some(42.0))],
            };
            assert_eq!(course(policy, 1), expected, "{policy}");
            assert_eq!(course(policy, 0), [], "{policy}: it starts at once");
        }
        assert_eq!(course("justbf", 3), [(3, Some(60.0))]);
        assert_eq!(course("easy", 3), [(3, None)], "EASY has one for the first of the queue alone");
        assert_eq!(course("saf-aggressive", 3), [(3, None)]);
    }

    #[test]
    fn the_outlook_holds_who_runs_and_who_waits() {
        let workload = test_jobs::workload(4, &JOBS);
        let told = |expected: &[Expected]| expected.iter().map(|e| (e.job.0, e.start, e.end)).collect::<Vec<_>>();
        let expected_at = |policy: &str, at: Seconds| {
            let mut simulation = simulation(&workload, policy);
            // one instant at a time
            while !simulation.reach(at, 1) {}
            outlook(&simulation, at)
        };
        let all = expected_at("conservative", 10);
        assert_eq!(told(&all.running), [(2, 10.0, 42.0), (0, 10.0, 50.0)]);
        assert_eq!(told(&all.reserved), [(1, 50.0, 60.0), (3, 60.0, 65.0)]);
        let first = expected_at("easy", 10);
        assert_eq!(told(&first.reserved), [(1, 50.0, 60.0)]);
        assert_eq!(expected_at("easy", -5), Outlook::default());
    }
}

//! What a scheduler expects at an instant, and what it expected of a job while the job waited. This is for a person to
//! look at, and no schedule depends on it.

use super::Simulation;
use crate::estimator::Explanation;
use crate::model::{Notes, Reservation};
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

// Why a job is estimated as it is, and why it waits.

impl Simulation<'_> {
    /// Lives through up to `instants` further instants, at most up to the submission of `job`. Then returns the
    /// estimator's explanation of its estimate, after which the simulation is of no further use. None if the job is
    /// still to come.
    pub fn explain(&mut self, job: JobId, instants: usize) -> Option<Explanation> {
        for _ in 0..instants {
            let now = self.next_instant()?;
            self.open(now);
            while let Some(arrived) = self.arrive(now) {
                if arrived.job == job {
                    return Some(self.world.explain_arrived(job, now));
                }
            }
            self.close(now);
        }
        None
    }
}

/// A search for the reason that a scheduler gives for a waiting job. It follows a simulation.
pub struct ReasonSearch<'a> {
    simulation: Simulation<'a>,
    job: JobId,
}

impl<'a> ReasonSearch<'a> {
    /// A search for the reason of `job`; none where the scheduler gives no reasons. `simulation` must not have begun.
    pub fn begin(simulation: Simulation<'a>, job: JobId) -> Option<Self> {
        simulation.scheduler_explains().then_some(ReasonSearch { simulation, job })
    }

    /// Lives through up to `instants` further instants; none as long as the search is not over. Then returns what the
    /// scheduler said of the job after the first round in which it did not start, and when that was; nothing if the job
    /// did not wait.
    pub fn advance(&mut self, instants: usize) -> Option<Option<(Seconds, String)>> {
        for _ in 0..instants {
            let Some(now) = self.simulation.next_instant() else { return Some(None) };
            if let Some(found) = self.look_at(now) {
                return Some(found);
            }
        }
        None
    }

    /// Lives through an instant. Returns the result once the search is over.
    fn look_at(&mut self, now: Seconds) -> Option<Option<(Seconds, String)>> {
        let ReasonSearch { simulation, job } = self;
        simulation.open(now);
        while simulation.arrive(now).is_some() {}
        simulation.close(now);
        if simulation.world.next_arrival().is_some_and(|next| next <= *job) {
            return None;
        }
        if !simulation.world.is_waiting(*job) {
            return Some(simulation.scheduler_told(*job).map(|told| (now, told)));
        }
        simulation.scheduler_says(*job).map(|said| Some((now, said)))
    }
}

// Futures of a simulation: what comes after a moment, with run times that are drawn because nobody knows them yet.

/// Who runs and who waits at a moment of a simulation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Present {
    pub running: Vec<(JobId, Seconds)>,
    pub waiting: Vec<JobId>,
}

impl<'a> Simulation<'a> {
    /// The simulation, which must not have begun, with these run times in place of those of its workload.
    pub fn with_runs(self, runs: &'a [Seconds]) -> Self {
        Simulation { world: self.world.with_runs(runs), ..self }
    }

    /// The simulation, which must not have begun, where from this place in log order on no job arrives before `at`. The
    /// jobs before them find a machine of their own, so that each starts as soon as it is submitted.
    pub fn opening(self, from: usize, at: Seconds) -> Self {
        Simulation { world: self.world.opening(from, at), ..self }
    }

    /// Lives through all instants up to `now`, and that itself.
    pub fn live_until(&mut self, now: Seconds) {
        while self.next_instant().is_some_and(|next| next <= now) {
            self.advance(1);
        }
    }

    /// Who runs and who waits after the last instant.
    pub fn present(&self) -> Present {
        Present { running: self.world.running(), waiting: self.world.queued() }
    }

    /// A copy that goes on from here, in which each job runs for the time that `runs` has for it in log order, and only
    /// the first `jobs` jobs of the workload ever arrive. A job that runs now must have a time that is longer than it
    /// has run. The copy keeps no schedule. None where users react, or a classifier is trained, which nothing copies.
    pub fn future<'b>(&self, runs: &'b [Seconds], jobs: usize) -> Option<Simulation<'b>>
    where
        'a: 'b,
    {
        self.world
            .can_fork_on()
            .then(|| Simulation { scheduler: self.scheduler.fork(), world: self.world.future(runs, jobs) })
    }

    /// Has the scheduler draw anew what differs from run to run and that nobody can know at `now`.
    pub fn redraw(&mut self, seed: u64, now: Seconds) {
        self.scheduler.redraw(seed, now);
    }

    /// Lives on until `asked` jobs have started for which `started` says that they were waited for, but not beyond
    /// `until` and for at most `instants` instants. `started` is called with every job that starts, and when. A job of
    /// `leaving` (in log order) gives up its place by then: when its turn comes later, it ends as it starts.
    pub fn follow(
        &mut self,
        asked: usize,
        until: Seconds,
        instants: usize,
        leaving: &[(JobId, Seconds)],
        mut started: impl FnMut(JobId, Seconds) -> bool,
    ) {
        let mut left = asked;
        for _ in 0..instants {
            let Some(now) = self.next_instant().filter(|&next| left > 0 && next <= until) else { break };
            let rounds = self.world.rounds();
            self.advance(1);
            if self.world.rounds() > rounds {
                if !leaving.is_empty() {
                    self.world.end_those_who_left(leaving, now);
                }
                left -= self.world.started().iter().filter(|start| started(start.job.job, now)).count();
            }
        }
    }

    /// Why a waiting job has not started, in the words of the scheduler; none where it says nothing.
    pub fn reason(&self, job: JobId) -> Option<String> {
        self.scheduler_says(job)
    }

    /// What the scheduler has to report so far.
    pub fn reported(&self) -> Notes {
        let mut notes = Notes::default();
        self.scheduler.report(&mut notes);
        notes
    }

    /// The processors that no job holds.
    pub fn free(&self) -> u32 {
        self.world.view().free()
    }
}

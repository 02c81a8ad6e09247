//! Futures of a simulation: what comes after a moment, with run times that are drawn because nobody knows them yet.

use super::Simulation;
use crate::model::Notes;
use packfair_workload::{JobId, Seconds};

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

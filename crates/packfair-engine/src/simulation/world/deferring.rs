//! Jobs that wait for a time before which the scheduler is not told of them: for cheap hours (docs/power.md).

use super::World;
use crate::model::{NEVER, RoundTrigger, Scheduler};
use packfair_workload::{JobId, Seconds};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// The jobs that wait so.
#[derive(Clone, Debug)]
pub(super) struct Deferring {
    /// When the scheduler may be told of each job, in log order.
    from: Arc<[Seconds]>,
    /// Those that have arrived, and of which it is not told yet.
    withheld: BinaryHeap<Reverse<(Seconds, JobId)>>,
}

impl Deferring {
    /// When the scheduler is told of the next one; [`NEVER`] if there is none.
    pub(super) fn next(&self) -> Seconds {
        self.withheld.peek().map_or(NEVER, |Reverse((at, _))| *at)
    }
}

impl World<'_> {
    /// Keeps each job from the scheduler until the time that `from` has for it.
    pub(in crate::simulation) fn deferring(self, from: Option<Vec<Seconds>>) -> Self {
        let deferring = from.map(|from| Box::new(Deferring { from: from.into(), withheld: BinaryHeap::new() }));
        World { deferring, ..self }
    }

    /// Keeps a job that arrives now from the scheduler, if it is to wait. Returns whether it is.
    pub(super) fn defer(&mut self, job: JobId, now: Seconds) -> bool {
        let Some(deferring) = &mut self.deferring else { return false };
        let Some(&from) = deferring.from.get(job.index()).filter(|&&from| from > now) else { return false };
        deferring.withheld.push(Reverse((from, job)));
        self.view.withhold(job);
        true
    }

    /// Tells the scheduler of the jobs that have waited until now, in log order.
    pub(super) fn show_deferred<S: Scheduler + ?Sized>(&mut self, scheduler: &mut S, now: Seconds) {
        while let Some(deferring) = &mut self.deferring
            && let Some(&Reverse((at, job))) = deferring.withheld.peek()
            && at <= now
        {
            deferring.withheld.pop();
            let waiting = self.view.show(job);
            self.is_triggered |=
                self.options.trigger == RoundTrigger::Every || self.view.fits_now(job, waiting.processors);
            scheduler.arrived(waiting, &self.view);
        }
    }
}

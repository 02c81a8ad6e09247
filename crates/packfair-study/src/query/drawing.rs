//! Draws of a run, one after the other: what differs from run to run of a real scheduler is drawn anew.

use super::Answer;
use crate::what_if::RunDraw;
use crate::{Ended, GroupedWaits, Rules, Run, Running};
use packfair_engine::metric::{Evaluation, Grouping, Measure, Metric};
use packfair_workload::Workload;
use std::ops::Range;
use std::rc::Rc;

/// Such draws under way on a workload.
pub struct Drawing {
    workload: Rc<Workload>,
    run: Run,
    draws: Range<u32>,
    rules: Rules,
    measure: Measure,
    metrics: Vec<Metric>,
    done: Vec<Result<RunDraw, String>>,
}

impl Drawing {
    /// Prepares the draws of a run; none has begun. Of each, these metrics and the waits of users are measured.
    pub fn begin(
        workload: Rc<Workload>,
        run: Run,
        draws: Range<u32>,
        rules: Rules,
        (measure, metrics): (Measure, Vec<Metric>),
    ) -> Self {
        Drawing { workload, run, draws, rules, measure, metrics, done: Vec::new() }
    }

    /// Makes one more draw; gives the answer once all have ended.
    pub fn advance(&mut self) -> Option<Answer> {
        if let Some(draw) = self.draws.next() {
            self.done.push(self.drawn(draw));
        }
        self.draws.is_empty().then(|| Answer::encoded(&std::mem::take(&mut self.done)))
    }

    fn drawn(&self, draw: u32) -> Result<RunDraw, String> {
        let run = Run { scheduler: self.run.scheduler.drawn(draw), ..self.run.clone() };
        let running = Running::begin(&run, &self.workload, self.rules).map_err(|why| why.to_string())?;
        let Ended { workload, schedule } = running.ended().map_err(|why| why.to_string())?;
        let evaluation = Evaluation::new(&workload, &schedule, &self.measure);
        Ok(RunDraw {
            jobs: workload.len(),
            values: self.metrics.iter().map(|&metric| evaluation.value(metric)).collect(),
            waits: GroupedWaits::of(&workload, &schedule, Grouping::User),
        })
    }
}

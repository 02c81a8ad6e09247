//! Answers questions. A question that takes as long as a run is answered in slices, so that it can be stopped when the
//! user picks another job.

use super::kept::WorkerCache;
use super::simulate::{SLICE, now};
use super::{Seldom, is_cancelled};
use crate::run_queue::protocol::{FromWorker, LogId, ScheduleKey, Ticket};
use gloo::timers::future::TimeoutFuture;
use packfair_study::query::{Answer, Begun, Drawing, Measuring, Query};
use packfair_study::script_trial::{RunningTrial, first_jobs};
use packfair_study::{Run, Treatment};

/// Instants between two looks at the clock.
const STRIDE: usize = 64;

/// The closing message to a question about kept schedules of the workload that `treatment` makes of a log: its answer,
/// or that it was withdrawn.
pub(super) fn answer(
    kept: &mut WorkerCache,
    ticket: Ticket,
    log: LogId,
    treatment: Treatment,
    schedules: Vec<(Run, ScheduleKey)>,
    query: Query,
) -> Seldom<'_, FromWorker> {
    Box::pin(async move {
        let workload = match kept.workload(log, &treatment) {
            Ok(workload) => workload,
            Err(message) => return FromWorker::Failed { ticket, message },
        };
        if let Query::Measured { runs, rules, measure, metrics, losses, part } = query {
            let part = kept.part(&workload, part);
            let mut measuring = Measuring::begin(part, runs, rules, measure, (metrics, losses));
            let answer = in_slices(ticket, |_| measuring.advance().map(Ok)).await;
            return closing(ticket, answer);
        }
        if let Query::Drawn { run, draws: (first, end), rules, measure, metrics } = query {
            let mut drawing = Drawing::begin(workload, run, first..end, rules, (measure, metrics));
            let answer = in_slices(ticket, |_| drawing.advance().map(Ok)).await;
            return closing(ticket, answer);
        }
        if let Query::Tried { run, rules, measure, jobs } = query {
            let first = first_jobs(&workload, jobs);
            let mut trying = RunningTrial::begin(&run, &first, workload.len(), rules, measure);
            let advance = |instants| trying.advance(instants).map(|trial| Ok(Answer::Tried(Box::new(trial))));
            return closing(ticket, in_slices(ticket, advance).await);
        }
        let lived = kept.lived(&workload, &schedules, &query);
        let answer = match kept.answer(log, &workload, &lived, &schedules, &query) {
            Ok(Begun::Answered(answer)) => Some(Ok(answer)),
            Ok(Begun::UnderWay(mut under_way)) => in_slices(ticket, |instants| under_way.advance(instants)).await,
            Err(message) => Some(Err(message)),
        };
        closing(ticket, answer)
    })
}

fn closing(ticket: Ticket, answer: Option<Result<Answer, String>>) -> FromWorker {
    match answer {
        Some(Ok(answer)) => FromWorker::Answered { ticket, answer: Box::new(answer) },
        Some(Err(message)) => FromWorker::Failed { ticket, message },
        None => FromWorker::Cancelled { ticket },
    }
}

/// Calls `advance` in slices until it returns the answer; `None` if the question was withdrawn.
async fn in_slices(
    ticket: Ticket,
    mut advance: impl FnMut(usize) -> Option<Result<Answer, String>>,
) -> Option<Result<Answer, String>> {
    while !is_cancelled(ticket) {
        let begin = now();
        while now() - begin < SLICE {
            let answer = advance(STRIDE);
            if answer.is_some() {
                return answer;
            }
        }
        TimeoutFuture::new(0).await;
    }
    None
}

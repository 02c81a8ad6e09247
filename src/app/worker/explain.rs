//! Explains an estimate in slices, so that it can be given up when another job is picked.

use super::is_cancelled;
use super::simulate::{SLICE, now};
use crate::app::protocol::Ticket;
use crate::study::query::{Estimated, Explaining};
use crate::study::{Rules, Run};
use crate::workload::{JobId, Workload};
use gloo::timers::future::TimeoutFuture;

/// Instants between two looks at the clock.
const STRIDE: usize = 64;

/// Why a job was estimated as it was; `None` where the question was taken back.
pub(super) async fn estimated(
    ticket: Ticket,
    workload: &Workload,
    run: &Run,
    rules: Rules,
    job: JobId,
    corrections: u32,
) -> Option<Result<Estimated, String>> {
    let mut explaining = match Explaining::begin(run, rules, job, workload, corrections) {
        Ok(explaining) => explaining,
        Err(message) => return Some(Err(message)),
    };
    while !is_cancelled(ticket) {
        let begin = now();
        while now() - begin < SLICE {
            if let Some(estimated) = explaining.advance(STRIDE) {
                return Some(Ok(estimated));
            }
        }
        TimeoutFuture::new(0).await;
    }
    None
}

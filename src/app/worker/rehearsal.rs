//! What the desk does once while nobody asks for anything: a rehearsal.
//!
//! Browsers begin with code that was compiled in haste, and compile what runs often once more, and better, for all
//! workers alike. The runs of a log of usual size would be over before that is done, and take twice or three times as
//! long as later ones. So a small workload is read and simulated ahead, some milliseconds at a time.

use super::Seldom;
use super::quiet::quiet;
use super::simulate::now;
use crate::estimator::{self, Estimate};
use crate::scheduler::{self, Policy};
use crate::simulation::Correction;
use crate::study::{Run, Running, Treatment};
use crate::workload::swf::Reader;
use crate::workload::{Workload, lublin, write_swf};
use gloo::timers::future::TimeoutFuture;

/// Milliseconds at a time: an order that comes meanwhile waits for so long at most.
const SLICE: f64 = 4.0;

/// Milliseconds between slices, which leave a processor to others most of the time.
const PAUSE: u32 = 16;

/// Jobs, and the machine's size: enough for queues of some length.
const JOBS: (u32, u32) = (2_000, 128);

/// How often everything is rehearsed: after four times hardly any code is left that is compiled anew (after two, the
/// runs of a first study took a twentieth longer).
const TIMES: usize = 4;

/// Instants between two looks at the clock.
const STRIDE: usize = 64;

/// Bytes of a log between two looks at the clock.
const PIECE: usize = 16_384;

/// Reads a small log and simulates it under every scheduler, and with every estimator.
pub(super) fn rehearse() -> Seldom<'static, ()> {
    Box::pin(async {
        let mut slice = Slice::begin().await;
        let log = lublin(JOBS.0, JOBS.1, 1);
        let Ok(workload) = Treatment::default().apply(&log) else { return };
        let mut text = Vec::new();
        if write_swf(&mut text, &log, &workload, None).is_err() {
            return; // memory can be written to
        }
        for _ in 0..TIMES {
            let mut reader = Reader::new(String::new());
            for piece in text.chunks(PIECE) {
                slice.pause().await;
                // it is well-formed
                let _ = reader.push(piece);
            }
            for run in runs() {
                simulate(&run, &workload, &mut slice).await;
            }
        }
    })
}

/// The preset of optimised rounds that stands for all of them: they take long, and differ in numbers alone.
const OPTIMISED: &str = "opt-af";

/// Every scheduler with what most runs are made with, and every estimator.
fn runs() -> impl Iterator<Item = Run> {
    let policies = scheduler::PRESETS.iter().filter(|preset| !preset.id.starts_with("opt-") || preset.id == OPTIMISED);
    let policies = policies.filter_map(|preset| preset.id.parse().ok());
    let with = |estimate: &str| {
        let estimate: Option<Estimate> = estimate.parse().ok();
        move |policy: Policy| Some(Run::new(policy, estimate.clone()?))
    };
    let estimates = estimator::FAMILIES.iter().filter_map(|family| family.entry.id.parse().ok());
    let easy = estimates.filter_map(|estimate| Some(Run::new("easy".parse().ok()?, estimate)));
    policies.clone().filter_map(with("actual")).chain(policies.filter_map(with("requested"))).chain(easy)
}

async fn simulate(run: &Run, workload: &Workload, slice: &mut Slice) {
    // the log's own schedule is not simulated
    let Ok(mut running) = Running::begin(run, workload, Correction::default()) else { return };
    while !running.advance(STRIDE).is_done() {
        slice.pause().await;
    }
}

/// A few milliseconds in which nobody has asked for anything.
struct Slice {
    begin: f64,
}

impl Slice {
    /// The next one.
    async fn begin() -> Slice {
        quiet().await;
        Slice { begin: now() }
    }

    /// Goes on in another one where this is over.
    async fn pause(&mut self) {
        if now() - self.begin > SLICE {
            TimeoutFuture::new(PAUSE).await;
            *self = Slice::begin().await;
        }
    }
}

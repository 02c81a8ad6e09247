//! Puts schedules and estimates of files beside a log that was read.

use super::load::LIMITS;
use crate::run_queue::{Beside, GivenFile, GivenOutcome, TakenFile};
use crate::workload::{Log, read_external};

/// What was said of a log and given beside it.
#[inline(never)]
pub(super) fn opened(encoded: &[u8]) -> Beside {
    Beside::decode(encoded)
}

/// Reads files and puts those beside a log that are of its jobs. What became of each, encoded.
#[inline(never)]
pub(super) fn taken(log: &mut Log, files: &[GivenFile]) -> Vec<u8> {
    let outcomes: Vec<GivenOutcome> = files.iter().map(|file| take(log, file)).collect();
    // it is plain data
    postcard::to_stdvec(&outcomes).unwrap_or_default()
}

fn take(log: &mut Log, given: &GivenFile) -> GivenOutcome {
    let GivenFile { name, kind, content } = given;
    let external = read_external(name, *kind, content, LIMITS).map_err(|error| error.to_string())?.called(name);
    let agreement = external.agreement(log).map_err(|fault| fault.to_string())?;
    let taken = TakenFile { file: external.file, kind: *kind, agreement };
    log.external.push(external);
    Ok(taken)
}

//! How large a log may be that a browser reads, and what a person is told where that is not enough.

use packfair_workload::ReadError;
use packfair_workload::reading::Limits;

/// The largest number of jobs that are read. A job takes about 250 bytes while it is read and cleaned, twice that when
/// lists grow, and a worker has 4 GB of memory.
const MOST_JOBS: f64 = 8e6;

/// The limits for reading a log: a small gzip file can hide a very large text.
pub(super) const LIMITS: Limits = Limits { jobs: MOST_JOBS as usize, text: 4_000_000_000, lost: Limits::ALL_LOST };

/// Why a log was not read.
pub(super) struct NotRead {
    pub(super) message: String,
    /// Whether it can be read if the user accepts that many of its records are not understood.
    pub(super) may_go_on: bool,
}

/// Why a log cannot be read, and what to do with a log that is too large.
pub(super) fn words(error: &ReadError) -> NotRead {
    use ReadError::{Io, NoMemory, TooManyJobs, TooMuchText};
    let message = match error {
        TooManyJobs { .. } | TooMuchText { .. } | NoMemory { .. } => {
            format!("{error}, or simulate it with {COMMAND_LINE}")
        }
        // it is a sentence (`unreadable`)
        Io(why) => why.clone(),
        _ => error.to_string(),
    };
    NotRead { message, may_go_on: error.is_of_losses() }
}

/// The advice for a log that needs more memory than a browser has.
const COMMAND_LINE: &str = "the command line, which has room for as many as your machine: packfair run LOG";

/// Checks whether there is enough memory for a log of which a part (from 0 to 1) holds `jobs` jobs. `tells` says
/// whether this part is large enough for an estimate.
pub(super) fn check_memory(jobs: f64, part: f64, tells: bool) -> Result<(), String> {
    let all = jobs / part;
    // the lines of later jobs may be shorter or longer
    if jobs <= MOST_JOBS && !(tells && all > 1.5 * MOST_JOBS) {
        return Ok(());
    }
    Err(format!(
        "it has about {} million jobs, and a browser tab has room for {} million. Take a part of it, a year say, or \
         simulate it with {COMMAND_LINE}",
        (all / 1e6).round().max(MOST_JOBS / 1e6 + 1.0),
        MOST_JOBS / 1e6,
    ))
}

pub(super) fn unreadable() -> String {
    "The browser could not read the file. Was it moved, changed or deleted after it was chosen? Choose it again."
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn a_bomb_is_stopped_with_its_limit_and_a_way_out() {
        let said = words(&ReadError::TooManyJobs { most: LIMITS.jobs }).message;
        assert!(said.starts_with("it has more than 8,000,000 jobs") && said.contains("packfair run"), "{said}");
        assert_eq!(words(&ReadError::Empty).message, ReadError::Empty.to_string());
    }

    #[wasm_bindgen_test]
    fn a_log_that_is_too_large_is_refused_early_and_with_a_way_out() {
        // a million jobs in a tenth of the file, but little of it read so far
        assert_eq!(check_memory(1e6, 0.1, false), Ok(()));
        let refused = check_memory(2e6, 0.1, true).unwrap_err();
        assert!(refused.contains("about 20 million jobs") && refused.contains("packfair run"), "{refused}");
        assert_eq!(check_memory(1e6, 0.1, true), Ok(()));
        assert_eq!(check_memory(8e6, 1.0, true), Ok(()));
        assert!(check_memory(8e6 + 1.0, 0.9, true).unwrap_err().contains("about 9 million jobs"));
    }
}

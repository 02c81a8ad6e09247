//! Work that may end by a mistake of Packfair's own: the mistake is reported, and all other work goes on.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The error of work that ended by a mistake of Packfair's own; contains the message of the panic.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a mistake of Packfair's own ({0}); please report it, with the lines above and the log")]
pub(super) struct Mistake(String);

/// Does work that is independent of all other work: state that it leaves half done is dropped with it, or is behind a
/// lock that reports the panic.
///
/// # Errors
/// The work panics. By then, the place in the code has been written to standard error.
pub(super) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Mistake> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|thrown| Mistake(said(&*thrown)))
}

/// The message of a panic.
fn said(thrown: &(dyn Any + Send)) -> String {
    let text = thrown.downcast_ref::<String>().map(String::as_str).or_else(|| thrown.downcast_ref::<&str>().copied());
    text.unwrap_or("it says no more").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_is_told_and_what_goes_well_is_given() {
        assert_eq!(guarded(|| 3), Ok(3));
        let jobs: Vec<u32> = Vec::new();
        assert!(guarded(|| jobs[0]).unwrap_err().to_string().contains("index out of bounds"));
        assert!(guarded(|| panic!("of job {}", 7)).unwrap_err().to_string().contains("(of job 7)"));
        assert!(guarded(|| std::panic::panic_any(3)).unwrap_err().to_string().contains("(it says no more)"));
    }
}

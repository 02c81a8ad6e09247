//! Work that may end by a mistake of Packfair's own: what it was is told, and all other work goes on.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// That work ended by a mistake of Packfair's own.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a mistake of Packfair's own ({0}); please report it, with what is told above and the log")]
pub(super) struct Mistake(String);

/// Does work that is a world of its own: what it may leave half done is gone with it, or is behind a lock that says so.
///
/// # Errors
/// Where it panics. Where in the code that was, is told on standard error by then.
pub(super) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Mistake> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|thrown| Mistake(said(&*thrown)))
}

/// What a panic says.
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

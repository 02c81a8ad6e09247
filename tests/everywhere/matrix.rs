//! Random combinations of everything that can be asked: a family of schedulers with any settings, an estimator, a
//! correction, a treatment (with machines with a calendar, and users who react) and a question, on a small and unusual
//! workload. Nothing panics, schedules are valid, results computed in steps are those computed at once, fast schedulers
//! do what plain ones do, no metric is NaN, and refusals have a message.
//!
//! The same cases give the same results on every target: `tests/expected/matrix.txt` has a digest of each of the first
//! ones. They change when the catalogues do: `PACKFAIR_RENEW=1 cargo test --test everywhere the_same_is_answered` writes them anew.
//!
//! `PACKFAIR_SEED=N` draws other cases, `PACKFAIR_CASES=N` draws N times as many, and `PACKFAIR_CASE=N` only the case
//! that a failure names.

mod asked;
mod case;
mod draw;

use crate::same_everywhere::expected;
use asked::asked;
use case::Case;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test;

/// The seed of the cases that are always drawn.
const SEED: u64 = 2022;

/// The number of cases whose results are stored.
const STORED: u64 = 400;

/// What a case is and came to; 0 where it is refused.
fn line(number: u64) -> String {
    let case = Case::of(SEED, number);
    let came_to = asked(&case).unwrap_or_else(|why| panic!("case {number}: {why}\n{case:?}"));
    let Case { run, jobs, processors, asked, .. } = &case;
    let told = format!("{} jobs on {processors}, {}, asked {asked}", jobs.len(), run.id());
    format!("{number} {:016x} | {}\n", came_to.unwrap_or(0), expected::short(&told))
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn the_same_is_answered_everywhere() {
    let lines: String = (0..STORED).map(line).collect();
    expected::check("matrix.txt", &lines, include_str!("../expected/matrix.txt"));
}

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use super::{Case, SEED, asked};
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// The number of cases in every run of the tests.
    const CASES: u64 = 10_000;

    /// After this many different failures the test ends.
    const MOST_FAILURES: usize = 8;

    fn number(name: &str) -> Option<u64> {
        let text = std::env::var(name).ok()?;
        Some(text.parse().unwrap_or_else(|_| panic!("{name} is {text:?}; it must be a whole number")))
    }

    /// What fails in a case, including a panic.
    fn failure(case: &Case) -> Option<String> {
        match catch_unwind(AssertUnwindSafe(|| asked(case))) {
            Ok(Ok(_)) => None,
            Ok(Err(why)) => Some(why),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().cloned();
                let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
                Some(format!("panicked: {}", text.unwrap_or_default()))
            }
        }
    }

    /// The case reduced to as few jobs as still fail.
    fn smaller(mut case: Case) -> Case {
        let mut place = case.jobs.len();
        while place > 0 {
            place -= 1;
            let mut fewer = case.clone();
            fewer.jobs.remove(place);
            if !fewer.jobs.is_empty() && failure(&fewer).is_some() {
                case = fewer;
            }
        }
        case
    }

    #[test]
    fn whatever_is_asked_of_whatever_is_answered() {
        let seed = number("PACKFAIR_SEED").unwrap_or(SEED);
        let cases = match number("PACKFAIR_CASE") {
            Some(one) => {
                println!("{:?}", Case::of(seed, one));
                one..one + 1
            }
            None => 0..CASES * number("PACKFAIR_CASES").unwrap_or(1),
        };
        let (next, failures) = (AtomicU64::new(cases.start), Mutex::new(Vec::<(u64, String)>::new()));
        let walk = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= cases.end || failures.lock().unwrap().len() >= MOST_FAILURES {
                    return;
                }
                let case = Case::of(seed, number);
                if failure(&case).is_some() {
                    let case = smaller(case);
                    let why = failure(&case).unwrap_or_default();
                    failures.lock().unwrap().push((number, format!("{why}\n{case:?}")));
                }
            }
        };
        std::thread::scope(|scope| {
            let threads = std::thread::available_parallelism().map_or(1, usize::from);
            (0..threads).for_each(|_| {
                scope.spawn(walk);
            });
        });
        let failures = failures.into_inner().unwrap();
        let said: Vec<String> = failures.iter().map(|(number, why)| format!("---- case {number}: {why}")).collect();
        assert!(failures.is_empty(), "PACKFAIR_SEED={seed}\n{}", said.join("\n"));
    }
}

//! The shrinking factor: another load from the same jobs (DYNP §5).

use super::{CleanError, Seconds, Workload};

/// The smallest shrinking factor.
pub(super) const LEAST: f64 = 0.001;

/// The largest shrinking factor.
pub(super) const MOST: f64 = 1000.0;

/// Multiplies every inter-arrival time by `factor`: 0.8 gives 25 % more load.
///
/// The first job keeps its submit time. Each submit time is rounded by itself from its exact distance
/// to the first (half up), so that rounding does not add up over the log.
///
/// # Errors
/// A factor that is not a number from 0.001 to 1000.
pub fn shrink(workload: &mut Workload, factor: f64) -> Result<(), CleanError> {
    if !(LEAST..=MOST).contains(&factor) {
        return Err(CleanError::Shrink(factor.to_string()));
    }
    let Some(first) = workload.requests().first().map(|request| request.submit) else { return Ok(()) };
    if factor == 1.0 {
        return Ok(());
    }
    let moved = |submit: Seconds| first + ((submit - first) as f64 * factor + 0.5).floor() as Seconds;
    let submits: Vec<Seconds> = workload.requests().iter().map(|request| moved(request.submit)).collect();
    workload.set_submits(&submits);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::{Cleaning, Filter, clean, swf};

    fn workload(submits: &[Seconds]) -> Workload {
        let text: String = submits.iter().map(|submit| format!("1 {submit} 0 10 1 -1 -1 1 10\n")).collect();
        let log = swf::read("test", text.as_bytes()).unwrap();
        clean(&log, &Filter::default(), Cleaning::Metrics, None).unwrap()
    }

    fn submits(workload: &Workload) -> Vec<Seconds> {
        workload.requests().iter().map(|request| request.submit).collect()
    }

    #[test]
    fn multiplies_distances_to_the_first() {
        let mut jobs = workload(&[1000, 1001, 1002, 1003, 1010]);
        shrink(&mut jobs, 0.5).unwrap();
        assert_eq!(submits(&jobs), [1000, 1001, 1001, 1002, 1005]);
    }

    #[test]
    fn does_not_drift() {
        let every_second: Vec<Seconds> = (0..10_001).collect();
        let mut jobs = workload(&every_second);
        shrink(&mut jobs, 0.7).unwrap();
        assert_eq!(submits(&jobs)[10_000], 7000);
        assert!(submits(&jobs).is_sorted());
    }

    #[test]
    fn refuses_what_is_no_factor() {
        for factor in [0.0, -1.0, f64::NAN, f64::INFINITY, 1001.0] {
            let mut jobs = workload(&[0, 10]);
            assert!(matches!(shrink(&mut jobs, factor), Err(CleanError::Shrink(_))), "{factor}");
        }
    }
}

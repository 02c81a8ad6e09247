//! The shrinking factor: another load from the same jobs (DYNP §5).

mod shrinking;

pub(super) use shrinking::{LEAST, MOST, Shrinking};

use super::{CleanError, Seconds, Workload};
use shrinking::Ratio;

/// Multiplies every inter-arrival time by `factor`: 0.8 gives 25 % more load.
///
/// The first job keeps its submit time. Each submit time is rounded by itself from its exact distance to the first
/// (half up), so that rounding does not add up over the log. The factor is the decimal number that it is written as,
/// 0.8 exactly 4/5: at high load a difference of one second changes whole schedules.
///
/// # Errors
/// If the factor is not a number from 0.001 to 1000.
pub fn shrink(workload: &mut Workload, factor: f64) -> Result<(), CleanError> {
    if !(LEAST..=MOST).contains(&factor) {
        return Err(CleanError::Shrink(factor.to_string()));
    }
    let Some(first) = workload.requests().first().map(|request| request.submit) else { return Ok(()) };
    if factor == 1.0 {
        return Ok(());
    }
    let shrinking = Shrinking { first, ratio: Ratio::of(factor) };
    let before: Vec<Seconds> = workload.requests().iter().map(|request| request.submit).collect();
    let submits: Vec<Seconds> = before.iter().map(|&submit| shrinking.moved(submit)).collect();
    workload.set_submits(&submits);
    // think times of users who react shrink by the same factor
    workload.shrink_reactions(shrinking, before);
    workload.set_shrunk(factor);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cleaning, Filter, clean, reading};

    fn workload(submits: &[Seconds]) -> Workload {
        let lines = submits.iter().map(|submit| format!("1 {submit} 0 10 1 -1 -1 1 10\n")).collect::<String>();
        let text = format!("; Version: 2.2\n{lines}");
        let log = reading::read("test", text.as_bytes()).unwrap();
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
    fn rounds_exact_products_half_up() {
        // 31.5, 59.5 and 115.5; as products of doubles they are a little less
        let mut jobs = workload(&[0, 45, 85, 165]);
        shrink(&mut jobs, 0.7).unwrap();
        assert_eq!(submits(&jobs), [0, 32, 60, 116]);
        let mut jobs = workload(&[7, 57, 97]);
        shrink(&mut jobs, 1.15).unwrap();
        assert_eq!(submits(&jobs), [7, 65, 111]);
        let mut jobs = workload(&[0, 1, 2, 3, 1_000_000_000]);
        shrink(&mut jobs, 0.333_333_333_333_333_3).unwrap();
        assert_eq!(submits(&jobs), [0, 0, 1, 1, 333_333_333]);
        let mut jobs = workload(&[0, 3]);
        shrink(&mut jobs, 1000.0).unwrap();
        assert_eq!(submits(&jobs), [0, 3000]);
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

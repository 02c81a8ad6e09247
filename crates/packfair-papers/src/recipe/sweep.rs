//! The factors of METRICS Fig. 4, by which run times are multiplied.

/// The step between factors of METRICS Fig. 4, the double nearest to 2^(1/50).
const STEP: f64 = 1.013_959_479_790_029;

/// Number of steps from 1 up to 2, and from 1 down to 0.5.
const STEPS: usize = 50;

/// So many of the factors of METRICS Fig. 4, ascending, at equal distances: 101 are all of them.
pub(super) fn sweep(count: usize) -> Vec<f64> {
    all().into_iter().step_by(2 * STEPS / (count - 1)).collect()
}

/// All factors, ascending. They come from repeated multiplication and division, as in the paper: its k = 2 is
/// 1.999999999999994.
fn all() -> Vec<f64> {
    let up = std::iter::successors(Some(1.0), |k| Some(k * STEP));
    let down = std::iter::successors(Some(1.0), |k| Some(k / STEP));
    let mut ks: Vec<f64> = down.skip(1).take(STEPS).collect();
    ks.reverse();
    ks.extend(up.take(STEPS + 1));
    ks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sweep_s_factors_are_exactly_the_paper_s() {
        let ks = sweep(101);
        assert_eq!(ks.len(), 101);
        assert!(ks.is_sorted());
        assert_eq!(ks[0], 0.5000000000000009);
        assert_eq!(ks[50], 1.0);
        assert_eq!(ks[60], 1.148698354997034);
        assert_eq!(ks[100], 1.999999999999994);
        assert_eq!(sweep(11)[6], ks[60]);
    }
}

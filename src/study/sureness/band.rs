//! Bounds on the distribution of a run's jobs, from repeats.

use super::Interval;
use crate::metric::JobCounts;

/// The range in which 95 % of the repeats lie at each of some points: the bounds of the share of jobs there
/// ([`Interval`]). Each point has its own interval, so a single repeat may leave the band at some points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DistributionBand {
    /// Waits, responses or slowdowns, ascending.
    pub x: Vec<f64>,
    /// Lower bounds of the share of jobs with at most that value.
    pub low: Vec<f64>,
    /// Upper bounds of the same share.
    pub high: Vec<f64>,
}

impl DistributionBand {
    /// The band of these repeats; `None` with fewer than two. It begins at the first point where some repeat has a job.
    pub fn of(repeats: &[&JobCounts]) -> Option<Self> {
        let points = repeats.iter().map(|counts| counts.len()).max()?;
        let mut band = DistributionBand::default();
        for (index, x) in (0..points).map_while(|index| Some((index, JobCounts::point(index)?))) {
            let bounds = Interval::holding(repeats.iter().filter_map(|counts| counts.share(index)).collect())?;
            if bounds.high > 0.0 || !band.x.is_empty() {
                band.x.push(x);
                band.low.push(bounds.low);
                band.high.push(bounds.high);
            }
        }
        Some(band)
    }

    /// The bounds at `x`, interpolated between the neighbouring points. `None` before the first point; beyond the last
    /// one all jobs are counted.
    pub fn at(&self, x: f64) -> Option<(f64, f64)> {
        let after = self.x.partition_point(|&at| at <= x);
        let before = after.checked_sub(1)?;
        let Some(&next) = self.x.get(after) else { return Some((1.0, 1.0)) };
        let part = (x - self.x[before]) / (next - self.x[before]);
        let between = |bounds: &[f64]| bounds[before] + (bounds[after] - bounds[before]) * part;
        Some((between(&self.low), between(&self.high)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_between_points_are_in_proportion() {
        let band = DistributionBand { x: vec![1.0, 3.0], low: vec![0.0, 0.5], high: vec![0.25, 1.0] };
        assert_eq!(
            [0.5, 1.0, 2.0, 9.0].map(|x| band.at(x)),
            [None, Some((0.0, 0.25)), Some((0.25, 0.625)), Some((1.0, 1.0))]
        );
        assert_eq!(DistributionBand::of(&[&JobCounts::default(); 3]), Some(DistributionBand::default()), "no jobs");
        assert_eq!(DistributionBand::of(&[]), None);
    }
}

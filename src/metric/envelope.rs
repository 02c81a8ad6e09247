//! Series over time, reduced to bins that keep the extremes.

use serde::{Deserialize, Serialize};

/// A series over time, reduced to bins of equal length that keep the extremes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Envelope {
    /// Where the first bin begins.
    pub begin: f64,
    /// Length of a bin.
    pub step: f64,
    /// Smallest value in each bin.
    pub low: Vec<f64>,
    /// Largest value in each bin.
    pub high: Vec<f64>,
    /// Time average in each bin.
    pub mean: Vec<f64>,
}

/// An [`Envelope`] in the making, over a window of time.
pub(super) struct Binning {
    envelope: Envelope,
    until: f64,
}

impl Binning {
    /// An envelope over [begin, until), which is not empty, in `bins` bins, at least 1.
    pub(super) fn new(begin: f64, until: f64, bins: usize) -> Self {
        let step = (until - begin) / bins as f64;
        let (low, high) = (vec![f64::INFINITY; bins], vec![f64::NEG_INFINITY; bins]);
        Binning { envelope: Envelope { begin, step, low, high, mean: vec![0.0; bins] }, until }
    }

    /// The series is `value` over [from, until); what is outside of the window does not matter.
    pub(super) fn add(&mut self, from: f64, until: f64, value: f64) {
        let Envelope { begin, step, low, high, mean } = &mut self.envelope;
        let (from, until) = (from.max(*begin), until.min(self.until));
        if from >= until {
            return;
        }
        let last_bin = low.len() - 1;
        let first = (((from - *begin) / *step) as usize).min(last_bin);
        let last = (libm::ceil((until - *begin) / *step) as usize).clamp(first + 1, last_bin + 1) - 1;
        for bin in first..=last {
            let (bin_begin, bin_end) = (*begin + bin as f64 * *step, *begin + (bin + 1) as f64 * *step);
            low[bin] = low[bin].min(value);
            high[bin] = high[bin].max(value);
            mean[bin] += value * (until.min(bin_end) - from.max(bin_begin)).max(0.0) / *step;
        }
    }

    /// The envelope. The series was given over the whole window.
    pub(super) fn finish(self) -> Envelope {
        debug_assert!(self.envelope.low.iter().all(|low| low.is_finite()), "a bin without a value");
        self.envelope
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_keep_the_extremes_and_the_average() {
        let mut binning = Binning::new(10.0, 50.0, 4);
        binning.add(0.0, 20.0, 2.0);
        binning.add(20.0, 23.0, 9.0);
        binning.add(23.0, 24.0, 0.0);
        binning.add(24.0, 45.0, 4.0);
        binning.add(45.0, 90.0, 6.0);
        let envelope = binning.finish();
        assert_eq!((envelope.begin, envelope.step), (10.0, 10.0));
        assert_eq!(envelope.low, [2.0, 0.0, 4.0, 4.0]);
        assert_eq!(envelope.high, [2.0, 9.0, 4.0, 6.0]);
        let close = |a: f64, b: f64| (a - b).abs() < 1e-12;
        assert!(envelope.mean.iter().zip([2.0, 5.1, 4.0, 5.0]).all(|(a, b)| close(*a, b)), "{:?}", envelope.mean);
    }
}

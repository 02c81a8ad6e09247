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

/// An [`Envelope`] in the making, over a window of time, from its beginning to its end.
pub(super) struct Binning {
    envelope: Envelope,
    /// Up to where the series has been given.
    at: f64,
    /// The bin there.
    bin: usize,
    /// Where that bin ends; the last one with the window.
    bin_end: f64,
    until: f64,
}

impl Binning {
    /// An envelope over [begin, until), which is not empty, in `bins` bins, at least 1.
    pub(super) fn new(begin: f64, until: f64, bins: usize) -> Self {
        let step = (until - begin) / bins as f64;
        let (low, high) = (vec![f64::INFINITY; bins], vec![f64::NEG_INFINITY; bins]);
        let envelope = Envelope { begin, step, low, high, mean: vec![0.0; bins] };
        let bin_end = if bins == 1 { until } else { begin + step };
        Binning { envelope, at: begin, bin: 0, bin_end, until }
    }

    /// From where the series was given until now, it is `value` up to `end`. What is outside of the
    /// window does not matter.
    pub(super) fn extend(&mut self, end: f64, value: f64) {
        let end = end.min(self.until);
        while self.at < end {
            let Envelope { low, high, mean, .. } = &mut self.envelope;
            let upto = end.min(self.bin_end);
            low[self.bin] = low[self.bin].min(value);
            high[self.bin] = high[self.bin].max(value);
            mean[self.bin] += value * (upto - self.at);
            self.at = upto;
            if upto == self.bin_end {
                self.next_bin();
            }
        }
    }

    fn next_bin(&mut self) {
        self.bin += 1;
        let Envelope { begin, step, low, .. } = &self.envelope;
        // the last ends with the window, whatever rounding makes of the steps
        let is_last = self.bin + 1 >= low.len();
        self.bin_end = if is_last { self.until } else { begin + (self.bin + 1) as f64 * step };
    }

    /// The envelope. The series was given up to the end of the window.
    pub(super) fn finish(mut self) -> Envelope {
        debug_assert!(self.at >= self.until, "the series ends before the window");
        let step = self.envelope.step;
        self.envelope.mean.iter_mut().for_each(|mean| *mean /= step);
        self.envelope
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_keep_the_extremes_and_the_average() {
        let mut binning = Binning::new(10.0, 50.0, 4);
        for (end, value) in [(5.0, 7.0), (20.0, 2.0), (23.0, 9.0), (24.0, 0.0), (45.0, 4.0), (90.0, 6.0), (95.0, 9.0)] {
            binning.extend(end, value);
        }
        let envelope = binning.finish();
        assert_eq!((envelope.begin, envelope.step), (10.0, 10.0));
        assert_eq!(envelope.low, [2.0, 0.0, 4.0, 4.0]);
        assert_eq!(envelope.high, [2.0, 9.0, 4.0, 6.0]);
        let close = |a: f64, b: f64| (a - b).abs() < 1e-12;
        assert!(envelope.mean.iter().zip([2.0, 5.1, 4.0, 5.0]).all(|(a, b)| close(*a, b)), "{:?}", envelope.mean);
    }
}

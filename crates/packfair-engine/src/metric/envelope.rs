//! Series over time, reduced to bins that keep the extremes.

use serde::{Deserialize, Serialize};

/// A series over time, reduced to bins of equal length that keep the extremes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Envelope {
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

impl Envelope {
    /// Whether there are no bins.
    pub fn is_empty(&self) -> bool {
        self.mean.is_empty()
    }
}

/// Collects envelopes of several series over a window of time, from its begin to its end.
pub(super) struct Binning<const SERIES: usize> {
    envelopes: [Envelope; SERIES],
    bins: usize,
    /// The time up to which the series are known.
    at: f64,
    full: usize,
    bin: [Bin; SERIES],
    /// The end of the bin in progress; that of the last bin is the window's end.
    bin_end: f64,
    until: f64,
}

/// The smallest and the largest value in a bin, and the integral over time.
#[derive(Clone, Copy)]
struct Bin {
    low: f64,
    high: f64,
    integral: f64,
}

impl Bin {
    const EMPTY: Bin = Bin { low: f64::INFINITY, high: f64::NEG_INFINITY, integral: 0.0 };
}

impl<const SERIES: usize> Binning<SERIES> {
    /// Begins envelopes over [begin, until), which is not empty, with `bins` bins, at least 1.
    pub(super) fn new(begin: f64, until: f64, bins: usize) -> Self {
        let step = (until - begin) / bins as f64;
        let envelopes = std::array::from_fn(|_| {
            let [low, high, mean] = std::array::from_fn(|_| Vec::with_capacity(bins));
            Envelope { begin, step, low, high, mean }
        });
        let bin_end = if bins == 1 { until } else { begin + step };
        Binning { envelopes, bins, at: begin, full: 0, bin: [Bin::EMPTY; SERIES], bin_end, until }
    }

    /// Continues the series with these values, from the time up to which they are known to `end`. Parts outside the
    /// window do not matter.
    pub(super) fn extend(&mut self, end: f64, values: [f64; SERIES]) {
        let end = end.min(self.until);
        while self.at < end {
            let upto = end.min(self.bin_end);
            let span = upto - self.at;
            for (Bin { low, high, integral }, value) in self.bin.iter_mut().zip(values) {
                // These comparisons are used instead of `min` and `max`, which also check for NaN.
                if value < *low {
                    *low = value;
                }
                if value > *high {
                    *high = value;
                }
                *integral += value * span;
            }
            self.at = upto;
            if upto == self.bin_end {
                self.next_bin();
            }
        }
    }

    fn next_bin(&mut self) {
        for (envelope, bin) in self.envelopes.iter_mut().zip(&mut self.bin) {
            envelope.low.push(bin.low);
            envelope.high.push(bin.high);
            envelope.mean.push(bin.integral / envelope.step);
            *bin = Bin::EMPTY;
        }
        self.full += 1;
        let Envelope { begin, step, .. } = &self.envelopes[0];
        // The last bin ends with the window, whatever rounding does to the steps.
        let is_last = self.full + 1 >= self.bins;
        self.bin_end = if is_last { self.until } else { begin + (self.full + 1) as f64 * step };
    }

    /// The envelopes. The series must be known up to the end of the window.
    pub(super) fn finish(mut self) -> [Envelope; SERIES] {
        debug_assert!(self.at >= self.until, "the series end before the window");
        // In a window too short for its bins, rounding may skip the last ones.
        while self.full < self.bins {
            self.next_bin();
        }
        self.envelopes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_keep_the_extremes_and_the_average() {
        let mut binning = Binning::new(10.0, 50.0, 4);
        for (end, value) in [(5.0, 7.0), (20.0, 2.0), (23.0, 9.0), (24.0, 0.0), (45.0, 4.0), (90.0, 6.0), (95.0, 9.0)] {
            binning.extend(end, [value]);
        }
        let [envelope] = binning.finish();
        assert_eq!((envelope.begin, envelope.step), (10.0, 10.0));
        assert_eq!(envelope.low, [2.0, 0.0, 4.0, 4.0]);
        assert_eq!(envelope.high, [2.0, 9.0, 4.0, 6.0]);
        let close = |a: f64, b: f64| (a - b).abs() < 1e-12;
        assert!(envelope.mean.iter().zip([2.0, 5.1, 4.0, 5.0]).all(|(a, b)| close(*a, b)), "{:?}", envelope.mean);
    }
}

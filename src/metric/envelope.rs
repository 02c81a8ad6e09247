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

/// Envelopes of several series in the making, over a window of time, from its beginning to its end.
pub(super) struct Binning<const SERIES: usize> {
    envelopes: [Envelope; SERIES],
    bins: usize,
    /// Up to where the series have been given.
    at: f64,
    /// How many bins are full.
    full: usize,
    /// Of the bin there, up to there.
    bin: [Bin; SERIES],
    /// Where that bin ends; the last one with the window.
    bin_end: f64,
    until: f64,
}

/// Smallest and largest value, and the integral.
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
    /// Envelopes over [begin, until), which is not empty, in `bins` bins, at least 1.
    pub(super) fn new(begin: f64, until: f64, bins: usize) -> Self {
        let step = (until - begin) / bins as f64;
        let envelopes = std::array::from_fn(|_| {
            let [low, high, mean] = std::array::from_fn(|_| Vec::with_capacity(bins));
            Envelope { begin, step, low, high, mean }
        });
        let bin_end = if bins == 1 { until } else { begin + step };
        Binning { envelopes, bins, at: begin, full: 0, bin: [Bin::EMPTY; SERIES], bin_end, until }
    }

    /// From where the series were given until now, they have these values up to `end`. What is outside of the
    /// window does not matter.
    pub(super) fn extend(&mut self, end: f64, values: [f64; SERIES]) {
        let end = end.min(self.until);
        while self.at < end {
            let upto = end.min(self.bin_end);
            for (Bin { low, high, integral }, value) in self.bin.iter_mut().zip(values) {
                // not `min` and `max`, which look for what is not a number
                if value < *low {
                    *low = value;
                }
                if value > *high {
                    *high = value;
                }
                *integral += value * (upto - self.at);
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
        // the last ends with the window, whatever rounding makes of the steps
        let is_last = self.full + 1 >= self.bins;
        self.bin_end = if is_last { self.until } else { begin + (self.full + 1) as f64 * step };
    }

    /// The envelopes. The series were given up to the end of the window.
    pub(super) fn finish(mut self) -> [Envelope; SERIES] {
        debug_assert!(self.at >= self.until, "the series end before the window");
        // in a window too short for its bins, rounding may leave out the last ones
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

//! An envelope as a link carries it: fewer bins, and heights in 255 steps, so that each fits into a byte.

use super::error::LinkError;
use super::wire::finite;
use crate::metric::Envelope;
use crate::study::limits::MOST_POINTS;
use serde::{Deserialize, Serialize};

/// Number of steps into which heights are divided.
const STEPS: f64 = 255.0;

/// An envelope whose heights are given in steps.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PackedEnvelope {
    begin: f64,
    step: f64,
    /// The heights of the first step and of the last.
    range: (f64, f64),
    /// The lower edge, rounded down.
    low: Vec<u8>,
    /// The upper edge, rounded up.
    high: Vec<u8>,
    mean: Vec<u8>,
}

impl PackedEnvelope {
    /// Packs `envelope` into at most `bins` bins, at least 1; `None` where it has no bins or heights that are not
    /// finite.
    pub(super) fn of(envelope: &Envelope, bins: usize) -> Option<Self> {
        let count = envelope.low.len().min(envelope.high.len()).min(envelope.mean.len());
        let together = count.div_ceil(bins.max(1)).max(1);
        let finite = |values: &[f64]| values.iter().all(|value| value.is_finite());
        if count == 0
            || !(envelope.begin + envelope.step).is_finite()
            || ![&envelope.low, &envelope.high, &envelope.mean].iter().all(|values| finite(values))
        {
            return None;
        }
        let range = (envelope.low.iter().copied().reduce(f64::min)?, envelope.high.iter().copied().reduce(f64::max)?);
        if !(range.1 - range.0).is_finite() {
            return None;
        }
        let steps = |value: f64| if range.1 > range.0 { (value - range.0) / (range.1 - range.0) * STEPS } else { 0.0 };
        let low =
            envelope.low[..count].chunks(together).map(|bins| steps(bins.iter().copied().fold(f64::MAX, f64::min)));
        let high =
            envelope.high[..count].chunks(together).map(|bins| steps(bins.iter().copied().fold(f64::MIN, f64::max)));
        let mean =
            envelope.mean[..count].chunks(together).map(|bins| steps(bins.iter().sum::<f64>() / bins.len() as f64));
        let packed = PackedEnvelope {
            begin: envelope.begin,
            step: envelope.step * together as f64,
            range,
            low: low.map(|step| step.floor() as u8).collect(),
            high: high.map(|step| step.ceil() as u8).collect(),
            mean: mean.map(|step| step.round() as u8).collect(),
        };
        // An envelope that could not be read again is not carried.
        Some(packed).filter(|packed| packed.unpack().is_ok())
    }

    pub(super) fn unpack(&self) -> Result<Envelope, LinkError> {
        let range = (finite(self.range.0)?, finite(self.range.1)?);
        let alike = self.low.len() == self.high.len() && self.low.len() == self.mean.len();
        if !alike || self.low.len() > MOST_POINTS || range.0 > range.1 || !(range.1 - range.0).is_finite() {
            return Err(LinkError::Damaged);
        }
        let height = |&step: &u8| {
            if step == u8::MAX { range.1 } else { range.0 + (range.1 - range.0) * f64::from(step) / STEPS }
        };
        Ok(Envelope {
            begin: finite(self.begin)?,
            step: finite(self.step)?,
            low: self.low.iter().map(height).collect(),
            high: self.high.iter().map(height).collect(),
            mean: self.mean.iter().map(height).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn envelope(bins: usize) -> Envelope {
        let mean: Vec<f64> = (0..bins).map(|i| (i as f64 / 20.0).sin() * 50.0 + 60.0).collect();
        Envelope {
            begin: 100.0,
            step: 60.0,
            low: mean.iter().map(|m| m - 7.0).collect(),
            high: mean.iter().map(|m| m + 11.0).collect(),
            mean,
        }
    }

    #[test]
    fn no_extreme_is_lost() {
        let original = envelope(1_000);
        let back = PackedEnvelope::of(&original, 90).unwrap().unpack().unwrap();
        let bins = back.low.len();
        assert!(bins <= 90 && bins > 80, "{bins}");
        assert_eq!(back.begin, 100.0);
        assert_eq!(back.step, 60.0 * 12.0);
        for (i, chunk) in original.high.chunks(12).enumerate() {
            assert!(chunk.iter().all(|high| *high <= back.high[i] + 1e-9));
            assert!(original.low[i * 12..].iter().take(12).all(|low| *low >= back.low[i] - 1e-9));
            assert!(back.low[i] <= back.mean[i] && back.mean[i] <= back.high[i]);
        }
    }

    #[test]
    fn odd_envelopes_survive() {
        assert_eq!(PackedEnvelope::of(&Envelope::default(), 90), None);
        let constant = Envelope { begin: 0.0, step: 1.0, low: vec![3.0], high: vec![3.0], mean: vec![3.0] };
        assert_eq!(PackedEnvelope::of(&constant, 90).unwrap().unpack().unwrap(), constant);
        let high = f64::MAX / 4.0;
        let highest =
            Envelope { low: vec![high; 9], high: vec![high; 9], mean: vec![high; 9], step: f64::MAX / 2.0, ..constant };
        assert_eq!(PackedEnvelope::of(&highest, 2), None, "its step and its mean are beyond all bounds");
        let constant = Envelope { begin: 0.0, step: 1.0, low: vec![3.0], high: vec![3.0], mean: vec![3.0] };
        let strange = Envelope { low: vec![f64::NAN], ..constant };
        assert_eq!(PackedEnvelope::of(&strange, 90), None);
    }

    #[test]
    fn uneven_or_infinite_data_is_damaged() {
        let mut packed = PackedEnvelope::of(&envelope(10), 10).unwrap();
        packed.mean.pop();
        assert_eq!(packed.unpack(), Err(LinkError::Damaged));
        let mut packed = PackedEnvelope::of(&envelope(10), 10).unwrap();
        packed.range = (-f64::MAX, f64::MAX);
        assert_eq!(packed.unpack(), Err(LinkError::Damaged));
    }
}

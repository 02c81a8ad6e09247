//! Scales: from values to positions along an axis, and back.

/// How values lie along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    Linear,
    /// By their logarithm, with ticks at powers of ten.
    Log,
    /// By their logarithm, with ticks at powers of two and between.
    Log2,
}

impl Scale {
    /// Whether only values above 0 have a position on the scale.
    pub fn is_logarithmic(self) -> bool {
        self != Scale::Linear
    }
}

/// A range of values along an axis: `from < to`, both finite, and both above 0 if the scale is logarithmic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    scale: Scale,
    from: f64,
    to: f64,
}

impl Span {
    /// The range from `from` to `to`, adjusted so that it can be drawn: ends that are not finite are replaced, an empty
    /// range is widened, and values not above 0 are cut on a logarithmic scale.
    pub fn new(scale: Scale, from: f64, to: f64) -> Self {
        let finite = |v: f64, instead: f64| if v.is_finite() { v.clamp(-1e300, 1e300) } else { instead };
        let (from, to) = (finite(from, 0.0), finite(to, 1.0));
        let (from, to) = if from <= to { (from, to) } else { (to, from) };
        if scale.is_logarithmic() {
            let to = if to > 0.0 { to.max(1e-290) } else { 1.0 };
            let from = if from > 0.0 { from.max(1e-300) } else { to / 1000.0 };
            // a ratio of 1.0001 is the narrowest range whose ticks differ
            return if to / from > 1.0001 {
                Span { scale, from, to }
            } else {
                Span { scale, from: from / 2.0, to: to * 2.0 }
            };
        }
        let resolution = from.abs().max(to.abs()) * 1e-12;
        if to - from > resolution {
            Span { scale, from, to }
        } else {
            let half = if from == 0.0 { 0.5 } else { from.abs() * 0.5 };
            Span { scale, from: from - half, to: to + half }
        }
    }

    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// The smallest value.
    pub fn from(&self) -> f64 {
        self.from
    }

    /// The largest value.
    pub fn to(&self) -> f64 {
        self.to
    }

    /// The range shifted along a linear scale.
    pub fn shifted(&self, by: f64) -> Self {
        Span::new(self.scale, self.from + by, self.to + by)
    }

    /// Whether `value` lies in the range.
    pub fn contains(&self, value: f64) -> bool {
        (self.from..=self.to).contains(&value)
    }

    /// The position of `value`: 0 at the smallest value, 1 at the largest, outside these beyond the range. Values
    /// without a place on a logarithmic scale (0 and below) and NaN are at 0.
    pub fn place(&self, value: f64) -> f64 {
        let place = match self.scale {
            Scale::Linear => (value - self.from) / (self.to - self.from),
            Scale::Log | Scale::Log2 if value > 0.0 => (value / self.from).ln() / (self.to / self.from).ln(),
            Scale::Log | Scale::Log2 => 0.0,
        };
        if place.is_nan() { 0.0 } else { place }
    }

    /// The value at a position; the inverse of [`Span::place`].
    pub fn value(&self, place: f64) -> f64 {
        match self.scale {
            Scale::Linear => self.from + place * (self.to - self.from),
            Scale::Log | Scale::Log2 => self.from * (place * (self.to / self.from).ln()).exp(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_values_are_inverse() {
        for span in
            [Span::new(Scale::Linear, -3.0, 9.0), Span::new(Scale::Log, 2.0, 1e9), Span::new(Scale::Log2, 0.5, 2.0)]
        {
            for i in 0..=20 {
                let place = f64::from(i) / 20.0;
                assert!((span.place(span.value(place)) - place).abs() < 1e-12, "{span:?} {place}");
            }
        }
    }

    #[test]
    fn what_cannot_be_drawn_is_made_drawable() {
        for scale in [Scale::Linear, Scale::Log, Scale::Log2] {
            for (from, to) in [
                (0.0, 0.0),
                (5.0, 5.0),
                (f64::NAN, f64::INFINITY),
                (f64::NEG_INFINITY, f64::INFINITY),
                (-4.0, -2.0),
                (9.0, 1.0),
                (f64::MIN, f64::MAX),
                (f64::MIN_POSITIVE, f64::MIN_POSITIVE),
            ] {
                let span = Span::new(scale, from, to);
                assert!(span.from() < span.to() && span.place(span.value(0.5)).is_finite(), "{scale:?} {from} {to}");
                assert!(!scale.is_logarithmic() || span.from() > 0.0);
            }
        }
    }
}

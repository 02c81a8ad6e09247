//! Reading values from a drawing: the values of the series at a point.

use super::{BoxPlot, Data, Ink, Plot, Stretch};
use crate::metric::{Envelope, Line, Quartiles};

/// The value of a series at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    pub series: usize,
    /// The x at which the value was taken: that of the nearest point of a line, the bin of an envelope, or the place
    /// itself for a step function.
    pub x: f64,
    pub value: ReadValue,
}

/// A value that can be read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ReadValue {
    One(f64),
    /// The smallest, average and largest value of a bin that begins at the reading's x and ends at `until`. For a box
    /// plot, the median in place of the average, and the ends of the whiskers.
    Band {
        until: f64,
        low: f64,
        /// The average over time.
        mean: f64,
        high: f64,
    },
    /// The height of a bar that begins at the reading's x and ends at `until`.
    Bar {
        /// Right side of the bar.
        until: f64,
        height: f64,
    },
    /// A stretch of a band that begins at the reading's x.
    Stretch {
        until: f64,
        /// The lane of the band, which says to whom the stretch belongs.
        lane: usize,
    },
}

/// The item at or near a pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    pub series: usize,
    /// The index of the point, bin, bar or box in the series.
    pub item: usize,
    /// The distance, pixels.
    pub distance: f64,
}

impl Plot {
    /// The values at `x` of all visible series that can be read by x, in the figure's order.
    pub fn read_at(&self, x: f64) -> Vec<Reading> {
        let mut readings = Vec::new();
        for &series in &self.visible {
            match &self.figure.series[series].data {
                // several lanes of a band may be in the same state
                Data::Band { stretches, .. } => readings.extend(stretches.iter().filter_map(|stretch| {
                    let Stretch { x: (from, until), lane } = *stretch;
                    let value = ReadValue::Stretch { until, lane };
                    (from..until).contains(&x).then_some(Reading { series, x: from, value })
                })),
                data => readings.extend(read(data, x).map(|(x, value, _)| Reading { series, x, value })),
            }
        }
        readings
    }

    /// The nearest item to a pixel of the sheet, within `reach` pixels. Guides are ignored.
    pub fn nearest(&self, px: f64, py: f64, reach: f64) -> Option<Hit> {
        let runs = self.visible.iter().copied().filter(|&i| self.figure.series[i].ink != Ink::Guide);
        let hits = runs.filter_map(|i| self.hit(i, px, py)).filter(|hit| hit.distance <= reach);
        hits.min_by(|a, b| a.distance.total_cmp(&b.distance))
    }

    fn hit(&self, series: usize, px: f64, py: f64) -> Option<Hit> {
        let (item, distance) = match &self.figure.series[series].data {
            Data::NamedPoints(points) => {
                let far = |x: f64, y: f64| {
                    let (sx, sy) = self.to_pixel(x, y);
                    (sx - px).hypot(sy - py)
                };
                let all = points.iter().enumerate().map(|(i, s)| (i, far(s.x, s.y)));
                all.min_by(|a, b| a.1.total_cmp(&b.1))?
            }
            Data::Blocks(blocks) => {
                let (x, y) = self.to_value(px, py);
                let inside = |b: &super::FigureBox| (b.x.0..b.x.1).contains(&x) && (b.y.0..b.y.1).contains(&y);
                (blocks.iter().position(inside)?, 0.0)
            }
            data => {
                let (x, _) = self.to_value(px, py);
                let (at, value, item) = read(data, x)?;
                let (low, high) = match value {
                    ReadValue::One(y) => (y, y),
                    ReadValue::Band { low, high, .. } => (low, high),
                    ReadValue::Bar { height, .. } => (0.0, height),
                    ReadValue::Stretch { .. } => return None,
                };
                let (sx, top) = self.to_pixel(at, high);
                let bottom = self.to_pixel(at, low).1;
                let sideways = if matches!(data, Data::Line(_) | Data::Ranged { .. }) { (sx - px).abs() } else { 0.0 };
                let upwards = (top - py).max(py - bottom).max(0.0);
                // inside a band, the distance to it is small but greater for a thicker band, so that of two bands the
                // thinner wins
                let within = if matches!(value, ReadValue::Band { .. }) { (bottom - top) / 100.0 } else { 0.0 };
                (item, sideways.hypot(upwards) + within)
            }
        };
        Some(Hit { series, item, distance })
    }

    /// The pixels of all visible points, from left to right.
    pub fn points(&self) -> Vec<(f64, f64)> {
        let mut points = Vec::new();
        for &i in &self.visible {
            if let Data::NamedPoints(of_series) = &self.figure.series[i].data {
                points.extend(of_series.iter().map(|point| self.to_pixel(point.x, point.y)));
            }
        }
        points.retain(|&(x, y)| self.rect.contains(x, y));
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        points
    }

    /// The pixels of the centres of all visible boxes, from left to right and from bottom to top.
    pub fn middles(&self) -> Vec<(f64, f64)> {
        let mut middles = Vec::new();
        for &i in &self.visible {
            if let Data::Blocks(blocks) = &self.figure.series[i].data {
                middles.extend(blocks.iter().map(|b| {
                    let ((left, bottom), (right, top)) = (self.to_pixel(b.x.0, b.y.0), self.to_pixel(b.x.1, b.y.1));
                    ((left + right) / 2.0, (bottom + top) / 2.0)
                }));
            }
        }
        middles.retain(|&(x, y)| self.rect.contains(x, y));
        middles.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)));
        middles
    }

    /// The x values at which a crosshair may stop, ascending: those of lines and bars inside the window.
    pub fn stops(&self) -> Vec<f64> {
        let mut stops: Vec<f64> = Vec::new();
        for &i in &self.visible {
            match &self.figure.series[i].data {
                Data::Line(line) | Data::Ranged { line, .. } => stops.extend(&line.x),
                Data::Bars(bars) => stops.extend(bars.iter().map(|b| (b.from + b.to) / 2.0)),
                Data::BoxPlots(plots) => stops.extend(plots.iter().map(|b| (b.from + b.to) / 2.0)),
                _ => {}
            }
        }
        stops.retain(|&x| self.x.contains(x));
        stops.sort_unstable_by(f64::total_cmp);
        stops.dedup();
        stops
    }
}

/// The value of `data` at `x`: the x at which it was taken, the value, and the index of the item.
fn read(data: &Data, x: f64) -> Option<(f64, ReadValue, usize)> {
    match data {
        Data::Line(line) => nearest_point(line, x),
        Data::Ranged { line, low, high } => {
            let (until, value, i) = nearest_point(line, x)?;
            let (ReadValue::One(mean), Some(&low), Some(&high)) = (value, low.get(i), high.get(i)) else {
                return Some((until, value, i));
            };
            Some((until, ReadValue::Band { until, low, mean, high }, i))
        }
        Data::Steps { line, before } => step(line, *before, data.len(), x).map(|(y, i)| (x, ReadValue::One(y), i)),
        Data::RangedSteps { line, before, band } => {
            let (mean, i) = step(line, *before, data.len(), x)?;
            let bounds = band.at(x).map(|(low, high)| ReadValue::Band { until: x, low, mean, high });
            Some((x, bounds.unwrap_or(ReadValue::One(mean)), i))
        }
        Data::Envelope(envelope) => bin(envelope, data.len(), x),
        Data::Bars(bars) => {
            let i = bars.iter().position(|b| (b.from..b.to).contains(&x))?;
            Some((bars[i].from, ReadValue::Bar { until: bars[i].to, height: bars[i].height }, i))
        }
        Data::BoxPlots(plots) => {
            let i = plots.iter().position(|b| (b.from..b.to).contains(&x))?;
            let (BoxPlot { from, to: until, .. }, Quartiles { low, median, high, .. }) = (plots[i], plots[i].spread);
            Some((from, ReadValue::Band { until, low, mean: median, high }, i))
        }
        Data::NamedPoints(_) | Data::Blocks(_) | Data::Band { .. } => None,
    }
}

/// The value of a step function at `x`, and the index of the point from which it holds.
fn step(line: &Line, before: Option<f64>, n: usize, x: f64) -> Option<(f64, usize)> {
    match line.x[..n].partition_point(|&at| at <= x) {
        0 => before.map(|y| (y, 0)),
        i => Some((line.y[i - 1], i - 1)),
    }
}

fn nearest_point(line: &Line, x: f64) -> Option<(f64, ReadValue, usize)> {
    let n = line.x.len().min(line.y.len());
    let after = line.x[..n].partition_point(|&at| at < x);
    let candidates = after.saturating_sub(1)..(after + 1).min(n);
    let i = candidates.min_by(|&a, &b| (line.x[a] - x).abs().total_cmp(&(line.x[b] - x).abs()))?;
    Some((line.x[i], ReadValue::One(line.y[i]), i))
}

fn bin(envelope: &Envelope, n: usize, x: f64) -> Option<(f64, ReadValue, usize)> {
    let place = ((x - envelope.begin) / envelope.step).floor();
    if !(place >= 0.0 && place < n as f64) {
        return None;
    }
    let i = place as usize;
    let begin = envelope.begin + envelope.step * i as f64;
    let (low, mean, high) = (envelope.low[i], envelope.mean[i], envelope.high[i]);
    Some((begin, ReadValue::Band { until: begin + envelope.step, low, mean, high }, i))
}

/// Whether two x values are equal up to rounding.
pub fn same_place(a: f64, b: f64) -> bool {
    (a - b).abs() <= a.abs().max(b.abs()) * 1e-12
}

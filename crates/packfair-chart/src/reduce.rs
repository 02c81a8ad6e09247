//! Reduces series to what a screen can show, without losing extremes.

use super::Span;
use packfair_engine::metric::{Envelope, Line};

/// The points of `line` that matter on `columns` columns across `span`: the first, the smallest, the largest and the
/// last point of each column. With these four, a drawn line covers the same pixels as with all points. The last point
/// before the span and the first after it are kept too, so that the line enters and leaves correctly.
pub fn reduce_points(line: &Line, span: &Span, columns: usize) -> Vec<(f64, f64)> {
    let n = line.x.len().min(line.y.len());
    let first = line.x[..n].partition_point(|&x| x < span.from()).saturating_sub(1);
    let end = (line.x[..n].partition_point(|&x| x <= span.to()) + 1).min(n);
    let points = (first..end).map(|i| (line.x[i], line.y[i])).filter(|(x, y)| x.is_finite() && y.is_finite());
    let columns = columns.max(1) as f64;
    let mut kept: Vec<(f64, f64)> = Vec::new();
    let mut column: Option<(i64, PixelColumn)> = None;
    for point in points {
        // one more column on either side for points outside
        let index = (span.place(point.0) * columns).floor().clamp(-1.0, columns) as i64;
        match &mut column {
            Some((at, column)) if *at == index => column.take(point),
            _ => {
                if let Some((_, full)) = column.replace((index, PixelColumn::of(point))) {
                    full.give(&mut kept);
                }
            }
        }
    }
    if let Some((_, last)) = column {
        last.give(&mut kept);
    }
    kept
}

/// The first, smallest, largest and last point of a column, and their order.
struct PixelColumn {
    seen: usize,
    first: (f64, f64),
    low: (usize, (f64, f64)),
    high: (usize, (f64, f64)),
    last: (f64, f64),
}

impl PixelColumn {
    fn of(point: (f64, f64)) -> Self {
        PixelColumn { seen: 1, first: point, low: (0, point), high: (0, point), last: point }
    }

    fn take(&mut self, point: (f64, f64)) {
        if point.1 < self.low.1.1 {
            self.low = (self.seen, point);
        }
        if point.1 > self.high.1.1 {
            self.high = (self.seen, point);
        }
        self.last = point;
        self.seen += 1;
    }

    fn give(self, kept: &mut Vec<(f64, f64)>) {
        let extremes = if self.low.0 < self.high.0 { [self.low, self.high] } else { [self.high, self.low] };
        let chosen = [(0, self.first), extremes[0], extremes[1], (self.seen - 1, self.last)];
        let mut previous = None;
        for (order, point) in chosen {
            if previous != Some(order) {
                kept.push(point);
            }
            previous = Some(order);
        }
    }
}

/// The bins of `envelope` within `span`, merged until there are at most `columns`: with the smallest of the low values,
/// the largest of the high values, and the average of the means.
pub fn reduce_envelope(envelope: &Envelope, span: &Span, columns: usize) -> Envelope {
    let n = envelope.low.len().min(envelope.high.len()).min(envelope.mean.len());
    if n == 0 || !envelope.step.is_finite() || envelope.step <= 0.0 || !envelope.begin.is_finite() {
        return Envelope::default();
    }
    let bin = |x: f64| ((x - envelope.begin) / envelope.step).floor();
    let first = (bin(span.from()).max(0.0) as usize).min(n);
    let end = (bin(span.to()).max(-1.0) + 1.0).min(n as f64) as usize;
    let bins = end.saturating_sub(first);
    let every = bins.div_ceil(columns.max(1)).max(1);
    let mut out = Envelope {
        begin: envelope.begin + envelope.step * first as f64,
        step: envelope.step * every as f64,
        ..Envelope::default()
    };
    let mut from = first;
    while from < end {
        let to = (from + every).min(end);
        let real = |values: &[f64]| values.iter().copied().filter(|v| v.is_finite()).collect::<Vec<_>>();
        let mean = real(&envelope.mean[from..to]);
        out.low.push(real(&envelope.low[from..to]).into_iter().fold(f64::INFINITY, f64::min));
        out.high.push(real(&envelope.high[from..to]).into_iter().fold(f64::NEG_INFINITY, f64::max));
        out.mean.push(mean.iter().sum::<f64>() / mean.len().max(1) as f64);
        from = to;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::Scale;
    use super::*;

    #[test]
    fn a_column_keeps_first_smallest_largest_and_last_in_their_order() {
        let y = vec![5.0, 9.0, 3.0, 1.0, 8.0, 4.0];
        let line = Line { x: (0..6).map(f64::from).collect(), y };
        let kept = reduce_points(&line, &Span::new(Scale::Linear, 0.0, 10.0), 1);
        assert_eq!(kept, [(0.0, 5.0), (1.0, 9.0), (3.0, 1.0), (5.0, 4.0)]);
    }

    #[test]
    fn neighbours_of_the_window_are_kept() {
        let line = Line { x: (0..100).map(f64::from).collect(), y: (0..100).map(f64::from).collect() };
        let kept = reduce_points(&line, &Span::new(Scale::Linear, 40.5, 42.5), 100);
        assert_eq!(kept, [(40.0, 40.0), (41.0, 41.0), (42.0, 42.0), (43.0, 43.0)]);
    }

    #[test]
    fn joined_bins_keep_extremes() {
        let e = Envelope {
            begin: 0.0,
            step: 1.0,
            low: vec![0.0, 2.0, 1.0],
            high: vec![4.0, 9.0, 3.0],
            mean: vec![1.0, 3.0, 2.0],
        };
        let joined = reduce_envelope(&e, &Span::new(Scale::Linear, 0.0, 3.0), 2);
        assert_eq!((joined.low, joined.high, joined.step), (vec![0.0, 1.0], vec![9.0, 3.0], 2.0));
        assert_eq!(joined.mean, [2.0, 2.0]);
    }
}

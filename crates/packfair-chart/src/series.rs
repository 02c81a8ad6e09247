//! Painting of series, in one way for each kind of data.

use super::panels::{Board, DrawError};
use super::reduce::{reduce_envelope, reduce_points};
use super::{Bar, BoxPlot, Data, FigureBox, Fill, Ink, NamedPoint, Rgb, Stretch};
use packfair_engine::metric::{Envelope, Line};
use packfair_study::sureness::DistributionBand;
use plotters::element::{Circle, Polygon, Rectangle};
use plotters::prelude::DrawingBackend;

/// The largest number of points of a drawing over all its series: more would slow a browser down.
const POINTS: usize = 120_000;

/// The number of lines above which they are drawn thin and translucent, so that their density shows.
const MANY: usize = 24;

/// The opacity of the band around a line.
const BAND: f64 = 0.12;

/// The height of a band at the bottom of a plot, pixels.
const LANE: f64 = 6.0;

/// The distance between the lines of a hatched box along an edge, pixels.
const HATCH: f64 = 7.0;

/// Everything that is needed to paint a series.
pub struct Strokes<'a, 'b, DB: DrawingBackend> {
    pub board: &'a Board<'b, DB>,
    pub colour: Rgb,
    /// The dash pattern, if the back end has no way of its own to draw dashes.
    pub dashes: Option<(f64, f64)>,
    pub ink: Ink,
}

impl<DB: DrawingBackend> Strokes<'_, '_, DB> {
    pub fn paint(&self, data: &Data) -> Result<(), DrawError<DB>> {
        match data {
            Data::Line(line) => self.joined(line),
            Data::Ranged { line, low, high } => self.ranged(line, low, high),
            Data::Steps { line, before } => self.steps(line, *before),
            Data::RangedSteps { line, before, band } => self.ranged_steps(line, *before, band),
            Data::Envelope(envelope) => self.envelope(envelope),
            Data::NamedPoints(points) => self.points(points),
            Data::Bars(bars) => self.bars(bars),
            Data::Blocks(blocks) => self.blocks(blocks),
            Data::BoxPlots(plots) => self.box_plots(plots),
            Data::Band { stretches, .. } => self.band(stretches),
        }
    }

    /// The number of columns to which a series may be reduced.
    fn columns(&self) -> usize {
        let each = POINTS / self.board.plot.visible.len().max(1) / 8;
        (self.board.plot.rect.width as usize).min(each).max(2)
    }

    fn look(&self) -> (f64, f64) {
        match (self.ink, self.board.plot.visible.len()) {
            (Ink::Guide, _) => (1.0, 1.5),
            (_, n) if n > MANY => (0.45, 1.0),
            _ => (1.0, 1.75),
        }
    }

    fn stroke_through(&self, points: Vec<(f64, f64)>) -> Result<(), DrawError<DB>> {
        let (opacity, width) = self.look();
        self.board.path(points, self.board.stroke(self.colour, opacity, width), self.dashes)
    }

    fn joined(&self, line: &Line) -> Result<(), DrawError<DB>> {
        let plot = self.board.plot;
        let kept = reduce_points(line, &plot.x, self.columns());
        let points = self.clipped(&kept);
        let few = kept.iter().filter(|(x, _)| plot.x.contains(*x)).count() <= 60;
        if few && plot.visible.len() <= MANY && self.ink != Ink::Guide {
            let dot = self.board.fill(self.colour, 1.0);
            for &point in kept.iter().filter(|(x, _)| plot.x.contains(*x)) {
                self.board.inside.draw(&Circle::new(point, self.board.length(2.5), dot))?;
            }
        }
        self.stroke_through(points)
    }

    /// Paints a line with its band.
    fn ranged(&self, line: &Line, low: &[f64], high: &[f64]) -> Result<(), DrawError<DB>> {
        let side = |bounds: &[f64]| line.x.iter().copied().zip(bounds.iter().copied()).collect::<Vec<_>>();
        let mut band = side(high);
        band.extend(side(low).into_iter().rev());
        if !band.is_empty() {
            self.board.inside.draw(&Polygon::new(band, self.board.fill(self.colour, BAND)))?;
        }
        self.joined(line)
    }

    /// Paints a step function with its band. Between its points, the bounds of the band are joined by straight lines.
    fn ranged_steps(&self, line: &Line, before: Option<f64>, band: &DistributionBand) -> Result<(), DrawError<DB>> {
        let x = &self.board.plot.x;
        // 0 has no place on a logarithmic axis, so the value there holds up to the next point
        let next = band.x.iter().copied().find(|&at| at > 0.0).filter(|_| x.scale().is_logarithmic());
        let placed = |at: f64| {
            if at > 0.0 { Some(at) } else { next.map_or(Some(at), |next| Some(x.from()).filter(|&from| from < next)) }
        };
        let side = |bounds: &[f64]| {
            let points = band.x.iter().zip(bounds).filter_map(|(&at, &bound)| Some((placed(at)?, bound)));
            self.clipped(&points.collect::<Vec<_>>())
        };
        let mut outline = side(&band.high);
        outline.extend(side(&band.low).into_iter().rev());
        if !outline.is_empty() {
            self.board.inside.draw(&Polygon::new(outline, self.board.fill(self.colour, BAND)))?;
        }
        self.steps(line, before)
    }

    /// The line, cut where it crosses the ends of the window.
    fn clipped(&self, points: &[(f64, f64)]) -> Vec<(f64, f64)> {
        let (x, y) = (&self.board.plot.x, &self.board.plot.y);
        let crossing = |a: (f64, f64), b: (f64, f64), at: f64| {
            let (from, to) = (x.place(a.0), x.place(b.0));
            let t = (x.place(at) - from) / (to - from);
            (at, y.value(y.place(a.1) + t * (y.place(b.1) - y.place(a.1))))
        };
        let mut out: Vec<(f64, f64)> = points.iter().copied().filter(|p| x.contains(p.0)).collect();
        let enters = points.windows(2).find(|w| w[0].0 < x.from() && w[1].0 > x.from());
        let leaves = points.windows(2).rev().find(|w| w[0].0 < x.to() && w[1].0 > x.to());
        if let Some(w) = enters {
            out.insert(0, crossing(w[0], w[1], x.from()));
        }
        if let Some(w) = leaves {
            out.push(crossing(w[0], w[1], x.to()));
        }
        out
    }

    fn steps(&self, line: &Line, before: Option<f64>) -> Result<(), DrawError<DB>> {
        let x = &self.board.plot.x;
        let kept = reduce_points(line, x, self.columns());
        let mut points: Vec<(f64, f64)> = Vec::with_capacity(kept.len() * 2 + 2);
        if let (Some(&(first, _)), Some(before)) = (kept.first(), before)
            && first > x.from()
        {
            points.push((x.from(), before));
        }
        for &(at, value) in kept.iter().filter(|(at, _)| *at <= x.to()) {
            if let Some(&(_, held)) = points.last() {
                points.push((at, held));
            }
            points.push((at, value));
        }
        if let Some(&(_, held)) = points.last() {
            points.push((x.to(), held));
        }
        self.stroke_through(points)
    }

    fn envelope(&self, envelope: &Envelope) -> Result<(), DrawError<DB>> {
        let reduced = reduce_envelope(envelope, &self.board.plot.x, self.columns());
        let n = reduced.low.len();
        let side = |i: usize| reduced.begin + reduced.step * i as f64;
        let flat = |values: &[f64]| -> Vec<(f64, f64)> {
            (0..n).flat_map(|i| [(side(i), values[i]), (side(i + 1), values[i])]).collect()
        };
        // the bands of many runs would hide each other
        let opacity = match self.board.plot.visible.len() {
            0 | 1 => 0.24,
            2..=6 => 0.12,
            _ => 0.06,
        };
        let mut band = flat(&reduced.high);
        band.extend(flat(&reduced.low).into_iter().rev());
        if n > 0 {
            self.board.inside.draw(&Polygon::new(band, self.board.fill(self.colour, opacity)))?;
        }
        let (opacity, width) = self.look();
        let mean = self.board.stroke(self.colour, opacity, width.min(1.5));
        self.board.path(flat(&reduced.mean), mean, self.dashes)
    }

    fn points(&self, points: &[NamedPoint]) -> Result<(), DrawError<DB>> {
        let plot = self.board.plot;
        for point in points.iter().filter(|s| plot.x.contains(s.x) && plot.y.contains(s.y)) {
            let at = (point.x, point.y);
            self.board.inside.draw(&Circle::new(at, self.board.length(5.0), self.board.fill(self.colour, 1.0)))?;
            // a rim in the background colour separates neighbours
            let rim = self.board.stroke(self.board.theme.surface, 1.0, 1.0);
            self.board.inside.draw(&Circle::new(at, self.board.length(5.0), rim))?;
        }
        Ok(())
    }

    fn bars(&self, bars: &[Bar]) -> Result<(), DrawError<DB>> {
        let plot = self.board.plot;
        let floor = if plot.y.scale().is_logarithmic() { plot.y.from() } else { 0.0 };
        // a gap of one pixel if the bars are wide enough
        let gap = |bar: &Bar| {
            let (left, right) = (plot.to_pixel(bar.from, floor).0, plot.to_pixel(bar.to, floor).0);
            if right - left > 4.0 { plot.to_value(right - 1.0, 0.0).0 } else { bar.to }
        };
        // negative bars are visible on a linear axis
        let is_seen = |height: f64| if plot.y.scale().is_logarithmic() { height > floor } else { height != floor };
        let shown = bars.iter().filter(|b| b.to > plot.x.from() && b.from < plot.x.to() && is_seen(b.height));
        for bar in shown {
            let corners = [(bar.from, bar.height.max(floor)), (gap(bar), bar.height.min(floor))];
            self.board.inside.draw(&Rectangle::new(corners, self.board.fill(self.colour, 0.85)))?;
        }
        Ok(())
    }

    /// Paints box plots: a box between the quartiles with a line at the median, and whiskers outside.
    fn box_plots(&self, plots: &[BoxPlot]) -> Result<(), DrawError<DB>> {
        let line = self.board.stroke(self.colour, 1.0, 1.5);
        for &BoxPlot { from, to, spread } in plots {
            let (middle, width) = ((from + to) / 2.0, to - from);
            let corners = [(from, spread.third), (to, spread.first)];
            self.board.inside.draw(&Rectangle::new(corners, self.board.fill(self.colour, 2.0 * BAND)))?;
            let rim = vec![
                (from, spread.first),
                (to, spread.first),
                (to, spread.third),
                (from, spread.third),
                (from, spread.first),
            ];
            self.board.path(rim, line, None)?;
            self.board.path(vec![(from, spread.median), (to, spread.median)], line, None)?;
            for (end, side) in [(spread.low, spread.first), (spread.high, spread.third)] {
                self.board.path(vec![(middle, side), (middle, end)], line, None)?;
                self.board.path(vec![(middle - width / 4.0, end), (middle + width / 4.0, end)], line, None)?;
            }
        }
        Ok(())
    }

    /// Paints slanting lines over a box given by its upper left and lower right corners, and a rim around it.
    fn hatch(&self, from: (f64, f64), to: (f64, f64), colour: Rgb) -> Result<(), DrawError<DB>> {
        let plot = self.board.plot;
        let (x, y) = (plot.x.from()..plot.x.to(), plot.y.from()..plot.y.to());
        let ((left, top), (right, bottom)) =
            (plot.to_pixel(from.0.max(x.start), from.1.min(y.end)), plot.to_pixel(to.0.min(x.end), to.1.max(y.start)));
        let line = self.board.stroke(colour, 0.9, 1.0);
        let draw = |points: &[(f64, f64)]| {
            self.board.path(points.iter().map(|&(x, y)| plot.to_value(x, y)).collect(), line, None)
        };
        draw(&[(left, top), (right, top), (right, bottom), (left, bottom), (left, top)])?;
        // x + y is constant along each line
        let mut sum = left + top + HATCH;
        while sum < right + bottom {
            let above = if sum - top <= right { (sum - top, top) } else { (right, sum - right) };
            let below = if sum - left <= bottom { (left, sum - left) } else { (sum - bottom, bottom) };
            draw(&[above, below])?;
            sum += HATCH;
        }
        Ok(())
    }

    /// Paints stretches in lanes at the bottom of the plot.
    fn band(&self, stretches: &[Stretch]) -> Result<(), DrawError<DB>> {
        let plot = self.board.plot;
        let fill = self.board.fill(self.colour, 0.85);
        for stretch in stretches.iter().filter(|s| s.x.1 > plot.x.from() && s.x.0 < plot.x.to()) {
            let height = |lane: usize| plot.to_value(0.0, plot.rect.bottom() - LANE * lane as f64).1;
            let (low, high) = (height(stretch.lane), height(stretch.lane + 1));
            let corners = [(stretch.x.0.max(plot.x.from()), high), (stretch.x.1.min(plot.x.to()), low)];
            self.board.inside.draw(&Rectangle::new(corners, fill))?;
        }
        Ok(())
    }

    fn blocks(&self, blocks: &[FigureBox]) -> Result<(), DrawError<DB>> {
        let plot = self.board.plot;
        let air = |low: f64, high: f64| {
            let (a, b) = (plot.to_pixel(0.0, low).1, plot.to_pixel(0.0, high).1);
            if a - b > 4.0 { plot.to_value(0.0, b + 0.75).1 } else { high }
        };
        let seen = blocks.iter().filter(|b| b.x.1 > plot.x.from() && b.x.0 < plot.x.to());
        for block in seen {
            let corners = [(block.x.0, air(block.y.0, block.y.1)), (block.x.1, block.y.0)];
            let colour = self.board.theme.shade(block.shade);
            let opacity = match block.fill {
                Fill::Solid => 0.9,
                Fill::Faint => 0.4,
                Fill::Hatched => 0.12,
            };
            self.board.inside.draw(&Rectangle::new(corners, self.board.fill(colour, opacity)))?;
            if block.fill == Fill::Hatched {
                self.hatch((block.x.0, corners[0].1), (block.x.1, block.y.0), colour)?;
            }
            if block.is_outlined {
                // a path, because the SVG back end draws rims of rectangles only a tenth of a pixel wide
                let [(left, top), (right, bottom)] = corners;
                let rim = vec![(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
                self.board.path(rim, self.board.stroke(self.board.theme.text, 1.0, 2.0), None)?;
            }
            let left = plot.to_pixel(block.x.0.max(plot.x.from()), block.y.0).0;
            let right = plot.to_pixel(block.x.1.min(plot.x.to()), block.y.0).0;
            if right - left > 3.0 {
                // marks the start of a job, so that neighbours of the same colour can be distinguished
                let edge = self.board.stroke(self.board.theme.surface, 0.9, 0.75);
                self.board.path(vec![(block.x.0, block.y.0), (block.x.0, corners[0].1)], edge, None)?;
            }
        }
        Ok(())
    }
}

//! The layout of a figure on a sheet of a given size.

use super::axis_ticks;
use super::legend::{LegendItem, entries, words};
use super::names::{Name, place_names};
use super::text::{TICK_TEXT, width_of};
use super::tick::Ticks;
use super::{Axis, AxisUnit, Data, Extent, Figure, Scale, Span};
use std::sync::Arc;

/// About the width of what stands beside the plot, pixels.
const SIDES: f64 = 60.0;

/// The height of the line with that title, pixels.
pub const HEADING: f64 = 22.0;

/// The height of a row of the legend, pixels.
pub const ROW: f64 = 18.0;

/// The sheet on which a figure is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sheet {
    /// The width, pixels.
    pub width: f64,
    /// The height, pixels.
    pub height: f64,
    pub legend: Legend,
    pub heading: Heading,
}

impl Sheet {
    /// The nearest size that is large enough for axes and not larger than any screen.
    fn drawable(self) -> Self {
        let within = |v: f64, least: f64| if v.is_nan() { least } else { v.clamp(least, 10_000.0) };
        Sheet { width: within(self.width, 120.0), height: within(self.height, 90.0), ..self }
    }
}

/// Where the names of the series stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Legend {
    /// Outside the drawing: the page shows them.
    Apart,
    Below,
}

/// Where the title of a figure stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heading {
    /// Outside the drawing: the page or a caption has it.
    Apart,
    Above,
}

/// The user's choices for viewing a figure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FigureView {
    /// The zoomed range of x values.
    pub x: Option<(f64, f64)>,
    /// The scale of the x axis, if not the figure's.
    pub x_scale: Option<Scale>,
    /// The scale of the y axis, if not the figure's.
    pub y_scale: Option<Scale>,
    pub hidden: Vec<usize>,
}

/// A rectangle, in pixels from the upper left corner of the sheet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    pub left: f64,
    /// Upper side.
    pub top: f64,
    pub width: f64,
    pub height: f64,
}

impl Rect {
    /// Right side.
    pub fn right(&self) -> f64 {
        self.left + self.width
    }

    /// Lower side.
    pub fn bottom(&self) -> f64 {
        self.top + self.height
    }

    /// Whether the point lies inside.
    pub fn contains(&self, x: f64, y: f64) -> bool {
        (self.left..=self.right()).contains(&x) && (self.top..=self.bottom()).contains(&y)
    }
}

/// A figure with the positions of all its parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    pub figure: Arc<Figure>,
    pub sheet: Sheet,
    /// The rectangle in which the data are drawn.
    pub rect: Rect,
    /// The range of the x axis.
    pub x: Span,
    /// The range of the x axis without zoom.
    pub full_x: Span,
    /// The range of the y axis.
    pub y: Span,
    pub x_ticks: Ticks,
    pub y_ticks: Ticks,
    /// The indices of the series that are shown and not empty, the bottom one first.
    pub visible: Vec<usize>,
    /// The legend inside the drawing, row by row.
    pub legend: Vec<Vec<LegendItem>>,
    /// The names of points.
    pub names: Vec<Name>,
    /// Remarks that the reader needs, such as values that have no place on a logarithmic axis.
    pub notes: Vec<String>,
}

impl Plot {
    /// Lays out `figure` on `sheet` according to `view`. If the legend is inside, all names of points are told: the sheet is
    /// higher by the key of those that have no room beside their points.
    pub fn lay_out(figure: &Arc<Figure>, view: &FigureView, sheet: Sheet) -> Self {
        let sheet = sheet.drawable();
        let mut plot = Plot::without_names(figure, view, sheet);
        let (names, key) = place_names(&plot, sheet.legend == Legend::Below);
        let key = words(&key, sheet.width);
        plot.sheet.height += ROW * key.len() as f64;
        plot.legend.extend(key);
        plot.names = names;
        plot
    }

    fn without_names(figure: &Arc<Figure>, view: &FigureView, sheet: Sheet) -> Self {
        let has_data = |&i: &usize| !view.hidden.contains(&i) && !figure.series[i].data.is_empty();
        let mut visible: Vec<usize> = (0..figure.series.len()).filter(has_data).collect();
        let data = || visible.iter().map(|&i| &figure.series[i].data);

        let x_scale = view.x_scale.unwrap_or(figure.x.scale);
        let y_scale = view.y_scale.unwrap_or(figure.y.scale);
        let (x_full, x_cut) =
            span_of(&figure.x, x_scale, data().map(|d| |counts: &dyn Fn(f64) -> bool| d.x_range(counts)));
        let has_names = data().any(|d| matches!(d, Data::NamedPoints(_)));
        // points with names need space around them
        let x_full = if has_names { padded(x_full) } else { x_full };
        let x = view.x.map_or(x_full, |(from, to)| Span::new(x_scale, from, to));
        let window = (x.from(), x.to());
        let (y, y_cut) =
            span_of(&figure.y, y_scale, data().map(|d| move |counts: &dyn Fn(f64) -> bool| d.y_range(window, counts)));

        let y = if has_names { padded(y) } else { y };

        let numbers = key_of_numbers(&figure.x.unit, &x, sheet.width);
        let legend = match sheet.legend {
            Legend::Apart => Vec::new(),
            Legend::Below => {
                let names = entries(figure, &visible, sheet.width);
                names.into_iter().chain(words(&numbers, sheet.width)).collect()
            }
        };
        let top = match sheet.heading {
            Heading::Apart => 26.0,
            Heading::Above => 26.0 + HEADING,
        };
        let below = if matches!(figure.x.unit, AxisUnit::Time(_)) { 58.0 } else { 44.0 };
        let bottom = below + ROW * legend.len() as f64;
        let height = (sheet.height - top - bottom).max(24.0);
        let y_room = if height < 140.0 { 26.0 } else { 36.0 };
        let y = rounded(&figure.y, y, height, y_room);
        let y_ticks = axis_ticks::ticks(&y, &figure.y.unit, height, y_room);
        let widest = y_ticks.major.iter().map(|t| width_of(&t.label, TICK_TEXT)).fold(0.0, f64::max);
        let left = (widest + 12.0).clamp(24.0, sheet.width / 2.0);
        let x_room = room(&figure.x.unit);
        let right = (x_room / 2.0 - 6.0).clamp(12.0, 30.0);
        let width = (sheet.width - left - right).max(24.0);
        // as wide as the key of the numbers takes it to be, if names are numbered
        let names_room = if matches!(figure.x.unit, AxisUnit::Names(_)) { sheet.width - SIDES } else { width };
        let x_ticks = axis_ticks::ticks(&x, &figure.x.unit, names_room, x_room);

        let mut notes = Vec::new();
        if x_cut && view.x.is_none() {
            notes.push("What is 0 lies at the left edge: a logarithmic axis has no place for it.".to_owned());
        }
        if y_cut {
            notes.push("What is 0 lies at the lower edge: a logarithmic axis has no place for it.".to_owned());
        }
        if sheet.legend == Legend::Apart && !numbers.is_empty() {
            notes.push(format!("{}.", numbers.join(", ")));
        }
        // guides alone are not a chart
        if visible.iter().all(|&i| figure.series[i].ink == super::Ink::Guide) {
            visible.clear();
        }
        Plot {
            figure: Arc::clone(figure),
            sheet,
            rect: Rect { left, top, width, height },
            x,
            full_x: x_full,
            y,
            x_ticks,
            y_ticks,
            visible,
            legend,
            names: Vec::new(),
            notes,
        }
    }

    /// The reason why nothing is visible; `None` if something is.
    pub fn emptiness(&self) -> Option<&str> {
        if !self.visible.is_empty() {
            return None;
        }
        let hidden = self.figure.series.iter().any(|s| !s.data.is_empty());
        Some(match (hidden, self.figure.empty.as_str()) {
            (true, _) => "Every series is switched off",
            (false, "") => "Nothing to show",
            (false, why) => why,
        })
    }

    /// The position of a point on the sheet, pixels.
    pub fn to_pixel(&self, x: f64, y: f64) -> (f64, f64) {
        (self.rect.left + self.x.place(x) * self.rect.width, self.rect.bottom() - self.y.place(y) * self.rect.height)
    }

    /// The point at a position on the sheet, pixels; the inverse of [`Plot::to_pixel`].
    pub fn to_value(&self, px: f64, py: f64) -> (f64, f64) {
        let (x, y) = ((px - self.rect.left) / self.rect.width, (self.rect.bottom() - py) / self.rect.height);
        (self.x.value(x), self.y.value(y))
    }
}

/// What the numbers at the ticks stand for where names have too little room: `1 user`, `2 hour`. Empty where they have.
fn key_of_numbers(unit: &AxisUnit, x: &Span, width: f64) -> Vec<String> {
    let AxisUnit::Names(names) = unit else { return Vec::new() };
    // about the width of the plot: how wide it is depends on the labels of the y axis
    if !axis_ticks::are_numbered(x, names, width - SIDES, room(unit)) {
        return Vec::new();
    }
    names.iter().enumerate().map(|(place, name)| format!("{} {name}", place + 1)).collect()
}

/// The space that each label below an axis needs, pixels.
fn room(unit: &AxisUnit) -> f64 {
    match unit {
        AxisUnit::Time(_) => 76.0,
        AxisUnit::Change | AxisUnit::Fraction => 64.0,
        _ => 58.0,
    }
}

/// The range of an axis, and whether values were left out because they have no place on it.
fn span_of<'a, R>(axis: &Axis, scale: Scale, ranges: impl Iterator<Item = R>) -> (Span, bool)
where
    R: Fn(&dyn Fn(f64) -> bool) -> Option<(f64, f64)> + 'a,
{
    if let Extent::Fixed(from, to) = axis.extent
        && !(scale.is_logarithmic() && from <= 0.0)
    {
        return (Span::new(scale, from, to), false);
    }
    let (mut all, mut placed) = (None, None);
    let join = |a: Option<(f64, f64)>, b: Option<(f64, f64)>| match (a, b) {
        (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
        (a, b) => a.or(b),
    };
    for range in ranges {
        all = join(all, range(&|_| true));
        placed = join(placed, range(&|v| !scale.is_logarithmic() || v > 0.0));
    }
    let cut = scale.is_logarithmic() && all.is_some_and(|(low, _)| low <= 0.0);
    let Some((low, high)) = placed else { return (Span::new(scale, if cut { 1.0 } else { 0.0 }, 1.0), cut) };
    let (low, high) = match (scale, axis.extent) {
        (Scale::Linear, Extent::DataAndZero) => (low.min(0.0), high.max(0.0)),
        // zeros are drawn at the start of the smallest decade
        (Scale::Log, _) if cut => (10f64.powf(low.log10().floor()), high),
        _ => (low, high),
    };
    (Span::new(scale, low, high), cut)
}

/// The range with a twelfth of its length added on either side. If it has no negative values, it gets none.
fn padded(span: Span) -> Span {
    let (low, high) = (span.value(-1.0 / 12.0), span.value(1.0 + 1.0 / 12.0));
    Span::new(span.scale(), if span.value(0.0) >= 0.0 { low.max(0.0) } else { low }, high)
}

/// The range of the y axis, with round ends or some space above and below.
fn rounded(axis: &Axis, span: Span, height: f64, room: f64) -> Span {
    if matches!(axis.extent, Extent::Fixed(..)) {
        return span;
    }
    match span.scale() {
        Scale::Linear => axis_ticks::rounded(&span, &axis.unit, height, room),
        Scale::Log | Scale::Log2 => Span::new(span.scale(), span.value(-0.03), span.value(1.03)),
    }
}

impl Data {
    /// Whether its points are found individually, in both directions, rather than by their x only.
    pub fn is_scattered(&self) -> bool {
        matches!(self, Data::NamedPoints(_) | Data::Blocks(_))
    }
}

//! The layout of a figure on a sheet of a given size.

use super::axis_ticks::Ticks;
use super::named::{Name, place_names};
use super::panels::{LegendItem, entries, words};
use super::read::same_place;
use super::{Axis, AxisUnit, Data, Extent, Figure, Hit, ReadValue, Reading, Scale, Span, axis_ticks};
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

// The width of text, estimated without a font.
//
// The layout must not depend on the machine: an SVG is drawn with whatever sans-serif font its reader has. These
// widths are slightly larger than those of the usual fonts.

/// The font size of tick labels, pixels.
pub const TICK_TEXT: f64 = 11.0;

/// The font size of axis titles and names, pixels.
pub const TEXT: f64 = 12.0;

/// The font size of the figure's own title, pixels.
pub const TITLE_TEXT: f64 = 14.0;

/// The width of `text` at a font size of `size` pixels, pixels.
pub fn width_of(text: &str, size: f64) -> f64 {
    size * text.chars().map(em).sum::<f64>()
}

fn em(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' | 'f' | 't' | 'r' | '(' | ')' | '·' => {
            0.34
        }
        'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.9,
        '⁰'..='⁹' | '¹' | '²' | '³' | '⁻' => 0.42,
        c if c.is_ascii_uppercase() => 0.68,
        c if c.is_ascii() => 0.58,
        _ => 0.7,
    }
}

/// `text`, cut to fit into `width` pixels, with an ellipsis if it was cut.
pub fn fitted(text: &str, size: f64, width: f64) -> String {
    if width_of(text, size) <= width {
        return text.to_owned();
    }
    let mut left = width - size * em('…');
    let kept: String = text
        .chars()
        .take_while(|&c| {
            left -= size * em(c);
            left >= 0.0
        })
        .collect();
    format!("{}…", kept.trim_end())
}

/// Text escaped for XML; characters that XML does not allow are left out.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars().filter(|&c| is_xml(c)) {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            other => out.push(other),
        }
    }
    out
}

/// Whether XML 1.0 allows the character.
pub fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

// Readings in words.

impl Plot {
    /// The place at which readings were taken: a value of x, or the bin that they share.
    pub fn say_place(&self, x: f64, readings: &[Reading]) -> String {
        let unit = &self.figure.x.unit;
        let is_of_a_run = |r: &&Reading| {
            self.figure.series[r.series].ink != super::Ink::Guide && !matches!(r.value, ReadValue::Stretch { .. })
        };
        let first = readings.iter().find(is_of_a_run);
        match first.map(|reading| (reading.x, reading.value)) {
            Some((from, ReadValue::Band { until, .. } | ReadValue::Bar { until, .. })) if !self.has_names() => {
                format!("{} to {}", unit.say(from), unit.say(until))
            }
            Some((at, ReadValue::One(_))) if !same_place(at, x) => unit.say(at),
            _ => unit.say(x),
        }
    }

    /// The value of a reading, such as "12 jobs" or "12 jobs (3 to 40)". For a stretch of a band: its start and end or,
    /// if there are several lanes, the name of its lane.
    pub fn say_value(&self, reading: &Reading) -> String {
        let unit = &self.figure.y.unit;
        match reading.value {
            ReadValue::One(y) => unit.say(y),
            ReadValue::Bar { height, .. } => unit.say(height),
            ReadValue::Stretch { until, lane } => match &self.figure.series[reading.series].data {
                Data::Band { lanes, .. } if lanes.len() > 1 => lanes.get(lane).cloned().unwrap_or_default(),
                _ => {
                    let unit = &self.figure.x.unit;
                    format!("{} to {}", unit.say(reading.x), unit.say(until))
                }
            },
            ReadValue::Band { low, mean, high, .. } if low == high => unit.say(mean),
            ReadValue::Band { low, mean, high, .. } => {
                let bare = |v: f64| unit.say(v).trim_end_matches(unit.name()).trim_end().to_owned();
                format!("{} ({} to {})", unit.say(mean), bare(low), bare(high))
            }
        }
    }

    /// The name of a hit point and its value on each axis; empty if the item is not a point.
    pub fn say_point(&self, hit: &Hit) -> Vec<(String, String)> {
        let Some(Data::NamedPoints(points)) = self.figure.series.get(hit.series).map(|s| &s.data) else {
            return Vec::new();
        };
        let Some(point) = points.get(hit.item) else { return Vec::new() };
        let (x, y) = (&self.figure.x, &self.figure.y);
        vec![(x.title.clone(), x.unit.say(point.x)), (y.title.clone(), y.unit.say(point.y))]
    }

    fn has_names(&self) -> bool {
        matches!(self.figure.x.unit, super::AxisUnit::Names(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_cut() {
        assert_eq!(fitted("JustBF", 12.0, 100.0), "JustBF");
        let cut = fitted("SAF-JustBF with the actual run time", 12.0, 100.0);
        assert!(cut.ends_with('…') && width_of(&cut, 12.0) <= 100.0, "{cut}");
    }
}

//! Figures: what a chart shows, before it has a size or colours.

use super::{AxisUnit, Scale};
use crate::metric::{Envelope, Line, Metric, Quartiles};
use crate::order;
use crate::study::Run;
use crate::study::sureness::DistributionBand;

/// What a chart shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Stable id of the kind of chart: "cwa", "queue", ...
    pub kind: &'static str,
    /// What it shows, as a heading.
    pub title: String,
    /// What all its runs have in common and their names therefore leave out; empty where that is nothing.
    pub common: String,
    /// How to read it, one line.
    pub help: &'static str,
    /// Paper and figure that it follows; empty where there is none.
    pub source: &'static str,
    /// What goes to the right.
    pub x: Axis,
    /// What goes up.
    pub y: Axis,
    /// What is drawn, the first at the bottom.
    pub series: Vec<Series>,
    /// Lines that mark values.
    pub marks: Vec<Mark>,
    /// Why there is nothing to show, where there is nothing.
    pub empty: String,
}

/// An axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What its values are, without the unit.
    pub title: String,
    /// How they are written.
    pub unit: AxisUnit,
    /// How they lie.
    pub scale: Scale,
    /// The scale a person may switch to, where that makes sense.
    pub other_scale: Option<Scale>,
    /// From where to where.
    pub extent: Extent,
}

/// From where to where an axis goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Extent {
    /// As the data.
    Data,
    /// As the data and 0.
    DataAndZero,
    /// These values.
    Fixed(f64, f64),
}

/// One thing that is drawn: a run's line, a guide, a histogram.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// What it consists of.
    pub data: Data,
    /// What it is drawn with.
    pub ink: Ink,
    /// The run that it belongs to.
    pub run: Option<Run>,
}

/// What a series consists of.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// Points joined by straight lines.
    Line(Line),
    /// The same with a band around it: between which bounds each point lies.
    Ranged {
        /// The points.
        line: Line,
        /// Lower bounds, as many.
        low: Vec<f64>,
        /// Upper bounds, as many.
        high: Vec<f64>,
    },
    /// A step function.
    Steps {
        /// `y[i]` holds from `x[i]` on.
        line: Line,
        /// What holds before the first x, where that is known.
        before: Option<f64>,
    },
    /// The same with a band behind it.
    RangedSteps {
        /// `y[i]` holds from `x[i]` on.
        line: Line,
        /// What holds before the first x, where that is known.
        before: Option<f64>,
        /// Between which bounds the line could as well be, at points of its own.
        band: DistributionBand,
    },
    /// Bins with their smallest, largest and average value.
    Envelope(Envelope),
    /// Points with names.
    NamedPoints(Vec<NamedPoint>),
    /// Upright bars.
    Bars(Vec<Bar>),
    /// Boxes in both directions.
    Blocks(Vec<FigureBox>),
    /// Box plots beside each other.
    BoxPlots(Vec<BoxPlot>),
    /// Stretches of x, at the foot of the chart whatever y is.
    Band {
        /// Ascending in each lane.
        stretches: Vec<Stretch>,
        /// Whose the lanes are, from below.
        lanes: Vec<String>,
    },
}

/// A stretch of a band.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// From where to where.
    pub x: (f64, f64),
    /// Which of several bands above each other, from below.
    pub lane: usize,
}

/// A point with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedPoint {
    /// To the right.
    pub x: f64,
    /// Up.
    pub y: f64,
    /// What is written beside it.
    pub name: String,
}

/// An upright bar from 0 to `height`.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// Left side.
    pub from: f64,
    /// Right side.
    pub to: f64,
    /// How high.
    pub height: f64,
}

/// A box plot: how values are spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxPlot {
    /// Left side.
    pub from: f64,
    /// Right side.
    pub to: f64,
    /// The values.
    pub spread: Quartiles,
}

/// A box.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureBox {
    /// Left and right side.
    pub x: (f64, f64),
    /// Lower and upper side.
    pub y: (f64, f64),
    /// Its colour.
    pub shade: Shade,
    /// How much of the colour there is.
    pub fill: Fill,
    /// Whether it has an outline, by which it is found among others.
    pub is_outlined: bool,
}

/// How a box is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// All over.
    Solid,
    /// So that it is told apart from what is certain.
    Faint,
    /// With slanting lines.
    Hatched,
}

/// What a box is filled with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shade {
    /// One of the categorical colours, by number.
    Category(usize),
    /// A point on the sequential ramp, 0 to 1.
    Level(f64),
    /// A point between better, −1, none, 0, and worse, 1.
    Change(f64),
}

/// What a series is drawn with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Colour and line pattern of that number: eight colours, then the same with another pattern.
    Series(usize),
    /// A run that is not among the chosen ones: grey.
    Rest,
    /// Something that is not a run: thin, dotted, grey.
    Guide,
    /// The colour of the page's text, for a chart of a single thing.
    Plain,
}

/// A line that marks a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// An upright line.
    X {
        /// Where.
        at: f64,
        /// What is written beside it.
        label: String,
    },
    /// A level line.
    Y {
        /// Where.
        at: f64,
        /// What is written above it.
        label: String,
    },
}

/// Kinds of which a page has several, told apart by their titles.
const OFTEN: [&str; 8] = ["distortion", "load", "users", "parameter", "improvement", "gantt", "wait-map", "by-policy"];

impl Figure {
    /// What names it in a file's name: its kind, or its title where a page has several of the kind.
    pub fn file_part(&self) -> String {
        if !OFTEN.contains(&self.kind) {
            return self.kind.to_owned();
        }
        let mut part = String::new();
        for letter in self.title.chars() {
            let letter = match letter {
                'ᵃ' => 'a',
                '⁰' => '0',
                '¹' => '1',
                '²' => '2',
                '³' => '3',
                plain if plain.is_ascii_alphanumeric() => plain.to_ascii_lowercase(),
                _ => '-',
            };
            if letter != '-' || !part.is_empty() && !part.ends_with('-') {
                part.push(letter);
            }
        }
        part.trim_end_matches('-').to_owned()
    }
}

impl Axis {
    /// An axis of a metric's values: logarithmic where outliers rule, so that the others are told apart.
    pub fn of_metric(title: &str, metric: Metric, values: impl IntoIterator<Item = f64>) -> Self {
        let unit = AxisUnit::of(metric);
        match outliers_rule(values) {
            true => Axis::log(title, unit).or(Scale::Linear),
            false => Axis::linear(title, unit).or(Scale::Log),
        }
    }

    /// A linear axis that follows its data.
    pub fn linear(title: &str, unit: AxisUnit) -> Self {
        Axis { title: title.to_owned(), unit, scale: Scale::Linear, other_scale: None, extent: Extent::Data }
    }

    /// A logarithmic axis that follows its data.
    pub fn log(title: &str, unit: AxisUnit) -> Self {
        Axis { scale: Scale::Log, ..Axis::linear(title, unit) }
    }

    /// With a fixed extent, or one that includes 0.
    pub fn with_extent(self, extent: Extent) -> Self {
        Axis { extent, ..self }
    }

    /// With a scale that a person may switch to.
    pub fn or(self, scale: Scale) -> Self {
        Axis { other_scale: Some(scale), ..self }
    }

    /// Title and unit: "job area (processor-seconds)".
    pub fn heading(&self) -> String {
        match self.unit.name() {
            "" => self.title.clone(),
            // "waiting jobs" says what it counts
            unit if self.title.contains(unit) => self.title.clone(),
            unit => format!("{} ({unit})", self.title),
        }
    }

    /// Whether it is a time axis, shared with other time charts.
    pub fn is_time(&self) -> bool {
        matches!(self.unit, AxisUnit::Time(_))
    }
}

/// Above so many times the middle value the largest leaves no room for the others.
const OUTLIER: f64 = 10.0;

/// Whether the largest of values above 0 is so far from the middle one that a linear axis would show nothing but it.
fn outliers_rule(values: impl IntoIterator<Item = f64>) -> bool {
    let mut values: Vec<f64> = values.into_iter().filter(|value| value.is_finite()).collect();
    order::sort_by(&mut values, |a, b| a.total_cmp(b));
    match (values.first(), values.get(values.len() / 2), values.last()) {
        (Some(&least), Some(&middle), Some(&largest)) => least > 0.0 && largest > OUTLIER * middle,
        _ => false,
    }
}

impl Series {
    /// A run's series.
    pub fn of_run(name: String, run: &Run, ink: Ink, data: Data) -> Self {
        Series { name, data, ink, run: Some(run.clone()) }
    }
}

impl Data {
    /// How many points, bins, bars or boxes there are.
    pub fn len(&self) -> usize {
        match self {
            Data::Line(line)
            | Data::Steps { line, .. }
            | Data::Ranged { line, .. }
            | Data::RangedSteps { line, .. } => line.x.len().min(line.y.len()),
            Data::Envelope(e) => e.low.len().min(e.high.len()).min(e.mean.len()),
            Data::NamedPoints(points) => points.len(),
            Data::Bars(bars) => bars.len(),
            Data::Blocks(blocks) => blocks.len(),
            Data::BoxPlots(plots) => plots.len(),
            Data::Band { stretches, .. } => stretches.len(),
        }
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The smallest and largest x, over all numbers that `counts` accepts.
    pub fn x_range(&self, counts: impl Fn(f64) -> bool) -> Option<(f64, f64)> {
        match self {
            Data::Line(line)
            | Data::Steps { line, .. }
            | Data::Ranged { line, .. }
            | Data::RangedSteps { line, .. } => range(line.x.iter().copied(), counts),
            Data::Envelope(e) => range([e.begin, e.begin + e.step * self.len() as f64].into_iter(), counts),
            Data::NamedPoints(points) => range(points.iter().map(|s| s.x), counts),
            Data::Bars(bars) => range(bars.iter().flat_map(|b| [b.from, b.to]), counts),
            Data::Blocks(blocks) => range(blocks.iter().flat_map(|b| [b.x.0, b.x.1]), counts),
            Data::BoxPlots(plots) => range(plots.iter().flat_map(|b| [b.from, b.to]), counts),
            Data::Band { stretches, .. } => range(stretches.iter().flat_map(|s| [s.x.0, s.x.1]), counts),
        }
    }

    /// The smallest and largest y of what is to be seen between the x values `from` and `to`, over all
    /// numbers that `counts` accepts.
    pub fn y_range(&self, (from, to): (f64, f64), counts: impl Fn(f64) -> bool) -> Option<(f64, f64)> {
        match self {
            Data::Line(line) | Data::Steps { line, .. } | Data::RangedSteps { line, .. } => {
                // the last point before the window reaches into it
                let first = line.x.partition_point(|&x| x < from).saturating_sub(1);
                let end =
                    (line.x.partition_point(|&x| x <= to) + usize::from(matches!(self, Data::Line(_)))).min(self.len());
                range(line.y.get(first..end.max(first)).unwrap_or_default().iter().copied(), counts)
            }
            // few points: all of them count, whatever is to be seen
            Data::Ranged { line, low, high } => range(line.y.iter().chain(low).chain(high).copied(), counts),
            Data::Envelope(e) => {
                let bin = |x: f64| ((x - e.begin) / e.step).floor().max(0.0) as usize;
                let (first, end) = (bin(from).min(self.len()), bin(to).saturating_add(1).min(self.len()));
                range(e.low[first..end].iter().chain(&e.high[first..end]).copied(), counts)
            }
            Data::NamedPoints(points) => {
                range(points.iter().filter(|s| (from..=to).contains(&s.x)).map(|s| s.y), counts)
            }
            Data::Bars(bars) => range(bars.iter().filter(|b| b.to >= from && b.from <= to).map(|b| b.height), counts),
            Data::Band { .. } => None,
            Data::BoxPlots(plots) => {
                let seen = plots.iter().filter(|b| b.to >= from && b.from <= to);
                range(seen.flat_map(|b| [b.spread.low, b.spread.high]), counts)
            }
            Data::Blocks(blocks) => {
                range(blocks.iter().filter(|b| b.x.1 >= from && b.x.0 <= to).flat_map(|b| [b.y.0, b.y.1]), counts)
            }
        }
    }
}

fn range(values: impl Iterator<Item = f64>, counts: impl Fn(f64) -> bool) -> Option<(f64, f64)> {
    values.filter(|v| v.is_finite() && counts(*v)).fold(None, |range, v| match range {
        None => Some((v, v)),
        Some((low, high)) => Some((v.min(low), v.max(high))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_is_logarithmic_where_outliers_rule() {
        let scale = |values: &[f64]| Axis::of_metric("AWF", Metric::Awf, values.iter().copied()).scale;
        assert_eq!(scale(&[1.0, 2.0, 3.0, 19.0]), Scale::Linear);
        assert_eq!(scale(&[1.0, 2.0, 3.0, 400.0]), Scale::Log);
        assert_eq!(scale(&[0.0, 2.0, 3.0, 400.0]), Scale::Linear, "0 has no logarithm");
        assert_eq!(scale(&[]), Scale::Linear);
    }

    #[test]
    fn figures_of_one_kind_have_files_of_their_own() {
        let part = |kind, title: &str| {
            let axis = || Axis::linear("", AxisUnit::Number(""));
            let (x, y, title) = (axis(), axis(), title.to_owned());
            let (common, empty) = (String::new(), String::new());
            Figure { kind, title, common, help: "", source: "", x, y, series: vec![], marks: vec![], empty }.file_part()
        };
        assert_eq!(part("distortion", "BSLD against distortion"), "bsld-against-distortion");
        assert_eq!(part("distortion", "P²SF against distortion"), "p2sf-against-distortion");
        assert_eq!(part("cwa", "Cumulative wait area"), "cwa");
    }
}

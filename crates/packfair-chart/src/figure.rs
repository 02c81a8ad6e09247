//! Figures: the content of a chart, before it has a size or colours.

use super::{AxisUnit, Scale};
use packfair_engine::metric::{Envelope, Line, Metric, Quartiles};
use packfair_study::sureness::DistributionBand;
use packfair_study::{RowNames, Run};
use packfair_workload::UnitText;

/// The content of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The stable id of the kind of chart: "cwa", "queue", ...
    pub kind: &'static str,
    pub title: String,
    /// What all runs of the chart have in common, so that their names leave it out; empty if there is nothing.
    pub common: String,
    pub help: UnitText,
    /// The paper and figure that the chart follows; empty if there is none.
    pub source: &'static str,
    pub x: Axis,
    pub y: Axis,
    pub series: Vec<Series>,
    pub marks: Vec<Mark>,
    /// The reason to show if there is nothing to draw.
    pub empty: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What the values are, without the unit.
    pub title: String,
    pub unit: AxisUnit,
    /// How values lie along the axis.
    pub scale: Scale,
    /// An alternative scale to which the user may switch, if it makes sense.
    pub other_scale: Option<Scale>,
    pub extent: Extent,
}

/// The range of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Extent {
    Data,
    /// The range of the data and 0.
    DataAndZero,
    Fixed(f64, f64),
}

/// One element of a chart: a run's line, a guide, a histogram.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    pub name: String,
    pub data: Data,
    pub ink: Ink,
    /// The run to which the series belongs, if any.
    pub run: Option<Run>,
}

/// The data of a series.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// Points joined by straight lines.
    Line(Line),
    /// Points joined by straight lines, with a band around them.
    Ranged {
        /// The points.
        line: Line,
        /// The lower bound for each point.
        low: Vec<f64>,
        /// The upper bound for each point.
        high: Vec<f64>,
    },
    Steps {
        /// `y[i]` holds from `x[i]` on.
        line: Line,
        /// The value before the first x, if it is known.
        before: Option<f64>,
    },
    /// A step function with a band behind it.
    RangedSteps {
        /// `y[i]` holds from `x[i]` on.
        line: Line,
        /// The value before the first x, if it is known.
        before: Option<f64>,
        /// The bounds between which the line could as well lie, at x values of their own.
        band: DistributionBand,
    },
    /// Bins with their smallest, largest and average values.
    Envelope(Envelope),
    NamedPoints(Vec<NamedPoint>),
    Bars(Vec<Bar>),
    /// Rectangles in the plane of x and y.
    Blocks(Vec<FigureBox>),
    /// Box plots side by side.
    BoxPlots(Vec<BoxPlot>),
    /// Stretches of x, drawn at the bottom of the chart whatever y is.
    Band {
        /// The stretches, ascending within each lane.
        stretches: Vec<Stretch>,
        lanes: Vec<String>,
    },
}

/// A stretch of a band.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    pub x: (f64, f64),
    /// The lane of the band, counted from the bottom.
    pub lane: usize,
}

/// A point with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedPoint {
    /// The position on the x axis.
    pub x: f64,
    /// The position on the y axis.
    pub y: f64,
    /// The text beside the point.
    pub name: String,
}

/// A vertical bar from 0 to `height`.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// Left side.
    pub from: f64,
    /// Right side.
    pub to: f64,
    pub height: f64,
}

/// A box plot, which shows how values are spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxPlot {
    /// Left side.
    pub from: f64,
    /// Right side.
    pub to: f64,
    pub spread: Quartiles,
}

#[derive(Clone, Debug, PartialEq)]
pub struct FigureBox {
    /// Left and right side.
    pub x: (f64, f64),
    /// Lower and upper side.
    pub y: (f64, f64),
    pub shade: Shade,
    pub fill: Fill,
    pub is_outlined: bool,
}

/// How a box is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    Solid,
    /// Lighter, to distinguish the box from what is certain.
    Faint,
    Hatched,
}

/// The colour of a box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shade {
    /// One of the categorical colours, by number.
    Category(usize),
    /// A point on the sequential ramp, 0 to 1.
    Level(f64),
    /// A point between better (−1), unchanged (0) and worse (1).
    Change(f64),
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// The colour and line pattern with this number: eight colours, then the same colours with another pattern.
    Series(usize),
    /// A run that is not chosen: grey.
    Rest,
    /// A series that is not a run: thin, dotted, grey.
    Guide,
    /// The colour of the page's text, for a chart with a single series.
    Plain,
}

/// A line that marks a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    X { at: f64, label: String },
    Y { at: f64, label: String },
}

/// Kinds of charts of which a page has several, which differ in their titles.
const OFTEN: [&str; 8] = ["distortion", "load", "users", "parameter", "change", "gantt", "wait-map", "by-policy"];

impl Figure {
    /// The part of a file name that identifies the figure: its kind, or its title if a page has several of the kind.
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
    /// An axis for values of a metric: logarithmic if there are outliers, so that the other values can be
    /// distinguished.
    pub fn of_metric(title: &str, metric: Metric, values: impl IntoIterator<Item = f64>) -> Self {
        let unit = AxisUnit::of(metric);
        match outliers_rule(values) {
            true => Axis::log(title, unit).or(Scale::Linear),
            false => Axis::linear(title, unit).or(Scale::Log),
        }
    }

    /// A linear axis with the range of its data.
    pub fn linear(title: &str, unit: AxisUnit) -> Self {
        Axis { title: title.to_owned(), unit, scale: Scale::Linear, other_scale: None, extent: Extent::Data }
    }

    /// A logarithmic axis with the range of its data.
    pub fn log(title: &str, unit: AxisUnit) -> Self {
        Axis { scale: Scale::Log, ..Axis::linear(title, unit) }
    }

    /// The same axis with another extent.
    pub fn with_extent(self, extent: Extent) -> Self {
        Axis { extent, ..self }
    }

    /// The same axis with an alternative scale.
    pub fn or(self, scale: Scale) -> Self {
        Axis { other_scale: Some(scale), ..self }
    }

    /// The title and the unit, such as "job area (processor-seconds)".
    pub fn heading(&self) -> String {
        match self.unit.name() {
            "" => self.title.clone(),
            // a title such as "waiting jobs" contains its unit
            unit if self.title.contains(unit) => self.title.clone(),
            unit => format!("{} ({unit})", self.title),
        }
    }

    /// Whether this is a time axis, whose range all time charts share.
    pub fn is_time(&self) -> bool {
        matches!(self.unit, AxisUnit::Time(_))
    }
}

/// How many times the median the largest value may be: beyond this, a linear axis leaves no room for the others.
const OUTLIER: f64 = 10.0;

/// Whether the largest of the positive values is so far from the median that a linear axis would show nothing else.
fn outliers_rule(values: impl IntoIterator<Item = f64>) -> bool {
    let mut values: Vec<f64> = values.into_iter().filter(|value| value.is_finite()).collect();
    values.sort_by(|a, b| a.total_cmp(b));
    match (values.first(), values.get(values.len() / 2), values.last()) {
        (Some(&least), Some(&middle), Some(&largest)) => least > 0.0 && largest > OUTLIER * middle,
        _ => false,
    }
}

impl Figure {
    /// The same figure with the names that a person has given to runs.
    pub fn with_names(mut self, names: &RowNames) -> Self {
        for series in &mut self.series {
            let Some(given) = series.run.as_ref().and_then(|run| names.of(run)) else { continue };
            let own = std::mem::replace(&mut series.name, given.to_owned());
            if let Data::NamedPoints(points) = &mut series.data {
                points.iter_mut().filter(|point| point.name == own).for_each(|point| given.clone_into(&mut point.name));
            }
        }
        self
    }
}

impl Series {
    pub fn of_run(name: String, run: &Run, ink: Ink, data: Data) -> Self {
        Series { name, data, ink, run: Some(run.clone()) }
    }
}

impl Data {
    /// The number of points, bins, bars or boxes.
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

    /// Whether there are no data.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The smallest and largest x among the numbers that `counts` accepts.
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

    /// The smallest and largest y of the data that are visible between the x values `from` and `to`, among the numbers
    /// that `counts` accepts.
    pub fn y_range(&self, (from, to): (f64, f64), counts: impl Fn(f64) -> bool) -> Option<(f64, f64)> {
        match self {
            Data::Line(line) | Data::Steps { line, .. } | Data::RangedSteps { line, .. } => {
                // the line from the last point before the window reaches into it
                let first = line.x.partition_point(|&x| x < from).saturating_sub(1);
                let end =
                    (line.x.partition_point(|&x| x <= to) + usize::from(matches!(self, Data::Line(_)))).min(self.len());
                range(line.y.get(first..end.max(first)).unwrap_or_default().iter().copied(), counts)
            }
            // there are few points, so all of them count, visible or not
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
            let help = UnitText::new("");
            Figure { kind, title, common, help, source: "", x, y, series: vec![], marks: vec![], empty }.file_part()
        };
        assert_eq!(part("distortion", "BSLD against distortion"), "bsld-against-distortion");
        assert_eq!(part("distortion", "P²SF against distortion"), "p2sf-against-distortion");
        assert_eq!(part("cwa", "Cumulative wait area"), "cwa");
    }
}

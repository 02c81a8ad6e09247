//! The data of a figure as a table: for files, and for readers who cannot see the picture.

use super::{Data, Figure, Stretch};
use packfair_engine::metric::Quartiles;

impl Figure {
    /// All points as CSV in full precision: series, x and y, and the sides of bins, bars and boxes.
    pub fn to_csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        // writing into memory cannot fail
        let mut row = |cells: &[&str]| {
            let _ = writer.write_record(cells);
        };
        row(&["series", "x", "x_end", "y", "y_low", "y_high"]);
        for series in &self.series {
            let name = series.name.as_str();
            match &series.data {
                Data::Ranged { line, low, high } => {
                    for (((x, y), low), high) in line.x.iter().zip(&line.y).zip(low).zip(high) {
                        row(&[name, &x.to_string(), "", &y.to_string(), &low.to_string(), &high.to_string()]);
                    }
                }
                Data::Line(line) | Data::Steps { line, .. } => {
                    for (x, y) in line.x.iter().zip(&line.y) {
                        row(&[name, &x.to_string(), "", &y.to_string(), "", ""]);
                    }
                }
                Data::RangedSteps { line, band, .. } => {
                    for (x, y) in line.x.iter().zip(&line.y) {
                        row(&[name, &x.to_string(), "", &y.to_string(), "", ""]);
                    }
                    for ((x, low), high) in band.x.iter().zip(&band.low).zip(&band.high) {
                        row(&[name, &x.to_string(), "", "", &low.to_string(), &high.to_string()]);
                    }
                }
                Data::Envelope(e) => {
                    for (i, ((low, mean), high)) in e.low.iter().zip(&e.mean).zip(&e.high).enumerate() {
                        let (from, to) = (e.begin + e.step * i as f64, e.begin + e.step * (i + 1) as f64);
                        let cells = [from, to, *mean, *low, *high].map(|v| v.to_string());
                        row(&[name, &cells[0], &cells[1], &cells[2], &cells[3], &cells[4]]);
                    }
                }
                Data::NamedPoints(points) => {
                    for point in points {
                        row(&[&point.name, &point.x.to_string(), "", &point.y.to_string(), "", ""]);
                    }
                }
                Data::Bars(bars) => {
                    for bar in bars {
                        row(&[name, &bar.from.to_string(), &bar.to.to_string(), &bar.height.to_string(), "", ""]);
                    }
                }
                Data::Band { stretches, .. } => {
                    for Stretch { x: (from, to), lane } in stretches {
                        row(&[name, &from.to_string(), &to.to_string(), &lane.to_string(), "", ""]);
                    }
                }
                // the median between the ends of the whiskers, and between the quartiles
                Data::BoxPlots(plots) => {
                    for b in plots {
                        let Quartiles { low, first, median, third, high } = b.spread;
                        for (low, high, of) in [(low, high, ""), (first, third, ", quartiles")] {
                            let cells = [b.from, b.to, median, low, high].map(|v| v.to_string());
                            let name = format!("{name}{of}");
                            row(&[&name, &cells[0], &cells[1], &cells[2], &cells[3], &cells[4]]);
                        }
                    }
                }
                Data::Blocks(blocks) => {
                    for b in blocks {
                        let cells = [b.x.0, b.x.1, b.y.0, b.y.1].map(|v| v.to_string());
                        row(&[name, &cells[0], &cells[1], "", &cells[2], &cells[3]]);
                    }
                }
            }
        }
        let bytes = writer.into_inner().unwrap_or_default();
        String::from_utf8(bytes).unwrap_or_default()
    }

    /// One sentence that says what the figure shows: screen readers read it before the values.
    pub fn describe(&self) -> String {
        if self.series.iter().all(|s| s.data.is_empty()) {
            return format!("{}: {}", self.title, if self.empty.is_empty() { "nothing to show" } else { &self.empty });
        }
        let names: Vec<&str> = self.series.iter().map(|s| s.name.as_str()).filter(|n| !n.is_empty()).take(8).collect();
        let more = self.series.len().saturating_sub(8);
        let of = match (names.len(), more) {
            (0, _) => String::new(),
            (_, 0) => format!(" of {}", names.join(", ")),
            (_, more) => format!(" of {} and {more} more", names.join(", ")),
        };
        let common = if self.common.is_empty() { String::new() } else { format!(" ({})", self.common) };
        format!("{}: {} against {}{of}{common}", self.title, self.y.heading(), self.x.heading())
    }

    /// The name and the key values of each series in words: the smallest, largest and last y.
    pub fn key_values(&self) -> Vec<(String, String)> {
        let say = |v: f64| self.y.unit.say(v);
        let everything = (f64::NEG_INFINITY, f64::INFINITY);
        let one = |data: &Data| -> Option<String> {
            if let Data::NamedPoints(points) = data {
                let words = |s: &super::NamedPoint| {
                    format!("{} {}, {} {}", self.x.title, self.x.unit.say(s.x), self.y.title, say(s.y))
                };
                return Some(points.iter().map(words).collect::<Vec<_>>().join("; "));
            }
            if let Data::Band { stretches, .. } = data {
                let lanes = 1 + stretches.iter().map(|stretch| stretch.lane).max()?;
                return Some(format!("{} stretches of time in {lanes} runs", stretches.len()));
            }
            let (low, high) = data.y_range(everything, |_| true)?;
            let last = match data {
                Data::Line(line)
                | Data::Steps { line, .. }
                | Data::Ranged { line, .. }
                | Data::RangedSteps { line, .. } => line.y.last().map(|&v| format!(", at the end {}", say(v))),
                Data::Envelope(e) => {
                    let mean = e.mean.iter().sum::<f64>() / e.mean.len().max(1) as f64;
                    Some(format!(", on average {}", say(mean)))
                }
                _ => None,
            };
            Some(format!("from {} to {}{}", say(low), say(high), last.unwrap_or_default()))
        };
        self.series.iter().filter_map(|s| Some((s.name.clone(), one(&s.data)?))).collect()
    }
}

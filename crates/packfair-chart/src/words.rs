//! Readings in words.

use super::read::same_place;
use super::{Data, Hit, Plot, ReadValue, Reading};

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

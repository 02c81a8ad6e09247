//! The tip of a box of the Gantt chart.

use crate::app::wording::sentence;
use packfair_chart::{AxisClock, AxisUnit};
use packfair_study::query::{BoxPart, GanttBox};
use packfair_workload::Unit;

/// The names and values of the tip, line by line.
pub fn details(b: &GanttBox, clock: &AxisClock, unit: Unit) -> Vec<(String, String)> {
    let pair = |name: &str, value: String| (name.to_owned(), value);
    let user = if b.user < 0 { "unknown".to_owned() } else { b.user.to_string() };
    let (start, end) = (b.span.0 as f64, b.span.1 as f64);
    let mut told = vec![
        pair("Job", b.number.to_string()),
        pair("User", user),
        pair(&sentence(unit.plural()), format!("{} to {}", b.first, b.first + b.count - 1)),
    ];
    let span = AxisUnit::Duration.say(end - start);
    told.extend(match b.part {
        BoxPart::Ran => {
            vec![
                pair("Start", clock.say(start)),
                pair("Ran", span),
                pair("Waited", AxisUnit::Duration.say(b.wait as f64)),
            ]
        }
        BoxPart::Killed => {
            let waited = AxisUnit::Duration.say(b.wait as f64);
            vec![pair("Start", clock.say(start)), pair("Killed after", span), pair("Waited", waited)]
        }
        BoxPart::Expected => vec![pair("Expected end", clock.say(end))],
        BoxPart::Reserved => vec![pair("Reserved start", clock.say(start)), pair("Estimate", span)],
    });
    told
}

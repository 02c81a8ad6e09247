//! Who ran where and when: a Gantt chart of a window of time.

use super::names::common_of;
use crate::chart::{Axis, AxisClock, AxisUnit, Data, Extent, Figure, FigureBox, Fill, Ink, Mark, Series, Shade};
use crate::study::Run;
use crate::study::query::{GanttBox, Part};
use crate::workload::Seconds;

/// What the colour of a box tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colouring {
    /// Whose job it is: users are spread over eight colours.
    User,
    /// How long the job waited: the darker (in the dark, the lighter), the longer; logarithmic.
    Wait,
}

/// The boxes of a run in `window`, seconds of the log's clock, on `processors` processors. Where they show what was
/// expected at an instant, that is marked.
pub fn gantt(
    run: Option<&Run>,
    boxes: &[GanttBox],
    window: (f64, f64),
    instant: Option<Seconds>,
    processors: u32,
    clock: &AxisClock,
    colouring: Colouring,
) -> Figure {
    let name = run.map_or_else(|| "no run".to_owned(), |run| run.scheduler.name());
    let longest = boxes.iter().map(|b| b.wait).max().unwrap_or(0);
    let shade = |b: &GanttBox| match colouring {
        Colouring::User => Shade::Category(b.user.rem_euclid(8) as usize),
        Colouring::Wait => Shade::Level((b.wait.max(0) as f64).ln_1p() / (longest.max(1) as f64).ln_1p()),
    };
    let block = |b: &GanttBox| FigureBox {
        x: (b.span.0 as f64, b.span.1 as f64),
        y: (f64::from(b.first), f64::from(b.first) + f64::from(b.count)),
        shade: shade(b),
        fill: match b.part {
            Part::Ran => Fill::Solid,
            Part::Expected => Fill::Faint,
            Part::Reserved | Part::Killed => Fill::Hatched,
        },
    };
    let data = Data::Blocks(boxes.iter().map(block).collect());
    let mut x = Axis::linear(clock.title(), AxisUnit::Time(clock.clone()));
    x.extent = Extent::Fixed(window.0, window.1);
    Figure {
        kind: "gantt",
        title: format!("Gantt chart of {name}"),
        common: run.map(|run| common_of(&[run])).unwrap_or_default(),
        help: match instant {
            None => {
                "A box is a job: as wide as it ran, as high as its processors; hatched, a run that was cut off. Processors are given out from the bottom, lowest free first."
            }
            Some(_) => {
                "What the scheduler expected at an instant: faint, until when running jobs are taken to run; hatched, the reservations of waiting jobs."
            }
        },
        source: "",
        x,
        y: Axis::linear("processors", AxisUnit::Count("processors"))
            .with_extent(Extent::Fixed(0.0, f64::from(processors))),
        series: vec![Series { name, data, ink: Ink::Plain, run: run.cloned() }],
        marks: instant.map(|at| Mark::X { at: at as f64, label: "instant".to_owned() }).into_iter().collect(),
        empty: "No job runs in this window".to_owned(),
    }
}

//! Who ran where and when: a Gantt chart of a window of time.

use super::names::common_of;
use crate::chart::{Axis, Block, Clock, Data, Extent, Figure, Ink, Series, Shade, Unit};
use crate::study::Run;
use crate::study::query::GanttBox;

/// What the colour of a box tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colouring {
    /// Whose job it is: users are spread over eight colours.
    User,
    /// How long the job waited: the darker (in the dark, the lighter), the longer; logarithmic.
    Wait,
}

/// The boxes of a run in `window`, seconds of the log's clock, on `processors` processors.
pub fn gantt(
    run: Option<&Run>,
    boxes: &[GanttBox],
    window: (f64, f64),
    processors: u32,
    clock: &Clock,
    colouring: Colouring,
) -> Figure {
    let name = run.map_or_else(|| "no run".to_owned(), |run| run.scheduler.name());
    let longest = boxes.iter().map(|b| b.wait).max().unwrap_or(0);
    let shade = |b: &GanttBox| match colouring {
        Colouring::User => Shade::Category(b.user.rem_euclid(8) as usize),
        Colouring::Wait => Shade::Level((b.wait.max(0) as f64).ln_1p() / (longest.max(1) as f64).ln_1p()),
    };
    let block = |b: &GanttBox| Block {
        x: (b.span.0 as f64, b.span.1 as f64),
        y: (f64::from(b.first), f64::from(b.first) + f64::from(b.count)),
        shade: shade(b),
    };
    let data = Data::Blocks(boxes.iter().map(block).collect());
    let mut x = Axis::linear(clock.title(), Unit::Time(clock.clone()));
    x.extent = Extent::Fixed(window.0, window.1);
    Figure {
        kind: "gantt",
        title: format!("Gantt chart of {name}"),
        common: run.map(|run| common_of(&[run])).unwrap_or_default(),
        help: "A box is a job: as wide as it ran, as high as its processors. Processors are given out from the bottom, lowest free first.",
        source: "",
        x,
        y: Axis::linear("processors", Unit::Count("processors")).with_extent(Extent::Fixed(0.0, f64::from(processors))),
        series: vec![Series { name, data, ink: Ink::Plain, run: run.cloned() }],
        marks: Vec::new(),
        empty: "No job runs in this window".to_owned(),
    }
}

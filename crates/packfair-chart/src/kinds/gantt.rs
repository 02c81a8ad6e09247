//! A Gantt chart of a window of time: which jobs ran when, on which processors.

use super::common_of;
use crate::{Axis, AxisClock, AxisUnit, Data, Extent, Figure, FigureBox, Fill, Ink, Mark, Series, Shade};
use packfair_base::machine::GoneProcessors;
use packfair_engine::metric::Line;
use packfair_engine::simulation::Reserved;
use packfair_study::Run;
use packfair_study::format::duration;
use packfair_study::query::{BoxPart, GanttBox};
use packfair_workload::{JobId, Seconds, Unit, UnitText};
use std::collections::BTreeSet;

/// What the colours of boxes stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colouring {
    /// The user: those with the largest area have colours of their own.
    User,
    /// The wait, on a logarithmic scale: the longer, the darker (in the dark theme, the lighter).
    Wait,
}

/// What to show of a schedule.
#[derive(Clone, Copy, Debug)]
pub struct GanttView<'a> {
    /// The start and end of the window, seconds of the log's clock.
    pub window: (f64, f64),
    /// The instant whose expectations are shown; `None` shows what really ran.
    pub instant: Option<Seconds>,
    pub processors: u32,
    pub unit: Unit,
    /// What the seconds of the log's clock mean.
    pub clock: &'a AxisClock,
    pub colouring: Colouring,
    /// The users with a colour of their own, at most seven, those with the largest area first.
    pub users: &'a [i32],
    pub picked: Option<JobId>,
    pub gone: &'a [GoneProcessors],
}

/// The colours of boxes with their meanings: users, or waits from none to the longest.
pub fn gantt_key(boxes: &[GanttBox], colouring: Colouring, users: &[i32]) -> Vec<(Shade, String)> {
    let aside = boxes.iter().any(|b| !b.counts).then(|| (OTHERS, "does not count".to_owned()));
    match colouring {
        Colouring::Wait => {
            let longest = longest_wait(boxes);
            let wait_of = |level: f64| libm::expm1(level * (longest as f64).ln_1p());
            let levels = [0.0, 0.25, 0.5, 0.75, 1.0].into_iter();
            levels.map(|level| (Shade::Level(level), duration(wait_of(level).round()))).chain(aside).collect()
        }
        Colouring::User => {
            let here: BTreeSet<i32> = boxes.iter().filter(|b| b.counts).map(|b| b.user).collect();
            let name = |user: i32| if user < 0 { "unknown user".to_owned() } else { format!("user {user}") };
            let known = &users[..users.len().min(USER_COLOURS.len())];
            let named =
                known.iter().filter(|user| here.contains(user)).map(|&user| (shade_of(user, users), name(user)));
            let others = here.iter().any(|user| !known.contains(user)).then(|| (OTHERS, "others".to_owned()));
            named.chain(others).chain(aside).collect()
        }
    }
}

/// The colours of the users with the largest area in the log.
const USER_COLOURS: [usize; 7] = [0, 1, 2, 3, 4, 5, 7];

/// The colour of all other users: grey.
const OTHERS: Shade = Shade::Category(6);

fn longest_wait(boxes: &[GanttBox]) -> Seconds {
    boxes.iter().map(|b| b.wait).max().unwrap_or(0)
}

fn shade_of(user: i32, users: &[i32]) -> Shade {
    let place = users.iter().position(|&known| known == user);
    place.and_then(|place| USER_COLOURS.get(place)).map_or(OTHERS, |&colour| Shade::Category(colour))
}

/// How to read what really ran.
const RAN: UnitText = UnitText::new(
    "A box is a job: as wide as it ran, as high as its {units}; hatched, a run that was cut off, or, in grey, nodes that are \
     away. {Units} are given out from the bottom, lowest free first.",
);

/// How to read what was expected at an instant.
const EXPECTED: UnitText = UnitText::new(
    "What the scheduler expected at an instant: faint, until when running jobs are taken to run; hatched, the reservations \
     of waiting jobs.",
);

/// The boxes of a run. If they show what was expected at an instant, the instant is marked.
pub fn gantt(run: Option<&Run>, boxes: &[GanttBox], view: GanttView<'_>) -> Figure {
    let GanttView { window, instant, processors, unit, clock, colouring, users, picked, gone } = view;
    let name = run.map_or_else(|| "no run".to_owned(), |run| run.scheduler.name());
    let longest = longest_wait(boxes);
    let shade = |b: &GanttBox| match colouring {
        _ if !b.counts => OTHERS,
        Colouring::User => shade_of(b.user, users),
        Colouring::Wait => Shade::Level((b.wait.max(0) as f64).ln_1p() / (longest.max(1) as f64).ln_1p()),
    };
    let block = |b: &GanttBox| FigureBox {
        x: (b.span.0 as f64, b.span.1 as f64),
        y: (f64::from(b.first), f64::from(b.first) + f64::from(b.count)),
        shade: shade(b),
        fill: match b.part {
            BoxPart::Ran if !b.counts => Fill::Faint,
            BoxPart::Ran => Fill::Solid,
            BoxPart::Expected => Fill::Faint,
            BoxPart::Reserved | BoxPart::Killed => Fill::Hatched,
        },
        is_outlined: picked == Some(b.job),
    };
    let away = |of: &GoneProcessors| FigureBox {
        x: ((of.from as f64).max(window.0), (of.until as f64).min(window.1)),
        y: (f64::from(of.first), f64::from(of.first) + f64::from(of.count)),
        shade: OTHERS,
        fill: Fill::Hatched,
        is_outlined: false,
    };
    let is_here = |of: &&GoneProcessors| (of.from as f64) < window.1 && (of.until as f64) > window.0;
    // drawn behind the boxes, so that the boxes keep their indices
    let away = gone.iter().filter(is_here).map(away);
    let data = Data::Blocks(boxes.iter().map(block).chain(away).collect());
    let mut x = Axis::linear(clock.title(), AxisUnit::Time(clock.clone()));
    x.extent = Extent::Fixed(window.0, window.1);
    Figure {
        kind: "gantt",
        title: format!("Gantt chart of {name}"),
        common: run.map(|run| common_of(&[run])).unwrap_or_default(),
        help: if instant.is_some() { EXPECTED } else { RAN },
        source: "",
        x,
        y: Axis::linear(unit.plural(), AxisUnit::Count(unit.plural()))
            .with_extent(Extent::Fixed(0.0, f64::from(processors))),
        series: vec![Series { name, data, ink: Ink::Plain, run: run.cloned() }],
        marks: instant.map(|at| Mark::X { at: at as f64, label: "instant".to_owned() }).into_iter().collect(),
        empty: "No job runs in this window".to_owned(),
    }
}

// The reservation of one job while it waited.

/// The wait that the job's reservation promised, from each round that changed it until the job started at `start`; and
/// its final wait. `submit` is the submit time.
pub fn reservation(course: &[Reserved], submit: Seconds, start: Seconds, clock: &AxisClock) -> Figure {
    // a time without a reservation interrupts the line
    let mut stretches: Vec<Line> = Vec::new();
    let mut held: Option<f64> = None;
    for (i, reserved) in course.iter().enumerate() {
        let until = course.get(i + 1).map_or(start, |next| next.at) as f64;
        let Some(begin) = reserved.start else {
            held = None;
            continue;
        };
        let after = begin - submit as f64;
        if held.is_none() {
            stretches.push(Line::default());
        }
        if let Some(line) = stretches.last_mut() {
            line.x.extend([reserved.at as f64, until]);
            line.y.extend([after, after]);
        }
        held = Some(after);
    }
    let wait = (start - submit) as f64;
    let (low, high) = stretches.iter().flat_map(|line| &line.y).fold((wait, wait), |(l, h), &y| (l.min(y), h.max(y)));
    let air = ((high - low) / 8.0).max(1.0);
    let series =
        |line| Series { name: "reserved start".to_owned(), data: Data::Line(line), ink: Ink::Plain, run: None };
    Figure {
        kind: "reservation",
        title: "Reserved start".to_owned(),
        common: String::new(),
        help: UnitText::new(
            "How long after its submission the job was to start, as the scheduler saw it in each round while the job waited.",
        ),
        source: "FAIRNESS §2",
        x: Axis::linear(clock.title(), AxisUnit::Time(clock.clone()))
            .with_extent(Extent::Fixed(submit as f64, start as f64)),
        y: Axis::linear("start, after submission", AxisUnit::Duration)
            .with_extent(Extent::Fixed(low - air, high + air)),
        series: stretches.into_iter().map(series).collect(),
        marks: vec![Mark::Y { at: wait, label: "it started".to_owned() }],
        empty: "It had no reservation while it waited".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_without_a_reservation_part_the_line() {
        let at = |at, start| Reserved { at, start };
        let course = [at(10, Some(50.0)), at(20, Some(40.0)), at(25, None), at(30, Some(35.0))];
        let figure = reservation(&course, 5, 33, &AxisClock::ELAPSED);
        let lines: Vec<_> = figure
            .series
            .iter()
            .map(|series| match &series.data {
                Data::Line(line) => (line.x.clone(), line.y.clone()),
                other => panic!("{other:?}"),
            })
            .collect();
        let first = (vec![10.0, 20.0, 20.0, 25.0], vec![45.0, 45.0, 35.0, 35.0]);
        assert_eq!(lines, [first, (vec![30.0, 33.0], vec![30.0, 30.0])]);
    }
}

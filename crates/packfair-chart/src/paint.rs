//! Painting: the lines, boxes and words of a plot as plotters' elements.

use super::layout::{HEADING, Heading, ROW, TEXT, TICK_TEXT, TITLE_TEXT, fitted, width_of};
use super::panels::{Anchor, Board, DrawError, SWATCH, board};
use super::series::Strokes;
use super::theme::{COLOURS, PATTERN_COUNT};
use super::{Ink, Mark, Plot, Theme};
use packfair_study::Run;
use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, VPos};

/// The space between words and the edges of the sheet, pixels.
const MARGIN: f64 = 4.0;

/// Paints what lies behind the series: grid, axes, ticks, titles, marks and legend.
pub fn frame<DB: DrawingBackend>(board: &Board<'_, DB>) -> Result<(), DrawError<DB>> {
    titles(board)?;
    if let Some(why) = board.plot.emptiness() {
        let rect = &board.plot.rect;
        let middle = (rect.left + rect.width / 2.0, rect.top + rect.height / 2.0);
        let why = fitted(why, TEXT, board.plot.sheet.width - 2.0 * MARGIN);
        return board.word(&why, middle, TEXT, board.theme.muted, Anchor(HPos::Center, VPos::Center));
    }
    grid(board)?;
    labels(board)?;
    marks(board)?;
    legend(board)
}

/// Paints what lies in front of the series: the names of marks and points.
pub fn front<DB: DrawingBackend>(board: &Board<'_, DB>) -> Result<(), DrawError<DB>> {
    if board.plot.emptiness().is_none() {
        mark_names(board)?;
    }
    for name in &board.plot.names {
        if let Some(ends) = name.leader {
            let points = ends.map(|(x, y)| board.plot.to_value(x, y)).to_vec();
            board.path(points, board.stroke(board.theme.muted, 0.8, 1.0), None)?;
        }
        board.word_on_ground(&name.text, (name.left, name.middle), board.theme.text)?;
    }
    Ok(())
}

/// Paints a series. `dashes` is its pattern, or `None` if the back end has its own way to draw dashes.
pub fn series<DB: DrawingBackend>(
    board: &Board<'_, DB>,
    index: usize,
    dashes: Option<(f64, f64)>,
) -> Result<(), DrawError<DB>> {
    let series = &board.plot.figure.series[index];
    Strokes { board, colour: board.theme.colour(series.ink), dashes, ink: series.ink }.paint(&series.data)
}

fn titles<DB: DrawingBackend>(board: &Board<'_, DB>) -> Result<(), DrawError<DB>> {
    let (plot, muted) = (board.plot, board.theme.muted);
    let room = plot.sheet.width - 2.0 * MARGIN;
    let mut top = 3.0;
    if plot.sheet.heading == Heading::Above {
        let title = fitted(&plot.figure.title, TITLE_TEXT, room);
        board.word(&title, (MARGIN, top), TITLE_TEXT, board.theme.text, Anchor(HPos::Left, VPos::Top))?;
        top += HEADING;
    }
    let up = fitted(&format!("↑ {}", plot.figure.y.heading()), TEXT, room);
    board.word(&up, (MARGIN, top), TEXT, muted, Anchor(HPos::Left, VPos::Top))?;
    let heading = match &plot.figure.x.unit {
        super::AxisUnit::Time(clock) if !clock.zone_name().is_empty() => {
            format!("{} ({})", plot.figure.x.title, clock.zone_name())
        }
        _ => plot.figure.x.heading(),
    };
    let right = fitted(&format!("{heading} →"), TEXT, room);
    let below = plot.sheet.height - 18.0 * plot.legend.len() as f64 - 5.0;
    board.word(&right, (plot.sheet.width - MARGIN, below), TEXT, muted, Anchor(HPos::Right, VPos::Bottom))
}

fn grid<DB: DrawingBackend>(board: &Board<'_, DB>) -> Result<(), DrawError<DB>> {
    let (plot, rect) = (board.plot, &board.plot.rect);
    let thin = board.stroke(board.theme.grid, 1.0, 1.0);
    let firm = board.stroke(board.theme.axis, 1.0, 1.0);
    for tick in &plot.y_ticks.major {
        let y = plot.to_pixel(plot.x.from(), tick.value).1;
        board.line(&[(rect.left, y), (rect.right(), y)], thin)?;
    }
    let has_names = matches!(plot.figure.x.unit, super::AxisUnit::Names(_));
    for tick in &plot.x_ticks.major {
        let x = plot.to_pixel(tick.value, plot.y.from()).0;
        if !has_names {
            board.line(&[(x, rect.top), (x, rect.bottom())], thin)?;
        }
        board.line(&[(x, rect.bottom()), (x, rect.bottom() + 5.0)], firm)?;
    }
    for &value in &plot.x_ticks.minor {
        let x = plot.to_pixel(value, plot.y.from()).0;
        board.line(&[(x, rect.bottom()), (x, rect.bottom() + 3.0)], firm)?;
    }
    for &value in &plot.y_ticks.minor {
        let y = plot.to_pixel(plot.x.from(), value).1;
        board.line(&[(rect.left - 3.0, y), (rect.left, y)], firm)?;
    }
    board.line(&[(rect.left, rect.bottom()), (rect.right(), rect.bottom())], firm)
}

fn labels<DB: DrawingBackend>(board: &Board<'_, DB>) -> Result<(), DrawError<DB>> {
    let (plot, rect, muted) = (board.plot, &board.plot.rect, board.theme.muted);
    for tick in &plot.y_ticks.major {
        let y = plot.to_pixel(plot.x.from(), tick.value).1;
        board.word(&tick.label, (rect.left - 7.0, y), TICK_TEXT, muted, Anchor(HPos::Right, VPos::Center))?;
    }
    let (mut free, mut free_under) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    for tick in &plot.x_ticks.major {
        let half = width_of(&tick.label, TICK_TEXT) / 2.0;
        // a label at the end moves inwards so that it stays on the sheet
        let x = plot.to_pixel(tick.value, plot.y.from()).0;
        let centre = x.clamp(half, (plot.sheet.width - half).max(half));
        if centre - half >= free {
            let at = (centre, rect.bottom() + 8.0);
            board.word(&tick.label, at, TICK_TEXT, muted, Anchor(HPos::Center, VPos::Top))?;
            free = centre + half + 4.0;
        }
        let Some(under) = &tick.under else { continue };
        let width = width_of(under, TICK_TEXT);
        let centre = centre.clamp(width / 2.0, (plot.sheet.width - width / 2.0).max(width / 2.0));
        if centre - width / 2.0 >= free_under {
            let at = (centre, rect.bottom() + 22.0);
            board.word(under, at, TICK_TEXT, muted, Anchor(HPos::Center, VPos::Top))?;
            free_under = centre + width / 2.0 + 6.0;
        }
    }
    Ok(())
}

fn marks<DB: DrawingBackend>(board: &Board<'_, DB>) -> Result<(), DrawError<DB>> {
    let (plot, rect) = (board.plot, &board.plot.rect);
    let line = board.stroke(board.theme.axis, 1.0, 1.25);
    for mark in &plot.figure.marks {
        match mark {
            Mark::X { at, .. } if plot.x.contains(*at) => {
                let x = plot.to_pixel(*at, plot.y.from()).0;
                board.line(&[(x, rect.top), (x, rect.bottom())], line)?;
            }
            Mark::Y { at, .. } if plot.y.contains(*at) => {
                let y = plot.to_pixel(plot.x.from(), *at).1;
                board.line(&[(rect.left, y), (rect.right(), y)], line)?;
            }
            Mark::X { .. } | Mark::Y { .. } => {}
        }
    }
    Ok(())
}

fn mark_names<DB: DrawingBackend>(board: &Board<'_, DB>) -> Result<(), DrawError<DB>> {
    let (plot, rect) = (board.plot, &board.plot.rect);
    for mark in &plot.figure.marks {
        match mark {
            Mark::X { at, label } if plot.x.contains(*at) => {
                let x = plot.to_pixel(*at, plot.y.from()).0;
                let width = width_of(label, TICK_TEXT);
                let left = if x + 6.0 + width < rect.right() { x + 4.0 } else { x - 4.0 - width };
                // above the plot, where it hides no data, unless the heading is there
                let heading = MARGIN + width_of(&format!("↑ {}", plot.figure.y.heading()), TEXT);
                let middle = if left > heading + 8.0 { rect.top - 7.0 } else { rect.top + 8.0 };
                board.word_on_ground(label, (left, middle), board.theme.muted)?;
            }
            Mark::Y { at, label } if plot.y.contains(*at) => {
                let y = plot.to_pixel(plot.x.from(), *at).1;
                let above = if y - 16.0 > rect.top { y - 9.0 } else { y + 10.0 };
                let left = rect.right() - width_of(label, TICK_TEXT) - 4.0;
                board.word_on_ground(label, (left, above), board.theme.muted)?;
            }
            Mark::X { .. } | Mark::Y { .. } => {}
        }
    }
    Ok(())
}

fn legend<DB: DrawingBackend>(board: &Board<'_, DB>) -> Result<(), DrawError<DB>> {
    let plot = board.plot;
    let top = plot.sheet.height - ROW * plot.legend.len() as f64;
    for (row, entries) in plot.legend.iter().enumerate() {
        let y = top + ROW * row as f64 + 8.0;
        for entry in entries {
            let mut left = entry.left;
            if let Some(i) = entry.series {
                let ink: Ink = plot.figure.series[i].ink;
                swatch(board, ink, (left, y))?;
                left += SWATCH + 6.0;
            }
            board.word(&entry.text, (left, y), TEXT, board.theme.text, Anchor(HPos::Left, VPos::Center))?;
        }
    }
    Ok(())
}

fn swatch<DB: DrawingBackend>(board: &Board<'_, DB>, ink: Ink, (left, y): (f64, f64)) -> Result<(), DrawError<DB>> {
    let style = board.stroke(board.theme.colour(ink), 1.0, 2.0);
    let ends = [(left, y), (left + SWATCH, y)];
    match board.theme.pattern(ink) {
        None => board.line(&ends, style),
        Some((dash, gap)) => {
            let mut from = left;
            while from < left + SWATCH {
                board.line(&[(from, y), ((from + dash).min(left + SWATCH), y)], style)?;
                from += dash + gap;
            }
            Ok(())
        }
    }
}

// Draws a plot on a plotters back end, layer by layer.

/// Draws `plot` on a back end. The area may have any size: the ratio of its width to the sheet's gives the number of
/// its pixels for each pixel of the sheet.
///
/// # Errors
/// The errors of the back end.
pub fn draw_on<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    plot: &Plot,
    theme: &Theme,
) -> Result<(), DrawError<DB>> {
    let board = board(area, plot, theme);
    frame(&board)?;
    for &i in &plot.visible {
        series(&board, i, theme.pattern(plot.figure.series[i].ink))?;
    }
    front(&board)?;
    area.present()
}

// The inks of runs: a scheduler has the same colour on every chart.

/// The colours of schedulers that are often drawn together, by their ids. All schedulers that one paper compares have
/// different colours. A scheduler's colour never changes.
const OF_SCHEDULERS: [(&str, usize); 36] = [
    ("easy", 0),
    ("justbf", 1),
    ("saf-justbf", 2),
    ("laf-justbf", 3),
    ("easy-sjbf", 4),
    ("fcfs", 5),
    ("as-logged", 6),
    ("conservative", 7),
    ("saf-easy", 5),
    ("sjf-justbf", 7),
    ("spf-justbf", 6),
    ("sjf-aggressive", 7),
    ("saf-aggressive", 2),
    ("laf-aggressive", 3),
    ("pc", 2),
    ("dc", 3),
    ("dynp", 1),
    ("unicef-easy", 6),
    ("f1-easy", 4),
    ("fcfs-ci", 5),
    ("spf-ci", 1),
    ("saf-ci", 2),
    ("wfp-ci", 3),
    ("fcfs-c", 5),
    ("spf-c", 1),
    ("saf-c", 2),
    ("wfp-c", 3),
    ("class-clairvoyant", 6),
    ("classes-bounded", 7),
    ("opt-bsld", 4),
    ("opt-af", 5),
    ("opt-awf", 6),
    ("opt-p2sf", 7),
    ("opt-balanced", 4),
    ("off-af", 5),
    ("off-p2sf", 7),
];

/// The colours of estimation methods, by their ids, for charts with a single scheduler. A method's colour never
/// changes.
const OF_ESTIMATES: [(&str, usize); 7] =
    [("requested", 0), ("actual", 1), ("last2", 2), ("hierarchy", 3), ("cvh", 4), ("sp2", 5), ("sp4", 7)];

/// The inks of the runs on one chart. The colour is that of the scheduler or, if all runs have the same scheduler, that
/// of the estimation method. Runs of the same colour get different patterns, in order of appearance. No two runs have
/// the same ink as long as there are enough inks.
pub fn inks(runs: &[Run]) -> Vec<Ink> {
    let is_of_one = runs.len() > 1 && runs.iter().all(|run| run.scheduler == runs[0].scheduler);
    let mut taken: Vec<usize> = Vec::with_capacity(runs.len());
    for run in runs {
        let colour = match is_of_one {
            true => colour(&OF_ESTIMATES, &run.estimate.method.to_string()),
            false => colour(&OF_SCHEDULERS, &run.scheduler.to_string()),
        };
        let of_colour = (0..PATTERN_COUNT).map(|pattern| colour + COLOURS * pattern);
        let any = 0..COLOURS * PATTERN_COUNT;
        let free = of_colour.chain(any).find(|ink| !taken.contains(ink));
        taken.push(free.unwrap_or(colour));
    }
    taken.into_iter().map(Ink::Series).collect()
}

/// The colour of an id: the listed one, or one that depends only on the id.
fn colour(known: &[(&str, usize)], id: &str) -> usize {
    let listed = known.iter().find(|(other, _)| *other == id).map(|(_, colour)| *colour);
    // the FNV-1a hash
    let mixed = || {
        id.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
    };
    listed.unwrap_or_else(|| (mixed() >> 32) as usize % COLOURS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_schedulers::Policy;

    fn of(runs: &[(&str, &str)]) -> Vec<usize> {
        let runs: Vec<Run> = runs
            .iter()
            .map(|(scheduler, estimate)| Run::new(scheduler.parse().unwrap(), estimate.parse().unwrap()))
            .collect();
        let number = |ink| match ink {
            Ink::Series(number) => number,
            other => panic!("{other:?}"),
        };
        inks(&runs).into_iter().map(number).collect()
    }

    #[test]
    fn a_scheduler_keeps_its_colour_whoever_is_beside_it() {
        assert_eq!(of(&[("easy", "actual"), ("justbf", "actual"), ("saf-justbf", "actual")]), [0, 1, 2]);
        assert_eq!(of(&[("saf-justbf", "requested"), ("fcfs", "requested")]), [2, 5]);
        assert_eq!(of(&[("justbf", "actual"), ("easy", "actual"), ("easy", "requested")]), [1, 0, 8], "by pattern");
        let written = of(&[("easy:threshold=60", "actual"), ("fcfs", "actual")]);
        assert_eq!(written[0] % 8, of(&[("fcfs", "actual"), ("easy:threshold=60", "actual")])[1] % 8);
    }

    #[test]
    fn estimates_of_one_scheduler_differ_in_colour() {
        assert_eq!(of(&[("easy", "requested"), ("easy", "actual"), ("easy", "last2")]), [0, 1, 2]);
        assert_eq!(of(&[("easy", "last2")]), [0], "alone it is a scheduler");
    }

    #[test]
    fn no_two_runs_of_a_chart_have_the_same_ink() {
        let estimates: Vec<String> = (1..=12).map(|halves| format!("actual*{}", f64::from(halves) / 2.0)).collect();
        let mut runs: Vec<(&str, &str)> = estimates.iter().map(|estimate| ("easy", estimate.as_str())).collect();
        runs.push(("fcfs", "actual"));
        let mut found = of(&runs);
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len(), 13);
    }

    #[test]
    fn what_has_a_colour_is_in_the_catalogue() {
        for (id, colour) in OF_SCHEDULERS {
            assert_eq!(id.parse::<Policy>().map(|policy| policy.to_string()).as_deref(), Ok(id));
            assert!(colour < COLOURS);
        }
        for (id, colour) in OF_ESTIMATES {
            assert!(
                id.parse::<packfair_engine::estimator::Method>().is_ok_and(|method| method.to_string() == id),
                "{id}"
            );
            assert!(colour < COLOURS);
        }
    }
}

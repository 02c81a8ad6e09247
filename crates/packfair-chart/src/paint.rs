//! Painting: the lines, boxes and words of a plot as plotters' elements.

use super::board::{Anchor, Board, DrawError};
use super::layout::{HEADING, Heading, ROW};
use super::legend::SWATCH;
use super::series::Strokes;
use super::text::{TEXT, TICK_TEXT, TITLE_TEXT};
use super::text::{fitted, width_of};
use super::{Ink, Mark};
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

//! Draws a plot on a plotters back end, layer by layer.

use super::board::{DrawError, board};
use super::paint;
use super::{Plot, Theme};
use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::prelude::DrawingBackend;

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
    paint::frame(&board)?;
    for &i in &plot.visible {
        paint::series(&board, i, theme.pattern(plot.figure.series[i].ink))?;
    }
    paint::front(&board)?;
    area.present()
}

//! Charts: from the results of a study to a drawing, made with plotters, on any back end.
//!
//! The data flow: reports → [`Figure`] (the content: axes, series, marks; [`kinds`] has one function for each kind of
//! chart) → [`Plot`] (a figure laid out on a sheet: ranges, ticks, margins) → [`draw_on`] any plotters back end, or
//! [`draw`] as an SVG that answers questions about its points ([`Drawing`]). Nothing here knows about a page: a
//! [`Theme`] gives the colours, a [`Sheet`] the size.

mod axis_ticks;
mod figure;
pub mod kinds;
mod layout;
mod named;
mod number;
mod paint;
mod panels;
mod pdf;
mod printing;
mod read;
mod reduce;
mod series;
mod table;
mod theme;
mod tick_log;
mod tick_time;

pub use axis_ticks::{Scale, Span};
pub use figure::{
    Axis, Bar, BoxPlot, Data, Extent, Figure, FigureBox, Fill, Ink, Mark, NamedPoint, Series, Shade, Stretch,
};
pub use layout::{FigureView, Heading, Legend, Plot, Rect, Sheet, escaped};
pub use named::{ChartedStudy, NamedChart, first_runs, is_compared, recipe_runs};
pub use number::AxisUnit;
pub use paint::{draw_on, inks};
pub use panels::{Panel, Panels};
pub use pdf::pdf;
pub use printing::{Drawing, PrintWidth, Printing, draw, origin, with_origin};
pub use read::{Hit, ReadValue, Reading};
pub use reduce::{reduce_envelope, reduce_points};
pub use theme::{Rgb, Theme, Typeface};
pub use tick_time::AxisClock;

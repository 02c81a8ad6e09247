//! Charts: from the results of a study to a drawing, made with plotters, on any back end.
//!
//! The data flow: reports → [`Figure`] (the content: axes, series, marks; [`kinds`] has one function for each kind of
//! chart) → [`Plot`] (a figure laid out on a sheet: ranges, ticks, margins) → [`draw_on`] any plotters back end, or
//! [`draw`] as an SVG that answers questions about its points ([`Drawing`]). Nothing here knows about a page: a
//! [`Theme`] gives the colours, a [`Sheet`] the size.

mod axis_ticks;
mod board;
mod clock;
mod draw;
mod figure;
mod ink;
pub mod kinds;
mod layout;
mod legend;
mod named;
mod names;
mod number;
mod paint;
mod panels;
mod pdf;
mod printing;
mod read;
mod reduce;
mod series;
mod span;
mod svg;
mod table;
mod text;
mod theme;
mod tick;
mod tick_log;
mod tick_time;
mod unit;
mod words;

pub use clock::AxisClock;
pub use draw::draw_on;
pub use figure::{
    Axis, Bar, BoxPlot, Data, Extent, Figure, FigureBox, Fill, Ink, Mark, NamedPoint, Series, Shade, Stretch,
};
pub use ink::inks;
pub use layout::{FigureView, Heading, Legend, Plot, Rect, Sheet};
pub use named::{ChartedStudy, NamedChart, first_runs, is_compared, recipe_runs};
pub use panels::{Panel, Panels};
pub use pdf::pdf;
pub use printing::{PrintWidth, Printing, origin, with_origin};
pub use read::{Hit, ReadValue, Reading};
pub use reduce::{reduce_envelope, reduce_points};
pub use span::{Scale, Span};
pub use svg::{Drawing, draw};
pub use text::escaped;
pub use theme::{Rgb, Theme, Typeface};
pub use unit::AxisUnit;

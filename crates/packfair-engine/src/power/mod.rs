//! Power over time: series of prices and of carbon intensities, and nodes that are switched off while they idle
//! (docs/power.md).

mod saving;
mod series;

pub use saving::{NodeRate, NodesOff, Saving};
pub use series::{PowerSeries, SeriesKind};

//! Charts on the page: drawings that react to pointer and keyboard, and the views that contain them.

mod changes;
mod chart;
mod charted;
mod charts_view;
mod chooser;
mod classing;
mod estimates;
mod finer;
mod gantt;
mod judging;
mod legend;
mod menu;
mod named;
mod overview;
mod picture;
mod printing;
mod quality;
mod shelf;
mod shown;
mod sizes;
mod stage;
mod state;
mod theme;
mod tip;
mod tradeoff;
mod workload_charts;

pub use chart::{Chart, figure};
pub use charted::{ChartedRuns, chosen, clock, summary};
pub use charts_view::ChartsView;
pub use estimates::EstimateCharts;
pub use gantt::Gantt;
pub use named::NamedFigure;
pub use overview::Overview;
pub use shown::ShownCharts;
pub use sizes::sizes;
pub use workload_charts::WorkloadCharts;

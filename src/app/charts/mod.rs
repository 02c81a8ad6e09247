//! Charts on the page: drawings that react to pointer and keyboard, and the views that contain them.

mod changes;
mod chart;
mod charted;
mod charts_view;
mod classing;
mod gantt;
mod legend;
mod printing;
mod quality;
mod stage;
mod state;

pub use chart::{Chart, figure};
pub use charted::{ChartedRuns, chosen, clock, summary};
pub use charts_view::{ChartsView, Overview, WorkloadCharts};
pub use gantt::Gantt;
pub use legend::NamedFigure;
pub use quality::EstimateCharts;
pub use state::{ShownCharts, sizes};

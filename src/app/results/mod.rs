//! The right side of the page: the comparison table, jobs, workload and estimates.

mod apart;
mod columns;
mod compare;
mod comparison;
mod concluded;
mod estimates_view;
mod explain;
mod first_screen;
mod jobs;
mod notes;
mod own_order;
mod reproduction;
mod row;
mod row_menu;
mod site_fit;
mod status;
mod sureness;
mod table;
mod waits;
mod workload;

pub use columns::ShownAs;
pub use compare::CompareView;
pub use estimates_view::EstimatesView;
pub use first_screen::FirstScreen;
pub use jobs::{JobsChoice, JobsView};
pub use own_order::OnlyCounts;
pub use row_menu::{CopyItems, table_shown};
pub use table::Memory;
pub use waits::WaitsView;
pub use workload::WorkloadView;

//! The right side of the page: the comparison table, jobs, workload and estimates.

mod columns;
mod compare;
mod comparison;
mod concluded;
mod copy;
mod estimates_view;
mod explain;
mod headline;
mod jobs;
mod memory;
mod naming;
mod navigation;
mod notes;
mod only;
mod reproduction;
mod row;
mod row_menu;
mod shown_as;
mod status;
mod sureness;
mod table;
mod truth;
mod units;
mod verification;
mod waits;
mod workload;

pub use compare::CompareView;
pub use copy::{CopyItems, table_shown};
pub use estimates_view::EstimatesView;
pub use jobs::{JobsChoice, JobsView};
pub use memory::Memory;
pub use only::OnlyCounts;
pub use shown_as::ShownAs;
pub use waits::WaitsView;
pub use workload::WorkloadView;

//! The right side of the page: the comparison table, jobs, workload and estimates.

mod clipboard;
mod columns;
mod compare;
mod comparison;
mod copy;
mod explain;
mod headline;
mod hint;
mod menu;
mod naming;
mod navigation;
mod row;
mod row_menu;
mod status;
mod table;
mod tint;
mod units;
mod verification;

pub use compare::CompareView;

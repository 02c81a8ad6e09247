//! Files made from studies and schedules, and studies read from files.

mod batsim;
mod killed;
mod likeness;
mod sacct_sample;
mod spreadsheet;
mod starts;
mod study_file;

pub use batsim::batsim_jobs;
pub use killed::killed;
pub use likeness::{gaps_against_law, joint_classes, joint_distribution};
pub use sacct_sample::sacct_sample;
pub use spreadsheet::for_spreadsheets;
pub use starts::starts;
pub use study_file::{StudyFileError, begins_like_a_study, link_in, read_study, write_results, write_study};

//! Files made from studies and schedules, and studies read from files.

mod sacct_sample;
mod schedule;
mod study_file;

pub use sacct_sample::sacct_sample;
pub use schedule::{
    batsim_jobs, for_spreadsheets, gaps_against_law, joint_classes, joint_distribution, killed, starts,
};
pub use study_file::{StudyFileError, begins_like_a_study, link_in, read_study, write_results, write_study};

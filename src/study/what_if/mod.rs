//! What if a line of a Slurm site's configuration were different: common questions, and answers that can be applied.
//!
//! A question is a row: the scheduler `slurm` with changes of the site ([`SiteChange`](crate::slurm::SiteChange)). It
//! is compared with the site as configured, over the same random draws of what differs between runs of a real Slurm.

mod answer;
mod question;
mod told;

pub use answer::{AnsweredRow, WhatIfAnswer, answer, judged_on, to_do};
pub use question::{QUESTIONS, Question, WorkloadSpan};
pub use told::told;

//! What if a line of a Slurm site were another: questions that are asked often, and answers in a form that can be applied.
//!
//! A question is a row: the scheduler `slurm` with changes of the site ([`SiteChange`](crate::slurm::SiteChange)), which is
//! compared with the same as configured, over the same draws of what differs from run to run of a real one.

mod answer;
mod question;
mod told;

pub use answer::{Answer, AnsweredRow, UserWaits, answer, judged_on, to_do};
pub use question::{QUESTIONS, Question, Span};
pub use told::told;

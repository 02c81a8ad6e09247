//! Users who react: which of a log's jobs waited for which others, so that a simulation can tell when each is
//! submitted.
//!
//! A log's submit times come from users who saw the log's scheduler: under a better one they would have come back sooner.
//! Here a log is taken apart into what its users submitted at once (`batches.rs`), what each of these waited for, and
//! how long the user thought before it. Sources: Shmueli and Feitelson, "On simulation and design of parallel-systems
//! schedulers: are we doing the right thing?", IEEE TPDS 20(7), 2009; Zakay and Feitelson, "Preserving user behavior
//! characteristics in trace-based simulation of parallel job scheduling", MASCOTS 2014.
//!
//! A job that runs for no time counts as ended a second after its start. At an instant submissions come before starts:
//! a job that is submitted in the second of a start cannot have waited for the end of the job that starts.

mod batches;
mod habits;
mod hours;
mod lived;
mod reactions;
mod rule;
mod stated;
mod submissions;

pub use habits::{Dependence, Habits};
pub use reactions::Reactions;
pub use reactions::WaitedFor;
pub use rule::{Feedback, FeedbackRule, GAP_RANGE, NoFeedback, SessionBy};
pub use stated::StatedCounts;
pub use submissions::Life;
pub(super) use submissions::Submissions;

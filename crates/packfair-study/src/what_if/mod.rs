//! What if a line of a Slurm site's configuration were different: common questions, and answers that can be applied.
//!
//! A question is a row: the scheduler `slurm` with changes of the site ([`SiteChange`](packfair_slurm::SiteChange)). It
//! is compared with the site as configured, over the same random draws of what differs between runs of a real Slurm.

mod answer;
mod card;
mod description;
mod gpus;
mod nodes;
mod plan;
mod question;
mod words;

pub use answer::{AnsweredRow, WhatIfAnswer, answer, judged_on, to_do};
pub use card::{CARD_METRICS, CardEffect, ChangeCard, RunDraw, Standing, UserChange, finding, ranked};
pub use description::described;
pub(crate) use nodes::resized;
pub use nodes::{nodes_in_words, nodes_patch};
pub use plan::{PlanKind, combined, drained, planned};
pub use question::{QUESTIONS, Question, WorkloadSpan, with_changes, without_one_limit};
pub use words::changed_in_words;

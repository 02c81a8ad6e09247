//! Searches for the best scheduler for a workload: settings that no others beat in the metrics that matter to a person.
//!
//! An [`ExploreQuestion`] says which metrics should be small, which bounds must be kept, how many runs may be made, and
//! among which families, orders and estimates to search. A [`Search`] proposes settings, a generation at a time. Its
//! caller measures them on the first part of the log ([`crate::measured`]), on any number of workers, and
//! returns the values in the order of the proposals. So the same seed gives the same answer on any number of workers.
//!
//! Then one of the settings that no others beat, the front, is selected by the next part of the log ([`Findings`]), and
//! confirmed on the last, which neither choice has seen ([`Confirmed`]). What was found among a thousand runs is partly
//! luck, and there it shows.
//!
//! The search begins with the presets of the families. Then comes a start spread out over all settings (a Latin
//! hypercube: every value of each setting appears about equally often). Then it steps from the best settings so far: it
//! changes one or two settings, or mixes two unbeaten ones, and tries some wholly new ones. This is a simple
//! evolutionary search with the ranking of Deb et al. (NSGA-II, 2002: settings that keep the bounds come before those
//! that do not, then dominance decides). Runs are cheap here, and the settings are few and discrete: a model of them,
//! as optimisers for expensive functions make, would cost more than it saves.

mod ahead;
mod axis;
mod confirm;
mod findings;
mod front;
mod link;
mod question;
mod ranking;
mod search;
mod space;
mod text;

#[cfg(test)]
mod tests;

pub use ahead::{AheadChange, AheadFindings, InFutures, MEASURES, serve};
pub use axis::Aspect;
pub use confirm::{ConfirmStep, StepValues};
pub use findings::{Confirmed, Findings, FrontMember, OtherMachine, PartValues};
pub use front::{Picture, PicturePoint, round_steps};
pub use link::{ExploreLink, SearchedLog, SharedFindings};
pub use question::{ExploreQuestion, MOST_EXPLORED, QuestionFault, SHARES};
pub use ranking::{FrontOrder, KeptBound, Standing};
pub use search::{GENERATION, MOST_SEARCHES, SEARCHES, Search, SearchedAgain};
pub use space::SearchSpace;
pub use text::{csv, in_words, json, table};

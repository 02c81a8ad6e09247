//! Looks for the scheduler for a workload: settings that nothing beats in the metrics that somebody cares for.
//!
//! An [`ExploreQuestion`] says which metrics are to be small, which bounds must be kept, how many runs may be spent and
//! among which families, orders and estimates. A [`Search`] proposes settings, a generation at a time; whoever drives it
//! has them measured on the first part of the log ([`crate::study::measured`]), on as many workers as there are, and gives
//! the values back in the order of the proposals. So the same seed comes to the same answer on any number of workers.
//!
//! Then the settings that nothing beats, the front, are judged on the rest of the log, which no choice has seen
//! ([`Findings`]): what was found by looking at a thousand runs is partly luck, and there it shows.
//!
//! How it looks: the presets of the families first; then a start that is spread out over all settings (a Latin hypercube:
//! of each setting every value about equally often); then steps from the best so far, each a change of one or two settings
//! of one that nothing beats, or a mixture of two of them, with some wholly new ones among them. That is a simple
//! evolutionary search with the ranking of Deb et al. (NSGA-II, 2002: whoever keeps the bounds comes before whoever does
//! not, then dominance). Runs are cheap here and the settings few and discrete: a model of them, as optimisers for
//! expensive functions make, would cost more than it saves.

mod axis;
mod bound;
mod carried_run;
mod findings;
mod front;
mod link;
mod machines;
mod open;
mod picture;
mod question;
mod ranking;
mod search;
mod space;
mod text;
mod verdict;
mod words;

#[cfg(test)]
mod tests;

pub use bound::KeptBound;
pub use findings::{Findings, FrontMember, PartValues};
pub use link::{ExploreLink, SearchedLog, SharedFindings};
pub use machines::OtherMachine;
pub use picture::{Picture, PicturePoint, round_steps};
pub use question::{ExploreQuestion, MOST_EXPLORED, QuestionFault, SHARES};
pub use ranking::FrontOrder;
pub use search::{GENERATION, Search};
pub use space::SearchSpace;
pub use text::{csv, json, table};
pub use verdict::Standing;
pub use words::in_words;

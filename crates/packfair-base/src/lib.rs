//! What everything else stands on: catalogues ([`catalogue`]), formulas that a person writes ([`expression`]), machines
//! ([`machine`]), random numbers and laws that are the same everywhere ([`random`]), and sentences in the words of each front
//! end ([`front_end`]). Of the texts that people give: their encodings, and a form that is safe to show ([`encoding`]), what a
//! terminal shows beside reports ([`pasted`]), tables with lines drawn around them and values as languages show them
//! ([`drawn`]), JSON as it is written ([`json_text`]) and its records ([`json_records`]), numbers, times and durations as people
//! write them, and what means nothing ([`numbers`], [`time`]), names of columns ([`column_name`]), zones of time by their names
//! ([`place`]), and files that are given in place of a log ([`no_log`]).
//!
//! - A catalogue's entry is offered wherever one can choose: forms, command line, links.
//! - The same seed gives the same numbers on every target.
//!
//! It knows nothing of jobs, of schedulers, and of time passing.
pub mod catalogue;
pub mod column;
pub mod column_name;
pub mod drawn;
pub mod encoding;
pub mod expression;
pub mod front_end;
pub mod json_records;
pub mod json_text;
pub mod machine;
pub mod no_log;
pub mod numbers;
pub mod pasted;
pub mod place;
pub mod random;
pub mod time;

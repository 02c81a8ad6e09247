//! What everything else stands on: catalogues ([`catalogue`]), encodings of texts ([`encoding`]), formulas that a person
//! writes ([`expression`]), machines ([`machine`]), what a terminal shows beside reports ([`pasted`]), files that are given in
//! place of a log ([`no_log`]), random numbers that are the same everywhere ([`random`]), the law of gamma variables
//! ([`gamma`]), texts that are safe to show ([`printable`]), and sentences in the words of each front end ([`front_end`]).
//!
//! - A catalogue's entry is offered wherever one can choose: forms, command line, links.
//! - The same seed gives the same numbers on every target.
//!
//! It knows nothing of jobs, of schedulers, and of time passing.
pub mod catalogue;
pub mod column;
pub mod encoding;
pub mod expression;
pub mod front_end;
pub mod gamma;
pub mod machine;
pub mod no_log;
pub mod pasted;
pub mod printable;
pub mod random;

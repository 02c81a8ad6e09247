//! What everything else stands on: catalogues ([`catalogue`]), formulas that a person writes ([`expression`]), machines
//! ([`machine`]), and random numbers that are the same everywhere ([`random`]).
//!
//! - A catalogue's entry is offered wherever one can choose: forms, command line, links.
//! - The same seed gives the same numbers on every target.
//!
//! It knows nothing of jobs, of schedulers, and of time passing.
pub mod catalogue;
pub mod column;
pub mod expression;
pub mod machine;
pub mod random;

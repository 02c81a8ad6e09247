//! dynP: the policy by which the queue is ordered changes with the waiting jobs (DYNP).
//!
//! A round makes a plan: the waiting jobs are placed in the order of a policy, each as early as the jobs before it
//! allow (conservative backfilling), and jobs that are placed now start. Nothing is kept from the plan of the round
//! before. Basic dynP ([`basic`]) chooses the policy by the mean estimate of the waiting jobs, self-tuning dynP by a
//! comparison of the plans of all policies.

mod basic;
pub mod decider;
mod lower_bounds;
mod plain;
mod plan;
mod plans;
mod quality;
mod queue;
mod rules;
mod self_tuning;
#[cfg(test)]
mod tests;

pub use basic::FAMILY as BASIC;
pub use decider::{Case, Decider};
pub use rules::Counts;

use self::plain::{PlainDynp, Rule};
use self::plans::LongFrom;
use self::rules::DynpRules;
use self::self_tuning::SelfTuning;
use super::Order;
use super::implementation::{ANY_CELLS, NO_CELLS, SchedulerImplementation};
use packfair_base::catalogue::{Entry, Kind, Parameter};
use packfair_engine::model::Usual;

/// The catalogue line of self-tuning dynP.
pub const FAMILY: SchedulerImplementation = SchedulerImplementation {
    entry: Entry {
        id: "dynp",
        name: "Self-tuning dynP",
        help: "plans the queue by several policies in every round, and carries out the best plan",
        source: "DYNP §3.2",
        parameters: &[
            Parameter {
                id: "quality",
                name: "Quality",
                help: "by which plans are compared, over all running and waiting jobs; of two each counts by how many times the best \
                       plan's it is",
                kind: Kind::Choice {
                    options: &[
                        ("art", "ART (average response time)"),
                        ("artww", "ARTwW (the same, weighted by width)"),
                        ("ms", "MS (makespan)"),
                        ("sldww", "SLDwW (slowdown by estimates, bound 60 s, weighted by width; DYNP §6)"),
                        ("art+ms", "ART and MS together (DYNP §6)"),
                        ("artww+ms", "ARTwW and MS together"),
                        ("artww+sldww", "ARTwW and SLDwW together"),
                    ],
                    default: "artww",
                },
            },
            Parameter {
                id: "decider",
                name: "Decider",
                help: "which policy is taken where several plans are best",
                kind: Kind::Choice {
                    options: &[
                        ("simple", "simple: the first of them"),
                        ("advanced", "advanced: the current one, if it is among them"),
                    ],
                    default: "advanced",
                },
            },
            Parameter {
                id: "policies",
                name: "Policies",
                help: "among which it tunes; it begins with FCFS, or with the first where that is not taken",
                kind: Kind::Orders { options: Order::OPTIONS, default: &["fcfs", "sjf", "ljf"] },
            },
            Parameter {
                id: "slackness",
                name: "Slackness",
                help: "by how much a plan must be better than the current policy's to be taken (DYNP §6)",
                kind: Kind::Real { min: 0.0, max: 99.0, default: 0.0, unit: "%" },
            },
            Parameter {
                id: "first",
                name: "Reduced future: jobs",
                help: "the quality is that of the first so many to start, and of the running jobs; off: all (DYNP §6)",
                kind: Kind::Whole { min: 1, max: 1_000_000, default: None, unit: "jobs" },
            },
            Parameter {
                id: "within",
                name: "Reduced future: time",
                help: "the quality is that of the jobs that start within that time, and of the running jobs; off: all \
                       (DYNP §6)",
                kind: Kind::Whole { min: 0, max: 100_000_000, default: None, unit: "s" },
            },
            Parameter {
                id: "fcfs",
                name: "FCFS order",
                help: "in which order FCFS takes the queue: that of submission, or, as the paper's Table 6 suggests, the one in \
                       which the SJF sort of the last try left it, with who came since behind; while FCFS is in force, \
                       perhaps that of submission all the same",
                kind: Kind::Choice {
                    options: &[
                        ("submission", "of submission"),
                        ("left", "as the last SJF sort left it"),
                        ("resorted", "the same, but while FCFS is in force"),
                    ],
                    default: "submission",
                },
            },
        ],
    },
    usual: |_, _| Usual::EACH_ROUND,
    on_cells: None,
    classifier: None,
    plain: Some(|settings| Box::new(PlainDynp::new(Rule::Compare(DynpRules::of(settings))))),
    applies: NO_CELLS,
    plain_applies: ANY_CELLS,
    build: Some(|settings| Box::new(SelfTuning::new(DynpRules::of(settings), LongFrom::USUAL))),
};

//! A Slurm site as its files describe it: nodes, partitions, parameters, priorities, accounts, shares and limits.
//!
//! The readers take `slurm.conf` or what `scontrol` shows of it, what `sacctmgr` prints or is given, `scontrol show
//! reservations` and similar files in any order ([`read_site`]), and make one [`Site`] of them. They report what they do not understand with its line
//! ([`Finding`]); nothing is silently left out. Nothing in this module knows of jobs, nor of time passing.

mod accounts;
mod away;
mod change;
mod conf;
mod constraint;
mod diff;
mod hostlist;
mod json;
mod kind;
mod limits;
mod lines;
mod nodes;
mod parameters;
mod partitions;
mod power;
mod priority;
mod quantity;
mod read;
mod reservations;
mod script;
mod settings;
mod shown;
mod site;
mod table;
mod topology;
mod unmodelled;

pub use accounts::{Accounts, Association, Qos};
pub use away::{NodeAway, NodeEvent, Outage};
pub use change::{Changed, SiteChange};
pub use conf::without_effect;
pub use constraint::{AllowedNodes, allowed_nodes};
pub use diff::{Patch, patch, patch_resized};
pub use hostlist::folded;
pub use kind::is_of_site;
pub use limits::{JobLimits, TresAmounts};
pub use lines::{Finding, FindingKind};
pub use nodes::{MOST_GPU_KINDS, MOST_NODES, Node, NodePlaces};
pub use parameters::{DEFAULT_YIELD_INTERVAL, Parameters, SlurmParameter, Version};
pub use partitions::{NodeSet, PartitionPermits, PartitionSaving, PreemptedJobs, SlurmPartition};
pub use power::{NodeTimes, PowerSaving};
pub use priority::{AssociationUsage, PriorityPlan, PriorityWeights};
pub use quantity::{Licence, MemoryRule, MemoryRules};
pub use read::{SiteFile, read_site};
pub use reservations::{MaintenanceTime, Repeat, SiteReservation};
pub use settings::{SettingGroup, SiteSetting, limits_that_hold, settings};
pub use site::{ConfText, Enforced, PreemptBy, Site};
pub use topology::Switch;

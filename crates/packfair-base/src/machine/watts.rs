//! What is known of the power of a machine (docs/power.md).

use super::Seconds;
use super::calendar::Change;
use serde::{Deserialize, Serialize};

/// Nanowatts in a watt. Power is added up in whole nanowatts, so that sums do not depend on their order.
pub const NANO: i64 = 1_000_000_000;

/// What a node draws, and how long it takes to go off and on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodePower {
    /// Watts of a node that is on and of which nobody holds anything, without its GPUs.
    pub idle: u64,
    /// Watts of a node whose processors are all held, without its GPUs.
    pub busy: u64,
    /// Watts of a node that is off.
    pub off: u64,
    /// Watts of a GPU that nobody holds.
    pub gpu_idle: u64,
    /// Watts of a GPU that a job holds.
    pub gpu_busy: u64,
    /// Seconds from the decision to switch a node on until it can be used.
    pub boot: Seconds,
    /// Seconds that a node takes to switch off.
    pub shutdown: Seconds,
}

/// What schedulers reckon that a job draws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExpectedPower {
    /// What its nodes can draw, by the machine's watts.
    #[default]
    Nameplate,
    /// The mean of what the user's last two jobs drew, for each processor, which by the log had ended as it was
    /// submitted; the nameplate where there is none.
    History,
    /// What it drew by the log; the nameplate where the log does not tell.
    Actual,
}

/// When idle nodes are switched off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suspend {
    /// After how many idle seconds.
    pub after: Seconds,
    /// The most nodes that are switched off in a minute; none: any number.
    pub rate: Option<u32>,
    /// The most nodes that are switched on in a minute; none: any number.
    pub resume_rate: Option<u32>,
    /// How many idle nodes of each cell stay on.
    pub keep: u32,
    /// For each cell, whether its nodes are ever switched off.
    pub cells: Vec<bool>,
}

/// The power of a machine.
#[derive(Clone, Debug, PartialEq)]
pub struct PowerModel {
    /// What the nodes of each cell draw.
    pub nodes: Vec<NodePower>,
    /// Whether watts are known; if not, only times are.
    pub has_watts: bool,
    /// By how much more the site draws than its nodes do (power usage effectiveness), at least 1.
    pub pue: f64,
    /// The cap of what the machine may draw.
    pub cap: Option<PowerCap>,
    /// What is reckoned with under the cap.
    pub expected: ExpectedPower,
    /// When idle nodes are switched off; none: never.
    pub suspend: Option<Suspend>,
}

/// The cap of what a machine may draw.
#[derive(Clone, Debug, PartialEq)]
pub struct PowerCap {
    /// The cap without its changes, kW.
    pub kw: f64,
    /// Its changes.
    pub changes: Vec<CapChange>,
}

/// A time in which the cap is another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CapChange {
    /// The change of the calendar: of a cell behind the last one, whose nodes are milliwatts.
    pub change: Change,
    /// The cap meanwhile, kW.
    pub kw: f64,
}

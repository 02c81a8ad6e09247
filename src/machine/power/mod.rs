//! What a machine draws: watts of its nodes, a cap on them, and when idle nodes are switched off (docs/power.md).

mod cap;
mod described;

pub use cap::{CapChange, PowerCap, steps as cap_steps};
pub use described::{POWER_WORDS, SuspendDescription};

use super::{Machine, Seconds};
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

/// What is held in a cell, as power: nanowatts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeldPower {
    /// What it would draw if it were idle.
    pub idle: i64,
    /// What it draws by the machine's watts.
    pub busy: i64,
}

impl Machine {
    /// What is known of the machine's power; none where nothing is.
    pub fn power(&self) -> Option<&PowerModel> {
        self.power.as_deref()
    }

    /// Whether idle nodes are switched off.
    pub fn switches_off(&self) -> bool {
        self.power().is_some_and(|power| power.suspend.is_some())
    }

    /// What is known of the machine's power, where its watts are known.
    pub fn watts(&self) -> Option<&PowerModel> {
        self.power().filter(|power| power.has_watts)
    }

    /// Nanowatts that a node of a cell draws while nobody holds anything of it.
    pub fn idle_node(&self, cell: usize) -> i64 {
        self.held_power(cell, &self.node_amounts(cell), 1).idle
    }

    /// Nanowatts that a node of a cell draws while all of it is held.
    pub fn busy_node(&self, cell: usize) -> i64 {
        self.held_power(cell, &self.node_amounts(cell), 1).busy
    }

    fn node_amounts(&self, cell: usize) -> Vec<i64> {
        self.cells()[cell].node.iter().map(|&amount| amount as i64).collect()
    }

    /// What so many parts draw that take these amounts of the resources of a cell.
    pub fn held_power(&self, cell: usize, each: &[i64], parts: u32) -> HeldPower {
        let Some(power) = self.watts() else { return HeldPower::default() };
        let (node, own) = (&power.nodes[cell], &self.cells()[cell].node);
        let held = |resource: usize| i128::from(each[resource]) * i128::from(parts);
        let gpus = self.resource(Self::GPUS).map_or(0, held);
        let all = |watts: u64, of_gpu: u64| {
            let share = held(0) * i128::from(watts) * i128::from(NANO) / i128::from(own[0].max(1));
            // a description limits watts and amounts
            i64::try_from(share + gpus * i128::from(of_gpu) * i128::from(NANO)).unwrap_or(i64::MAX)
        };
        HeldPower { idle: all(node.idle, node.gpu_idle), busy: all(node.busy, node.gpu_busy) }
    }

    /// The most that the machine draws, watts, without its calendar: all nodes are held. None where watts are not known.
    pub fn most_watts(&self) -> Option<f64> {
        let power = self.watts()?;
        let of = |cell: usize| i128::from(self.busy_node(cell)) * i128::from(self.cells()[cell].nodes);
        let all: i128 = (0..self.cells().len()).map(of).sum();
        Some(all as f64 / NANO as f64 * power.pue)
    }
}

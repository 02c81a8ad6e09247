//! What a machine draws: watts of its nodes, and of what is held of them (docs/power.md).

use super::Machine;
use super::watts::{NANO, PowerModel};

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

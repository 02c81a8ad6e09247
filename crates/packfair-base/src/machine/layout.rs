//! Cells, partitions, and the machine that they make.

use super::events::Change;
use super::power::PowerModel;
use super::{MachineError, Seconds};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The most of a resource in a cell. Up to this amount sums are exact.
const MOST_OF_A_RESOURCE: u64 = 1 << 50;

/// Nodes that no rule distinguishes: they have the same size, and the same partitions may use them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    /// The name, which no other cell has.
    pub name: String,
    /// The number of nodes, at least 1.
    pub nodes: u32,
    /// What a node has of each resource of the machine, in the order of [`Machine::resources`].
    pub node: Vec<u64>,
}

/// Cells that jobs may use under common rules. Partitions may overlap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Partition {
    /// The name, which no other partition has.
    pub name: String,
    /// The places of its cells in [`Machine::cells`], at least one.
    pub cells: Vec<usize>,
    pub rules: PartitionRules,
}

/// The rules of a partition for what a job takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PartitionRules {
    /// Whether jobs take whole nodes; otherwise they share nodes.
    pub whole_nodes: bool,
}

/// Processors that are away for a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GoneProcessors {
    pub from: Seconds,
    pub until: Seconds,
    /// The number of the first of them, from 0.
    pub first: u32,
    pub count: u32,
}

/// A machine. Only valid machines can be made.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    resources: Vec<String>,
    cells: Vec<Cell>,
    partitions: Vec<Partition>,
    calendar: Vec<Change>,
    /// What is known of its power; none where nothing is said of it.
    pub(super) power: Option<Box<PowerModel>>,
}

impl Machine {
    /// The resource that every machine has, the first of its list.
    pub const PROCESSORS: &'static str = "processors";
    /// The name of graphics processors (GPUs), where they are told apart from processors.
    pub const GPUS: &'static str = "gpus";
    /// The name of memory, which is in MiB.
    pub const MEMORY: &'static str = "memory";

    /// A machine with these `resources`, processors first. A node of each cell has an amount of each resource.
    ///
    /// # Errors
    /// If the machine is not valid: what is wrong, in words for a person.
    pub fn new(
        resources: Vec<String>,
        cells: Vec<Cell>,
        partitions: Vec<Partition>,
        calendar: Vec<Change>,
    ) -> Result<Self, MachineError> {
        let machine = Machine { resources, cells, partitions, calendar, power: None };
        machine.check_cells()?;
        machine.check_partitions()?;
        machine.check_calendar()?;
        Ok(machine)
    }

    /// A machine of one cell of single processors, at least one.
    pub fn of_processors(processors: u32) -> Self {
        Machine {
            resources: vec![Self::PROCESSORS.to_owned()],
            cells: vec![Cell { name: "machine".to_owned(), nodes: processors.max(1), node: vec![1] }],
            partitions: Vec::new(),
            calendar: Vec::new(),
            power: None,
        }
    }

    /// The names of the resources, processors first.
    pub fn resources(&self) -> &[String] {
        &self.resources
    }

    /// The place of a resource in [`Machine::resources`].
    pub fn resource(&self, name: &str) -> Option<usize> {
        self.resources.iter().position(|resource| resource == name)
    }

    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The partitions; if there are none, every job may use every cell.
    pub fn partitions(&self) -> &[Partition] {
        &self.partitions
    }

    /// The changes of its cells, in the order in which they were given.
    pub fn calendar(&self) -> &[Change] {
        &self.calendar
    }

    /// The number of processors, without the calendar.
    pub fn processors(&self) -> u32 {
        // `new` has checked that it is small enough
        self.total(0) as u32
    }

    /// How much of a resource the machine has, without the calendar.
    pub fn total(&self, resource: usize) -> u64 {
        self.cells.iter().map(|cell| u64::from(cell.nodes) * cell.node[resource]).sum()
    }

    /// The capacity without the calendar: how much each cell has of each resource, cell after cell; behind them what is
    /// left of the cap of its power, where it has one.
    pub fn capacity(&self) -> Vec<i64> {
        let of =
            |cell: &Cell| cell.node.iter().map(|&amount| amount as i64 * i64::from(cell.nodes)).collect::<Vec<_>>();
        self.cells.iter().flat_map(of).chain(self.cap_left()).collect()
    }

    /// The capacity after the last change of the calendar.
    pub fn last_capacity(&self) -> Vec<i64> {
        let mut capacity = self.capacity();
        let changes = self.calendar.iter().copied().chain(self.cap_changes());
        for change in changes.filter(|change| change.until.is_none()) {
            self.add_nodes(&mut capacity, change.cell, change.nodes);
        }
        capacity
    }

    /// Adds nodes to a cell of a capacity, or takes nodes away if `nodes` is below 0. Behind the last cell is the cap of
    /// power, whose nodes are milliwatts.
    pub fn add_nodes(&self, capacity: &mut [i64], cell: usize, nodes: i64) {
        if let Some(place) = self.cap_place() {
            capacity[place] += if cell == self.cells.len() { nodes } else { -nodes * self.idle_milliwatts(cell) };
        }
        if cell == self.cells.len() {
            return;
        }
        let stride = self.resources.len();
        let of_cell = &mut capacity[cell * stride..][..stride];
        for (amount, &of_node) in of_cell.iter_mut().zip(&self.cells[cell].node) {
            *amount += nodes * of_node as i64;
        }
    }

    /// The processors of each cell without the calendar, in order: the number of the first, from 0, and how many there
    /// are.
    pub fn processor_ranges(&self) -> Vec<(u32, u32)> {
        let mut first = 0;
        let of = |cell: &Cell| {
            // all cells together have no more than can be simulated
            let count = (u64::from(cell.nodes) * cell.node[0]) as u32;
            first += count;
            (first - count, count)
        };
        self.cells.iter().map(of).collect()
    }

    /// The processors that are away over time, as blocks: in each cell the last ones of its
    /// [`Machine::processor_ranges`].
    pub fn gone(&self) -> Vec<GoneProcessors> {
        let mut gone = Vec::new();
        for (cell, (first, all)) in self.processor_ranges().into_iter().enumerate() {
            let mut steps: BTreeMap<Seconds, i64> = BTreeMap::new();
            for change in self.calendar.iter().filter(|change| change.cell == cell) {
                change.steps().for_each(|(at, nodes)| *steps.entry(at).or_default() += nodes);
            }
            let mut more = 0;
            let mut ends = steps.keys().copied().skip(1).collect::<Vec<_>>().into_iter().chain([Seconds::MAX]);
            for (from, nodes) in steps {
                more += nodes;
                let until = ends.next().unwrap_or(Seconds::MAX);
                // no more nodes go than there are
                let count = (more.min(0).unsigned_abs() * self.cells[cell].node[0]) as u32;
                if count > 0 {
                    gone.push(GoneProcessors { from, until, first: first + all - count, count });
                }
            }
        }
        gone
    }

    /// Whether the machine is only a number of processors that never changes.
    pub fn is_one_number(&self) -> bool {
        self.calendar.is_empty() && self.power.is_none() && self.is_one_cell_of_processors()
    }

    /// Whether the machine is one cell of single processors, whatever its calendar. Neither is its power capped, nor are
    /// idle nodes switched off.
    pub fn is_one_cell_of_processors(&self) -> bool {
        let is_free = self.power().is_none_or(|power| power.cap.is_none() && power.suspend.is_none());
        is_free && self.resources.len() == 1 && self.cells.len() == 1 && self.cells[0].node == [1]
    }

    /// The cells that a partition may use, or all cells, in the order in which jobs take from them: cells that the
    /// fewest partitions may use come first, then the machine's order decides.
    pub(super) fn taking_order(&self, partition: Option<usize>) -> Vec<usize> {
        let mut cells = match partition {
            Some(partition) => self.partitions[partition].cells.clone(),
            None => (0..self.cells.len()).collect(),
        };
        let partitions_of =
            |cell: usize| self.partitions.iter().filter(|partition| partition.cells.contains(&cell)).count();
        cells.sort_by_key(|&cell| (partitions_of(cell), cell));
        cells
    }

    /// The names of cells, for a message.
    pub(super) fn cell_names(cells: &[Cell]) -> String {
        cells.iter().map(|cell| cell.name.as_str()).collect::<Vec<_>>().join(", ")
    }

    fn check_cells(&self) -> Result<(), MachineError> {
        if self.cells.is_empty() {
            return Err(MachineError::NoCell);
        }
        if self.cells.len() > MOST_CELLS {
            return Err(MachineError::TooManyCells(self.cells.len()));
        }
        check_names("cell", self.cells.iter().map(|cell| &cell.name))?;
        for Cell { name, nodes, node } in &self.cells {
            if *nodes == 0 {
                return Err(MachineError::NoNode(name.clone()));
            }
            if node.first().is_none_or(|&processors| processors == 0) {
                return Err(MachineError::NoProcessor(name.clone()));
            }
            for (resource, &amount) in self.resources.iter().zip(node) {
                if amount.checked_mul(u64::from(*nodes)).is_none_or(|all| all > MOST_OF_A_RESOURCE) {
                    return Err(MachineError::TooMuch { resource: resource.clone(), cell: name.clone() });
                }
            }
        }
        let processors = self.total(0);
        if processors > u64::from(MOST_PROCESSORS) {
            return Err(MachineError::TooManyProcessors { processors, most: MOST_PROCESSORS });
        }
        Ok(())
    }

    fn check_partitions(&self) -> Result<(), MachineError> {
        check_names("partition", self.partitions.iter().map(|partition| &partition.name))?;
        match self.partitions.iter().find(|partition| partition.cells.is_empty()) {
            None => Ok(()),
            Some(partition) => Err(MachineError::PartitionOfNoCell {
                partition: partition.name.clone(),
                cells: Self::cell_names(&self.cells),
            }),
        }
    }

    fn check_calendar(&self) -> Result<(), MachineError> {
        if self.calendar.len() > MOST_CHANGES {
            return Err(MachineError::TooManyChanges(self.calendar.len()));
        }
        // by cell and time; changes at one time are added up
        let mut steps = BTreeMap::new();
        for (change, number) in self.calendar.iter().zip(1..) {
            let Change { from, until, cell, nodes, .. } = *change;
            if nodes == 0 {
                return Err(MachineError::ChangeOfNothing { number });
            }
            if nodes.unsigned_abs() > u64::from(MOST_PROCESSORS) {
                let name = self.cells[cell].name.clone();
                return Err(MachineError::TooMuch { resource: "nodes".to_owned(), cell: name });
            }
            if let Some(until) = until.filter(|&until| until <= from) {
                return Err(MachineError::EndsBeforeItBegins { number, from, until });
            }
            for (at, nodes) in change.steps() {
                *steps.entry((cell, at)).or_insert(0) += nodes;
            }
        }
        let mut last = (usize::MAX, 0);
        for ((cell, at), nodes) in steps {
            let before = if last.0 == cell { last.1 } else { i64::from(self.cells[cell].nodes) };
            let left = before + nodes;
            last = (cell, left);
            let name = || self.cells[cell].name.clone();
            if left < 0 {
                return Err(MachineError::TakesTooMany { at, cell: name(), left });
            }
            if left > i64::from(MOST_PROCESSORS) {
                return Err(MachineError::TooMuch { resource: "nodes".to_owned(), cell: name() });
            }
        }
        Ok(())
    }
}

/// Checks that no name is there twice.
fn check_names<'a>(what: &'static str, names: impl Iterator<Item = &'a String>) -> Result<(), MachineError> {
    let mut known = BTreeSet::new();
    match names.into_iter().find(|&name| !known.insert(name)) {
        Some(name) => Err(MachineError::Twice { what, name: name.clone() }),
        None => Ok(()),
    }
}

// How large a machine may be.

/// The most cells of a machine. Real machines have about ten classes of nodes.
pub const MOST_CELLS: usize = 1_000;

/// The most changes of a calendar: several a day for a hundred years.
pub const MOST_CHANGES: usize = 100_000;

/// The most processors of a machine that is simulated, wherever their number comes from. The largest machines have some
/// ten million.
pub const MOST_PROCESSORS: u32 = 100_000_000;

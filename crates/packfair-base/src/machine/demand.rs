//! What jobs ask for.

use super::Machine;
use super::fitting::{Shape, ShapeCell, SharedDraw};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// What a job asks for: a number of equal parts, each within one cell.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Demand {
    /// The number of parts, at least 1.
    pub parts: u32,
    pub each: DemandedPart,
}

/// What a part of a job takes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DemandedPart {
    pub amounts: Vec<u64>,
    /// Whether the part takes a whole node that has at least these amounts.
    pub whole_node: bool,
}

impl Demand {
    /// The demand of a job that asks for single processors.
    pub fn of_processors(processors: u32) -> Self {
        Demand { parts: processors, each: DemandedPart { amounts: vec![1], whole_node: false } }
    }
}

/// The reason why no empty machine could hold a job: the place, in the machine's list, of a resource that is too
/// scarce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Short(pub usize);

/// What a job needs to run: a number of parts, and what a part takes in each cell.
#[derive(Clone, Copy, Debug)]
pub struct Need<'a> {
    pub parts: u32,
    /// What a part takes in each cell that it may use.
    pub shape: &'a Shape,
    /// The number of the shape among those of the log's jobs, from 0.
    pub number: u32,
}

/// What the jobs of a log ask for, by their records.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Demands {
    /// The number of parts and the place of the shape of each record; no parts where the demand of a record is not
    /// known.
    of_records: Vec<(u32, u32)>,
    shapes: Vec<Shape>,
    /// The size of each record's job, in processors; empty where it is the number of processors that the job asks for.
    sizes: Vec<u32>,
}

impl Demands {
    /// What the job of a record needs.
    ///
    /// # Panics
    /// If no demand of that record was taken ([`DemandsBuilder::take`]).
    pub fn need(&self, record: usize) -> Need<'_> {
        let (parts, number) = self.of_records[record];
        Need { parts, shape: &self.shapes[number as usize], number }
    }

    /// The size by which the job of a record counts in orders and as a weight: its dominant share of the machine's
    /// processors, rounded to a whole number, at least 1. The dominant share is the largest over resources of what the
    /// job takes, divided by what the machine has without its calendar. None where the size is the number of processors
    /// that the job asks for.
    pub fn size(&self, record: usize) -> Option<u32> {
        self.sizes.get(record).copied()
    }
}

/// The size of a job with this many parts of a shape ([`Demands::size`]).
fn size(machine: &Machine, parts: u32, shape: &Shape) -> u32 {
    let processors = u128::from(machine.total(0));
    let of = |resource: usize| {
        let total = u128::from(machine.total(resource));
        // a part takes no negative amounts
        let taken = u128::from(parts) * shape.least(resource).unsigned_abs() as u128;
        (taken * processors * 2 + total).checked_div(2 * total).unwrap_or(0)
    };
    let largest = (0..machine.resources().len()).map(of).max().unwrap_or(0);
    u32::try_from(largest).unwrap_or(u32::MAX).max(1)
}

/// Collects the demands of a log's jobs.
pub struct DemandsBuilder<'a> {
    machine: &'a Machine,
    /// The capacity after the last change. A job must fit into it, so that it can start some day.
    last: Vec<i64>,
    shapes: FxHashMap<(DemandedPart, Option<usize>, Option<i64>), u32>,
    demands: Demands,
}

impl<'a> DemandsBuilder<'a> {
    pub fn new(machine: &'a Machine) -> Self {
        let last = machine.last_capacity();
        DemandsBuilder { machine, last, shapes: FxHashMap::default(), demands: Demands::default() }
    }

    /// Takes the demand of the job of a record, which may use the cells of a partition, or all cells.
    ///
    /// # Errors
    /// If the empty machine, as it is after the last change, cannot hold the job: which resource is short.
    pub fn take(&mut self, record: usize, demand: Demand, partition: Option<usize>) -> Result<(), Short> {
        self.take_drawing(record, demand, partition, None)
    }

    /// [`DemandsBuilder::take`] of a job of which is known what a part of it draws, nanowatts.
    ///
    /// # Errors
    /// As there; of a cap of power, the number behind the last resource.
    pub fn take_drawing(
        &mut self,
        record: usize,
        demand: Demand,
        partition: Option<usize>,
        watts: Option<i64>,
    ) -> Result<(), Short> {
        let Demand { parts, mut each } = demand;
        each.whole_node |= partition.is_some_and(|of| self.machine.partitions()[of].rules.whole_nodes);
        // without a cap nobody asks
        let watts = watts.filter(|_| self.machine.power_cap().is_some());
        let key = (each, partition, watts);
        let place = match self.shapes.get(&key) {
            Some(&place) => place,
            None => {
                // there are at most as many shapes as jobs, whose numbers have 32 bits
                let place = self.demands.shapes.len() as u32;
                self.demands.shapes.push(drawing(self.machine, &key.0, partition, watts));
                self.shapes.insert(key.clone(), place);
                place
            }
        };
        if !self.demands.shapes[place as usize].fits(parts, &self.last) {
            // every resource by itself is enough where only the cap is not
            let is_cap = shape(self.machine, &key.0, partition).fits(parts, &self.last);
            return Err(if is_cap {
                Short(self.machine.resources().len())
            } else {
                self.short(parts, &key.0, partition)
            });
        }
        if self.demands.of_records.len() <= record {
            self.demands.of_records.resize(record + 1, (0, 0));
        }
        self.demands.of_records[record] = (parts, place);
        if !self.machine.is_one_cell_of_processors() {
            self.demands.sizes.resize(self.demands.of_records.len(), 1);
            self.demands.sizes[record] = size(self.machine, parts, &self.demands.shapes[place as usize]);
        }
        Ok(())
    }

    /// The resource that is short: the first of which the cells or nodes have too little by itself, or the first
    /// resource of all if each by itself is enough.
    fn short(&self, parts: u32, each: &DemandedPart, partition: Option<usize>) -> Short {
        let only = |resource: usize| {
            let mut amounts = vec![0; each.amounts.len()];
            amounts[resource] = each.amounts[resource];
            let part = DemandedPart { amounts, whole_node: each.whole_node };
            !shape(self.machine, &part, partition).fits(parts, &self.last)
        };
        let asked = (0..each.amounts.len()).filter(|&resource| each.amounts[resource] > 0);
        Short(asked.into_iter().find(|&resource| only(resource)).unwrap_or(0))
    }

    /// All demands that were taken.
    pub fn finish(self) -> Demands {
        self.demands
    }
}

/// What a part takes in each cell that it may use, and of the cap of power, where the machine has one. `watts` are what
/// it draws, nanowatts, where that is known.
fn drawing(machine: &Machine, part: &DemandedPart, partition: Option<usize>, watts: Option<i64>) -> Shape {
    let shape = shape(machine, part, partition);
    let Some(place) = machine.cap_place() else { return shape };
    let each = shape.usable_cells().map(|cell| {
        let each = shape.each_in(cell).unwrap_or_default();
        machine.drawn(cell as usize, each, watts)
    });
    let each = each.collect();
    // a description limits the number of cells and resources
    shape.sharing(SharedDraw { place: place as u32, each })
}

/// What a part takes in each cell that it may use.
fn shape(machine: &Machine, part: &DemandedPart, partition: Option<usize>) -> Shape {
    let stride = machine.resources().len();
    let cells = machine.taking_order(partition).into_iter().filter_map(|cell| {
        let node = &machine.cells()[cell].node;
        let is_enough =
            |(&has, &asked): (&u64, &u64)| if part.whole_node { has >= asked } else { has > 0 || asked == 0 };
        if !node.iter().zip(&part.amounts).all(is_enough) {
            return None;
        }
        let taken = if part.whole_node { node } else { &part.amounts };
        // no machine has amounts of more than 50 bits
        let each = taken.iter().map(|&amount| i64::try_from(amount).unwrap_or(i64::MAX)).collect();
        // a description limits the number of cells and resources
        Some(ShapeCell { cell: cell as u32, place: (cell * stride) as u32, each })
    });
    Shape::new(cells.collect())
}

#[cfg(test)]
mod tests {
    use super::super::{Cell, Partition, PartitionRules, Placement};
    use super::*;

    /// A machine with two cells. Cell a has 2 nodes of 4 processors and 100 MiB. Cell b has 3 nodes of 8 processors, 2
    /// GPUs and 50 MiB. Partition 0 has both cells, partition 1 has cell b and takes whole nodes only.
    fn machine() -> Machine {
        let cell = |name: &str, nodes, node: [u64; 3]| Cell { name: name.into(), nodes, node: node.to_vec() };
        let partition = |name: &str, cells: &[usize], whole_nodes| Partition {
            name: name.into(),
            cells: cells.to_vec(),
            rules: PartitionRules { whole_nodes },
        };
        Machine::new(
            ["processors", "gpus", "memory"].map(str::to_owned).to_vec(),
            vec![cell("a", 2, [4, 0, 100]), cell("b", 3, [8, 2, 50])],
            vec![partition("all", &[0, 1], false), partition("whole", &[1], true)],
            Vec::new(),
        )
        .unwrap()
    }

    fn demand(parts: u32, amounts: [u64; 3]) -> Demand {
        Demand { parts, each: DemandedPart { amounts: amounts.to_vec(), whole_node: false } }
    }

    fn taken(demand: Demand, partition: Option<usize>) -> Result<Demands, Short> {
        let machine = machine();
        let mut builder = DemandsBuilder::new(&machine);
        builder.take(0, demand, partition)?;
        Ok(builder.finish())
    }

    #[test]
    fn the_least_of_all_resources_decides_how_many_parts_fit() {
        let free = machine().capacity();
        let most = |demand, partition| taken(demand, partition).unwrap().need(0).shape.most_parts(&free);
        assert_eq!(most(demand(1, [1, 0, 0]), None), 8 + 24);
        assert_eq!(most(demand(1, [3, 0, 0]), None), 2 + 8, "⌊8 / 3⌋ and ⌊24 / 3⌋");
        assert_eq!(most(demand(1, [1, 0, 60]), None), 3 + 2, "⌊200 / 60⌋ and ⌊150 / 60⌋");
        assert_eq!(most(demand(1, [1, 1, 10]), None), 6, "only b has GPUs");
        assert_eq!(most(demand(1, [1, 0, 0]), Some(1)), 3, "whole nodes of b");
    }

    #[test]
    fn a_job_takes_first_from_the_cells_of_the_fewest_partitions() {
        let demands = taken(demand(30, [1, 0, 0]), Some(0)).unwrap();
        let Need { parts, shape, .. } = demands.need(0);
        let mut free = machine().capacity();
        let placement = shape.place(parts, &free).unwrap();
        assert_eq!(placement, Placement(vec![(0, 8), (1, 22)]), "a is of one partition, b of two");
        shape.take(&placement, &mut free, 1);
        assert_eq!(free, [0, 0, 200, 2, 6, 150]);
        assert_eq!(shape.place(3, &free), None);
        shape.take(&placement, &mut free, -1);
        assert_eq!(free, machine().capacity());
        assert_eq!((shape.holds(&placement, 0), shape.holds(&placement, 1)), (30, 0));
    }

    #[test]
    fn whole_nodes_are_taken_with_all_that_they_have() {
        let demands = taken(demand(2, [5, 1, 0]), Some(1)).unwrap();
        let Need { parts, shape, .. } = demands.need(0);
        let placement = shape.place(parts, &machine().capacity()).unwrap();
        assert_eq!((shape.holds(&placement, 0), shape.holds(&placement, 1), shape.holds(&placement, 2)), (16, 4, 100));
    }

    #[test]
    fn what_no_empty_machine_holds_says_what_is_short() {
        assert_eq!(taken(demand(33, [1, 0, 0]), None), Err(Short(0)));
        assert_eq!(taken(demand(7, [1, 1, 0]), None), Err(Short(1)));
        assert_eq!(taken(demand(4, [1, 0, 90]), None), Err(Short(2)));
        assert_eq!(taken(demand(4, [8, 0, 0]), Some(1)), Err(Short(0)), "three nodes");
        assert_eq!(taken(demand(1, [9, 0, 0]), Some(1)), Err(Short(0)), "no node has nine");
    }

    #[test]
    fn a_job_is_as_large_as_its_dominant_share_of_the_machine() {
        // the machine has 32 processors, 6 GPUs, 350 MiB
        let size = |demand, partition| taken(demand, partition).unwrap().size(0);
        assert_eq!(size(demand(3, [1, 0, 0]), None), Some(3), "processors alone");
        assert_eq!(size(demand(3, [1, 1, 0]), None), Some(16), "half of all GPUs");
        assert_eq!(size(demand(1, [1, 0, 70]), None), Some(6), "a fifth of all memory, 6.4 processors");
        assert_eq!(size(demand(1, [1, 0, 0]), Some(1)), Some(11), "a whole node has a third of all GPUs");
        assert_eq!(Demands::default().size(0), None);
    }

    #[test]
    fn what_is_negative_while_nodes_drain_holds_nothing() {
        let demands = taken(demand(1, [1, 0, 0]), None).unwrap();
        assert_eq!(demands.need(0).shape.most_parts(&[-3, 0, 0, 2, 0, 0]), 2);
    }

    #[test]
    fn a_job_must_fit_the_machine_that_is_left_in_the_end() {
        let change = super::super::Change {
            from: 10,
            until: None,
            cell: 1,
            nodes: -3,
            announced: None,
            displaced: super::super::Displaced::Drain,
        };
        let before = machine();
        let machine = Machine::new(
            before.resources().to_vec(),
            before.cells().to_vec(),
            before.partitions().to_vec(),
            vec![change],
        )
        .unwrap();
        let mut builder = DemandsBuilder::new(&machine);
        assert_eq!(builder.take(0, demand(8, [1, 0, 0]), None), Ok(()));
        assert_eq!(builder.take(1, demand(9, [1, 0, 0]), None), Err(Short(0)));
        assert_eq!(builder.take(2, demand(1, [1, 1, 0]), None), Err(Short(1)));
    }
}

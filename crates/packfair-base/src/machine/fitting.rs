//! How many parts fit where, and which cells a job takes from (docs/machine.md).

use serde::{Deserialize, Serialize};

/// What a part of a job takes in each of the cells that the job may use. Jobs that ask for equal parts share a shape.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    cells: Vec<ShapeCell>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ShapeCell {
    pub(super) cell: u32,
    /// The place of the cell's first resource among the amounts of all cells.
    pub(super) place: u32,
    /// What a part takes of each resource. It takes something of at least one.
    pub(super) each: Vec<i64>,
}

/// Where the parts of a job are: pairs of a cell and the number of parts in it, at least one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Placement(pub Vec<(u32, u32)>);

impl Placement {
    /// The placement of all parts in the only cell.
    pub fn of_one_cell(parts: u32) -> Self {
        Placement(vec![(0, parts)])
    }
}

impl ShapeCell {
    /// How many parts fit into what is free: the least of ⌊free / each⌋ over resources.
    fn parts(&self, free: &[i64]) -> i64 {
        let fits = self.of(free).map(|(free, each)| free.max(0) / each);
        // a part takes something of at least one resource
        fits.min().unwrap_or(0)
    }

    /// For each resource of which a part takes something: the amount in this cell, and what a part takes.
    fn of<'a>(&'a self, amounts: &'a [i64]) -> impl Iterator<Item = (i64, i64)> + 'a {
        let own = &amounts[self.place as usize..];
        own.iter().copied().zip(self.each.iter().copied()).filter(|&(_, each)| each > 0)
    }
}

impl Shape {
    pub(super) fn new(cells: Vec<ShapeCell>) -> Self {
        Shape { cells }
    }

    /// The shape in which one part is one processor of the only cell.
    pub fn of_one_cell() -> Self {
        Shape { cells: vec![ShapeCell { cell: 0, place: 0, each: vec![1] }] }
    }

    /// What a part takes of a resource in the first cell that it may use. If it takes whole nodes, it may take more
    /// elsewhere.
    pub fn each(&self, resource: usize) -> i64 {
        self.cells.first().and_then(|cell| cell.each.get(resource)).copied().unwrap_or(0)
    }

    /// How many parts fit into what is free in all usable cells together.
    pub fn most_parts(&self, free: &[i64]) -> i64 {
        self.cells.iter().map(|cell| cell.parts(free)).fold(0, i64::saturating_add)
    }

    /// Whether this many parts fit into `free`, which has an amount for each cell and resource.
    pub fn fits(&self, parts: u32, free: &[i64]) -> bool {
        self.most_parts(free) >= i64::from(parts)
    }

    /// How many parts fit into what is free in a cell of the machine; none if the job may not use the cell.
    pub fn parts_in(&self, cell: u32, free: &[i64]) -> Option<i64> {
        self.cells.iter().find(|own| own.cell == cell).map(|own| own.parts(free))
    }

    /// The cells that the job may use.
    pub fn usable_cells(&self) -> impl Iterator<Item = u32> + '_ {
        self.cells.iter().map(|own| own.cell)
    }

    /// What a part takes of each resource in a cell of the machine; none if the job may not use the cell.
    pub fn each_in(&self, cell: u32) -> Option<&[i64]> {
        self.cells.iter().find(|own| own.cell == cell).map(|own| &own.each[..])
    }

    /// Places parts, if they fit: as many as there is room for in the first cell, then in the next, and so on.
    pub fn place(&self, parts: u32, free: &[i64]) -> Option<Placement> {
        let mut left = i64::from(parts);
        let mut placed = Vec::new();
        for cell in &self.cells {
            let here = cell.parts(free).min(left);
            if here > 0 {
                // at most as many as there are parts
                placed.push((cell.cell, here as u32));
                left -= here;
            }
        }
        (left == 0).then_some(Placement(placed))
    }

    pub fn is_free(&self, placement: &Placement, free: &[i64]) -> bool {
        placement.0.iter().all(|&(cell, parts)| self.parts_in(cell, free).is_some_and(|most| most >= i64::from(parts)))
    }

    /// Takes what a placement holds `times` times from what is free; -1 gives it back.
    pub fn take(&self, placement: &Placement, free: &mut [i64], times: i64) {
        for &(cell, parts) in &placement.0 {
            let Some(own) = self.cells.iter().find(|own| own.cell == cell) else { continue };
            let amounts = &mut free[own.place as usize..];
            for (amount, &each) in amounts.iter_mut().zip(&own.each) {
                *amount -= times * each * i64::from(parts);
            }
        }
    }

    /// How much of a resource a placement holds.
    pub fn holds(&self, placement: &Placement, resource: usize) -> i64 {
        let of = |&(cell, parts): &(u32, u32)| {
            let own = self.cells.iter().find(|own| own.cell == cell);
            own.map_or(0, |own| own.each[resource] * i64::from(parts))
        };
        placement.0.iter().map(of).sum()
    }

    /// The least that a part takes of a resource, over all usable cells.
    pub fn least(&self, resource: usize) -> i64 {
        self.cells.iter().map(|cell| cell.each[resource]).min().unwrap_or(0)
    }
}

//! How many parts fit where, and which cells a job takes from (docs/machine.md).

use serde::{Deserialize, Serialize};

/// What a part of a job takes in each of the cells that the job may use. Jobs that ask for equal parts share a shape.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    cells: Vec<ShapeCell>,
    /// What a part takes of what all cells share; none where they share nothing.
    shared: Option<SharedDraw>,
}

/// What parts take of an amount that all cells share, such as what is left of a cap of power.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SharedDraw {
    /// The place of the amount.
    pub(super) place: u32,
    /// What a part takes of it in each cell of the shape, in their order.
    pub(super) each: Vec<i64>,
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
        Shape { cells, shared: None }
    }

    /// The shape, whose parts also take from an amount that all cells share.
    pub(super) fn sharing(self, shared: SharedDraw) -> Self {
        Shape { shared: Some(shared), ..self }
    }

    /// The shape in which one part is one processor of the only cell.
    pub fn of_one_cell() -> Self {
        Shape::new(vec![ShapeCell { cell: 0, place: 0, each: vec![1] }])
    }

    /// What a part takes of a resource in the first cell that it may use. If it takes whole nodes, it may take more
    /// elsewhere.
    pub fn each(&self, resource: usize) -> i64 {
        self.cells.first().and_then(|cell| cell.each.get(resource)).copied().unwrap_or(0)
    }

    /// How many parts fit into what is free in all usable cells together.
    pub fn most_parts(&self, free: &[i64]) -> i64 {
        match &self.shared {
            None => self.cells.iter().map(|cell| cell.parts(free)).fold(0, i64::saturating_add),
            Some(shared) => self.thriftiest(shared, free, i64::MAX).iter().map(|&(_, parts)| parts).sum(),
        }
    }

    /// How many parts fit into each cell, by its place in the shape, if those come first in which a part takes the least
    /// of what is shared: no other way places more parts. It ends once `parts` are placed.
    fn thriftiest(&self, shared: &SharedDraw, free: &[i64], parts: i64) -> Vec<(usize, i64)> {
        let mut left = free[shared.place as usize].max(0);
        let mut wanted = parts;
        let mut order: Vec<usize> = (0..self.cells.len()).collect();
        order.sort_by_key(|&place| shared.each[place]);
        let mut placed = Vec::new();
        for place in order {
            let each = shared.each[place];
            let here = self.cells[place].parts(free).min(wanted);
            let here = left.checked_div(each).map_or(here, |most| most.min(here));
            left -= here * each;
            wanted -= here;
            placed.push((place, here));
        }
        placed
    }

    /// What a placement takes of what all cells share.
    fn drawn(&self, shared: &SharedDraw, placement: &Placement) -> i64 {
        let of = |&(cell, parts): &(u32, u32)| {
            let place = self.cells.iter().position(|own| own.cell == cell);
            place.map_or(0, |place| shared.each[place] * i64::from(parts))
        };
        placement.0.iter().map(of).sum()
    }

    /// Whether a placement takes no more than is left of what all cells share.
    fn is_within_shared(&self, placement: &Placement, free: &[i64]) -> bool {
        let is_within = |shared: &SharedDraw| match self.drawn(shared, placement) {
            0 => true,
            drawn => drawn <= free[shared.place as usize],
        };
        self.shared.as_ref().is_none_or(is_within)
    }

    /// Whether parts take of what all cells share, and more is taken of it than there is.
    pub fn is_beyond_shared(&self, free: &[i64]) -> bool {
        self.takes_shared() && self.shared.as_ref().is_some_and(|shared| free[shared.place as usize] < 0)
    }

    /// Whether a part takes something of what all cells share, in some cell.
    pub fn takes_shared(&self) -> bool {
        self.shared.as_ref().is_some_and(|shared| shared.each.iter().any(|&each| each > 0))
    }

    /// Whether this many parts fit into `free`, which has an amount for each cell and resource.
    pub fn fits(&self, parts: u32, free: &[i64]) -> bool {
        self.most_parts(free) >= i64::from(parts)
    }

    /// How many parts fit into what is free in a cell of the machine; none if the job may not use the cell.
    pub fn parts_in(&self, cell: u32, free: &[i64]) -> Option<i64> {
        let place = self.cells.iter().position(|own| own.cell == cell)?;
        let parts = self.cells[place].parts(free);
        let Some(shared) = &self.shared else { return Some(parts) };
        let most = free[shared.place as usize].max(0).checked_div(shared.each[place]);
        Some(most.map_or(parts, |most| most.min(parts)))
    }

    /// The cells that the job may use.
    pub fn usable_cells(&self) -> impl Iterator<Item = u32> + '_ {
        self.cells.iter().map(|own| own.cell)
    }

    /// What a part takes of each resource in a cell of the machine; none if the job may not use the cell.
    pub fn each_in(&self, cell: u32) -> Option<&[i64]> {
        self.cells.iter().find(|own| own.cell == cell).map(|own| &own.each[..])
    }

    /// Places parts, if they fit: as many as there is room for in the first cell, then in the next, and so on. Where that
    /// would take more than is left of what all cells share, those come first in which a part takes the least of it.
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
        let placement = (left == 0).then_some(Placement(placed))?;
        match &self.shared {
            Some(shared) if !self.is_within_shared(&placement, free) => {
                let mut thrifty = self.thriftiest(shared, free, i64::from(parts));
                let is_all = thrifty.iter().map(|&(_, parts)| parts).sum::<i64>() == i64::from(parts);
                // in the order of the shape, as any other placement
                thrifty.sort_unstable();
                thrifty.retain(|&(_, parts)| parts > 0);
                let of = |(place, parts): (usize, i64)| (self.cells[place].cell, parts as u32);
                is_all.then(|| Placement(thrifty.into_iter().map(of).collect()))
            }
            _ => Some(placement),
        }
    }

    pub fn is_free(&self, placement: &Placement, free: &[i64]) -> bool {
        self.is_within_shared(placement, free)
            && placement
                .0
                .iter()
                .all(|&(cell, parts)| self.parts_in(cell, free).is_some_and(|most| most >= i64::from(parts)))
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
        if let Some(shared) = &self.shared {
            free[shared.place as usize] -= times * self.drawn(shared, placement);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Two cells with an amount each, and an amount that they share: a part takes 5 of it in the first, 2 in the second.
    fn shape() -> Shape {
        let cell = |cell: u32| ShapeCell { cell, place: cell, each: vec![1] };
        Shape::new(vec![cell(0), cell(1)]).sharing(SharedDraw { place: 2, each: vec![5, 2] })
    }

    #[test]
    fn what_is_shared_is_taken_where_it_lasts_longest() {
        let shape = shape();
        assert_eq!(shape.place(3, &[2, 4, 100]), Some(Placement(vec![(0, 2), (1, 1)])), "in order while it lasts");
        assert_eq!(shape.place(3, &[2, 4, 10]), Some(Placement(vec![(1, 3)])), "12 would be too much");
        assert_eq!(shape.place(5, &[2, 4, 13]), Some(Placement(vec![(0, 1), (1, 4)])));
        assert_eq!(shape.place(5, &[2, 4, 12]), None);
        assert_eq!((shape.most_parts(&[2, 4, 12]), shape.most_parts(&[2, 4, 13])), (4, 5));
        assert_eq!((shape.parts_in(0, &[2, 4, 9]), shape.parts_in(1, &[2, 4, 9])), (Some(1), Some(4)));
        assert_eq!(shape.most_parts(&[2, 4, -3]), 0, "nothing is left while more is drawn than may be");
    }

    #[test]
    fn more_room_never_makes_fewer_parts_fit() {
        let shape = shape();
        for free in (0..512).map(|n| [n % 8, n / 8 % 8, n / 64 * 3]) {
            let most = shape.most_parts(&free);
            assert!(shape.fits(most as u32, &free) && shape.place(most as u32, &free).is_some());
            assert_eq!(shape.place(most as u32 + 1, &free), None);
            for place in 0..3 {
                let mut more = free;
                more[place] += 1;
                assert!(shape.most_parts(&more) >= most, "{free:?}");
            }
            let placement = shape.place(most as u32, &free).unwrap();
            assert!(shape.is_free(&placement, &free));
            let mut left = free;
            shape.take(&placement, &mut left, 1);
            assert!(left.iter().all(|&left| left >= 0), "{free:?} {placement:?} {left:?}");
        }
    }
}

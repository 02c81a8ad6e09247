//! Going through a queue.

use super::block::{Block, CAPACITY};
use super::room::Room;
use super::spot::Spot;

/// A walk through a queue, in its order.
pub(super) struct Walk<'a> {
    blocks: &'a [Box<Block>],
    /// The block it is in; none behind the last.
    block: Option<&'a Block>,
    /// The number of the block.
    number: usize,
    /// Where in the block it goes on.
    index: usize,
}

/// A job to which a walk has come.
#[derive(Clone, Copy)]
pub(super) struct Stop<'a> {
    pub(super) place: usize,
    pub(super) processors: u32,
    pub(super) estimate: f64,
    block: &'a Block,
}

impl Stop<'_> {
    /// Where the job stands.
    #[inline]
    pub(super) fn spot(&self) -> Spot {
        *self.block.spot(self.place % CAPACITY)
    }
}

impl<'a> Walk<'a> {
    /// From a place on.
    #[inline(always)]
    pub(super) fn new(blocks: &'a [Box<Block>], place: usize) -> Self {
        let (number, index) = (place / CAPACITY, place % CAPACITY);
        Walk { blocks, block: blocks.get(number).map(|block| &**block), number, index }
    }

    /// The next job that is at most `width` wide. Those for whom there is no room may be left out.
    #[inline(always)] // it is what a scan does most
    pub(super) fn next_narrow(&mut self, width: u32, room: &Room) -> Option<Stop<'a>> {
        let first = room.first();
        loop {
            let block = self.block?;
            let jobs = block.widths().iter().zip(block.estimates());
            for (index, (&processors, &estimate)) in jobs.enumerate().skip(self.index) {
                if processors <= width && !first.excludes(processors, estimate) {
                    self.index = index + 1;
                    return Some(Stop { place: self.number * CAPACITY + index, processors, estimate, block });
                }
            }
            self.enter_next(width, room);
        }
    }

    /// Goes on to the next block with a job that is at most `width` wide, and for one of which there might be room.
    #[inline(never)]
    fn enter_next(&mut self, width: u32, room: &Room) {
        let rest = self.blocks.iter().enumerate().skip(self.number + 1);
        let next = rest.map(|(number, block)| (number, &**block)).find(|(_, block)| {
            block.narrowest() <= width && !(room.has_bounds() && room.is_too_small_for_all(block.needs()))
        });
        self.index = 0;
        (self.number, self.block) = next.map_or((self.blocks.len(), None), |(number, block)| (number, Some(block)));
    }
}

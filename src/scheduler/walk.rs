//! Going through a queue.

use super::block::{Block, CAPACITY};
use super::room::Room;
use super::spot::Spot;
use crate::simulation::Waiting;

/// A walk through a queue, in its order.
pub(super) struct Walk<'a> {
    /// The block it is in.
    widths: &'a [u32],
    jobs: &'a [Waiting],
    spots: &'a [Spot],
    /// Where in it the walk goes on.
    index: usize,
    /// The place of the block's first job.
    first: usize,
    /// The blocks behind it.
    rest: &'a [Box<Block>],
}

/// A job to which a walk has come.
#[derive(Clone, Copy)]
pub(super) struct Stop<'a> {
    pub(super) place: usize,
    pub(super) spot: &'a Spot,
    pub(super) job: &'a Waiting,
}

impl<'a> Walk<'a> {
    /// From a place on.
    pub(super) fn new(blocks: &'a [Box<Block>], place: usize) -> Self {
        let (first, index) = (place / CAPACITY, place % CAPACITY);
        let mut walk = Walk { widths: &[], jobs: &[], spots: &[], index, first: first * CAPACITY, rest: &[] };
        if let Some((block, rest)) = blocks.get(first..).and_then(<[Box<Block>]>::split_first) {
            walk.enter(block);
            walk.rest = rest;
        }
        walk
    }

    /// The next job that is at most `width` wide. Those for whom there is no room may be left out.
    #[inline(always)] // it is what a scan does most
    pub(super) fn next_narrow(&mut self, width: u32, room: &Room) -> Option<Stop<'a>> {
        loop {
            while let Some(&next) = self.widths.get(self.index) {
                let index = self.index;
                self.index += 1;
                if next <= width {
                    let (spot, job) = (self.spots.get(index)?, self.jobs.get(index)?);
                    return Some(Stop { place: self.first + index, spot, job });
                }
            }
            self.enter_next(width, room)?;
        }
    }

    /// Goes on to the next block with a job that is at most `width` wide, and for one of which there might be room.
    #[inline(never)]
    fn enter_next(&mut self, width: u32, room: &Room) -> Option<()> {
        loop {
            let (block, rest) = self.rest.split_first()?;
            self.rest = rest;
            self.first += CAPACITY;
            if block.narrowest() <= width && !(room.has_bounds() && room.is_too_small_for_all(block.needs())) {
                self.index = 0;
                self.enter(block);
                return Some(());
            }
        }
    }

    fn enter(&mut self, block: &'a Block) {
        (self.widths, self.jobs, self.spots) = (block.widths(), block.jobs(), block.spots());
    }
}

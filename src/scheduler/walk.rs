//! Going through a queue.

use super::block::{Block, CAPACITY};
use super::room::Room;
use super::spot::Spot;
use crate::simulation::Waiting;
use std::iter::Enumerate;
use std::slice::Iter;

/// A walk through a queue, in its order.
pub(super) struct Walk<'a> {
    /// The widths of those who are left of the block it is in, counted from where it entered that.
    widths: Enumerate<Iter<'a, u32>>,
    /// All jobs from there on.
    jobs: &'a [Waiting],
    spots: &'a [Spot],
    /// The place of the first of them.
    first: usize,
    /// The place of the block.
    block: usize,
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
        let (number, index) = (place / CAPACITY, place % CAPACITY);
        let mut walk = Walk {
            widths: [].iter().enumerate(),
            jobs: &[],
            spots: &[],
            first: place,
            block: number * CAPACITY,
            rest: &[],
        };
        if let Some((block, rest)) = blocks.get(number..).and_then(<[Box<Block>]>::split_first) {
            walk.enter(block, index.min(block.len()));
            walk.rest = rest;
        }
        walk
    }

    /// The next job that is at most `width` wide. Those for whom there is no room may be left out.
    #[inline(always)] // it is what a scan does most
    pub(super) fn next_narrow(&mut self, width: u32, room: &Room) -> Option<Stop<'a>> {
        loop {
            if let Some((index, _)) = self.widths.find(|&(_, &next)| next <= width) {
                let (spot, job) = (self.spots.get(index)?, self.jobs.get(index)?);
                return Some(Stop { place: self.first + index, spot, job });
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
            self.block += CAPACITY;
            if block.narrowest() <= width && !(room.has_bounds() && room.is_too_small_for_all(block.needs())) {
                self.first = self.block;
                self.enter(block, 0);
                return Some(());
            }
        }
    }

    fn enter(&mut self, block: &'a Block, index: usize) {
        self.widths = block.widths()[index..].iter().enumerate();
        (self.jobs, self.spots) = (&block.jobs()[index..], &block.spots()[index..]);
    }
}

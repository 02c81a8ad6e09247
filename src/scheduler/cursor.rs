//! Going through a queue.

use super::block::QueueBlock;
use super::capacity::CapacityBounds;
use super::place::QueuePlace;
use super::rank::Rank;

pub(super) struct QueueCursor<'a> {
    blocks: &'a [Box<QueueBlock>],
    /// The present block; none after the last.
    block: Option<&'a QueueBlock>,
    number: usize,
    /// The index, in that block, of the next job to look at.
    index: usize,
}

#[derive(Clone, Copy)]
pub(super) struct QueuedJob<'a> {
    pub(super) place: QueuePlace,
    pub(super) processors: u32,
    pub(super) estimate: f64,
    block: &'a QueueBlock,
}

impl QueuedJob<'_> {
    #[inline]
    pub(super) fn rank(&self) -> Rank {
        *self.block.rank(self.place.index())
    }
}

impl<'a> QueueCursor<'a> {
    #[inline(always)]
    pub(super) fn new(blocks: &'a [Box<QueueBlock>], place: QueuePlace) -> Self {
        let (number, index) = (place.block(), place.index());
        QueueCursor { blocks, block: blocks.get(number).map(|block| &**block), number, index }
    }

    /// The next job that is at most `width` wide. Jobs that the bounds exclude may be left out.
    #[inline(always)] // a scan does this more than anything else
    pub(super) fn next_narrow(&mut self, width: u32, bounds: &CapacityBounds) -> Option<QueuedJob<'a>> {
        let first = bounds.first();
        loop {
            let block = self.block?;
            let jobs = block.widths().iter().zip(block.estimates());
            for (index, (&processors, &estimate)) in jobs.enumerate().skip(self.index) {
                if processors <= width && !first.excludes(processors, estimate) {
                    self.index = index + 1;
                    return Some(QueuedJob { place: QueuePlace::new(self.number, index), processors, estimate, block });
                }
            }
            self.enter_next(width, bounds);
        }
    }

    /// Goes on to the next block that may hold a job at most `width` wide that the bounds do not exclude.
    #[inline(never)]
    fn enter_next(&mut self, width: u32, bounds: &CapacityBounds) {
        let rest = self.blocks.iter().enumerate().skip(self.number + 1);
        let next = rest.map(|(number, block)| (number, &**block)).find(|(_, block)| {
            block.narrowest() <= width && !(bounds.are_known() && bounds.exclude_all(block.shortest_by_width()))
        });
        self.index = 0;
        (self.number, self.block) = next.map_or((self.blocks.len(), None), |(number, block)| (number, Some(block)));
    }
}

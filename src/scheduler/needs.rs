//! What the parts of a long queue are known to need.

use super::hole::Hole;
use crate::simulation::Waiting;

/// Bounds of widths up to which is known how long jobs are at least: whoever has so many processors free
/// or fewer is answered exactly where that is one of them. Who has more is not answered, but finds a job soon.
const WIDTHS: [u32; 16] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256];

/// For each block of a queue, how long its jobs up to each of [`WIDTHS`] are at least, as far as that is known from
/// having looked through it in vain: most blocks of a long queue need not be looked through again.
#[derive(Clone, Debug, Default)]
pub(super) struct Needs {
    /// Zero where nothing is known, infinite where there are no such jobs.
    least: Vec<[f64; WIDTHS.len()]>,
    /// Steps of a hole, as indices into [`WIDTHS`] and ends; kept for its memory.
    steps: Vec<(usize, f64)>,
}

impl Needs {
    /// There is another block.
    pub(super) fn insert(&mut self, block: usize) {
        self.least.insert(block, [0.0; WIDTHS.len()]);
    }

    /// A block is no more.
    pub(super) fn remove(&mut self, block: usize) {
        self.least.remove(block);
    }

    /// Other jobs may be in a block than before.
    pub(super) fn forget(&mut self, block: usize) {
        self.least[block] = [0.0; WIDTHS.len()];
    }

    /// Other jobs may be anywhere.
    pub(super) fn forget_all(&mut self) {
        self.least.fill([0.0; WIDTHS.len()]);
    }

    /// A job has come into a block.
    pub(super) fn enter(&mut self, block: usize, job: &Waiting) {
        let least = &mut self.least[block];
        // it descends: whoever is known to be long or not there, the narrow ones are
        if least[0] > job.estimate {
            for (least, _) in least.iter_mut().zip(WIDTHS).rev().take_while(|&(_, width)| width >= job.processors) {
                *least = least.min(job.estimate);
            }
        }
    }

    /// No job of a block could start now.
    pub(super) fn looked_through(&mut self, block: usize, hole: &Hole) {
        for step in hole.steps() {
            // the difference may be rounded up
            let too_long = match step.until {
                f64::INFINITY => f64::INFINITY,
                until => (until - hole.now()).next_down(),
            };
            for (least, _) in self.least[block].iter_mut().zip(WIDTHS).take_while(|&(_, width)| width <= step.width) {
                *least = least.max(too_long);
            }
        }
    }

    /// The first block from `from` on in which a job might start now.
    pub(super) fn first_fitting(&mut self, from: usize, hole: &Hole) -> Option<usize> {
        let blocks = self.least.get(from..).filter(|blocks| !blocks.is_empty())?;
        self.steps.clear();
        for step in hole.steps() {
            let Some(class) = WIDTHS.iter().position(|&width| step.width <= width) else { return Some(from) };
            self.steps.push((class, step.until.min(f64::MAX)));
        }
        let (now, steps) = (hole.now(), &self.steps);
        let might = |least: &[f64; WIDTHS.len()]| steps.iter().any(|&(class, until)| now + least[class] <= until);
        blocks.iter().position(might).map(|block| from + block)
    }
}

//! From where on a plan is searched for a job.

use super::steps::Placed;
use crate::scheduler::Order;
use crate::simulation::Waiting;

/// Where fewer jobs are to be placed, this costs more than it saves.
const WORTH: usize = 32;

/// Places in a profile before which no job of some width can begin. A profile only fills up while jobs are placed: who
/// is at least as wide as another does not find so many processors free any earlier, and where estimates ascend it does
/// not begin any earlier.
#[derive(Debug)]
pub(super) struct Floors {
    is_used: bool,
    estimates_ascend: bool,
    /// Widths and places, both ascending.
    floors: Vec<(u32, usize)>,
}

impl Floors {
    /// Nothing is known yet; so many jobs are to be placed in this order.
    pub(super) fn new(order: Order, jobs: usize) -> Self {
        Floors { is_used: jobs >= WORTH, estimates_ascend: order == Order::Sjf, floors: Vec::new() }
    }

    /// The place before which a job does not begin.
    #[inline]
    pub(super) fn below(&self, job: &Waiting) -> usize {
        let known = self.floors.iter().take_while(|(width, _)| *width <= job.processors);
        known.last().map_or(0, |&(_, place)| place)
    }

    /// A job was placed.
    #[inline]
    pub(super) fn placed(&mut self, job: &Waiting, placed: Placed) {
        if !self.is_used {
            return;
        }
        if let Some(inserted) = placed.inserted {
            for (_, place) in self.floors.iter_mut().filter(|(_, place)| *place >= inserted) {
                *place += 1;
            }
        }
        let (width, floor) = (job.processors, if self.estimates_ascend { placed.first } else { placed.wide });
        let from = self.floors.partition_point(|(other, _)| *other < width);
        if self.floors[..from].last().is_some_and(|&(_, place)| place >= floor) {
            return; // that is known of narrower jobs already
        }
        let until = from + self.floors[from..].iter().take_while(|&&(_, place)| place <= floor).count();
        self.floors.splice(from..until, [(width, floor)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::JobId;

    #[test]
    fn whoever_is_wider_begins_no_earlier() {
        let job = |processors| Waiting { job: JobId(0), submit: 0, processors, estimate: 1.0 };
        let at = |first, inserted| Placed { begin: 0.0, first, wide: first / 2, inserted };
        let mut floors = Floors::new(Order::Sjf, 100);
        floors.placed(&job(4), at(6, None));
        floors.placed(&job(2), at(3, Some(5)));
        floors.placed(&job(8), at(2, None));
        assert_eq!([1, 2, 3, 4, 9].map(|width| floors.below(&job(width))), [0, 3, 3, 7, 7]);
        floors.placed(&job(1), at(8, None));
        assert_eq!([1, 4].map(|width| floors.below(&job(width))), [8, 8]);
        let mut floors = Floors::new(Order::Ljf, 100);
        floors.placed(&job(4), at(6, None));
        assert_eq!([3, 4].map(|width| floors.below(&job(width))), [0, 3]);
    }
}

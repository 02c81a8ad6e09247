//! From where on a plan is searched for a job.

use super::steps::Placed;
use crate::model::Waiting;
use crate::scheduler::Order;

/// Where fewer jobs are to be placed, to know more than of the last one costs more than it saves.
const WORTH: usize = 512;

/// Places in a profile before which a job cannot begin. A profile only fills up while jobs are placed: who is at least
/// as wide and as long as another begins no earlier, and who is at least as wide does not find so many processors free
/// any earlier.
#[derive(Debug)]
pub(super) struct Floors {
    /// The job that was placed last, and where it begins.
    last: Option<(u32, f64, usize)>,
    /// Whether more is known than of that one.
    is_long: bool,
    estimates_ascend: bool,
    /// Widths and places, both ascending.
    floors: Vec<(u32, usize)>,
}

impl Floors {
    /// Nothing is known yet; so many jobs are to be placed in this order.
    pub(super) fn new(order: Order, jobs: usize) -> Self {
        Floors { last: None, is_long: jobs >= WORTH, estimates_ascend: order == Order::Sjf, floors: Vec::new() }
    }

    /// The place before which a job does not begin.
    #[inline]
    pub(super) fn below(&self, job: &Waiting) -> usize {
        match self.last {
            Some((width, estimate, place)) if job.processors >= width && job.estimate >= estimate => place,
            _ if self.is_long => self.of_width(job.processors),
            _ => 0,
        }
    }

    fn of_width(&self, processors: u32) -> usize {
        let known = self.floors.iter().take_while(|(width, _)| *width <= processors);
        known.last().map_or(0, |&(_, place)| place)
    }

    /// A job was placed.
    #[inline]
    pub(super) fn placed(&mut self, job: &Waiting, placed: Placed) {
        self.last = Some((job.processors, job.estimate, placed.first));
        if self.is_long {
            self.add(job.processors, placed);
        }
    }

    fn add(&mut self, width: u32, placed: Placed) {
        if let Some(inserted) = placed.inserted {
            for (_, place) in self.floors.iter_mut().rev().take_while(|(_, place)| *place >= inserted) {
                *place += 1;
            }
        }
        let floor = if self.estimates_ascend { placed.first } else { placed.wide };
        let from = self.floors.iter().take_while(|(other, _)| *other < width).count();
        if self.floors[..from].last().is_some_and(|&(_, place)| place >= floor) {
            return; // that is known of narrower jobs already
        }
        let until = from + self.floors[from..].iter().take_while(|&&(_, place)| place <= floor).count();
        if until > from {
            self.floors[from] = (width, floor);
            self.floors.drain(from + 1..until);
        } else if self.floors.get(from).is_none_or(|&(other, _)| other > width) {
            self.floors.insert(from, (width, floor));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::JobId;

    #[test]
    fn whoever_is_wider_begins_no_earlier() {
        // shorter than those that are asked for: of the last one nothing follows for them
        let placed = |processors| Waiting { job: JobId(0), submit: 0, processors, estimate: 1.0 };
        let job = |processors| Waiting { estimate: 0.5, ..placed(processors) };
        let at = |first, inserted| Placed { begin: 0.0, first, wide: first / 2, inserted };
        let mut floors = Floors::new(Order::Sjf, 1000);
        floors.placed(&placed(4), at(6, None));
        floors.placed(&placed(2), at(3, Some(5)));
        floors.placed(&placed(8), at(2, None));
        assert_eq!([1, 2, 3, 4, 9].map(|width| floors.below(&job(width))), [0, 3, 3, 7, 7]);
        floors.placed(&placed(1), at(8, None));
        assert_eq!([1, 4].map(|width| floors.below(&job(width))), [8, 8]);
        let mut floors = Floors::new(Order::Ljf, 1000);
        floors.placed(&placed(4), at(6, None));
        assert_eq!([3, 4].map(|width| floors.below(&job(width))), [0, 3]);
    }
}

//! A queue kept in an order.

use super::hole::Hole;
use super::order::{Key, Order};
use crate::simulation::Waiting;
use crate::workload::Seconds;

/// What comes first among jobs whose first key is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ties {
    /// The order's own second key, then log order (the list family).
    SecondKey,
    /// Log order at once (the EASY family).
    LogOrder,
}

/// The narrowest width of a queue without jobs: more than any machine has.
const NO_JOB: u32 = u32::MAX;

/// Waiting jobs in the order of their keys, as columns.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    order: Order,
    ties: Ties,
    keys: Vec<Key>,
    jobs: Vec<Waiting>,
    /// The jobs' processors once more: these are looked through in every round.
    widths: Vec<u32>,
    narrowest: u32,
    /// What is being sorted; kept for its memory.
    entries: Vec<(Key, Waiting)>,
}

impl Queue {
    pub(super) fn new(order: Order, ties: Ties) -> Self {
        Queue {
            order,
            ties,
            keys: Vec::new(),
            jobs: Vec::new(),
            widths: Vec::new(),
            narrowest: NO_JOB,
            entries: Vec::new(),
        }
    }

    fn key(&self, job: &Waiting, now: Seconds) -> Key {
        let (first, second) = self.order.key(job, now);
        match self.ties {
            Ties::SecondKey => (first, second),
            Ties::LogOrder => (first, 0.0),
        }
    }

    /// A job enters at `now`; its place.
    pub(super) fn insert(&mut self, job: Waiting, now: Seconds) -> usize {
        let key = self.key(&job, now);
        let place = self.place(key, &job);
        self.keys.insert(place, key);
        self.jobs.insert(place, job);
        self.widths.insert(place, job.processors);
        self.narrowest = self.narrowest.min(job.processors);
        place
    }

    /// Where a job with this key stands, or would stand.
    fn place(&self, key: Key, job: &Waiting) -> usize {
        let (mut low, mut high) = (0, self.keys.len());
        while low < high {
            let middle = (low + high) / 2;
            if (self.keys[middle], self.jobs[middle].job) < (key, job.job) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Brings the order up to date, for keys that change as time passes. Whether they do.
    pub(super) fn refresh(&mut self, now: Seconds) -> bool {
        if !self.order.depends_on_now() {
            return false;
        }
        self.sort(now);
        true
    }

    /// Sets estimates, which `estimates` has in log order; the first place that holds another job or
    /// another estimate than before.
    pub(super) fn reestimate(&mut self, estimates: &[f64], now: Seconds) -> Option<usize> {
        let is_new = |job: &Waiting| job.estimate != estimates[job.job.index()];
        let first = self.jobs.iter().position(is_new)?;
        for job in &mut self.jobs[first..] {
            job.estimate = estimates[job.job.index()];
        }
        if !self.order.depends_on_estimate() {
            return Some(first);
        }
        // what moves stood at `first` or behind it, but may have moved before it
        Some(self.sort(now).min(first))
    }

    /// Sorts the jobs by their present keys; the first place that holds another job than before.
    fn sort(&mut self, now: Seconds) -> usize {
        let mut entries = std::mem::take(&mut self.entries);
        entries.clear();
        entries.extend(self.jobs.iter().map(|job| (self.key(job, now), *job)));
        // keys are never NaN, for estimates are above 0
        entries.sort_unstable_by(|(a, x), (b, y)| (a, x.job).partial_cmp(&(b, y.job)).unwrap());
        let mut first = self.jobs.len();
        for (place, &(key, job)) in entries.iter().enumerate() {
            if job.job != self.jobs[place].job {
                first = first.min(place);
            }
            self.keys[place] = key;
            self.jobs[place] = job;
            self.widths[place] = job.processors;
        }
        self.entries = entries;
        first
    }

    /// Width of the narrowest job; [`NO_JOB`] where there is none.
    pub(super) fn narrowest(&self) -> u32 {
        self.narrowest
    }

    /// The job at a place.
    pub(super) fn job(&self, place: usize) -> Waiting {
        self.jobs[place]
    }

    /// The place of the first job from `place` on that is at most `width` wide.
    pub(super) fn first_narrow(&self, place: usize, width: u32) -> Option<usize> {
        if width < self.narrowest {
            return None;
        }
        self.widths[place..].iter().position(|&w| w <= width).map(|i| place + i)
    }

    /// The place of the first job from `place` on that could start now.
    pub(super) fn first_fitting(&self, mut place: usize, hole: &Hole) -> Option<usize> {
        while let Some(next) = self.first_narrow(place, hole.width()) {
            if hole.takes(&self.jobs[next]) {
                return Some(next);
            }
            place = next + 1;
        }
        None
    }

    /// The jobs in the order of their keys at `now`, also where it was not brought up to date.
    pub(super) fn ordered(&self, now: Seconds) -> Vec<Waiting> {
        let mut jobs = self.jobs.clone();
        if self.order.depends_on_now() {
            // keys are never NaN, for estimates are above 0
            jobs.sort_by(|a, b| (self.key(a, now), a.job).partial_cmp(&(self.key(b, now), b.job)).unwrap());
        }
        jobs
    }

    /// The jobs in order.
    pub(super) fn jobs(&self) -> &[Waiting] {
        &self.jobs
    }

    /// Takes out the jobs at these places, which ascend.
    pub(super) fn remove(&mut self, places: &[usize]) {
        let narrowest_goes = places.iter().any(|&place| self.widths[place] == self.narrowest);
        match *places {
            [] => {}
            [place] => {
                self.keys.remove(place);
                self.jobs.remove(place);
                self.widths.remove(place);
            }
            _ => {
                remove_places(&mut self.keys, places);
                remove_places(&mut self.jobs, places);
                remove_places(&mut self.widths, places);
            }
        }
        if narrowest_goes {
            self.narrowest = self.widths.iter().copied().min().unwrap_or(NO_JOB);
        }
    }

    /// Takes out one job, which must be in the queue.
    pub(super) fn remove_job(&mut self, job: &Waiting, now: Seconds) {
        let place = if self.order.depends_on_now() {
            self.jobs.iter().position(|j| j.job == job.job)
        } else {
            Some(self.place(self.key(job, now), job))
        };
        if let Some(place) = place {
            debug_assert_eq!(self.jobs[place].job, job.job);
            self.remove(&[place]);
        }
    }
}

/// Takes out the elements at `places`, which ascend, in one pass.
fn remove_places<T: Copy>(column: &mut Vec<T>, places: &[usize]) {
    let mut kept = places[0];
    for (i, &place) in places.iter().enumerate() {
        let end = places.get(i + 1).copied().unwrap_or(column.len());
        column.copy_within(place + 1..end, kept);
        kept += end - place - 1;
    }
    column.truncate(kept);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::JobId;

    fn places(queue: &Queue) -> Vec<(u32, f64)> {
        queue.jobs().iter().map(|job| (job.job.0, job.estimate)).collect()
    }

    #[test]
    fn a_queue_estimated_anew_is_as_if_made_so() {
        // estimates by job; the first place that is not what it was
        let cases: [([f64; 4], Option<usize>); 5] = [
            ([5.0, 6.0, 7.0, 8.0], None),
            ([5.0, 6.0, 7.0, 9.0], Some(3)),
            ([5.0, 6.5, 7.0, 8.0], Some(1)),
            ([5.0, 6.0, 7.0, 4.0], Some(0)),
            ([9.0, 6.0, 6.0, 8.0], Some(0)),
        ];
        let width = |job: u32| 1 + job % 2;
        let made = |estimates: &[f64]| {
            let mut queue = Queue::new(Order::Sjf, Ties::SecondKey);
            for (job, &estimate) in (0..).zip(estimates) {
                queue.insert(Waiting { job: JobId(job), submit: 0, processors: width(job), estimate }, 0);
            }
            queue
        };
        for (estimates, first) in cases {
            let mut queue = made(&[5.0, 6.0, 7.0, 8.0]);
            assert_eq!(queue.reestimate(&estimates, 0), first);
            let fresh = made(&estimates);
            assert_eq!(places(&queue), places(&fresh));
            assert_eq!((&queue.keys, &queue.widths), (&fresh.keys, &fresh.widths));
        }
    }
}

//! The waiting jobs in the order of a policy, and batches of equal neighbours.

use crate::Order;
use crate::contenders::Rank;
use crate::order::Key;
use packfair_engine::model::{View, Waiting};
use packfair_workload::JobId;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// The rank of a waiting job in an order. The key of a formula may depend on all that a scheduler sees.
#[inline]
pub(super) fn rank_of(order: Order, job: &Waiting, view: &View) -> Rank {
    // keys are never NaN: estimates are above 0, and a formula's NaN is mapped to the last key
    let key = match order {
        Order::Written(_) => order.key_in(view, job),
        other => other.key(job, view.now()),
    };
    Rank::new(key, job.job)
}

/// The rank of a waiting job in a queue, which may be in the order that the last SJF sort left.
#[inline]
fn rank_with(left: Option<&LeftOrder>, order: Order, job: &Waiting, view: &View) -> Rank {
    match left {
        Some(left) => Rank::new(left.key(job), job.job),
        None => rank_of(order, job, view),
    }
}

/// The order in which the last SJF sort left the queue. Jobs that came since stand behind, in the order of submission.
#[derive(Clone, Debug, Default)]
pub(super) struct LeftOrder {
    /// The key of each job that waited when the queue was last sorted.
    keys: FxHashMap<JobId, Key>,
}

impl LeftOrder {
    /// The key of a job that came since the sort: behind all jobs that were sorted.
    const ARRIVED: Key = (f64::INFINITY, 0.0);

    pub(super) fn key(&self, job: &Waiting) -> Key {
        self.keys.get(&job.job).copied().unwrap_or(Self::ARRIVED)
    }

    /// Sorts a job by its present estimate. Returns whether its key has changed.
    pub(super) fn sort(&mut self, job: &Waiting, view: &View) -> bool {
        let key = Order::Sjf.key(job, view.now());
        self.keys.insert(job.job, key) != Some(key)
    }

    /// Puts a job back into the order of submission. Returns whether it had another place.
    pub(super) fn put_back(&mut self, job: &Waiting) -> bool {
        self.keys.remove(&job.job).is_some()
    }

    /// Forgets a job that leaves the queue.
    pub(super) fn remove(&mut self, job: JobId) {
        self.keys.remove(&job);
    }
}

#[derive(Clone, Copy, Debug)]
struct RankedJob {
    rank: Rank,
    job: Waiting,
}

/// Neighbours in the queue with the same width and estimate. To a plan they are interchangeable: it places several at
/// once, and the first of them in the queue begins first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Batch {
    pub(super) processors: u32,
    pub(super) estimate: f64,
    pub(super) jobs: u32,
}

impl Batch {
    fn of(job: &Waiting) -> Self {
        Batch { processors: job.processors, estimate: job.estimate, jobs: 1 }
    }

    fn has_equals_of(&self, other: &Batch) -> bool {
        self.processors == other.processors && self.estimate == other.estimate
    }
}

/// The number of a batch in the queue, and how many jobs are before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct BatchPlace {
    batch: usize,
    pub(super) first: usize,
}

#[derive(Clone, Debug)]
pub(super) struct PolicyQueue {
    order: Order,
    /// Keys that replace those of the order, where the queue is in the order that the last SJF sort left.
    left: Option<LeftOrder>,
    entries: VecDeque<RankedJob>,
    /// The jobs in batches. Two neighbouring batches may have the same width and estimate.
    batches: Vec<Batch>,
}

impl PolicyQueue {
    /// A queue without jobs.
    pub(super) fn new(order: Order) -> Self {
        PolicyQueue { order, left: None, entries: VecDeque::new(), batches: Vec::new() }
    }

    /// The same queue, in the order in which the last SJF sort left it.
    pub(super) fn in_left_order(self) -> Self {
        PolicyQueue { left: Some(LeftOrder::default()), ..self }
    }

    #[inline]
    pub(super) fn rank(&self, job: &Waiting, view: &View) -> Rank {
        rank_with(self.left.as_ref(), self.order, job, view)
    }

    /// Ends a try that sorted the queue by SJF, or by submission, if this queue keeps the order that such a sort
    /// leaves. Returns how many jobs at its head keep their places.
    pub(super) fn leave_sorted(&mut self, by_submission: bool, view: &View) -> usize {
        let Some(left) = &mut self.left else { return self.entries.len() };
        let mut sort = |job: &Waiting| if by_submission { left.put_back(job) } else { left.sort(job, view) };
        // each job has to be looked at, so this must not stop early
        let changed = self.entries.iter().fold(false, |changed, entry| sort(&entry.job) | changed);
        if !changed {
            return self.entries.len();
        }
        let before: Vec<JobId> = self.entries.iter().map(|entry| entry.job.job).collect();
        self.sort(view);
        let stays = before.iter().zip(&self.entries).take_while(|(job, entry)| **job == entry.job.job);
        stays.count()
    }

    pub(super) fn order(&self) -> Order {
        self.order
    }

    /// How many jobs wait.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn from(&self, from: usize) -> impl Iterator<Item = Waiting> + '_ {
        self.entries.range(from..).map(|entry| entry.job)
    }

    pub(super) fn batches(&self) -> &[Batch] {
        &self.batches
    }

    /// The place of the job with this rank in the queue, or the place where it would be inserted.
    pub(super) fn place_of(&self, rank: Rank) -> usize {
        self.entries.partition_point(|entry| entry.rank < rank)
    }

    /// The batch of the job at a place, or the last batch for a place behind all jobs; none where no job waits.
    pub(super) fn batch_at(&self, place: usize) -> Option<BatchPlace> {
        let mut first = 0;
        for (batch, Batch { jobs, .. }) in self.batches.iter().enumerate() {
            let next = first + *jobs as usize;
            if place < next || batch + 1 == self.batches.len() {
                return Some(BatchPlace { batch, first });
            }
            first = next;
        }
        None
    }

    /// The number of the batch of the job at a place, and how many jobs of that batch are before it.
    pub(super) fn position(&self, place: usize) -> (usize, u32) {
        let mut left = place;
        let within = self.batches.iter().position(|batch| {
            let is_in = left < batch.jobs as usize;
            left -= if is_in { 0 } else { batch.jobs as usize };
            is_in
        });
        (within.unwrap_or(self.batches.len()), left as u32)
    }

    /// How many jobs are before the end of a batch, counted from the head of the queue.
    pub(super) fn end_of(&self, at: BatchPlace) -> usize {
        at.first + self.batches[at.batch].jobs as usize
    }

    /// Inserts a job with this rank. Returns how many jobs a plan places as before: those before it, and the others of
    /// its batch.
    pub(super) fn insert(&mut self, job: Waiting, rank: Rank) -> usize {
        let place = self.place_of(rank);
        self.entries.insert(place, RankedJob { rank, job });
        let new = Batch::of(&job);
        let Some(at) = self.batch_at(place) else {
            self.batches.push(new);
            return 0;
        };
        let BatchPlace { batch, first } = at;
        let end = self.end_of(at);
        if self.batches[batch].has_equals_of(&new) {
            self.batches[batch].jobs += 1;
            return end;
        }
        if place == first && batch > 0 && self.batches[batch - 1].has_equals_of(&new) {
            self.batches[batch - 1].jobs += 1;
            return place;
        }
        if place == first || place == end {
            self.batches.insert(batch + usize::from(place == end), new);
        } else {
            let behind = Batch { jobs: (end - place) as u32, ..self.batches[batch] };
            self.batches[batch].jobs = (place - first) as u32;
            self.batches.splice(batch + 1..batch + 1, [new, behind]);
        }
        place
    }

    pub(super) fn remove(&mut self, place: usize, at: BatchPlace) {
        let gone = self.entries.remove(place);
        if let (Some(left), Some(gone)) = (&mut self.left, gone) {
            left.remove(gone.job.job);
        }
        let batch = at.batch;
        self.batches[batch].jobs -= 1;
        if self.batches[batch].jobs > 0 {
            return;
        }
        self.batches.remove(batch);
        if batch > 0 && batch < self.batches.len() && self.batches[batch - 1].has_equals_of(&self.batches[batch]) {
            self.batches[batch - 1].jobs += self.batches[batch].jobs;
            self.batches.remove(batch);
        }
    }

    /// Takes over new estimates, indexed by job. Returns whether any changed.
    pub(super) fn reestimated(&mut self, estimates: &[f64]) -> bool {
        let mut changed = false;
        for RankedJob { job, .. } in &mut self.entries {
            let estimate = estimates[job.job.index()];
            changed |= estimate != job.estimate;
            job.estimate = estimate;
        }
        changed
    }

    /// Brings ranks and order up to date.
    pub(super) fn sort(&mut self, view: &View) {
        for entry in &mut self.entries {
            entry.rank = rank_with(self.left.as_ref(), self.order, &entry.job, view);
        }
        let entries = self.entries.make_contiguous();
        entries.sort_unstable_by_key(|entry| entry.rank);
        self.batches.clear();
        for entry in entries {
            let new = Batch::of(&entry.job);
            match self.batches.last_mut() {
                Some(last) if last.has_equals_of(&new) => last.jobs += 1,
                _ => self.batches.push(new),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_workload::JobId;

    /// Inserts a job by FCFS.
    fn insert(queue: &mut PolicyQueue, job: Waiting) -> usize {
        queue.insert(job, Rank::new((0.0, 0.0), job.job))
    }

    fn job(job: u32, processors: u32, estimate: f64) -> Waiting {
        Waiting { job: JobId(job), submit: 0, processors, estimate }
    }

    fn batches(queue: &PolicyQueue) -> Vec<(u32, f64, u32)> {
        queue.batches().iter().map(|batch| (batch.processors, batch.estimate, batch.jobs)).collect()
    }

    #[test]
    fn equal_neighbours_are_a_batch() {
        let mut queue = PolicyQueue::new(Order::Fcfs);
        let stay: Vec<usize> =
            [job(1, 2, 9.0), job(2, 2, 9.0), job(5, 4, 9.0), job(6, 2, 9.0), job(0, 2, 9.0), job(7, 4, 9.0)]
                .map(|job| insert(&mut queue, job))
                .into();
        assert_eq!(batches(&queue), [(2, 9.0, 3), (4, 9.0, 1), (2, 9.0, 1), (4, 9.0, 1)]);
        assert_eq!(stay, [0, 1, 2, 3, 2, 5], "the job that came before its equals is as good as the last of them");
        assert_eq!(insert(&mut queue, job(4, 1, 1.0)), 3);
        assert_eq!(insert(&mut queue, job(3, 2, 9.0)), 3);
        assert_eq!(batches(&queue)[..2], [(2, 9.0, 4), (1, 1.0, 1)]);
        assert_eq!(insert(&mut queue, job(8, 1, 1.0)), 8);
        assert_eq!((queue.position(2), queue.position(4), queue.position(9)), ((0, 2), (1, 0), (6, 0)));
    }

    #[test]
    fn a_job_may_come_between_equals_and_leave_again() {
        let mut queue = PolicyQueue::new(Order::Fcfs);
        let places = [0, 1, 3].map(|number| insert(&mut queue, job(number, 2, 9.0)));
        assert_eq!(places, [0, 1, 2]);
        assert_eq!(insert(&mut queue, job(2, 1, 1.0)), 2);
        assert_eq!(batches(&queue), [(2, 9.0, 2), (1, 1.0, 1), (2, 9.0, 1)]);
        let at = queue.batch_at(2).unwrap();
        queue.remove(2, at);
        assert_eq!(batches(&queue), [(2, 9.0, 3)]);
        assert_eq!(queue.from(0).map(|job| job.job.0).collect::<Vec<_>>(), [0, 1, 3]);
    }
}

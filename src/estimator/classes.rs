//! What estimators group jobs by.

use crate::workload::{JobId, Request, Seconds};
use rustc_hash::FxHashMap;

/// What jobs of one class have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Class {
    pub(super) executable: i32,
    pub(super) user: i32,
    pub(super) limit: Seconds,
    pub(super) processors: u32,
}

impl Class {
    /// The class of a job.
    pub(super) fn of(request: &Request) -> Self {
        let Request { executable, user, limit, processors, .. } = *request;
        Class { executable, user, limit, processors }
    }
}

/// The classes of the jobs submitted so far, numbered from 0 in the order in which they first came;
/// with something kept for each.
#[derive(Debug)]
pub(super) struct Classes<T> {
    numbers: FxHashMap<Class, u32>,
    /// Class of each job, in log order.
    of_jobs: Vec<u32>,
    kept: Vec<T>,
}

impl<T> Default for Classes<T> {
    fn default() -> Self {
        Classes { numbers: FxHashMap::default(), of_jobs: Vec::new(), kept: Vec::new() }
    }
}

impl<T> Classes<T> {
    /// A job is submitted; what is kept for its class, made by `first` for the first job of a class.
    pub(super) fn enter(&mut self, job: JobId, request: &Request, first: impl FnOnce(Class) -> T) -> &mut T {
        let class = Class::of(request);
        let kept = &mut self.kept;
        let number = *self.numbers.entry(class).or_insert_with(|| {
            kept.push(first(class));
            kept.len() as u32 - 1
        });
        if self.of_jobs.len() <= job.index() {
            self.of_jobs.resize(job.index() + 1, u32::MAX);
        }
        self.of_jobs[job.index()] = number;
        &mut self.kept[number as usize]
    }

    /// What is kept for the class of a job that was submitted.
    pub(super) fn of(&self, job: JobId) -> &T {
        &self.kept[self.of_jobs[job.index()] as usize]
    }

    /// As [`Classes::of`], to be changed.
    pub(super) fn of_mut(&mut self, job: JobId) -> &mut T {
        &mut self.kept[self.of_jobs[job.index()] as usize]
    }
}

/// Numbers values from 0 in the order in which they first come.
#[derive(Debug)]
pub(super) struct Numbers<K> {
    known: FxHashMap<K, u32>,
}

impl<K> Default for Numbers<K> {
    fn default() -> Self {
        Numbers { known: FxHashMap::default() }
    }
}

impl<K: Eq + std::hash::Hash> Numbers<K> {
    /// The number of `value`.
    pub(super) fn of(&mut self, value: K) -> u32 {
        let next = self.known.len() as u32;
        *self.known.entry(value).or_insert(next)
    }

    /// How many values there are.
    pub(super) fn len(&self) -> usize {
        self.known.len()
    }
}

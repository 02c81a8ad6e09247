//! Submissions of users who react: each comes about as what it waits for ends.

use super::World;
use crate::estimator::Estimator;
use crate::model::{JobSet, View};
use crate::simulation::Options;
use crate::simulation::renumbered::{Numbers, Renumbered};
use crate::workload::{JobId, Reactions, Request, Seconds, WaitedFor, Workload};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

/// What is still to be submitted. A job gets its number as it arrives: the first to arrive is [`JobId`] 0. By its place in
/// the log it is known before.
pub(super) struct Reacting<'a> {
    workload: &'a Workload,
    reactions: &'a Reactions,
    /// By batch.
    batches: Vec<Waits>,
    /// By place in the log: the batch of a job.
    of_job: Vec<u32>,
    /// What waits for each batch: the dependency, as its batch and its number there.
    followers: Vec<(u32, u32)>,
    /// With which of those each batch begins; and where the last one ends.
    followers_from: Vec<u32>,
    /// What waits for single jobs, by their places.
    followers_of_jobs: FxHashMap<JobId, Vec<(u32, u32)>>,
    /// The batches of which a job is to be submitted, that job first: (when, its place, which of its batch it is).
    due: BinaryHeap<Reverse<(Seconds, JobId, u32)>>,
    numbers: Rc<Numbers>,
    /// By job.
    runs: Vec<Seconds>,
    /// Jobs of which it is known that they end.
    ended: JobSet,
    /// By place in the log: when each was submitted.
    submits: Vec<Seconds>,
}

/// What a batch waits for yet.
#[derive(Clone, Default)]
struct Waits {
    /// How many dependencies.
    open: u32,
    /// How many of its jobs have not ended.
    left: u32,
    /// No earlier it is submitted.
    at: Seconds,
    /// When the last of its jobs ended, so far.
    end: Seconds,
}

impl<'a> Reacting<'a> {
    fn new(workload: &'a Workload, reactions: &'a Reactions) -> Self {
        let count = reactions.batches();
        let mut of_job = vec![0; workload.len()];
        let mut batches = vec![Waits { at: Seconds::MIN, end: Seconds::MIN, ..Waits::default() }; count];
        let mut followers_from = vec![0; count + 1];
        let mut followers_of_jobs: FxHashMap<JobId, Vec<(u32, u32)>> = FxHashMap::default();
        let mut due = Vec::new();
        for (batch, waits) in batches.iter_mut().enumerate() {
            let (jobs, depends) = (reactions.jobs(batch), reactions.dependencies(batch));
            jobs.iter().for_each(|job| of_job[job.index()] = batch as u32);
            (waits.open, waits.left) = (depends.len() as u32, jobs.len() as u32);
            if depends.is_empty() {
                due.push(Reverse((workload.request(jobs[0]).submit, jobs[0], 0)));
            }
            for (number, dependency) in (0..).zip(depends) {
                match dependency.on {
                    WaitedFor::Batch(on) => followers_from[on as usize + 1] += 1,
                    WaitedFor::Job(on) => followers_of_jobs.entry(on).or_default().push((batch as u32, number)),
                }
            }
        }
        (0..count).for_each(|batch| followers_from[batch + 1] += followers_from[batch]);
        let (mut places, mut followers) = (followers_from.clone(), vec![(0, 0); followers_from[count] as usize]);
        for batch in 0..count {
            for (number, dependency) in (0..).zip(reactions.dependencies(batch)) {
                if let WaitedFor::Batch(on) = dependency.on {
                    let place = &mut places[on as usize];
                    followers[*place as usize] = (batch as u32, number);
                    *place += 1;
                }
            }
        }
        Reacting {
            workload,
            reactions,
            batches,
            of_job,
            followers,
            followers_from,
            followers_of_jobs,
            due: due.into(),
            numbers: Rc::new(Numbers::default()),
            runs: Vec::with_capacity(workload.len()),
            ended: JobSet::default(),
            submits: vec![Seconds::MIN; workload.len()],
        }
    }

    /// When the next job is submitted, as far as is known.
    fn next(&self) -> Option<Seconds> {
        self.due.peek().map(|&Reverse((at, ..))| at)
    }

    /// Run time D of a job that has arrived.
    #[inline]
    pub(super) fn run(&self, job: JobId) -> Seconds {
        self.runs[job.index()]
    }

    /// The next job is submitted; and its place in the workload.
    fn submit(&mut self) -> Option<(Request, JobId)> {
        let Reverse((at, place, number)) = self.due.pop()?;
        let batch = self.of_job[place.index()] as usize;
        let request = self.workload.request(place);
        if let Some(&next) = self.reactions.jobs(batch).get(number as usize + 1) {
            // as long after this one as in the log
            let after = self.workload.request(next).submit - request.submit;
            self.due.push(Reverse((at.saturating_add(after), next, number + 1)));
        }
        self.submits[place.index()] = at;
        self.runs.push(self.workload.run(place));
        self.numbers.arrived(place);
        Some((Request { submit: at, ..request.clone() }, place))
    }

    /// A job ends at `now`; it may have been said before.
    fn ends(&mut self, job: JobId, now: Seconds) {
        if self.ended.contains(job) {
            return;
        }
        self.ended.insert(job);
        let place = self.numbers.place(job);
        // who runs for no time has ended a second later
        let end = if self.run(job) == 0 { now.saturating_add(1) } else { now };
        for (follower, number) in self.followers_of_jobs.remove(&place).unwrap_or_default() {
            self.resolve(follower, number, end);
        }
        let batch = self.of_job[place.index()] as usize;
        let own = &mut self.batches[batch];
        own.left -= 1;
        own.end = own.end.max(end);
        if own.left == 0 {
            let end = own.end;
            for i in self.followers_from[batch]..self.followers_from[batch + 1] {
                let (follower, number) = self.followers[i as usize];
                self.resolve(follower, number, end);
            }
        }
    }

    /// What a dependency of a batch is on has ended.
    fn resolve(&mut self, batch: u32, number: u32, end: Seconds) {
        let depends = self.reactions.dependencies(batch as usize);
        let at = self.reactions.submission(batch as usize, &depends[number as usize], end);
        let waits = &mut self.batches[batch as usize];
        waits.at = waits.at.max(at);
        waits.open -= 1;
        if waits.open == 0 {
            self.due.push(Reverse((waits.at, self.reactions.jobs(batch as usize)[0], 0)));
        }
    }
}

impl<'a> World<'a> {
    /// At the moment before the first job arrives, of users who react. `estimator` is one of the whole workload.
    pub(in crate::simulation) fn reacting(
        workload: &'a Workload,
        reactions: &'a Reactions,
        estimator: Box<dyn Estimator + 'a>,
        options: Options,
    ) -> Self {
        let reacting = Box::new(Reacting::new(workload, reactions));
        let estimator = Box::new(Renumbered::new(estimator, workload, reacting.numbers.clone()));
        let mut world = World::new(workload, estimator, options);
        world.view = View::reacting(workload);
        world.submission = reacting.next().unwrap_or(super::NEVER);
        world.reacting = Some(reacting);
        world.prepares = true;
        world
    }

    /// When each job was submitted, by place in the log; none where that is what the workload says.
    pub(in crate::simulation) fn lived_submits(&self) -> Option<&[Seconds]> {
        self.reacting.as_ref().map(|reacting| &reacting.submits[..])
    }

    /// Tells those who wait for jobs that end at `now`: who does not think at all submits at once, and submissions come
    /// before ends.
    #[inline(never)]
    pub(super) fn foresee_ends(&mut self, now: Seconds) {
        let Some(reacting) = &mut self.reacting else { return };
        for slot in self.completions.due(now) {
            reacting.ends(self.view.running.job(slot), now);
        }
        self.submission = reacting.next().unwrap_or(super::NEVER);
    }

    /// The next job of users who react is submitted.
    #[inline(never)]
    pub(super) fn submit_next(&mut self) {
        let Some(reacting) = &mut self.reacting else { return };
        if let Some((request, place)) = reacting.submit() {
            self.view.submitted(request, place, self.workload.record(place) as u32);
        }
        self.submission = reacting.next().unwrap_or(super::NEVER);
    }
}

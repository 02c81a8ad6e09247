//! Submissions of users who react: a job is submitted when what it waits for has ended.

use super::World;
use crate::estimator::Estimator;
use crate::model::{JobSet, View};
use crate::simulation::Options;
use crate::simulation::reacting::{Numbers, Renumbered};
use packfair_workload::{JobId, Reactions, Request, Seconds, WaitedFor, Workload};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

/// What users have yet to submit. A job gets its number as it arrives: the first to arrive is [`JobId`] 0. Before that
/// it is known by its place in the log.
pub(super) struct Reacting<'a> {
    workload: &'a Workload,
    reactions: &'a Reactions,
    batches: Vec<PendingBatch>,
    of_job: Vec<u32>,
    /// The dependencies that wait for a batch, batch after batch: the waiting batch, and the number of the dependency
    /// there.
    followers: Vec<(u32, u32)>,
    /// Where the dependencies on each batch begin in `followers`, and where those on the last one end.
    followers_from: Vec<u32>,
    /// The dependencies that wait for single jobs, by the jobs' places in the log.
    followers_of_jobs: FxHashMap<JobId, Vec<(u32, u32)>>,
    /// The next job of each batch that is being submitted: when, its place in the log, and its number in the batch.
    due: BinaryHeap<Reverse<(Seconds, JobId, u32)>>,
    numbers: Rc<Numbers>,
    runs: Vec<Seconds>,
    ended: JobSet,
    /// When each job was submitted, by its place in the log.
    submits: Vec<Seconds>,
}

#[derive(Clone, Default)]
struct PendingBatch {
    /// The number of dependencies that are not resolved.
    open: u32,
    /// The number of its jobs that have not ended.
    left: u32,
    /// The earliest time at which the batch is submitted.
    at: Seconds,
    /// The latest end of its jobs so far.
    end: Seconds,
}

impl<'a> Reacting<'a> {
    fn new(workload: &'a Workload, reactions: &'a Reactions) -> Self {
        let count = reactions.batches();
        let mut of_job = vec![0; workload.len()];
        let mut batches = vec![PendingBatch { at: Seconds::MIN, end: Seconds::MIN, ..PendingBatch::default() }; count];
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

    /// When the next job is submitted, as far as is known; none if none is due.
    fn next(&self) -> Option<Seconds> {
        self.due.peek().map(|&Reverse((at, ..))| at)
    }

    /// The run time D of a job that has arrived, seconds.
    #[inline]
    pub(super) fn run(&self, job: JobId) -> Seconds {
        self.runs[job.index()]
    }

    fn submit(&mut self) -> Option<(Request, JobId)> {
        let Reverse((at, place, number)) = self.due.pop()?;
        let batch = self.of_job[place.index()] as usize;
        let request = self.workload.request(place);
        if let Some(&next) = self.reactions.jobs(batch).get(number as usize + 1) {
            // as long after this job as in the log
            let after = self.workload.request(next).submit - request.submit;
            self.due.push(Reverse((at.saturating_add(after), next, number + 1)));
        }
        self.submits[place.index()] = at;
        self.runs.push(self.workload.run(place));
        self.numbers.arrived(place);
        Some((Request { submit: at, ..request.clone() }, place))
    }

    /// Notes that a job ends at `now`. This may have been noted before.
    fn ends(&mut self, job: JobId, now: Seconds) {
        if self.ended.contains(job) {
            return;
        }
        self.ended.insert(job);
        let place = self.numbers.place(job);
        // a job that runs for no time counts as ended a second later
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

    /// Resolves a dependency of a batch, because what it waits for has ended at `end`.
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
    /// The world of users who react, before the first job arrives. `estimator` must be made for the whole workload.
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

    /// When each job was submitted, by its place in the log; none where users do not react.
    pub(in crate::simulation) fn lived_submits(&self) -> Option<&[Seconds]> {
        self.reacting.as_ref().map(|reacting| &reacting.submits[..])
    }

    /// Notes the jobs that end at `now`, for batches that wait for them. A user without think time submits at once, and
    /// submissions come before ends.
    #[inline(never)]
    pub(super) fn foresee_ends(&mut self, now: Seconds) {
        let Some(reacting) = &mut self.reacting else { return };
        for slot in self.completions.due(now) {
            reacting.ends(self.view.running.job(slot), now);
        }
        self.submission = reacting.next().unwrap_or(super::NEVER);
    }

    #[inline(never)]
    pub(super) fn submit_next(&mut self) {
        let Some(reacting) = &mut self.reacting else { return };
        if let Some((request, place)) = reacting.submit() {
            self.view.submitted(request, place, self.workload.record(place) as u32);
        }
        self.submission = reacting.next().unwrap_or(super::NEVER);
    }
}

//! Heterogeneous jobs: each part waits for itself, in its partition and with what it asks for, and all start together.
//! Main passes start none of them. A backfill cycle gives each part a slot, none before those of the parts before it, and
//! at its end starts the jobs whose parts all could start now.
//!
//! Parts of two jobs could keep nodes from each other for ever. So in a cycle a job is passed over as long as one before
//! it has parts to come that may want its nodes, and on an empty machine the first job starts whatever has slots.

use super::Controller;
use super::cycle::Cycle;
use super::job::{AllocatedJob, JobState};
use super::node_set::NodeBits;
use super::room::Allocation;
use packfair_engine::model::{Actions, Token, Waiting};
use packfair_workload::{JobId, Request, Seconds, SitePart};

/// What a cycle has found for the parts of heterogeneous jobs, in the order in which it came to the jobs.
#[derive(Clone, Debug, Default)]
pub(super) struct PlannedParts {
    jobs: Vec<PlannedJob>,
}

#[derive(Clone, Debug)]
struct PlannedJob {
    job: JobId,
    slots: Vec<PartSlot>,
    /// The nodes of all partitions in which its parts wait.
    reach: NodeBits,
}

#[derive(Clone, Debug)]
enum PartSlot {
    Unseen,
    /// The cycle has come to the part and found nothing.
    Nowhere,
    At(Seconds, Allocation),
}

impl PartSlot {
    fn start(&self) -> Option<Seconds> {
        match self {
            PartSlot::Unseen => Some(Seconds::MIN),
            PartSlot::Nowhere => None,
            PartSlot::At(start, _) => Some(*start),
        }
    }
}

impl PlannedParts {
    pub(super) fn are_none(&self) -> bool {
        self.jobs.is_empty()
    }

    /// The cycle comes to a part. `reach` tells the nodes of all partitions in which parts of its job wait. Returns before
    /// when the part does not start for the sake of the others; none where it is passed over: another part has found
    /// nothing, or a job before it has parts to come that may want its nodes.
    pub(super) fn come_to(
        &mut self,
        job: JobId,
        (part, of): (u32, u32),
        reach: impl FnOnce() -> NodeBits,
    ) -> Option<Seconds> {
        let at = self.jobs.iter().position(|planned| planned.job == job).unwrap_or_else(|| {
            self.jobs.push(PlannedJob { job, slots: vec![PartSlot::Unseen; of as usize], reach: reach() });
            self.jobs.len() - 1
        });
        let (before, rest) = self.jobs.split_at_mut(at);
        let PlannedJob { slots, reach, .. } = &mut rest[0];
        let own = &mut slots[part as usize];
        if matches!(own, PartSlot::Unseen) {
            *own = PartSlot::Nowhere;
        }
        let has_more = |other: &PlannedJob| other.slots.iter().any(|slot| matches!(slot, PartSlot::Unseen));
        if before.iter().any(|other| has_more(other) && other.reach.meets(reach)) {
            return None;
        }
        let others = slots.iter().enumerate().filter(|&(other, _)| other != part as usize);
        others.map(|(_, slot)| slot.start()).try_fold(Seconds::MIN, |latest, start| Some(latest.max(start?)))
    }

    /// A part would start then and there.
    pub(super) fn found(&mut self, job: &JobState, start: Seconds, allocation: &Allocation) {
        let own = self.jobs.iter_mut().find(|planned| planned.job == job.waiting.job);
        if let Some((planned, (part, _))) = own.zip(job.part) {
            planned.slots[part as usize] = PartSlot::At(start, allocation.clone());
        }
    }

    fn first_ready(&self, now: Seconds) -> Option<usize> {
        let could_start = |slot: &PartSlot| matches!(slot, PartSlot::At(start, _) if *start <= now);
        self.jobs.iter().position(|planned| planned.slots.iter().all(could_start))
    }

    /// Whether all parts of a job could start by now.
    pub(super) fn are_ready(&self, now: Seconds) -> bool {
        self.first_ready(now).is_some()
    }

    /// The first job whose parts all could start by now, and where; it is then no longer planned.
    fn take_ready(&mut self, now: Seconds) -> Option<(JobId, Vec<Allocation>)> {
        let PlannedJob { job, slots, .. } = self.jobs.remove(self.first_ready(now)?);
        let there = slots.into_iter().filter_map(|slot| match slot {
            PartSlot::At(_, there) => Some(there),
            _ => None,
        });
        Some((job, there.collect()))
    }
}

impl Controller {
    /// The entries of a heterogeneous job: one for each part, in the first of its partitions that takes it. Empty where the
    /// parts could not start together although no other job ran; by the log they did, so the job then counts as one.
    pub(super) fn entries_of_parts(
        &self,
        waiting: &Waiting,
        own: (&Request, JobId),
        parts: &[SitePart],
    ) -> Vec<JobState> {
        let mut entries: Vec<JobState> = Vec::new();
        let (empty, mut free) = (self.nodes.room(), NodeBits::all(self.nodes.count));
        let of = parts.len() as u32;
        for (number, part) in (0..).zip(parts) {
            let waiting = Waiting { processors: part.processors, ..*waiting };
            let in_partition = |&partition: &u32| {
                let at = (&part.asks, partition);
                let entry = JobState::new(waiting, at, own, (&self.jobs, &self.nodes), self.settings.limits);
                let mut entry = entry.in_turn(number);
                entry.part = Some((number, of));
                entry
            };
            let there = |at: &&u32| self.partitions.get(**at as usize).is_some();
            let mut all: Vec<JobState> = part.partitions.iter().filter(there).map(in_partition).collect();
            if all.iter().any(|job| self.takes(job)) {
                all.retain(|job| self.takes(job));
            }
            // backfill gives no two parts a node in common
            let alone = all.into_iter().find_map(|job| {
                let mut usable = free.common(&self.partitions[job.partition as usize]);
                self.keep_fit(&job, &mut usable);
                let found = self.nodes.choose(&empty, job.ask, &usable)?;
                Some((job, found))
            });
            let Some((job, found)) = alone else { return Vec::new() };
            free.take_out(&found.nodes);
            entries.push(job);
        }
        let wanted = entries.iter().map(|job| self.nodes.want(job.ask));
        if self.licences.could_give(wanted) { entries } else { Vec::new() }
    }

    /// Starts the first of the planned jobs whose parts all could start by now, where nothing else keeps them together from
    /// starting. Returns how many parts have started; none where no job was left.
    pub(super) fn start_parts(&mut self, cycle: &mut Cycle, at: f64, actions: &mut Actions) -> Option<i64> {
        let (job, there) = cycle.parts.take_ready(at.floor() as Seconds)?;
        Some(self.start_together(job, there, cycle, at, actions))
    }

    /// Starts the planned jobs on an empty machine, whatever slots keep their parts from each other. Returns how many parts
    /// have started.
    pub(super) fn start_parts_alone(&mut self, cycle: &mut Cycle, at: f64, actions: &mut Actions) -> i64 {
        let now = at.floor() as Seconds;
        let mut started = 0;
        for PlannedJob { job, .. } in std::mem::take(&mut cycle.parts.jobs) {
            let mut free = self.availability.up.clone();
            let there: Vec<Allocation> = self
                .parts_of(job)
                .map_while(|entry| {
                    let mut usable = free.common(&self.partitions[entry.partition as usize]);
                    self.keep_fit(entry, &mut usable);
                    self.keep_to_user(entry, &mut usable);
                    self.keep_clear(entry, &mut usable, now, now);
                    let found = self.nodes.choose(&self.room, entry.ask, &usable)?;
                    free.take_out(&found.nodes);
                    Some(found)
                })
                .collect();
            started += self.start_together(job, there, cycle, at, actions);
        }
        started
    }

    /// The entries of a heterogeneous job in the queue, in the order of its parts.
    fn parts_of(&self, job: JobId) -> impl Iterator<Item = &JobState> {
        let mut parts: Vec<&JobState> =
            self.queue.iter().map(Box::as_ref).filter(|other| other.waiting.job == job).collect();
        parts.sort_by_key(|entry| entry.part);
        parts.into_iter()
    }

    /// Starts the parts of a job on these nodes, as far as they are still free and limits and licences allow all of them.
    /// Returns how many parts have started.
    fn start_together(
        &mut self,
        job: JobId,
        there: Vec<Allocation>,
        cycle: &mut Cycle,
        at: f64,
        actions: &mut Actions,
    ) -> i64 {
        let now = at.floor() as Seconds;
        let runs: Vec<AllocatedJob> =
            self.parts_of(job).zip(&there).filter_map(|(part, found)| self.part_there(part, found, now)).collect();
        let Some(first) = runs.first() else { return 0 };
        let whole =
            Waiting { processors: runs.iter().map(|run| run.job.waiting.processors).sum(), ..first.job.waiting };
        let is_whole = runs.len() == first.job.parts() as usize;
        if !is_whole || whole.processors > actions.free() || !self.may_start_together(&runs, now) {
            return 0;
        }
        let is_own = |other: &JobState| other.waiting.job == job;
        let before = self.queue[..cycle.place.min(self.queue.len())].iter().filter(|other| is_own(other)).count();
        let entries: Vec<Box<JobState>> = self.queue.extract_if(.., |other| is_own(other)).collect();
        entries.iter().for_each(|other| self.waits_no_more(other));
        cycle.place -= before;
        actions.start(whole, Token::default());
        // all begin once all their nodes are on
        let boot = runs.iter().fold(0, |boot, run| self.take_nodes(&run.allocation, now).max(boot));
        if boot > 0 {
            actions.delay(job, boot);
        }
        let count = runs.len() as i64;
        runs.into_iter().for_each(|run| self.begin(run.job, run.allocation, at, boot));
        count
    }

    /// A part on nodes that were found for it; none where these are no longer free.
    fn part_there(&self, part: &JobState, found: &Allocation, now: Seconds) -> Option<AllocatedJob> {
        if self.completing.iter().any(|other| other.run.nodes().meets(&found.nodes)) {
            return None;
        }
        let allocation = self.nodes.choose(&self.room, part.ask, &found.nodes.common(&self.availability.up))?;
        let mut job = part.clone();
        job.waits.is_backfilled = true;
        let end = now + job.limit;
        Some(AllocatedJob { job, start: now as f64, end, is_over: false, is_requeued: false, allocation })
    }

    /// Whether limits and licences allow all parts together.
    fn may_start_together(&mut self, runs: &[AllocatedJob], now: Seconds) -> bool {
        let mut begun = 0;
        for run in runs {
            let held = self.held(&run.job, now).or_else(|| self.held_by_nodes(&run.job, Some(&run.allocation)));
            if held.is_some() || self.lacks_licences(&run.job, now) {
                break;
            }
            self.limits.start(run, &self.jobs.site);
            self.licences.take(run.job.waiting.job, self.nodes.want(run.job.ask), now, run.job.limit);
            begun += 1;
        }
        runs[..begun].iter().for_each(|run| self.limits.undo(run, &self.jobs.site));
        runs.iter().for_each(|run| self.licences.give(run.job.waiting.job));
        begun == runs.len()
    }
}

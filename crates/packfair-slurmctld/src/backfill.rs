//! The backfill cycle: jobs start out of order where that delays none of the starts found for jobs before them.

use super::Controller;
use super::cycle::{ArrayCycle, Cycle, CycleCounts};
use super::job::JobState;
use super::look::LookResult;
use super::parts::PlannedParts;
use super::reason::Unlooked;
use super::room::Allocation;
use super::table::SlotTable;
use super::will_run::{AllocationEnd, Endings};
use packfair_engine::model::{Actions, Reservation};
use packfair_slurm::SlurmParameter;
use packfair_workload::{ArrayTask, Seconds};
use rustc_hash::FxHashMap;
use std::cell::Cell;

/// When a job that a limit keeps from starting is taken to start, seconds from now, where nothing tells the time.
const UNKNOWN_START: Seconds = 500;

/// What a cycle starts next.
enum NextStart {
    Job(Allocation),
    /// A job of which all parts have been found (bf_hetjob_immediate).
    Parts,
}

impl Controller {
    /// Begins a backfill cycle. Returns how many jobs it has tested; none if it pauses.
    pub(super) fn backfill(&mut self, at: f64, actions: &mut Actions) -> Option<i64> {
        let now = at.floor() as Seconds;
        // nodes that are no longer planned change their state, and so do idle nodes that are planned
        if std::mem::take(&mut self.has_planned_idle) {
            self.changed(at);
        }
        self.release(now);
        if self.queue.is_empty() {
            return Some(0);
        }
        self.sort();
        let kept = self.plan.take().filter(|plan| now < plan.valid_until.get());
        let cycle = match kept {
            Some(plan) => {
                self.queue[..plan.place].iter_mut().for_each(|job| job.waits.again(now));
                plan
            }
            None => self.new_cycle(now),
        };
        self.go_on(cycle, at, actions)
    }

    /// Goes on with a cycle, up to its end or its next pause. Returns how many jobs it has tested; none if it pauses.
    pub(super) fn go_on(&mut self, mut cycle: Cycle, at: f64, actions: &mut Actions) -> Option<i64> {
        let now = at.floor() as Seconds;
        let (most, most_started) =
            (self.parameter(SlurmParameter::BfMaxJobTest), self.parameter(SlurmParameter::BfMaxJobStart));
        self.prefer_awake(now);
        cycle.now = now;
        cycle.window = now + self.parameter(SlurmParameter::BfWindow) * 60;
        let mut started = 0;
        let passed_over = loop {
            match self.next_start(&mut cycle, most, actions.free()) {
                Some(NextStart::Job(allocation)) => {
                    let mut job;
                    (job, cycle.place) = self.take_out(cycle.place - 1);
                    job.waits.is_backfilled = true;
                    if let Some(licences) = &mut cycle.licences {
                        licences.reserve(self.nodes.want(job.ask), now, now + job.limit);
                    }
                    self.start(job, allocation, at, actions);
                    started += 1;
                }
                Some(NextStart::Parts) => started += self.start_parts(&mut cycle, at, actions).unwrap_or(0),
                None if cycle.course.is_pausing() => {
                    self.pause(cycle, at);
                    return None;
                }
                None => break Unlooked::BeyondTest,
            }
            if most_started > 0 && started >= most_started {
                break Unlooked::Over;
            }
        };
        let has_parts = !cycle.parts.are_none();
        while (most_started == 0 || started < most_started)
            && let Some(more) = self.start_parts(&mut cycle, at, actions)
        {
            started += more;
        }
        if started == 0 && self.running.is_empty() && self.completing.is_empty() {
            started += self.start_parts_alone(&mut cycle, at, actions);
        }
        let place = cycle.place.min(self.queue.len());
        self.queue[place..].iter_mut().for_each(|job| job.waits.pass_over(passed_over, now));
        self.planned.clone_from(&cycle.planned);
        self.has_planned_idle = cycle.plans_idle;
        if self.has_planned_idle {
            self.changed(at);
        }
        let tested = cycle.tested.min(most);
        let is_still = started == 0 && cycle.victims.is_empty() && self.completing.is_empty() && !has_parts;
        self.preempt(std::mem::take(&mut cycle.victims));
        self.plan = Some(cycle).filter(|_| is_still && self.keeps_plans());
        Some(tested)
    }

    /// A cycle that has not looked at any job yet.
    fn new_cycle(&self, now: Seconds) -> Cycle {
        let window = now + self.parameter(SlurmParameter::BfWindow) * 60;
        Cycle {
            now,
            valid_until: Cell::new(Seconds::MAX),
            window,
            table: SlotTable::new(self.rounded(now), self.rounded(window), self.availability.up.clone()),
            counts: CycleCounts::default(),
            planned: Vec::new(),
            blocked: FxHashMap::default(),
            victims: Vec::new(),
            plans_idle: false,
            tested: 0,
            place: 0,
            course: self.course(),
            array: None,
            licences: self.licence_table(now),
            parts: PlannedParts::default(),
        }
    }

    /// Whether a cycle's findings can be kept: no setting makes the next cycle depend on the time by itself.
    fn keeps_plans(&self) -> bool {
        self.pace.is_none()
            && self.saving.is_none()
            && !self.licences.are_wanted()
            && self.parameter(SlurmParameter::BfMinAgeReserve) == 0
            && !self.limits.counts_promises()
    }

    /// Goes on with a cycle up to the next job that starts, which then stands just before the cycle's place; none if the
    /// cycle ends or pauses.
    fn next_start(&mut self, cycle: &mut Cycle, most: i64, free: u32) -> Option<NextStart> {
        let stops_at_limits = self.site().parameters.has(SlurmParameter::AssocLimitStop);
        let starts_parts = self.site().parameters.has(SlurmParameter::BfHetjobImmediate);
        let mut queue = std::mem::take(&mut self.queue);
        let last = self.last_holdings();
        let running = self.running.iter().enumerate().map(|(at, run)| AllocationEnd {
            end: run.end,
            allocation: last.as_ref().map_or(&run.allocation, |last| &last[at]),
        });
        let endings = Endings::of(running, &self.nodes);
        let now = cycle.now;
        let mut found = None;
        while cycle.tested < most
            && let Some(place) = cycle.course.next(cycle.place, &queue)
        {
            if self.pace.is_some_and(|pace| cycle.course.stops(pace)) {
                break;
            }
            cycle.place = place + 1;
            let job = &queue[place];
            if !self.is_up(job.partition as usize) {
                continue;
            }
            let mut least = now;
            if let Some(part) = job.part {
                let id = job.waiting.job;
                let reach = || self.reach(queue.iter().filter(|other| other.waiting.job == id));
                let others = cycle.parts.come_to(id, part, reach);
                let Some(others) = others else {
                    queue[place].waits.look(now);
                    continue;
                };
                least = others.max(now);
            }
            let job = &mut queue[place];
            if let Some(task) = job.task
                && let Some(why) = self.is_past(task, job.partition, cycle)
            {
                job.waits.pass_over(why, now);
                continue;
            }
            if let Some(parameter) = self.is_skipped(job, &mut cycle.counts) {
                job.waits.pass_over(Unlooked::OneTooMany(parameter), now);
                continue;
            }
            if cycle.licences.is_none() && self.lacks_licences(job, now) {
                job.waits.look(now);
                continue;
            }
            let held = self.held(job, now);
            if held.is_some() && !stops_at_limits {
                job.waits.look(now);
                continue;
            }
            cycle.tested += 1;
            job.waits.look(now);
            job.try_at(now);
            let reserves = self.reserves(job, cycle);
            let look = self.look(job, least, cycle, &endings, reserves);
            // how many nodes of a group are taken depends on which ones are chosen; for a slot none are yet
            let by_nodes = match &look {
                LookResult::Start(allocation, _) | LookResult::Preempts(_, allocation) => {
                    self.held_by_nodes(job, Some(allocation))
                }
                LookResult::Slot(_, allocation) => {
                    let asked = allocation.nodes.count();
                    self.limits.held_by_nodes(job, asked, None, &self.jobs.site)
                }
                LookResult::Nothing => None,
            };
            let held = held.or(by_nodes);
            if held.is_some() && !stops_at_limits {
                continue;
            }
            match look {
                LookResult::Start(allocation, _) if held.is_none() && job.part.is_some() => {
                    self.give_slot(job, now, &allocation, cycle);
                    cycle.parts.found(job, now, &allocation);
                    if starts_parts && cycle.parts.are_ready(now) {
                        found = Some(NextStart::Parts);
                        break;
                    }
                }
                LookResult::Start(allocation, _) if held.is_none() && self.has_processors(job, &allocation, free) => {
                    cycle.array.iter_mut().for_each(|course| course.is_over = false);
                    found = Some(NextStart::Job(allocation));
                    break;
                }
                LookResult::Start(allocation, later)
                    if let Some(limit) = held
                        && reserves =>
                {
                    self.block(job, &allocation, later, limit, cycle);
                }
                LookResult::Preempts(victims, allocation) if held.is_none() => {
                    // the jobs that it waits for may not end so soon, and then it has others killed
                    cycle.holds_until(now + 1);
                    if !victims.is_empty() {
                        job.preempting = Some(now);
                        cycle.victims.extend(victims);
                    }
                    self.give_slot(job, now, &allocation, cycle);
                }
                LookResult::Slot(start, allocation) if reserves => {
                    self.give_slot(job, start, &allocation, cycle);
                    cycle.parts.found(job, start, &allocation);
                }
                _ => {}
            }
        }
        self.queue = queue;
        found
    }

    /// Gives a slot to a job that would fit but is kept from starting by a limit, under assoc_limit_stop. When the
    /// limit allows the start is not known: Slurm takes the time at which further nodes have no slot any more, or else
    /// [`UNKNOWN_START`]. If the limit was one of all jobs of a QOS, jobs of this QOS are not looked at for a sooner
    /// start.
    fn block(&self, job: &JobState, allocation: &Allocation, later: Option<Seconds>, limit: &str, cycle: &mut Cycle) {
        cycle.holds_until(cycle.now + 1);
        let start = later.unwrap_or(cycle.now + UNKNOWN_START);
        if limit.starts_with("QOSGrp")
            && let Some(qos) = job.qos
        {
            let until = cycle.blocked.entry(qos).or_insert(start);
            *until = (*until).max(start);
        }
        let (begin, end) = self.slot(start, job.limit);
        if start <= cycle.window && !cycle.table.lacks(&allocation.nodes, begin, end) {
            self.give_slot(job, start, allocation, cycle);
        }
    }

    /// Why a task is not to be looked at in this partition; none if it is to be.
    fn is_past(&self, task: ArrayTask, partition: u32, cycle: &mut Cycle) -> Option<Unlooked> {
        let last = cycle.array.filter(|course| course.array == task.array);
        if last.is_some_and(|course| course.partition == partition && course.is_over) {
            return Some(Unlooked::OfArray);
        }
        // the array is over unless this task starts, or gets a slot and another task may have one
        let reserved = last.map_or(0, |course| course.reserved);
        cycle.array = Some(ArrayCycle { array: task.array, partition, reserved, is_over: true });
        self.arrays.is_full(task).then_some(Unlooked::OfArray)
    }

    fn give_slot(&self, job: &JobState, start: Seconds, allocation: &Allocation, cycle: &mut Cycle) {
        *cycle.counts.reserved.entry(job.partition).or_default() += 1;
        let (begin, end) = self.slot(start, job.limit);
        [begin, end].into_iter().for_each(|border| self.reaches(cycle, border));
        // a job of several partitions has a slot in each of them
        let is_own = |other: &&mut Reservation| other.job.job == job.waiting.job;
        let other = if job.has_others { cycle.planned.iter_mut().find(is_own) } else { None };
        cycle.table.reserve(&allocation.nodes, begin, end);
        if let Some(licences) = &mut cycle.licences {
            licences.reserve(self.nodes.want(job.ask), start, start + job.limit);
        }
        let is_soonest = job.part.is_some() || other.as_ref().is_none_or(|other| (start as f64) < other.start);
        match other {
            // the parts of a job start with the last of them
            Some(other) if job.part.is_some() => other.start = other.start.max(start as f64),
            Some(other) => other.start = other.start.min(start as f64),
            None => cycle.planned.push(Reservation { job: job.waiting, start: start as f64 }),
        }
        cycle.plans_idle |= is_soonest && allocation.nodes.meets(&self.room.idle);
        if let Some((task, course)) = job.task.zip(cycle.array.as_mut()) {
            course.reserved += 1;
            // later versions of Slurm count running tasks too
            let left = self.arrays.left(task).filter(|_| self.site().version.counts_running_tasks());
            course.is_over = course.reserved >= self.parameter(SlurmParameter::BfMaxJobArrayResv)
                || left.is_some_and(|left| course.reserved >= i64::from(left));
        }
    }

    /// The parameter that makes the cycle skip a job, as one too many of its user, partition or association; none if it
    /// does not.
    fn is_skipped(&self, job: &JobState, counts: &mut CycleCounts) -> Option<&'static str> {
        let is_over = |most: SlurmParameter, count: &mut i64| {
            *count += 1;
            let most = self.parameter(most);
            most > 0 && *count > most
        };
        let partition = counts.partitions.entry(job.partition).or_default();
        if is_over(SlurmParameter::BfMaxJobPart, partition) {
            return Some("bf_max_job_part");
        }
        let both = counts.users_of_partitions.entry((job.user, job.partition)).or_default();
        if is_over(SlurmParameter::BfMaxJobUserPart, both) {
            return Some("bf_max_job_user_part");
        }
        if self.parameter(SlurmParameter::BfMaxJobAssoc) > 0
            && let Some(association) = job.association
        {
            let count = counts.associations.entry(association).or_default();
            return is_over(SlurmParameter::BfMaxJobAssoc, count).then_some("bf_max_job_assoc");
        }
        is_over(SlurmParameter::BfMaxJobUser, counts.users.entry(job.user).or_default()).then_some("bf_max_job_user")
    }

    /// Whether a job that does not start gets a slot.
    fn reserves(&self, job: &JobState, cycle: &Cycle) -> bool {
        let most = self.parameter(SlurmParameter::BfJobPartCountReserve);
        let has_one = || cycle.planned.iter().any(|other| other.job.job == job.waiting.job);
        let is_one_enough =
            job.has_others && job.part.is_none() && self.site().parameters.has(SlurmParameter::BfOneResvPerJob);
        let reserved = cycle.counts.reserved.get(&job.partition).copied().unwrap_or(0);
        job.priority >= self.parameter(SlurmParameter::BfMinPrioReserve) as f64
            && !self.is_young(job, cycle.now)
            && (most == 0 || reserved < most)
            && !(is_one_enough && has_one())
    }
}

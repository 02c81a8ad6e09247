//! When and where a job would start in a backfill cycle, beside the slots of jobs before it.

use super::Controller;
use super::cycle::Cycle;
use super::job::{AllocatedJob, JobState};
use super::node_set::NodeBits;
use super::offers::{EndsAsked, FewestEnds};
use super::room::Allocation;
use super::table::{SlotTable, SlotWindow};
use super::will_run::{AllocationEnd, Endings, WillRun, WillStart};
use packfair_slurm::SlurmParameter;
use packfair_workload::{JobId, Seconds};

/// How often at most a job is looked at in a cycle. Each look is at a later time, so the looks end anyway.
const MOST_LOOKS: usize = 1000;

pub(super) enum LookResult {
    /// The job starts now. The second value is when further nodes have no slot any more.
    Start(Allocation, Option<Seconds>),
    Slot(Seconds, Allocation),
    /// Running jobs have to be preempted first. Until then no other job gets the nodes that the job would then have.
    Preempts(Vec<JobId>, Allocation),
    /// The job neither starts nor gets a slot.
    Nothing,
}

impl Cycle {
    /// Limits how long the findings of the cycle hold, if the moment is ahead.
    pub(super) fn holds_until(&self, moment: Seconds) {
        if moment > self.now {
            self.valid_until.set(self.valid_until.get().min(moment));
        }
    }
}

/// The looks at a job for one start after another, where only running jobs and slots count.
struct Looks<'a> {
    job: &'a JobState,
    cycle: &'a Cycle,
    will_run: WillRun<'a>,
    /// The nodes that it may use while no job runs.
    open: &'a NodeBits,
    window: SlotWindow<'a>,
    asked: Option<EndsAsked>,
    /// Before this moment it starts on none of its nodes; it is asked for once it matters.
    earliest: Option<Option<Seconds>>,
    /// How many there were.
    count: usize,
}

/// A start at which a job is to be looked at in full.
struct Look {
    from: Seconds,
    usable: NodeBits,
    /// From when on it is looked at again, and how many jobs have to end before, which do so by then.
    later: Option<(Seconds, FewestEnds)>,
}

impl<'a> Looks<'a> {
    fn of(job: &'a JobState, cycle: &'a Cycle, will_run: WillRun<'a>, open: &'a NodeBits) -> Self {
        let (window, asked) = (cycle.table.window(job.limit), will_run.asked_of(job.ask));
        Looks { job, cycle, will_run, open, window, asked, earliest: None, count: 0 }
    }

    /// The next look from `from` on. Starts are passed over before which too little is given back on the nodes without a slot
    /// until it is looked at again anyway.
    fn next(&mut self, mut from: Seconds) -> Option<Look> {
        let Cycle { now, ref table, .. } = *self.cycle;
        while self.count < MOST_LOOKS {
            self.count += 1;
            self.window.slide(from);
            let mut usable = self.open.clone();
            self.window.narrow(&mut usable);
            if from == now {
                let turns = table.turns(&usable, now, self.job.limit);
                turns.into_iter().for_each(|moment| self.cycle.holds_until(moment));
            }
            let Some(later) = self.window.next_gain(self.open) else {
                return Some(Look { from, usable, later: None });
            };
            if let Some(fewest) = self.fewest_ends(&usable, later) {
                return Some(Look { from, usable, later: Some((later, fewest)) });
            }
            from = self.pass_over(later);
        }
        None
    }

    /// How many running jobs have to end before the usable nodes offer enough; none where these do not all end by `later`.
    fn fewest_ends(&self, usable: &NodeBits, later: Seconds) -> Option<FewestEnds> {
        let Looks { job, cycle, will_run, .. } = *self;
        // as long as it matters until when the cycle's findings hold
        let by = later.max(cycle.valid_until.get()).max(will_run.overdue_until());
        let fewest = will_run.fewest_ends(job.ask, self.asked.as_ref(), usable, by);
        let FewestEnds::Of(count) = fewest else { return None };
        let earliest = will_run.earliest_after(count);
        if earliest > later {
            cycle.holds_until(will_run.holds_until(earliest));
            return None;
        }
        Some(fewest)
    }

    /// The start that is looked at after one that was passed over: `later`, or the last one before which the job could start on
    /// none of its nodes.
    fn pass_over(&mut self, later: Seconds) -> Seconds {
        let Looks { job, cycle, will_run, open, .. } = *self;
        let earliest = *self.earliest.get_or_insert_with(|| will_run.earliest(job.ask, open));
        let Some(earliest) = earliest.filter(|&earliest| earliest > later) else { return later };
        let next = cycle.table.last_gain(open, earliest).filter(|&next| next > later);
        let Some(next) = next else { return later };
        cycle.holds_until(will_run.holds_until(earliest));
        if cycle.table.len() > MOST_LOOKS {
            self.count += cycle.table.gains_within(open, later, next);
        }
        next
    }
}

impl Controller {
    /// Notes that a moment matters to a cycle. Its table ends with the window, and may not know this moment yet. Then
    /// its findings hold only until a later table reaches the moment.
    pub(super) fn reaches(&self, cycle: &Cycle, moment: Seconds) {
        if moment >= self.rounded(cycle.window) {
            cycle.holds_until((moment - (cycle.window - cycle.now)).max(cycle.now + 1));
        }
    }

    /// Finds when and where a job starts, not before `least`, beside the slots of jobs before it. `reserves` says whether
    /// it may get a slot.
    pub(super) fn look(
        &self,
        job: &JobState,
        least: Seconds,
        cycle: &Cycle,
        endings: &Endings<'_>,
        reserves: bool,
    ) -> LookResult {
        let Cycle { now, window, ref table, .. } = *cycle;
        let site = self.site();
        let will_run = WillRun {
            nodes: &self.nodes,
            room: &self.room,
            endings,
            now,
            zero: self.jobs.zero,
            grace: site.kill_wait + site.over_time,
            linear: self.parameter(SlurmParameter::BfWindowLinear),
            is_by_own_nodes: site.version.waits_for_own_nodes(),
        };
        // if a job that may preempt does not fit now, it is looked at as if the jobs that it may preempt were gone
        let preemptable = self.preemptable(job, now);
        let by_suspension = self.room_by_suspension(job);
        let mut room;
        let rest;
        let without = if preemptable.is_empty() && by_suspension.is_none() {
            None
        } else {
            room = by_suspension.clone().unwrap_or_else(|| self.room.clone());
            preemptable.iter().for_each(|run| self.nodes.give(&mut room, &run.allocation));
            let is_suspended = self.would_suspend(job);
            let is_left = |run: &&AllocatedJob| {
                !is_suspended(run) && !preemptable.iter().any(|other| other.job.place == run.job.place)
            };
            let left = self.running.iter().filter(is_left);
            rest =
                Endings::of(left.map(|run| AllocationEnd { end: run.end, allocation: &run.allocation }), &self.nodes);
            Some(WillRun { room: &room, endings: &rest, ..will_run })
        };
        // limits until when the findings hold as time passes
        let until = |moment| cycle.holds_until(moment);
        self.availability.turns(now, job.limit).for_each(until);
        job.any_switch_from().into_iter().for_each(until);
        self.ends_of_exemption(job, now).for_each(until);
        let blocked = job.qos.and_then(|qos| cycle.blocked.get(&qos)).copied();
        let mut from = blocked.map_or(now, |until| until.max(now)).max(least);
        let mut open = self.open_to(job);
        self.keep_to_user(job, &mut open);
        // where nothing but running jobs and slots counts, moments are passed over at which too few nodes have no slot
        let passes = reserves
            && without.is_none()
            && cycle.licences.is_none()
            && !self.availability.has_reservations()
            && self.nodes.is_by_offers(job.ask);
        let mut passing = passes.then(|| Looks::of(job, cycle, will_run, &open));
        // before this moment the job starts on none of these nodes; it is asked for once it matters
        let mut earliest: Option<Option<Seconds>> = None;
        for _ in 0..MOST_LOOKS {
            if let Some(licences) = &cycle.licences {
                match licences.earliest(self.nodes.want(job.ask), from, job.limit) {
                    Some(there) => from = there,
                    None => return LookResult::Nothing,
                }
            }
            let mut usable;
            let later;
            let mut fewest = None;
            self.reaches(cycle, from);
            if let Some(looks) = &mut passing {
                let Some(look) = looks.next(from) else { return LookResult::Nothing };
                (from, usable) = (look.from, look.usable);
                later = look.later.map(|(later, _)| later);
                fewest = look.later.map(|(_, fewest)| fewest);
            } else {
                usable = open.clone();
                let cleared = self.keep_clear(job, &mut usable, now, from);
                let gain = table.next_gain(&usable, from);
                later = [gain, cleared.map(|end| end + 1)].into_iter().flatten().min().filter(|&later| later > from);
                if from > now
                    && let Some(later) = later.filter(|_| reserves && without.is_none())
                {
                    let earliest = *earliest.get_or_insert_with(|| will_run.earliest(job.ask, &open));
                    if earliest.is_none_or(|earliest| earliest > later) {
                        // whatever is found, it is looked at again from there on
                        earliest.into_iter().for_each(|start| until(will_run.holds_until(start)));
                        from = later;
                        continue;
                    }
                }
                table.narrow(&mut usable, from, from + job.limit);
                if from == now {
                    table.turns(&usable, now, job.limit).into_iter().for_each(until);
                }
                // nor is it looked at in full where too little is given back before then
                if let Some(later) = later.filter(|_| reserves && without.is_none()) {
                    let earliest = will_run.earliest(job.ask, &usable);
                    if earliest.is_none_or(|earliest| earliest > later) {
                        earliest.into_iter().for_each(|start| until(will_run.holds_until(start)));
                        from = later;
                        continue;
                    }
                }
            }
            let alone = without.and_then(|_| {
                let alone = self.nodes.choose(&self.room, job.ask, &usable);
                alone.or_else(|| self.nodes.choose(by_suspension.as_ref()?, job.ask, &usable))
            });
            let has_to_preempt = without.is_some() && alone.is_none();
            // where it is looked at again in any case
            let latest = later.filter(|_| reserves && without.is_none()).unwrap_or(Seconds::MAX);
            let found = match alone {
                Some(allocation) => Some(WillStart::At(now, allocation)),
                None => match fewest {
                    Some(fewest) if self.nodes.could_hold(job.ask, &usable) => {
                        will_run.start_after(fewest, job.ask, &usable, latest)
                    }
                    Some(_) => None,
                    None => without.unwrap_or(will_run).start(job.ask, &usable, latest),
                },
            };
            let (start, allocation) = match found {
                Some(WillStart::At(start, allocation)) => (start, allocation),
                Some(WillStart::Later(moment)) => {
                    until(will_run.holds_until(moment));
                    from = latest;
                    continue;
                }
                None => match later.filter(|_| reserves) {
                    Some(later) => {
                        from = later;
                        continue;
                    }
                    None => return LookResult::Nothing,
                },
            };
            if start > now {
                until(will_run.holds_until(start));
            }
            let start = start.max(from);
            if start > window {
                until(start - (window - now));
            }
            if start <= now {
                let is_completing = self.completing.iter().any(|other| other.run.nodes().meets(&allocation.nodes));
                if !is_completing && has_to_preempt {
                    self.completing.iter().for_each(|other| usable.take_out(other.run.nodes()));
                    return LookResult::Preempts(self.preemption(job, &usable, now), allocation);
                }
                if !is_completing {
                    return LookResult::Start(allocation, later);
                }
                return if reserves {
                    self.found(now + 1, window, job, allocation, table)
                } else {
                    LookResult::Nothing
                };
            }
            if !reserves {
                return LookResult::Nothing;
            }
            if let Some(later) = later.filter(|&later| start > later) {
                from = later;
                continue;
            }
            if let Some(licences) = &cycle.licences
                && let Some(there) = licences.earliest(self.nodes.want(job.ask), start, job.limit)
                && there > start
            {
                from = there;
                continue;
            }
            let (begin, end) = self.slot(start, job.limit);
            if start <= window && table.lacks(&allocation.nodes, begin, end) && start > from {
                from = start;
                continue;
            }
            return self.found(start, window, job, allocation, table);
        }
        LookResult::Nothing
    }

    /// Returns a slot if it lies within the window and no other slot has its nodes.
    fn found(
        &self,
        start: Seconds,
        window: Seconds,
        job: &JobState,
        allocation: Allocation,
        table: &SlotTable,
    ) -> LookResult {
        let (begin, end) = self.slot(start, job.limit);
        if start > window || table.lacks(&allocation.nodes, begin, end) {
            return LookResult::Nothing;
        }
        LookResult::Slot(start, allocation)
    }

    /// A moment rounded down to bf_resolution, on Slurm's own clock.
    pub(super) fn rounded(&self, moment: Seconds) -> Seconds {
        let resolution = self.parameter(SlurmParameter::BfResolution).max(1);
        moment - (moment + self.jobs.zero).rem_euclid(resolution)
    }

    pub(super) fn slot(&self, start: Seconds, limit: Seconds) -> (Seconds, Seconds) {
        let resolution = self.parameter(SlurmParameter::BfResolution).max(1);
        let begin = self.rounded(start);
        let more = if self.site().version.rounds_slots_up() { resolution - 1 } else { 0 };
        (begin, self.rounded(start + limit + more).max(begin + resolution))
    }
}

//! The backfill cycle: jobs start out of order where they delay none of the starts that were found for those before them.

use super::Controller;
use super::job::Job;
use super::room::Allocation;
use super::table::SlotTable;
use super::will_run::{Ending, WillRun};
use crate::model::{Actions, Reservation};
use crate::slurm::Parameter;
use crate::workload::Seconds;
use rustc_hash::FxHashMap;

/// A job is looked at again at most so often in a cycle: each time later, so that it ends anyway.
const MOST_LOOKS: usize = 1000;

/// What becomes of a job in a cycle.
enum Found {
    /// It starts now.
    Start(Allocation),
    /// It gets a slot.
    Slot(Seconds, Allocation),
    /// Neither.
    Nothing,
}

/// How many jobs of each kind a cycle has looked at.
#[derive(Default)]
struct Counts {
    users: FxHashMap<i32, i64>,
    partitions: FxHashMap<u32, i64>,
    users_of_partitions: FxHashMap<(i32, u32), i64>,
    associations: FxHashMap<u32, i64>,
    reserved: FxHashMap<u32, i64>,
}

impl Controller {
    /// One cycle. How many jobs it has looked at.
    pub(super) fn backfill(&mut self, at: f64, actions: &mut Actions) -> i64 {
        let now = at.floor() as Seconds;
        // nodes that are no longer planned change, and so do those that are planned and idle
        if std::mem::take(&mut self.has_planned_idle) {
            self.changed(at);
        }
        if self.queue.is_empty() {
            return 0;
        }
        self.sort();
        self.planned.clear();
        let window = now + self.parameter(Parameter::BfWindow) * 60;
        let mut table = SlotTable::new(self.rounded(now), self.rounded(window), self.availability.up.clone());
        let (most, most_started) = (self.parameter(Parameter::BfMaxJobTest), self.parameter(Parameter::BfMaxJobStart));
        let stops_at_limits = self.site().parameters.has(Parameter::AssocLimitStop);
        let mut counts = Counts::default();
        let (mut tested, mut started, mut place) = (0, 0, 0);
        while let Some(job) = self.queue.get(place) {
            place += 1;
            if !self.site().partitions[job.partition as usize].is_up || self.is_skipped(job, &mut counts) {
                continue;
            }
            let is_held = self.is_held(job, now);
            if is_held && !stops_at_limits {
                continue;
            }
            tested += 1;
            if tested > most {
                break;
            }
            let reserves = self.reserves(job, now, &counts);
            match self.look(job, now, window, &table, reserves) {
                Found::Start(allocation) if !is_held && job.waiting.processors <= actions.free() => {
                    place -= 1;
                    let job = self.queue.remove(place);
                    self.start(job, allocation, at, actions);
                    started += 1;
                    if most_started > 0 && started >= most_started {
                        break;
                    }
                }
                Found::Slot(start, allocation) if reserves => {
                    *counts.reserved.entry(job.partition).or_default() += 1;
                    let (begin, end) = self.slot(start, job.limit);
                    self.planned.push(Reservation { job: job.waiting, start: start as f64 });
                    table.reserve(&allocation.nodes, begin, end);
                    self.has_planned_idle |= allocation.nodes.meets(&self.room.idle);
                }
                _ => {}
            }
        }
        if self.has_planned_idle {
            self.changed(at);
        }
        tested.min(most)
    }

    /// Whether a job is one too many of its user, partition or association in this cycle.
    fn is_skipped(&self, job: &Job, counts: &mut Counts) -> bool {
        let is_over = |most: Parameter, count: &mut i64| {
            *count += 1;
            let most = self.parameter(most);
            most > 0 && *count > most
        };
        let partition = counts.partitions.entry(job.partition).or_default();
        if is_over(Parameter::BfMaxJobPart, partition) {
            return true;
        }
        let both = counts.users_of_partitions.entry((job.user, job.partition)).or_default();
        if is_over(Parameter::BfMaxJobUserPart, both) {
            return true;
        }
        if self.parameter(Parameter::BfMaxJobAssoc) > 0
            && let Some(association) = job.association
        {
            return is_over(Parameter::BfMaxJobAssoc, counts.associations.entry(association).or_default());
        }
        is_over(Parameter::BfMaxJobUser, counts.users.entry(job.user).or_default())
    }

    /// Whether a job that does not start gets a slot.
    fn reserves(&self, job: &Job, now: Seconds, counts: &Counts) -> bool {
        let most = self.parameter(Parameter::BfJobPartCountReserve);
        let reserved = counts.reserved.get(&job.partition).copied().unwrap_or(0);
        job.priority >= self.parameter(Parameter::BfMinPrioReserve) as f64
            && !self.is_young(job, now)
            && (most == 0 || reserved < most)
    }

    /// When and where a job starts, beside the slots of those before it.
    fn look(&self, job: &Job, now: Seconds, window: Seconds, table: &SlotTable, reserves: bool) -> Found {
        let endings: Vec<Ending<'_>> =
            self.running.iter().map(|run| Ending { end: run.end, allocation: &run.allocation }).collect();
        let site = self.site();
        let will_run = WillRun {
            nodes: &self.nodes,
            room: &self.room,
            endings: &endings,
            now,
            zero: self.jobs.zero,
            grace: site.kill_wait + site.over_time,
            linear: self.parameter(Parameter::BfWindowLinear),
            is_by_own_nodes: site.version.waits_for_own_nodes(),
        };
        let mut from = now;
        for _ in 0..MOST_LOOKS {
            let mut usable = self.partitions[job.partition as usize].clone();
            usable.keep(&self.availability.up);
            let cleared = self.availability.keep_clear(&mut usable, now, from, from + job.limit);
            let later = table.narrow(&mut usable, from, from + job.limit);
            let later = [later, cleared.map(|end| end + 1)].into_iter().flatten().min().filter(|&later| later > from);
            let Some((start, allocation)) = will_run.start(job.ask, &usable) else {
                match later.filter(|_| reserves) {
                    Some(later) => from = later,
                    None => return Found::Nothing,
                }
                continue;
            };
            let start = start.max(from);
            if start <= now {
                let is_completing = self.completing.iter().any(|run| run.nodes().meets(&allocation.nodes));
                if !is_completing {
                    return Found::Start(allocation);
                }
                return if reserves { self.found(now + 1, window, job, allocation, table) } else { Found::Nothing };
            }
            if !reserves {
                return Found::Nothing;
            }
            if let Some(later) = later.filter(|&later| start > later) {
                from = later;
                continue;
            }
            let (begin, end) = self.slot(start, job.limit);
            if start <= window && table.lacks(&allocation.nodes, begin, end) && start > from {
                from = start;
                continue;
            }
            return self.found(start, window, job, allocation, table);
        }
        Found::Nothing
    }

    /// A slot, if it lies within the window and nobody has its nodes.
    fn found(&self, start: Seconds, window: Seconds, job: &Job, allocation: Allocation, table: &SlotTable) -> Found {
        let (begin, end) = self.slot(start, job.limit);
        if start > window || table.lacks(&allocation.nodes, begin, end) {
            return Found::Nothing;
        }
        Found::Slot(start, allocation)
    }

    /// A moment rounded down to bf_resolution, on Slurm's own clock.
    fn rounded(&self, moment: Seconds) -> Seconds {
        let resolution = self.parameter(Parameter::BfResolution).max(1);
        moment - (moment + self.jobs.zero).rem_euclid(resolution)
    }

    /// What a start takes out of the table.
    fn slot(&self, start: Seconds, limit: Seconds) -> (Seconds, Seconds) {
        let resolution = self.parameter(Parameter::BfResolution).max(1);
        let begin = self.rounded(start);
        let more = if self.site().version.rounds_slots_up() { resolution - 1 } else { 0 };
        (begin, self.rounded(start + limit + more).max(begin + resolution))
    }
}

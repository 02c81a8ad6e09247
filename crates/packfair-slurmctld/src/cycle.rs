//! The state of a backfill cycle: the slots that it has given, and how much time it has used.

use super::job::JobState;
use super::licences::LicenceTable;
use super::parts::PlannedParts;
use super::table::SlotTable;
use super::{CYCLE_OF_JOB, Controller};
use packfair_engine::model::{Actions, Reservation};
use packfair_slurm::{DEFAULT_YIELD_INTERVAL, Site, SlurmParameter};
use packfair_workload::{JobId, Seconds};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// A cycle under way, or one that started no job. Until something changes, another cycle would find the same.
#[derive(Clone, Debug)]
pub(super) struct Cycle {
    pub(super) now: Seconds,
    /// Before this moment the answers of the cycle stay the same as time passes.
    pub(super) valid_until: Cell<Seconds>,
    pub(super) window: Seconds,
    pub(super) table: SlotTable,
    pub(super) counts: CycleCounts,
    pub(super) planned: Vec<Reservation>,
    /// By QOS: until when none of its jobs starts, because a limit of all its jobs has kept one from starting
    /// (assoc_limit_stop).
    pub(super) blocked: FxHashMap<u32, Seconds>,
    /// Running jobs that are to be preempted.
    pub(super) victims: Vec<JobId>,
    /// Whether an idle node is planned for a job.
    pub(super) plans_idle: bool,
    pub(super) tested: i64,
    pub(super) place: usize,
    /// How much time the cycle has used.
    pub(super) course: CycleState,
    pub(super) array: Option<ArrayCycle>,
    /// When licences are free; none where backfill does not plan for them.
    pub(super) licences: Option<LicenceTable>,
    /// What the cycle has found for the parts of heterogeneous jobs.
    pub(super) parts: PlannedParts,
}

/// Counts of a cycle: the jobs that it has looked at, by user, partition or association, and the slots by partition.
#[derive(Clone, Debug, Default)]
pub(super) struct CycleCounts {
    pub(super) users: FxHashMap<i32, i64>,
    pub(super) partitions: FxHashMap<u32, i64>,
    pub(super) users_of_partitions: FxHashMap<(i32, u32), i64>,
    pub(super) associations: FxHashMap<u32, i64>,
    pub(super) reserved: FxHashMap<u32, i64>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct ArrayCycle {
    pub(super) array: u32,
    pub(super) partition: u32,
    /// The number of tasks that have slots.
    pub(super) reserved: i64,
    /// Whether a task was refused, or as many have slots as may. Then the other tasks are not looked at in this
    /// partition.
    pub(super) is_over: bool,
}

/// The settings of these times, seconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// The work between two looks at the clock. Slurm looks at it twice for each job.
    pub(super) work: f64,
    pub(super) interval: f64,
    pub(super) sleep: f64,
    pub(super) most: f64,
    /// Whether a cycle goes on although something has changed in a pause.
    pub(super) continues: bool,
}

/// How much time a cycle has used, and which jobs it has left.
#[derive(Clone, Debug, Default)]
pub(super) struct CycleState {
    /// The entries of the queue at the beginning of the cycle that are left, by job and number, the last first. None where the
    /// cycle takes no time, because then the queue stays as it is.
    pub(super) left: Option<Vec<(JobId, u32)>>,
    /// The time of work since the last pause, and the time of the whole cycle, seconds.
    pub(super) worked: f64,
    pub(super) elapsed: f64,
    /// How often the clock was looked at for the next job.
    pub(super) looked: u8,
    pub(super) pauses: bool,
    /// When something last changed, as of the beginning of the pause.
    pub(super) seen: Seconds,
}

impl CycleState {
    /// The place of the next job in the queue. Jobs that have started during a pause are skipped.
    pub(super) fn next(&mut self, place: usize, queue: &[Box<JobState>]) -> Option<usize> {
        let Some(left) = &mut self.left else { return Some(place).filter(|&place| place < queue.len()) };
        while let Some(&next) = left.last() {
            if let Some(at) = queue.iter().position(|job| (job.waiting.job, job.turn.entry) == next) {
                return Some(at);
            }
            left.pop();
        }
        None
    }

    /// Whether the cycle pauses or ends before its next job. If not, the job counts as taken.
    pub(super) fn stops(&mut self, pace: Pace) -> bool {
        while self.looked < 2 {
            if self.elapsed >= pace.most {
                self.left = Some(Vec::new());
                return true;
            }
            self.looked += 1;
            self.worked += pace.work;
            self.elapsed += pace.work;
            if self.worked >= pace.interval {
                self.pauses = true;
                return true;
            }
        }
        self.looked = 0;
        self.left.iter_mut().for_each(|left| {
            left.pop();
        });
        false
    }

    pub(super) fn is_pausing(&self) -> bool {
        self.pauses
    }
}

// The events inside slurmctld. Their times have fractions of seconds. What starts at such a time starts, for the
// simulation, at the whole second in which it lies, as Slurm writes it down.

/// An event inside slurmctld.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ClockEvent {
    Submitted(JobId),
    /// A job that was killed may start again.
    Eligible(JobId),
    /// A job ends; its nodes are not free yet.
    Ended(JobId),
    Freed(JobId),
    Pass,
    /// The main pass without a limit of depth.
    FullPass,
    Backfill,
    /// A backfill cycle goes on after a pause.
    Resume,
    /// Usage is counted and waiting jobs are weighed anew.
    Weigh,
    /// The node of this outage goes.
    Drained(usize),
    /// The node of this outage comes back.
    Returned(usize),
    /// The cap of power changes.
    Capped,
}

impl ClockEvent {
    /// Whether the event recurs, and changes nothing while no job waits.
    pub(super) fn recurs(self) -> bool {
        matches!(
            self,
            ClockEvent::Pass | ClockEvent::FullPass | ClockEvent::Backfill | ClockEvent::Resume | ClockEvent::Weigh
        )
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct ClockEntry {
    at: f64,
    number: u64,
    event: ClockEvent,
}

impl Eq for ClockEntry {}

impl PartialOrd for ClockEntry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ClockEntry {
    fn cmp(&self, other: &Self) -> Ordering {
        self.at.total_cmp(&other.at).then(self.number.cmp(&other.number))
    }
}

/// The random numbers of a seed.
fn stream(seed: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..16].copy_from_slice(b"slurmctl");
    ChaCha8Rng::from_seed(key)
}

/// The events ahead, and the random numbers of a run.
#[derive(Clone, Debug)]
pub(super) struct CycleClock {
    ahead: BinaryHeap<Reverse<ClockEntry>>,
    count: u64,
    random: ChaCha8Rng,
}

impl CycleClock {
    pub(super) fn seeded(seed: u64) -> Self {
        CycleClock { ahead: BinaryHeap::new(), count: 0, random: stream(seed) }
    }

    /// Goes on with the random numbers of another seed. What recurs with a period comes next at any moment within it from
    /// `now` on.
    pub(super) fn redraw(&mut self, seed: u64, now: f64, period: impl Fn(ClockEvent) -> Option<f64>) {
        self.random = stream(seed);
        let mut ahead: Vec<ClockEntry> = self.ahead.drain().map(|Reverse(entry)| entry).collect();
        ahead.sort_unstable();
        for entry in &mut ahead {
            if let Some(period) = period(entry.event) {
                entry.at = now + period * self.uniform();
            }
        }
        self.ahead.extend(ahead.into_iter().map(Reverse));
    }

    pub(super) fn at(&mut self, at: f64, event: ClockEvent) {
        self.count += 1;
        self.ahead.push(Reverse(ClockEntry { at, number: self.count, event }));
    }

    /// The time of the next event, seconds.
    pub(super) fn next(&self) -> Option<f64> {
        self.ahead.peek().map(|Reverse(entry)| entry.at)
    }

    /// Takes the next event, if it happens before a moment.
    pub(super) fn next_before(&mut self, moment: f64) -> Option<(f64, ClockEvent)> {
        self.next().filter(|&at| at < moment)?;
        self.ahead.pop().map(|Reverse(entry)| (entry.at, entry.event))
    }

    /// Whether any event is ahead that does not recur.
    pub(super) fn has_single(&self) -> bool {
        self.ahead.iter().any(|Reverse(entry)| !entry.event.recurs())
    }

    /// A random number, uniform in [0, 1).
    pub(super) fn uniform(&mut self) -> f64 {
        f64::from(self.random.next_u32()) / 4_294_967_296.0
    }
}

// Backfill cycles that take time. After bf_yield_interval of work they pause for bf_yield_sleep, during which all else
// goes on. Without bf_continue a change during a pause ends the cycle. bf_max_time ends it too.

impl Pace {
    /// The settings of a site; none where no setting makes cycles take time.
    pub(super) fn of(site: &Site, rate: f64) -> Option<Self> {
        let parameter = |parameter| site.parameters.get(parameter);
        let interval = parameter(SlurmParameter::BfYieldInterval);
        if rate <= 0.0 && interval == DEFAULT_YIELD_INTERVAL {
            return None;
        }
        let of_job = if rate > 0.0 { 1.0 / rate } else { CYCLE_OF_JOB };
        let most = match parameter(SlurmParameter::BfMaxTime) {
            0 => parameter(SlurmParameter::BfInterval),
            most => most,
        };
        Some(Pace {
            work: of_job / 2.0,
            interval: interval as f64 / 1e6,
            sleep: parameter(SlurmParameter::BfYieldSleep) as f64 / 1e6,
            most: most.max(1) as f64,
            continues: site.parameters.has(SlurmParameter::BfContinue),
        })
    }
}

impl Controller {
    pub(super) fn course(&self) -> CycleState {
        let all = || self.queue.iter().rev().map(|job| (job.waiting.job, job.turn.entry)).collect();
        CycleState { left: self.pace.map(|_| all()), ..CycleState::default() }
    }

    /// Pauses a cycle, after the time that its work has taken.
    pub(super) fn pause(&mut self, mut cycle: Cycle, at: f64) {
        let Some(pace) = self.pace else { return };
        let course = &mut cycle.course;
        let resumed = at + course.worked + pace.sleep;
        course.seen = self.last_change;
        course.elapsed += pace.sleep;
        (course.pauses, course.worked) = (false, 0.0);
        self.paused = Some(Box::new(cycle));
        self.clock.at(resumed, ClockEvent::Resume);
    }

    /// Goes on with a cycle after a pause, or ends it. Returns how many jobs it has tested; none if it pauses again.
    pub(super) fn resume(&mut self, at: f64, actions: &mut Actions) -> Option<i64> {
        let cycle = self.paused.take()?;
        let continues = self.pace.is_some_and(|pace| pace.continues);
        if !continues && self.last_change != cycle.course.seen {
            return Some(0);
        }
        self.go_on(*cycle, at, actions)
    }
}

// slurmctld's background loop. It wakes each second and asks for main passes. A batch job never starts at once when it
// is submitted: it waits for one of these passes, for a job that ends, or for backfill.

#[derive(Clone, Debug)]
pub(super) struct Background {
    /// The part of the second at which it wakes.
    phase: f64,
    last: Seconds,
    is_asked: bool,
}

impl Background {
    /// A loop that starts at the time `start`, seconds.
    pub(super) fn new(start: f64) -> Self {
        Background { phase: start.rem_euclid(1.0), last: start.floor() as Seconds, is_asked: false }
    }

    /// Asks for a pass. Returns when it comes, unless one was already asked for. It comes when the loop wakes, once
    /// `delay` seconds (batch_sched_delay) have passed since the last pass that the loop asked for, in whole seconds.
    pub(super) fn ask(&mut self, at: f64, delay: Seconds) -> Option<f64> {
        if std::mem::replace(&mut self.is_asked, true) {
            return None;
        }
        let wake = (at - self.phase).floor() + 1.0 + self.phase;
        let early = delay - (wake.floor() as Seconds - self.last);
        Some(wake + early.max(0) as f64)
    }

    /// Whether a pass that was asked for is due now. A full pass in between has settled it, or has put it off.
    pub(super) fn is_due(&self, at: f64, delay: Seconds) -> bool {
        self.is_asked && at.floor() as Seconds - self.last >= delay
    }

    /// Notes that the loop asks for a pass now.
    pub(super) fn passed(&mut self, at: f64) {
        self.is_asked = false;
        self.last = at.floor() as Seconds;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_recurs_is_drawn_anew_and_what_does_not_stays() {
        let drawn = |seed: u64| {
            let mut clock = CycleClock::seeded(1);
            clock.at(130.0, ClockEvent::Backfill);
            clock.at(150.0, ClockEvent::Ended(JobId(3)));
            clock.redraw(seed, 100.0, |event| (event == ClockEvent::Backfill).then_some(30.0));
            (clock.next_before(149.0), clock.next_before(151.0), clock.uniform())
        };
        let (backfill, end, _) = drawn(7);
        assert!(matches!(backfill, Some((at, ClockEvent::Backfill)) if (100.0..130.0).contains(&at)), "{backfill:?}");
        assert_eq!(end, Some((150.0, ClockEvent::Ended(JobId(3)))));
        assert_eq!(drawn(7), drawn(7));
        let others: Vec<f64> = (0..20).filter_map(|seed| drawn(seed).0).map(|(at, _)| at).collect();
        assert!(others.iter().any(|at| *at < 110.0) && others.iter().any(|at| *at > 120.0), "{others:?}");
    }
}

#[cfg(test)]
mod background_tests {
    use super::*;

    #[test]
    fn passes_come_when_the_loop_wakes_and_not_too_often() {
        let mut background = Background::new(100.25);
        assert_eq!(background.ask(200.5, 3), Some(201.25), "at the next waking, when the last is long ago");
        assert_eq!(background.ask(200.75, 3), None, "it comes anyway");
        assert!(background.is_due(201.25, 3));
        background.passed(201.25);
        assert!(!background.is_due(201.25, 3));
        assert_eq!(background.ask(201.5, 3), Some(204.25));
        background.passed(203.25);
        assert_eq!(background.ask(203.5, 3), Some(206.25));
        assert!(!background.is_due(204.25, 3) && background.is_due(206.25, 3));
    }
}

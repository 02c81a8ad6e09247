//! The events inside slurmctld. Their times have fractions of seconds. What starts at such a time starts, for the
//! simulation, at the whole second in which it lies, as Slurm writes it down.

use packfair_workload::JobId;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

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

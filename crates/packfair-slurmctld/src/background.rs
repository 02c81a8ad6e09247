//! slurmctld's background loop. It wakes each second and asks for main passes. A batch job never starts at once when it
//! is submitted: it waits for one of these passes, for a job that ends, or for backfill.

use packfair_workload::Seconds;

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

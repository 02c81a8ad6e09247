//! What the description of a machine needs to know of a log or of a workload.

use crate::machine::MachineOfLog;
use crate::workload::moment::time_of;
use crate::workload::{Clock, Log, Seconds, Summary, read_moment};

const DAY: Seconds = 86_400;

/// What the description of a machine needs to know of its log.
#[derive(Clone, Debug)]
pub struct DescribedFor {
    clock: Clock,
    end: Seconds,
    processors: Option<u32>,
}

impl DescribedFor {
    /// What the description needs to know of `log`, whose machine has `processors`, where that is known.
    pub fn log(log: &Log, processors: Option<u32>) -> Self {
        let submits = || log.records.iter().map(|record| record.submit);
        let (first, end) = (submits().min().unwrap_or(0), submits().max().unwrap_or(0));
        DescribedFor { clock: Clock::of(&log.header, first, end), end, processors }
    }
}

impl MachineOfLog for DescribedFor {
    fn processors(&self) -> Option<u32> {
        self.processors
    }

    fn moment(&self, text: &str) -> Result<Seconds, String> {
        read_moment(Some(&self.clock), text).map_err(|right| format!("it takes {right}"))
    }

    fn days_later(&self, time: Seconds, days: i64) -> Seconds {
        days_later(&self.clock, time, days)
    }

    fn end(&self) -> Option<Seconds> {
        Some(self.end)
    }
}

impl MachineOfLog for Summary {
    fn processors(&self) -> Option<u32> {
        Some(self.machine.processors)
    }

    fn moment(&self, text: &str) -> Result<Seconds, String> {
        read_moment(Some(&self.clock), text).map_err(|right| format!("it takes {right}"))
    }

    fn days_later(&self, time: Seconds, days: i64) -> Seconds {
        days_later(&self.clock, time, days)
    }

    fn end(&self) -> Option<Seconds> {
        Some(self.span.last_submit)
    }
}

/// The same time of day, on a log's clock, `days` days later.
fn days_later(clock: &Clock, time: Seconds, days: i64) -> Seconds {
    time_of(clock, clock.local(time).saturating_add(days.saturating_mul(DAY)))
}

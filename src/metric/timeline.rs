//! The state of the cluster over time: who waits and how much is busy.

use super::Outcome;
use crate::workload::Seconds;

/// What holds over [from, until).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Level {
    pub(super) from: Seconds,
    pub(super) until: Seconds,
    /// Active jobs: submitted, and not completed.
    pub(super) active: i64,
    /// Waiting jobs.
    pub(super) waiting: i64,
    /// Width of the waiting jobs, processors.
    pub(super) width: i64,
    /// Processors in use.
    pub(super) busy: i64,
}

/// Submissions, starts and completions, each in the order of time: the moment and the width.
pub(super) struct Timeline {
    submissions: Vec<(Seconds, u32)>,
    starts: Vec<(Seconds, u32)>,
    completions: Vec<(Seconds, u32)>,
}

impl Timeline {
    /// Of these jobs.
    pub(super) fn new(jobs: &[Outcome]) -> Self {
        let sorted = |moment: fn(&Outcome) -> Seconds| {
            let mut events: Vec<_> = jobs.iter().map(|job| (moment(job), job.processors)).collect();
            // mostly in order already, which this sort makes use of
            events.sort_by_key(|&(at, _)| at);
            events
        };
        Timeline {
            submissions: sorted(|job| job.submit),
            starts: sorted(|job| job.start),
            completions: sorted(Outcome::completion),
        }
    }

    /// From the first submission to the last completion; none where there is no job.
    pub(super) fn span(&self) -> Option<(Seconds, Seconds)> {
        Some((self.submissions.first()?.0, self.completions.last()?.0))
    }

    /// How many jobs were in the queue at each scheduling round, before it started any: at every moment
    /// with a submission or a completion.
    pub(super) fn queue_lengths(&self) -> impl Iterator<Item = usize> + '_ {
        let [mut submitted, mut started, mut completed] =
            [&self.submissions, &self.starts, &self.completions].map(Events::of);
        let mut now = self.submissions.first().map_or(NEVER, |&(at, _)| at);
        std::iter::from_fn(move || {
            if now == NEVER {
                return None;
            }
            let next = submitted.pass(now).min(completed.pass(now));
            let queued = submitted.passed - started.passed;
            started.pass(now);
            now = next;
            Some(queued)
        })
    }

    /// The levels between any two moments at which something happens, without gaps, over the span.
    pub(super) fn levels(&self) -> impl Iterator<Item = Level> + '_ {
        let [mut submitted, mut started, mut completed] =
            [&self.submissions, &self.starts, &self.completions].map(Events::of);
        let mut from = self.submissions.first().map_or(NEVER, |&(at, _)| at);
        std::iter::from_fn(move || {
            let until = submitted.pass(from).min(started.pass(from)).min(completed.pass(from));
            let level = Level {
                from,
                until,
                active: submitted.passed as i64 - completed.passed as i64,
                waiting: submitted.passed as i64 - started.passed as i64,
                width: submitted.width - started.width,
                busy: started.width - completed.width,
            };
            from = until;
            (until != NEVER).then_some(level)
        })
    }
}

/// When nothing more happens.
const NEVER: Seconds = Seconds::MAX;

/// Events of one kind, and how far one has come in them.
struct Events<'a> {
    events: &'a [(Seconds, u32)],
    passed: usize,
    /// Of all events passed.
    width: i64,
}

impl<'a> Events<'a> {
    fn of(events: &'a Vec<(Seconds, u32)>) -> Self {
        Events { events, passed: 0, width: 0 }
    }

    /// Passes all events at `now`; gives the time of the next.
    fn pass(&mut self, now: Seconds) -> Seconds {
        while let Some(&(at, processors)) = self.events.get(self.passed) {
            if at > now {
                return at;
            }
            self.width += i64::from(processors);
            self.passed += 1;
        }
        NEVER
    }
}

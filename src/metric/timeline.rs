//! The state of the cluster over time: which jobs wait, and how many processors are busy.

use super::Outcome;
use super::killed::KilledRun;
use crate::workload::{JobId, Seconds};
use std::ops::Range;

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

/// Submissions, starts, completions and kills, each in the order of time.
pub(super) struct Timeline {
    submissions: Vec<TimelineEvent>,
    starts: Vec<TimelineEvent>,
    completions: Vec<TimelineEvent>,
    /// A killed job gives its processors back and waits again.
    kills: Vec<TimelineEvent>,
}

/// A job's submission, start or completion.
pub(super) struct TimelineEvent {
    at: Seconds,
    pub(super) processors: u32,
    pub(super) job: JobId,
}

/// A moment at which something happens.
pub(super) struct TimelineMoment {
    /// From then on, until the next; for ever after the last.
    pub(super) level: Level,
    /// Which of the submissions are at it.
    submitted: Range<usize>,
    /// Which of the completions are.
    completed: Range<usize>,
}

impl Timeline {
    /// Of these jobs, which are in log order, and their killed executions.
    pub(super) fn new(jobs: &[Outcome], killed: &[KilledRun]) -> Self {
        let sorted = |moment: fn(&Outcome) -> Seconds, more: Vec<TimelineEvent>| {
            let event = |job: &Outcome| TimelineEvent { at: moment(job), processors: job.processors, job: job.job };
            let mut events: Vec<_> = jobs.iter().map(event).chain(more).collect();
            if !events.is_sorted_by_key(|event| event.at) {
                radsort::sort_by_key(&mut events, |event| event.at);
            }
            events
        };
        let events = |moment: fn(&KilledRun) -> Seconds| -> Vec<TimelineEvent> {
            let event = |run: &KilledRun| TimelineEvent { at: moment(run), processors: run.processors, job: run.job };
            killed.iter().map(event).collect()
        };
        Timeline {
            submissions: sorted(|job| job.submit, Vec::new()),
            starts: sorted(|job| job.start, events(|run| run.start)),
            completions: sorted(Outcome::completion, Vec::new()),
            // they come in the order of their ends
            kills: events(|run| run.end),
        }
    }

    /// From the first submission to the last completion; none if there is no job.
    pub(super) fn span(&self) -> Option<(Seconds, Seconds)> {
        Some((self.submissions.first()?.at, self.completions.last()?.at))
    }

    /// The places in the log up to that of the last of the jobs.
    pub(super) fn jobs(&self) -> usize {
        self.submissions.iter().map(|event| event.job.index() + 1).max().unwrap_or(0)
    }

    /// The widths that jobs have, the narrowest first.
    pub(super) fn widths(&self) -> Vec<u32> {
        let mut widths: Vec<u32> = self.submissions.iter().map(|event| event.processors).collect();
        radsort::sort(&mut widths);
        widths.dedup();
        widths
    }

    /// How many jobs were in the queue at each scheduling round, before it started any: at every moment
    /// with a submission, a completion or a kill.
    pub(super) fn queue_lengths(&self) -> impl Iterator<Item = usize> + '_ {
        let [mut submitted, mut started, mut completed, mut killed] =
            [&self.submissions, &self.starts, &self.completions, &self.kills].map(Events::of);
        let mut now = self.submissions.first().map_or(NEVER, |first| first.at);
        std::iter::from_fn(move || {
            if now == NEVER {
                return None;
            }
            let next = submitted.pass(now).min(completed.pass(now)).min(killed.pass(now));
            let queued = submitted.passed + killed.passed - started.passed;
            started.pass(now);
            now = next;
            Some(queued)
        })
    }

    /// The levels between any two moments at which something happens, without gaps, over the span.
    pub(super) fn levels(&self) -> impl Iterator<Item = Level> + '_ {
        self.moments().map(|moment| moment.level).take_while(|level| level.until != NEVER)
    }

    /// The moments at which something happens.
    pub(super) fn moments(&self) -> impl Iterator<Item = TimelineMoment> + '_ {
        let [mut submitted, mut started, mut completed, mut killed] =
            [&self.submissions, &self.starts, &self.completions, &self.kills].map(Events::of);
        let mut from = self.submissions.first().map_or(NEVER, |first| first.at);
        std::iter::from_fn(move || {
            if from == NEVER {
                return None;
            }
            let (first_submitted, first_completed) = (submitted.passed, completed.passed);
            let until = submitted.pass(from).min(started.pass(from)).min(completed.pass(from)).min(killed.pass(from));
            let level = Level {
                from,
                until,
                active: submitted.passed as i64 - completed.passed as i64,
                waiting: (submitted.passed + killed.passed) as i64 - started.passed as i64,
                width: submitted.width + killed.width - started.width,
                busy: started.width - completed.width - killed.width,
            };
            from = until;
            let (submitted, completed) = (first_submitted..submitted.passed, first_completed..completed.passed);
            Some(TimelineMoment { level, submitted, completed })
        })
    }

    /// Who was submitted at a moment.
    pub(super) fn submitted_at(&self, moment: &TimelineMoment) -> &[TimelineEvent] {
        &self.submissions[moment.submitted.clone()]
    }

    /// Who completed at a moment.
    pub(super) fn completed_at(&self, moment: &TimelineMoment) -> &[TimelineEvent] {
        &self.completions[moment.completed.clone()]
    }
}

/// When nothing more happens.
const NEVER: Seconds = Seconds::MAX;

/// Events of one kind, and how far one has come in them.
struct Events<'a> {
    events: &'a [TimelineEvent],
    passed: usize,
    /// Of all events passed.
    width: i64,
}

impl<'a> Events<'a> {
    fn of(events: &'a Vec<TimelineEvent>) -> Self {
        Events { events, passed: 0, width: 0 }
    }

    /// Passes all events at `now`; gives the time of the next.
    fn pass(&mut self, now: Seconds) -> Seconds {
        while let Some(event) = self.events.get(self.passed) {
            if event.at > now {
                return event.at;
            }
            self.width += i64::from(event.processors);
            self.passed += 1;
        }
        NEVER
    }
}

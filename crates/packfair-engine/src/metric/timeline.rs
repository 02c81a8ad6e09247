//! The state of the cluster over time: how many jobs wait, and how many processors are busy.

use super::Outcome;
use super::killed::KilledRun;
use packfair_workload::{JobId, Seconds};
use std::ops::Range;

/// The state over [from, until).
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

/// Submissions and completions in order of time, and the state from every moment at which something happens.
pub(super) struct Timeline {
    submissions: Vec<TimelineEvent>,
    completions: Vec<TimelineEvent>,
    moments: Vec<Passed>,
    /// For each queue length, the number of moments with a submission, a completion or a kill at which the queue had
    /// that length.
    rounds_by_queue_length: Vec<u32>,
}

/// A job's submission, start or completion.
pub(super) struct TimelineEvent {
    at: Seconds,
    pub(super) processors: u32,
    pub(super) job: JobId,
}

/// A moment, and what has happened up to it.
struct Passed {
    at: Seconds,
    submitted: u32,
    completed: u32,
    waiting: u32,
    /// The width of the waiting jobs, processors.
    width: i64,
    busy: i64,
}

/// A moment at which something happens.
pub(super) struct TimelineMoment {
    /// The state from this moment until the next; after the last moment it holds for ever.
    pub(super) level: Level,
    /// The range of the submissions at this moment.
    submitted: Range<usize>,
    /// The range of the completions at this moment.
    completed: Range<usize>,
}

impl Timeline {
    /// The timeline of these jobs, which are in log order, and of their killed executions.
    pub(super) fn new(jobs: &[Outcome], killed: &[KilledRun]) -> Self {
        let event = |job: &Outcome, at: Seconds| TimelineEvent { at, processors: job.processors, job: job.job };
        let killed = |moment: fn(&KilledRun) -> Seconds| {
            let event =
                move |run: &KilledRun| TimelineEvent { at: moment(run), processors: run.processors, job: run.job };
            killed.iter().map(event)
        };
        let sort = |events: &mut Vec<TimelineEvent>| {
            if !events.is_sorted_by_key(|event| event.at) {
                radsort::sort_by_key(events, |event| event.at);
            }
        };
        let is_in_order = jobs.is_sorted_by_key(|job| job.submit);
        let mut submissions: Vec<_> = jobs.iter().map(|job| event(job, job.submit)).collect();
        sort(&mut submissions);
        // Often half of the jobs start at once, at their submission; these starts need no sorting.
        let is_at_once = |job: &Outcome| is_in_order && job.start == job.submit;
        let at_once: Vec<bool> = jobs.iter().map(is_at_once).collect();
        let mut starts = Vec::with_capacity(jobs.len());
        starts.extend(jobs.iter().filter(|job| !is_at_once(job)).map(|job| event(job, job.start)));
        starts.extend(killed(|run| run.start));
        sort(&mut starts);
        let mut completions: Vec<_> = jobs.iter().map(|job| event(job, job.completion())).collect();
        sort(&mut completions);
        // A killed job gives its processors back and waits again. Kills come in the order of their ends.
        let kills: Vec<_> = killed(|run| run.end).collect();
        let mut timeline =
            Timeline { submissions, completions, moments: Vec::new(), rounds_by_queue_length: Vec::new() };
        timeline.pass(&at_once, &starts, &kills);
        timeline
    }

    /// Visits every moment once. `at_once` says which submissions start at once; `starts` does not contain those.
    fn pass(&mut self, at_once: &[bool], starts: &[TimelineEvent], kills: &[TimelineEvent]) {
        let Timeline { submissions, completions, moments, rounds_by_queue_length } = self;
        let [mut submitted, mut started, mut completed, mut killed] =
            [submissions, starts, completions, kills].map(Events::of);
        let (mut started_at_once, mut width_at_once) = (0, 0);
        moments.reserve(2 * submissions.len());
        let mut now = submitted.next;
        while now != NEVER {
            let passed = submitted.passed;
            let before = passed + completed.passed + killed.passed;
            submitted.pass(now);
            completed.pass(now);
            killed.pass(now);
            if submitted.passed + completed.passed + killed.passed > before {
                // The queue before this round starts any job.
                let queued = submitted.passed + killed.passed - started.passed - started_at_once;
                if queued >= rounds_by_queue_length.len() {
                    rounds_by_queue_length.resize(queued + 1, 0);
                }
                rounds_by_queue_length[queued] += 1;
            }
            for place in passed..submitted.passed {
                if at_once[place] {
                    started_at_once += 1;
                    width_at_once += i64::from(submissions[place].processors);
                }
            }
            started.pass(now);
            let busy = started.width + width_at_once;
            moments.push(Passed {
                at: now,
                submitted: submitted.passed as u32,
                completed: completed.passed as u32,
                waiting: (submitted.passed + killed.passed - started.passed - started_at_once) as u32,
                width: submitted.width + killed.width - busy,
                busy: busy - completed.width - killed.width,
            });
            now = submitted.next.min(completed.next).min(killed.next).min(started.next);
        }
    }

    /// The window from when the first 1 % of jobs (rounded down) have completed to the last submission
    /// ([`steady_window`]).
    ///
    /// [`steady_window`]: super::counted::steady_window
    pub(super) fn steady_window(&self) -> Option<(Seconds, Seconds)> {
        let begin = self.completions.get(self.completions.len() / 100)?;
        Some((begin.at, self.submissions.last()?.at))
    }

    /// From the first submission to the last completion; `None` without jobs.
    pub(super) fn span(&self) -> Option<(Seconds, Seconds)> {
        Some((self.submissions.first()?.at, self.completions.last()?.at))
    }

    /// The number of places in the log, up to that of the last of these jobs.
    pub(super) fn jobs(&self) -> usize {
        self.submissions.iter().map(|event| event.job.index() + 1).max().unwrap_or(0)
    }

    /// The different widths of the jobs, ascending.
    pub(super) fn widths(&self) -> Vec<u32> {
        let mut widths: Vec<u32> = self.submissions.iter().map(|event| event.processors).collect();
        radsort::sort(&mut widths);
        widths.dedup();
        widths
    }

    /// For each queue length, the number of scheduling rounds at which the queue had that length before the round
    /// started any job. There is a round at every moment with a submission, a completion or a kill.
    pub(super) fn rounds_by_queue_length(&self) -> &[u32] {
        &self.rounds_by_queue_length
    }

    /// The states between consecutive moments, without gaps, over the span.
    pub(super) fn levels(&self) -> impl Iterator<Item = Level> + '_ {
        self.moments.windows(2).map(|pair| level(&pair[0], pair[1].at))
    }

    /// The moments at which something happens.
    pub(super) fn moments(&self) -> impl Iterator<Item = TimelineMoment> + '_ {
        let (mut submitted, mut completed) = (0, 0);
        self.moments.iter().enumerate().map(move |(i, moment)| {
            let until = self.moments.get(i + 1).map_or(NEVER, |next| next.at);
            let earlier = (submitted, completed);
            (submitted, completed) = (moment.submitted as usize, moment.completed as usize);
            TimelineMoment {
                level: level(moment, until),
                submitted: earlier.0..submitted,
                completed: earlier.1..completed,
            }
        })
    }

    /// The submissions at a moment.
    pub(super) fn submitted_at(&self, moment: &TimelineMoment) -> &[TimelineEvent] {
        &self.submissions[moment.submitted.clone()]
    }

    /// The completions at a moment.
    pub(super) fn completed_at(&self, moment: &TimelineMoment) -> &[TimelineEvent] {
        &self.completions[moment.completed.clone()]
    }
}

/// The state from a moment until `until`.
fn level(moment: &Passed, until: Seconds) -> Level {
    let Passed { at, submitted, completed, waiting, width, busy } = *moment;
    let active = i64::from(submitted) - i64::from(completed);
    Level { from: at, until, active, waiting: i64::from(waiting), width, busy }
}

/// The time of the next event where there is none.
const NEVER: Seconds = Seconds::MAX;

/// Events of one kind, and the progress through them.
struct Events<'a> {
    events: &'a [TimelineEvent],
    passed: usize,
    /// The total width of all passed events.
    width: i64,
    /// The time of the next event.
    next: Seconds,
}

impl<'a> Events<'a> {
    fn of(events: &'a [TimelineEvent]) -> Self {
        Events { events, passed: 0, width: 0, next: events.first().map_or(NEVER, |first| first.at) }
    }

    /// Passes all events up to `now`.
    #[inline(always)]
    fn pass(&mut self, now: Seconds) {
        while self.next <= now {
            self.width += i64::from(self.events[self.passed].processors);
            self.passed += 1;
            self.next = self.events.get(self.passed).map_or(NEVER, |event| event.at);
        }
    }
}

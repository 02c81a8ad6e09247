//! The state of the cluster over time: how many jobs wait, and how many processors are busy.

use super::Outcome;
use super::counted::KilledRun;
use super::job_counts::{SuspendedRun, suspended_steps};
use super::sorting::sort_by_digits;
use packfair_workload::Seconds;

/// The state over [from, until).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Level {
    pub(super) from: Seconds,
    pub(super) until: Seconds,
    /// Active jobs: submitted, and not completed.
    pub(super) active: i64,
    pub(super) waiting: i64,
    /// Width of the waiting jobs, processors.
    pub(super) width: i64,
    pub(super) busy: i64,
}

/// What is computed from a timeline. At each moment a viewer is told of the submissions, then of the completions, then of
/// the state from this moment to the next. There is none after the last moment.
pub(super) trait Viewer {
    const SEES_JOBS: bool = false;

    fn submitted(&mut self, _job: usize) {}
    fn completed(&mut self, _job: usize) {}
    /// There is a scheduling round, before which so many jobs wait: at every moment with a submission, a completion or a
    /// kill.
    fn round(&mut self, _queued: usize) {}
    /// The state over a span of time.
    fn level(&mut self, _level: &Level) {}
}

/// Two viewers, so that one pass serves both.
impl<A: Viewer, B: Viewer> Viewer for (A, B) {
    const SEES_JOBS: bool = A::SEES_JOBS || B::SEES_JOBS;

    #[inline(always)]
    fn submitted(&mut self, job: usize) {
        self.0.submitted(job);
        self.1.submitted(job);
    }

    #[inline(always)]
    fn completed(&mut self, job: usize) {
        self.0.completed(job);
        self.1.completed(job);
    }

    #[inline(always)]
    fn round(&mut self, queued: usize) {
        self.0.round(queued);
        self.1.round(queued);
    }

    #[inline(always)]
    fn level(&mut self, level: &Level) {
        self.0.level(level);
        self.1.level(level);
    }
}

/// A viewer that may be missing.
impl<V: Viewer> Viewer for Option<V> {
    const SEES_JOBS: bool = V::SEES_JOBS;

    #[inline(always)]
    fn submitted(&mut self, job: usize) {
        self.iter_mut().for_each(|viewer| viewer.submitted(job));
    }

    #[inline(always)]
    fn completed(&mut self, job: usize) {
        self.iter_mut().for_each(|viewer| viewer.completed(job));
    }

    #[inline(always)]
    fn round(&mut self, queued: usize) {
        self.iter_mut().for_each(|viewer| viewer.round(queued));
    }

    #[inline(always)]
    fn level(&mut self, level: &Level) {
        self.iter_mut().for_each(|viewer| viewer.level(level));
    }
}

impl<V: Viewer> Viewer for &mut V {
    const SEES_JOBS: bool = V::SEES_JOBS;

    #[inline(always)]
    fn submitted(&mut self, job: usize) {
        V::submitted(self, job);
    }

    #[inline(always)]
    fn completed(&mut self, job: usize) {
        V::completed(self, job);
    }

    #[inline(always)]
    fn round(&mut self, queued: usize) {
        V::round(self, queued);
    }

    #[inline(always)]
    fn level(&mut self, level: &Level) {
        V::level(self, level);
    }
}

/// Everything that happens to jobs, in order of time.
pub(super) struct Timeline {
    /// Each a number of which the high bits are the time, then come [`EVENT_BITS`] bits for the kind, then the place.
    events: Vec<u64>,
    /// The number of bits of a place: of a job among the jobs, or of a killed run, whose places come behind them.
    place_bits: u32,
    widths: Vec<u32>,
    jobs: usize,
    clock: EventClock,
    /// The processors of jobs that are suspended, as a step function; empty where none ever is.
    suspended: Vec<(Seconds, i64)>,
    span: Option<(Seconds, Seconds)>,
}

const EVENT_BITS: u32 = 2;

/// Kinds of events, in the order in which they come within a moment.
const SUBMISSION: u64 = 0;
/// A submission of a job that starts at once; its start is no event of its own.
const STARTED_SUBMISSION: u64 = 1;
/// A completion or a kill. A killed job gives its processors back and waits again.
const END: u64 = 2;
const START: u64 = 3;

struct Effect {
    active: i64,
    /// How many jobs more wait.
    waits: i64,
    /// How many jobs more run.
    runs: i64,
    starts: i64,
}

/// What each kind of event does. A kill does something else to jobs than a completion.
const EFFECTS: [Effect; 1 << EVENT_BITS] = [
    Effect { active: 1, waits: 1, runs: 0, starts: 0 },
    Effect { active: 1, waits: 0, runs: 1, starts: 1 },
    Effect { active: -1, waits: 0, runs: -1, starts: 0 },
    Effect { active: 0, waits: -1, runs: 1, starts: 1 },
];

enum EventClock {
    Since(Seconds),
    /// Places among these moments, which lie too far apart for a number of seconds.
    Among(Vec<Seconds>),
}

impl EventClock {
    #[inline]
    fn moment(&self, number: u64) -> Seconds {
        match self {
            EventClock::Since(first) => first + number as Seconds,
            EventClock::Among(moments) => moments[number as usize],
        }
    }
}

impl Timeline {
    /// The timeline of these jobs and of their killed executions.
    pub(super) fn new(jobs: &[Outcome], killed: &[KilledRun]) -> Self {
        let widths: Vec<u32> =
            jobs.iter().map(|job| job.processors).chain(killed.iter().map(|run| run.processors)).collect();
        let place_bits = u64::BITS - (widths.len() as u64).leading_zeros();
        let (mut first, mut last_end, mut last) = (Seconds::MAX, Seconds::MIN, Seconds::MIN);
        for job in jobs {
            first = first.min(job.submit);
            last_end = last_end.max(job.completion());
            last = last.max(job.start);
        }
        last = last.max(last_end);
        for run in killed {
            last = last.max(run.start).max(run.end);
        }
        let span = (!jobs.is_empty()).then_some((first, last_end));
        let bits = u64::BITS - EVENT_BITS - place_bits;
        let is_near = last.checked_sub(first).is_some_and(|span| span < 1 << bits.min(62));
        // What happens before the first submission counts as of then.
        let (mut events, clock) = if is_near && !jobs.is_empty() {
            (events(jobs, killed, place_bits, |at| (at - first).max(0) as u64), EventClock::Since(first))
        } else {
            let moments = jobs.iter().flat_map(|job| [job.submit, job.start, job.completion()]);
            let moments = moments.chain(killed.iter().flat_map(|run| [run.start, run.end])).map(|at| at.max(first));
            let mut moments: Vec<Seconds> = moments.collect();
            moments.sort_unstable();
            moments.dedup();
            let number = |at: Seconds| moments.partition_point(|&moment| moment < at.max(first)) as u64;
            (events(jobs, killed, place_bits, number), EventClock::Among(moments))
        };
        sort_by_digits(&mut events, place_bits);
        Timeline { events, place_bits, widths, jobs: jobs.len(), clock, suspended: Vec::new(), span }
    }

    /// The timeline where the processors of these suspended jobs were not busy.
    pub(super) fn without(self, suspended: &[SuspendedRun]) -> Self {
        Timeline { suspended: suspended_steps(suspended), ..self }
    }

    /// Shows everything once, in order of time.
    pub(super) fn show<V: Viewer>(&self, viewer: &mut V) {
        let (time_shift, places) = (EVENT_BITS + self.place_bits, (1 << self.place_bits) - 1);
        let (mut active, mut waiting, mut width, mut busy) = (0, 0, 0, 0);
        let (events, mut at) = (&self.events[..], 0);
        while let Some(&next) = events.get(at) {
            let now = next >> time_shift;
            let (mut is_round, mut started) = (false, 0);
            while let Some(&event) = events.get(at).filter(|&&event| event >> time_shift == now) {
                at += 1;
                let place = (event & places) as usize;
                let kind = (event >> self.place_bits) & ((1 << EVENT_BITS) - 1);
                let processors = i64::from(self.widths[place]);
                // Which kind comes next takes a processor by surprise: here every kind does the same.
                let effect = &EFFECTS[kind as usize];
                active += effect.active;
                waiting += effect.waits;
                width += effect.waits * processors;
                busy += effect.runs * processors;
                started += effect.starts;
                is_round |= kind != START;
                if place >= self.jobs && kind == END {
                    (active, waiting, width) = (active + 1, waiting + 1, width + processors);
                } else if V::SEES_JOBS {
                    match kind {
                        SUBMISSION | STARTED_SUBMISSION => viewer.submitted(place),
                        END => viewer.completed(place),
                        _ => {}
                    }
                }
            }
            if is_round {
                // As the round begins, before it starts any job.
                viewer.round((waiting + started) as usize);
            }
            if let Some(&next) = events.get(at) {
                let (from, until) = (self.clock.moment(now), self.clock.moment(next >> time_shift));
                let level = Level { from, until, active, waiting, width, busy };
                if self.suspended.is_empty() {
                    viewer.level(&level);
                } else {
                    self.show_suspended(level, viewer);
                }
            }
        }
    }

    /// Shows a level in which the processors of suspended jobs are still busy, step by step without them.
    #[inline(never)]
    fn show_suspended<V: Viewer>(&self, level: Level, viewer: &mut V) {
        let mut from = level.from;
        while from < level.until {
            let next = self.suspended.partition_point(|&(at, _)| at <= from);
            let less = next.checked_sub(1).map_or(0, |last| self.suspended[last].1);
            let until = self.suspended.get(next).map_or(level.until, |&(at, _)| at.min(level.until));
            viewer.level(&Level { from, until, busy: level.busy - less, ..level });
            from = until;
        }
    }

    /// From the first submission to the last completion; `None` without jobs.
    pub(super) fn span(&self) -> Option<(Seconds, Seconds)> {
        self.span
    }

    /// When the first 1 % of jobs (rounded down) have completed; `None` without jobs.
    pub(super) fn warm(&self) -> Option<Seconds> {
        let kind_and_place = (1 << (EVENT_BITS + self.place_bits)) - 1;
        let is_completion = |&&event: &&u64| {
            let rest = event & kind_and_place;
            rest >> self.place_bits == END && rest & ((1 << self.place_bits) - 1) < self.jobs as u64
        };
        let warm = self.events.iter().filter(is_completion).nth(self.jobs / 100)?;
        Some(self.clock.moment(warm >> (EVENT_BITS + self.place_bits)))
    }
}

/// All events, in no order; `number` gives the number that stands for a time.
fn events(jobs: &[Outcome], killed: &[KilledRun], place_bits: u32, number: impl Fn(Seconds) -> u64) -> Vec<u64> {
    let event = |at: Seconds, kind: u64, place: u64| (number(at) << EVENT_BITS | kind) << place_bits | place;
    let mut events = vec![0; 3 * jobs.len()];
    let mut count = 0;
    for (job, place) in jobs.iter().zip(0..) {
        // Often half of the jobs start at once; such a start is written and then overwritten.
        let starts_at_once = job.start == job.submit;
        let submission = if starts_at_once { STARTED_SUBMISSION } else { SUBMISSION };
        let of_job =
            [event(job.submit, submission, place), event(job.completion(), END, place), event(job.start, START, place)];
        events[count..count + 3].copy_from_slice(&of_job);
        count += 3 - usize::from(starts_at_once);
    }
    events.truncate(count);
    for (run, place) in killed.iter().zip(jobs.len() as u64..) {
        events.extend([event(run.start, START, place), event(run.end, END, place)]);
    }
    events
}

/// For each queue length, the number of scheduling rounds at which the queue had that length before the round started any
/// job.
#[derive(Default)]
pub(super) struct QueueLengths(pub(super) Vec<u32>);

impl Viewer for QueueLengths {
    #[inline(always)]
    fn round(&mut self, queued: usize) {
        if queued >= self.0.len() {
            self.0.resize(queued + 1, 0);
        }
        self.0[queued] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_workload::JobId;

    #[derive(Default, Debug, PartialEq)]
    struct Seen {
        levels: Vec<Level>,
        rounds: Vec<usize>,
        /// The jobs that are submitted, and those that complete, since the moment before.
        jobs: Vec<(Vec<usize>, Vec<usize>)>,
        now: (Vec<usize>, Vec<usize>),
    }

    impl Viewer for Seen {
        const SEES_JOBS: bool = true;

        fn submitted(&mut self, job: usize) {
            self.now.0.push(job);
        }

        fn completed(&mut self, job: usize) {
            self.now.1.push(job);
        }

        fn round(&mut self, queued: usize) {
            self.rounds.push(queued);
        }

        fn level(&mut self, level: &Level) {
            self.levels.push(*level);
            let (mut submitted, completed) = std::mem::take(&mut self.now);
            submitted.sort_unstable();
            self.jobs.push((submitted, completed));
        }
    }

    /// The same by looking at every job at every moment.
    fn plain(jobs: &[Outcome], killed: &[KilledRun]) -> Seen {
        let mut seen = Seen::default();
        let mut moments: Vec<Seconds> = jobs
            .iter()
            .flat_map(|job| [job.submit, job.start, job.end])
            .chain(killed.iter().flat_map(|run| [run.start, run.end]))
            .collect();
        moments.sort_unstable();
        moments.dedup();
        let places = |is: &dyn Fn(&Outcome) -> bool| -> Vec<usize> {
            jobs.iter().enumerate().filter(|(_, job)| is(job)).map(|(place, _)| place).collect()
        };
        for (i, &now) in moments.iter().enumerate() {
            let kills = || killed.iter().filter(|run| run.end == now);
            let started_before = |until: Seconds| {
                jobs.iter().filter(|job| job.start < until).count()
                    + killed.iter().filter(|run| run.start < until).count()
            };
            let queued = jobs.iter().filter(|job| job.submit <= now).count()
                + killed.iter().filter(|run| run.end <= now).count()
                - started_before(now);
            let is_round = jobs.iter().any(|job| job.submit == now || job.end == now) || kills().count() > 0;
            seen.rounds.extend(is_round.then_some(queued));
            seen.now = (places(&|job| job.submit == now), places(&|job| job.end == now));
            let Some(&until) = moments.get(i + 1) else { break };
            let runs = |job: &&Outcome| job.start <= now && now < job.end;
            let is_active = |job: &&Outcome| job.submit <= now && now < job.end;
            let running_killed: i64 = killed
                .iter()
                .filter(|run| run.start <= now && now < run.end)
                .map(|run| i64::from(run.processors))
                .sum();
            let killed_now = killed.iter().filter(|run| run.start <= now && now < run.end).count() as i64;
            let width =
                |jobs: &mut dyn Iterator<Item = &Outcome>| -> i64 { jobs.map(|job| i64::from(job.processors)).sum() };
            let busy = width(&mut jobs.iter().filter(runs)) + running_killed;
            let active = jobs.iter().filter(is_active).count() as i64;
            let all = width(&mut jobs.iter().filter(is_active));
            let waiting = active - jobs.iter().filter(runs).count() as i64 - killed_now;
            seen.levels.push(Level { from: now, until, active, waiting, width: all - busy, busy });
            let now = std::mem::take(&mut seen.now);
            seen.jobs.push(now);
        }
        seen
    }

    fn shown(jobs: &[Outcome], killed: &[KilledRun]) -> Seen {
        let mut seen = Seen::default();
        Timeline::new(jobs, killed).show(&mut seen);
        seen.now.0.sort_unstable();
        seen
    }

    fn drawn(count: u32, seed: u64, scale: i64) -> (Vec<Outcome>, Vec<KilledRun>) {
        let mut state = seed;
        let mut below = |bound: i64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as i64 % bound
        };
        let (mut jobs, mut killed) = (Vec::new(), Vec::new());
        for id in 0..count {
            let submit = below(i64::from(3 * count)) * scale;
            let processors = 1 + below(5) as u32;
            // Now and then it is killed, and waits again.
            let wait = below(3) * below(40) * scale;
            let first = submit + wait;
            let (start, kill) = if below(9) == 0 {
                let end = first + (1 + below(5)) * scale;
                (end + below(7) * scale, Some(end))
            } else {
                (first, None)
            };
            killed.extend(kill.map(|end| KilledRun { job: JobId(id), processors, start: first, end, suspended: 0 }));
            let run = (1 + below(30)) * scale;
            jobs.push(Outcome { job: JobId(id), processors, submit, start, end: start + run, run });
        }
        killed.sort_by_key(|run| run.end);
        (jobs, killed)
    }

    #[test]
    fn the_processors_of_suspended_jobs_are_not_busy() {
        use crate::model::Suspension;
        struct Busy(Vec<(Seconds, Seconds, i64)>);
        impl Viewer for Busy {
            fn level(&mut self, level: &Level) {
                self.0.push((level.from, level.until, level.busy));
            }
        }
        let job = |id, processors, start, end| Outcome { job: JobId(id), processors, submit: 0, start, end, run: 10 };
        let run = |id, processors, from, until| SuspendedRun {
            processors,
            suspension: Suspension { job: JobId(id), from, until },
        };
        let jobs = [job(0, 4, 0, 20), job(1, 3, 5, 15)];
        let mut busy = Busy(Vec::new());
        Timeline::new(&jobs, &[]).without(&[run(0, 4, 5, 15)]).show(&mut busy);
        assert_eq!(busy.0, [(0, 5, 4), (5, 15, 3), (15, 20, 4)]);
        // a suspension may begin and end where nothing else does
        let mut busy = Busy(Vec::new());
        Timeline::new(&jobs, &[]).without(&[run(0, 4, 3, 8), run(0, 4, 9, 15)]).show(&mut busy);
        assert_eq!(busy.0, [(0, 3, 4), (3, 5, 0), (5, 8, 3), (8, 9, 7), (9, 15, 3), (15, 20, 4)]);
    }

    #[test]
    fn what_is_shown_is_what_looking_at_every_job_finds() {
        for (count, seed, scale) in [(0, 1, 1), (1, 2, 1), (2, 3, 1), (40, 4, 1), (150, 5, 1), (150, 6, 1_000)] {
            let (jobs, killed) = drawn(count, seed, scale);
            let mut plain = plain(&jobs, &killed);
            plain.now.0.sort_unstable();
            assert_eq!(shown(&jobs, &killed), plain, "{count} {seed}");
            // So far apart that seconds have no room.
            let (jobs, killed) = drawn(count, seed, 1 << 52);
            let mut far = self::plain(&jobs, &killed);
            far.now.0.sort_unstable();
            assert_eq!(shown(&jobs, &killed), far, "{count} {seed}");
        }
    }

    #[test]
    fn the_first_hundredth_has_completed_when_that_many_jobs_have() {
        let (jobs, killed) = drawn(250, 7, 1);
        let mut ends: Vec<Seconds> = jobs.iter().map(|job| job.end).collect();
        ends.sort_unstable();
        assert_eq!(Timeline::new(&jobs, &killed).warm(), Some(ends[2]));
        assert_eq!(Timeline::new(&[], &[]).warm(), None);
    }
}

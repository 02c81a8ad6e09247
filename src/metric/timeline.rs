//! The state of the cluster over time: how many jobs wait, and how many processors are busy.

use super::Outcome;
use super::killed::KilledRun;
use super::sorting::sort;
use crate::workload::Seconds;

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

/// What is computed from a timeline. At each moment a viewer is told of the submissions, then of the completions, then of
/// the state from this moment to the next. There is none after the last moment.
pub(super) trait Viewer {
    /// A job is submitted, that at this place among the jobs.
    fn submitted(&mut self, _job: usize) {}
    /// A job completes, that at this place among the jobs.
    fn completed(&mut self, _job: usize) {}
    /// There is a scheduling round, before which so many jobs wait: at every moment with a submission, a completion or a
    /// kill.
    fn round(&mut self, _queued: usize) {}
    /// The state over a span of time.
    fn level(&mut self, _level: &Level) {}
}

/// Two viewers, so that one pass serves both.
impl<A: Viewer, B: Viewer> Viewer for (A, B) {
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
    /// The processors of each place.
    widths: Vec<u32>,
    jobs: usize,
    clock: EventClock,
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

/// What the times of events stand for.
enum EventClock {
    /// Seconds since this moment.
    Since(Seconds),
    /// Places among these moments, which lie too far apart for a number of seconds.
    Among(Vec<Seconds>),
}

impl EventClock {
    /// A clock for these moments, of which `first` is the first, where there are `bits` bits for a time.
    fn of(first: Seconds, bits: u32, moments: impl Iterator<Item = Seconds> + Clone) -> Self {
        let last = moments.clone().max().unwrap_or(first);
        let fits = |&span: &Seconds| (span as u64).leading_zeros() >= u64::BITS - bits;
        if last.checked_sub(first).filter(fits).is_some() {
            return EventClock::Since(first);
        }
        let mut moments: Vec<Seconds> = moments.collect();
        moments.sort_unstable();
        moments.dedup();
        EventClock::Among(moments)
    }

    /// The number that stands for a moment. What happens before the first counts as of the first.
    #[inline]
    fn number(&self, at: Seconds) -> u64 {
        match self {
            EventClock::Since(first) => (at - first).max(0) as u64,
            EventClock::Among(moments) => moments.partition_point(|&moment| moment < at) as u64,
        }
    }

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
        let ends = || jobs.iter().map(Outcome::completion);
        let span = jobs.iter().map(|job| job.submit).min().zip(ends().max());
        let first = span.map_or(0, |(first, _)| first);
        let moments = jobs.iter().flat_map(|job| [job.submit, job.start, job.completion()]);
        let moments = moments.chain(killed.iter().flat_map(|run| [run.start, run.end])).map(|at| at.max(first));
        let clock = EventClock::of(first, u64::BITS - EVENT_BITS - place_bits, moments);
        let mut events = Vec::with_capacity(3 * jobs.len() + 2 * killed.len());
        let mut add = |at: Seconds, kind: u64, place: u64| {
            events.push((clock.number(at.max(first)) << EVENT_BITS | kind) << place_bits | place);
        };
        for (job, place) in jobs.iter().zip(0..) {
            // Often half of the jobs start at once.
            let starts_at_once = job.start == job.submit;
            add(job.submit, if starts_at_once { STARTED_SUBMISSION } else { SUBMISSION }, place);
            add(job.completion(), END, place);
            if !starts_at_once {
                add(job.start, START, place);
            }
        }
        for (run, place) in killed.iter().zip(jobs.len() as u64..) {
            add(run.start, START, place);
            add(run.end, END, place);
        }
        sort(&mut events);
        Timeline { events, place_bits, widths, jobs: jobs.len(), clock, span }
    }

    /// Shows everything once, in order of time.
    pub(super) fn show(&self, viewer: &mut impl Viewer) {
        let (time_shift, places) = (EVENT_BITS + self.place_bits, (1 << self.place_bits) - 1);
        let (mut active, mut waiting, mut width, mut busy) = (0, 0, 0, 0);
        let mut events = self.events.iter().copied().peekable();
        while let Some(&next) = events.peek() {
            let now = next >> time_shift;
            let (mut started_at_once, mut is_round, mut started) = (0, false, 0);
            while let Some(event) = events.next_if(|event| event >> time_shift == now) {
                let place = (event & places) as usize;
                let processors = i64::from(self.widths[place]);
                match (event >> self.place_bits) & ((1 << EVENT_BITS) - 1) {
                    SUBMISSION => {
                        (active, waiting, width) = (active + 1, waiting + 1, width + processors);
                        is_round = true;
                        viewer.submitted(place);
                    }
                    STARTED_SUBMISSION => {
                        (active, busy, started_at_once) = (active + 1, busy + processors, started_at_once + 1);
                        is_round = true;
                        viewer.submitted(place);
                    }
                    END => {
                        busy -= processors;
                        is_round = true;
                        if place < self.jobs {
                            active -= 1;
                            viewer.completed(place);
                        } else {
                            (waiting, width) = (waiting + 1, width + processors);
                        }
                    }
                    _ => {
                        (waiting, width, busy) = (waiting - 1, width - processors, busy + processors);
                        started += 1;
                    }
                }
            }
            if is_round {
                // As the round begins, before it starts any job.
                viewer.round((waiting + started + started_at_once) as usize);
            }
            if let Some(&next) = events.peek() {
                let (from, until) = (self.clock.moment(now), self.clock.moment(next >> time_shift));
                viewer.level(&Level { from, until, active, waiting, width, busy });
            }
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
    use crate::workload::JobId;

    /// What a viewer is shown.
    #[derive(Default, Debug, PartialEq)]
    struct Seen {
        levels: Vec<Level>,
        rounds: Vec<usize>,
        /// The jobs that are submitted, and those that complete, since the moment before.
        jobs: Vec<(Vec<usize>, Vec<usize>)>,
        now: (Vec<usize>, Vec<usize>),
    }

    impl Viewer for Seen {
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
                jobs.iter().filter(|job| job.start < until).count() + killed.iter().filter(|run| run.start < until).count()
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
            let width = |jobs: &mut dyn Iterator<Item = &Outcome>| -> i64 { jobs.map(|job| i64::from(job.processors)).sum() };
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
            killed.extend(kill.map(|end| KilledRun { job: JobId(id), processors, start: first, end }));
            let run = (1 + below(30)) * scale;
            jobs.push(Outcome { job: JobId(id), processors, submit, start, end: start + run, run });
        }
        killed.sort_by_key(|run| run.end);
        (jobs, killed)
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

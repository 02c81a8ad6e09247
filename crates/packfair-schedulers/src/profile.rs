//! The reservation profile: free processors from now on, as a step function of time.

mod block;
mod steps;

use self::block::{Levels, StepSpan};
use self::steps::ProfileSteps;
pub(super) use self::steps::StepPlace;
use packfair_engine::model::View;

/// A step function of free processors over [now, infinity).
///
/// Once built it has at least one step. Times strictly increase, and the first is now. After the last step nothing
/// changes. Levels are below 0 where nodes have gone, or will go, while jobs run on; then no processors are free.
#[derive(Debug, Default)]
pub struct Profile {
    steps: ProfileSteps,
}

/// A span of time over which processors are free.
#[derive(Debug)]
pub struct FreeSpan {
    pub begin: f64,
    pub end: f64,
    pub(super) first: StepPlace,
    /// The place after the last step with which it overlaps.
    after: StepPlace,
}

/// The outcome of a search for a span.
#[derive(Debug)]
pub enum SpanSearch<S> {
    Found(S),
    /// No span begins in time. From where the search began, so many processors are nowhere free for longer than this,
    /// seconds.
    NoneLongerThan(f64),
}

impl<S> SpanSearch<S> {
    /// The span that was found, if any.
    #[inline(always)]
    pub fn found(self) -> Option<S> {
        match self {
            SpanSearch::Found(span) => Some(span),
            SpanSearch::NoneLongerThan(_) => None,
        }
    }
}

/// A span that was just reserved.
#[derive(Debug)]
pub struct ReservedSpan {
    first: StepPlace,
    end: f64,
    /// At least this many processors are still free at any time of the span.
    pub least: u32,
}

/// A number of processors as a level, or as a change of levels. No machine has 2³¹ processors.
#[inline(always)]
fn level(processors: u32) -> i32 {
    processors as i32
}

/// How many processors are free at a level.
#[inline(always)]
fn free(level: i32) -> u32 {
    level.max(0) as u32
}

impl Clone for Profile {
    fn clone(&self) -> Self {
        Profile { steps: self.steps.clone() }
    }

    /// Copies `other` into the memory of this profile.
    fn clone_from(&mut self, other: &Self) {
        self.steps.clone_from(&other.steps);
    }
}

impl Profile {
    /// The processors that running jobs leave free from now on, if they end as expected. For a machine of one cell of
    /// processors, with the announced changes of its calendar.
    pub fn of(view: &View) -> Self {
        let mut profile = Profile::default();
        profile.read(view);
        profile
    }

    /// Builds the profile of [`Profile::of`] anew in the same memory.
    pub(super) fn read(&mut self, view: &View) {
        let announced = view.announced().map(|step| (step.at as f64, step.more[0] as i32));
        let running = view.running().map(|release| (release.at, release.processors));
        self.begin(view.now() as f64, view.capacity()[0] as i32, running, announced);
    }

    /// Builds the profile that running jobs leave of `processors` anew in the same memory. `running` says until when each
    /// job holds how many.
    pub(super) fn begin_with(&mut self, now: f64, processors: u32, running: impl Iterator<Item = (f64, u32)>) {
        self.begin(now, level(processors), running, std::iter::empty());
    }

    /// Builds the profile anew: `capacity` less what running jobs hold, with the announced changes of it.
    fn begin(
        &mut self,
        now: f64,
        capacity: i32,
        running: impl Iterator<Item = (f64, u32)>,
        announced: impl Iterator<Item = (f64, i32)>,
    ) {
        // a job that is expected to have ended holds nothing any more
        let running = running.filter(|&(end, _)| end > now);
        let mut changes: Vec<(f64, i32)> = running.map(|(end, processors)| (end, level(processors))).collect();
        let held: i32 = changes.iter().map(|&(_, processors)| processors).sum();
        changes.extend(announced);
        changes.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        self.steps.clear();
        let (mut last, mut level) = (now, capacity - held);
        for (at, more) in changes {
            debug_assert!(at > now);
            if at > last {
                self.steps.push(last, level);
                last = at;
            }
            level += more;
        }
        self.steps.push(last, level);
    }

    /// The profile of a machine with all `processors` free from `now` on.
    pub fn idle(now: f64, processors: u32) -> Self {
        let mut profile = Profile::default();
        profile.steps.push(now, level(processors));
        profile
    }

    /// Whether the profile has never been built.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The steps: when each begins, and how many processors are then free.
    pub fn steps(&self) -> impl Iterator<Item = (f64, u32)> + '_ {
        self.steps.iter().map(|(time, level)| (time, free(level)))
    }

    /// Drops what lies before `now`.
    #[inline(always)]
    pub fn advance(&mut self, now: f64) {
        self.steps.begin_at(now);
    }

    /// The first time from which `processors` are free for `duration` seconds.
    ///
    /// There is always one if the machine has that many processors.
    pub fn earliest(&mut self, processors: u32, duration: f64) -> f64 {
        let span = self.earliest_before(f64::INFINITY, processors, duration);
        span.map_or(f64::INFINITY, |span| span.begin)
    }

    /// The first time, at `from` or later, from which `processors` are free for `duration` seconds. `from` is not before
    /// now.
    pub fn earliest_after(&mut self, from: f64, processors: u32, duration: f64) -> f64 {
        if self.has_free(from, from + duration, processors) {
            return from;
        }
        let next = self.steps.place(from).next();
        let span = self.earliest_from(next, f64::INFINITY, processors, duration).found();
        span.map_or(f64::INFINITY, |span| span.begin)
    }

    /// The earliest span of `duration` seconds with `processors` free, if it begins before `until`.
    pub fn earliest_before(&mut self, until: f64, processors: u32, duration: f64) -> Option<FreeSpan> {
        self.earliest_from(StepPlace::FIRST, until, processors, duration).found()
    }

    /// Like [`Profile::earliest_before`], but the search begins at the step `first`. The caller knows that no such span
    /// begins before it. The step of a span that was found earlier stays valid as long as capacity is only taken, and
    /// none is taken by a reservation that begins before that step.
    #[inline(always)] // a round does this more than anything else
    pub fn earliest_from(
        &mut self,
        first: StepPlace,
        until: f64,
        processors: u32,
        duration: f64,
    ) -> SpanSearch<FreeSpan> {
        match self.steps.earliest(first, until, level(processors), duration) {
            SpanSearch::Found(StepSpan { begin, first, after }) => {
                SpanSearch::Found(FreeSpan { begin, end: begin + duration, first, after })
            }
            SpanSearch::NoneLongerThan(longest) => SpanSearch::NoneLongerThan(longest),
        }
    }

    #[inline(always)]
    pub fn take(&mut self, span: FreeSpan, processors: u32) -> ReservedSpan {
        let FreeSpan { first, end, .. } = span;
        let least = self.steps.take(first, span.after, end, level(processors));
        ReservedSpan { first, end, least: free(least) }
    }

    /// Whether `processors` are still free in a span that was just reserved, as far as it lies before `until`.
    pub fn has_free_in(&mut self, span: &ReservedSpan, until: f64, processors: u32) -> bool {
        let first = self.steps.settled(span.first);
        self.steps.first_low(first, span.end.min(until), level(processors)).hold()
    }

    /// Reserves `processors` for `duration` seconds at the earliest time. Returns when the reservation begins and ends.
    pub fn place(&mut self, processors: u32, duration: f64) -> (f64, f64) {
        let Some(span) = self.earliest_before(f64::INFINITY, processors, duration) else {
            debug_assert!(false, "{processors} processors are more than there are");
            return (f64::INFINITY, f64::INFINITY);
        };
        let (begin, end) = (span.begin, span.end);
        self.take(span, processors);
        (begin, end)
    }

    /// An upper bound of the processors that are free at any time from the step `first` on and before `until`.
    pub fn most_before(&self, first: StepPlace, until: f64) -> u32 {
        free(self.steps.most_before(first, until))
    }

    /// The place of the step in which the time `at` falls, which must not be before now.
    pub fn step_at(&self, at: f64) -> StepPlace {
        self.steps.place(at)
    }

    /// The first time at which `processors` are free, and how many are free then.
    pub fn first_with(&mut self, processors: u32) -> Option<(f64, u32)> {
        let first = self.steps.first_high(StepPlace::FIRST, level(processors))?;
        Some((self.steps.time(first), free(self.steps.level(first))))
    }

    /// Visits the steps with fewer than `most` processors free, each with fewer than all visited before, until `visit`
    /// returns false. `visit` is given when the step begins and how many processors are free in it.
    pub fn descend(&self, most: u32, mut visit: impl FnMut(f64, u32) -> bool) {
        self.steps.descend(level(most), |time, level| visit(time, free(level)));
    }

    /// Reserves `processors`, which must be free, from now until `end`.
    pub fn reserve_until(&mut self, end: f64, processors: u32) {
        if end > self.steps.begin() {
            self.steps.lower_until(end, level(processors));
        }
    }

    /// Gives back what was reserved from now, or before, until `end`.
    pub fn release_until(&mut self, end: f64, processors: u32) {
        if end > self.steps.begin() {
            self.steps.raise_until(end, level(processors));
        }
    }

    /// Gives back what was reserved over [begin, end), or what is left of that from now on.
    pub fn release(&mut self, begin: f64, end: f64, processors: u32) {
        self.change(begin, end, |steps, first, last| steps.raise(first, last, level(processors)));
    }

    /// Reserves `processors`, which must be free, over [begin, end), or what is left of that from now on.
    pub fn reserve(&mut self, begin: f64, end: f64, processors: u32) {
        self.change(begin, end, |steps, first, last| {
            steps.lower(first, last, level(processors));
        });
    }

    /// Moves the end of a reservation of `processors` from `from` to `to`.
    pub fn move_end(&mut self, from: f64, to: f64, processors: u32) {
        if from < to {
            self.reserve(from, to, processors);
        } else {
            self.release(to, from, processors);
        }
    }

    /// Whether `processors` are free over [begin, end), where `begin` is not before now.
    pub fn has_free(&mut self, begin: f64, end: f64, processors: u32) -> bool {
        self.steps.first_low(self.steps.place(begin), end, level(processors)).hold()
    }

    /// Whether `processors` are free from now until `end`.
    pub fn has_free_until(&mut self, end: f64, processors: u32) -> bool {
        self.steps.first_low(StepPlace::FIRST, end, level(processors)).hold()
    }

    /// The first time before `begin` to which a reservation of `processors` over [begin, begin + duration) could move.
    /// Its own processors count as free for it.
    pub fn earlier(&mut self, processors: u32, duration: f64, begin: f64) -> Option<f64> {
        let mut from = StepPlace::FIRST;
        loop {
            let first = self.steps.first_high(from, level(processors))?;
            let time = self.steps.time(first);
            if time >= begin {
                return None;
            }
            // from `begin` on the processors are free, because the reservation itself holds them
            match self.steps.first_low(first.next(), begin.min(time + duration), level(processors)) {
                Levels::Hold(_) => return Some(time),
                Levels::LowAt(low) => from = low.next(),
            }
        }
    }

    /// Like [`Profile::earlier`], where it is known that no such time is at or before `from`, and none at or after
    /// `until` is wanted.
    pub fn earlier_within(&mut self, from: f64, until: f64, processors: u32, duration: f64, begin: f64) -> Option<f64> {
        let until = until.min(begin);
        let mut from = self.steps.place(from.max(self.steps.begin()));
        loop {
            let first = self.steps.first_high_before(from, until, level(processors))?;
            let time = self.steps.time(first);
            match self.steps.first_low(first.next(), begin.min(time + duration), level(processors)) {
                Levels::Hold(_) => return Some(time),
                Levels::LowAt(low) => from = low.next(),
            }
        }
    }

    /// For a span [begin, end) over which `processors` are free: since when and until when they are free around it.
    /// Only `looks` steps before it are examined. If these do not suffice, the first time is minus infinity.
    pub fn free_around(&mut self, begin: f64, end: f64, processors: u32, looks: usize) -> (f64, f64) {
        let first = self.steps.place(begin.max(self.steps.begin()));
        let last = self.steps.place(end.max(self.steps.begin()));
        let until = match self.steps.first_low(last, f64::INFINITY, level(processors)) {
            Levels::Hold(_) => f64::INFINITY,
            Levels::LowAt(low) => self.steps.time(low),
        };
        (self.steps.high_since(first, level(processors), looks), until)
    }

    /// The fewest and the most processors that are free at any time of [begin, end), from now on; none if that is
    /// empty.
    pub fn levels_within(&self, begin: f64, end: f64) -> Option<(u32, u32)> {
        let begin = begin.max(self.steps.begin());
        if begin >= end {
            return None;
        }
        let (least, most) = self.steps.levels_within(begin, end);
        Some((free(least), free(most)))
    }

    /// Whether a reservation of `processors` over [begin, begin + duration) could move to now. Its own processors count
    /// as free for it.
    pub fn could_begin_now(&mut self, processors: u32, duration: f64, begin: f64) -> bool {
        self.has_free_until(begin.min(self.steps.begin() + duration), processors)
    }

    /// Checks what must hold of the profile of a machine with this many processors. None means a machine with a
    /// calendar, whose levels are not checked.
    ///
    /// # Panics
    /// If something does not hold.
    #[cfg(debug_assertions)]
    pub fn check(&self, processors: Option<u32>) {
        self.steps.check(processors.map_or(i32::MIN..=i32::MAX, |processors| 0..=level(processors)));
    }

    /// Changes the levels over the part of [begin, end) that is not past.
    fn change(&mut self, begin: f64, end: f64, levels: impl FnOnce(&mut ProfileSteps, StepPlace, StepPlace)) {
        let now = self.steps.begin();
        if end <= now || end <= begin {
            return;
        }
        let first = self.steps.split(begin.max(now));
        let last = self.steps.split(end);
        let first = self.steps.settled(first);
        levels(&mut self.steps, first, last);
        self.steps.merge(last);
        self.steps.merge(first);
    }
}

#[cfg(test)]
mod tests;

#[cfg(all(test, not(target_arch = "wasm32")))]
mod random_tests;

//! The running jobs and the profile that they leave, as used by the list family, the EASY family and the schedulers
//! with guarantees.
//!
//! A job that starts is not entered in the profile at once. It is kept aside ([`RecentStarts`]) until the profile is
//! read. About half of all jobs (KTH-SP2) end before that and never cost a change of the profile. So the profile is
//! reached through [`Timetable::at`] alone, which brings it up to the present.

use super::profile::Profile;
use packfair_engine::model::{Release, Token, View, Waiting};

/// Running jobs, reservations, and the processors that they leave free from now on.
#[derive(Clone, Debug)]
pub(super) struct Timetable {
    /// Running jobs and reservations, without those in `recent`; empty before the first use.
    profile: Profile,
    /// The running jobs alone, while that is kept ([`Timetable::keep_running_alone`]).
    running_alone: Option<Profile>,
    /// The last `running_alone`; kept for its memory.
    spare: Profile,
    /// Running jobs that are not in the profiles yet.
    recent: RecentStarts,
    /// The time at which the profiles were last brought up to date.
    updated: f64,
    /// Whether it is announced that the machine will have fewer processors. Then a job that fits now may not fit for
    /// long enough.
    shrinks: bool,
}

/// What the profile knew of a job that has completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Completion {
    /// Nothing: the job was never entered, and nothing changes.
    NeverEntered,
    /// That the job ends now: nothing changes.
    AsExpected,
    /// Another end: what the job had from now on is to be given back ([`Timetable::give_back`]).
    Unexpected,
}

impl Default for Timetable {
    fn default() -> Self {
        Timetable {
            profile: Profile::default(),
            running_alone: None,
            spare: Profile::default(),
            recent: RecentStarts::default(),
            updated: f64::NEG_INFINITY,
            shrinks: false,
        }
    }
}

impl Timetable {
    /// Begins with an idle machine, unless the profile has begun.
    #[inline(always)]
    pub(super) fn begin(&mut self, now: f64, processors: u32) {
        if self.profile.is_empty() {
            self.profile = Profile::idle(now, processors);
        }
    }

    /// The profile, brought up to the present, `now`.
    #[inline(always)]
    pub(super) fn at(&mut self, now: f64) -> &mut Profile {
        if self.updated < now || !self.recent.is_empty() {
            self.catch_up(now);
        }
        &mut self.profile
    }

    /// The profile as of the last [`Timetable::at`], which was at the present.
    #[inline(always)]
    pub(super) fn profile(&mut self) -> &mut Profile {
        debug_assert!(self.recent.is_empty(), "jobs have started since the profile was brought up to date");
        &mut self.profile
    }

    #[inline(never)]
    fn catch_up(&mut self, now: f64) {
        self.updated = now;
        debug_assert!(!self.profile.is_empty(), "the timetable has not begun");
        self.profile.advance(now);
        if let Some(running) = &mut self.running_alone {
            running.advance(now);
        }
        for (end, processors) in self.recent.drain() {
            self.profile.reserve_until(end, processors);
            if let Some(running) = &mut self.running_alone {
                running.reserve_until(end, processors);
            }
        }
    }

    /// The profile, brought up to the present. Begins with an idle machine, unless the profile has begun.
    #[inline(never)]
    pub(super) fn open(&mut self, view: &View) -> &mut Profile {
        self.begin(view.now() as f64, view.processors());
        self.at(view.now() as f64)
    }

    /// Takes over that the machine has changed, or that a change was announced. There must be no reservations.
    #[inline(never)]
    pub(super) fn capacity_changed(&mut self, view: &View) {
        debug_assert!(self.running_alone.is_none(), "reservations must be forgotten first");
        self.recent.forget();
        self.profile.read(view);
        self.updated = view.now() as f64;
        self.shrinks = view.announced().any(|step| step.more[0] < 0);
    }

    /// Whether it is announced that the machine will have fewer processors. Then a job that fits now may not fit for
    /// long enough.
    #[inline(always)]
    pub(super) fn shrinks(&self) -> bool {
        self.shrinks
    }

    /// Whether a job that is narrow enough to start now does not run into what is announced.
    #[inline(always)]
    pub(super) fn leaves_announced(&mut self, job: &Waiting, view: &View) -> bool {
        !self.shrinks || self.fits_for_long_enough(job, view)
    }

    #[inline(never)]
    fn fits_for_long_enough(&mut self, job: &Waiting, view: &View) -> bool {
        self.open(view).has_free_until(view.now() as f64 + job.estimate, job.processors)
    }

    /// Starts a job now for which nothing was reserved, and which is expected to end at `end`.
    #[inline(always)]
    pub(super) fn start(&mut self, end: f64, processors: u32, view: &View) -> Token {
        if self.recent.is_full() {
            self.open(view);
        }
        self.recent.start(end, processors)
    }

    /// Starts a job whose reservation, until `end`, begins now. The profile must be that of the present.
    #[inline(always)]
    pub(super) fn start_reserved(&mut self, end: f64, processors: u32) -> Token {
        if let Some(running) = &mut self.running_alone {
            running.reserve_until(end, processors);
        }
        self.recent.pass_by()
    }

    /// Takes up that a running job has completed at `now`. Returns what the profile knew of it.
    #[inline(always)]
    pub(super) fn completed(&mut self, release: &Release, now: f64) -> Completion {
        if self.recent.end(release) {
            Completion::NeverEntered
        } else if release.at == now {
            Completion::AsExpected
        } else {
            Completion::Unexpected
        }
    }

    /// Gives back what a running job held until `end`.
    pub(super) fn give_back(&mut self, end: f64, processors: u32) {
        self.profile.release_until(end, processors);
    }

    /// Takes over that a running job is now expected to end at `end`. No reservation may be in its way.
    pub(super) fn expected(&mut self, release: &Release, end: f64) {
        if !self.recent.expect(release, end) {
            self.profile.move_end(release.at, end, release.processors);
        }
    }

    /// Begins to keep the profile of the running jobs alone as well. There must be no reservations yet.
    pub(super) fn keep_running_alone(&mut self) {
        let mut running = std::mem::take(&mut self.spare);
        running.clone_from(&self.profile);
        self.running_alone = Some(running);
    }

    /// Whether the profile of running jobs alone is kept.
    #[inline(always)]
    pub(super) fn keeps_running_alone(&self) -> bool {
        self.running_alone.is_some()
    }

    /// Stops keeping the profile of the running jobs alone, because there are no reservations.
    #[inline(always)]
    pub(super) fn forget_running_alone(&mut self) {
        if let Some(running) = self.running_alone.take() {
            self.spare = running;
        }
    }

    /// Forgets all reservations at once, if the profile of the running jobs alone was kept. Returns whether it was.
    #[inline(always)]
    pub(super) fn forget_reservations(&mut self) -> bool {
        match self.running_alone.take() {
            Some(running) => {
                self.spare = std::mem::replace(&mut self.profile, running);
                true
            }
            None => false,
        }
    }

    /// Gives back what was reserved over [begin, end).
    pub(super) fn withdraw(&mut self, begin: f64, end: f64, processors: u32) {
        self.profile.release(begin, end, processors);
    }

    /// Builds the profile anew from these running jobs alone: when each ends, and its processors.
    pub(super) fn rebuild(&mut self, view: &View, running: impl Iterator<Item = (f64, u32)>) {
        let now = view.now() as f64;
        self.profile.begin_with(now, view.processors(), running);
        self.updated = now;
    }

    /// The processors that were free when the profile was last brought up to date.
    #[cfg(debug_assertions)]
    pub(super) fn free_now(&self) -> u32 {
        self.profile.steps().next().map_or(0, |(_, free)| free)
    }

    /// Checks what must hold between changes.
    ///
    /// # Panics
    /// If something does not hold.
    #[cfg(debug_assertions)]
    pub(super) fn check(&self, view: &View) {
        let processors = view.cluster().is_none().then(|| view.processors());
        self.profile.check(processors);
        if let Some(running) = &self.running_alone {
            running.check(processors);
        }
    }
}

// Running jobs that are not in the profile yet.

/// How many jobs are kept before they should enter the profile, including jobs that have ended.
const CAPACITY: usize = 64;

/// The jobs that have started since the profile was last read. About half of all jobs (KTH-SP2) end before it is read
/// again, and never enter it.
#[derive(Clone, Debug, Default)]
struct RecentStarts {
    /// The token of the first of these jobs. Tokens count the jobs that were started.
    before: u32,
    /// The expected end of each job, and its processors; 0 processors once it has ended.
    jobs: Vec<(f64, u32)>,
}

impl RecentStarts {
    #[inline(always)]
    fn start(&mut self, end: f64, processors: u32) -> Token {
        self.jobs.push((end, processors));
        Token(self.before + self.jobs.len() as u32 - 1)
    }

    /// Returns a token for a job that starts and is in the profile already. There must be no jobs here.
    #[inline(always)]
    fn pass_by(&mut self) -> Token {
        debug_assert!(self.jobs.is_empty(), "a job that starts later would get the same token");
        self.before += 1;
        Token(self.before - 1)
    }

    /// Forgets all jobs, because the profile is made anew from the running jobs. Jobs that started before the first
    /// call of [`RecentStarts::start`] have the default token, which no later job gets.
    fn forget(&mut self) {
        self.before = self.before.max(Token::default().0 + 1) + self.jobs.len() as u32;
        self.jobs.clear();
    }

    /// Whether the kept jobs should enter the profile before another is kept.
    #[inline(always)]
    fn is_full(&self) -> bool {
        self.jobs.len() >= CAPACITY
    }

    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }

    #[inline(always)]
    fn find(&mut self, release: &Release) -> Option<&mut (f64, u32)> {
        let place = release.token.0.checked_sub(self.before)?;
        self.jobs.get_mut(place as usize)
    }

    #[inline(always)]
    fn end(&mut self, release: &Release) -> bool {
        let found = self.find(release);
        found.map(|(_, processors)| *processors = 0).is_some()
    }

    /// Takes over that a job is now expected to end at `at`. Returns whether it is kept here.
    fn expect(&mut self, release: &Release, at: f64) -> bool {
        let found = self.find(release);
        found.map(|(end, _)| *end = at).is_some()
    }

    /// Removes all jobs. Returns the expected ends and processors of those that still run.
    #[inline(always)]
    fn drain(&mut self) -> impl Iterator<Item = (f64, u32)> {
        self.before += self.jobs.len() as u32;
        self.jobs.drain(..).filter(|&(_, processors)| processors > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_workload::JobId;

    #[test]
    fn who_has_ended_is_left_out_and_others_are_found_by_how_many_started_before() {
        let nth = |started| Release { at: 0.0, processors: 1, job: JobId(7), token: Token(started) };
        let mut recent = RecentStarts::default();
        for i in 0..4 {
            assert_eq!(recent.start(f64::from(i), 10 + i), Token(i));
        }
        assert!(recent.end(&nth(1)) && recent.expect(&nth(3), 30.0) && !recent.end(&nth(4)));
        assert_eq!(recent.drain().collect::<Vec<_>>(), [(0.0, 10), (2.0, 12), (30.0, 13)]);
        assert_eq!((recent.pass_by(), recent.start(5.0, 15)), (Token(4), Token(5)));
        assert!(!recent.end(&nth(3)) && !recent.end(&nth(4)) && recent.end(&nth(5)));
        assert_eq!(recent.drain().count(), 0);
        assert!(recent.is_empty());
    }

    #[test]
    fn who_started_untold_is_not_taken_for_another() {
        let mut recent = RecentStarts::default();
        recent.forget();
        let untold = Release { at: 0.0, processors: 1, job: JobId(7), token: Token::default() };
        let told = Release { token: recent.start(3.0, 1), ..untold };
        assert!(!recent.end(&untold) && recent.end(&told));
    }
}

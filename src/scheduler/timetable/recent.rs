//! Running jobs that are not in the profile yet.

use crate::model::{Release, Token};

/// How many jobs are kept before they should enter the profile, including jobs that have ended.
const CAPACITY: usize = 64;

/// The jobs that have started since the profile was last read. About half of all jobs (KTH-SP2) end before it is read
/// again, and never enter it.
#[derive(Clone, Debug, Default)]
pub(super) struct RecentStarts {
    /// The token of the first of these jobs. Tokens count the jobs that were started.
    before: u32,
    /// The expected end of each job, and its processors; 0 processors once it has ended.
    jobs: Vec<(f64, u32)>,
}

impl RecentStarts {
    #[inline(always)]
    pub(super) fn start(&mut self, end: f64, processors: u32) -> Token {
        self.jobs.push((end, processors));
        Token(self.before + self.jobs.len() as u32 - 1)
    }

    /// Returns a token for a job that starts and is in the profile already. There must be no jobs here.
    #[inline(always)]
    pub(super) fn pass_by(&mut self) -> Token {
        debug_assert!(self.jobs.is_empty(), "a job that starts later would get the same token");
        self.before += 1;
        Token(self.before - 1)
    }

    /// Forgets all jobs, because the profile is made anew from the running jobs. Jobs that started before the first
    /// call of [`RecentStarts::start`] have the default token, which no later job gets.
    pub(super) fn forget(&mut self) {
        self.before = self.before.max(Token::default().0 + 1) + self.jobs.len() as u32;
        self.jobs.clear();
    }

    /// Whether the kept jobs should enter the profile before another is kept.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.jobs.len() >= CAPACITY
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }

    #[inline(always)]
    fn find(&mut self, release: &Release) -> Option<&mut (f64, u32)> {
        let place = release.token.0.checked_sub(self.before)?;
        self.jobs.get_mut(place as usize)
    }

    #[inline(always)]
    pub(super) fn end(&mut self, release: &Release) -> bool {
        let found = self.find(release);
        found.map(|(_, processors)| *processors = 0).is_some()
    }

    /// Takes over that a job is now expected to end at `at`. Returns whether it is kept here.
    pub(super) fn expect(&mut self, release: &Release, at: f64) -> bool {
        let found = self.find(release);
        found.map(|(end, _)| *end = at).is_some()
    }

    /// Removes all jobs. Returns the expected ends and processors of those that still run.
    #[inline(always)]
    pub(super) fn drain(&mut self) -> impl Iterator<Item = (f64, u32)> {
        self.before += self.jobs.len() as u32;
        self.jobs.drain(..).filter(|&(_, processors)| processors > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::JobId;

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

//! Recent activity of users, as it was known when a job was submitted.

use super::categories::{Category, NONE};
use super::history::{History, LARGE};
use packfair_workload::{JobId, Seconds};

/// The categories for which run times are kept.
const OF: [Category; 4] = [Category::User, Category::UserLimitWidth, Category::UserLimit, Category::UserWidth];

/// Stands for a missing value.
const MISSING: i32 = -1;

/// The recent activity of a job's user when the job was submitted.
#[derive(Clone, Copy, Debug)]
struct KnownActivity {
    runs: [[i32; 2]; OF.len()],
    since: [i32; OF.len()],
    since_submission: [i32; 3],
    same_limit: i32,
    same_width: i32,
    unknown: i32,
}

/// Recent activity of users. It does not depend on dividers, so it is noted once for each job.
#[derive(Debug, Default)]
pub(super) struct Recent {
    /// The activity noted for each job submitted so far.
    known: Vec<KnownActivity>,
    /// The last three submissions of each user, latest first.
    submitted: Vec<[u32; 3]>,
    /// How many jobs each user has submitted.
    counts: Vec<i32>,
    /// When each job became known.
    known_at: Vec<Seconds>,
}

impl Recent {
    /// Notes that a job becomes known.
    pub(super) fn add_known(&mut self, job: JobId, now: Seconds) {
        self.known_at[job.index()] = now;
    }

    /// Takes a submitted job, of which the history has been told already.
    pub(super) fn submitted(&mut self, job: JobId, history: &History) {
        let categories = history.categories();
        let facts = categories.facts(job);
        let now = facts.submit;
        let users = categories.counts[Category::User.place()];
        self.submitted.resize(users, [NONE; 3]);
        self.counts.resize(users, 0);
        self.known_at.push(0);
        let mut known = KnownActivity {
            runs: [[MISSING; 2]; OF.len()],
            since: [MISSING; OF.len()],
            since_submission: [MISSING; 3],
            same_limit: MISSING,
            same_width: MISSING,
            unknown: MISSING,
        };
        for (place, category) in OF.into_iter().enumerate() {
            for (lag, earlier) in history.seen(job, category.place()).take(2).enumerate() {
                let since = now - self.known_at[earlier.index()];
                known.runs[place][lag] = whole(match history.run(earlier) {
                    // it became known after running for its divider, and still runs unless it was killed
                    Some(LARGE) | None => since + history.divider_of(earlier).unwrap_or(0),
                    Some(run) => run,
                });
                if lag == 0 {
                    known.since[place] = whole(since);
                }
            }
        }
        let user = categories.numbers(job)[Category::User.place()];
        if user != NONE {
            let user = user as usize;
            let last = self.submitted[user];
            for (since, &earlier) in known.since_submission.iter_mut().zip(&last) {
                if earlier != NONE {
                    *since = whole(now - categories.facts(JobId(earlier)).submit);
                }
            }
            if last[0] != NONE {
                let earlier = categories.facts(JobId(last[0]));
                known.same_limit = i32::from(earlier.limit == facts.limit);
                known.same_width = i32::from(earlier.width == facts.width);
            }
            known.unknown = self.counts[user] - history.counts(job, Category::User.place()).0 as i32;
            self.submitted[user] = [job.0, last[0], last[1]];
            self.counts[user] += 1;
        }
        debug_assert_eq!(self.known.len(), job.index(), "jobs come one after the other");
        self.known.push(known);
    }

    /// Run time of the latest (0) or second latest (1) known job of a category.
    pub(super) fn run(&self, job: JobId, category: Category, lag: u8) -> i32 {
        place(category).map_or(MISSING, |place| self.known[job.index()].runs[place][usize::from(lag)])
    }

    /// How long ago the latest known job of a category became known.
    pub(super) fn since(&self, job: JobId, category: Category) -> i32 {
        place(category).map_or(MISSING, |place| self.known[job.index()].since[place])
    }

    /// How long ago the user last (0), second last (1) or third last (2) submitted a job.
    pub(super) fn since_submission(&self, job: JobId, lag: u8) -> i32 {
        self.known[job.index()].since_submission[usize::from(lag)]
    }

    /// Whether the user's last job requested as much time.
    pub(super) fn same_limit(&self, job: JobId) -> i32 {
        self.known[job.index()].same_limit
    }

    /// Whether the user's last job requested as many processors.
    pub(super) fn same_width(&self, job: JobId) -> i32 {
        self.known[job.index()].same_width
    }

    /// How many of the user's jobs were submitted and not known.
    pub(super) fn unknown(&self, job: JobId) -> i32 {
        self.known[job.index()].unknown
    }
}

fn place(category: Category) -> Option<usize> {
    OF.iter().position(|&of| of == category)
}

/// Seconds in 32 bits, at most 68 years.
fn whole(seconds: Seconds) -> i32 {
    seconds.min(Seconds::from(i32::MAX)) as i32
}

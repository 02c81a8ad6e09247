//! The decayed mean of the most similar completed jobs (METRICS [24], in the manner of Gibbons 1997
//! and Smith et al. 1998).

use super::catalogue::Family;
use super::classes::{Class, Classes, Numbers};
use super::{Estimator, Revision, within};
use crate::catalogue::{Entry, Kind, Parameter, Settings};
use crate::workload::{JobId, Request, Seconds};

/// The method's catalogue line.
pub const FAMILY: Family = Family {
    entry: Entry {
        id: "hierarchy",
        name: "Hierarchy",
        help: "the exponentially decayed mean of the most similar completed jobs, at most L; none: L",
        source: "METRICS §VI",
        parameters: &[
            Parameter {
                id: "decay",
                name: "Decay",
                help: "share of its weight that a job loses with each later one of its group",
                kind: Kind::Real { min: 0.0, max: 1.0, default: 0.2, unit: "" },
            },
            Parameter {
                id: "groups",
                name: "Groups",
                help: "how many of the 15 groups are tried, from (executable, user, L, width) down to (width)",
                kind: Kind::Whole { min: 1, max: GROUPS as i64, default: Some(GROUPS as i64), unit: "" },
            },
            Parameter {
                id: "spread",
                name: "Spread",
                help: "whether standard deviations are added to the mean; groups that have none are passed over then",
                kind: Kind::Choice {
                    options: &[("ignored", "is ignored"), ("added", "sigma standard deviations are added")],
                    default: "ignored",
                },
            },
            Parameter {
                id: "sigma",
                name: "Sigma",
                help: "how many standard deviations are added, where they are",
                kind: Kind::Real { min: 0.0, max: 10.0, default: 1.0, unit: "" },
            },
        ],
    },
    learns: true,
    build: |settings, _| Box::new(Hierarchy::new(settings)),
};

const GROUPS: usize = 15;

/// Which of executable, user, requested time and width the jobs of a group have in common, most
/// similar first.
const HAVE_IN_COMMON: [[bool; 4]; GROUPS] = [
    [true, true, true, true],
    [true, true, true, false],
    [true, true, false, true],
    [true, true, false, false],
    [true, false, true, true],
    [true, false, true, false],
    [true, false, false, true],
    [true, false, false, false],
    [false, true, true, true],
    [false, true, true, false],
    [false, true, false, true],
    [false, true, false, false],
    [false, false, true, true],
    [false, false, true, false],
    [false, false, false, true],
];

/// A kind of group, and what its jobs have in common.
type Key = (u8, [i64; 4]);

struct Hierarchy {
    keep: f64,
    groups: usize,
    /// How many standard deviations are added, if they are.
    sigma: Option<f64>,
    numbers: Numbers<Key>,
    records: Vec<Record>,
    classes: Classes<Member>,
}

/// A class of jobs: the numbers of its groups, most similar first, and its requested time.
struct Member {
    groups: [u32; GROUPS],
    limit: Seconds,
}

/// Decayed sums over the completed jobs of a group.
#[derive(Clone, Copy, Default)]
struct Record {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Record {
    fn learn(&mut self, run: f64, keep: f64) {
        self.count = 1.0 + keep * self.count;
        self.sum = run + keep * self.sum;
        self.squares = run * run + keep * self.squares;
    }

    fn mean(&self) -> Option<f64> {
        (self.count > 0.0).then(|| self.sum / self.count)
    }

    /// The mean and `sigma` standard deviations; none from a single job.
    fn mean_and_spread(&self, sigma: f64) -> Option<f64> {
        let mean = self.mean().filter(|_| self.count > 1.0)?;
        // rounding may bring it just below 0
        let variance = ((self.squares - mean * self.sum) / (self.count - 1.0)).max(0.0);
        Some(mean + sigma * variance.sqrt())
    }
}

impl Hierarchy {
    fn new(settings: &Settings) -> Self {
        Hierarchy {
            keep: 1.0 - settings.real("decay"),
            // it has a default, so there is always a number
            groups: settings.whole("groups").unwrap_or(GROUPS as i64) as usize,
            sigma: (settings.choice("spread") == "added").then(|| settings.real("sigma")),
            numbers: Numbers::default(),
            records: Vec::new(),
            classes: Classes::default(),
        }
    }

    fn predict(&self, member: &Member) -> f64 {
        let value = |&group: &u32| {
            let record = &self.records[group as usize];
            self.sigma.map_or_else(|| record.mean(), |sigma| record.mean_and_spread(sigma))
        };
        let found = member.groups[..self.groups].iter().find_map(value);
        found.map_or(member.limit as f64, |mean| within(mean.round(), member.limit))
    }
}

impl Member {
    fn new(class: Class, numbers: &mut Numbers<Key>) -> Self {
        let Class { executable, user, limit, processors } = class;
        let fields = [i64::from(executable), i64::from(user), limit, i64::from(processors)];
        let group = |kind: usize| {
            let common = HAVE_IN_COMMON[kind];
            let key = std::array::from_fn(|i| if common[i] { fields[i] } else { 0 });
            numbers.of((kind as u8, key))
        };
        Member { groups: std::array::from_fn(group), limit }
    }
}

impl Estimator for Hierarchy {
    fn estimate(&mut self, job: JobId, request: &Request, _: Seconds) -> f64 {
        let numbers = &mut self.numbers;
        self.classes.enter(job, request, |class| Member::new(class, numbers));
        self.records.resize(self.numbers.len(), Record::default());
        self.predict(self.classes.of(job))
    }

    fn revision(&self) -> Revision {
        Revision::AfterCompletions
    }

    fn revise(&mut self, waiting: &[JobId], _: Seconds, estimates: &mut [f64]) {
        for &job in waiting {
            estimates[job.index()] = self.predict(self.classes.of(job));
        }
    }

    fn completed(&mut self, job: JobId, _: &Request, run: Seconds, _: Seconds) {
        for &group in &self.classes.of(job).groups[..self.groups] {
            self.records[group as usize].learn(run as f64, self.keep);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Learner, request};
    use crate::workload::Request;

    #[test]
    fn the_mean_of_the_most_similar_group_decays() {
        let mut learner = Learner::new("hierarchy");
        assert_eq!(learner.run(&request(), 100), 1_000.0, "nothing is known");
        assert_eq!(learner.run(&request(), 200), 100.0);
        // (200 + 0.8 * 100) / (1 + 0.8) = 155.6
        assert_eq!(learner.run(&request(), 10), 156.0);
        // (10 + 0.8 * 280) / (1 + 0.8 * 1.8) = 95.9
        assert_eq!(learner.run(&request(), 10), 96.0);
        assert_eq!(learner.estimate(&Request { limit: 50, ..request() }), 50.0, "at most the request");
    }

    #[test]
    fn groups_are_tried_from_similar_to_less_similar() {
        let mut learner = Learner::new("hierarchy");
        learner.run(&request(), 100);
        learner.run(&Request { user: 2, ..request() }, 400);
        learner.run(&Request { executable: 5, ..request() }, 30);
        assert_eq!(learner.estimate(&request()), 100.0, "(executable, user, L, width)");
        assert_eq!(learner.estimate(&Request { processors: 3, user: 2, ..request() }), 400.0, "(executable, user, L)");
        // (400 + 0.8 * 100) / 1.8 = 266.7
        assert_eq!(learner.estimate(&Request { user: 9, ..request() }), 267.0, "(executable, L, width)");
        // (30 + 0.8 * 100) / 1.8 = 61.1
        assert_eq!(learner.estimate(&Request { executable: 8, ..request() }), 61.0, "(user, L, width)");
        let stranger = Request { executable: 8, user: 9, limit: 2_000, processors: 7, ..request() };
        assert_eq!(learner.estimate(&stranger), 2_000.0, "there is no group for it");
    }

    #[test]
    fn fewer_groups_find_less() {
        let mut learner = Learner::new("hierarchy:groups=1");
        learner.run(&request(), 100);
        assert_eq!(learner.estimate(&request()), 100.0);
        assert_eq!(learner.estimate(&Request { processors: 3, ..request() }), 1_000.0);
    }

    #[test]
    fn the_spread_is_added_where_a_group_has_one() {
        let mut learner = Learner::new("hierarchy:decay=0,spread=added,sigma=2");
        learner.run(&request(), 100);
        assert_eq!(learner.estimate(&request()), 1_000.0, "one job has no spread");
        learner.run(&request(), 300);
        // mean 200, variance (100000 - 200 * 400) / 1 = 20000
        assert_eq!(learner.estimate(&request()), 483.0);
    }

    #[test]
    fn halves_are_rounded_up() {
        let mut learner = Learner::new("hierarchy:decay=0");
        learner.run(&request(), 2);
        learner.run(&request(), 3);
        assert_eq!(learner.estimate(&request()), 3.0);
    }
}

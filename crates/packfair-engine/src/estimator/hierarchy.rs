//! The decayed mean of the most similar completed jobs (METRICS [24], in the manner of Gibbons 1997
//! and Smith et al. 1998).

use super::{Estimator, EstimatorImplementation, Explanation, Listing, Quantity, Revision, note_each, within};
use packfair_base::catalogue::{Entry, Kind, Parameter, Selection, Settings};
use packfair_workload::{Groups, IN_COMMON, JobId, KINDS, Request, Seconds, Similarity};

/// The method's entry in the catalogue.
pub const FAMILY: EstimatorImplementation = EstimatorImplementation {
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
                help: "which groups are tried, by what their jobs have in common, most similar first",
                kind: Kind::Several { options: GROUPS, default: &[] },
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
    build: |settings, workload| Box::new(Hierarchy::new(settings, workload.similarity())),
};

/// The kinds of groups, in the order of [`IN_COMMON`], by letters: a executable, u user, l requested time, n width.
const GROUPS: &[(&str, &str); KINDS] = &[
    ("auln", "executable, user, L, width"),
    ("aul", "executable, user, L"),
    ("aun", "executable, user, width"),
    ("au", "executable, user"),
    ("aln", "executable, L, width"),
    ("al", "executable, L"),
    ("an", "executable, width"),
    ("a", "executable"),
    ("uln", "user, L, width"),
    ("ul", "user, L"),
    ("un", "user, width"),
    ("u", "user"),
    ("ln", "L, width"),
    ("l", "L"),
    ("n", "width"),
];

#[derive(Clone)]
struct Hierarchy<'a> {
    keep: f64,
    /// The kinds of groups that are used; the records of the others stay empty.
    tried: Selection,
    /// The number of standard deviations that are added, if any.
    sigma: Option<f64>,
    similarity: &'a Similarity,
    /// The groups of each class of jobs, most similar first.
    groups: &'a [Groups],
    records: Vec<GroupRecord>,
    completed: Vec<u32>,
}

/// Decayed sums over the completed jobs of a group, and the group's estimate.
#[derive(Clone, Copy)]
struct GroupRecord {
    count: f64,
    sum: f64,
    squares: f64,
    /// The mean, with the standard deviations added if wanted; NaN if the group has no estimate.
    value: f64,
}

impl GroupRecord {
    const EMPTY: GroupRecord = GroupRecord { count: 0.0, sum: 0.0, squares: 0.0, value: f64::NAN };

    fn learn(&mut self, run: f64, keep: f64, sigma: Option<f64>) {
        self.count = 1.0 + keep * self.count;
        self.sum = run + keep * self.sum;
        self.squares = run * run + keep * self.squares;
        let mean = self.sum / self.count;
        self.value = match sigma {
            None => mean,
            Some(sigma) => mean + sigma * self.deviation(),
        };
    }

    /// The standard deviation; NaN with at most one job.
    fn deviation(&self) -> f64 {
        if self.count <= 1.0 {
            return f64::NAN;
        }
        // Rounding may bring it just below 0.
        ((self.squares - self.sum / self.count * self.sum) / (self.count - 1.0)).max(0.0).sqrt()
    }
}

impl<'a> Hierarchy<'a> {
    fn new(settings: &Settings, similarity: &'a Similarity) -> Self {
        Hierarchy {
            keep: 1.0 - settings.real("decay"),
            tried: settings.several("groups"),
            sigma: (settings.choice("spread") == "added").then(|| settings.real("sigma")),
            similarity,
            groups: similarity.groups_of_classes(),
            records: vec![GroupRecord::EMPTY; similarity.groups()],
            completed: vec![0; similarity.classes()],
        }
    }

    fn groups(&self, job: JobId) -> &'a Groups {
        &self.groups[self.similarity.class(job)]
    }

    fn record(&self, group: u32) -> GroupRecord {
        self.records[group as usize]
    }

    /// The estimate of the first group that has one, or the requested time.
    fn predict(&self, job: JobId) -> f64 {
        let values = self.groups(job).iter().map(|&group| self.records[group as usize].value);
        let limit = self.similarity.limit(self.similarity.class(job));
        values.into_iter().find(|value| !value.is_nan()).map_or(limit as f64, |value| within(rounded(value), limit))
    }

    fn seen(&self, kind: usize, group: u32) -> u32 {
        let members = self.groups.iter().zip(&self.completed).filter(|(groups, _)| groups[kind] == group);
        members.map(|(_, &count)| count).sum()
    }
}

/// The nearest whole number to a number that is not negative, with halves rounded up. It equals `f64::round`, which is
/// a call where the target has no instruction for it.
fn rounded(x: f64) -> f64 {
    let whole = x as i64 as f64;
    if x - whole >= 0.5 { whole + 1.0 } else { whole }
}

impl Estimator for Hierarchy<'_> {
    fn estimate(&mut self, job: JobId, _: &Request, _: Seconds) -> f64 {
        self.predict(job)
    }

    fn revision(&self) -> Revision {
        Revision::AfterCompletions
    }

    fn revise(&mut self, waiting: &[JobId], _: Seconds, estimates: &mut [f64]) -> bool {
        note_each(waiting, estimates, |job| self.predict(job))
    }

    fn completed(&mut self, job: JobId, _: &Request, run: Seconds, _: Seconds) {
        self.completed[self.similarity.class(job)] += 1;
        for (kind, &group) in self.groups(job).iter().enumerate() {
            if self.tried.takes(kind) {
                self.records[group as usize].learn(run as f64, self.keep, self.sigma);
            }
        }
    }

    fn explain(&self, job: JobId, request: &Request, _: Seconds) -> Explanation {
        let tried: Vec<(usize, u32)> =
            self.groups(job).iter().copied().enumerate().filter(|&(kind, _)| self.tried.takes(kind)).collect();
        let Some(used) = tried.iter().position(|&(_, group)| !self.record(group).value.is_nan()) else {
            return Explanation::in_words(
                "No job has completed that has anything in common with this one in the groups tried: the requested \
                 time is taken.",
            );
        };
        let (kind, group) = tried[used];
        let record = self.record(group);
        let how = match self.sigma {
            None => {
                "The decayed mean run time of the most similar group that has any completed job, rounded.".to_owned()
            }
            Some(sigma) => format!(
                "The decayed mean run time of the most similar group with more than one completed job, plus {sigma} \
                 standard deviations, rounded."
            ),
        };
        let rows = tried.iter().map(|&(kind, group)| {
            let GroupRecord { count, sum, .. } = self.record(group);
            let known = |value: f64| if count > 0.0 { Quantity::Time(value) } else { Quantity::Unknown };
            let deviation = self.record(group).deviation();
            let spread = if deviation.is_nan() { Quantity::Unknown } else { Quantity::Time(deviation) };
            let seen = Quantity::Count(f64::from(self.seen(kind, group)));
            vec![Quantity::Text(GROUPS[kind].1.to_owned()), seen, known(sum / count), spread]
        });
        let listing = Listing {
            title: "Groups of this job, most similar first".to_owned(),
            headings: ["In common", "Completed jobs", "Decayed mean", "Deviation"].map(str::to_owned).to_vec(),
            rows: rows.collect(),
            used: Some(used),
        };
        Explanation { how, facts: Vec::new(), listing: Some(listing) }
            .with("Group", Quantity::Text(in_common(kind, request)))
            .with("Weight of its jobs after decay", Quantity::Number(record.count))
            .with("Says", Quantity::Time(record.value))
            .capped(record.value, request.limit)
    }

    fn fork<'b>(&self) -> Box<dyn Estimator + 'b>
    where
        Self: 'b,
    {
        Box::new(self.clone())
    }
}

/// What the jobs of a kind of group have in common with a job, with the values.
fn in_common(kind: usize, request: &Request) -> String {
    let unknown_or = |id: i32| if id < 0 { "unknown".to_owned() } else { id.to_string() };
    let Request { executable, user, limit, processors, .. } = *request;
    let fields = [
        format!("executable {}", unknown_or(executable)),
        format!("user {}", unknown_or(user)),
        format!("L {limit} s"),
        format!("width {processors}"),
    ];
    let shared = fields.into_iter().zip(IN_COMMON[kind]).filter(|(_, shared)| *shared);
    shared.map(|(field, _)| field).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Learner, request};
    use packfair_workload::Request;

    #[test]
    fn the_mean_of_the_most_similar_group_decays() {
        let mut learner = Learner::new("hierarchy");
        assert_eq!(learner.run(&request(), 100), 1_000.0, "nothing is known");
        assert_eq!(learner.run(&request(), 200), 100.0);
        // (200 + 0.8 * 100) / (1 + 0.8) = 155.6.
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
    fn groups_that_are_not_tried_say_nothing() {
        let mut learner = Learner::new("hierarchy:groups=auln+u");
        learner.run(&request(), 100);
        learner.run(&Request { processors: 3, ..request() }, 300);
        assert_eq!(learner.estimate(&request()), 100.0);
        // (300 + 0.8 * 100) / 1.8 = 211.1, though (executable, user, L) has those of 3 processors alone
        assert_eq!(learner.estimate(&Request { processors: 4, ..request() }), 211.0);
        assert_eq!(learner.explain(&request()).listing.unwrap().rows.len(), 2);
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

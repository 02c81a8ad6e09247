//! Settings of a classifier.

use super::table::without_limit;
use super::{WEEK, Weeks, feature};
use packfair_base::catalogue::{Kind, Parameter, Selection, Settings};
use packfair_workload::Workload;
use std::fmt;

/// What predicts the class of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum By {
    /// A random forest over the features of CLASSIFY Table 4.
    Forest,
    /// The actual run time: an oracle.
    Clairvoyant,
    /// The requested time: small where it is at most the divider.
    Request,
    /// Nothing: every job is tried as a small one.
    All,
    /// The run time of the user's job that completed last.
    Last,
}

/// How the divider is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Divide {
    /// The median run time of all jobs known when the week begins.
    All,
    /// The median run time of the jobs that became known in the week before; a week without such jobs keeps the
    /// divider.
    Week,
    /// The median run time of all jobs of the log: an oracle (CLASSIFY Tables 2 and 3).
    Trace,
    /// The run time between two log-normal laws, which expectation and maximisation finds in all known run times
    /// (CLASSIFY §3.3, Fig. 1).
    Em,
    /// The run time between two clusters, which DBSCAN finds in the logarithms of all known run times (CLASSIFY §3.3,
    /// Fig. 1).
    Dbscan,
}

/// When a job's run time is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Known {
    /// Once it has completed in the simulation.
    Online,
    /// In the week after that of its submission, completed or not (CLASSIFY §4.2); independent of the schedule.
    Decoupled,
    /// As soon as it is submitted. No cluster can know that; but only this reproduces CLASSIFY Table 5.
    Ahead,
}

/// The divider by which training rows are small or large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Labels {
    /// That of the week in which the classifier is used.
    Now,
    /// That of the week in which each job was submitted; for jobs of the first week, that of the second.
    Then,
}

/// Settings of a classifier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassifierOptions {
    /// What predicts the class of a job.
    pub by: By,
    /// How the divider is found.
    pub divider: Divide,
    /// When a job's run time is known.
    pub known: Known,
    /// The divider by which training rows are small or large.
    pub labels: Labels,
    /// A job is classified as small if its probability of being small is above this.
    pub threshold: f64,
    /// Trees of the forest.
    pub trees: u32,
    /// Nodes at most between a tree's root and a leaf.
    pub depth: u32,
    /// Seed of the random numbers, together with the week.
    pub seed: u64,
    /// Whether a job becomes known as large once it has run for its divider, before it completes (online only).
    pub early: bool,
    /// After how many days the divider is found anew and training begins: a week, in CLASSIFY §4.2. Where this module
    /// says weeks, these periods are meant.
    pub retrain: u32,
    /// The features that are learned from.
    pub features: Selection,
}

impl Default for ClassifierOptions {
    fn default() -> Self {
        ClassifierOptions {
            by: By::Forest,
            divider: Divide::All,
            known: Known::Online,
            labels: Labels::Now,
            threshold: 0.5,
            trees: 20,
            depth: 15,
            seed: 1,
            early: false,
            retrain: 7,
            features: Selection::all(feature::FEATURES),
        }
    }
}

/// The settings, for the catalogue.
pub const PARAMETERS: &[Parameter] =
    &[BY, DIVIDER, KNOWN, LABELS, THRESHOLD, TREES, DEPTH, SEED, EARLY, RETRAIN, FEATURES];

const BY: Parameter = Parameter {
    id: "by",
    name: "Classes by",
    help: "what predicts whether a job is small",
    kind: Kind::Choice {
        options: &[
            ("forest", "random forest"),
            ("clairvoyant", "actual run time"),
            ("request", "requested time"),
            ("all", "every job is tried"),
            ("last", "the user's last job"),
        ],
        default: "forest",
    },
};

const DIVIDER: Parameter = Parameter {
    id: "divider",
    name: "Divider",
    help: "the jobs whose median run time divides small jobs from large ones, or how clusters of run times are found that \
           divide them (CLASSIFY Fig. 1)",
    kind: Kind::Choice {
        options: &[
            ("all", "all known jobs"),
            ("week", "jobs of the week before"),
            ("trace", "the whole log"),
            ("em", "two log-normal laws (EM)"),
            ("dbscan", "two clusters (DBSCAN)"),
        ],
        default: "all",
    },
};

const KNOWN: Parameter = Parameter {
    id: "known",
    name: "Known",
    help: "when a job's run time is known",
    kind: Kind::Choice {
        options: &[
            ("online", "once it has completed"),
            ("decoupled", "a week later, completed or not"),
            ("ahead", "when it is submitted"),
        ],
        default: "online",
    },
};

const LABELS: Parameter = Parameter {
    id: "labels",
    name: "Labels",
    help: "the divider by which training jobs are small or large",
    kind: Kind::Choice { options: &[("now", "this week's"), ("then", "that of their own week")], default: "now" },
};

const THRESHOLD: Parameter = Parameter {
    id: "threshold",
    name: "Threshold",
    help: "a job is classified as small if its probability of being small is above this",
    kind: Kind::Real { min: 0.0, max: 1.0, default: 0.5, unit: "" },
};

const TREES: Parameter = Parameter {
    id: "trees",
    name: "Trees",
    help: "trees of the forest",
    kind: Kind::Whole { min: 1, max: 500, default: Some(20), unit: "trees" },
};

const DEPTH: Parameter = Parameter {
    id: "depth",
    name: "Depth",
    help: "nodes at most between a tree's root and a leaf",
    kind: Kind::Whole { min: 1, max: 60, default: Some(15), unit: "" },
};

const SEED: Parameter = Parameter {
    id: "seed",
    name: "Seed",
    help: "another seed, another forest",
    kind: Kind::Whole { min: 0, max: 1_000_000, default: Some(1), unit: "" },
};

const EARLY: Parameter = Parameter {
    id: "early",
    name: "Early",
    help: "a job that has run for its divider is known to be large before it completes",
    kind: Kind::Choice { options: &[("off", "no"), ("on", "yes")], default: "off" },
};

const RETRAIN: Parameter = Parameter {
    id: "retrain",
    name: "Retraining",
    help: "after how many days the divider is found anew and training begins; before the first time all jobs are large",
    kind: Kind::Whole { min: 1, max: 3_650, default: Some(7), unit: "days" },
};

const FEATURES: Parameter = Parameter {
    id: "features",
    name: "Features",
    help: "which of CLASSIFY Table 4 are learned from",
    kind: Kind::Several { options: feature::FEATURES, default: &[] },
};

impl ClassifierOptions {
    /// Reads the options out of the settings of an entry that has all of [`PARAMETERS`].
    ///
    /// # Panics
    /// If the entry lacks one of them: a mistake in its file.
    pub fn of(settings: &Settings) -> Self {
        let whole = |id| settings.whole(id).unwrap_or(0);
        ClassifierOptions {
            by: match settings.choice("by") {
                "clairvoyant" => By::Clairvoyant,
                "request" => By::Request,
                "all" => By::All,
                "last" => By::Last,
                _ => By::Forest,
            },
            divider: match settings.choice("divider") {
                "week" => Divide::Week,
                "trace" => Divide::Trace,
                "em" => Divide::Em,
                "dbscan" => Divide::Dbscan,
                _ => Divide::All,
            },
            known: match settings.choice("known") {
                "decoupled" => Known::Decoupled,
                "ahead" => Known::Ahead,
                _ => Known::Online,
            },
            labels: if settings.choice("labels") == "then" { Labels::Then } else { Labels::Now },
            threshold: settings.real("threshold"),
            trees: whole("trees") as u32,
            depth: whole("depth") as u32,
            seed: whole("seed") as u64,
            early: settings.choice("early") == "on",
            retrain: whole("retrain") as u32,
            features: settings.several("features"),
        }
    }

    /// Whether jobs become known early.
    pub(super) fn is_early(&self) -> bool {
        self.early && self.known == Known::Online
    }
}

/// A caveat: what a user should know of a log before trusting its classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Caveat {
    /// This many jobs name no user, so earlier jobs of the user do not help to predict them.
    NoUser(u64),
    /// This many jobs name no requested time, so that feature is missing.
    NoLimit(u64),
    /// The log is shorter than two weeks. The first week is not classified, so few jobs are, or none.
    Short {
        /// Jobs that are classified.
        classified: u64,
    },
}

impl fmt::Display for Caveat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Caveat::NoUser(jobs) => {
                write!(f, "{jobs} jobs name no user, so earlier jobs of the user do not help to predict them")
            }
            Caveat::NoLimit(jobs) => {
                write!(f, "{jobs} jobs name no requested time, so that feature is missing")
            }
            Caveat::Short { classified: 0 } => {
                f.write_str("all jobs were submitted within a week, in which nothing is known yet: all are large")
            }
            Caveat::Short { classified } => write!(
                f,
                "the log is shorter than two weeks: jobs of the first week are all large, and {classified} are classified"
            ),
        }
    }
}

/// The caveats of a workload.
pub fn caveats(workload: &Workload) -> Vec<Caveat> {
    let requests = workload.requests();
    let without_user = requests.iter().filter(|request| request.user < 0).count() as u64;
    let without_limit = without_limit(workload);
    let span = requests.last().map_or(0, |last| last.submit - requests[0].submit);
    let weeks = Weeks::of(workload);
    let classified = requests.iter().filter(|request| weeks.week(request.submit) > 0).count() as u64;
    let mut caveats = Vec::new();
    if without_user > 0 {
        caveats.push(Caveat::NoUser(without_user));
    }
    if without_limit > 0 {
        caveats.push(Caveat::NoLimit(without_limit));
    }
    if span < 2 * WEEK {
        caveats.push(Caveat::Short { classified });
    }
    caveats
}

#[cfg(test)]
mod tests {
    use super::super::testing::{of, request};
    use super::*;
    use packfair_workload::{Request, Seconds};

    #[test]
    fn the_defaults_of_the_catalogue_are_the_defaults() {
        assert_eq!(ClassifierOptions::of(&Settings::defaults(PARAMETERS)), ClassifierOptions::default());
    }

    #[test]
    fn settings_are_read() {
        let text = "by=last,divider=week,known=ahead,labels=then,threshold=0.05,trees=50,depth=9,seed=7,early=on,retrain=30,\
                    features=limit+width";
        let options = ClassifierOptions::of(&Settings::parse(PARAMETERS, "classes", text).unwrap());
        let expected = ClassifierOptions {
            by: By::Last,
            divider: Divide::Week,
            known: Known::Ahead,
            labels: Labels::Then,
            threshold: 0.05,
            trees: 50,
            depth: 9,
            seed: 7,
            early: true,
            retrain: 30,
            features: (2..feature::FEATURES.len())
                .fold(Selection::all(feature::FEATURES), |taken, place| taken.with(place, false)),
        };
        assert_eq!(options, expected);
        assert!(!options.is_early(), "nothing is early where nothing depends on the schedule");
        for text in ["threshold=1.5", "threshold=-0.1", "trees=0", "by=chance"] {
            assert!(Settings::parse(PARAMETERS, "classes", text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_a_log_lacks_is_said() {
        let jobs = |last: Seconds, user| of([(request(0), 1), (Request { user, ..request(last) }, 1)]);
        assert_eq!(caveats(&jobs(2 * WEEK, 1)), []);
        assert_eq!(caveats(&jobs(2 * WEEK, -1)), [Caveat::NoUser(1)]);
        assert_eq!(caveats(&jobs(WEEK, 1)), [Caveat::Short { classified: 1 }]);
        assert_eq!(caveats(&jobs(5, 1)), [Caveat::Short { classified: 0 }]);
        let text = format!(
            "; MaxProcs: 4\n1 0 0 10 1 -1 -1 1 -1 -1 1 1 1 1 -1 -1 -1 -1\n2 {WEEK} 0 10 1 -1 -1 1 60 -1 1 1 1 1 -1 -1 -1 -1\n"
        );
        let log = packfair_workload::reading::read("test", text.as_bytes()).unwrap();
        let workload = packfair_workload::clean(&log, &Default::default(), Default::default(), None).unwrap();
        assert_eq!(caveats(&workload), [Caveat::NoLimit(1), Caveat::Short { classified: 1 }]);
    }
}

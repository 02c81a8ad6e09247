//! Classifiers: whether a job is small or large, predicted from what is known when it is submitted.
//!
//! Sources: CLASSIFY §3.3 and §4. A job is small if it runs for less than the divider of the week of its submission. The
//! divider of a week is the median of the run times that are known when the week begins, or lies between two clusters of
//! them. Periods of another length may take the place of weeks. The simulation tells a
//! classifier of submissions, starts and completions, in the order in which they happen. A classifier knows nothing of
//! schedulers.

mod clusters;
mod divider;
pub mod evaluation;
mod exact;
mod feature;
mod forest;
mod history;
mod learned;
mod options;
#[cfg(test)]
mod plain;
mod table;
#[cfg(test)]
mod testing;
mod tree;

pub use feature::{Feature, TABLE_4, WEEK, Weeks};
pub use options::{By, Caveat, ClassifierOptions, Divide, Known, Labels, PARAMETERS, caveats};
pub use table::{CATEGORIES, Category};

use packfair_workload::{JobId, Request, Seconds, Workload};

pub use crate::model::Class;

/// What a job was taken for, and why.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Classified {
    /// The predicted class.
    pub class: Class,
    /// The divider of the week of its submission, seconds. The job keeps it. `None` in the first week.
    pub divider: Option<Seconds>,
    /// Why it was taken for that class.
    pub because: Because,
}

/// Why a job was classified as small or large.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Because {
    /// No divider is known: the job came in the first week, or no job has completed yet.
    NoDivider,
    /// The divider is 0 s: no job runs for less.
    ZeroDivider,
    /// Its actual run time, seconds.
    Run(Seconds),
    /// Its requested time L, seconds.
    Request(Seconds),
    /// Every job is tried.
    EveryJob,
    /// The run time of the user's job that completed last, seconds; `None` where no job of the user has completed.
    LastRun(Option<Seconds>),
    /// All training rows were of one class. How many rows.
    OneClass(u32),
    /// The trees' vote.
    Vote(Vote),
}

/// The vote of the trees on a job, and the features that are easiest to understand.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Vote {
    /// Probability that the job is small, 0 to 1. Above the threshold the job is classified as small.
    pub small: f64,
    /// Trees of the forest that voted for small.
    pub trees_for: u32,
    /// Trees of the forest.
    pub trees: u32,
    /// Classes of the known jobs of the same user with the same requested time.
    pub same: KnownClasses,
}

/// Classes of the known jobs of a category, by the divider in force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct KnownClasses {
    /// Classes of the three latest jobs, the latest first.
    pub latest: [Option<Class>; 3],
    /// How many jobs are known.
    pub known: u32,
    /// How many of these are small.
    pub small: u32,
}

impl std::fmt::Display for Because {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Because::NoDivider => f.write_str("no run time is known of an earlier week"),
            Because::ZeroDivider => f.write_str("the divider is 0 s, and no job runs for less"),
            Because::Run(run) => write!(f, "it runs for {run} s"),
            Because::Request(limit) => write!(f, "it asks for {limit} s"),
            Because::EveryJob => f.write_str("every job is tried"),
            Because::LastRun(Some(run)) => write!(f, "the user's job that completed last ran for {run} s"),
            Because::LastRun(None) => f.write_str("no job of this user has completed"),
            Because::OneClass(rows) => match rows {
                0 => f.write_str("no job was known to learn from"),
                _ => write!(f, "all {rows} known jobs were of this class"),
            },
            Because::Vote(vote) => vote.fmt(f),
        }
    }
}

impl std::fmt::Display for Vote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {} trees say small", self.trees_for, self.trees)?;
        let latest: Vec<Class> = self.same.latest.iter().flatten().copied().collect();
        let small = latest.iter().filter(|class| class.is_small()).count();
        let count = ["no", "one", "two", "three"];
        match (latest.len(), small) {
            (0, _) => f.write_str("; no job of this user with this requested time is known"),
            (1, small) => {
                let said = if small > 0 { "small" } else { "large" };
                write!(f, "; the last job of this user with this requested time was {said}")
            }
            (all, small) => {
                write!(f, "; the last {} jobs of this user with this requested time were ", count[all])?;
                match small {
                    0 => f.write_str("large"),
                    _ if small == all => f.write_str("small"),
                    _ => write!(f, "{} small and {} large", count[small], count[all - small]),
                }
            }
        }
    }
}

/// A classifier predicts whether arriving jobs are small, and learns from those that complete.
pub trait Classifier {
    /// Does one step, of some milliseconds, of the training that must be done before a job submitted at `now` can be
    /// classified. Returns whether there was a step to do.
    ///
    /// A caller that shows progress, or may have to stop, calls this until it returns false. Otherwise
    /// [`Classifier::classify`] does all steps itself, with the same outcome.
    fn train(&mut self, _now: Seconds) -> bool {
        false
    }

    /// Classifies a job at its submission, before it is told of the completions of the same instant.
    ///
    /// Jobs come in the order of their submissions, each once, and that gives them their numbers; `place` is the job's
    /// place in the workload, which differs from its number where users react.
    fn classify(&mut self, place: JobId, request: &Request, now: Seconds) -> Classified;

    /// Tells that a job starts. A job that was killed starts again.
    fn started(&mut self, _job: JobId, _now: Seconds) {}

    /// Tells that a job completes after `run` seconds. A killed run does not complete, so nothing is learned from it.
    fn completed(&mut self, _job: JobId, _request: &Request, _run: Seconds, _now: Seconds) {}

    /// The importance of each feature, for each training so far; empty where there are no trees.
    fn importances(&self) -> &[Importances] {
        &[]
    }

    /// When the training of each of [`Classifier::importances`] began to be used: at the begin of a week.
    fn trained(&self) -> &[Seconds] {
        &[]
    }

    /// The features, in the order of [`Importances::gini`]; empty where there is no training.
    fn features(&self) -> &[Feature] {
        &[]
    }
}

/// Gini importance of the features in the forest of a week (CLASSIFY Fig. 5).
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Importances {
    /// The week in which the forest classifies.
    pub week: usize,
    /// Training rows.
    pub rows: u32,
    /// Importance of each feature, in the order of [`features`]. They add up to 1, or are all 0.
    pub gini: Vec<f64>,
}

/// The features of a classifier with these options, in their order.
pub fn features(options: &ClassifierOptions) -> Vec<Feature> {
    feature::of(options)
}

/// A classifier for a simulation of `workload`, before the first submission.
pub fn build<'a>(options: &ClassifierOptions, workload: &'a Workload) -> Box<dyn Classifier + 'a> {
    match options.by {
        By::Forest => Box::new(learned::Learned::new(*options, workload)),
        By::Clairvoyant | By::Request | By::All | By::Last => Box::new(exact::Exact::new(*options, workload)),
    }
}

//! Classifiers: whether a job will turn out small or large, from what was known when it was submitted.
//!
//! Spec and sources: CLASSIFY §3.3, §4. A job is small where it runs for less than the divider of the week in
//! which it is submitted: the median of the run times known when that week begins. What a classifier has learned
//! from is told to it as it happens: submissions, starts and completions, in the order of the simulation. It knows
//! nothing of schedulers.

mod boosting;
mod calendar;
mod categories;
mod divider;
pub mod evaluation;
mod exact;
mod feature;
mod forest;
mod history;
mod learned;
mod noted;
mod options;
#[cfg(test)]
mod plain;
mod random;
mod recent;
mod table;
#[cfg(test)]
mod testing;
mod tree;
mod week;

pub use categories::{CATEGORIES, Category};
pub use feature::{Feature, TABLE_4};
pub use options::{By, Caveat, Divide, Known, Labels, Options, PARAMETERS, caveats};
pub use week::{WEEK, Weeks};

use crate::workload::{JobId, Request, Seconds, Workload};

pub use crate::model::Class;

/// What a job was taken for, and why.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Classified {
    /// What it was taken for.
    pub class: Class,
    /// The divider of its week, seconds, with which it stays whatever comes later; `None` in the first week.
    pub divider: Option<Seconds>,
    /// Why it was taken for that.
    pub because: Because,
}

/// Why a job was taken for what it was.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Because {
    /// It was submitted in the first week, or nobody has completed yet: there is no divider.
    NoDivider,
    /// The divider is 0 s: nobody runs for less.
    ZeroDivider,
    /// Its actual run time, seconds.
    Run(Seconds),
    /// Its requested time L, seconds.
    Request(Seconds),
    /// Every job is tried.
    Everybody,
    /// The run time of the user's job that completed last, seconds; `None` where there is none.
    LastRun(Option<Seconds>),
    /// Everybody of whom was learned was of one class, so many jobs.
    OneClass(u32),
    /// The trees' vote.
    Vote(Vote),
}

/// What the trees said of a job, and what of their features people understand best.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Vote {
    /// How sure they are that the job is small, 0 to 1: it was taken for that above the threshold.
    pub small: f64,
    /// Trees of the forest that said small.
    pub trees_for: u32,
    /// Trees of the forest.
    pub trees: u32,
    /// What the known jobs of the same user and requested time were.
    pub same: Lately,
}

/// What the known jobs of a category were, by the divider in force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Lately {
    /// The latest ones, latest first.
    pub latest: [Option<Class>; 3],
    /// How many are known.
    pub known: u32,
    /// How many of these are small.
    pub small: u32,
}

impl std::fmt::Display for Because {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Because::NoDivider => f.write_str("no run time is known of an earlier week"),
            Because::ZeroDivider => f.write_str("the divider is 0 s, and nobody runs for less"),
            Because::Run(run) => write!(f, "it runs for {run} s"),
            Because::Request(limit) => write!(f, "it asks for {limit} s"),
            Because::Everybody => f.write_str("every job is tried"),
            Because::LastRun(Some(run)) => write!(f, "the user's job that completed last ran for {run} s"),
            Because::LastRun(None) => f.write_str("no job of this user has completed"),
            Because::OneClass(rows) => match rows {
                0 => f.write_str("there was nothing to learn from"),
                _ => write!(f, "all {rows} jobs that were learned from were of this class"),
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

/// A piece of the learning that has been done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// The week for which it is learned.
    pub week: usize,
    /// Pieces done.
    pub done: u32,
    /// Pieces in all.
    pub of: u32,
}

/// Says of arriving jobs whether they are small, and learns from those that complete.
pub trait Classifier {
    /// Does a piece, of some milliseconds, of what must be learned before a job that is submitted at `now` can
    /// be classified; `None` where nothing is left to do.
    ///
    /// A caller who wants to show progress, or to stop, asks this until it is `None`, and then classifies. For
    /// all others [`Classifier::classify`] does it by itself, with the same outcome.
    fn learn(&mut self, _now: Seconds) -> Option<Lesson> {
        None
    }

    /// Classifies a job at its submission, before anybody who completes at that instant is told.
    ///
    /// Jobs come in log order, each once.
    fn classify(&mut self, job: JobId, request: &Request, now: Seconds) -> Classified;

    /// A job starts. One that was killed starts again.
    fn started(&mut self, _job: JobId, _now: Seconds) {}

    /// A job completes after `run` seconds. Who is killed does not complete: a killed run teaches nothing.
    fn completed(&mut self, _job: JobId, _request: &Request, _run: Seconds, _now: Seconds) {}

    /// What the features were worth to the trees of each week so far; nothing where there are no trees.
    fn importances(&self) -> &[Importances] {
        &[]
    }

    /// The features that it learns from, in the order of [`Importances::gini`]; none where it learns from none.
    fn features(&self) -> &[Feature] {
        &[]
    }

    /// One that knows the same, and goes on to learn by itself.
    fn fork<'b>(&self) -> Box<dyn Classifier + 'b>
    where
        Self: 'b;
}

/// What the features were worth to the forest of a week: Gini importances (CLASSIFY Fig. 5).
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Importances {
    /// The week in which the forest was used.
    pub week: usize,
    /// Jobs that it learned from.
    pub rows: u32,
    /// Of each feature, in the order of [`features`]; they sum up to 1, or are all 0.
    pub gini: Vec<f64>,
}

/// The features that a classifier with these options learns from, in their order.
pub fn features(options: &Options) -> Vec<Feature> {
    feature::of(options.by)
}

/// A classifier for a simulation of `workload`, that has seen nothing yet.
pub fn build<'a>(options: &Options, workload: &'a Workload) -> Box<dyn Classifier + 'a> {
    match options.by {
        By::Forest | By::Best => Box::new(learned::Learned::new(*options, workload)),
        By::Clairvoyant | By::Request | By::All | By::Last => Box::new(exact::Exact::new(*options, workload)),
    }
}

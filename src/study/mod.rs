//! Studies: what was asked, and what came out.
//!
//! A [`Study`] is plain data that the page, the command line, a file and a link carry alike. The
//! same study on the same trace gives the same [`Report`], on any machine and any number of workers.

pub mod advice;
mod allocation;
pub mod check;
pub mod command;
pub mod cost;
mod engine;
pub mod export;
mod external;
mod fairness;
pub mod format;
pub mod grouped;
pub mod habits;
pub mod limits;
pub mod link;
mod log_machine;
mod logged;
mod part;
mod policies;
pub mod printed;
pub mod query;
pub mod recipe;
mod repeats;
mod report;
mod rules;
mod run;
pub mod script_trial;
pub mod settings;
mod site_fit;
mod site_machine;
mod source;
pub mod sureness;
pub mod table;
mod taking_out;
#[cfg(test)]
pub(crate) mod testing;
mod title;
pub mod verdict;
mod verification;
pub mod waits_matrix;
pub mod what_if;
mod workloads;

pub use engine::{Engine, digest};
pub use external::NeededFile;
pub use fairness::{NoFairStarts, fair_start_search, fair_starts_of};
pub use log_machine::{machine_of_partitions, overlap_of_partitions};
pub use logged::Overfull;
pub use part::{LogPart, Unmeasured, measured};
pub use policies::policy_facts;
pub use report::{Report, RunReport, RunResult};
pub use rules::Rules;
pub use run::{CannotRun, Ended, Run, RunPartition, Running, execute};
pub use site_fit::{PriorityFit, SiteFit, SiteFitRow, is_configured, models};
pub use site_machine::machine_of_site;
pub use source::{Generated, Source, Treatment};
pub use taking_out::{put_back, taken_out};
pub use title::title;
pub use verification::{Difference, NoPlain, PlainComparison, PlainRun, Verification, verify};
pub use workloads::Workloads;

use crate::estimator::{Estimate, Method};
use crate::machine::WhatIf;
use crate::metric::{Measure, Metric};
use crate::model::{Reestimation, RoundTrigger};
use crate::scheduler::Policy;
use crate::simulation::Correction;
use crate::workload::Feedback;
use repeats::distinct;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use sureness::Repeats;

/// What was asked: a workload, the runs on it, and how to measure and show them.
///
/// In a file only schedulers and methods are needed; what is missing is as usual.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Study {
    /// What the jobs come from.
    #[serde(default = "first_source")]
    pub source: Source,
    /// What is done to them before they are simulated.
    #[serde(default)]
    pub treatment: Treatment,
    /// Schedulers, in the order of the table.
    pub schedulers: Vec<Policy>,
    /// Estimation methods.
    pub methods: Vec<Method>,
    /// The methods as they were before the log took requested times out of them, for it names none ([`advice::suit_methods`]).
    /// Empty: it took nothing out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub methods_asked: Vec<Method>,
    /// Distortion factors k, each applied to every method.
    #[serde(default = "one")]
    pub distortions: Vec<f64>,
    /// Further shrinking factors, beside that of the treatment: each run is made with each of them too (DYNP Figs 2-8).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shrinks: Vec<f64>,
    /// Partitions that are taken each by itself, as machines beside each other: each run is made on each of them. None: the
    /// jobs of the treatment are on one machine.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub partitions: Vec<RunPartition>,
    /// Further numbers of users, as multiples of the log's, beside that of the treatment: each run is made with each of them
    /// too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub users: Vec<f64>,
    /// What is otherwise on further machines, beside that of the treatment: each run is made on each of them too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub what_ifs: Vec<WhatIf>,
    /// Where users react: whether each run is made with the log's submit times too, so that one sees what a replay says.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub beside_replay: bool,
    /// What becomes of estimates that run out.
    #[serde(default)]
    pub correction: Correction,
    /// When waiting jobs are estimated; where nothing is said, as the papers' programs do it ([`Rules`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reestimation: Option<Reestimation>,
    /// Which submissions trigger a round; where nothing is said, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none", alias = "asking")]
    pub trigger: Option<RoundTrigger>,
    /// Runs of the product of schedulers, methods and distortions that were taken out.
    #[serde(default)]
    pub removed: Vec<Run>,
    /// Which jobs count, and the metrics' parameters.
    #[serde(default)]
    pub measure: Measure,
    /// The table's columns.
    #[serde(default = "default_columns")]
    pub columns: Vec<Metric>,
    /// What values are compared with.
    #[serde(default)]
    pub baseline: Baseline,
    /// On how many further workloads its runs are repeated, so that one knows how sure the results are; none: on its own
    /// alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats: Option<Repeats>,
}

/// What the values of a run are compared with.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Baseline {
    /// Nothing: absolute values.
    #[default]
    None,
    /// One run.
    Run(Run),
    /// The run of this scheduler with the same estimates, as METRICS Table II.
    Scheduler(Policy),
    /// The run of the same scheduler with these estimates, as METRICS Table III.
    Estimate(Estimate),
}

impl Baseline {
    /// The run that `run` is compared with, if any.
    pub fn of(&self, run: &Run) -> Option<Run> {
        match self {
            Baseline::None => None,
            Baseline::Run(baseline) if baseline.partition.is_none() => {
                Some(baseline.clone().on_partition(run.partition.clone()))
            }
            Baseline::Run(baseline) => Some(baseline.clone()),
            Baseline::Scheduler(scheduler) => Some(Run::new(scheduler.clone(), run.estimate.clone()).beside(run)),
            Baseline::Estimate(estimate) => Some(Run::new(run.scheduler.clone(), estimate.clone()).beside(run)),
        }
    }
}

impl Study {
    /// A small study of `source`: EASY and JustBF in three orders, with actual and requested times,
    /// compared with JustBF.
    pub fn on(source: Source) -> Self {
        Study {
            source,
            treatment: Treatment::default(),
            schedulers: presets(&["easy", "justbf", "saf-justbf", "laf-justbf"]),
            methods: vec![Method::requested(), Method::actual()],
            methods_asked: Vec::new(),
            distortions: one(),
            shrinks: Vec::new(),
            partitions: Vec::new(),
            users: Vec::new(),
            what_ifs: Vec::new(),
            beside_replay: false,
            correction: Correction::default(),
            reestimation: None,
            trigger: None,
            removed: Vec::new(),
            measure: Measure::default(),
            columns: default_columns(),
            baseline: Baseline::Scheduler(preset("justbf")),
            repeats: None,
        }
    }

    /// The study of a first visit: a small generated workload, loaded enough for jobs to wait.
    pub fn first_visit() -> Self {
        Study::on(first_source())
    }

    /// All its runs, in the order of the table: partition, then scheduler, then method, then k, then shrinking factor, then
    /// users, then machine, then with users who react and without.
    pub fn runs(&self) -> Vec<Run> {
        let methods = distinct(&self.methods, ToString::to_string);
        let ks = distinct(&self.distortions, |k| k.to_bits());
        let shrinks: Vec<Option<f64>> =
            std::iter::once(None).chain(self.further_shrinks().into_iter().map(Some)).collect();
        // where there are several, each run says its own
        let users: Vec<Option<f64>> = match &self.all_users()[..] {
            [_] => vec![None],
            several => several.iter().copied().map(Some).collect(),
        };
        let machines: Vec<Option<WhatIf>> =
            std::iter::once(None).chain(self.what_ifs.iter().cloned().map(Some)).collect();
        let is_replayed = &[false, true][..if self.has_replays() { 2 } else { 1 }];
        let removed: FxHashSet<String> = self.removed.iter().map(Run::id).collect();
        let mut runs = Vec::new();
        for scheduler in distinct(&self.schedulers, ToString::to_string) {
            for &method in &methods {
                for &&k in &ks {
                    for &shrink in &shrinks {
                        let estimate = Estimate { method: method.clone(), k };
                        let run = Run::new(scheduler.clone(), estimate).at_shrink(shrink);
                        for (&users, what_if) in users.iter().flat_map(|of| machines.iter().map(move |m| (of, m))) {
                            for &replayed in is_replayed {
                                let run = run.clone().with_users(users).what_if(what_if.clone()).replayed(replayed);
                                // the log's own schedule comes once, whatever the estimates
                                if runs.last() != Some(&run) {
                                    runs.push(run);
                                }
                            }
                        }
                    }
                }
            }
        }
        if !self.partitions.is_empty() {
            let on = |of: &RunPartition| runs.iter().cloned().map(|run| run.on_partition(Some(of.clone()))).collect();
            runs = distinct(&self.partitions, |of| of.number).into_iter().flat_map::<Vec<Run>, _>(on).collect();
        }
        if !removed.is_empty() {
            runs.retain(|run| !removed.contains(&run.id()));
        }
        runs
    }

    /// All its shrinking factors, in the order in which they are given: that of the treatment first.
    pub fn all_shrinks(&self) -> Vec<f64> {
        std::iter::once(self.treatment.shrink).chain(self.further_shrinks()).collect()
    }

    /// Sets all its shrinking factors: the first is that of the treatment. An empty list changes nothing.
    pub fn set_shrinks(&mut self, factors: &[f64]) {
        if let Some((&first, further)) = factors.split_first() {
            self.treatment.shrink = first;
            self.shrinks = further.to_vec();
            self.shrinks = self.further_shrinks();
        }
    }

    /// The further ones, each once.
    fn further_shrinks(&self) -> Vec<f64> {
        let each = distinct(&self.shrinks, |factor| factor.to_bits()).into_iter().copied();
        each.filter(|&factor| factor != self.treatment.shrink).collect()
    }

    /// All its numbers of users, as multiples of the log's: that of the treatment first.
    pub fn all_users(&self) -> Vec<f64> {
        std::iter::once(self.treatment.users).chain(self.further_users()).collect()
    }

    /// Sets all its numbers of users: the first is that of the treatment. An empty list changes nothing.
    pub fn set_users(&mut self, factors: &[f64]) {
        if let Some((&first, further)) = factors.split_first() {
            self.treatment.users = first;
            self.users = further.to_vec();
            self.users = self.further_users();
        }
    }

    /// The further ones, each once.
    fn further_users(&self) -> Vec<f64> {
        let each = distinct(&self.users, |factor| factor.to_bits()).into_iter().copied();
        each.filter(|&factor| factor != self.treatment.users).collect()
    }

    /// Whether each of its runs with users who react is there without them too.
    pub fn has_replays(&self) -> bool {
        self.beside_replay && self.treatment.feedback.feedback != Feedback::Off
    }

    /// The rules that all its runs follow.
    pub fn rules(&self) -> Rules {
        Rules { correction: self.correction, reestimation: self.reestimation, trigger: self.trigger }
    }

    /// The run that `run` is compared with, if any.
    pub fn baseline_of(&self, run: &Run) -> Option<Run> {
        self.baseline.of(run)
    }
}

/// The policy of a preset that this crate names itself.
fn preset(id: &str) -> Policy {
    // a test of the catalogue parses every preset, and tests here name each id used
    id.parse().unwrap_or_else(|e| panic!("{e}"))
}

fn presets(ids: &[&str]) -> Vec<Policy> {
    ids.iter().map(|id| preset(id)).collect()
}

/// Methods that this crate names itself; tests of the recipes name each.
fn methods(ids: &[&str]) -> Vec<Method> {
    ids.iter().map(|id| id.parse().unwrap_or_else(|e| panic!("{e}"))).collect()
}

fn first_source() -> Source {
    Source::Generated(Generated::Lublin { jobs: 2_000, processors: 128, seed: 1 })
}

fn one() -> Vec<f64> {
    vec![1.0]
}

fn default_columns() -> Vec<Metric> {
    Metric::DEFAULT_COLUMNS.to_vec()
}

//! Studies: what was asked, and what came out.
//!
//! A [`Study`] is plain data that the page, the command line, a file and a link carry alike. The
//! same study on the same trace gives the same [`Report`], on any machine and any number of workers.

pub mod advice;
mod allocation;
pub mod check;
mod engine;
pub mod explore;
pub mod export;
mod external;
pub mod format;
pub mod grouped;
pub mod habits;
pub mod learn;
pub mod limits;
pub mod link;
mod logged;
mod losses;
pub mod pace;
pub mod query;
mod report;
mod rules;
mod run;
mod running;
pub mod script_trial;
pub mod settings;
mod site_fit;
mod source;
pub mod sureness;
pub mod table;
pub mod verdict;
mod verification;
pub mod waits_matrix;
pub mod what_if;
mod workloads;

pub use engine::{Engine, digest};
pub use external::NeededFile;
pub use logged::Overfull;
pub use losses::{Effects, GroupedWaits, Loser, Loss, Losses, NoFairStarts, fair_start_search, fair_starts_of};
pub use report::{CannotRun, Report, RunReport, RunResult};
pub use rules::{Rules, policy_facts};
pub use run::{LONGEST_ROW_NAME, RowNames, Run, RunPartition, title};
pub use running::{Ended, Running, execute};
pub use site_fit::{
    PriorityFit, SiteFit, SiteFitRow, claiming, fitted, machine_of_partitions, machine_of_site, models,
    overlap_of_partitions,
};
pub use source::{Generated, Source, Treatment};
pub use verification::{Difference, NoPlain, PlainComparison, Verification, compare_with_plain, verify};
pub use workloads::{LogPart, Unmeasured, Workloads, measured, put_back, taken_out};

use packfair_base::machine::WhatIf;
use packfair_engine::estimator::{Estimate, Method};
use packfair_engine::metric::{Measure, Metric};
use packfair_engine::model::{Reestimation, RoundTrigger};
use packfair_engine::simulation::Correction;
use packfair_schedulers::Policy;
use packfair_workload::Feedback;
use running::distinct;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use sureness::Repeats;

/// What was asked: a workload, the runs on it, and how to measure and show them.
///
/// A file only needs schedulers and methods; everything else has a default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Study {
    #[serde(default = "first_source")]
    pub source: Source,
    /// What is done to the jobs before they are simulated.
    #[serde(default)]
    pub treatment: Treatment,
    pub schedulers: Vec<Policy>,
    pub methods: Vec<Method>,
    /// The methods as they were before requested times were taken out, because the log names none
    /// ([`advice::suit_methods`]). Empty where nothing was taken out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub methods_asked: Vec<Method>,
    /// Distortion factors k, each applied to every method.
    #[serde(default = "one")]
    pub distortions: Vec<f64>,
    /// Further shrinking factors, beside that of the treatment: each run is also made with each of them (DYNP Figs
    /// 2-8).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shrinks: Vec<f64>,
    /// Partitions that are simulated separately, each as a machine of its own: each run is made on each of them. Empty
    /// where all jobs of the treatment share one machine.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub partitions: Vec<RunPartition>,
    /// Further numbers of users, as multiples of the log's number, beside that of the treatment: each run is also made
    /// with each of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub users: Vec<f64>,
    /// Further machines, beside that of the treatment, each with a what-if: each run is also made on each of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub what_ifs: Vec<WhatIf>,
    /// Where users react: whether each run is also made with the log's submit times, to compare with a replay.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub beside_replay: bool,
    /// How estimates that run out are corrected.
    #[serde(default)]
    pub correction: Correction,
    /// When waiting jobs are estimated. `None` stands for what is usual for the scheduler and estimator, as in the
    /// papers' programs ([`Rules`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reestimation: Option<Reestimation>,
    /// Which submissions trigger a round. `None` stands for what is usual for the scheduler and estimator ([`Rules`]).
    #[serde(default, skip_serializing_if = "Option::is_none", alias = "asking")]
    pub trigger: Option<RoundTrigger>,
    /// Runs that a person took out of the product of schedulers, methods and factors.
    #[serde(default)]
    pub removed: Vec<Run>,
    /// Names that a person has given to rows.
    #[serde(default, skip_serializing_if = "RowNames::is_empty")]
    pub row_names: RowNames,
    /// Which jobs count, and the metrics' parameters.
    #[serde(default)]
    pub measure: Measure,
    #[serde(default = "default_columns")]
    pub columns: Vec<Metric>,
    #[serde(default)]
    pub baseline: Baseline,
    /// The baseline before the files of a site made Slurm as configured the baseline, which comes back when they are taken
    /// away ([`Study::leave_site`]). `None` where they did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline_before_site: Option<Baseline>,
    /// The further workloads on which the runs are repeated, to know how sure the results are. `None`: the study runs
    /// on its own workload only.
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
    Run(Run),
    /// The run of this scheduler with the same estimates, as in METRICS Table II.
    Scheduler(Policy),
    /// The run of the same scheduler with these estimates, as in METRICS Table III.
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
            Baseline::Scheduler(scheduler) => {
                Some(Run::new(scheduler.clone(), run.estimate.clone()).in_conditions_of(run))
            }
            Baseline::Estimate(estimate) => {
                Some(Run::new(run.scheduler.clone(), estimate.clone()).in_conditions_of(run))
            }
        }
    }
}

impl Study {
    /// A small study of `source`: EASY and JustBF in three orders, with requested times, compared with EASY.
    pub fn on(source: Source) -> Self {
        let mut study = Study {
            source,
            treatment: Treatment::default(),
            schedulers: presets(&["easy", "justbf", "saf-justbf", "laf-justbf"]),
            methods: vec![Method::requested()],
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
            row_names: RowNames::default(),
            measure: Measure::default(),
            columns: default_columns(),
            baseline: Baseline::None,
            baseline_before_site: None,
            repeats: None,
        };
        study.baseline = study.usual_baseline();
        study
    }

    /// The study that a first visit shows, on [`Generated::FIRST_VISIT`].
    pub fn first_visit() -> Self {
        Study::on(first_source())
    }

    /// All runs of the study, in the order of the table: by partition, then scheduler, method, k, shrinking factor,
    /// users and machine, then with reacting users before the replay.
    pub fn runs(&self) -> Vec<Run> {
        let methods = distinct(&self.methods, ToString::to_string);
        let ks = distinct(&self.distortions, |k| k.to_bits());
        let shrinks: Vec<Option<f64>> =
            std::iter::once(None).chain(self.further_shrinks().into_iter().map(Some)).collect();
        // Where there are several numbers of users, each run carries its own.
        let users: Vec<Option<f64>> = match &self.all_users()[..] {
            [_] => vec![None],
            several => several.iter().copied().map(Some).collect(),
        };
        let machines = self.all_machines();
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
                                // The log's own schedule comes once, whatever the estimates are.
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

    /// All machines of the study: that of the treatment first, then those of its what-ifs as given.
    pub fn all_machines(&self) -> Vec<Option<WhatIf>> {
        std::iter::once(None).chain(self.what_ifs.iter().cloned().map(Some)).collect()
    }

    /// All shrinking factors of the study: that of the treatment first, then the further ones as given.
    pub fn all_shrinks(&self) -> Vec<f64> {
        std::iter::once(self.treatment.shrink).chain(self.further_shrinks()).collect()
    }

    /// Sets all shrinking factors: the first becomes that of the treatment. An empty list changes nothing.
    pub fn set_shrinks(&mut self, factors: &[f64]) {
        if let Some((&first, further)) = factors.split_first() {
            self.treatment.shrink = first;
            self.shrinks = further.to_vec();
            self.shrinks = self.further_shrinks();
        }
    }

    fn further_shrinks(&self) -> Vec<f64> {
        let each = distinct(&self.shrinks, |factor| factor.to_bits()).into_iter().copied();
        each.filter(|&factor| factor != self.treatment.shrink).collect()
    }

    /// All numbers of users of the study, as multiples of the log's number: that of the treatment first.
    pub fn all_users(&self) -> Vec<f64> {
        std::iter::once(self.treatment.users).chain(self.further_users()).collect()
    }

    /// Sets all numbers of users: the first becomes that of the treatment. An empty list changes nothing.
    pub fn set_users(&mut self, factors: &[f64]) {
        if let Some((&first, further)) = factors.split_first() {
            self.treatment.users = first;
            self.users = further.to_vec();
            self.users = self.further_users();
        }
    }

    fn further_users(&self) -> Vec<f64> {
        let each = distinct(&self.users, |factor| factor.to_bits()).into_iter().copied();
        each.filter(|&factor| factor != self.treatment.users).collect()
    }

    /// Whether each run with reacting users is also made as a replay.
    pub fn has_replays(&self) -> bool {
        self.beside_replay && self.treatment.feedback.feedback != Feedback::Off
    }

    /// The rules that all runs of the study follow.
    pub fn rules(&self) -> Rules {
        Rules { correction: self.correction, reestimation: self.reestimation, trigger: self.trigger }
    }

    /// The run that `run` is compared with, if any.
    pub fn baseline_of(&self, run: &Run) -> Option<Run> {
        self.baseline.of(run)
    }

    /// Whether there are rows of what would be if run times were known, beside those with other estimates. `None` where
    /// no others are.
    pub fn has_known_times(&self) -> Option<bool> {
        let known = Method::actual();
        self.methods.iter().any(|method| *method != known).then(|| self.methods.contains(&known))
    }

    /// Adds the rows of what would be if run times were known, or takes them out. A baseline that goes with them gives way
    /// to the usual one. Changes nothing where no other estimates are.
    pub fn set_known_times(&mut self, are_shown: bool) {
        let known = Method::actual();
        if self.has_known_times().is_none_or(|now| now == are_shown) {
            return;
        }
        if are_shown {
            return self.methods.push(known);
        }
        self.methods.retain(|method| *method != known);
        let is_gone = match &self.baseline {
            Baseline::Run(run) => run.estimate.method == known && !run.scheduler.is_offline(),
            Baseline::Estimate(estimate) => estimate.method == known,
            Baseline::None | Baseline::Scheduler(_) => false,
        };
        if is_gone {
            self.baseline = self.usual_baseline();
        }
    }

    /// What the rows are compared with where nobody has chosen it: Slurm as configured where a site is studied, else EASY.
    /// Nothing where that is not among the rows, is alone there, or lacks the estimates of another row.
    pub fn usual_baseline(&self) -> Baseline {
        let of_site = !self.treatment.site.is_empty() || self.schedulers.iter().any(|of| of.as_configured().is_some());
        let as_configured = |policy: &&Policy| policy.goes_by_site() && policy.as_configured().is_none();
        let slurm = self.schedulers.iter().find(as_configured).filter(|_| of_site);
        let easy = preset("easy");
        let Some(base) = slurm.or_else(|| self.schedulers.iter().find(|policy| **policy == easy)) else {
            return Baseline::None;
        };
        let baseline = Baseline::Scheduler(base.clone());
        let runs = self.runs();
        let ids: FxHashSet<String> = runs.iter().map(Run::id).collect();
        let is_there = |run: &Run| baseline.of(run).is_none_or(|of| ids.contains(&of.id()));
        let has_others = runs.iter().any(|run| run.scheduler != *base);
        if has_others && runs.iter().all(is_there) { baseline } else { Baseline::None }
    }
}

/// The policy of a preset that this crate names in its own code.
pub fn preset(id: &str) -> Policy {
    // A test of the catalogue parses every preset, and tests here name each id used.
    id.parse().unwrap_or_else(|e| panic!("{e}"))
}

fn presets(ids: &[&str]) -> Vec<Policy> {
    ids.iter().map(|id| preset(id)).collect()
}

fn first_source() -> Source {
    Source::Generated(Generated::FIRST_VISIT)
}

fn one() -> Vec<f64> {
    vec![1.0]
}

fn default_columns() -> Vec<Metric> {
    Metric::DEFAULT_COLUMNS.to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(schedulers: &[&str], methods: &[&str]) -> Study {
        let mut study = Study::first_visit();
        study.schedulers = schedulers.iter().map(|id| id.parse().unwrap()).collect();
        study.methods = methods.iter().map(|id| id.parse().unwrap()).collect();
        study
    }

    #[test]
    fn easy_is_the_baseline_where_it_is_among_the_rows() {
        let easy = Baseline::Scheduler(preset("easy"));
        assert_eq!(Study::first_visit().baseline, easy);
        let usual = |schedulers, methods| of(schedulers, methods).usual_baseline();
        assert_eq!(usual(&["fcfs", "easy"], &["requested", "cvh"]), easy);
        assert_eq!(usual(&["fcfs", "saf-easy"], &["requested"]), Baseline::None);
        assert_eq!(usual(&["easy"], &["requested", "actual"]), Baseline::None, "it is alone");
        assert_eq!(usual(&["easy", "as-logged"], &["actual"]), Baseline::None, "the log's own schedule knows requests");
        assert_eq!(usual(&["easy", "slurm"], &["requested"]), easy, "no site is studied");
        let slurm = Baseline::Scheduler("slurm".parse().unwrap());
        assert_eq!(usual(&["easy", "slurm", "slurm:PriorityWeightAge=4000"], &["requested"]), slurm);
        let mut of_site = of(&["easy", "slurm"], &["requested"]);
        of_site.treatment.site.push(packfair_base::catalogue::NamedFile::new("slurm.conf", 1));
        assert_eq!(of_site.usual_baseline(), slurm);
        let mut without = of(&["fcfs", "easy"], &["requested", "actual"]);
        without.removed = vec![Run::new(preset("easy"), "actual".parse().unwrap())];
        assert_eq!(without.usual_baseline(), Baseline::None, "one row would have nothing to be compared with");
    }

    #[test]
    fn rows_of_known_run_times_come_and_go_and_take_their_baseline_along() {
        let mut study = Study::first_visit();
        let before = study.clone();
        assert_eq!(study.has_known_times(), Some(false));
        study.set_known_times(true);
        study.set_known_times(true);
        assert_eq!((study.has_known_times(), study.runs().len()), (Some(true), 8));
        study.baseline = Baseline::Estimate(Estimate::of(Method::actual()));
        study.set_known_times(false);
        assert_eq!(study, before);
        let mut only = of(&["easy"], &["actual"]);
        assert_eq!(only.has_known_times(), None);
        only.set_known_times(false);
        assert_eq!(only.methods, [Method::actual()], "no estimates would be left");
    }
}

//! The question to a search.

use super::search::{chosen_formulas, written};
use super::{Aspect, KeptBound, SearchedLog};
use crate::script_trial::{file_argument, log_argument, quoted};
use crate::sureness::Repeats;
use crate::{LogPart, Losses, Run};
use packfair_base::catalogue::{Catalogue, WRITTEN};
use packfair_base::expression::{Template, TemplateError};
use packfair_engine::estimator::Estimate;
use packfair_engine::metric::{Aim, Grouping, Metric};
use packfair_schedulers::{Policy, Schedulers};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// The range of the share of jobs on which settings are chosen.
pub const SHARES: RangeInclusive<f64> = 0.5..=0.8;

/// The range of the number of workloads drawn from the confirm part. From the least on, an interval holds 95 % of them.
pub const REPEATS: RangeInclusive<u32> = Repeats::BY_ITSELF..=1_000;

pub const MOST_EXPLORED: usize = 100_000;

/// Most metrics to minimise. With more of them, nearly every setting would be unbeaten.
const MOST_MINIMISED: usize = 6;

/// Most formulas of a person's own.
const MOST_TEMPLATES: usize = 8;

const MOST_ESTIMATES: usize = 100;

/// What to search for, among which settings, and for how long.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExploreQuestion {
    pub minimise: Vec<Metric>,
    #[serde(default)]
    pub keep: Vec<KeptBound>,
    pub runs: usize,
    pub seed: u64,
    /// The share of the jobs on which settings are chosen. Of the others, one half selects one of them, and the other
    /// confirms it.
    pub share: f64,
    /// The ids of the scheduler families to search. They may include ids of formulas of queue orders
    /// ([`ExploreQuestion::formulas`]) and formulas of a person's own with open numbers
    /// ([`ExploreQuestion::templates`]).
    pub families: Vec<String>,
    pub estimates: Vec<Estimate>,
    /// The run that the settings are compared with.
    pub baseline: Run,
    /// The number of workloads drawn from the confirm part.
    pub repeats: u32,
}

/// What is wrong with a question, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuestionFault {
    #[error("name 1 to {MOST_MINIMISED} metrics to minimise")]
    Metrics,
    #[error("{0} cannot be minimised: neither much nor little of it is better")]
    Aimless(Metric),
    #[error("name at most {MOST_MINIMISED} bounds to keep")]
    Bounds,
    #[error("the number of runs is from 1 to {MOST_EXPLORED}")]
    Runs,
    #[error("the share of the jobs to choose on is from {} to {}", SHARES.start(), SHARES.end())]
    Share,
    #[error("the number of repeats is from {} to {}", REPEATS.start(), REPEATS.end())]
    Repeats,
    #[error("name at least one family of schedulers: {}", explorable())]
    Families,
    #[error("there is no family \"{0}\" to look through; there are {known}", known = explorable())]
    Family(String),
    #[error("the formula \"{0}\": {1}")]
    Template(String, TemplateError),
    #[error("name at most {MOST_TEMPLATES} formulas")]
    Templates,
    #[error("name 1 to {MOST_ESTIMATES} estimates")]
    Estimates,
    #[error("the workload has too few jobs to choose on one part of them and to judge on others")]
    TooFewJobs,
}

/// The items, each only where it comes first.
fn each_once<T: PartialEq>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut once = Vec::new();
    for item in items {
        if !once.contains(&item) {
            once.push(item);
        }
    }
    once
}

/// The ids of the families that can be searched.
fn explorable() -> String {
    let families = Schedulers::FAMILIES.iter().map(|family| family.entry.id).filter(|id| can_be_explored(id));
    let formulas = chosen_formulas().map(|formula| formula.id);
    families.chain(formulas).collect::<Vec<_>>().join(", ")
}

impl Default for ExploreQuestion {
    fn default() -> Self {
        // Both are in the catalogues: tests here parse them.
        let requested: Estimate = "requested".parse().unwrap();
        ExploreQuestion {
            minimise: vec![Metric::Bsld, Metric::Awf, Metric::P2sf],
            keep: Vec::new(),
            runs: 1_000,
            seed: 1,
            share: 0.5,
            families: vec!["easy".to_owned(), "list".to_owned()],
            baseline: Run::new("easy".parse().unwrap(), requested.clone()),
            estimates: vec![requested],
            repeats: Repeats::BY_ITSELF,
        }
    }
}

impl ExploreQuestion {
    /// Checks that the question can be answered.
    ///
    /// # Errors
    /// The first fault found.
    pub fn check(&self) -> Result<(), QuestionFault> {
        if self.minimise.is_empty() || self.minimise.len() > MOST_MINIMISED {
            return Err(QuestionFault::Metrics);
        }
        if let Some(&aimless) = self.minimise.iter().find(|metric| metric.about().aim == Aim::None) {
            return Err(QuestionFault::Aimless(aimless));
        }
        if !(1..=MOST_EXPLORED).contains(&self.runs) {
            return Err(QuestionFault::Runs);
        }
        if !SHARES.contains(&self.share) {
            return Err(QuestionFault::Share);
        }
        if !REPEATS.contains(&self.repeats) {
            return Err(QuestionFault::Repeats);
        }
        if self.keep.len() > MOST_MINIMISED {
            return Err(QuestionFault::Bounds);
        }
        for own in self.families.iter().filter(|own| own.starts_with(WRITTEN)) {
            if let Some(Err(why)) = written(own) {
                return Err(QuestionFault::Template(packfair_base::catalogue::shortened(&own[WRITTEN.len()..]), why));
            }
        }
        if self.templates().count() > MOST_TEMPLATES {
            return Err(QuestionFault::Templates);
        }
        let is_formula = |id: &String| id.starts_with(WRITTEN) || chosen_formulas().any(|formula| formula.id == id);
        if self.families.iter().all(is_formula) {
            return Err(QuestionFault::Families);
        }
        if let Some(unknown) = self.families.iter().find(|id| !can_be_explored(id) && !is_formula(id)) {
            return Err(QuestionFault::Family(packfair_base::catalogue::shortened(unknown)));
        }
        if self.estimates.is_empty() || self.estimates.len() > MOST_ESTIMATES {
            return Err(QuestionFault::Estimates);
        }
        Ok(())
    }

    /// The formulas of queue orders that can be chosen like families: id, name, help.
    pub fn formulas() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
        chosen_formulas().map(|formula| (formula.id, formula.name, formula.help))
    }

    /// The person's own formulas, whose open numbers are searched.
    pub fn templates(&self) -> impl Iterator<Item = Template> + '_ {
        self.families.iter().filter_map(|own| written(own)?.ok())
    }

    /// Replaces the person's own formulas.
    pub fn set_templates(&mut self, templates: &[Template]) {
        self.families.retain(|own| !own.starts_with(WRITTEN));
        self.families.extend(templates.iter().map(|template| format!("{WRITTEN}{template}")));
    }

    /// The command that answers the question in a terminal, on a log in the way in which it is searched. What has no
    /// option it reads from the study, saved as `study.json` ([`SearchedLog::needs_study`]), and a site's files and the
    /// log are given by their names.
    pub fn command(&self, on: &SearchedLog) -> String {
        fn listed(items: &[impl ToString]) -> String {
            quoted(&items.iter().map(ToString::to_string).collect::<Vec<_>>().join(","))
        }
        let mut command = format!("packfair explore{} --minimise {}", log_argument(&on.source), listed(&self.minimise));
        if !self.keep.is_empty() {
            command.push_str(&format!(" --keep {}", listed(&self.keep)));
        }
        let families: Vec<&String> = self.families.iter().filter(|own| !own.starts_with(WRITTEN)).collect();
        let (families, estimates) = (listed(&families), listed(&self.estimates));
        let ExploreQuestion { runs, seed, share, repeats, .. } = self;
        let baseline = quoted(&self.baseline.id());
        command.push_str(&format!(
            " --runs {runs} --seed {seed} --repeats {repeats} --share {share} --families {families} --estimators {estimates} \
             --baseline {baseline}"
        ));
        for template in self.templates() {
            command.push_str(&format!(" --formula {}", quoted(&template.to_string())));
        }
        for option in on.options() {
            command.push_str(&format!(" {option}"));
        }
        if on.needs_study() {
            command.push_str(" --study study.json");
        }
        if !on.treatment.site.is_empty() {
            let files: Vec<String> = on.treatment.site.iter().map(|file| file_argument(file.name())).collect();
            command.push_str(&format!(" --slurm {}", files.join(" ")));
        }
        command
    }

    /// All metrics by which a run is measured: those to minimise, then those of the bounds, each once.
    pub fn metrics(&self) -> Vec<Metric> {
        let of_bound = |bound: &KeptBound| match bound.aspect {
            Aspect::Metric(metric) => Some(metric),
            Aspect::Loss(_) => None,
        };
        each_once(self.minimise.iter().copied().chain(self.keep.iter().filter_map(of_bound)))
    }

    /// The losses of groups that are measured besides; `None` where no bound is about any.
    pub fn losses(&self) -> Option<Box<Losses>> {
        let of_bound = |bound: &KeptBound| match bound.aspect {
            Aspect::Metric(_) => None,
            Aspect::Loss(by) => Some(by),
        };
        let by: Vec<Grouping> = each_once(self.keep.iter().filter_map(of_bound));
        (!by.is_empty()).then(|| Box::new(Losses { beside: self.baseline.clone(), by }))
    }

    /// All that is measured of a run, in the order of its values: the metrics, then the losses of groups.
    pub fn aspects(&self) -> Vec<Aspect> {
        let losses = self.losses().map(|losses| losses.by).unwrap_or_default();
        let metrics = self.metrics().into_iter().map(Aspect::Metric);
        metrics.chain(losses.into_iter().map(Aspect::Loss)).collect()
    }

    /// The part of the log on which settings are chosen.
    pub fn choosing(&self) -> LogPart {
        LogPart::First(self.share)
    }

    /// The part of the log by which one of the settings is selected.
    pub fn selecting(&self) -> LogPart {
        LogPart::Middle(self.share)
    }

    /// The parts that choose and select in a further search, on a workload drawn from the whole log with the random
    /// numbers of `seed`.
    pub fn again(&self, seed: u64, index: u32) -> [LogPart; 2] {
        [false, true].map(|selects| LogPart::Again { share: self.share, seed, index, selects })
    }

    /// The part of the log on which the selected setting is confirmed.
    pub fn confirming(&self) -> LogPart {
        LogPart::Last(self.share)
    }

    /// How many runs on the choose part take as long as confirming does at most: the baseline and the selected setting on
    /// the confirm part, on each draw of it, and on the whole log.
    pub fn confirming_as_runs(&self) -> f64 {
        let last = (1.0 - self.share) / 2.0;
        2.0 * (f64::from(self.repeats + 1) * last + 1.0) / self.share
    }

    /// How far values, in the order of [`ExploreQuestion::aspects`], break the bounds: 0 where all are kept. A metric
    /// to minimise that is not defined, or not measured yet, counts as infinitely far.
    pub fn broken_by(&self, values: &[Option<f64>]) -> f64 {
        let aspects = self.aspects();
        let value =
            |aspect: Aspect| aspects.iter().position(|own| *own == aspect).and_then(|place| *values.get(place)?);
        let undefined = self.minimise.iter().any(|&metric| value(Aspect::Metric(metric)).is_none());
        let broken: f64 = self.keep.iter().map(|bound| bound.broken_by(value(bound.aspect))).sum();
        if undefined { f64::INFINITY } else { broken }
    }
}

/// Whether the settings of a family can be searched. They cannot where its starts come from the log or are computed
/// beforehand, nor for a script, which has no settings.
fn can_be_explored(family: &str) -> bool {
    let found = Schedulers::FAMILIES.iter().find(|own| own.entry.id == family);
    let policy = found.map(Policy::of);
    policy.is_some_and(|policy| !policy.is_given() && !policy.is_offline() && !policy.is_script())
}

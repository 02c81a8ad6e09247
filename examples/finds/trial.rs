//! One search as the program makes it, natively: choose, select, confirm.

use packfair::explore::{ConfirmStep, ExploreQuestion, Findings, PartValues, Search, StepValues};
use packfair::metric::{Measure, Metric};
use packfair::study::{Effects, LogPart, Losses, Rules, Run, measured};
use packfair::workload::Workload;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The values of a run; `None` where it cannot be made.
type Values = Option<Vec<Option<f64>>>;

/// A workload on which searches are made, under rules and by a measure. What was measured once is known.
pub struct Lab<'a> {
    workload: &'a Workload,
    rules: Rules,
    measure: &'a Measure,
    parts: RefCell<HashMap<String, Rc<Workload>>>,
    values: RefCell<HashMap<String, Values>>,
}

impl<'a> Lab<'a> {
    pub fn new(workload: &'a Workload, rules: Rules, measure: &'a Measure) -> Self {
        Lab { workload, rules, measure, parts: RefCell::default(), values: RefCell::default() }
    }

    fn part(&self, part: LogPart) -> Rc<Workload> {
        let make = || Rc::new(part.of(self.workload));
        self.parts.borrow_mut().entry(format!("{part:?}")).or_insert_with(make).clone()
    }

    fn values(&self, run: &Run, part: LogPart, metrics: &[Metric], losses: Option<&Losses>) -> Values {
        let make = || {
            let part = self.part(part);
            let before = losses.map_or(Ok(Vec::new()), |losses| losses.before(&part, self.rules)).ok()?;
            measured(run, &part, self.rules, self.measure, metrics, &before).ok()
        };
        let key = format!("{part:?} {} {metrics:?} {}", run.id(), losses.is_some());
        self.values.borrow_mut().entry(key).or_insert_with(make).clone()
    }
}

/// The findings of a question. What every run measures is given by `as_run`: the run that is made in place of a proposed
/// one, and a factor on its values, so that what settings are worth is known by construction.
pub fn findings(question: ExploreQuestion, lab: &Lab<'_>, as_run: &dyn Fn(&Run) -> (Run, f64)) -> Findings {
    let of = |run: &Run, part: LogPart, metrics: &[Metric], losses: Option<&Losses>| {
        let (made, factor) = as_run(run);
        let values = lab.values(&made, part, metrics, losses)?;
        Some(values.into_iter().map(|value| value.map(|value| factor * value)).collect::<Vec<_>>())
    };
    let [first, middle, last] = [question.choosing(), question.selecting(), question.confirming()];
    let metrics = question.metrics();
    let on = |run: &Run, part: LogPart| of(run, part, &metrics, None);
    let mut search = Search::begin(question.clone());
    loop {
        let runs = search.propose();
        if runs.is_empty() {
            break;
        }
        search.take_in(runs.iter().map(|run| on(run, first)).collect());
    }
    let none = || vec![None; metrics.len()];
    let values = |run: &Run, part: LogPart| on(run, part).unwrap_or_else(none);
    let baseline = PartValues { choose: values(&question.baseline, first), select: values(&question.baseline, middle) };
    let mut found = Findings::of(&search, baseline, [first, middle, last].map(|part| lab.part(part).len()));
    for member in &mut found.front {
        member.values.select = values(&member.run, middle);
    }
    if let Some((steps, [before, after])) = found.to_confirm(false) {
        let step = |step: ConfirmStep| -> StepValues {
            step.runs.iter().map(|run| of(run, step.part, &step.metrics, step.losses.as_deref())).collect()
        };
        let came = steps.into_iter().map(step).collect();
        let both = [&as_run(&before).0, &as_run(&after).0];
        found.confirm(came, Effects::of(both, lab.workload, lab.rules, lab.measure).ok());
    }
    found
}

/// What settings are worth by construction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum World {
    /// Every setting is the baseline, with draws of noise of this standard deviation on each part.
    Relabelled(f64),
    /// The settings are EASY with thresholds of waiting that no job reaches: they never apply.
    NeverApplies,
    /// Every setting is the baseline, with draws of noise on each part, and one half of them are better by a share.
    Better {
        /// The share.
        by: f64,
        /// The standard deviation of the noise.
        noise: f64,
    },
}

/// The share of searches on `logs` logs of a law that recommend something, in each of several worlds.
pub fn shares_recommended(
    law: &super::law::Law,
    worlds: &[World],
    (weeks, logs, runs): (usize, u64, usize),
) -> Vec<f64> {
    let mut recommended = vec![0_u32; worlds.len()];
    for index in 0..logs {
        let (workload, measure) = (law.log(weeks, 7, index), Measure::default());
        let lab = Lab::new(&workload, Rules::default(), &measure);
        for (world, count) in worlds.iter().zip(&mut recommended) {
            *count += u32::from(search(*world, &lab, index, runs).recommended().is_some());
        }
    }
    recommended.into_iter().map(|count| f64::from(count) / logs as f64).collect()
}

/// A search in a world, on the log with this number.
fn search(world: World, lab: &Lab<'_>, index: u64, runs: usize) -> Findings {
    let question = ExploreQuestion {
        minimise: vec![Metric::Af],
        families: vec!["easy".to_owned()],
        runs,
        seed: index,
        ..ExploreQuestion::default()
    };
    let baseline = question.baseline.clone();
    let counter = std::cell::Cell::new(index.wrapping_mul(1_000_003));
    let noise = |deviation: f64| {
        counter.set(counter.get() + 1);
        1.0 + deviation * super::law::Random::numbered(11, counter.get()).normal()
    };
    let as_run = |run: &Run| {
        let is_baseline = run.id() == baseline.id();
        match world {
            World::Relabelled(deviation) => (baseline.clone(), if is_baseline { 1.0 } else { noise(deviation) }),
            World::NeverApplies if is_baseline => (baseline.clone(), 1.0),
            World::NeverApplies => {
                let length = run.id().bytes().fold(0_i64, |sum, byte| sum * 31 % 9_999 + i64::from(byte));
                let id = format!("easy:threshold={}", 31_536_000 - length);
                (Run::new(id.parse().unwrap(), baseline.estimate.clone()), 1.0)
            }
            World::Better { by, noise: deviation } => {
                let is_better = !is_baseline && run.id().len().is_multiple_of(2);
                (baseline.clone(), if is_better { (1.0 - by) * noise(deviation) } else { noise(deviation) })
            }
        }
    };
    findings(question, lab, &as_run)
}

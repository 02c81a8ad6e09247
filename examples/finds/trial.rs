//! One search as the program makes it, natively: choose, select, confirm.

use packfair::explore::{ExploreQuestion, Findings, PartValues, Search, StepValues};
use packfair::metric::{Measure, Metric};
use packfair::study::{Effects, Losses, Rules, Run, measured};
use packfair::workload::Workload;

/// The findings of a question on a workload, under rules and by a measure. What every run measures is given by `as_run`:
/// the run that is made in place of a proposed one, and a factor on its values, so that what settings are worth is known
/// by construction.
pub fn findings(
    question: ExploreQuestion,
    workload: &Workload,
    (rules, measure): (Rules, &Measure),
    as_run: &dyn Fn(&Run) -> (Run, f64),
) -> Findings {
    let of = |run: &Run, part: &Workload, metrics: &[Metric], losses: Option<&Losses>| {
        let (made, factor) = as_run(run);
        let before = losses.map_or(Ok(Vec::new()), |losses| losses.before(part, rules)).ok()?;
        let values = measured(&made, part, rules, measure, metrics, &before).ok()?;
        Some(values.into_iter().map(|value| value.map(|value| factor * value)).collect::<Vec<_>>())
    };
    let [first, middle, last] =
        [question.choosing(), question.selecting(), question.confirming()].map(|part| part.of(workload));
    let metrics = question.metrics();
    let on = |run: &Run, part: &Workload| of(run, part, &metrics, None);
    let mut search = Search::begin(question.clone());
    loop {
        let runs = search.propose();
        if runs.is_empty() {
            break;
        }
        search.take_in(runs.iter().map(|run| on(run, &first)).collect());
    }
    let none = || vec![None; metrics.len()];
    let values = |run: &Run, part: &Workload| on(run, part).unwrap_or_else(none);
    let baseline =
        PartValues { choose: values(&question.baseline, &first), select: values(&question.baseline, &middle) };
    let mut found = Findings::of(&search, baseline, [first.len(), middle.len(), last.len()]);
    for member in &mut found.front {
        member.values.select = values(&member.run, &middle);
    }
    if let Some((steps, [before, after])) = found.to_confirm(false) {
        let step = |step: packfair::explore::ConfirmStep| -> StepValues {
            let part = step.part.of(workload);
            step.runs.iter().map(|run| of(run, &part, &step.metrics, step.losses.as_deref())).collect()
        };
        let came = steps.into_iter().map(step).collect();
        let both = [&as_run(&before).0, &as_run(&after).0];
        let effects = Effects::of(both, workload, rules, measure).ok();
        found.confirm(came, effects);
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

/// The share of searches on `logs` logs of a law that recommend something.
pub fn share_recommended(law: &super::law::Law, world: World, (weeks, logs, runs): (usize, u64, usize)) -> f64 {
    let mut recommended = 0;
    for index in 0..logs {
        let workload = law.log(weeks, 7, index);
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
                World::NeverApplies => {
                    let length = run.id().bytes().fold(0_i64, |sum, byte| sum * 31 % 9_999 + i64::from(byte));
                    let id = format!("easy:threshold={}", 31_536_000 - length);
                    (
                        if is_baseline {
                            baseline.clone()
                        } else {
                            Run::new(id.parse().unwrap(), baseline.estimate.clone())
                        },
                        1.0,
                    )
                }
                World::Better { by, noise: deviation } => {
                    let is_better = !is_baseline && run.id().len().is_multiple_of(2);
                    (baseline.clone(), if is_better { (1.0 - by) * noise(deviation) } else { noise(deviation) })
                }
            }
        };
        recommended += u32::from(
            findings(question, &workload, (Rules::default(), &Measure::default()), &as_run).recommended().is_some(),
        );
    }
    f64::from(recommended) / logs as f64
}

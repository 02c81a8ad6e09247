//! The last step of a search: the one setting that was selected is confirmed on jobs that nobody looked at before.
//!
//! The jobs are cut in three by time. On the first, settings are chosen; on the second, one of them is selected; on the
//! third only this one is run, once, beside the baseline, and on workloads drawn from it. Where it is not better there in
//! each metric, with an interval that excludes 0, the answer is to stay with the baseline.

use super::findings::relative;
use super::ranking::gain;
use super::{Confirmed, ExploreQuestion, Findings, FrontMember, in_words};
use crate::format::{SPACE, change, number, time_instead_of, whole};
use crate::sureness::{Interval, NoInterval, Repeats};
use crate::verdict::{Closeness, FitGrade};
use crate::{Effects, LogPart, Losses, Run};
use packfair_engine::metric::{Aim, Metric};

/// The fewest jobs of which a setting is recommended. Of fewer, what looks best is mostly luck.
const FEWEST_JOBS: usize = 1_000;

/// The fewest jobs that wait under the baseline. Where fewer wait, no scheduler changes much, and a few jobs decide.
const FEWEST_WAITING: u64 = 200;

/// Runs to measure to confirm a setting.
#[derive(Clone, Debug, PartialEq)]
pub struct ConfirmStep {
    pub part: LogPart,
    pub runs: Vec<Run>,
    pub metrics: Vec<Metric>,
    /// The losses of groups besides.
    pub losses: Option<Box<Losses>>,
}

/// The values of the runs of a step, in their order; `None` for a run that could not be made.
pub type StepValues = Vec<Option<Vec<Option<f64>>>>;

impl Findings {
    fn all_jobs(&self) -> usize {
        self.jobs.iter().sum()
    }

    /// The setting that is selected, by its index: of those that are better than the baseline in each metric, and keep
    /// the bounds, where they were chosen and on the select part, the one with the largest minimum gain.
    pub fn selected(&self) -> Option<usize> {
        let better = (0..self.front.len()).filter(|&place| self.is_better_on_both(&self.front[place]));
        // among equals the first is taken
        better.rev().max_by(|&a, &b| self.least_gain(&self.front[a]).total_cmp(&self.least_gain(&self.front[b])))
    }

    /// The metrics that are told of the whole log: the question's, then the usual columns of a table.
    pub fn told_metrics(&self) -> Vec<Metric> {
        Findings::reported_metrics(&self.question)
    }

    pub(super) fn reported_metrics(question: &ExploreQuestion) -> Vec<Metric> {
        let mut all = question.metrics();
        for metric in Metric::DEFAULT_COLUMNS {
            if !all.contains(metric) {
                all.push(*metric);
            }
        }
        all
    }

    /// What to measure to confirm the selected setting, and the two runs whose [`Effects`] on the whole log are wanted;
    /// `None` where nothing is selected or can be told. `has_site`: the log has the files of a Slurm site.
    pub fn to_confirm(&self, has_site: bool) -> Option<(Vec<ConfirmStep>, [Run; 2])> {
        let question = &self.question;
        let selected = self.selected().filter(|_| self.all_jobs() >= FEWEST_JOBS)?;
        let both = [question.baseline.clone(), self.front[selected].run.clone()];
        if !both.iter().all(Repeats::can_repeat) {
            return None;
        }
        let step = |part, runs: Vec<Run>, metrics: Vec<Metric>| ConfirmStep { part, runs, metrics, losses: None };
        let own =
            ConfirmStep { losses: question.losses(), ..step(question.confirming(), both.to_vec(), question.metrics()) };
        let mut steps = vec![own, step(LogPart::Whole, both.to_vec(), self.told_metrics())];
        steps.extend((0..question.repeats).map(|index| {
            let part = LogPart::Drawn { share: question.share, seed: question.seed, index };
            let runs = both.iter().map(|run| Repeats::drawn(run, index)).collect();
            step(part, runs, question.minimise.clone())
        }));
        if has_site && question.families.iter().any(|family| family == "slurm") {
            steps.push(step(LogPart::Whole, vec![configured()], Closeness::METRICS.to_vec()));
        }
        Some((steps, both))
    }

    /// Takes the values of the steps of [`Findings::to_confirm`], in their order.
    pub fn confirm(&mut self, mut came: Vec<StepValues>, effects: Option<Effects>) {
        let Some(place) = self.selected() else { return };
        let repeats = self.question.repeats as usize;
        let fit = came.get(2 + repeats).and_then(|values| Closeness::of_measured(values.first()?.as_deref()?));
        let pair = |values: Option<&StepValues>| -> Option<[Vec<Option<f64>>; 2]> {
            let [one, other] = values?.as_slice() else { return None };
            Some([one.clone()?, other.clone()?])
        };
        came.resize(2 + repeats, Vec::new());
        let (Some(own), Some(whole)) = (pair(came.first()), pair(came.get(1))) else { return };
        let drawn: Vec<[Vec<Option<f64>>; 2]> = came[2..].iter().filter_map(|values| pair(Some(values))).collect();
        let interval = |metric: usize| {
            let change = |values: &[Vec<Option<f64>>; 2]| {
                let [before, after] = values.each_ref().map(|values| values.get(metric).copied().flatten());
                Some(relative_change(before?, after?)).filter(|change| change.is_finite())
            };
            let changes: Vec<Option<f64>> = drawn.iter().map(change).collect();
            if changes.iter().all(Option::is_none) {
                return Err(NoInterval::TooShort);
            }
            Interval::of_change(change(&own).ok_or(NoInterval::Undefined)?, &changes)
        };
        self.confirmed = Some(Confirmed {
            place: place as u32,
            intervals: (0..self.question.minimise.len()).map(interval).collect(),
            own,
            whole,
            effects,
            badly_fitting: fit.filter(|fit| fit.grade() == FitGrade::Red).map(|fit| fit.near),
        });
    }

    /// Why no setting can be recommended, whatever was found: as an end of a sentence.
    pub fn refusal(&self) -> Option<String> {
        let baseline = self.baseline_name();
        if self.all_jobs() < FEWEST_JOBS {
            return Some(format!(
                "{} jobs are too few to tell which settings are better; {} are the least",
                whole(self.all_jobs() as i64),
                whole(FEWEST_JOBS as i64)
            ));
        }
        if !Repeats::can_repeat(&self.question.baseline) {
            return Some(
                "it is one schedule, which cannot be repeated, so that no gain over it can be sure".to_owned(),
            );
        }
        let confirmed = self.confirmed.as_ref()?;
        if let Some(near) = confirmed.badly_fitting {
            return Some(format!(
                "Slurm as configured explains {}{SPACE}% of the logged starts, or other jobs wait than in the log: that \
                 is no model of this cluster from which to change it",
                number(100.0 * near)
            ));
        }
        let effects = confirmed.effects.as_ref();
        if effects.is_some_and(|effects| effects.is_saturated) {
            return Some(format!("{baseline} is saturated, and averages tell how long the log is"));
        }
        if let Some(effects) = effects.filter(|effects| effects.waiting < FEWEST_WAITING) {
            return Some(format!(
                "{} jobs wait under {baseline}, which are too few to tell; {FEWEST_WAITING} are the least",
                whole(effects.waiting as i64)
            ));
        }
        let mut each = self.question.minimise.iter().zip(&confirmed.intervals);
        each.find_map(|(metric, interval)| {
            let why = interval.err()?.why();
            Some(format!(
                "the change of {} on the jobs kept for confirmation has no interval: {why}",
                metric.about().name
            ))
        })
    }

    /// Whether the selected setting is better on the confirm part in each metric, with an interval that excludes 0, and
    /// keeps the bounds there.
    fn is_confirmed(&self, confirmed: &Confirmed) -> bool {
        let [before, after] = &confirmed.own;
        let mut metrics = self.question.minimise.iter().enumerate();
        metrics.all(|(place, &metric)| {
            let better = match (before[place], after[place]) {
                (Some(before), Some(after)) => gain(metric, after, before) > 0.0,
                _ => false,
            };
            let is_high = metric.about().aim == Aim::High;
            let excludes = |interval: Interval| if is_high { interval.low > 0.0 } else { interval.high < 0.0 };
            better && confirmed.intervals[place].is_ok_and(excludes)
        }) && self.question.broken_by(after) == 0.0
    }

    /// The setting that the answer says to take: the selected one, if it was confirmed and nothing speaks against telling.
    pub fn recommended(&self) -> Option<&FrontMember> {
        let confirmed = self.confirmed.as_ref().filter(|confirmed| self.is_confirmed(confirmed))?;
        if self.refusal().is_some() { None } else { self.front.get(confirmed.place as usize) }
    }

    /// The changes on the confirm part with their intervals: "AF −9 % (−12 to −4 %)".
    fn on_confirm(&self, confirmed: &Confirmed) -> String {
        let [before, after] = &confirmed.own;
        let told = |(place, metric): (usize, &Metric)| {
            let interval = confirmed.intervals[place].map_or_else(
                |_| String::new(),
                |interval| format!(" ({} to {})", change(interval.low), change(interval.high)),
            );
            format!("{} {}{interval}", metric.about().name, relative(after[place], before[place]))
        };
        self.question.minimise.iter().enumerate().map(told).collect::<Vec<_>>().join(", ")
    }

    /// What confirming came to, as the answer; `None` where nothing was selected or it was not tried yet.
    pub(super) fn confirmation(&self) -> Option<String> {
        let confirmed = self.confirmed.as_ref()?;
        let (baseline, jobs) = (self.baseline_name(), whole(self.jobs[2] as i64));
        let words = in_words(&self.front.get(confirmed.place as usize)?.run);
        if !self.is_confirmed(confirmed) {
            let kept = self.question.broken_by(&confirmed.own[1]) == 0.0;
            let bounds = if kept { "" } else { "; it breaks the bounds there" };
            return Some(format!(
                "Stay with {baseline}: what looked best did not hold. {words}: {} on the {jobs} jobs kept for \
                 confirmation{bounds}.",
                self.on_confirm(confirmed)
            ));
        }
        let [before, after] = &confirmed.whole;
        let (metrics, aimed) = (self.told_metrics(), self.question.minimise.len());
        let changed =
            |place: usize| format!("{} {}", metrics[place].about().name, relative(after[place], before[place]));
        let is_worse = |&place: &usize| match (before[place], after[place]) {
            (Some(before), Some(after)) => gain(metrics[place], after, before) < 0.0,
            _ => false,
        };
        let join = |places: &mut dyn Iterator<Item = usize>| places.map(changed).collect::<Vec<_>>().join(", ");
        let price = join(&mut (aimed..metrics.len()).filter(is_worse));
        let price = if price.is_empty() { "no other usual metric gets worse".to_owned() } else { price };
        let losers = confirmed.effects.iter().flat_map(|effects| &effects.losers).map(|loser| {
            format!("{} ({})", loser.in_words(), time_instead_of(loser.before + loser.more, loser.before))
        });
        let losers: Vec<String> = losers.collect();
        let losers = match losers.as_slice() {
            [] => "no group of 20 jobs or more by a minute".to_owned(),
            some => some.join(", "),
        };
        let again = self.again.map_or_else(String::new, |again| format!(" {}", again.in_words()));
        Some(format!(
            "Take {words}: on the last {jobs} jobs, which the search has not seen, it is better than {baseline}: {}. On the \
             whole log: {}. The price there: {price}. Who loses most in mean wait: {losers}.{again}",
            self.on_confirm(confirmed),
            join(&mut (0..aimed)),
        ))
    }

    /// The changes of confirming in one line for each metric, for programs.
    pub(super) fn confirm_json(&self) -> Option<serde_json::Value> {
        let confirmed = self.confirmed.as_ref()?;
        let [before, after] = &confirmed.own;
        let of = |(place, metric): (usize, &Metric)| {
            let interval = confirmed.intervals[place].ok().map(|interval| [interval.low, interval.high]);
            let told =
                serde_json::json!({ "baseline": before[place], "selected": after[place], "change_95": interval });
            (metric.to_string(), told)
        };
        let metrics: serde_json::Map<_, _> = self.question.minimise.iter().enumerate().map(of).collect();
        let selected = self.front.get(confirmed.place as usize)?.run.id();
        Some(serde_json::json!({
            "selected": selected,
            "confirmed": self.recommended().is_some(),
            "metrics": metrics,
            "effects": confirmed.effects,
        }))
    }
}

/// Slurm as the files of the site configure it.
fn configured() -> Run {
    let requested = packfair_engine::estimator::Estimate::of(packfair_engine::estimator::Method::requested());
    Run::new(crate::preset("slurm"), requested)
}

fn relative_change(before: f64, after: f64) -> f64 {
    if before == after { 0.0 } else { (after - before) / before.abs() }
}

//! Which settings would serve the queue of a moment best over the next hours: the search of this module, on futures of
//! that moment in place of parts of the log. Settings are chosen on some futures, one of them is selected by others, and
//! it is confirmed on further ones, which neither choice has seen.

use super::question::ExploreQuestion;
use super::ranking::gain;
use super::search::Search;
use crate::Run;
use crate::format::{change, counted, whole};
use crate::verdict::WORTH_ACTING_ON;
use packfair_engine::metric::Metric;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// What settings are measured by, in the order in which they count.
pub const MEASURES: [Metric; 3] = [Metric::Bsld, Metric::Af, Metric::MaxWait];

/// The futures on which settings are chosen, one is selected, and that is confirmed.
const CHOOSING: Range<u32> = 0..8;
const SELECTING: Range<u32> = 8..32;
const CONFIRMING: Range<u32> = 32..92;

/// The value that Student's t distribution of 59 degrees of freedom exceeds in neither direction with 95 %.
const STUDENT: f64 = 2.001;

/// The most settings among which one is selected.
const MOST_SELECTED: usize = 16;

/// How a measure of the recommended settings differs from the present ones, as a share of these.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AheadChange {
    pub metric: Metric,
    pub before: f64,
    pub after: f64,
    /// The change in the mean over the futures, with its 95 % interval; each future is compared with itself.
    pub change: f64,
    pub low: f64,
    pub high: f64,
}

impl AheadChange {
    /// Whether it is surely better, by as much as is worth acting on.
    pub fn is_better(&self) -> bool {
        self.high < 0.0 && self.change <= -WORTH_ACTING_ON
    }

    /// Whether it is surely worse, by as much as matters.
    pub fn is_worse(&self) -> bool {
        self.low > 0.0 && self.change >= WORTH_ACTING_ON
    }
}

/// What a search for settings of the next hours has found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AheadFindings {
    pub baseline: Run,
    /// How many settings were tried.
    pub tried: usize,
    /// The settings that were selected; `None` where none was better on the futures that select.
    pub selected: Option<Run>,
    /// How they differ from the baseline on the futures that confirm, in the order of [`MEASURES`].
    pub changes: Vec<AheadChange>,
}

/// Measures of a run in some futures, by [`MEASURES`]; `None` where it cannot run.
pub type InFutures = Vec<Option<[f64; 3]>>;

/// Looks for settings. `measure` gives the measures of each of several runs in the futures with these numbers.
pub fn serve(
    question: &ExploreQuestion,
    mut measure: impl FnMut(&[Run], Range<u32>) -> Vec<InFutures>,
) -> AheadFindings {
    let question = ExploreQuestion { minimise: MEASURES.to_vec(), keep: Vec::new(), ..question.clone() };
    let baseline = question.baseline.clone();
    let mut search = Search::begin(question);
    loop {
        let runs = search.propose();
        if runs.is_empty() {
            break;
        }
        let values = measure(&runs, CHOOSING).iter().map(mean).collect();
        search.take_in(values);
    }
    let tried = search.tried();
    let mut front: Vec<usize> = search.front();
    front.sort_by(|&a, &b| search.values(a)[0].unwrap_or(f64::MAX).total_cmp(&search.values(b)[0].unwrap_or(f64::MAX)));
    let candidates: Vec<Run> =
        front.into_iter().map(|number| search.run(number)).filter(|run| *run != baseline).take(MOST_SELECTED).collect();
    let mut all = candidates.clone();
    all.push(baseline.clone());
    let mut measured = measure(&all, SELECTING);
    let of_baseline = measured.pop().unwrap_or_default();
    let merit = |measured: &InFutures| worth(&changes(&of_baseline, measured));
    let best = candidates.iter().zip(&measured).map(|(run, measured)| (merit(measured), run));
    let best = best.filter(|(merit, _)| *merit > 0.0).max_by(|a, b| a.0.total_cmp(&b.0));
    let Some((_, selected)) = best else {
        return AheadFindings { baseline, tried, selected: None, changes: Vec::new() };
    };
    let both = measure(&[baseline.clone(), selected.clone()], CONFIRMING);
    let changes = changes(&both[0], &both[1]);
    AheadFindings { baseline, tried, selected: Some(selected.clone()), changes }
}

/// The mean over the futures; `None` where the run cannot run in one.
fn mean(measured: &InFutures) -> Option<Vec<Option<f64>>> {
    let all: Option<Vec<[f64; 3]>> = measured.iter().copied().collect();
    let all = all.filter(|all| !all.is_empty())?;
    Some(
        (0..MEASURES.len()).map(|place| Some(all.iter().map(|of| of[place]).sum::<f64>() / all.len() as f64)).collect(),
    )
}

/// What settings are worth by their changes: the gain in the first measure, less what the others lose.
fn worth(changes: &[AheadChange]) -> f64 {
    let gains = changes.iter().map(|of| gain(of.metric, of.after, of.before));
    gains.enumerate().map(|(place, gain)| if place == 0 { gain } else { gain.min(0.0) }).sum()
}

/// The change of each measure, future by future.
fn changes(before: &InFutures, after: &InFutures) -> Vec<AheadChange> {
    let pairs: Vec<([f64; 3], [f64; 3])> =
        before.iter().zip(after).filter_map(|(before, after)| Some(((*before)?, (*after)?))).collect();
    let count = pairs.len() as f64;
    let of = |(place, &metric): (usize, &Metric)| {
        let mean = |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>() / count;
        let before = mean(&mut pairs.iter().map(|pair| pair.0[place]));
        let after = mean(&mut pairs.iter().map(|pair| pair.1[place]));
        let differences = || pairs.iter().map(|pair| pair.1[place] - pair.0[place]);
        let squares: f64 = differences().map(|by| (by - (after - before)) * (by - (after - before))).sum();
        let half = STUDENT * libm::sqrt(squares / (count - 1.0).max(1.0) / count);
        let share = |by: f64| by / before.abs().max(f64::MIN_POSITIVE);
        let by = after - before;
        AheadChange { metric, before, after, change: share(by), low: share(by - half), high: share(by + half) }
    };
    if pairs.is_empty() { Vec::new() } else { MEASURES.iter().enumerate().map(of).collect() }
}

impl AheadFindings {
    /// Whether the selected settings are recommended: surely better in the first measure or, where that is as good, in
    /// another.
    pub fn is_recommended(&self) -> bool {
        let is_no_loss = self.changes.first().is_some_and(|first| !first.is_worse());
        is_no_loss && self.changes.iter().any(AheadChange::is_better)
    }

    /// What was found, in a sentence or two.
    pub fn sentence(&self) -> String {
        let tried = counted(self.tried as u64, "setting", "settings");
        let as_now = self.baseline.scheduler.name();
        let Some(selected) = self.selected.as_ref().filter(|_| self.is_recommended()) else {
            return format!(
                "Of {tried}, none is surely better than {as_now} for the jobs that wait now and come within 24 h: leave it as \
                 it is."
            );
        };
        let told = |of: &AheadChange| {
            let about = of.metric.about();
            format!("{} {} ({} to {})", about.name, change(of.change), change(of.low), change(of.high))
        };
        let list = |is_it: fn(&AheadChange) -> bool| {
            self.changes.iter().filter(|of| is_it(of)).map(told).collect::<Vec<_>>().join(", ")
        };
        let price = list(AheadChange::is_worse);
        let price =
            if price.is_empty() { "at no price in the others".to_owned() } else { format!("at the price of {price}") };
        format!(
            "Of {tried}, {} serves the jobs that wait now and come within 24 h best: {} against {as_now}, {price}. \
             Confirmed on {} futures that the search had not seen.",
            selected.scheduler.name(),
            list(AheadChange::is_better),
            whole(CONFIRMING.len() as i64)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_base::random::Random;

    /// Measures by a law: the slowdown of a run is `factor` times that of the future, and the longest wait is its own.
    fn measured(factor: f64, longest: f64, futures: Range<u32>) -> InFutures {
        let of = |future: u32| {
            let own = 2.0 + Random::of([u64::from(future)]).uniform();
            Some([own * factor, 100.0 * own, longest * own])
        };
        futures.map(of).collect()
    }

    fn question() -> ExploreQuestion {
        ExploreQuestion { runs: 64, ..ExploreQuestion::default() }
    }

    #[test]
    fn a_surely_better_setting_is_found_with_its_price() {
        let is_good = |run: &Run| run.scheduler.to_string().contains("sjf");
        let findings = serve(&question(), |runs, futures| {
            let of = |run| {
                if is_good(run) { measured(0.8, 2.2, futures.clone()) } else { measured(1.0, 2.0, futures.clone()) }
            };
            runs.iter().map(of).collect()
        });
        assert!(findings.selected.as_ref().is_some_and(is_good), "{findings:?}");
        assert!(findings.is_recommended() && findings.changes[0].is_better() && findings.changes[2].is_worse());
        assert!((findings.changes[0].change + 0.2).abs() < 1e-9, "each future is compared with itself");
        let said = findings.sentence();
        assert!(said.contains("at the price of Max wait +10"), "{said}");
    }

    #[test]
    fn what_is_luck_is_not_recommended() {
        let findings = serve(&question(), |runs, futures| {
            let of = |run: &Run| {
                let mut random =
                    Random::seeded(xxhash_rust::xxh3::xxh3_64(run.id().as_bytes()) ^ u64::from(futures.start));
                futures.clone().map(|_| Some([2.0 + random.uniform(), 100.0, 2.0])).collect::<InFutures>()
            };
            runs.iter().map(of).collect()
        });
        assert!(!findings.is_recommended(), "{findings:?}");
        assert!(findings.sentence().contains("leave it as it is"), "{}", findings.sentence());
    }
}

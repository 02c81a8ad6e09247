//! The search itself: it proposes generations of settings, and takes in their values.

use super::ExploreQuestion;
use super::front::{Merit, Ranking};
use super::space::{Genome, SearchSpace};
use crate::Run;
use packfair_base::catalogue::{Catalogue, FormulaPreset, WRITTEN};
use packfair_base::expression::{Template, TemplateError};
use packfair_base::random::Random;
use packfair_schedulers::{Order, Policy, Schedulers};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// The number of settings proposed at a time. Proposals only depend on the values of earlier generations, so a
/// generation can be measured on any number of workers.
pub const GENERATION: usize = 32;

/// The share of the runs that the spread-out start takes.
const START: f64 = 0.3;

/// How many of the best settings the search steps from: all unbeaten ones, but at least the first number and at most
/// the second.
const PARENTS: (usize, usize) = (12, 48);

/// Of a hundred proposals, so many are wholly new, and so many mix two settings; all others step from one.
const ANEW: usize = 15;
const MIXED: usize = 30;

/// From this share of the runs on, changes that bring nothing are looked for.
const SIMPLER: f64 = 0.7;

/// How often new proposals are tried where those made are known already.
const ATTEMPTS: usize = 50;

/// A search under way.
pub struct Search {
    question: ExploreQuestion,
    space: SearchSpace,
    random: Random,
    /// The settings of the start that are still to be proposed.
    start: VecDeque<Genome>,
    /// Digests of all settings that have been proposed.
    known: FxHashSet<u64>,
    /// The settings that have been proposed, but not measured.
    proposed: Vec<Genome>,
    tried: Vec<Genome>,
    /// The values of the tried settings, in the order of [`ExploreQuestion::aspects`].
    values: Vec<Box<[Option<f64>]>>,
    ranking: Ranking,
}

impl Search {
    /// Begins a search for a question that [`ExploreQuestion::check`] accepts.
    pub fn begin(question: ExploreQuestion) -> Self {
        let space = SearchSpace::of(&question);
        let mut random = Random::seeded(question.seed);
        let presets = Schedulers::meant().iter().filter_map(|meant| space.genome(&Policy::from(meant.clone())));
        let mut start: VecDeque<Genome> = presets.collect();
        let spread = ((question.runs as f64 * START) as usize).max(GENERATION);
        start.extend(space.spread(spread, &mut random));
        Search {
            question,
            space,
            random,
            start,
            known: FxHashSet::default(),
            proposed: Vec::new(),
            tried: Vec::new(),
            values: Vec::new(),
            ranking: Ranking::default(),
        }
    }

    pub fn question(&self) -> &ExploreQuestion {
        &self.question
    }

    /// The runs to measure next, on [`ExploreQuestion::choosing`], by [`ExploreQuestion::aspects`]; empty once the
    /// search has ended. Until their values are taken in, the same runs are proposed.
    pub fn propose(&mut self) -> Vec<Run> {
        if !self.proposed.is_empty() {
            // The search was stopped before they were measured.
            return self.proposed.iter().filter_map(|genome| self.space.run(genome)).collect();
        }
        let mut runs = Vec::new();
        let left = self.question.runs.saturating_sub(self.tried.len());
        let parents = self.ranking.best(PARENTS.0, PARENTS.1);
        while runs.len() < GENERATION.min(left) {
            let Some((genome, run)) = self.next(&parents) else { break };
            self.proposed.push(genome);
            runs.push(run);
        }
        runs
    }

    /// Settings that have not been proposed before; `None` where none can be found.
    fn next(&mut self, parents: &[usize]) -> Option<(Genome, Run)> {
        while let Some(genome) = self.start.pop_front() {
            if let Some(run) = self.unknown(&genome) {
                return Some((genome, run));
            }
        }
        if self.tried.len() as f64 >= SIMPLER * self.question.runs as f64
            && let Some(found) = self.simpler()
        {
            return Some(found);
        }
        for attempt in 0..2 * ATTEMPTS {
            let genome = if attempt < ATTEMPTS { self.descendant(parents) } else { self.space.anew(&mut self.random) };
            if let Some(run) = self.unknown(&genome) {
                return Some((genome, run));
            }
        }
        None
    }

    /// Settings of the front without one of their changes of what a file says. Each change is work for somebody, so
    /// that those which bring nothing are to go.
    fn simpler(&mut self) -> Option<(Genome, Run)> {
        for number in self.ranking.front() {
            let changed: Vec<usize> = self.space.changed(&self.tried[number]).collect();
            for place in changed {
                let genome = self.space.without(&self.tried[number], place);
                if let Some(run) = self.unknown(&genome) {
                    return Some((genome, run));
                }
            }
        }
        None
    }

    /// The run of a genome; `None` where it makes no sense or has been proposed before.
    fn unknown(&mut self, genome: &Genome) -> Option<Run> {
        let run = self.space.run(genome)?;
        let digest = xxhash_rust::xxh3::xxh3_64(run.id().as_bytes());
        self.known.insert(digest).then_some(run)
    }

    fn descendant(&mut self, parents: &[usize]) -> Genome {
        let random = &mut self.random;
        let way = random.below(100);
        if parents.is_empty() || way < ANEW {
            return self.space.anew(random);
        }
        let one = &self.tried[parents[random.below(parents.len())]];
        if way < ANEW + MIXED {
            let other = &self.tried[parents[random.below(parents.len())]];
            let mixture = self.space.mixture(one, other, random);
            return if random.below(2) == 0 { self.space.step(&mixture, random) } else { mixture };
        }
        self.space.step(one, random)
    }

    /// Takes in the values of the runs that were proposed last, in their order; `None` for a run that could not be
    /// made.
    pub fn take_in(&mut self, values: Vec<Option<Vec<Option<f64>>>>) {
        let aims = self.question.minimise.clone();
        let measured = self.question.aspects().len();
        for (genome, values) in self.proposed.drain(..).zip(values) {
            let values = values.unwrap_or_else(|| vec![None; measured]);
            let broken = self.question.broken_by(&values);
            // The values of the metrics to minimise come first.
            let changes = self.space.changed(&genome).count();
            self.ranking.add(Merit::new(broken, &aims, &values[..aims.len()], changes));
            self.tried.push(genome);
            self.values.push(values.into_boxed_slice());
        }
    }

    /// The number of settings that have been tried.
    pub fn tried(&self) -> usize {
        self.tried.len()
    }

    /// How many of the tried settings keep the bounds.
    pub fn keeping(&self) -> usize {
        self.ranking.keeping()
    }

    /// The indices of the tried settings that keep the bounds and that no others beat, in order.
    pub fn front(&self) -> Vec<usize> {
        self.ranking.front()
    }

    /// The run that was tried with this index.
    ///
    /// # Panics
    /// Where fewer were tried.
    pub fn run(&self, number: usize) -> Run {
        // Every tried genome has a run.
        self.space.run(&self.tried[number]).unwrap()
    }

    /// The values of the tried settings with this index, on the part on which settings are chosen, in the order of
    /// [`ExploreQuestion::aspects`].
    ///
    /// # Panics
    /// Where fewer were tried.
    pub fn values(&self, number: usize) -> &[Option<f64>] {
        &self.values[number]
    }
}

// How often searches on drawn workloads come to the settings that a search recommends.

/// The number of searches that are made again, where that is not left out.
pub const SEARCHES: u32 = 20;

/// The most searches that are made again.
pub const MOST_SEARCHES: u32 = 1_000;

/// Settings whose values differ by less than this share count as the same.
const AS_GOOD: f64 = 0.02;

/// What searches on drawn workloads came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchedAgain {
    pub searches: u32,
    /// How many of them selected the recommended settings, or settings with nearly the same values on the whole log.
    pub same: u32,
    /// How many of them selected none.
    pub none: u32,
}

impl SearchedAgain {
    /// Takes in a further search: the values of what it selected on the whole log, and those of the recommended settings,
    /// by the metrics to minimise; `None` where it selected nothing.
    pub(super) fn take<'a>(
        &mut self,
        selected: Option<&[Option<f64>]>,
        recommended: impl Iterator<Item = &'a Option<f64>>,
    ) {
        self.searches += 1;
        match selected {
            None => self.none += 1,
            Some(values) => {
                self.same += u32::from(values.iter().zip(recommended).all(|(one, other)| are_alike(*one, *other)))
            }
        }
    }

    /// Whether these can be the numbers of searches, as a link may not say.
    pub(super) fn is_sound(self) -> bool {
        let SearchedAgain { searches, same, none } = self;
        searches <= MOST_SEARCHES && u64::from(same) + u64::from(none) <= u64::from(searches)
    }

    /// How often the same came out, in a sentence.
    pub fn in_words(self) -> String {
        let SearchedAgain { searches, same, none } = self;
        let stayed = if none == 0 { String::new() } else { format!(", and {none} found nothing better") };
        format!("Of {searches} searches on workloads drawn from the log, {same} came to the same{stayed}.")
    }
}

fn are_alike(one: Option<f64>, other: Option<f64>) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return false };
    one == other || (one - other).abs() < AS_GOOD * other.abs()
}

// Formulas of queue orders with open numbers, offered by name or written by a person.

/// The formulas that are searched if `chosen` are the families and formulas of a question. The one with exponents is the
/// first.
pub(super) fn open_formulas(presets: &'static [FormulaPreset], chosen: &[String]) -> Vec<Template> {
    let is_tried = |preset: &&FormulaPreset| *preset == exponents() || chosen.iter().any(|chosen| chosen == preset.id);
    let named = presets.iter().filter(is_tried).map(FormulaPreset::open);
    named.chain(chosen.iter().filter_map(|chosen| written(chosen)?.ok())).collect()
}

/// The person's own formula that an entry of a question's families holds; `None` where the entry is something else.
pub(super) fn written(chosen: &str) -> Option<Result<Template, TemplateError>> {
    chosen.strip_prefix(WRITTEN).map(str::parse)
}

/// The formulas of queue orders that are only searched if they are chosen, like a family.
pub(super) fn chosen_formulas() -> impl Iterator<Item = &'static FormulaPreset> {
    Order::PRESETS.iter().filter(|preset| *preset != exponents())
}

/// The formula that belongs to every search.
fn exponents() -> &'static FormulaPreset {
    &Order::PRESETS[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_within_two_percent_are_the_same() {
        assert!(are_alike(Some(101.0), Some(100.0)) && are_alike(Some(0.0), Some(0.0)));
        assert!(
            !are_alike(Some(102.0), Some(100.0)) && !are_alike(Some(1.0), Some(0.0)) && !are_alike(None, Some(1.0))
        );
        let told = SearchedAgain { searches: 20, same: 13, none: 2 }.in_words();
        assert_eq!(
            told,
            "Of 20 searches on workloads drawn from the log, 13 came to the same, and 2 found nothing better."
        );
    }
}

//! The search itself: proposes generations of settings, and takes in what they came to.

use super::ExploreQuestion;
use super::front::{Merit, Ranking};
use super::space::{Genome, SearchSpace};
use crate::catalogue::{Catalogue, Configured};
use crate::scheduler::Schedulers;
use crate::study::Run;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// How many settings are proposed at a time. Proposals depend on the values of earlier generations alone, so a generation
/// can be measured on any number of workers.
pub const GENERATION: usize = 32;

/// The share of the runs that the start takes which is spread out.
const START: f64 = 0.3;

/// From so many of the best settings a step is taken, if nothing beats more of them: as few and as many.
const PARENTS: (usize, usize) = (12, 48);

/// In so many of hundred proposals settings are wholly new, or a mixture of two; in all others a step from one.
const ANEW: usize = 15;
const MIXED: usize = 30;

/// How often other settings are tried where those proposed are known already.
const ATTEMPTS: usize = 50;

/// Random numbers of a search, the same on every machine.
pub(super) struct ExploreRandom(ChaCha8Rng);

impl ExploreRandom {
    fn seeded(seed: u64) -> Self {
        // the key as it stands, for how a library would spread a seed may change
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        ExploreRandom(ChaCha8Rng::from_seed(key))
    }

    /// Uniform in 0..n.
    pub(super) fn below(&mut self, n: usize) -> usize {
        ((u64::from(self.0.next_u32()) * n as u64) >> 32) as usize
    }

    /// 0..n in any order.
    pub(super) fn permutation(&mut self, n: usize) -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..n).collect();
        for i in (1..n).rev() {
            numbers.swap(i, self.below(i + 1));
        }
        numbers
    }
}

/// A search under way.
pub struct Search {
    question: ExploreQuestion,
    space: SearchSpace,
    random: ExploreRandom,
    /// What the start has still to propose.
    start: VecDeque<Genome>,
    /// Digests of all settings that were proposed.
    known: FxHashSet<u64>,
    /// What was proposed and has not been measured.
    proposed: Vec<Genome>,
    tried: Vec<Genome>,
    /// The values of what was tried, in the order of [`ExploreQuestion::metrics`].
    values: Vec<Box<[Option<f64>]>>,
    ranking: Ranking,
}

impl Search {
    /// Of a question that [`ExploreQuestion::check`] finds right.
    pub fn begin(question: ExploreQuestion) -> Self {
        let space = SearchSpace::of(&question);
        let mut random = ExploreRandom::seeded(question.seed);
        let presets = Schedulers::meant().iter().filter_map(|policy: &Configured<Schedulers>| space.genome(policy));
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

    /// What is asked.
    pub fn question(&self) -> &ExploreQuestion {
        &self.question
    }

    /// The runs to measure next, on [`ExploreQuestion::choosing`], for [`ExploreQuestion::metrics`]; none once the search
    /// has ended. Until their values are taken in, it proposes the same.
    pub fn propose(&mut self) -> Vec<Run> {
        if !self.proposed.is_empty() {
            // it was stopped before they were measured
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

    /// Settings that were not proposed before; none where none can be found.
    fn next(&mut self, parents: &[usize]) -> Option<(Genome, Run)> {
        while let Some(genome) = self.start.pop_front() {
            if let Some(run) = self.unknown(&genome) {
                return Some((genome, run));
            }
        }
        for attempt in 0..2 * ATTEMPTS {
            let genome = if attempt < ATTEMPTS { self.descendant(parents) } else { self.space.anew(&mut self.random) };
            if let Some(run) = self.unknown(&genome) {
                return Some((genome, run));
            }
        }
        None
    }

    /// The run of a genome, where it makes sense and was not proposed before.
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

    /// The values of the runs that were proposed last, in their order; none of a run that could not be made.
    pub fn take_in(&mut self, values: Vec<Option<Vec<Option<f64>>>>) {
        let metrics = self.question.metrics();
        for (genome, values) in self.proposed.drain(..).zip(values) {
            let values = values.unwrap_or_else(|| vec![None; metrics.len()]);
            let broken = self.question.broken_by(&values);
            let of_aims = &values[..self.question.minimise.len()];
            self.ranking.add(Merit::new(broken, &metrics[..of_aims.len()], of_aims));
            self.tried.push(genome);
            self.values.push(values.into_boxed_slice());
        }
    }

    /// How many settings were tried.
    pub fn tried(&self) -> usize {
        self.tried.len()
    }

    /// How many of them keep the bounds.
    pub fn keeping(&self) -> usize {
        self.ranking.keeping()
    }

    /// Which of those tried keep the bounds and are beaten by none, in the order in which they were tried.
    pub fn front(&self) -> Vec<usize> {
        self.ranking.front()
    }

    /// The run that was tried as that number.
    ///
    /// # Panics
    /// Where so many were not tried.
    pub fn run(&self, number: usize) -> Run {
        // whatever was tried was a run before
        self.space.run(&self.tried[number]).unwrap()
    }

    /// What it came to on the part where settings are chosen, in the order of [`ExploreQuestion::metrics`].
    ///
    /// # Panics
    /// Where so many were not tried.
    pub fn values(&self, number: usize) -> &[Option<f64>] {
        &self.values[number]
    }
}

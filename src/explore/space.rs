//! All settings among which is searched, made from the catalogue of schedulers.

use super::ExploreQuestion;
use super::search::ExploreRandom;
use crate::catalogue::{Catalogue, Family, Filled, Formula, Kind, Parameter, Value};
use crate::estimator::Estimate;
use crate::scheduler::{Policy, SchedulerFamily, Schedulers};
use crate::study::{Run, advice};

/// The values of a setting in seconds that are tried: half an hour to a week.
const TIMES: [i64; 10] = [1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 86_400, 172_800, 345_600, 604_800];

/// The values of any other whole number that are tried.
const COUNTS: [i64; 16] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 100, 200, 500, 1_000];

/// How far into its range a real number is tried, beside its default.
const REACHES: [f64; 4] = [0.05, 0.1, 0.2, 0.5];

/// In so many of hundred wholly new settings a queue order is one with exponents.
const WITH_EXPONENTS: usize = 40;

/// The steps of exponents that are tried: a, b and c of wait^a / (E^b r^c), from and to.
const EXPONENTS: [(f64, f64); 3] = [(0.0, 4.0), (-1.0, 4.0), (-2.0, 3.0)];

/// The step between exponents.
const STEP: f64 = 0.25;

/// Orders with exponents that come near those with names: where a search steps from one of these to exponents, it begins
/// there.
const ALIKE: [(&str, [f64; 3]); 8] = [
    ("fcfs", [1.0, 0.0, 0.0]),
    ("sjf", [0.0, 1.0, 0.0]),
    ("saf", [0.0, 1.0, 1.0]),
    ("spf", [0.0, 2.0, 1.0]),
    ("srf", [0.0, 0.0, 1.0]),
    ("wfp", [3.0, 3.0, -1.0]),
    ("lxf", [1.0, 1.0, 0.0]),
    ("unicef", [1.0, 1.0, 0.25]),
];

/// One setting of a family, and the values of it that are tried. A gene is the number of a value.
struct SettingAxis {
    parameter: &'static Parameter,
    meaning: AxisMeaning,
}

/// What the genes of an axis stand for.
enum AxisMeaning {
    /// These values, of which neighbours are alike.
    Ordered(Vec<String>),
    /// These values, of which none is nearer to another.
    Unordered(Vec<String>),
    /// A queue order: one of these, or the last, which is [`index`] with the exponents of the next three axes.
    Order(Vec<&'static str>, &'static Formula),
    /// An exponent of the order before it: its smallest value, and how many there are.
    Exponent(f64, usize),
}

impl SettingAxis {
    /// How many values there are.
    fn len(&self) -> usize {
        match &self.meaning {
            AxisMeaning::Ordered(values) | AxisMeaning::Unordered(values) => values.len(),
            AxisMeaning::Order(named, _) => named.len() + 1,
            AxisMeaning::Exponent(_, count) => *count,
        }
    }

    fn is_ordered(&self) -> bool {
        matches!(self.meaning, AxisMeaning::Ordered(_) | AxisMeaning::Exponent(..))
    }
}

/// A family and its axes.
struct FamilyAxes {
    family: &'static SchedulerFamily,
    axes: Vec<SettingAxis>,
}

/// Settings of a scheduler and the estimates it works with, as numbers of values: the family, each of its axes, then the
/// estimates. Small, for there are as many as runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Genome {
    family: u8,
    genes: Box<[u8]>,
}

/// All settings among which a question searches.
pub struct SearchSpace {
    families: Vec<FamilyAxes>,
    estimates: Vec<Estimate>,
}

/// Whether the settings of a family can be looked through: not where its starts are the log's, or computed beforehand.
pub(super) fn can_be_explored(family: &str) -> bool {
    let found = Schedulers::FAMILIES.iter().find(|own| own.entry.id == family);
    let policy = found.map(Policy::of);
    policy.is_some_and(|policy| !policy.is_given() && !policy.is_offline())
}

impl SearchSpace {
    /// What a question searches among.
    pub fn of(question: &ExploreQuestion) -> Self {
        let named = |family: &&SchedulerFamily| question.families.iter().any(|id| id == family.entry.id);
        let families = Schedulers::FAMILIES.iter().filter(named).map(|family| {
            let axes = family.entry().parameters.iter().flat_map(axes_of).collect();
            FamilyAxes { family, axes }
        });
        SearchSpace { families: families.collect(), estimates: question.estimates.clone() }
    }

    /// The run that a genome stands for; none where its settings do not go together, or one of them changes nothing.
    pub(super) fn run(&self, genome: &Genome) -> Option<Run> {
        let FamilyAxes { family, axes } = &self.families[usize::from(genome.family)];
        let mut policy = Policy::of(family);
        let mut text = String::new();
        for (place, (axis, &gene)) in axes.iter().zip(&genome.genes).enumerate() {
            let gene = usize::from(gene);
            let value = match &axis.meaning {
                AxisMeaning::Ordered(values) | AxisMeaning::Unordered(values) => values[gene].clone(),
                AxisMeaning::Order(named, formula) => match named.get(gene) {
                    Some(name) => (*name).to_owned(),
                    None => exponents(axes, &genome.genes, place).and_then(|e| formula.filled(&e))?.to_string(),
                },
                AxisMeaning::Exponent(..) => continue,
            };
            text = format!("{text},{}={value}", axis.parameter.id);
        }
        if !text.is_empty() {
            policy = format!("{}:{}", family.entry.id, &text[1..]).parse().ok()?;
        }
        // reservations are counted only where there are any
        if policy.settings().iter().any(|(_, value)| matches!(value, Value::Choice("strict" | "greedy"))) {
            policy.set("depth", "off").ok()?;
        }
        let estimate = self.estimates[usize::from(*genome.genes.last()?)].clone();
        advice::of_scheduler(&policy).is_none().then(|| Run::new(policy, estimate))
    }

    /// The genome of a policy with the first estimates, where each of its values is one that is tried.
    pub(super) fn genome(&self, policy: &Policy) -> Option<Genome> {
        let is_own = |own: &FamilyAxes| own.family.entry.id == policy.family().entry.id;
        let family = self.families.iter().position(is_own)?;
        let axes = &self.families[family].axes;
        let mut genes = Vec::with_capacity(axes.len() + 1);
        for (place, axis) in axes.iter().enumerate() {
            let value = policy.settings().get(axis.parameter.id);
            genes.push(match &axis.meaning {
                AxisMeaning::Ordered(values) | AxisMeaning::Unordered(values) => {
                    values.iter().position(|own| *own == value.to_string())?
                }
                AxisMeaning::Order(named, _) => match value {
                    Value::Formula(_) => named.len(),
                    named_value => named.iter().position(|own| *own == named_value.to_string())?,
                },
                AxisMeaning::Exponent(least, count) => {
                    let exponent = exponent_of(value, place - order_before(axes, place) - 1);
                    let gene = ((exponent - least) / STEP) as usize;
                    (gene < *count).then_some(gene)?
                }
            });
        }
        genes.push(0);
        Some(Genome { family: family as u8, genes: genes.into_iter().map(|gene| gene as u8).collect() })
    }

    /// A start that is spread out over all settings: families in turn, and of each setting every value about equally often
    /// (a Latin hypercube for each family).
    pub(super) fn spread(&self, count: usize, random: &mut ExploreRandom) -> Vec<Genome> {
        let each = count.div_ceil(self.families.len());
        let mut of_families: Vec<Vec<Genome>> = Vec::new();
        for family in 0..self.families.len() {
            let lengths = self.lengths(family);
            let columns: Vec<Vec<usize>> = lengths.iter().map(|_| random.permutation(each)).collect();
            let genomes = (0..each).map(|i| {
                let genes = columns.iter().enumerate().map(|(place, column)| {
                    let strata = (column[i] * 100 + random.below(100), each * 100);
                    self.spread_gene(family, place, strata)
                });
                self.tidied(Genome { family: family as u8, genes: genes.collect() })
            });
            of_families.push(genomes.collect());
        }
        let in_turn = (0..each).flat_map(|i| of_families.iter().map(move |genomes| genomes[i].clone()));
        in_turn.take(count).collect()
    }

    /// Wholly new settings.
    pub(super) fn anew(&self, random: &mut ExploreRandom) -> Genome {
        let family = random.below(self.families.len());
        let count = self.lengths(family).len();
        let genes = (0..count).map(|place| self.spread_gene(family, place, (random.below(10_000), 10_000)));
        self.tidied(Genome { family: family as u8, genes: genes.collect() })
    }

    /// A step from settings: one or two of them changed.
    pub(super) fn step(&self, from: &Genome, random: &mut ExploreRandom) -> Genome {
        let mut genome = from.clone();
        let lengths = self.lengths(usize::from(genome.family));
        let open: Vec<usize> =
            (0..lengths.len()).filter(|&place| self.matters(&genome, place) && lengths[place] > 1).collect();
        if open.is_empty() {
            return genome;
        }
        for _ in 0..1 + usize::from(random.below(10) < 4) {
            let place = open[random.below(open.len())];
            let (count, gene) = (lengths[place], usize::from(genome.genes[place]));
            let is_ordered = self.axis(&genome, place).is_some_and(SettingAxis::is_ordered);
            let next = if is_ordered && random.below(10) < 8 {
                let size = 1 + random.below(3);
                if random.below(2) == 0 { gene.saturating_sub(size) } else { (gene + size).min(count - 1) }
            } else if !is_ordered && self.is_order(&genome, place) && random.below(100) < WITH_EXPONENTS {
                count - 1
            } else {
                random.below(count)
            };
            genome.genes[place] = next as u8;
            self.begin_exponents(&mut genome, place, gene);
        }
        self.tidied(genome)
    }

    /// A mixture of two settings of one family; `one` itself where they are of different families.
    pub(super) fn mixture(&self, one: &Genome, other: &Genome, random: &mut ExploreRandom) -> Genome {
        let mut genome = one.clone();
        if one.family == other.family {
            let mut takes = false;
            for place in 0..genome.genes.len() {
                // an order goes with its exponents
                let is_exponent = self.axis(one, place).is_some_and(|a| matches!(a.meaning, AxisMeaning::Exponent(..)));
                takes = if is_exponent { takes } else { random.below(2) == 0 };
                if takes {
                    genome.genes[place] = other.genes[place];
                }
            }
        }
        self.tidied(genome)
    }

    /// How many values each gene of a family has.
    fn lengths(&self, family: usize) -> Vec<usize> {
        let axes = self.families[family].axes.iter().map(SettingAxis::len);
        axes.chain([self.estimates.len()]).collect()
    }

    /// The axis of a gene; none of the estimates'.
    fn axis(&self, genome: &Genome, place: usize) -> Option<&SettingAxis> {
        self.families[usize::from(genome.family)].axes.get(place)
    }

    fn is_order(&self, genome: &Genome, place: usize) -> bool {
        self.axis(genome, place).is_some_and(|axis| matches!(axis.meaning, AxisMeaning::Order(..)))
    }

    /// Whether a gene changes anything: exponents do only where the order has them.
    fn matters(&self, genome: &Genome, place: usize) -> bool {
        let axes = &self.families[usize::from(genome.family)].axes;
        match axes.get(place).map(|axis| &axis.meaning) {
            Some(AxisMeaning::Exponent(..)) => {
                let order = order_before(axes, place);
                usize::from(genome.genes[order]) + 1 == axes[order].len()
            }
            _ => true,
        }
    }

    /// The value of a gene in a stratum of a start that is spread out. Orders with exponents get a larger one than each of
    /// the others.
    fn spread_gene(&self, family: usize, place: usize, (stratum, strata): (usize, usize)) -> u8 {
        let axes = &self.families[family].axes;
        let count = axes.get(place).map_or(self.estimates.len(), SettingAxis::len);
        let gene = match axes.get(place).map(|axis| &axis.meaning) {
            Some(AxisMeaning::Order(named, _)) => {
                let with_names = strata * (100 - WITH_EXPONENTS) / 100;
                if stratum < with_names { stratum * named.len() / with_names } else { named.len() }
            }
            _ => stratum * count / strata,
        };
        gene.min(count - 1) as u8
    }

    /// Where an order has just got exponents instead of a name, these are first such that little changes.
    fn begin_exponents(&self, genome: &mut Genome, place: usize, before: usize) {
        let axes = &self.families[usize::from(genome.family)].axes;
        let Some(AxisMeaning::Order(named, _)) = axes.get(place).map(|axis| &axis.meaning) else { return };
        let has_exponents = usize::from(genome.genes[place]) == named.len();
        let alike = named.get(before).and_then(|name| ALIKE.iter().find(|(own, _)| own == name));
        if let (true, Some((_, exponents))) = (has_exponents, alike) {
            for (i, exponent) in exponents.iter().enumerate() {
                genome.genes[place + 1 + i] = ((exponent - EXPONENTS[i].0) / STEP) as u8;
            }
        }
    }

    /// With the genes that change nothing at 0, so that the same settings are the same genome.
    fn tidied(&self, mut genome: Genome) -> Genome {
        for place in 0..genome.genes.len() {
            if !self.matters(&genome, place) {
                genome.genes[place] = 0;
            }
        }
        genome
    }
}

/// The axes of a parameter; none where it is not searched.
fn axes_of(parameter: &'static Parameter) -> Vec<SettingAxis> {
    let one = |meaning| vec![SettingAxis { parameter, meaning }];
    let texts = |numbers: Vec<i64>| -> Vec<String> { numbers.iter().map(ToString::to_string).collect() };
    match parameter.kind {
        Kind::Choice { options, .. } => {
            one(AxisMeaning::Unordered(options.iter().map(|(id, _)| (*id).to_owned()).collect()))
        }
        Kind::Formula { options, formulas, .. } => {
            let named = options.iter().map(|(id, _)| *id).collect();
            // its exponents are those of the table above
            let Some(formula) = formulas.iter().find(|formula| formula.numbers.len() == EXPONENTS.len()) else {
                return Vec::new();
            };
            let exponent = |(least, most): (f64, f64)| {
                let count = ((most - least) / STEP) as usize + 1;
                SettingAxis { parameter, meaning: AxisMeaning::Exponent(least, count) }
            };
            let mut axes = one(AxisMeaning::Order(named, formula));
            axes.extend(EXPONENTS.map(exponent));
            axes
        }
        Kind::Whole { min, max, default, unit } => {
            let usual: &[i64] = if unit == "s" { &TIMES } else { &COUNTS };
            let mut numbers: Vec<i64> =
                usual.iter().copied().chain(default).filter(|n| (min..=max).contains(n)).collect();
            numbers.sort_unstable();
            numbers.dedup();
            let off = default.is_none().then(|| "off".to_owned());
            one(AxisMeaning::Ordered(texts(numbers).into_iter().chain(off).collect()))
        }
        Kind::Real { min, max, default, .. } => {
            let mut numbers: Vec<f64> =
                REACHES.iter().map(|reach| min + reach * (max - min)).chain([default]).collect();
            numbers.sort_unstable_by(f64::total_cmp);
            numbers.dedup();
            one(AxisMeaning::Ordered(numbers.iter().map(ToString::to_string).collect()))
        }
        Kind::AtLeast { .. } | Kind::Several { .. } | Kind::File => Vec::new(),
    }
}

/// The place of the order to which the exponent at a place belongs.
fn order_before(axes: &[SettingAxis], place: usize) -> usize {
    let orders = (0..place).filter(|&i| matches!(axes[i].meaning, AxisMeaning::Order(..)));
    orders.max().unwrap_or_default()
}

/// The exponents of the order at a place.
fn exponents(axes: &[SettingAxis], genes: &[u8], order: usize) -> Option<Vec<f64>> {
    let exponent = |place: usize| match axes.get(place)?.meaning {
        AxisMeaning::Exponent(least, _) => Some(least + STEP * f64::from(genes[place])),
        _ => None,
    };
    (order + 1..=order + EXPONENTS.len()).map(exponent).collect()
}

/// The exponent with this number of an order's value; the smallest that is tried where it has a name.
fn exponent_of(value: Value, number: usize) -> f64 {
    match value {
        Value::Formula(filled) => Filled::numbers(&filled)[number],
        _ => EXPONENTS[number].0,
    }
}

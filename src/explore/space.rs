//! All settings among which is searched, made from the catalogue of schedulers.

use super::ExploreQuestion;
use super::search::ExploreRandom;
use crate::catalogue::{Catalogue, Family, Formula, FormulaNumber, Kind, Parameter, Value};
use crate::estimator::Estimate;
use crate::scheduler::{Order, Policy, SchedulerFamily, Schedulers};
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

/// The numbers of other formulas that are tried, by their unit: hours, and seconds, these below 0 as well.
const HOURS: [f64; 9] = [1.0, 4.0, 12.0, 24.0, 72.0, 168.0, 336.0, 720.0, 2_160.0];
const SECONDS: [f64; 8] = [0.0, 60.0, 300.0, 1_800.0, 3_600.0, 14_400.0, 86_400.0, 604_800.0];

/// How many times the other parameter one is that must be at least as much.
const TIMES_AS_MUCH: [f64; 8] = [1.0, 1.25, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0];

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
    /// A queue order: one of these, or a formula with the numbers of some of the next axes.
    Order(Vec<&'static str>, Vec<&'static Formula>),
    /// A number of a formula of the order before it.
    Number(FormulaAxis),
    /// Whether this one of several is taken.
    Taken(&'static str),
    /// So many times the parameter of this id.
    AtLeast(&'static str, i64),
}

/// A number of a formula, and its values that are tried.
struct FormulaAxis {
    /// Which of the formulas of its order.
    formula: usize,
    /// Which of the formula's numbers.
    number: usize,
    values: Vec<f64>,
}

impl SettingAxis {
    /// How many values there are.
    fn len(&self) -> usize {
        match &self.meaning {
            AxisMeaning::Ordered(values) | AxisMeaning::Unordered(values) => values.len(),
            AxisMeaning::Order(named, formulas) => named.len() + formulas.len(),
            AxisMeaning::Number(number) => number.values.len(),
            AxisMeaning::Taken(_) => 2,
            AxisMeaning::AtLeast(..) => TIMES_AS_MUCH.len(),
        }
    }

    /// How many formulas it has, if it is an order.
    fn formulas(&self) -> usize {
        if let AxisMeaning::Order(_, formulas) = &self.meaning { formulas.len() } else { 0 }
    }

    fn is_ordered(&self) -> bool {
        matches!(self.meaning, AxisMeaning::Ordered(_) | AxisMeaning::Number(_) | AxisMeaning::AtLeast(..))
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

/// The formulas of queue orders that are looked through only where they are chosen, as a family is.
pub(super) fn chosen_formulas() -> impl Iterator<Item = &'static Formula> {
    Order::FORMULAS.iter().filter(|formula| !is_always_tried(formula))
}

/// Whether a formula belongs to the orders of every search: that with exponents.
fn is_always_tried(formula: &Formula) -> bool {
    formula.numbers.len() == EXPONENTS.len()
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
            let axes = family.entry().parameters.iter().flat_map(|parameter| axes_of(parameter, &question.families));
            let axes = axes.collect();
            FamilyAxes { family, axes }
        });
        SearchSpace { families: families.collect(), estimates: question.estimates.clone() }
    }

    /// The run that a genome stands for; none where its settings do not go together, or one of them changes nothing.
    pub(super) fn run(&self, genome: &Genome) -> Option<Run> {
        let FamilyAxes { family, axes } = &self.families[usize::from(genome.family)];
        let mut policy = Policy::of(family);
        let mut values: Vec<(&str, String)> = Vec::new();
        for (place, (axis, &gene)) in axes.iter().zip(&genome.genes).enumerate() {
            let gene = usize::from(gene);
            let value = match &axis.meaning {
                AxisMeaning::Ordered(values) | AxisMeaning::Unordered(values) => values[gene].clone(),
                AxisMeaning::Order(named, formulas) => match named.get(gene) {
                    Some(name) => (*name).to_owned(),
                    None => {
                        let formula = gene - named.len();
                        formulas[formula].filled(&numbers(axes, &genome.genes, place, formula))?.to_string()
                    }
                },
                AxisMeaning::Number(_) => continue,
                AxisMeaning::Taken(_) if gene == 0 => continue,
                AxisMeaning::Taken(option) => match values.last_mut() {
                    Some((id, taken)) if *id == axis.parameter.id => {
                        *taken = format!("{taken}+{option}");
                        continue;
                    }
                    _ => (*option).to_owned(),
                },
                AxisMeaning::AtLeast(other, most) => {
                    let (_, other) = values.iter().find(|(id, _)| id == other)?;
                    at_least(other.parse().ok()?, gene, *most).to_string()
                }
            };
            values.push((axis.parameter.id, value));
        }
        let lacks_all = |axis: &SettingAxis| {
            matches!(axis.meaning, AxisMeaning::Taken(_)) && !values.iter().any(|(id, _)| *id == axis.parameter.id)
        };
        if axes.iter().any(lacks_all) {
            return None;
        }
        if !values.is_empty() {
            let text: Vec<String> = values.iter().map(|(id, value)| format!("{id}={value}")).collect();
            policy = format!("{}:{}", family.entry.id, text.join(",")).parse().ok()?;
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
                AxisMeaning::Order(named, formulas) => match value {
                    Value::Formula(filled) => {
                        named.len() + formulas.iter().position(|own| own.id == filled.formula.id)?
                    }
                    named_value => named.iter().position(|own| *own == named_value.to_string())?,
                },
                AxisMeaning::Number(own) => match (&axes[order_before(axes, place)].meaning, value) {
                    (AxisMeaning::Order(_, formulas), Value::Formula(filled))
                        if formulas[own.formula].id == filled.formula.id =>
                    {
                        own.values.iter().position(|value| *value == filled.numbers()[own.number])?
                    }
                    _ => 0,
                },
                AxisMeaning::Taken(option) => match value {
                    Value::Several(taken) => usize::from(taken.ids().any(|id| id == *option)),
                    _ => 0,
                },
                AxisMeaning::AtLeast(other, most) => {
                    let (own, other) = (policy.settings().whole(axis.parameter.id)?, policy.settings().whole(other)?);
                    (0..TIMES_AS_MUCH.len()).find(|&gene| at_least(other, gene, *most) == own)?
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
                // of several formulas any
                let formulas = self.axis(&genome, place).map_or(1, SettingAxis::formulas);
                count - 1 - if formulas > 1 { random.below(formulas) } else { 0 }
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
                // an order goes with its numbers
                let is_number = self.axis(one, place).is_some_and(|a| matches!(a.meaning, AxisMeaning::Number(_)));
                takes = if is_number { takes } else { random.below(2) == 0 };
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

    /// Whether a gene changes anything: numbers do only where the order is their formula.
    fn matters(&self, genome: &Genome, place: usize) -> bool {
        let axes = &self.families[usize::from(genome.family)].axes;
        match axes.get(place).map(|axis| &axis.meaning) {
            Some(AxisMeaning::Number(number)) => {
                let order = order_before(axes, place);
                let AxisMeaning::Order(named, _) = &axes[order].meaning else { return false };
                usize::from(genome.genes[order]) == named.len() + number.formula
            }
            _ => true,
        }
    }

    /// The value of a gene in a stratum of a start that is spread out. Orders with numbers get a larger one than each of
    /// the others.
    fn spread_gene(&self, family: usize, place: usize, (stratum, strata): (usize, usize)) -> u8 {
        let axes = &self.families[family].axes;
        let count = axes.get(place).map_or(self.estimates.len(), SettingAxis::len);
        let gene = match axes.get(place).map(|axis| &axis.meaning) {
            Some(AxisMeaning::Order(named, formulas)) => {
                let with_names = strata * (100 - WITH_EXPONENTS) / 100;
                if stratum < with_names {
                    stratum * named.len() / with_names
                } else {
                    named.len() + (stratum - with_names) * formulas.len() / (strata - with_names)
                }
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
fn axes_of(parameter: &'static Parameter, chosen: &[String]) -> Vec<SettingAxis> {
    let one = |meaning| vec![SettingAxis { parameter, meaning }];
    let texts = |numbers: Vec<i64>| -> Vec<String> { numbers.iter().map(ToString::to_string).collect() };
    match parameter.kind {
        Kind::Choice { options, .. } => {
            one(AxisMeaning::Unordered(options.iter().map(|(id, _)| (*id).to_owned()).collect()))
        }
        Kind::Formula { options, formulas, .. } => {
            let named = options.iter().map(|(id, _)| *id).collect();
            let is_tried =
                |formula: &&Formula| is_always_tried(formula) || chosen.iter().any(|chosen| chosen == formula.id);
            let formulas: Vec<&'static Formula> = formulas.iter().filter(is_tried).collect();
            let number = |(formula, number): (usize, usize)| {
                let values = values_of(formulas[formula], number);
                SettingAxis { parameter, meaning: AxisMeaning::Number(FormulaAxis { formula, number, values }) }
            };
            let numbers = formulas.iter().enumerate();
            let numbers = numbers.flat_map(|(place, formula)| (0..formula.numbers.len()).map(move |n| (place, n)));
            let numbers: Vec<SettingAxis> = numbers.map(number).collect();
            let mut axes = one(AxisMeaning::Order(named, formulas));
            axes.extend(numbers);
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
        Kind::AtLeast { other, max, .. } => one(AxisMeaning::AtLeast(other, max)),
        Kind::Several { options, .. } => {
            options.iter().map(|(id, _)| SettingAxis { parameter, meaning: AxisMeaning::Taken(id) }).collect()
        }
        Kind::File => Vec::new(),
    }
}

/// The values of a number of a formula that are tried.
fn values_of(formula: &Formula, number: usize) -> Vec<f64> {
    if is_always_tried(formula) {
        let (least, most) = EXPONENTS[number];
        return (0..=((most - least) / STEP) as usize).map(|step| least + STEP * step as f64).collect();
    }
    let FormulaNumber { min, max, default, unit, .. } = formula.numbers[number];
    let usual: &[f64] = if unit == "h" { &HOURS } else { &SECONDS };
    let both_ways = usual.iter().flat_map(|&value| [value, -value]).chain([default]);
    let mut values: Vec<f64> = both_ways.filter(|value| (min..=max).contains(value)).map(|value| value + 0.0).collect();
    values.sort_unstable_by(f64::total_cmp);
    values.dedup();
    values
}

/// So many times `other`, and at most `most`.
fn at_least(other: i64, gene: usize, most: i64) -> i64 {
    ((other as f64 * TIMES_AS_MUCH[gene]) as i64).min(most)
}

/// The place of the order to which the number at a place belongs.
fn order_before(axes: &[SettingAxis], place: usize) -> usize {
    let orders = (0..place).filter(|&i| matches!(axes[i].meaning, AxisMeaning::Order(..)));
    orders.max().unwrap_or_default()
}

/// The numbers of a formula of the order at a place.
fn numbers(axes: &[SettingAxis], genes: &[u8], order: usize, formula: usize) -> Vec<f64> {
    let own = axes.iter().zip(genes).skip(order + 1).map_while(|(axis, &gene)| match &axis.meaning {
        AxisMeaning::Number(number) => Some((number, gene)),
        _ => None,
    });
    own.filter(|(number, _)| number.formula == formula).map(|(number, gene)| number.values[usize::from(gene)]).collect()
}

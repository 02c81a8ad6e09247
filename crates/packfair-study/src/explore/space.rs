//! All settings that a search may try, made from the catalogue of schedulers.

use super::axis::{AxisMeaning, SettingAxis, TIMES_AS_MUCH, at_least, axes_of, numbers, order_before};
use super::ranking::gain;
use super::{ExploreQuestion, Findings, FrontMember, OtherMachine, PartValues};
use crate::{Run, advice};
use packfair_base::catalogue::{Catalogue, Family, Kind, Parameter, Value, WRITTEN};
use packfair_base::machine::WhatIf;
use packfair_base::random::Random;
use packfair_engine::estimator::Estimate;
use packfair_schedulers::{Policy, SchedulerFamily, Schedulers};

/// Of a hundred new values of a queue order, so many are formulas with numbers.
const WITH_EXPONENTS: usize = 40;

/// Exponents that come near the named orders. Where a search steps from a named order to exponents, it begins with
/// these.
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

struct FamilyAxes {
    family: &'static SchedulerFamily,
    axes: Vec<SettingAxis>,
}

/// The settings of a scheduler and its estimates, as indices of values: the family, one gene for each of its axes, then
/// the estimates. It is small, because there are as many as runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Genome {
    family: u8,
    genes: Box<[u8]>,
}

/// All settings that a question may try.
pub struct SearchSpace {
    families: Vec<FamilyAxes>,
    estimates: Vec<Estimate>,
}

impl SearchSpace {
    pub fn of(question: &ExploreQuestion) -> Self {
        let named = |family: &&SchedulerFamily| question.families.iter().any(|id| id == family.entry.id);
        let families = Schedulers::FAMILIES.iter().filter(named).map(|family| {
            // For a scheduler that uses a site's files, only what can be written into these is searched.
            let parameters = family.entry().parameters;
            let is_change = |parameter: &&'static Parameter| matches!(parameter.kind, Kind::Changes { .. });
            let has_changes = parameters.iter().any(|parameter| is_change(&parameter));
            let searched = parameters.iter().filter(move |parameter| !has_changes || is_change(parameter));
            let axes = searched.flat_map(|parameter| axes_of(parameter, &question.families));
            let axes = axes.collect();
            FamilyAxes { family, axes }
        });
        SearchSpace { families: families.collect(), estimates: question.estimates.clone() }
    }

    /// The run of a genome; `None` where its settings do not go together, or where there is a caveat about the
    /// scheduler.
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
                        let filled = formulas[formula].filled(&numbers(axes, &genome.genes, place, formula)).ok()?;
                        format!("{WRITTEN}{filled}")
                    }
                },
                AxisMeaning::Number(_) => continue,
                AxisMeaning::Taken(_) | AxisMeaning::Change(..) if gene == 0 => continue,
                AxisMeaning::Change(key, tried) => {
                    values.push((key, tried[gene - 1].to_owned()));
                    continue;
                }
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
        // A limit on reservations only makes sense where there are reservations.
        if policy.settings().iter().any(|(_, value)| matches!(value, Value::Choice("strict" | "greedy"))) {
            policy.set("depth", "off").ok()?;
        }
        let estimate = self.estimates[usize::from(*genome.genes.last()?)].clone();
        advice::of_scheduler(&policy).is_none().then(|| Run::new(policy, estimate))
    }

    /// The genome of a policy with the first estimates, if each of its values is one that is tried and no formula.
    pub(super) fn genome(&self, policy: &Policy) -> Option<Genome> {
        let is_own = |own: &FamilyAxes| own.family.entry.id == policy.family().entry.id;
        let family = self.families.iter().position(is_own)?;
        let axes = &self.families[family].axes;
        let mut genes = Vec::with_capacity(axes.len() + 1);
        for axis in axes {
            let value = policy.settings().get(axis.parameter.id);
            genes.push(match &axis.meaning {
                AxisMeaning::Ordered(values) | AxisMeaning::Unordered(values) => {
                    values.iter().position(|own| *own == value.to_string())?
                }
                AxisMeaning::Order(named, _) => named.iter().position(|own| *own == value.to_string())?,
                AxisMeaning::Number(_) => 0,
                AxisMeaning::Taken(option) => match value {
                    Value::Several(taken) => usize::from(taken.ids().any(|id| id == *option)),
                    _ => 0,
                },
                AxisMeaning::Change(key, tried) => {
                    let changes = policy.settings().changes();
                    match changes.pairs().find(|(own, _)| own == key) {
                        None => 0,
                        Some((_, value)) => 1 + tried.iter().position(|own| *own == value)?,
                    }
                }
                AxisMeaning::AtLeast(other, most) => {
                    let (own, other) = (policy.settings().whole(axis.parameter.id)?, policy.settings().whole(other)?);
                    (0..TIMES_AS_MUCH.len()).find(|&gene| at_least(other, gene, *most) == own)?
                }
            });
        }
        genes.push(0);
        Some(Genome { family: family as u8, genes: genes.into_iter().map(|gene| gene as u8).collect() })
    }

    /// A start spread out over all settings: the families take turns, and every value of each setting appears about
    /// equally often (a Latin hypercube for each family).
    pub(super) fn spread(&self, count: usize, random: &mut Random) -> Vec<Genome> {
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

    /// Wholly new settings, at random.
    pub(super) fn anew(&self, random: &mut Random) -> Genome {
        let family = random.below(self.families.len());
        let count = self.lengths(family).len();
        let genes = (0..count).map(|place| self.spread_gene(family, place, (random.below(10_000), 10_000)));
        self.tidied(Genome { family: family as u8, genes: genes.collect() })
    }

    /// A step from settings: one or two of them are changed.
    pub(super) fn step(&self, from: &Genome, random: &mut Random) -> Genome {
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
                // If there are several formulas, any of them is taken.
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

    /// A mixture of two settings of one family; a copy of `one` where the families differ.
    pub(super) fn mixture(&self, one: &Genome, other: &Genome, random: &mut Random) -> Genome {
        let mut genome = one.clone();
        if one.family == other.family {
            let mut takes = false;
            for place in 0..genome.genes.len() {
                // An order and its numbers go together.
                let is_number = self.axis(one, place).is_some_and(|a| matches!(a.meaning, AxisMeaning::Number(_)));
                takes = if is_number { takes } else { random.below(2) == 0 };
                if takes {
                    genome.genes[place] = other.genes[place];
                }
            }
        }
        self.tidied(genome)
    }

    /// The genes that change what a file says.
    pub(super) fn changed<'a>(&'a self, genome: &'a Genome) -> impl Iterator<Item = usize> + 'a {
        let is_change =
            |place: usize| self.axis(genome, place).is_some_and(|axis| matches!(axis.meaning, AxisMeaning::Change(..)));
        (0..genome.genes.len()).filter(move |&place| genome.genes[place] != 0 && is_change(place))
    }

    /// Settings without the change of one gene.
    pub(super) fn without(&self, genome: &Genome, place: usize) -> Genome {
        let mut genome = genome.clone();
        genome.genes[place] = 0;
        self.tidied(genome)
    }

    fn lengths(&self, family: usize) -> Vec<usize> {
        let axes = self.families[family].axes.iter().map(SettingAxis::len);
        axes.chain([self.estimates.len()]).collect()
    }

    /// The axis of a gene; `None` for the gene of the estimates.
    fn axis(&self, genome: &Genome, place: usize) -> Option<&SettingAxis> {
        self.families[usize::from(genome.family)].axes.get(place)
    }

    fn is_order(&self, genome: &Genome, place: usize) -> bool {
        self.axis(genome, place).is_some_and(|axis| matches!(axis.meaning, AxisMeaning::Order(..)))
    }

    /// Whether a gene has an effect. Numbers only have one where the order is their formula.
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

    /// The value of a gene in a stratum of a spread-out start. Orders with numbers get a larger share than each of the
    /// others.
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

    /// Where an order has just changed from a name to exponents, sets these so that little changes.
    fn begin_exponents(&self, genome: &mut Genome, place: usize, before: usize) {
        let axes = &self.families[usize::from(genome.family)].axes;
        let Some(AxisMeaning::Order(named, _)) = axes.get(place).map(|axis| &axis.meaning) else { return };
        let has_exponents = usize::from(genome.genes[place]) == named.len();
        let alike = named.get(before).and_then(|name| ALIKE.iter().find(|(own, _)| own == name));
        if let (true, Some((_, exponents))) = (has_exponents, alike) {
            for (i, exponent) in exponents.iter().enumerate() {
                let place = place + 1 + i;
                if let Some(AxisMeaning::Number(number)) = axes.get(place).map(|axis| &axis.meaning) {
                    let gene = number.values.iter().position(|value| value == exponent);
                    genome.genes[place] = gene.unwrap_or_default() as u8;
                }
            }
        }
    }

    /// Sets genes without an effect to 0, so that equal settings have equal genomes.
    fn tidied(&self, mut genome: Genome) -> Genome {
        for place in 0..genome.genes.len() {
            if !self.matters(&genome, place) {
                genome.genes[place] = 0;
            }
        }
        genome
    }
}

// The baseline and the settings that no others beat, on other machines.

/// Gains that differ by no more than this count as equal.
const AS_MUCH: f64 = 0.02;

impl OtherMachine {
    /// Makes the results from the values on both parts of the log, in the order of [`Findings::compared`]; a run
    /// without values has undefined ones.
    pub fn of(findings: &Findings, what_if: WhatIf, [choose, select]: [Vec<Option<Vec<Option<f64>>>>; 2]) -> Self {
        let aspects = findings.question.aspects().len();
        let of_part = |values: &[Option<Vec<Option<f64>>>], place: usize| {
            values.get(place).cloned().flatten().unwrap_or_else(|| vec![None; aspects])
        };
        let member = |(place, run): (usize, Run)| FrontMember {
            run: run.what_if(Some(what_if.clone())),
            values: PartValues { choose: of_part(&choose, place), select: of_part(&select, place) },
        };
        let runs = findings.compared().into_iter().enumerate().map(member).collect();
        OtherMachine { what_if, runs }
    }

    /// What the baseline gains from this machine in the first metric, on the select part, compared with the best
    /// gain by settings: "With 32 more nodes, AF of EASY is better by 12.0 % on the select part: as much as ...".
    /// `None` where values are missing.
    pub fn worth(&self, findings: &Findings) -> Option<String> {
        let metric = *findings.question.metrics().first()?;
        let of = |values: &PartValues| *values.select.first()?;
        let basis = of(&findings.baseline)?;
        let gained = gain(metric, of(&self.runs.first()?.values)?, basis);
        let best = findings.front.iter().filter_map(|member| Some((gain(metric, of(&member.values)?, basis), member)));
        let (most, best) = best.max_by(|a, b| a.0.total_cmp(&b.0))?;
        let change = |gain: f64| {
            let word = if gain < 0.0 { "worse" } else { "better" };
            format!("{word} by {:.1} %", 100.0 * gain.abs())
        };
        let worth = match gained > most {
            _ if (gained - most).abs() <= AS_MUCH => "as much as",
            true => "more than",
            false => "less than",
        };
        Some(format!(
            "With {}, {} of {} is {} on the select part: {worth} {} on the machine as it is ({}).",
            self.what_if.name(),
            metric.about().name,
            findings.baseline_name(),
            change(gained),
            best.run.scheduler.name(),
            change(most)
        ))
    }
}

impl Findings {
    /// The runs that are compared on other machines: the baseline, then the front.
    pub fn compared(&self) -> Vec<Run> {
        let front = self.front.iter().map(|member| &member.run);
        std::iter::once(&self.question.baseline).chain(front).cloned().collect()
    }
}

//! The values that a search tries for each setting of a scheduler, made from the catalogue's parameters.

use super::search::open_formulas;
use crate::format::{SPACE, TimeUnit, number, unit, value};
use packfair_base::catalogue::{Kind, Parameter};
use packfair_base::expression::{OpenNumber, Template};
use packfair_engine::metric::{Aim, Grouping, Metric};
use packfair_workload::UnitText;
use std::fmt;
use std::str::FromStr;

/// The values that are tried for a setting in seconds: half an hour to a week.
const TIMES: [i64; 10] = [1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 86_400, 172_800, 345_600, 604_800];

/// The values that are tried for any other whole number.
const COUNTS: [i64; 16] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 100, 200, 500, 1_000];

/// The values that are tried for a real number, as shares of its range; its default is tried too.
const REACHES: [f64; 4] = [0.05, 0.1, 0.2, 0.5];

/// The factors that are tried for a parameter that must be at least another one.
pub(super) const TIMES_AS_MUCH: [f64; 8] = [1.0, 1.25, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0];

/// One setting of a family, and the values that are tried for it. A gene is the index of a value.
pub(super) struct SettingAxis {
    pub(super) parameter: &'static Parameter,
    pub(super) meaning: AxisMeaning,
}

pub(super) enum AxisMeaning {
    /// One of these values, where neighbours are similar.
    Ordered(Vec<String>),
    /// One of these values, where none is nearer to another.
    Unordered(Vec<String>),
    /// A queue order: one of the named orders, or a formula whose numbers are on the axes that follow. The formula with
    /// exponents is the first.
    Order(Vec<&'static str>, Vec<Template>),
    /// A number of a formula of the order before this axis.
    Number(FormulaAxis),
    /// Whether this option of several is taken.
    Taken(&'static str),
    /// A site change of this key to one of these values, where neighbours are similar; gene 0 changes nothing.
    Change(&'static str, &'static [&'static str]),
    /// A multiple of the parameter with this id, and at most the number.
    AtLeast(&'static str, i64),
}

pub(super) struct FormulaAxis {
    pub(super) formula: usize,
    pub(super) values: Vec<f64>,
}

impl SettingAxis {
    pub(super) fn len(&self) -> usize {
        match &self.meaning {
            AxisMeaning::Ordered(values) | AxisMeaning::Unordered(values) => values.len(),
            AxisMeaning::Order(named, formulas) => named.len() + formulas.len(),
            AxisMeaning::Number(number) => number.values.len(),
            AxisMeaning::Taken(_) => 2,
            AxisMeaning::Change(_, values) => values.len() + 1,
            AxisMeaning::AtLeast(..) => TIMES_AS_MUCH.len(),
        }
    }

    /// The number of formulas, if this is an order; otherwise 0.
    pub(super) fn formulas(&self) -> usize {
        if let AxisMeaning::Order(_, formulas) = &self.meaning { formulas.len() } else { 0 }
    }

    pub(super) fn is_ordered(&self) -> bool {
        matches!(self.meaning, AxisMeaning::Ordered(_) | AxisMeaning::Number(_) | AxisMeaning::AtLeast(..))
    }
}

/// The axes of a parameter; empty where it is not searched. `chosen` are the families and formulas of the question.
pub(super) fn axes_of(parameter: &'static Parameter, chosen: &[String]) -> Vec<SettingAxis> {
    let one = |meaning| vec![SettingAxis { parameter, meaning }];
    let texts = |numbers: Vec<i64>| -> Vec<String> { numbers.iter().map(ToString::to_string).collect() };
    match parameter.kind {
        Kind::Choice { options, .. } => {
            one(AxisMeaning::Unordered(options.iter().map(|(id, _)| (*id).to_owned()).collect()))
        }
        // There is nothing to choose but what a person writes.
        Kind::Formula { options: [_], presets: [], .. } => Vec::new(),
        Kind::Formula { options, presets, .. } => {
            let named = options.iter().map(|(id, _)| *id).collect();
            let formulas = open_formulas(presets, chosen);
            let numbers = formulas.iter().enumerate();
            let numbers = numbers.flat_map(|(formula, open)| open.numbers().iter().map(move |open| (formula, open)));
            let axis = |(formula, open): (usize, &OpenNumber)| {
                let meaning = AxisMeaning::Number(FormulaAxis { formula, values: open.values.clone() });
                SettingAxis { parameter, meaning }
            };
            let numbers: Vec<SettingAxis> = numbers.map(axis).collect();
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
        Kind::Several { options, .. } | Kind::Orders { options, .. } => {
            options.iter().map(|(id, _)| SettingAxis { parameter, meaning: AxisMeaning::Taken(id) }).collect()
        }
        Kind::Changes { tried } => tried
            .iter()
            .map(|&(key, values)| SettingAxis { parameter, meaning: AxisMeaning::Change(key, values) })
            .collect(),
        Kind::File | Kind::Script => Vec::new(),
    }
}

/// A multiple of `other`, by the factor of a gene, but at most `most`.
pub(super) fn at_least(other: i64, gene: usize, most: i64) -> i64 {
    ((other as f64 * TIMES_AS_MUCH[gene]) as i64).min(most)
}

pub(super) fn order_before(axes: &[SettingAxis], place: usize) -> usize {
    let orders = (0..place).filter(|&i| matches!(axes[i].meaning, AxisMeaning::Order(..)));
    orders.max().unwrap_or_default()
}

pub(super) fn numbers(axes: &[SettingAxis], genes: &[u8], order: usize, formula: usize) -> Vec<f64> {
    let own = axes.iter().zip(genes).skip(order + 1).map_while(|(axis, &gene)| match &axis.meaning {
        AxisMeaning::Number(number) => Some((number, gene)),
        _ => None,
    });
    own.filter(|(number, _)| number.formula == formula).map(|(number, gene)| number.values[usize::from(gene)]).collect()
}

// What a search measures of a run.

/// What a search measures of a run. As text: `max_wait`, `loss(user)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aspect {
    Metric(Metric),
    /// The largest loss of a group against the baseline, as a share: by how much the mean wait of its jobs grows; 0
    /// where no group loses ([`crate::GroupedWaits`]).
    Loss(Grouping),
}

impl Aspect {
    pub fn name(self) -> String {
        match self {
            Aspect::Metric(metric) => metric.about().name.to_owned(),
            // what SWF calls a queue is a QOS in a log of Slurm
            Aspect::Loss(Grouping::Queue) => "Loss by queue or QOS".to_owned(),
            Aspect::Loss(by) => format!("Loss by {}", by.name().to_lowercase()),
        }
    }

    /// The name as a heading of values in hours, with the unit.
    pub fn heading(self, part: &str) -> String {
        let unit = match self {
            Aspect::Metric(metric) => unit(metric, TimeUnit::Hours),
            Aspect::Loss(_) => "",
        };
        let name = self.name();
        if unit.is_empty() { format!("{name}{part}") } else { format!("{name}{part} ({unit})") }
    }

    pub fn help(self) -> UnitText {
        match self {
            Aspect::Metric(metric) => metric.about().help,
            Aspect::Loss(_) => UnitText::new(
                "By how much the mean wait of the group that loses most is longer than under the baseline, of groups \
                 with 20 jobs and more and by more than a minute; of a wait before of at least a minute",
            ),
        }
    }

    /// Whether much or little of it is better.
    pub fn aim(self) -> Aim {
        match self {
            Aspect::Metric(metric) => metric.about().aim,
            Aspect::Loss(_) => Aim::Low,
        }
    }

    /// Whether its values are times, in seconds.
    pub fn is_time(self) -> bool {
        matches!(self, Aspect::Metric(metric) if metric.about().unit == "s")
    }

    pub fn text(self, of: f64, time: TimeUnit) -> String {
        match self {
            Aspect::Metric(metric) => value(metric, of, time),
            Aspect::Loss(_) => format!("{}{SPACE}%", number(100.0 * of)),
        }
    }

    /// Whether a change of its value relative to the baseline's says anything: a loss is one already.
    pub fn has_changes(self) -> bool {
        matches!(self, Aspect::Metric(_))
    }
}

impl fmt::Display for Aspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Aspect::Metric(metric) => metric.fmt(f),
            Aspect::Loss(by) => write!(f, "loss({by})"),
        }
    }
}

impl FromStr for Aspect {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.strip_prefix("loss(").and_then(|rest| rest.strip_suffix(')')) {
            Some(by) if by.eq_ignore_ascii_case("qos") => Ok(Aspect::Loss(Grouping::Queue)),
            Some(by) => by.parse().map(Aspect::Loss).map_err(|error| format!("{error}")),
            None => text.parse().map(Aspect::Metric).map_err(|error| format!("{error}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_aspect_is_its_text_again() {
        for text in ["max_wait", "loss(user)", "loss(runtime-dynp)"] {
            assert_eq!(text.parse::<Aspect>().unwrap().to_string(), text);
        }
        let loss: Aspect = "loss(partition)".parse().unwrap();
        assert_eq!((loss.heading(", select"), loss.is_time()), ("Loss by partition, select".to_owned(), false));
        assert_eq!(loss.text(0.125, TimeUnit::Hours).replace(SPACE, " "), "12.5 %");
        let of_slurm: Aspect = "loss(QOS)".parse().unwrap();
        assert_eq!((of_slurm, of_slurm.name()), (Aspect::Loss(Grouping::Queue), "Loss by queue or QOS".to_owned()));
        assert!("loss(nobody)".parse::<Aspect>().unwrap_err().contains("there is no"));
        assert!("loss(user".parse::<Aspect>().unwrap_err().contains("there is no metric"));
    }
}

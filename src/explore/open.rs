//! Formulas of queue orders with open numbers, from the catalogue or written by a person, and the values that a search
//! tries.

use crate::catalogue::{Formula, FormulaNumber, WRITTEN};
use crate::expression::{Template, TemplateError};
use crate::scheduler::Order;

/// The ranges of exponents that are tried, for a, b and c of wait^a / (E^b r^c).
pub(super) const EXPONENTS: [(f64, f64); 3] = [(0.0, 4.0), (-1.0, 4.0), (-2.0, 3.0)];

/// The step between exponents.
pub(super) const STEP: f64 = 0.25;

/// The values that are tried for the numbers of other formulas, by their unit: hours, and seconds, which are tried
/// negative too.
const HOURS: [f64; 9] = [1.0, 4.0, 12.0, 24.0, 72.0, 168.0, 336.0, 720.0, 2_160.0];
const SECONDS: [f64; 8] = [0.0, 60.0, 300.0, 1_800.0, 3_600.0, 14_400.0, 86_400.0, 604_800.0];

pub(super) enum OpenFormula {
    Catalogue(&'static Formula),
    Written(Template),
}

impl OpenFormula {
    /// The formulas of a parameter that takes `formulas`, if `chosen` are the families and formulas of the question.
    /// The one with exponents is the first.
    pub(super) fn all(formulas: &'static [Formula], chosen: &[String]) -> Vec<Self> {
        let is_tried =
            |formula: &&Formula| is_always_tried(formula) || chosen.iter().any(|chosen| chosen == formula.id);
        let of_catalogue = formulas.iter().filter(is_tried).map(OpenFormula::Catalogue);
        let written = chosen.iter().filter_map(|chosen| written(chosen)?.ok()).map(OpenFormula::Written);
        of_catalogue.chain(written).collect()
    }

    /// Whether this is the formula of the catalogue with this id.
    pub(super) fn is(&self, id: &str) -> bool {
        matches!(self, OpenFormula::Catalogue(formula) if formula.id == id)
    }

    pub(super) fn numbers(&self) -> usize {
        match self {
            OpenFormula::Catalogue(formula) => formula.numbers.len(),
            OpenFormula::Written(template) => template.numbers().len(),
        }
    }

    /// The values that are tried for a number.
    pub(super) fn values(&self, number: usize) -> Vec<f64> {
        match self {
            OpenFormula::Catalogue(formula) => values_of(formula, number),
            OpenFormula::Written(template) => template.numbers()[number].values.clone(),
        }
    }

    /// The formula with these numbers, as the value of a parameter.
    pub(super) fn filled(&'_ self, numbers: &[f64]) -> Option<String> {
        match self {
            OpenFormula::Catalogue(formula) => formula.filled(numbers).map(|filled| filled.to_string()),
            OpenFormula::Written(template) => template.filled(numbers).ok().map(|filled| format!("{WRITTEN}{filled}")),
        }
    }
}

/// The person's own formula that an entry of a question's families holds; `None` where the entry is something else.
pub(super) fn written(chosen: &str) -> Option<Result<Template, TemplateError>> {
    chosen.strip_prefix(WRITTEN).map(str::parse)
}

/// The formulas of queue orders that are only searched if they are chosen, like a family.
pub(super) fn chosen_formulas() -> impl Iterator<Item = &'static Formula> {
    Order::FORMULAS_WITH_SHARE.iter().filter(|formula| !is_always_tried(formula))
}

/// Whether a formula belongs to every search: the one with exponents does.
fn is_always_tried(formula: &Formula) -> bool {
    formula.id == Order::WITH_EXPONENTS.id
}

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

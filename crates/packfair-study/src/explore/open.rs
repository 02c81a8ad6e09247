//! Formulas of queue orders with open numbers, offered by name or written by a person.

use packfair_base::catalogue::{FormulaPreset, WRITTEN};
use packfair_base::expression::{Template, TemplateError};
use packfair_schedulers::Order;

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

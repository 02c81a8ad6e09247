//! Values that are some of several options, and formulas that the user has written, if the parameter takes these.

use super::ScriptError;
use super::configured::outside_brackets;
use crate::expression::{Expression, FormulaError};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// The text before a formula that the user has written.
pub const WRITTEN: &str = "formula:";

/// The id and display name of each option.
type SelectionOptions = &'static [(&'static str, &'static str)];

/// The options that are taken, at least one of several, or formulas in their place. As text: their ids, joined by `+`,
/// or `all`; then each formula after [`WRITTEN`], in parentheses where it is a sum (`fcfs+sjf+formula:wait/estimate`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Selection {
    options: SelectionOptions,
    /// Bit i is set where option i is taken.
    places: u32,
    /// The formulas, each once, in the order in which they were written.
    written: &'static [&'static Expression],
}

impl Selection {
    /// The most formulas.
    pub const MOST_WRITTEN: usize = 4;

    pub fn all(options: SelectionOptions) -> Self {
        Selection { options, places: u32::MAX >> (u32::BITS - options.len() as u32), written: &[] }
    }

    /// Reads ids joined by `+`, `all`, or a number n for the first n options.
    pub(super) fn parse(options: SelectionOptions, text: &str) -> Option<Self> {
        let all = Selection::all(options);
        if text == "all" {
            return Some(all);
        }
        if let Ok(first) = text.parse::<usize>() {
            return (1..=options.len())
                .contains(&first)
                .then(|| Selection::all(&options[..first]))
                .map(|t| Selection { options, ..t });
        }
        let place = |id: &str| options.iter().position(|(other, _)| *other == id.trim());
        let places = text.split('+').try_fold(0, |places, id| Some(places | 1 << place(id)?))?;
        Some(Selection { places, ..all })
    }

    /// Reads ids and formulas joined by `+`; none where a part is neither. A formula that is a sum is in parentheses.
    pub(super) fn parse_with_written(options: SelectionOptions, text: &str) -> Option<Self> {
        let (formulas, ids): (Vec<&str>, Vec<&str>) =
            outside_brackets(text, '+').map(str::trim).partition(|part| part.starts_with(WRITTEN));
        if formulas.is_empty() {
            return Selection::parse(options, text);
        }
        let mut taken = Selection { options, places: 0, written: &[] };
        for id in ids {
            let named = |(other, _): &(&str, &str)| *other == id;
            taken = match options.iter().position(named) {
                Some(place) => taken.with(place, true),
                None if id == "all" => Selection { places: Selection::all(options).places, ..taken },
                None => return None,
            };
        }
        let written: Option<Vec<Expression>> = formulas.into_iter().map(|text| read_one(text).ok()).collect();
        taken.with_written(written?)
    }

    /// What is wrong with a formula in such a text; none where all are right.
    pub(super) fn wrong_formula(text: &str) -> Option<FormulaError> {
        let formulas = outside_brackets(text, '+').map(str::trim).filter(|part| part.starts_with(WRITTEN));
        formulas.filter_map(|text| read_one(text).err()).next()
    }

    /// Whether the option at a place is taken.
    pub fn takes(&self, place: usize) -> bool {
        self.places >> place & 1 == 1
    }

    /// These options, with the one at a place taken or not taken.
    pub fn with(self, place: usize, is_taken: bool) -> Self {
        let places = if is_taken { self.places | 1 << place } else { self.places & !(1 << place) };
        Selection { places, ..self }
    }

    /// These options with other formulas; none where there are too many.
    pub fn with_written(self, formulas: Vec<Expression>) -> Option<Self> {
        let mut written: Vec<&'static Expression> = Vec::new();
        for formula in formulas.into_iter().map(Expression::kept) {
            if !written.contains(&formula) {
                written.push(formula);
            }
        }
        (written.len() <= Self::MOST_WRITTEN).then(|| Selection { written: kept(written), ..self })
    }

    /// Takes the options with these ids; all where no id is given.
    pub(super) fn of(options: SelectionOptions, ids: &[&str]) -> Self {
        let all = Selection::all(options);
        if ids.is_empty() {
            return all;
        }
        let is_taken = |place: &usize| ids.contains(&options[*place].0);
        Selection { places: (0..options.len()).filter(is_taken).fold(0, |places, place| places | 1 << place), ..all }
    }

    /// The ids of the options taken, in the order of the options.
    pub fn ids(&self) -> impl Iterator<Item = &'static str> {
        let taken = *self;
        self.options.iter().enumerate().filter(move |(place, _)| taken.takes(*place)).map(|(_, (id, _))| *id)
    }

    /// The formulas, in the order in which they were written.
    pub fn written(&self) -> &'static [&'static Expression] {
        self.written
    }

    /// The number of options and formulas taken.
    pub fn count(&self) -> usize {
        self.places.count_ones() as usize + self.written.len()
    }

    /// Whether nothing is taken. No parameter allows that.
    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }
}

/// Reads a formula that follows [`WRITTEN`].
fn read_one(text: &str) -> Result<Expression, FormulaError> {
    let read: Expression = text.strip_prefix(WRITTEN).unwrap_or(text).parse()?;
    // the parentheses with which it is written may make it too long or too deep
    in_parentheses(&read).parse()
}

/// The text of a formula among others: in parentheses where it is a sum.
fn in_parentheses(formula: &Expression) -> String {
    let text = formula.to_string();
    if outside_brackets(&text, '+').count() > 1 { format!("({text})") } else { text }
}

/// The same formulas, kept once for as long as the program runs, so that a value is as small as that of a choice.
fn kept(formulas: Vec<&'static Expression>) -> &'static [&'static Expression] {
    type Kept = BTreeMap<String, &'static [&'static Expression]>;
    static KEPT: Mutex<Kept> = Mutex::new(BTreeMap::new());
    // no thread panics while it holds the lock
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let text = formulas.iter().map(ToString::to_string).collect::<Vec<_>>().join(";");
    kept.entry(text).or_insert_with(|| Box::leak(formulas.into_boxed_slice()))
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        let is_all = self.places == Selection::all(self.options).places;
        for id in is_all.then_some("all").into_iter().chain(self.ids().filter(|_| !is_all)) {
            write!(f, "{separator}{id}")?;
            separator = "+";
        }
        for formula in self.written {
            write!(f, "{separator}{WRITTEN}{}", in_parentheses(formula))?;
            separator = "+";
        }
        Ok(())
    }
}

// Why a text is not an entry of a catalogue, or not a value of a parameter.

/// Why a text is not an id, or not a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownId {
    #[error("there is no {what} \"{given}\"; there are {known}")]
    Entry {
        what: &'static str,
        /// The text as given.
        given: String,
        /// What would be right.
        known: String,
    },
    #[error("{parameter} of {of} cannot be \"{given}\"; it takes {takes}")]
    Value {
        of: String,
        parameter: String,
        /// The text as given.
        given: String,
        /// What would be right.
        takes: String,
    },
    #[error("{parameter} of {of}: {why}")]
    Formula {
        of: String,
        parameter: String,
        /// What is wrong, and where.
        why: FormulaError,
    },
    #[error("{of}: {why}")]
    Script { of: String, why: ScriptError },
    #[error("{of}: {why}")]
    Together { of: String, why: String },
    #[error("{preset} takes no settings, for it is a name for some: {means}; change these")]
    Preset { preset: &'static str, means: &'static str },
    #[error("\"{given}\" cannot be read; it should look like {like}")]
    Form {
        /// The text as given.
        given: String,
        like: &'static str,
    },
}

impl UnknownId {
    pub fn entry(what: &'static str, given: &str, known: impl Iterator<Item = &'static str>) -> Self {
        UnknownId::Entry { what, given: shortened(given), known: known.collect::<Vec<_>>().join(", ") }
    }
}

/// How much of a wrong text is shown, characters.
const SHOWN: usize = 40;

/// The beginning of a text, for a message.
pub fn shortened(text: &str) -> String {
    text.chars().take(SHOWN).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: SelectionOptions = &[("fcfs", "FCFS"), ("sjf", "SJF"), ("ljf", "LJF")];

    fn read(text: &str) -> Option<String> {
        Selection::parse_with_written(OPTIONS, text).map(|taken| taken.to_string())
    }

    #[test]
    fn formulas_stand_behind_the_options_each_once() {
        for (text, written) in [
            ("sjf+fcfs", "fcfs+sjf"),
            ("3", "all"),
            ("formula: wait / estimate", "formula:wait/estimate"),
            (
                "formula:-area+ljf+formula:(wait + 3*estimate)+formula:-area",
                "ljf+formula:-area+formula:(wait+3*estimate)",
            ),
            ("formula:max(wait+1,5)+all", "all+formula:max(wait+1,5)"),
        ] {
            assert_eq!(read(text).as_deref(), Some(written), "{text}");
            assert_eq!(read(written).as_deref(), Some(written));
        }
        let taken = Selection::parse_with_written(OPTIONS, "sjf+formula:wait").unwrap();
        assert_eq!((taken.count(), taken.with(1, false).count(), taken.with(1, false).is_empty()), (2, 1, false));
        assert_eq!(taken, Selection::parse_with_written(OPTIONS, "formula:wait+sjf").unwrap());
    }

    #[test]
    fn what_is_neither_an_option_nor_a_formula_is_refused() {
        for text in
            ["formula:wait+3*estimate", "formula:wait+2", "formula:wait+", "", "formula:", "wait", "sjf+formula:whit"]
        {
            assert_eq!(read(text), None, "{text}");
        }
        let five = ["1", "2", "3", "4", "5"].map(|n| format!("formula:wait*{n}")).join("+");
        assert_eq!(read(&five), None, "too many");
        assert!(Selection::wrong_formula("sjf+formula:whit").unwrap().to_string().contains("there is wait"));
        assert_eq!(Selection::wrong_formula("sjf+formula:wait"), None);
        // a sum of the longest allowed length
        let long = format!("wait+{}1", "1+".repeat(197));
        assert_eq!(long.len(), 400);
        assert!(long.parse::<Expression>().is_ok() && read(&format!("formula:({})", &long[..396])).is_some());
        assert_eq!(read(&format!("formula:({long})")), None);
    }
}

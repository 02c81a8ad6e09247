//! The values of parameters.

use super::{Changes, Filled, NamedFile, Script};
use crate::expression::Expression;
use std::fmt;

/// What stands before a formula that a person has written.
pub const WRITTEN: &str = "formula:";

/// The value of one parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// The id of the option taken.
    Choice(&'static str),
    /// A formula with its numbers.
    Formula(Filled),
    /// A formula that a person has written; as text behind [`WRITTEN`].
    Written(&'static Expression),
    /// A whole number, or none.
    Whole(Option<i64>),
    /// Those that are taken.
    Several(Taken),
    /// A real number.
    Real(f64),
    /// A file; none where none is named.
    File(Option<NamedFile>),
    /// Changes of what a file says.
    Changes(Changes),
    /// A script; none where none is given.
    Script(Option<&'static Script>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Choice(id) => f.write_str(id),
            Value::Formula(filled) => write!(f, "{filled}"),
            Value::Written(expression) => write!(f, "{WRITTEN}{expression}"),
            Value::Whole(Some(n)) => write!(f, "{n}"),
            Value::Whole(None) => f.write_str("off"),
            Value::Several(taken) => write!(f, "{taken}"),
            Value::Real(x) => write!(f, "{x}"),
            Value::File(Some(file)) => write!(f, "{file}"),
            Value::Script(Some(script)) => write!(f, "{script}"),
            Value::File(None) | Value::Script(None) => f.write_str("none"),
            Value::Changes(changes) => write!(f, "{changes}"),
        }
    }
}

/// Those of several options that are taken, at least one. As text: their ids, joined by `+`; `all`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Taken {
    options: &'static [(&'static str, &'static str)],
    /// Bit i is set where option i is taken.
    places: u32,
}

impl Taken {
    /// All options.
    pub fn all(options: &'static [(&'static str, &'static str)]) -> Self {
        Taken { options, places: u32::MAX >> (u32::BITS - options.len() as u32) }
    }

    /// Reads ids joined by `+`, `all`, or a number n for the first n options.
    pub(super) fn parse(options: &'static [(&'static str, &'static str)], text: &str) -> Option<Self> {
        let all = Taken::all(options);
        if text == "all" {
            return Some(all);
        }
        if let Ok(first) = text.parse::<usize>() {
            return (1..=options.len())
                .contains(&first)
                .then(|| Taken::all(&options[..first]))
                .map(|t| Taken { options, ..t });
        }
        let place = |id: &str| options.iter().position(|(other, _)| *other == id.trim());
        let places = text.split('+').try_fold(0, |places, id| Some(places | 1 << place(id)?))?;
        Some(Taken { options, places })
    }

    /// Whether the option at a place is taken.
    pub fn takes(&self, place: usize) -> bool {
        self.places >> place & 1 == 1
    }

    /// The same with the option at a place taken, or not.
    pub fn with(self, place: usize, is_taken: bool) -> Self {
        let places = if is_taken { self.places | 1 << place } else { self.places & !(1 << place) };
        Taken { places, ..self }
    }

    /// The options with these ids; all where there are none.
    pub(super) fn of(options: &'static [(&'static str, &'static str)], ids: &[&str]) -> Self {
        if ids.is_empty() {
            return Taken::all(options);
        }
        let is_taken = |place: &usize| ids.contains(&options[*place].0);
        Taken { options, places: (0..options.len()).filter(is_taken).fold(0, |places, place| places | 1 << place) }
    }

    /// Ids of the options taken, in their order.
    pub fn ids(&self) -> impl Iterator<Item = &'static str> {
        let taken = *self;
        self.options.iter().enumerate().filter(move |(place, _)| taken.takes(*place)).map(|(_, (id, _))| *id)
    }

    /// Whether no option is taken, which no parameter allows.
    pub fn is_empty(&self) -> bool {
        self.places == 0
    }
}

impl fmt::Display for Taken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Taken::all(self.options) {
            return f.write_str("all");
        }
        f.write_str(&self.ids().collect::<Vec<_>>().join("+"))
    }
}

//! What can be set of an entry, and the values that it takes.

use super::{Changes, Formula, Script, ScriptError, Taken, Value, WRITTEN};
use crate::expression::{Expression, FormulaError};

/// A parameter of an entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Stable id.
    pub id: &'static str,
    /// Label.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// What values it takes.
    pub kind: Kind,
}

/// The values a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// One of several ids.
    Choice {
        /// Id and display name of each.
        options: &'static [(&'static str, &'static str)],
        /// Id of the one taken where nothing is said.
        default: &'static str,
    },
    /// One of several ids, a formula with its numbers, or one that a person writes.
    Formula {
        /// Id and display name of each that has no numbers.
        options: &'static [(&'static str, &'static str)],
        /// Those with numbers.
        formulas: &'static [Formula],
        /// Id of the option taken where nothing is said.
        default: &'static str,
    },
    /// A whole number, or nothing where `default` is `None`.
    Whole {
        /// Smallest.
        min: i64,
        /// Largest.
        max: i64,
        /// Taken where nothing is said.
        default: Option<i64>,
        /// Unit, empty where it has none.
        unit: &'static str,
    },
    /// A whole number that is at least the value of another parameter, which is a whole number too.
    AtLeast {
        /// Id of the other parameter.
        other: &'static str,
        /// Largest.
        max: i64,
        /// Taken where nothing is said; not below what is taken of the other.
        default: i64,
        /// Unit, empty where it has none.
        unit: &'static str,
    },
    /// One or more of several.
    Several {
        /// Id and display name of each, at most 32.
        options: &'static [(&'static str, &'static str)],
        /// Ids of those taken where nothing is said; none stands for all.
        default: &'static [&'static str],
    },
    /// One or more of several queue orders, with formulas that a person writes among them.
    Orders {
        /// Id and display name of each, at most 32.
        options: &'static [(&'static str, &'static str)],
        /// Ids of those taken where nothing is said.
        default: &'static [&'static str],
    },
    /// A real number.
    Real {
        /// Smallest.
        min: f64,
        /// Largest.
        max: f64,
        /// Taken where nothing is said.
        default: f64,
        /// Unit, empty where it has none.
        unit: &'static str,
    },
    /// A file of a person's own. There is no usual one: who names none cannot have the entry.
    File,
    /// Changes of what a file says, `key=value` each. An entry has one such parameter at most, and every pair that is no
    /// other parameter's is one of its changes. What there is to change, the family checks.
    Changes {
        /// The keys that a search tries, and values of each, of which neighbours are alike.
        tried: &'static [(&'static str, &'static [&'static str])],
    },
    /// A script of a person's own. There is no usual one either.
    Script,
}

impl Parameter {
    /// The value taken where nothing is said.
    pub fn default(&self) -> Value {
        match self.kind {
            Kind::Choice { default, .. } | Kind::Formula { default, .. } => Value::Choice(default),
            Kind::Whole { default, .. } => Value::Whole(default),
            Kind::AtLeast { default, .. } => Value::Whole(Some(default)),
            Kind::Several { options, default } | Kind::Orders { options, default } => {
                Value::Several(Taken::of(options, default))
            }
            Kind::Real { default, .. } => Value::Real(default),
            Kind::File => Value::File(None),
            Kind::Changes { .. } => Value::Changes(Changes::default()),
            Kind::Script => Value::Script(None),
        }
    }

    /// What values it takes, in words.
    pub fn takes(&self) -> String {
        match self.kind {
            Kind::Choice { options, .. } => options.iter().map(|(id, _)| *id).collect::<Vec<_>>().join(", "),
            Kind::Formula { options, formulas, .. } => {
                let ids: Vec<&str> = options.iter().map(|(id, _)| *id).collect();
                let written: Vec<String> = formulas.iter().map(Formula::takes).collect();
                let named: Vec<String> = [ids.join(", ")].into_iter().chain(written).collect();
                format!("{}, or {WRITTEN} and a formula such as wait/estimate", named.join(", or "))
            }
            Kind::AtLeast { other, max, unit, .. } => {
                format!("a whole number from {other} to {max}{}{unit}", if unit.is_empty() { "" } else { " " })
            }
            Kind::Several { options, .. } => {
                let ids: Vec<&str> = options.iter().map(|(id, _)| *id).collect();
                format!("all, or some of {}, joined by +", ids.join(", "))
            }
            Kind::Orders { options, .. } => {
                let ids: Vec<&str> = options.iter().map(|(id, _)| *id).collect();
                let most = Taken::MOST_WRITTEN;
                format!(
                    "all, or some of {}, joined by +, and up to {most} formulas such as {WRITTEN}wait/estimate or \
                     {WRITTEN}(wait+2h)",
                    ids.join(", ")
                )
            }
            Kind::Whole { min, max, unit, default } => {
                let or_off = if default.is_none() { ", or off" } else { "" };
                format!("a whole number from {min} to {max}{}{unit}{or_off}", if unit.is_empty() { "" } else { " " })
            }
            Kind::Real { min, max, unit, .. } => {
                format!("a number from {min} to {max}{}{unit}", if unit.is_empty() { "" } else { " " })
            }
            Kind::File => "a file as NAME@DIGEST".to_owned(),
            Kind::Changes { .. } => "changes as KEY=VALUE, with a comma between two".to_owned(),
            Kind::Script => "a script as NAME@TEXT, its text packed".to_owned(),
        }
    }

    /// What is wrong with a formula that a person has written as the value of this parameter, or a part of it; none where nothing
    /// is, or the parameter takes none.
    pub fn wrong_formula(&self, text: &str) -> Option<FormulaError> {
        match self.kind {
            Kind::Formula { .. } => text.trim().strip_prefix(WRITTEN)?.parse::<Expression>().err(),
            Kind::Orders { .. } => Taken::wrong_formula(text),
            _ => None,
        }
    }

    /// What is wrong with a script as the value of this parameter; none where nothing is, or the parameter takes none.
    pub fn wrong_script(&self, text: &str) -> Option<ScriptError> {
        matches!(self.kind, Kind::Script).then(|| Script::unpacked(text.trim()).err()).flatten()
    }

    /// Reads a value; `None` where it is not one that the parameter takes.
    pub fn parse(&self, text: &str) -> Option<Value> {
        let text = text.trim();
        match self.kind {
            Kind::Choice { options, .. } => options.iter().find(|(id, _)| *id == text).map(|(id, _)| Value::Choice(id)),
            Kind::Formula { options, formulas, .. } => {
                let named = options.iter().find(|(id, _)| *id == text).map(|(id, _)| Value::Choice(id));
                let filled = || formulas.iter().find_map(|formula| formula.parse(text)).map(Value::Formula);
                let written = || {
                    let expression: Expression = text.strip_prefix(WRITTEN)?.parse().ok()?;
                    Some(Value::Written(expression.kept()))
                };
                named.or_else(filled).or_else(written)
            }
            Kind::AtLeast { max, .. } => text.parse().ok().filter(|n| *n <= max).map(|n| Value::Whole(Some(n))),
            Kind::Several { options, .. } => Taken::parse(options, text).map(Value::Several),
            Kind::Orders { options, .. } => Taken::parse_with_written(options, text).map(Value::Several),
            Kind::Whole { default: None, .. } if text == "off" => Some(Value::Whole(None)),
            Kind::Whole { min, max, .. } => {
                text.parse().ok().filter(|n| (min..=max).contains(n)).map(|n| Value::Whole(Some(n)))
            }
            Kind::Real { min, max, .. } => text.parse().ok().filter(|x| (min..=max).contains(x)).map(Value::Real),
            Kind::File => text.parse().ok().map(|file| Value::File(Some(file))),
            Kind::Changes { .. } => Changes::parse(text).map(Value::Changes),
            Kind::Script => Script::unpacked(text).ok().map(|script| Value::Script(Some(script))),
        }
    }
}

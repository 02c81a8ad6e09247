//! Parameters: what can be set of an entry, and the values that a parameter takes.

use super::{Changes, FormulaPreset, NamedFile, Script, ScriptError, Selection, WRITTEN};
use crate::expression::{Expression, FormulaError};
use std::fmt;

/// A parameter of an entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Stable id.
    pub id: &'static str,
    /// Label.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// The values that it takes.
    pub kind: Kind,
}

/// The values a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// One of several ids.
    Choice {
        /// Id and display name of each.
        options: &'static [(&'static str, &'static str)],
        /// The id of the default option.
        default: &'static str,
    },
    /// One of several ids, or a formula, which the user writes or which has a name.
    Formula {
        /// Id and display name of each.
        options: &'static [(&'static str, &'static str)],
        /// The formulas that have names.
        presets: &'static [FormulaPreset],
        /// The id of the default option.
        default: &'static str,
    },
    /// A whole number, or nothing where `default` is `None`.
    Whole {
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
        /// The default value.
        default: Option<i64>,
        /// Unit, empty where it has none.
        unit: &'static str,
    },
    /// A whole number that is at least the value of another parameter, which is a whole number too.
    AtLeast {
        /// Id of the other parameter.
        other: &'static str,
        /// The largest value.
        max: i64,
        /// The default value, not below that of the other parameter.
        default: i64,
        /// Unit, empty where it has none.
        unit: &'static str,
    },
    /// One or more of several ids.
    Several {
        /// Id and display name of each, at most 32.
        options: &'static [(&'static str, &'static str)],
        /// The ids taken by default; none stands for all.
        default: &'static [&'static str],
    },
    /// One or more of several queue orders, and formulas that the user writes.
    Orders {
        /// Id and display name of each, at most 32.
        options: &'static [(&'static str, &'static str)],
        /// The ids taken by default.
        default: &'static [&'static str],
    },
    /// A real number.
    Real {
        /// The smallest value.
        min: f64,
        /// The largest value.
        max: f64,
        /// The default value.
        default: f64,
        /// Unit, empty where it has none.
        unit: &'static str,
    },
    /// A file of the user's own. It has no default: without a file the entry cannot be used.
    File,
    /// Changes of what a file says, `key=value` each. An entry has at most one such parameter. Every pair that belongs
    /// to no other parameter is one of its changes. The family checks the keys.
    Changes {
        /// The keys that a search tries, and the values of each, ordered so that neighbours are similar.
        tried: &'static [(&'static str, &'static [&'static str])],
    },
    /// A script of the user's own. It has no default either.
    Script,
}

impl Parameter {
    /// The default value.
    pub fn default(&self) -> Value {
        match self.kind {
            Kind::Choice { default, .. } | Kind::Formula { default, .. } => Value::Choice(default),
            Kind::Whole { default, .. } => Value::Whole(default),
            Kind::AtLeast { default, .. } => Value::Whole(Some(default)),
            Kind::Several { options, default } | Kind::Orders { options, default } => {
                Value::Several(Selection::of(options, default))
            }
            Kind::Real { default, .. } => Value::Real(default),
            Kind::File => Value::File(None),
            Kind::Changes { .. } => Value::Changes(Changes::default()),
            Kind::Script => Value::Script(None),
        }
    }

    /// The values that the parameter takes, in words.
    pub fn takes(&self) -> String {
        match self.kind {
            Kind::Choice { options, .. } => options.iter().map(|(id, _)| *id).collect::<Vec<_>>().join(", "),
            Kind::Formula { options, presets, .. } => {
                let presets = presets.iter().map(|preset| preset.id);
                let ids: Vec<&str> = options.iter().map(|(id, _)| *id).chain(presets).collect();
                format!("{}, or {WRITTEN} and a formula such as wait/estimate", ids.join(", "))
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
                let most = Selection::MOST_WRITTEN;
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

    /// What is wrong with a formula that the user has written as the value of this parameter, or as a part of it; none
    /// where the formula is right, or the parameter takes no formulas.
    pub fn wrong_formula(&self, text: &str) -> Option<FormulaError> {
        match self.kind {
            Kind::Formula { .. } => text.trim().strip_prefix(WRITTEN)?.parse::<Expression>().err(),
            Kind::Orders { .. } => Selection::wrong_formula(text),
            _ => None,
        }
    }

    /// What is wrong with a script as the value of this parameter; none where the script is right, or the parameter
    /// takes no scripts.
    pub fn wrong_script(&self, text: &str) -> Option<ScriptError> {
        matches!(self.kind, Kind::Script).then(|| Script::unpacked(text.trim()).err()).flatten()
    }

    /// Reads a value; `None` where the parameter does not take it.
    pub fn parse(&self, text: &str) -> Option<Value> {
        let text = text.trim();
        match self.kind {
            Kind::Choice { options, .. } => options.iter().find(|(id, _)| *id == text).map(|(id, _)| Value::Choice(id)),
            Kind::Formula { options, presets, .. } => {
                let named = options.iter().find(|(id, _)| *id == text).map(|(id, _)| Value::Choice(id));
                let preset = || presets.iter().find(|preset| preset.id == text);
                let preset = || preset().map(|preset| Value::Written(preset.formula()));
                let written = || {
                    let expression: Expression = text.strip_prefix(WRITTEN)?.parse().ok()?;
                    Some(Value::Written(expression.kept()))
                };
                named.or_else(preset).or_else(written)
            }
            Kind::AtLeast { max, .. } => text.parse().ok().filter(|n| *n <= max).map(|n| Value::Whole(Some(n))),
            Kind::Several { options, .. } => Selection::parse(options, text).map(Value::Several),
            Kind::Orders { options, .. } => Selection::parse_with_written(options, text).map(Value::Several),
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

// The values of parameters.

/// The value of one parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// The id of the option taken.
    Choice(&'static str),
    /// A formula that the user has written; as text it follows [`WRITTEN`].
    Written(&'static Expression),
    /// A whole number, or none.
    Whole(Option<i64>),
    /// The options and formulas that are taken.
    Several(Selection),
    Real(f64),
    /// A file; none where none is named.
    File(Option<NamedFile>),
    Changes(Changes),
    /// A script; none where none is given.
    Script(Option<&'static Script>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Choice(id) => f.write_str(id),
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

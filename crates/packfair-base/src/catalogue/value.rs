//! The values of parameters.

use super::{Changes, NamedFile, Script, Selection, WRITTEN};
use crate::expression::Expression;
use std::fmt;

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

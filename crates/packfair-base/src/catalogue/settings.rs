//! Settings: the values of all parameters of an entry, and their text form.

use super::configured::outside_brackets;
use super::{Changes, Kind, NamedFile, Parameter, Script, Selection, UnknownId, Value, shortened};
use std::fmt;

/// The values of an entry's parameters, all within their ranges.
#[derive(Clone, Debug)]
pub struct Settings {
    parameters: &'static [Parameter],
    values: Vec<Value>,
}

impl PartialEq for Settings {
    /// Compares the ids of parameters, not all their fields, because runs are compared by the million.
    fn eq(&self, other: &Self) -> bool {
        let ids = |of: &Self| of.parameters.iter().map(|parameter| parameter.id);
        self.values == other.values && (std::ptr::eq(self.parameters, other.parameters) || ids(self).eq(ids(other)))
    }
}

impl Settings {
    pub fn defaults(parameters: &'static [Parameter]) -> Self {
        Settings { parameters, values: parameters.iter().map(Parameter::default).collect() }
    }

    /// Reads `id=value,id=value`. Parameters that are not named stay at their defaults. `of` names the entry in
    /// messages.
    ///
    /// # Errors
    /// If no parameter has the id, the parameter does not take the value, or a `=` is missing.
    pub fn parse(parameters: &'static [Parameter], of: &str, text: &str) -> Result<Self, UnknownId> {
        let mut settings = Settings::defaults(parameters);
        for pair in outside_brackets(text, ',').map(str::trim).filter(|pair| !pair.is_empty()) {
            let form = || UnknownId::Form { given: shortened(pair), like: "parameter=value" };
            let (id, value) = pair.split_once('=').ok_or_else(form)?;
            settings.take(of, id.trim(), value)?;
        }
        settings.check(of)?;
        Ok(settings)
    }

    /// Sets one parameter from text. `of` names the entry in messages.
    ///
    /// # Errors
    /// If no parameter has the id, the parameter does not take the value, or the value is not possible with the others.
    /// Then nothing is changed.
    pub fn set(&mut self, of: &str, id: &str, text: &str) -> Result<(), UnknownId> {
        let mut changed = self.clone();
        changed.take(of, id, text)?;
        changed.check(of)?;
        *self = changed;
        Ok(())
    }

    /// Checks that the values are possible together.
    fn check(&self, of: &str) -> Result<(), UnknownId> {
        for (parameter, value) in self.iter() {
            let (Kind::AtLeast { other, max, unit, .. }, Value::Whole(Some(n))) = (parameter.kind, value) else {
                continue;
            };
            let least = self.whole(other).unwrap_or(i64::MIN);
            if n < least {
                let space = if unit.is_empty() { "" } else { " " };
                return Err(UnknownId::Value {
                    of: of.to_owned(),
                    parameter: parameter.id.to_owned(),
                    given: n.to_string(),
                    takes: format!("a whole number from {least}, which is {other}, to {max}{space}{unit}"),
                });
            }
        }
        Ok(())
    }

    /// Sets one parameter, without checking it against the others.
    fn take(&mut self, of: &str, id: &str, text: &str) -> Result<(), UnknownId> {
        let position = self.parameters.iter().position(|p| p.id == id);
        if position.is_none()
            && let Some(changes) = self.values.iter_mut().find(|value| matches!(value, Value::Changes(_)))
        {
            let form = || UnknownId::Form { given: shortened(text), like: "parameter=value" };
            let Value::Changes(own) = *changes else { return Err(form()) };
            *changes = Value::Changes(own.with(id, text.trim()).ok_or_else(form)?);
            return Ok(());
        }
        let i = position.ok_or_else(|| UnknownId::entry("parameter", id, self.parameters.iter().map(|p| p.id)))?;
        let parameter = &self.parameters[i];
        if let Some(why) = parameter.wrong_formula(text) {
            return Err(UnknownId::Formula { of: of.to_owned(), parameter: id.to_owned(), why });
        }
        if let Some(why) = parameter.wrong_script(text) {
            return Err(UnknownId::Script { of: of.to_owned(), why });
        }
        self.values[i] = parameter.parse(text).ok_or_else(|| UnknownId::Value {
            of: of.to_owned(),
            parameter: id.to_owned(),
            given: shortened(text.trim()),
            takes: parameter.takes(),
        })?;
        Ok(())
    }

    pub fn iter(&self) -> impl Iterator<Item = (&'static Parameter, Value)> + '_ {
        self.parameters.iter().zip(self.values.iter().copied())
    }

    /// The value of a parameter.
    ///
    /// # Panics
    /// If the entry has no such parameter: a mistake in its file.
    pub fn get(&self, id: &str) -> Value {
        let found = self.iter().find(|(parameter, _)| parameter.id == id);
        found.unwrap_or_else(|| panic!("no parameter {id} in the catalogue")).1
    }

    /// The option taken of a choice parameter.
    ///
    /// # Panics
    /// If the entry has no such choice: a mistake in its file.
    pub fn choice(&self, id: &str) -> &'static str {
        match self.get(id) {
            Value::Choice(option) => option,
            other => panic!("{id} is {other}, not a choice"),
        }
    }

    /// The value of a whole-number parameter.
    ///
    /// # Panics
    /// If the entry has no such parameter: a mistake in its file.
    pub fn whole(&self, id: &str) -> Option<i64> {
        match self.get(id) {
            Value::Whole(n) => n,
            other => panic!("{id} is {other}, not a whole number"),
        }
    }

    /// The options taken of a parameter with several.
    ///
    /// # Panics
    /// If the entry has no such parameter: a mistake in its file.
    pub fn several(&self, id: &str) -> Selection {
        match self.get(id) {
            Value::Several(taken) => taken,
            other => panic!("{id} is {other}, not a list"),
        }
    }

    /// The file that is named, where the entry takes one.
    pub fn file(&self) -> Option<NamedFile> {
        self.values.iter().find_map(|value| match value {
            Value::File(file) => *file,
            _ => None,
        })
    }

    /// The changes of what a file says, where the entry takes some.
    pub fn changes(&self) -> Changes {
        let of = |value: &Value| match value {
            Value::Changes(changes) => Some(*changes),
            _ => None,
        };
        self.values.iter().find_map(of).unwrap_or_default()
    }

    /// The script that is given, where the entry takes one.
    pub fn script(&self) -> Option<&'static Script> {
        self.values.iter().find_map(|value| match value {
            Value::Script(script) => *script,
            _ => None,
        })
    }

    /// Whether the script is missing that the entry needs.
    pub fn lacks_script(&self) -> bool {
        self.values.contains(&Value::Script(None))
    }

    /// Whether the file is missing that the entry needs.
    pub fn lacks_file(&self) -> bool {
        self.values.contains(&Value::File(None))
    }

    /// The value of a real parameter.
    ///
    /// # Panics
    /// If the entry has no such parameter: a mistake in its file.
    pub fn real(&self, id: &str) -> f64 {
        match self.get(id) {
            Value::Real(x) => x,
            other => panic!("{id} is {other}, not a real number"),
        }
    }
}

/// `id=value,id=value` of the parameters that are not at their defaults; empty where all are.
impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (parameter, value) in self.iter().filter(|(parameter, value)| parameter.default() != *value) {
            match value {
                // every change is a pair by itself
                Value::Changes(changes) => write!(f, "{separator}{changes}")?,
                _ => write!(f, "{separator}{}={value}", parameter.id)?,
            }
            separator = ",";
        }
        Ok(())
    }
}

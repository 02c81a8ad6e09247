//! What the catalogues of schedulers, estimators, metrics and recipes have in common.
//!
//! The page's forms, the command line, links and the documentation are all made from these
//! catalogues: what is not in one does not exist, and what is in one is offered everywhere.

mod configured;
mod file;
mod formula;

pub use configured::{Catalogue, Configured, Family, Preset, meant};
pub use file::{NamedFile, NoNamedFile};
pub use formula::{Filled, Formula, FormulaNumber};

/// What a person is told of an entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// Stable id: in links, files and on the command line. Never changes once published.
    pub id: &'static str,
    /// Display name, the field's own.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// Paper and section that define it.
    pub source: &'static str,
    /// What can be set.
    pub parameters: &'static [Parameter],
}

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
    /// One of several ids, or a formula with its numbers.
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
}

/// Why a text is not an id, or not a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownId {
    /// No entry has this id.
    #[error("there is no {what} \"{given}\"; there are {known}")]
    Entry {
        /// Scheduler, estimator, metric, ...
        what: &'static str,
        /// The text as given.
        given: String,
        /// What would be right.
        known: String,
    },
    /// A parameter's value is not one it takes.
    #[error("{parameter} of {of} cannot be \"{given}\"; it takes {takes}")]
    Value {
        /// The entry.
        of: String,
        /// The parameter's id.
        parameter: String,
        /// The text as given.
        given: String,
        /// What would be right.
        takes: String,
    },
    /// Values that are each right make no sense together.
    #[error("{of}: {why}")]
    Together {
        /// The entry.
        of: String,
        /// What is wrong, and what to do.
        why: &'static str,
    },
    /// The text cannot be read at all.
    #[error("\"{given}\" cannot be read; it should look like {like}")]
    Form {
        /// The text as given.
        given: String,
        /// An example.
        like: &'static str,
    },
}

impl UnknownId {
    /// No entry of `entries` has the id `given`.
    pub fn entry(what: &'static str, given: &str, known: impl Iterator<Item = &'static str>) -> Self {
        UnknownId::Entry { what, given: shortened(given), known: known.collect::<Vec<_>>().join(", ") }
    }
}

/// How much of a text that is no id is shown, characters.
const SHOWN: usize = 40;

/// The beginning of a text, for a message.
pub fn shortened(text: &str) -> String {
    text.chars().take(SHOWN).collect()
}

/// The values of an entry's parameters, all within their ranges.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    parameters: &'static [Parameter],
    values: Vec<Value>,
}

/// The value of one parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// The id of the option taken.
    Choice(&'static str),
    /// A formula with its numbers.
    Formula(Filled),
    /// A whole number, or none.
    Whole(Option<i64>),
    /// Those that are taken.
    Several(Taken),
    /// A real number.
    Real(f64),
    /// A file; none where none is named.
    File(Option<NamedFile>),
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
    fn parse(options: &'static [(&'static str, &'static str)], text: &str) -> Option<Self> {
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
    fn of(options: &'static [(&'static str, &'static str)], ids: &[&str]) -> Self {
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

impl std::fmt::Display for Taken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if *self == Taken::all(self.options) {
            return f.write_str("all");
        }
        f.write_str(&self.ids().collect::<Vec<_>>().join("+"))
    }
}

impl Parameter {
    /// The value taken where nothing is said.
    pub fn default(&self) -> Value {
        match self.kind {
            Kind::Choice { default, .. } | Kind::Formula { default, .. } => Value::Choice(default),
            Kind::Whole { default, .. } => Value::Whole(default),
            Kind::AtLeast { default, .. } => Value::Whole(Some(default)),
            Kind::Several { options, default } => Value::Several(Taken::of(options, default)),
            Kind::Real { default, .. } => Value::Real(default),
            Kind::File => Value::File(None),
        }
    }

    /// What values it takes, in words.
    pub fn takes(&self) -> String {
        match self.kind {
            Kind::Choice { options, .. } => options.iter().map(|(id, _)| *id).collect::<Vec<_>>().join(", "),
            Kind::Formula { options, formulas, .. } => {
                let ids: Vec<&str> = options.iter().map(|(id, _)| *id).collect();
                let written: Vec<String> = formulas.iter().map(Formula::takes).collect();
                format!("{}, or {}", ids.join(", "), written.join(", or "))
            }
            Kind::AtLeast { other, max, unit, .. } => {
                format!("a whole number from {other} to {max}{}{unit}", if unit.is_empty() { "" } else { " " })
            }
            Kind::Several { options, .. } => {
                let ids: Vec<&str> = options.iter().map(|(id, _)| *id).collect();
                format!("all, or some of {}, joined by +", ids.join(", "))
            }
            Kind::Whole { min, max, unit, default } => {
                let or_off = if default.is_none() { ", or off" } else { "" };
                format!("a whole number from {min} to {max}{}{unit}{or_off}", if unit.is_empty() { "" } else { " " })
            }
            Kind::Real { min, max, unit, .. } => {
                format!("a number from {min} to {max}{}{unit}", if unit.is_empty() { "" } else { " " })
            }
            Kind::File => "a file as NAME@DIGEST".to_owned(),
        }
    }

    /// Reads a value; `None` where it is not one that the parameter takes.
    pub fn parse(&self, text: &str) -> Option<Value> {
        let text = text.trim();
        match self.kind {
            Kind::Choice { options, .. } => options.iter().find(|(id, _)| *id == text).map(|(id, _)| Value::Choice(id)),
            Kind::Formula { options, formulas, .. } => {
                let named = options.iter().find(|(id, _)| *id == text).map(|(id, _)| Value::Choice(id));
                named.or_else(|| formulas.iter().find_map(|formula| formula.parse(text)).map(Value::Formula))
            }
            Kind::AtLeast { max, .. } => text.parse().ok().filter(|n| *n <= max).map(|n| Value::Whole(Some(n))),
            Kind::Several { options, .. } => Taken::parse(options, text).map(Value::Several),
            Kind::Whole { default: None, .. } if text == "off" => Some(Value::Whole(None)),
            Kind::Whole { min, max, .. } => {
                text.parse().ok().filter(|n| (min..=max).contains(n)).map(|n| Value::Whole(Some(n)))
            }
            Kind::Real { min, max, .. } => text.parse().ok().filter(|x| (min..=max).contains(x)).map(Value::Real),
            Kind::File => text.parse().ok().map(|file| Value::File(Some(file))),
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Choice(id) => f.write_str(id),
            Value::Formula(filled) => write!(f, "{filled}"),
            Value::Whole(Some(n)) => write!(f, "{n}"),
            Value::Whole(None) => f.write_str("off"),
            Value::Several(taken) => write!(f, "{taken}"),
            Value::Real(x) => write!(f, "{x}"),
            Value::File(Some(file)) => write!(f, "{file}"),
            Value::File(None) => f.write_str("none"),
        }
    }
}

impl Settings {
    /// Every parameter at its default.
    pub fn defaults(parameters: &'static [Parameter]) -> Self {
        Settings { parameters, values: parameters.iter().map(Parameter::default).collect() }
    }

    /// Reads `id=value,id=value`; what is not named stays at its default. `of` names the entry in messages.
    ///
    /// # Errors
    /// An id that is no parameter's, a value that the parameter does not take, or a missing `=`.
    pub fn parse(parameters: &'static [Parameter], of: &str, text: &str) -> Result<Self, UnknownId> {
        let mut settings = Settings::defaults(parameters);
        for pair in text.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
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
    /// An id that is no parameter's, a value that the parameter does not take, or one that does not go with the others:
    /// then nothing is changed.
    pub fn set(&mut self, of: &str, id: &str, text: &str) -> Result<(), UnknownId> {
        let mut changed = self.clone();
        changed.take(of, id, text)?;
        changed.check(of)?;
        *self = changed;
        Ok(())
    }

    /// Whether the values go with each other.
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

    /// Sets one parameter, whatever the others are.
    fn take(&mut self, of: &str, id: &str, text: &str) -> Result<(), UnknownId> {
        let position = self.parameters.iter().position(|p| p.id == id);
        let i = position.ok_or_else(|| UnknownId::entry("parameter", id, self.parameters.iter().map(|p| p.id)))?;
        let parameter = &self.parameters[i];
        self.values[i] = parameter.parse(text).ok_or_else(|| UnknownId::Value {
            of: of.to_owned(),
            parameter: id.to_owned(),
            given: shortened(text.trim()),
            takes: parameter.takes(),
        })?;
        Ok(())
    }

    /// Each parameter with its value.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Parameter, Value)> + '_ {
        self.parameters.iter().zip(self.values.iter().copied())
    }

    /// The value of a parameter.
    ///
    /// # Panics
    /// Where the entry has no such parameter: a mistake in its file.
    pub fn get(&self, id: &str) -> Value {
        let found = self.iter().find(|(parameter, _)| parameter.id == id);
        found.unwrap_or_else(|| panic!("no parameter {id} in the catalogue")).1
    }

    /// The option taken of a choice.
    ///
    /// # Panics
    /// Where the entry has no such choice: a mistake in its file.
    pub fn choice(&self, id: &str) -> &'static str {
        match self.get(id) {
            Value::Choice(option) => option,
            other => panic!("{id} is {other}, not a choice"),
        }
    }

    /// The value of a whole-number parameter.
    ///
    /// # Panics
    /// Where the entry has no such parameter: a mistake in its file.
    pub fn whole(&self, id: &str) -> Option<i64> {
        match self.get(id) {
            Value::Whole(n) => n,
            other => panic!("{id} is {other}, not a whole number"),
        }
    }

    /// Those taken of several options.
    ///
    /// # Panics
    /// Where the entry has no such parameter: a mistake in its file.
    pub fn several(&self, id: &str) -> Taken {
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

    /// Whether it is without the file that the entry needs.
    pub fn lacks_file(&self) -> bool {
        self.values.contains(&Value::File(None))
    }

    /// The value of a real parameter.
    ///
    /// # Panics
    /// Where the entry has no such parameter: a mistake in its file.
    pub fn real(&self, id: &str) -> f64 {
        match self.get(id) {
            Value::Real(x) => x,
            other => panic!("{id} is {other}, not a real number"),
        }
    }
}

/// `id=value,id=value` of what is not at its default; empty where all is.
impl std::fmt::Display for Settings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut separator = "";
        for (parameter, value) in self.iter().filter(|(parameter, value)| parameter.default() != *value) {
            write!(f, "{separator}{}={value}", parameter.id)?;
            separator = ",";
        }
        Ok(())
    }
}

/// Serde for a type that has a text form: it is that text, everywhere.
#[macro_export]
macro_rules! serde_as_text {
    ($type:ty) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

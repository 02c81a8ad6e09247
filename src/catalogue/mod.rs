//! What the catalogues of schedulers, estimators, metrics and recipes have in common.
//!
//! The page's forms, the command line, links and the documentation are all made from these
//! catalogues: what is not in one does not exist, and what is in one is offered everywhere.

mod changes;
mod configured;
mod file;
mod formula;
mod named;
mod parameter;
mod script;
mod settings;
mod taken;
mod unknown;
mod value;

pub use changes::Changes;
pub use configured::{Catalogue, Configured, Family, Preset, meant};
pub use file::{NamedFile, NoNamedFile};
pub use formula::{Filled, Formula, FormulaNumber};
pub use named::Named;
pub use parameter::{Kind, Parameter};
pub use script::{Script, ScriptError};
pub use settings::Settings;
pub use taken::Taken;
pub use unknown::{UnknownId, shortened};
pub use value::{Value, WRITTEN};

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

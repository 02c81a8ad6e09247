//! What the catalogues of schedulers, estimators, metrics and recipes have in common.
//!
//! The page's forms, the command line, links and the documentation are all made from these catalogues: an entry of a
//! catalogue is offered everywhere, and nothing else is offered.

mod configured;
mod parameter;
mod script;
mod selection;
mod settings;

pub use configured::{Catalogue, Changes, Configured, Family, Named, Preset, meant};
pub use parameter::{Kind, Parameter, Value};
pub use script::{FormulaPreset, NamedFile, NoNamedFile, Script, ScriptError};
pub use selection::{Selection, UnknownId, WRITTEN, shortened};
pub use settings::Settings;

/// What users are told of an entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// Stable id: in links, files and on the command line. Never changes once published.
    pub id: &'static str,
    /// Display name, as used in the field.
    pub name: &'static str,
    pub help: &'static str,
    /// Paper and section that define it.
    pub source: &'static str,
    pub parameters: &'static [Parameter],
}

/// Implements serde for a type that has a text form: it is serialised as that text, in all formats.
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

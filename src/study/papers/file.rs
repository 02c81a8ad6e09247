//! A paper's file as it is written.

use super::Paper;
use crate::catalogue::Entry;
use crate::study::printed::PrintedTable;
use crate::study::recipe::{LogShrinks, Recipe, RecipeChange};
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};

/// A paper's file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, bound(deserialize = "'de: 'static"))]
pub(super) struct PaperText {
    /// For who reads the file.
    #[serde(default, rename = "note")]
    _note: IgnoredAny,
    pub(super) recipes: Vec<RecipeText>,
    #[serde(default)]
    pub(super) shrinks_by_log: Vec<LogShrinks>,
    /// The papers' names for the logs of all tables, in the order of their figures.
    #[serde(default)]
    pub(super) logs: Vec<&'static str>,
    #[serde(default)]
    pub(super) printed: Vec<PrintedTable>,
}

/// A recipe in a paper's file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RecipeText {
    id: &'static str,
    name: &'static str,
    #[serde(deserialize_with = "joined")]
    help: &'static str,
    source: &'static str,
    study: RecipeChange,
}

impl RecipeText {
    pub(super) fn of_paper(self, paper: &'static Paper) -> Recipe {
        let RecipeText { id, name, help, source, study } = self;
        Recipe::new(Entry { id, name, help, source, parameters: &[] }, paper, study)
    }
}

/// Reads a text of one line, or of several, between which there are spaces.
pub(in crate::study) fn joined<D: Deserializer<'static>>(deserializer: D) -> Result<&'static str, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Text {
        Line(&'static str),
        Lines(Vec<&'static str>),
    }
    Ok(match Text::deserialize(deserializer)? {
        Text::Line(line) => line,
        // A file is read once, and what it says is kept.
        Text::Lines(lines) => lines.join(" ").leak(),
    })
}

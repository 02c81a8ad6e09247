//! A paper's file as it is written.

use crate::catalogue::Entry;
use crate::study::lines::joined;
use crate::study::printed::PrintedTable;
use crate::study::recipe::{LogShrinks, Recipe, RecipeChange};
use serde::Deserialize;
use serde::de::IgnoredAny;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, bound(deserialize = "'de: 'static"))]
pub(super) struct PaperText {
    #[serde(default, rename = "note")]
    _note: IgnoredAny,
    pub(super) recipes: Vec<RecipeText>,
    #[serde(default)]
    pub(super) shrinks_by_log: Vec<LogShrinks>,
    #[serde(default)]
    pub(super) logs: Vec<&'static str>,
    #[serde(default)]
    pub(super) printed: Vec<PrintedTable>,
}

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
    /// The recipe, in a paper with these shrinking factors.
    pub(super) fn of_paper(self, shrinks_by_log: &'static [LogShrinks]) -> Recipe {
        let RecipeText { id, name, help, source, study } = self;
        Recipe::new(Entry { id, name, help, source, parameters: &[] }, shrinks_by_log, study)
    }
}

//! The papers: for each a file with its recipes and with the figures that it prints.
//!
//! A file has `recipes`, `printed` with a table for some of them, and `logs`, which are the columns of these tables.
//! `RecipeChange` says what stands in a recipe's `study`, and [`PrintedTable`] what stands in a table. What is not said
//! is as usual. A help or a caption may be several lines, and a `note` is for who reads the file.

use super::printed::PrintedTable;
use super::recipe::Recipe;
use crate::joined;
use crate::recipe::{LogShrinks, RecipeChange};
use packfair_base::catalogue::{Entry, UnknownId};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

/// Lists the papers: name, subject, how the ids of recipes begin, and file.
macro_rules! papers {
    ($($name:literal, $subject:literal, $prefix:literal, $file:literal;)*) => {
        /// The papers, in the order in which the page offers their recipes.
        pub static PAPERS: [Paper; [$($name),*].len()] = [$(Paper::new($name, $subject, $prefix)),*];

        /// The file of a paper. It stands by itself, so that who only names papers does without it (`scripts/split`).
        fn text_of(paper: &str) -> &'static str {
            match paper {
                $($name => include_str!($file),)*
                _ => "",
            }
        }
    };
}

papers! {
    "METRICS", "measures of response, packing and fairness", "metrics-", "metrics.json";
    "FAIRNESS", "backfilling that is fair", "fairness-", "fairness.json";
    "CP", "schedules by optimisation", "cp-", "cp.json";
    "DYNP", "a policy that changes with the queue", "dynp-", "dynp.json";
    "CLASSIFY", "small and large jobs told apart", "classify-", "classify.json";
    "FEEDBACK", "users who react", "users-", "feedback.json";
}

/// A paper whose results can be repeated. Its file is read when something of it is first asked for.
pub struct Paper {
    /// The name by which it is cited.
    pub name: &'static str,
    /// Its subject, in a few words.
    pub subject: &'static str,
    /// How the ids of its recipes begin.
    prefix: &'static str,
    contents: OnceLock<Contents>,
}

struct Contents {
    recipes: Vec<Recipe>,
    printed: Vec<PrintedTable>,
}

impl Paper {
    const fn new(name: &'static str, subject: &'static str, prefix: &'static str) -> Self {
        Paper { name, subject, prefix, contents: OnceLock::new() }
    }

    /// The paper to which a recipe of this id would belong.
    pub(super) fn of_recipe(id: &str) -> Option<&'static Self> {
        PAPERS.iter().find(|paper| id.starts_with(paper.prefix))
    }

    /// Its recipes, in the order in which the page offers them.
    pub fn recipes(&'static self) -> &'static [Recipe] {
        &self.contents().recipes
    }

    /// The tables whose figures are known.
    pub(super) fn printed(&'static self) -> &'static [PrintedTable] {
        &self.contents().printed
    }

    fn contents(&'static self) -> &'static Contents {
        self.contents.get_or_init(|| {
            // The text is a part of the program, and a test reads it.
            let text: PaperText =
                serde_json::from_str(text_of(self.name)).unwrap_or_else(|e| panic!("{}: {e}", self.name));
            // The file is read once, and what it says is kept.
            let shrinks_by_log = text.shrinks_by_log.leak();
            let of_paper = text.recipes.into_iter().map(|recipe| recipe.of_paper(shrinks_by_log));
            let recipes: Vec<Recipe> = of_paper.collect();
            let name = |id: &str| recipes.iter().find(|recipe| recipe.entry.id == id).map(|recipe| recipe.entry.name);
            let printed = text.printed.into_iter().map(|table| {
                let name = name(table.recipe).unwrap_or_else(|| panic!("there is no recipe {}", table.recipe));
                table.on_logs(name, &text.logs)
            });
            let printed = printed.collect();
            Contents { recipes, printed }
        })
    }
}

impl Recipe {
    /// All recipes, in the order in which the page offers them.
    pub fn all() -> impl Iterator<Item = &'static Recipe> {
        PAPERS.iter().flat_map(Paper::recipes)
    }

    /// The recipe of that id, if there is one.
    pub fn of_id(id: &str) -> Option<&'static Recipe> {
        Paper::of_recipe(id)?.recipes().iter().find(|recipe| recipe.entry.id == id)
    }
}

impl FromStr for &'static Recipe {
    type Err = UnknownId;

    fn from_str(id: &str) -> Result<Self, UnknownId> {
        Recipe::of_id(id).ok_or_else(|| UnknownId::entry("recipe", id, Recipe::all().map(|recipe| recipe.entry.id)))
    }
}

impl PrintedTable {
    /// The table that a recipe makes; `None` where its figures are not known.
    pub fn of_recipe(recipe: &str) -> Option<&'static Self> {
        Paper::of_recipe(recipe)?.printed().iter().find(|table| table.recipe == recipe)
    }
}

impl fmt::Debug for Paper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

// A paper's file as it is written.

#[derive(Deserialize)]
#[serde(deny_unknown_fields, bound(deserialize = "'de: 'static"))]
struct PaperText {
    #[serde(default, rename = "note")]
    _note: IgnoredAny,
    recipes: Vec<RecipeText>,
    #[serde(default)]
    shrinks_by_log: Vec<LogShrinks>,
    #[serde(default)]
    logs: Vec<&'static str>,
    #[serde(default)]
    printed: Vec<PrintedTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RecipeText {
    id: &'static str,
    name: &'static str,
    #[serde(deserialize_with = "joined")]
    help: &'static str,
    source: &'static str,
    study: RecipeChange,
}

impl RecipeText {
    /// The recipe, in a paper with these shrinking factors.
    fn of_paper(self, shrinks_by_log: &'static [LogShrinks]) -> Recipe {
        let RecipeText { id, name, help, source, study } = self;
        Recipe::new(Entry { id, name, help, source, parameters: &[] }, shrinks_by_log, study)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_file_can_be_read_and_names_each_recipe_once() {
        let mut ids = BTreeSet::new();
        for paper in &PAPERS {
            assert!(!paper.recipes().is_empty(), "{paper:?}");
            for recipe in paper.recipes() {
                let id = recipe.entry.id;
                assert!(ids.insert(id), "{id} stands twice");
                assert_eq!(Paper::of_recipe(id).map(|of| of.name), Some(paper.name), "{id}");
                assert!(recipe.entry.source.contains(paper.name), "{id}: {}", recipe.entry.source);
            }
            for table in paper.printed() {
                assert_eq!(paper.printed().iter().filter(|other| other.recipe == table.recipe).count(), 1);
            }
        }
    }

    #[test]
    fn what_a_file_cannot_mean_is_refused() {
        let read = |study: &str| {
            let text = format!(
                r#"{{"recipes": [{{"id": "cp-x", "name": "X", "help": ["a", "b"], "source": "CP", "study": {study}}}]}}"#
            );
            serde_json::from_str::<PaperText>(text.leak()).map(|text| text.recipes.len()).map_err(|e| e.to_string())
        };
        assert_eq!(read(r#"{"schedulers": ["easy"]}"#), Ok(1));
        assert!(read(r#"{"schedulers": ["eazy"]}"#).unwrap_err().contains("eazy"));
        assert!(read(r#"{"columns": ["slowness"]}"#).unwrap_err().contains("slowness"));
        assert!(read(r#"{"colums": ["BSLD"]}"#).unwrap_err().contains("colums"));
    }
}

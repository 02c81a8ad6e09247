//! Names that a person has given to rows.

use super::Run;
use packfair_workload::printable;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Most characters of a name.
pub const LONGEST_ROW_NAME: usize = 60;

/// Names that a person has given to rows, by the ids of their runs. They are text, whatever is in them: who shows them
/// escapes them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RowNames(BTreeMap<String, String>);

impl RowNames {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The name that a person has given to the row of `run`, if any.
    pub fn of(&self, run: &Run) -> Option<&str> {
        if self.0.is_empty() { None } else { self.0.get(&run.id()).map(String::as_str) }
    }

    /// Gives the row of `run` a name. An empty one, or the one that it has by itself, gives it its own name back.
    pub fn set(&mut self, run: &Run, name: &str) {
        match plain(name) {
            name if name.is_empty() || name == run.scheduler_name() => drop(self.0.remove(&run.id())),
            name => drop(self.0.insert(run.id(), name)),
        }
    }

    /// The names as they may be shown: one line of signs, not too long, none empty.
    pub(crate) fn plain(self) -> Self {
        let names = self.0.into_iter().map(|(id, name)| (id, plain(&name)));
        RowNames(names.filter(|(_, name)| !name.is_empty()).collect())
    }
}

fn plain(name: &str) -> String {
    let short: String = printable(name.trim()).chars().take(LONGEST_ROW_NAME).collect();
    short.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Study;

    #[test]
    fn a_name_is_one_short_line_and_an_empty_one_gives_the_own_back() {
        let run = Study::first_visit().runs().remove(0);
        let mut names = RowNames::default();
        names.set(&run, &format!("  As\ntoday\u{202e} {}", "x".repeat(99)));
        let given = names.of(&run).unwrap();
        assert_eq!(given.chars().count(), LONGEST_ROW_NAME);
        assert!(given.starts_with("As\u{fffd}today\u{fffd} x"), "{given}");
        names.set(&run, " ");
        assert!(names.is_empty());
        names.set(&run, "Mine");
        names.set(&run, "EASY");
        assert_eq!(names.of(&run), None, "that is its own name");
    }

    #[test]
    fn names_go_with_a_study() {
        let mut study = Study::first_visit();
        let run = study.runs().remove(1);
        assert!(!serde_json::to_string(&study).unwrap().contains("row_names"), "none are given");
        study.row_names.set(&run, "<b>50 %</b>");
        let text = serde_json::to_string(&study).unwrap();
        let read = |text: &str| serde_json::from_str::<Study>(text).unwrap().checked().unwrap();
        assert_eq!(read(&text), study);
        let read = read(&text.replace("50 %", &"x".repeat(1_000)));
        assert_eq!(read.row_names.of(&run).unwrap().chars().count(), LONGEST_ROW_NAME);
    }
}

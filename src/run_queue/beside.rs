//! What a person says of a log, and gives beside it.
//!
//! Messages carry it encoded: only the parts of the page and the worker that come later look into it.

use crate::catalogue::NamedFile;
use crate::slurm::SettingGroup;
use crate::workload::{Agreement, ColumnMap, ExternalKind};
use serde::{Deserialize, Serialize};

/// What a person says of a log, and gives beside it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Beside {
    /// What the columns of a table are, where their names do not tell.
    pub columns: ColumnMap,
    /// Schedules and estimates of its jobs.
    pub files: Vec<GivenFile>,
}

/// A file of starts or estimates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GivenFile {
    /// What it is to be called.
    pub name: String,
    /// What it says of jobs.
    pub kind: ExternalKind,
    /// What is in it.
    pub content: Vec<u8>,
}

/// A file that is beside its log now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TakenFile {
    /// What studies call it.
    pub file: NamedFile,
    /// What it says of jobs.
    pub kind: ExternalKind,
    /// Of how many jobs.
    pub agreement: Agreement,
    /// With the last of the files of a site: what all of them say.
    pub site: Option<TakenSite>,
}

/// What was read of a Slurm site, for a person.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TakenSite {
    /// Its parts by name, and what is set of each.
    pub parts: Vec<(String, String)>,
    /// What is to be said of lines, each with its file and number.
    pub findings: Vec<String>,
    /// What it sets, value by value.
    pub settings: Vec<SettingGroup>,
    /// Questions that can be asked of it: what it is, and the row that asks it, as text.
    pub questions: Vec<(String, String)>,
}

/// What became of each file of [`Beside::files`]: that it is there, or why it is not, for a person.
pub type GivenOutcome = Result<TakenFile, String>;

impl Beside {
    /// Encoded; nothing where there is nothing.
    #[inline(never)]
    pub fn encode(&self) -> Vec<u8> {
        if *self == Beside::default() {
            return Vec::new();
        }
        // it is plain data
        postcard::to_stdvec(self).unwrap_or_default()
    }

    /// What was encoded; nothing where that cannot be read.
    #[inline(never)]
    pub fn decode(bytes: &[u8]) -> Self {
        postcard::from_bytes(bytes).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_read_back() {
        let file =
            GivenFile { name: "ours".to_owned(), kind: ExternalKind::Schedule, content: b"job,start\n".to_vec() };
        let columns = ColumnMap { columns: vec!["submit=a:min".parse().unwrap()] };
        let beside = Beside { columns, files: vec![file] };
        assert_eq!(Beside::decode(&beside.encode()), beside);
        assert!(Beside::default().encode().is_empty());
        assert_eq!(Beside::decode(b"\xff\xff\xff"), Beside::default());
    }
}

//! What the user says about a log, and the files given beside it.
//!
//! Messages carry this encoded ([`Encoded`]), because only the late parts of the page and the worker need to decode it.

use super::encoded::Encoded;
use packfair_base::catalogue::NamedFile;
use packfair_slurm::SettingGroup;
use packfair_workload::{ColumnMap, ExternalKind, PairingCounts};
use serde::{Deserialize, Serialize};

/// What the user says about a log, and the files given beside it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LogExtras {
    /// The meaning of a table's columns, if their names do not tell it.
    pub columns: ColumnMap,
    /// The files given beside the log: schedules and estimates of its jobs, and files of its site.
    pub files: Vec<GivenFile>,
    /// Whether the log is read though many of its records are not understood.
    pub accepts_losses: bool,
    /// The queue of the cluster at a moment, where one is given: the name of its file, and its bytes.
    pub queue: Option<(String, Vec<u8>)>,
}

/// A file that is given beside a log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GivenFile {
    pub name: String,
    pub kind: ExternalKind,
    /// The file's bytes.
    pub content: Vec<u8>,
}

/// A file that was put beside its log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TakenFile {
    pub file: NamedFile,
    pub kind: ExternalKind,
    /// How well the file's jobs agree with the log's.
    pub agreement: PairingCounts,
    /// What all files of a site say together; given with the last of them.
    pub site: Option<TakenSite>,
}

/// What was read of a Slurm site, as text for the user.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TakenSite {
    pub parts: Vec<(String, String)>,
    /// Remarks on lines, each with its file and line number.
    pub findings: Vec<String>,
    pub settings: Vec<SettingGroup>,
    /// The what-if questions that can be asked about the site: the question, and the text of the row that answers it.
    pub questions: Vec<(String, String)>,
}

/// The outcome for a file of [`LogExtras::files`]: the file was taken, or the reason why not, for the user.
pub type GivenOutcome = Result<TakenFile, String>;

impl LogExtras {
    /// This encoded; empty if nothing was said or given.
    pub fn encoded(&self) -> Encoded<LogExtras> {
        if *self == LogExtras::default() { Encoded::default() } else { Encoded::of(self) }
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
        let beside = LogExtras {
            columns,
            files: vec![file],
            accepts_losses: true,
            queue: Some(("squeue.json".to_owned(), b"{}".to_vec())),
        };
        assert_eq!(beside.encoded().decode(), Some(beside));
        assert!(LogExtras::default().encoded().is_empty());
    }
}

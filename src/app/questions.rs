//! What the user is asked: what a file is, and whether scripts may run.

use super::act::Act;
use crate::catalogue::Script;
use crate::workload::{ColumnMap, ExternalKind, TablePreview};
use std::sync::Arc;

/// A file about which the user is asked what it is.
#[derive(Clone)]
pub struct AskedFile {
    pub name: String,
    pub question: FileQuestion,
}

/// What the user is asked about a file.
#[derive(Clone)]
pub enum FileQuestion {
    /// The file is about jobs of the open log: the user is asked what to take from it.
    Beside {
        /// What the file can be read as.
        kinds: Vec<ExternalKind>,
        /// The file's bytes.
        content: Arc<Vec<u8>>,
    },
    /// The file is a table: the user is asked what its columns mean.
    Columns {
        preview: Arc<TablePreview>,
        /// What its columns are known to mean so far.
        said: ColumnMap,
    },
}

/// Scripts about which the user is asked whether they may run.
#[derive(Clone)]
pub struct OfferedScripts {
    pub scripts: Vec<&'static Script>,
    pub(super) accept: Act,
}

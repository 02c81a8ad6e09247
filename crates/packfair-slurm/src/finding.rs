//! Findings: what a reader says of a line of a site's files.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Something that a reader could not take as it stands, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    pub file: String,
    /// The line, from 1; 0 for the whole file.
    pub line: u32,
    /// How much it matters.
    pub kind: FindingKind,
    pub words: String,
    /// The page of Slurm's manual that tells what should stand there, with the key; empty where none does.
    pub page: String,
}

/// How much a finding matters. The worst comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum FindingKind {
    /// Slurm would not accept it, or it contradicts itself.
    Wrong,
    /// Slurm skips it: it has no effect, although somebody meant it to have one.
    Ignored,
    /// It is not understood here.
    Unknown,
    /// It is understood, and has no effect on what is simulated.
    NotModelled,
    /// The files do not tell something, and it is taken to be so.
    Note,
}

impl FindingKind {
    /// The kind in a word or two.
    pub fn name(self) -> &'static str {
        match self {
            FindingKind::Wrong => "wrong",
            FindingKind::Ignored => "ignored by Slurm",
            FindingKind::Unknown => "not understood",
            FindingKind::NotModelled => "not modelled",
            FindingKind::Note => "note",
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding { file, line, kind, words, page } = self;
        match line {
            0 => write!(f, "{file}: {}: {words}", kind.name())?,
            _ => write!(f, "{file}:{line}: {}: {words}", kind.name())?,
        }
        if page.is_empty() { Ok(()) } else { write!(f, " ({page})") }
    }
}

#[derive(Debug)]
pub(super) struct FindingLog<'a> {
    file: &'a str,
    pub(super) all: Vec<Finding>,
}

/// The most findings of a file that are kept, since a file of another kind would have one for each of its lines.
const MOST_FINDINGS: usize = 1000;

impl<'a> FindingLog<'a> {
    pub(super) fn of(file: &'a str) -> Self {
        FindingLog { file, all: Vec::new() }
    }

    pub(super) fn turn_to(&mut self, file: &'a str) {
        self.file = file;
    }

    pub(super) fn note(&mut self, kind: FindingKind, line: u32, words: impl Into<String>) {
        if self.all.len() == MOST_FINDINGS {
            let words = format!("more than {MOST_FINDINGS} lines are not as they should be; the rest are not told");
            let page = String::new();
            self.all.push(Finding { file: self.file.to_owned(), line, kind: FindingKind::Wrong, words, page });
        }
        if self.all.len() < MOST_FINDINGS {
            let page = String::new();
            self.all.push(Finding { file: self.file.to_owned(), line, kind, words: words.into(), page });
        }
    }

    /// Names the page of Slurm's manual for all lines that have none yet, with the key that a line's words begin with.
    pub(super) fn refer_to(&mut self, page: &str) {
        if page.is_empty() {
            return;
        }
        let of_lines = self.all.iter_mut().filter(|finding| finding.line > 0 && finding.kind != FindingKind::Note);
        for finding in of_lines.filter(|finding| finding.page.is_empty()) {
            let key =
                finding.words.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next().unwrap_or_default();
            finding.page = match key.starts_with(|c: char| c.is_ascii_uppercase()) {
                true => format!("{page}, {key}"),
                false => page.to_owned(),
            };
        }
    }

    pub(super) fn wrong(&mut self, line: u32, words: impl Into<String>) {
        self.note(FindingKind::Wrong, line, words);
    }
}

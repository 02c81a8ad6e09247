//! Counts and names as they stand in sentences of the page.

use crate::study::format;
use crate::workload::Unit;

/// `1 job`, `28,481 jobs`.
pub fn jobs(n: usize) -> String {
    counted(n as u64, "job", "jobs")
}

/// `1 processor`, `100 nodes`.
pub fn size(n: impl Into<u64>, unit: Unit) -> String {
    unit.worded(&counted(n, "processor", "processors"))
}

/// `1 run`, `20 runs`.
pub fn runs(n: usize) -> String {
    counted(n as u64, "run", "runs")
}

/// `1 line`, `12 lines`.
pub fn lines(n: usize) -> String {
    counted(n as u64, "line", "lines")
}

/// A line of a catalogue or a message as a sentence begins: with a capital letter.
pub fn sentence(line: &str) -> String {
    let mut letters = line.chars();
    letters.next().map(|first| std::iter::once(first.to_ascii_uppercase()).chain(letters).collect()).unwrap_or_default()
}

fn counted(n: impl Into<u64>, one: &str, many: &str) -> String {
    let n = n.into();
    format!("{} {}", format::whole(n), if n == 1 { one } else { many })
}

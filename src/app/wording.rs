//! Counts and names in the sentences of the page.

use packfair_study::format::counted;
pub use packfair_study::format::{jobs, size};

/// `1 run`, `20 runs`.
pub fn runs(n: usize) -> String {
    counted(n as u64, "run", "runs")
}

/// `1 scheduler`, `4 schedulers`.
pub fn schedulers(n: usize) -> String {
    counted(n as u64, "scheduler", "schedulers")
}

/// `1 estimate`, `2 estimates`.
pub fn estimates(n: usize) -> String {
    counted(n as u64, "estimate", "estimates")
}

/// `1 line`, `12 lines`.
pub fn lines(n: usize) -> String {
    counted(n as u64, "line", "lines")
}

/// A line of a catalogue or a message with a capital first letter, as a sentence begins.
pub fn sentence(line: &str) -> String {
    let mut letters = line.chars();
    letters.next().map(|first| std::iter::once(first.to_ascii_uppercase()).chain(letters).collect()).unwrap_or_default()
}

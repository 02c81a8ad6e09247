//! Texts of several lines in the papers' files.

use serde::{Deserialize, Deserializer};

/// Reads a text of one line, or of several, between which there are spaces.
pub(super) fn joined<D: Deserializer<'static>>(deserializer: D) -> Result<&'static str, D::Error> {
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

//! The papers: recipes for what they show ([`recipe`], [`papers`]), and the figures that they print, beside ours
//! ([`printed`]).
//!
//! - A recipe makes a study of a log; it computes nothing of its own.
//! - A printed figure stands as its paper prints it, with its place, and says for which log it holds.
//!
//! Only the page and the command line stand on it.

#![warn(missing_docs)]

pub mod papers;
pub mod printed;
pub mod recipe;

use serde::{Deserialize, Deserializer};

// Texts of several lines in the papers' files.

/// Reads a text of one line, or of several, between which there are spaces.
fn joined<D: Deserializer<'static>>(deserializer: D) -> Result<&'static str, D::Error> {
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

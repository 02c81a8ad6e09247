//! The papers: recipes for what they show ([`recipe`], [`papers`]), and the figures that they print, beside ours
//! ([`printed`]).
//!
//! - A recipe makes a study of a log; it computes nothing of its own.
//! - A printed figure stands as its paper prints it, with its place, and says for which log it holds.
//!
//! Only the page and the command line stand on it.

#![warn(missing_docs)]

mod lines;
pub mod papers;
pub mod printed;
pub mod recipe;

//! TODO
mod lines;
pub mod papers;
pub mod printed;
pub mod recipe;

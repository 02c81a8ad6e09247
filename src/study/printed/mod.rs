//! What the papers printed, to stand beside what comes out here. A file for each paper.

pub mod classes;

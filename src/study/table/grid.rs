//! The texts of a table.

/// The texts of a table, not escaped yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// Headings of the columns on the left, which name the run.
    pub labels: Vec<String>,
    pub headings: Vec<String>,
    pub lines: Vec<GridLine>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct GridLine {
    pub labels: Vec<String>,
    pub values: Vec<String>,
    pub best: Vec<bool>,
}

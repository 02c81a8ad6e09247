//! The texts of a table.

/// The texts of a table, not escaped yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// Headings of the columns on the left, which name the run.
    pub labels: Vec<String>,
    /// Headings of the columns of values.
    pub headings: Vec<String>,
    /// The lines, one for each run.
    pub lines: Vec<GridLine>,
}

/// A line of a [`Grid`].
#[derive(Clone, Debug, PartialEq)]
pub struct GridLine {
    /// The texts that name the run.
    pub labels: Vec<String>,
    /// The values, one for each column.
    pub values: Vec<String>,
    /// For each value, whether it is the best of its column.
    pub best: Vec<bool>,
}

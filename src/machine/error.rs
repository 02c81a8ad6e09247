//! Errors in the description of a machine.

use super::{MOST_CELLS, MOST_CHANGES, Seconds};

/// Why a description is not one of a machine. Changes are numbered from 1, times are seconds of the log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MachineError {
    /// There is no cell.
    #[error("the machine has no cell; give at least one, with a name, a number of nodes and the resources of a node")]
    NoCell,
    /// There are more cells than can be simulated.
    #[error("the machine has {0} cells; give at most {MOST_CELLS}")]
    TooManyCells(usize),
    /// Two cells or two partitions have the same name.
    #[error("two {what}s are called \"{name}\"; give each a name of its own")]
    Twice {
        /// "cell" or "partition".
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A cell has no nodes.
    #[error("cell \"{0}\" has 0 nodes; give at least 1, or leave the cell out")]
    NoNode(String),
    /// A node has no processors.
    #[error("a node of cell \"{0}\" has no processors; give at least 1 (node = {{ processors = 64 }})")]
    NoProcessor(String),
    /// There is more of a resource than can be counted.
    #[error("there is too much of {resource} in cell \"{cell}\"; give numbers that are meant")]
    TooMuch {
        /// The resource.
        resource: String,
        /// The cell.
        cell: String,
    },
    /// What is said of its power cannot be.
    #[error("{0}")]
    Power(String),
    /// There are more processors than can be simulated.
    #[error("the machine has {processors} processors, more than are simulated; give at most {most}")]
    TooManyProcessors {
        /// How many there are.
        processors: u64,
        /// How many there may be at most.
        most: u32,
    },
    /// A partition has no cell.
    #[error("partition \"{partition}\" has no cell; name at least one of {cells}")]
    PartitionOfNoCell {
        /// The partition.
        partition: String,
        /// The cells that there are.
        cells: String,
    },
    /// A name of a cell is used that no cell has.
    #[error("{what} names the cell \"{cell}\", but there is none of that name; there are {cells}")]
    UnknownCell {
        /// "partition ..." or "change ...".
        what: String,
        /// The name.
        cell: String,
        /// The cells that there are.
        cells: String,
    },
    /// A change names no cell, although there are several.
    #[error("change {number} names no cell; name one of {cells}")]
    WhichCell {
        /// The number of the change.
        number: usize,
        /// The cells that there are.
        cells: String,
    },
    /// A change without an end is to repeat.
    #[error("change {number} repeats every so many days, but does not end in between: give until, and at least 1 day")]
    RepeatsWithoutEnd {
        /// The number of the change.
        number: usize,
    },
    /// A change is to repeat for ever.
    #[error("change {number} repeats, and there is no log to say how long; give last, when it comes for the last time")]
    RepeatsForEver {
        /// The number of the change.
        number: usize,
    },
    /// There are more changes than can be simulated.
    #[error(
        "the calendar has {0} changes; give at most {MOST_CHANGES}: leave out what lies outside the log, and make changes \
         of the same times in one cell a single one"
    )]
    TooManyChanges(usize),
    /// A change changes no number of nodes.
    #[error("change {number} is of 0 nodes; give how many nodes are fewer (-4) or more (4)")]
    ChangeOfNothing {
        /// The number of the change.
        number: usize,
    },
    /// A change ends before it begins.
    #[error("change {number} ends at {until} s, but begins at {from} s; an end comes after the beginning")]
    EndsBeforeItBegins {
        /// The number of the change.
        number: usize,
        /// When the change begins.
        from: Seconds,
        /// When the change ends.
        until: Seconds,
    },
    /// Changes take away more nodes than there are.
    #[error(
        "at {at} s the changes leave cell \"{cell}\" with {left} nodes: windows overlap, or one takes more nodes than there \
         are; make overlapping windows one, or let them take fewer"
    )]
    TakesTooMany {
        /// The time.
        at: Seconds,
        /// The cell.
        cell: String,
        /// How many nodes would be left, below 0.
        left: i64,
    },
    /// A text is not a point in time.
    #[error("{what} of change {number} is \"{text}\", which is no moment: {problem}")]
    NoMoment {
        /// The number of the change.
        number: usize,
        /// "from", "until" or "announced".
        what: &'static str,
        /// The text.
        text: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A what-if takes away all nodes of a cell, or more.
    #[error("cell \"{cell}\" has {nodes} nodes, and {more} of them leave none; take fewer")]
    NoneLeft {
        /// The cell.
        cell: String,
        /// How many nodes it has.
        nodes: u32,
        /// How many nodes it is to have more, below 0.
        more: i64,
    },
    /// A what-if names no cell, although there are several.
    #[error("\"{what}\" names no cell; say which with cell=, one of {cells}")]
    WhatIfOfWhichCell {
        /// The part of the what-if that needs a cell.
        what: String,
        /// The cells that there are.
        cells: String,
    },
    /// A what-if multiplies a resource of which nodes have none.
    #[error("no node has any {0}; give how much, as {0}=64000")]
    NothingToMultiply(String),
}

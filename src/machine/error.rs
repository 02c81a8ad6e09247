//! What is wrong with a description of a machine.

use super::{MOST_CELLS, MOST_CHANGES, Seconds};

/// Why a description is not one of a machine. Changes are counted from 1, times are seconds of the log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MachineError {
    /// There is no cell.
    #[error("the machine has no cell; give at least one, with a name, a number of nodes and the resources of a node")]
    NoCell,
    /// There are more cells than are simulated.
    #[error("the machine has {0} cells; give at most {MOST_CELLS}")]
    TooManyCells(usize),
    /// Two cells or two partitions have one name.
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
        /// Of what.
        resource: String,
        /// Where.
        cell: String,
    },
    /// There are more processors than are simulated.
    #[error("the machine has {processors} processors, more than are simulated; give at most {most}")]
    TooManyProcessors {
        /// How many there are.
        processors: u64,
        /// How many there may be.
        most: u32,
    },
    /// A partition has no cell.
    #[error("partition \"{partition}\" has no cell; name at least one of {cells}")]
    PartitionOfNoCell {
        /// Which partition.
        partition: String,
        /// The cells that there are.
        cells: String,
    },
    /// A cell is named that there is not.
    #[error("{what} names the cell \"{cell}\", but there is none of that name; there are {cells}")]
    UnknownCell {
        /// "partition ..." or "change ...".
        what: String,
        /// The name.
        cell: String,
        /// The cells that there are.
        cells: String,
    },
    /// A change names no cell, and there are several.
    #[error("change {number} names no cell; name one of {cells}")]
    WhichCell {
        /// Which change.
        number: usize,
        /// The cells that there are.
        cells: String,
    },
    /// A change repeats that does not end.
    #[error("change {number} repeats every so many days, but does not end in between: give until, and at least 1 day")]
    RepeatsWithoutEnd {
        /// Which change.
        number: usize,
    },
    /// A change repeats for ever.
    #[error("change {number} repeats, and there is no log to say how long; give last, when it comes for the last time")]
    RepeatsForEver {
        /// Which change.
        number: usize,
    },
    /// There are more changes than are simulated.
    #[error(
        "the calendar has {0} changes; give at most {MOST_CHANGES}: leave out what lies outside the log, and make changes \
         of the same times in one cell a single one"
    )]
    TooManyChanges(usize),
    /// A change of no nodes.
    #[error("change {number} is of 0 nodes; give how many nodes are fewer (-4) or more (4)")]
    ChangeOfNothing {
        /// Which change.
        number: usize,
    },
    /// A change ends before it begins.
    #[error("change {number} ends at {until} s, but begins at {from} s; an end comes after the beginning")]
    EndsBeforeItBegins {
        /// Which change.
        number: usize,
        /// Its beginning.
        from: Seconds,
        /// Its end.
        until: Seconds,
    },
    /// Changes take more nodes than there are.
    #[error(
        "at {at} s the changes leave cell \"{cell}\" with {left} nodes: windows overlap, or one takes more nodes than there \
         are; make overlapping windows one, or let them take fewer"
    )]
    TakesTooMany {
        /// When.
        at: Seconds,
        /// Where.
        cell: String,
        /// How many nodes would be left, below 0.
        left: i64,
    },
    /// A moment is written as a text that is none.
    #[error("{what} of change {number} is \"{text}\", which is no moment: {problem}")]
    NoMoment {
        /// Which change.
        number: usize,
        /// "from", "until" or "announced".
        what: &'static str,
        /// What stands there.
        text: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A what-if takes more nodes than there are.
    #[error("cell \"{cell}\" has {nodes} nodes, and {more} of them leave none; take fewer")]
    NoneLeft {
        /// Which cell.
        cell: String,
        /// How many nodes it has.
        nodes: u32,
        /// How many more there are to be, below 0.
        more: i64,
    },
    /// A what-if names no cell, and there are several.
    #[error("\"{what}\" names no cell; say which with cell=, one of {cells}")]
    WhatIfOfWhichCell {
        /// What is to be otherwise.
        what: String,
        /// The cells that there are.
        cells: String,
    },
    /// A what-if multiplies what no node has.
    #[error("no node has any {0}; give how much, as {0}=64000")]
    NothingToMultiply(String),
}

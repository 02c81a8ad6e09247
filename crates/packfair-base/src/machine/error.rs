//! Errors in the description of a machine.

use super::{MOST_CELLS, MOST_CHANGES, Seconds};

/// Why a description is not one of a machine. Changes are numbered from 1, times are seconds of the log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MachineError {
    #[error("the machine has no cell; give at least one, with a name, a number of nodes and the resources of a node")]
    NoCell,
    #[error("the machine has {0} cells; give at most {MOST_CELLS}")]
    TooManyCells(usize),
    #[error("two {what}s are called \"{name}\"; give each a name of its own")]
    Twice {
        /// "cell" or "partition".
        what: &'static str,
        name: String,
    },
    #[error("cell \"{0}\" has 0 nodes; give at least 1, or leave the cell out")]
    NoNode(String),
    #[error("a node of cell \"{0}\" has no processors; give at least 1 (node = {{ processors = 64 }})")]
    NoProcessor(String),
    #[error("there is too much of {resource} in cell \"{cell}\"; give numbers that are meant")]
    TooMuch { resource: String, cell: String },
    /// What is said of its power cannot be.
    #[error("{0}")]
    Power(String),
    #[error("the machine has {processors} processors, more than are simulated; give at most {most}")]
    TooManyProcessors {
        processors: u64,
        /// How many there may be at most.
        most: u32,
    },
    #[error("partition \"{partition}\" has no cell; name at least one of {cells}")]
    PartitionOfNoCell { partition: String, cells: String },
    #[error("{what} names the cell \"{cell}\", but there is none of that name; there are {cells}")]
    UnknownCell { what: String, cell: String, cells: String },
    #[error("change {number} names no cell; name one of {cells}")]
    WhichCell { number: usize, cells: String },
    #[error("change {number} repeats every so many days, but does not end in between: give until, and at least 1 day")]
    RepeatsWithoutEnd { number: usize },
    #[error("change {number} repeats, and there is no log to say how long; give last, when it comes for the last time")]
    RepeatsForEver { number: usize },
    #[error(
        "the calendar has {0} changes; give at most {MOST_CHANGES}: leave out what lies outside the log, and make changes \
         of the same times in one cell a single one"
    )]
    TooManyChanges(usize),
    #[error("change {number} is of 0 nodes; give how many nodes are fewer (-4) or more (4)")]
    ChangeOfNothing { number: usize },
    #[error("change {number} ends at {until} s, but begins at {from} s; an end comes after the beginning")]
    EndsBeforeItBegins { number: usize, from: Seconds, until: Seconds },
    #[error(
        "at {at} s the changes leave cell \"{cell}\" with {left} nodes: windows overlap, or one takes more nodes than there \
         are; make overlapping windows one, or let them take fewer"
    )]
    TakesTooMany {
        at: Seconds,
        cell: String,
        /// How many nodes would be left, below 0.
        left: i64,
    },
    #[error("{what} of change {number} is \"{text}\", which is no moment: {problem}")]
    NoMoment {
        number: usize,
        /// "from", "until" or "announced".
        what: &'static str,
        text: String,
        problem: String,
    },
    #[error("cell \"{cell}\" has {nodes} nodes, and {more} of them leave none; take fewer")]
    NoneLeft {
        cell: String,
        nodes: u32,
        /// How many nodes it is to have more, below 0.
        more: i64,
    },
    #[error("\"{what}\" names no cell; say which with cell=, one of {cells}")]
    WhatIfOfWhichCell {
        /// The part of the what-if that needs a cell.
        what: String,
        cells: String,
    },
    /// Nodes that a site's partition cannot have more or fewer, and why.
    #[error("{0}")]
    OfSite(String),
    #[error("no node has any {0}; give how much, as {0}=64000")]
    NothingToMultiply(String),
}

//! What a machine is: cells of nodes with resources, partitions of them, and a calendar of changes; and what a job asks
//! of a machine (docs/machine.md).
//!
//! A machine of which only the number of processors is known is one cell of that many nodes with one processor each
//! ([`Machine::of_processors`]). Within a cell nodes are counted, not named. This is exact where jobs take whole nodes
//! or single processors. It is too optimistic where parts of several processors are free in the cell but fit on no
//! single node.

mod demand;
mod description;
mod events;
mod fitting;
mod layout;
mod power;
mod sheet;
mod text;
mod what_if;

pub use demand::{Demand, DemandedPart, Demands, DemandsBuilder, Need, Short};
pub use description::{
    CellDescription, ChangeDescription, MachineDescription, MachineOfLog, MomentDescription, POWER_WORDS,
    PartitionDescription, SuspendDescription,
};
pub use events::{Change, Displaced, NodeAway, changes_of_nodes, changes_of_table};
pub use fitting::{Placement, Shape};
pub use layout::{Cell, GoneProcessors, MOST_CELLS, MOST_CHANGES, MOST_PROCESSORS, Machine, Partition, PartitionRules};
pub use power::{
    CapChange, Deferral, Deferred, ExpectedPower, HeldPower, NANO, NodePower, POWER_FIELDS, PowerCap, PowerModel,
    Suspend, cap_steps, usual_of_power, waits_for,
};
pub use sheet::{CELL_COLUMNS, CHANGE_COLUMNS, MachineError, PARTITION_COLUMNS, SheetColumn};
pub use text::MachineText;
pub use what_if::{LONGEST_WHAT_IF, WhatIf, WhatIfError};

/// A point in time (seconds since the log's own zero) or a span of time, in whole seconds.
pub type Seconds = i64;

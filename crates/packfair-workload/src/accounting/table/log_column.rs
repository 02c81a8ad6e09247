//! What a column of a table of jobs can hold.

use LogColumn::*;
use serde::{Deserialize, Serialize};

/// What a column of a table of jobs holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LogColumn {
    Id,
    Submit,
    /// When it became eligible: since then no hold and no dependency kept it from starting.
    Eligible,
    Start,
    End,
    /// How long it ran.
    Run,
    Wait,
    /// The time limit that it requested.
    Limit,
    Processors,
    Nodes,
    /// Graphics processors.
    Gpus,
    /// Processors, nodes and graphics processors in one list, as Slurm writes it.
    Tres,
    User,
    Group,
    Queue,
    Partition,
    /// The job's name, or the program.
    Executable,
    Status,
    /// Watts that it drew on all its nodes together.
    Watts,
    /// Joules that it used.
    Energy,
}

impl LogColumn {
    pub const ALL: [LogColumn; COLUMNS] = [
        Id, Submit, Eligible, Start, End, Run, Wait, Limit, Processors, Nodes, Gpus, Tres, User, Group, Queue,
        Partition, Executable, Status, Watts, Energy,
    ];

    /// The stable name, which studies and `--columns` use.
    pub fn id(self) -> &'static str {
        match self {
            Id => "id",
            Submit => "submit",
            Eligible => "eligible",
            Start => "start",
            End => "end",
            Run => "run",
            Wait => "wait",
            Limit => "limit",
            Processors => "processors",
            Nodes => "nodes",
            Gpus => "gpus",
            Tres => "tres",
            User => "user",
            Group => "group",
            Queue => "queue",
            Partition => "partition",
            Executable => "name",
            Status => "state",
            Watts => "watts",
            Energy => "energy",
        }
    }

    /// Whether it holds times or durations, which may be written in several forms.
    pub fn is_of_time(self) -> bool {
        matches!(self, Submit | Eligible | Start | End | Run | Wait | Limit)
    }
}

pub(super) const COLUMNS: usize = Energy as usize + 1;

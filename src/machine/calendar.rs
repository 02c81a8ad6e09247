//! The calendar of a machine: nodes that go, come back and are added.

use super::Seconds;
use serde::{Deserialize, Serialize};

/// What happens to jobs that run on nodes that go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Displaced {
    /// The jobs run on. Each node goes when its jobs end, and no job starts there before.
    #[default]
    Drain,
    /// Jobs are killed and wait again, the latest start first (ties: later in log order), until the remaining ones fit.
    Kill,
}

/// A change of the number of nodes in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    pub from: Seconds,
    /// When it ends, which is later than `from`; none: it never ends.
    pub until: Option<Seconds>,
    /// The place of the cell in [`Machine::cells`](super::Machine::cells).
    pub cell: usize,
    /// How many nodes more (above 0) or fewer (below 0) there are during the change.
    pub nodes: i64,
    /// When schedulers learn of it. None: it is not announced, and they see its beginning and its end as these happen.
    pub announced: Option<Seconds>,
    /// What happens to jobs on nodes that go: at the beginning, or at the end of a change that added nodes.
    pub displaced: Displaced,
}

impl Change {
    /// The steps of the change: its beginning and, if it ends, its end, each with the change of the number of nodes.
    pub(super) fn steps(&self) -> impl Iterator<Item = (Seconds, i64)> + use<> {
        let Change { from, until, nodes, .. } = *self;
        std::iter::once((from, nodes)).chain(until.map(|until| (until, -nodes)))
    }
}

//! The calendar of a machine: nodes that go, come back and are added.

use super::Seconds;
use serde::{Deserialize, Serialize};

/// What becomes of who runs on nodes that go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Displaced {
    /// They run on. The nodes go as they end, and nobody starts there.
    #[default]
    Drain,
    /// They are killed, the youngest start first (ties: later in log order), until what is left fits; they wait again.
    Kill,
}

/// A change of the number of nodes in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// When it begins.
    pub from: Seconds,
    /// When it ends, later than that; none: never.
    pub until: Option<Seconds>,
    /// The place of the cell in [`Machine::cells`](super::Machine::cells).
    pub cell: usize,
    /// How many nodes more (above 0) or fewer (below 0) there are meanwhile.
    pub nodes: i64,
    /// When schedulers learn of it; none: nobody knew, so that its beginning and its end are seen as they come.
    pub announced: Option<Seconds>,
    /// What becomes of who runs on the nodes when they go: at its beginning, or at the end of one that added nodes.
    pub displaced: Displaced,
}

impl Change {
    /// When there are so many more nodes, and when so many fewer: its beginning and its end, as far as it ends.
    pub(super) fn steps(&self) -> impl Iterator<Item = (Seconds, i64)> + use<> {
        let Change { from, until, nodes, .. } = *self;
        std::iter::once((from, nodes)).chain(until.map(|until| (until, -nodes)))
    }
}

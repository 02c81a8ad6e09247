//! Who is stuck behind what: nodes on which something idles that no waiting job can use, by what is taken there.

use crate::model::Notes;
use crate::model::reported::stranded::{BEHIND, IDLE, OTHERS, RESOURCES, STRANDED};
use serde::{Deserialize, Serialize};

/// Nodes on which a resource idled and no waiting job could use it, because of what others held there; in the mean over
/// the time in which jobs waited.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StuckBehind {
    /// What idled: processors, gpus or memory.
    pub resource: String,
    /// What was in the way: one of these, or that others were on the node at all.
    pub obstacle: String,
    /// The share of what idled of the resource that was stranded, whatever was in the way.
    pub share: f64,
    pub nodes: f64,
    /// The processors that jobs held on each of these nodes, and those that it has.
    pub held: f64,
    pub processors: f64,
}

impl StuckBehind {
    /// Whether a node has to be free of others, and no resource is short.
    pub fn is_behind_others(&self) -> bool {
        self.obstacle == OTHERS
    }

    /// What a scheduler reported of it, by resource and what was in the way; empty where it knows no nodes.
    pub fn reported(notes: &Notes) -> Vec<Self> {
        let mut found = Vec::new();
        for (resource, (idle, stranded)) in RESOURCES.iter().zip(IDLE.iter().zip(&STRANDED)) {
            let share = notes.count(*stranded).zip(notes.count(*idle)).map(|(stranded, idle)| stranded / idle);
            let Some(share) = share.filter(|share| share.is_finite()) else { continue };
            for obstacle in RESOURCES.iter().chain([&OTHERS]) {
                let part = |what: &str| {
                    let name = format!("{resource}.{obstacle}.{what}");
                    notes.parts(BEHIND).find(|(part, _)| *part == name).map(|(_, value)| value)
                };
                let Some(nodes) = part("nodes").filter(|&nodes| nodes > 0.0) else { continue };
                let each = |what| part(what).unwrap_or(0.0) / nodes;
                found.push(StuckBehind {
                    resource: (*resource).to_owned(),
                    obstacle: (*obstacle).to_owned(),
                    share,
                    nodes,
                    held: each("held"),
                    processors: each("processors"),
                });
            }
        }
        found
    }
}

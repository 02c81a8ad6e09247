//! The nodes that running jobs hold, as each command names them.

use crate::accounting::nothing::is_unknown;

/// Nodes that a running job holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeldNodes {
    /// Their names, as Slurm lists them: `n[1-8],g1`.
    pub list: String,
    /// The processors that it has on each of them; none where that is not told.
    pub cpus: Option<u32>,
}

impl HeldNodes {
    /// The nodes in what stands in the place of their list: nothing, or the reason why a job waits, may stand there too.
    pub(super) fn listed(list: &str) -> Vec<HeldNodes> {
        let list = list.trim();
        if list.starts_with('(') || list.contains(' ') || is_unknown(list.as_bytes()) {
            return Vec::new();
        }
        vec![HeldNodes { list: list.to_owned(), cpus: None }]
    }

    /// The nodes in the lines of `scontrol -d show job` that tell their processors: `Nodes=n[1-2] CPU_IDs=0-3,8 Mem=10`.
    /// None where it has no such lines.
    pub(super) fn detailed(block: &str) -> Vec<HeldNodes> {
        let mut list = "";
        let mut found = Vec::new();
        for (key, value) in block.split_whitespace().filter_map(|word| word.split_once('=')) {
            match key {
                "Nodes" => list = value,
                "CPU_IDs" if !list.is_empty() => {
                    found.push(HeldNodes { list: list.to_owned(), cpus: numbers_in(value) });
                    list = "";
                }
                _ => {}
            }
        }
        found
    }
}

/// How many numbers a list such as `0-3,8` has; none where it is no such list.
fn numbers_in(list: &str) -> Option<u32> {
    let in_range = |range: &str| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        last.parse::<u32>().ok()?.checked_sub(first.parse().ok()?)?.checked_add(1)
    };
    list.split(',').map(in_range).try_fold(0_u32, |sum, count| sum.checked_add(count?))
}

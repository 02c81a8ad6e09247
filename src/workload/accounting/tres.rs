//! Trackable resources as Slurm writes them: `billing=12,cpu=12,gres/gpu=2,mem=31000M,node=1`, in its data base by
//! number: `1=12,2=31000,4=1,1001=2`.

use super::time::digits;

/// What a list of resources says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Resources {
    pub processors: Option<u32>,
    pub nodes: Option<u32>,
    pub gpus: Option<u32>,
}

impl Resources {
    /// Reads a list; what is not understood in it is passed over.
    pub(super) fn of(text: &[u8]) -> Self {
        let mut found = Resources::default();
        let mut typed = None;
        for (name, value) in text.split(|&byte| byte == b',').filter_map(pair) {
            let count = count(value);
            match name {
                b"cpu" | b"1" => found.processors = count,
                b"node" | b"4" => found.nodes = count,
                // the numbers from 1001 on are a cluster's own; the first is that of its graphics processors
                b"gres/gpu" | b"1001" => found.gpus = count,
                _ if name.starts_with(b"gres/gpu:") => typed = Some(typed.unwrap_or(0) + count.unwrap_or(0)),
                _ => {}
            }
        }
        found.gpus = found.gpus.or(typed);
        found
    }
}

/// Name and value of an item such as `cpu=12`.
pub(super) fn pair(item: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = item.iter().position(|&byte| byte == b'=')?;
    Some((&item[..at], &item[at + 1..]))
}

/// A count, perhaps with a suffix (`2K`).
pub(super) fn count(text: &[u8]) -> Option<u32> {
    let (text, times) = match text.split_last() {
        Some((b'K' | b'k', text)) => (text, 1_000),
        Some((b'M' | b'm', text)) => (text, 1_000_000),
        _ => (text, 1),
    };
    u32::try_from(digits(text)?.checked_mul(times)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resources_are_read_in_both_forms() {
        let of = |text: &str| {
            let found = Resources::of(text.as_bytes());
            (found.processors, found.nodes, found.gpus)
        };
        assert_eq!(of("billing=12,cpu=12,gres/gpu=2,mem=31000M,node=1"), (Some(12), Some(1), Some(2)));
        assert_eq!(of("cpu=2K,gres/gpu:a100=4,gres/gpu:v100=2,node=8"), (Some(2_000), Some(8), Some(6)));
        assert_eq!(of("gres/gpu=6,gres/gpu:a100=4,gres/gpu:v100=2"), (None, None, Some(6)));
        assert_eq!(of("1=20,2=170000,4=1,1001=2"), (Some(20), Some(1), Some(2)));
        assert_eq!(of(""), (None, None, None));
        assert_eq!(of("cpu=many,node="), (None, None, None));
    }
}

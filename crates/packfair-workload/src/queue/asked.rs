//! What jobs of a queue ask for beyond processors, nodes and time, from the fields in which each command tells it.

use super::QueuedJob;
use crate::accounting::nothing::is_unknown;
use crate::accounting::options::{self, OptionFields};
use crate::accounting::submit_line::words;
use crate::accounting::tres::{Resources, count, requested_memory};

/// The fields of a job; empty where the command does not print them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Asked<'a> {
    /// What it asks for, or has, as TRES: `cpu=8,mem=16G,node=2,gres/gpu:a100=4`.
    pub tres: &'a str,
    /// What it asks for on each node: `gres/gpu:a100:2`, of old versions `gpu:2`.
    pub on_each_node: &'a str,
    pub constraint: &'a str,
    pub licences: &'a str,
    pub reservation: &'a str,
    /// Memory as old versions' ReqMem has it: `4Gc` for each processor, `20Gn` for each node, `31000M` on all.
    pub memory: &'a str,
    pub submit_line: &'a str,
    /// Whether nobody may share its nodes.
    pub is_exclusive: bool,
}

/// The text, unless it stands for nothing.
pub(super) fn told(text: &str) -> &str {
    let text = text.trim();
    if is_unknown(text.as_bytes()) { "" } else { text }
}

impl Asked<'_> {
    /// Adds to a job what these fields tell of it.
    pub(super) fn of(&self, mut job: QueuedJob) -> QueuedJob {
        let [tres, on_each_node, memory] = [self.tres, self.on_each_node, self.memory].map(told);
        let resources = Resources::of(tres.as_bytes());
        job.processors = job.processors.or(resources.processors);
        job.nodes = job.nodes.or(resources.nodes);
        let nodes = job.nodes.unwrap_or(1).max(1);
        let on_nodes = || graphics_processors(on_each_node).map(|each| each.saturating_mul(nodes));
        job.gpus = job.gpus.or(resources.gpus).or_else(on_nodes);
        let of_request = || requested_memory(memory.as_bytes(), job.processors, job.nodes);
        job.memory = job.memory.or(resources.memory).or_else(of_request);
        let mut line =
            if told(self.submit_line).is_empty() { "sbatch".to_owned() } else { self.submit_line.to_owned() };
        // options end where the script begins
        let more = [
            (on_each_node, format!(" --gres={on_each_node}")),
            (if self.is_exclusive { "x" } else { "" }, " --exclusive".to_owned()),
        ];
        let program = line.find(char::is_whitespace).unwrap_or(line.len());
        more.iter().filter(|(is, _)| !is.is_empty()).for_each(|(_, option)| line.insert_str(program, option));
        job.options = options::read(&OptionFields {
            constraint: told(self.constraint).as_bytes(),
            licences: told(self.licences).as_bytes(),
            reservation: told(self.reservation).as_bytes(),
            tres: tres.as_bytes(),
            requested_memory: memory.as_bytes(),
            submit_line: &words(line.as_bytes()),
            nodes: job.nodes,
            ..OptionFields::default()
        });
        job
    }
}

/// The graphics processors in a list such as `gres/gpu:a100:2,shard:1`, `gres:gpu:2` or `gpu`; none where it has none.
fn graphics_processors(list: &str) -> Option<u32> {
    let of = |item: &str| {
        let item = item.trim().trim_start_matches("gres/").trim_start_matches("gres:");
        let rest = item.split('(').next()?.strip_prefix("gpu")?;
        match rest.rsplit([':', '=']).next() {
            _ if rest.is_empty() => Some(1),
            Some(last) if rest.starts_with([':', '=']) => Some(count(last.as_bytes()).unwrap_or(1)),
            _ => None,
        }
    };
    let found: u32 = list.split(',').filter_map(of).fold(0, u32::saturating_add);
    (found > 0).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AskedMemory;

    #[test]
    fn what_a_job_asks_for_is_read_from_whatever_tells_it() {
        let two = QueuedJob { nodes: Some(2), processors: Some(8), ..QueuedJob::default() };
        let of = |asked: Asked| asked.of(two.clone());
        let job = of(Asked { tres: "cpu=8,mem=16G,node=2,billing=8,gres/gpu:a100=4", ..Asked::default() });
        assert_eq!((job.gpus, job.memory), (Some(4), Some(16_384)));
        assert_eq!(job.options.unwrap().gpus, [("a100".to_owned(), 4)]);
        let job = of(Asked { on_each_node: "gres/gpu:a100:3", memory: "4Gn", constraint: "new", ..Asked::default() });
        assert_eq!((job.gpus, job.memory), (Some(6), Some(8_192)));
        let options = job.options.unwrap();
        assert_eq!((options.gpus, options.memory), (vec![("a100".to_owned(), 6)], AskedMemory::OfNode(4_096)));
        assert_eq!(options.constraint, "new");
        let job = of(Asked { on_each_node: "N/A", licences: "(null)", constraint: "(null)", ..Asked::default() });
        assert_eq!((job.gpus, job.memory, job.options), (None, None, None));
        let job = of(Asked { submit_line: "sbatch -C old run.sh", is_exclusive: true, ..Asked::default() });
        let options = job.options.unwrap();
        assert_eq!((options.constraint.as_str(), options.sharing), ("old", crate::NodeSharing::Nobody));
        for (list, gpus) in
            [("gres:gpu:2", Some(2)), ("gpu:a100:2(IDX:0-1)", Some(2)), ("gpu", Some(1)), ("shard:4", None), ("", None)]
        {
            assert_eq!(graphics_processors(list), gpus, "{list}");
        }
    }
}

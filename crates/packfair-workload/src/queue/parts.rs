//! Heterogeneous jobs of a queue: their parts, which stand by themselves there, become one job.

use super::QueuedJob;
use crate::accounting::numbers::is_unknown;
use crate::accounting::options::{self, OptionFields};
use crate::accounting::submit_line::words;
use crate::accounting::tres::{Resources, count, requested_memory};
use crate::{JobOptions, JobPart};

/// The jobs with the parts of each together, in the place of the first.
pub(super) fn joined(jobs: Vec<QueuedJob>) -> Vec<QueuedJob> {
    let mut found: Vec<QueuedJob> = Vec::new();
    for mut job in jobs {
        let Some(whole) = job.part_of else {
            found.push(job);
            continue;
        };
        let part = part(&job);
        let is_own = |other: &&mut QueuedJob| other.part_of == Some(whole) && other.submit == job.submit;
        match found.iter_mut().find(is_own) {
            Some(first) => first.add(job, part),
            None => {
                job.number = whole;
                job.options = Some(JobOptions { parts: vec![part], ..JobOptions::default() });
                found.push(job);
            }
        }
    }
    // of which the queue lists a single part, that is all that is known
    for job in found.iter_mut().filter(|job| job.part_of.is_some()) {
        if let Some([only]) = job.options.as_ref().map(|options| options.parts.as_slice()) {
            let own = only.options.clone();
            job.options = Some(own).filter(|own| *own != JobOptions::default());
        }
    }
    found
}

fn part(job: &QueuedJob) -> JobPart {
    JobPart {
        processors: job.processors.or(job.nodes).unwrap_or(0),
        partition: job.partition.clone(),
        nodes: job.nodes.unwrap_or(0),
        gpus: job.gpus.unwrap_or(0),
        memory: job.memory.unwrap_or(0),
        node_range: None,
        options: job.options.clone().unwrap_or_default(),
    }
}

impl QueuedJob {
    /// Adds a further part of a heterogeneous job.
    fn add(&mut self, mut other: QueuedJob, part: JobPart) {
        let sum = |one: Option<u32>, other: Option<u32>| match (one, other) {
            (Some(one), Some(other)) => Some(one.saturating_add(other)),
            (one, other) => one.or(other),
        };
        self.processors = sum(self.processors, other.processors);
        self.nodes = sum(self.nodes, other.nodes);
        self.gpus = sum(self.gpus, other.gpus);
        self.memory = sum(self.memory, other.memory);
        self.limit = self.limit.max(other.limit);
        self.on.append(&mut other.on);
        if other.is_held() {
            self.reason = other.reason;
        }
        self.options.iter_mut().for_each(|options| options.parts.push(part.clone()));
    }
}

// The nodes that running jobs hold, as each command names them.

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

// What jobs of a queue ask for beyond processors, nodes and time, from the fields in which each command tells it.

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
    use crate::queue::read_queue;

    #[test]
    fn parts_are_one_job_in_every_format() {
        let table = "JOBID|USER|PARTITION|STATE|SUBMIT_TIME|TIME_LIMIT|CPUS|NODES|FEATURES|REASON\n\
            12+0|ann|main|PENDING|2026-01-31T22:53:20|2:00:00|8|2|new|Resources\n\
            12+1|ann|gpu|PENDING|2026-01-31T22:53:20|2:00:00|4|1|(null)|Resources\n\
            14|ann|main|PENDING|2026-01-31T22:53:20|2:00:00|1|1|(null)|Priority\n";
        let block = |id: u32, partition: &str, cpus: u32, nodes: u32, features: &str| {
            format!(
                "JobId={id} HetJobId=12 HetJobOffset={} JobName=x\n   UserId=ann(1) JobState=PENDING Reason=Resources\n   \
                 SubmitTime=2026-01-31T22:53:20 TimeLimit=02:00:00\n   Partition={partition} NumNodes={nodes} \
                 NumCPUs={cpus}\n   Features={features}\n\n",
                id - 12
            )
        };
        let blocks = block(12, "main", 8, 2, "new") + &block(13, "gpu", 4, 1, "(null)");
        let entry = |id: u32, partition: &str, cpus: u32, nodes: u32, features: &str| {
            format!(
                "{{\"job_id\": {id}, \"het_job_id\": {{\"set\": true, \"number\": 12}}, \"job_state\": [\"PENDING\"], \
                 \"state_reason\": \"Resources\", \"submit_time\": 1769900000, \"time_limit\": 120, \"cpus\": {cpus}, \
                 \"node_count\": {nodes}, \"partition\": \"{partition}\", \"features\": \"{features}\"}}"
            )
        };
        let json = format!("{{\"jobs\": [{}, {}]}}", entry(12, "main", 8, 2, "new"), entry(13, "gpu", 4, 1, ""));
        for text in [table, &blocks, &json] {
            let jobs = read_queue(text.as_bytes()).unwrap().jobs;
            let whole = &jobs[0];
            assert_eq!((whole.number, whole.processors, whole.nodes), (12, Some(12), Some(3)), "{text}");
            let parts = &whole.options.as_ref().unwrap().parts;
            let told = parts.iter().map(|part| (part.partition.as_str(), part.processors, &*part.options.constraint));
            assert_eq!(told.collect::<Vec<_>>(), [("main", 8, "new"), ("gpu", 4, "")], "{text}");
            assert!(jobs[1..].iter().all(|job| job.number == 14 && job.options.is_none()));
        }
    }
}

#[cfg(test)]
mod asked_tests {
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

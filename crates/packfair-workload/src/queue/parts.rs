//! Heterogeneous jobs of a queue: their parts, which stand by themselves there, become one job.

use super::QueuedJob;
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

//! What jobs of Slurm ask for beyond processors, nodes and time.

use super::{JobId, Request, Seconds};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, OnceLock};

/// What a job asks for beyond processors, nodes and time. Many jobs ask for the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct JobOptions {
    /// What its nodes must have (`--constraint`), as the user wrote it; empty where nothing is told.
    pub constraint: String,
    /// GPUs of certain kinds, on all of its nodes together.
    pub gpus: Vec<(String, u32)>,
    /// Licences (`--licenses`).
    pub licences: Vec<(String, u32)>,
    /// Whether one of the licences is enough.
    pub is_any_licence: bool,
    pub memory: AskedMemory,
    /// The most leaf switches that its nodes may be on, and for how long it waits for that, seconds (`--switches`).
    pub switches: Option<(u32, u32)>,
    /// Processors of each of its tasks, of which a node has all or none (`--cpus-per-task`); 0 where nothing is told.
    pub of_task: u32,
    /// The reservations of which it may be in one (`--reservation`), as the log has them; empty where nothing is told.
    pub reservation: String,
    /// Who may share its nodes (`--exclusive`).
    pub sharing: NodeSharing,
    /// Whether it says how many cores of its nodes are left to the system (`--core-spec`, `--thread-spec`).
    pub names_reserved: bool,
    /// The parts of a heterogeneous job, each with what it asks for by itself; else empty.
    pub parts: Vec<JobPart>,
}

/// A part of a heterogeneous job. All parts start together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct JobPart {
    pub processors: u32,
    /// The partitions that it names, as the log has them.
    pub partition: String,
    /// Nodes, graphics processors, and memory on all nodes (MiB); 0 where the log does not tell.
    pub nodes: u32,
    pub gpus: u32,
    pub memory: u32,
    /// The fewest nodes that it asked for, and the most; none where the log does not tell.
    pub node_range: Option<(u32, u32)>,
    /// What it asks for beyond these.
    pub options: JobOptions,
}

/// How a job asks for memory, MiB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum AskedMemory {
    /// The log does not tell, or the job took the site's default.
    #[default]
    Unsaid,
    /// `--mem`; 0 stands for all of each node.
    OfNode(u32),
    /// `--mem-per-cpu`.
    OfCpu(u32),
    /// `--mem-per-gpu`.
    OfGpu(u32),
}

/// Who may share the nodes of a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum NodeSharing {
    /// Whoever the partition lets.
    #[default]
    Usual,
    /// Nobody (`--exclusive`).
    Nobody,
    /// Jobs of the same user (`--exclusive=user`).
    OwnUser,
}

// Orders of jobs that follow from the workload alone, not from a schedule. They are computed when first asked for, and
// shared by copies of the workload.

/// Jobs in some order, computed when first asked for. It follows from the jobs, so comparisons of workloads ignore it.
#[derive(Clone, Debug, Default)]
struct LazyOrder(OnceLock<Arc<[JobId]>>);

impl PartialEq for LazyOrder {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct JobOrders {
    by_area: LazyOrder,
    by_logged_wait: LazyOrder,
}

impl JobOrders {
    /// All jobs by area r D, the smallest first; jobs that are equal in this are in log order.
    pub(super) fn by_area(&self, requests: &[Request], runs: &[Seconds]) -> &[JobId] {
        self.by_area.0.get_or_init(|| {
            let areas = requests.iter().zip(runs).map(|(request, &run)| area(request.processors, run));
            sorted(areas.zip((0..).map(JobId)).collect())
        })
    }

    /// The jobs whose wait the log tells, by that wait, the shortest first; jobs that are equal in this are in log
    /// order.
    pub(super) fn by_logged_wait(&self, waits: &[Seconds]) -> &[JobId] {
        self.by_logged_wait.0.get_or_init(|| {
            let told = waits.iter().copied().zip((0..).map(JobId)).filter(|&(wait, _)| wait >= 0);
            sorted(told.collect())
        })
    }
}

/// The area r D in whole processor-seconds.
///
/// It saturates at 2^63, which is 2^32 processors for 68 years.
pub(super) fn area(processors: u32, run: Seconds) -> i64 {
    i64::from(processors).saturating_mul(run)
}

fn sorted(mut jobs: Vec<(i64, JobId)>) -> Arc<[JobId]> {
    radsort::sort_by_key(&mut jobs, |&(key, _)| key);
    jobs.into_iter().map(|(_, job)| job).collect()
}

//! Whether jobs are eligible. Jobs with dependencies wait outside the queue until a pass or a cycle finds that these
//! are over. That takes the nodes of the jobs in question to be given back; for a singleton it is enough that its
//! namesakes do not run.

use super::Controller;
use super::job::JobState;
use super::node_set::NodeBits;
use super::room::{Allocation, Ask, Nodes, Room};
use super::tree::SwitchAsk;
use packfair_engine::model::{Actions, Waiting};
use packfair_workload::{ArrayTask, JobArray, JobId, Seconds, Tie, Ties};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Which of the jobs that others depend on have started and ended. Jobs are named by their places in the workload.
#[derive(Clone, Debug)]
pub(super) struct Eligibility {
    ties: Arc<Ties>,
    groups: Vec<GroupCourse>,
    /// Pairs of a job and a group that it is in, sorted.
    members: Vec<(JobId, u32)>,
    started: FxHashSet<JobId>,
    /// The jobs that wait or run, by user and name; empty where no job is a singleton.
    namesakes: FxHashMap<(i32, i32), Vec<Namesake>>,
    has_singletons: bool,
    /// Whether a job that others may wait for has started or ended.
    is_stirred: bool,
    /// The first moment at which a delay after a start is over.
    next: Seconds,
}

#[derive(Clone, Copy, Debug)]
struct GroupCourse {
    unstarted: usize,
    unended: usize,
    last_start: Seconds,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Namesake {
    place: JobId,
    runs: bool,
}

impl Eligibility {
    /// The state before any job has started.
    pub(super) fn of(ties: Arc<Ties>) -> Self {
        let course = |group: &Vec<JobId>| GroupCourse { unstarted: group.len(), unended: group.len(), last_start: 0 };
        let of_group = |(number, group): (u32, &Vec<JobId>)| -> Vec<(JobId, u32)> {
            group.iter().map(|&job| (job, number)).collect()
        };
        let mut members: Vec<(JobId, u32)> = (0..).zip(ties.groups()).flat_map(of_group).collect();
        members.sort_unstable();
        Eligibility {
            groups: ties.groups().iter().map(course).collect(),
            members,
            started: FxHashSet::default(),
            namesakes: FxHashMap::default(),
            has_singletons: ties.all().iter().any(|(_, tie)| *tie == Tie::Singleton),
            is_stirred: false,
            next: Seconds::MAX,
            ties,
        }
    }

    /// Notes that a job waits.
    pub(super) fn submitted(&mut self, job: &JobState) {
        if self.has_singletons {
            let namesakes = self.namesakes.entry(job.namesakes).or_default();
            match namesakes.iter_mut().find(|other| other.place == job.place) {
                // the job was preempted
                Some(known) => known.runs = false,
                None => namesakes.push(Namesake { place: job.place, runs: false }),
            }
        }
    }

    /// Notes that a job starts.
    pub(super) fn started(&mut self, job: &JobState, now: Seconds) {
        if let Some(namesakes) = self.namesakes.get_mut(&job.namesakes) {
            namesakes.iter_mut().filter(|other| other.place == job.place).for_each(|own| own.runs = true);
        }
        // a job that starts again has already been counted
        if self.is_member(job.place) && self.started.insert(job.place) {
            self.is_stirred = true;
            for group in groups_of(&self.members, job.place) {
                let course = &mut self.groups[group];
                course.unstarted -= 1;
                course.last_start = now;
            }
        }
    }

    /// Notes that a job no longer runs and does not wait again. Its nodes are not free yet.
    pub(super) fn stopped(&mut self, job: &JobState) {
        if let Some(namesakes) = self.namesakes.get_mut(&job.namesakes) {
            namesakes.retain(|other| other.place != job.place);
            self.is_stirred = true;
        }
    }

    /// Notes that a job is over and its nodes have been given back.
    pub(super) fn ended(&mut self, job: &JobState) {
        if self.is_member(job.place) {
            self.is_stirred = true;
            groups_of(&self.members, job.place).for_each(|group| self.groups[group].unended -= 1);
        }
    }

    fn is_member(&self, place: JobId) -> bool {
        groups_of(&self.members, place).next().is_some()
    }

    /// Whether some job may have become eligible since the last call.
    pub(super) fn take_stirred(&mut self, now: Seconds) -> bool {
        let is_over = now >= self.next;
        if is_over {
            self.next = Seconds::MAX;
        }
        std::mem::take(&mut self.is_stirred) || is_over
    }

    /// Whether no dependency keeps a job from being eligible.
    pub(super) fn is_free(&mut self, job: &JobState, now: Seconds) -> bool {
        let (ties, place) = (self.ties.clone(), job.place);
        let own = ties.of_job(place);
        if own.is_empty() {
            return true;
        }
        let mut is_over = |(_, tie): &(JobId, Tie)| match *tie {
            Tie::Ends(group) => self.groups[group as usize].unended == 0,
            Tie::Starts(group, delay) => {
                let GroupCourse { unstarted, last_start, .. } = self.groups[group as usize];
                let over = last_start + delay;
                if unstarted == 0 && over > now {
                    self.next = self.next.min(over);
                }
                unstarted == 0 && over <= now
            }
            Tie::Singleton => {
                let holds = |other: &Namesake| other.place != place && (other.runs || other.place < place);
                !self.namesakes.get(&job.namesakes).is_some_and(|others| others.iter().any(holds))
            }
        };
        if ties.is_any_enough(place) { own.iter().any(is_over) } else { own.iter().all(&mut is_over) }
    }
}

fn groups_of(members: &[(JobId, u32)], place: JobId) -> impl Iterator<Item = usize> + use<'_> {
    let first = members.partition_point(|&(of, _)| of < place);
    members[first..].iter().take_while(move |&&(of, _)| of == place).map(|&(_, group)| group as usize)
}

// Jobs that run as a forecast begins: each stands on the nodes that are named.

impl Controller {
    /// Starts a job that has just been submitted on the nodes on which it runs as a forecast begins, whatever else would keep
    /// it from these. Returns whether it was started; not where nothing names its nodes, or they have no room.
    pub(super) fn start_where_it_runs(&mut self, job: JobId, at: f64, actions: &mut Actions) -> bool {
        let Some(place) = self.newcomers.iter().position(|other| other.waiting.job == job) else { return false };
        let own = &self.newcomers[place];
        let Some(held) = self.jobs.held_nodes(own.place.index()) else { return false };
        let found =
            if own.waiting.processors <= actions.free() { self.nodes.held_of(&self.room, own.ask, held) } else { None };
        let Some(allocation) = found else {
            self.elsewhere += 1;
            return false;
        };
        let Some(mut own) = self.newcomers.remove(place) else { return false };
        // it waits in no other partition
        self.newcomers.retain(|other| other.waiting.job != job);
        self.eligibility.submitted(&own);
        self.rate(&mut own, at.floor() as Seconds);
        self.start(own, allocation, at, actions);
        true
    }
}

impl Nodes {
    /// What a job has of the nodes that it holds, each with its processors there (0: not told); none where one of them has
    /// not as much.
    fn held_of(&self, room: &Room, ask: Ask, held: &[(u32, u32)]) -> Option<Allocation> {
        let nodes = NodeBits::of(self.count, held.iter().map(|&(node, _)| node as usize));
        let count = held.len() as u32;
        // it has what it has, however its tasks are shared out
        let ask = Ask { of_task: 0, ..ask };
        if !self.shares(ask) {
            let is_free = self.idle_of(room, &nodes) == count;
            return is_free.then_some(Allocation {
                nodes,
                gpus: ask.gpus,
                memory: ask.memory,
                ..Allocation::default()
            });
        }
        if held.iter().any(|&(_, cpus)| cpus == 0) {
            let whichever = Ask { node_range: (count, count), switches: SwitchAsk::Rows, want: 0, ..ask };
            return self.choose(room, whichever, &nodes);
        }
        let is_free = |&(node, cpus): &(u32, u32)| self.offer(room, ask, node as usize) >= cpus;
        held.iter().all(is_free).then(|| Allocation {
            kinds: self.kinds_on(room, ask, &nodes),
            nodes,
            cpus: held.iter().map(|&(_, cpus)| cpus).collect(),
            gpus: ask.gpus,
            memory: ask.memory,
        })
    }
}

// Job arrays. Slurm keeps the waiting tasks of an array as one record, from which it takes the lowest task that
// starts. So the tasks stand together in the queue, in the place of the array, and once one of them is refused in a
// pass the others are not tried.

/// The reason, in squeue's words, of a task that waits for other tasks of its array.
pub(super) const TASK_LIMIT: &str = "JobArrayTaskLimit";

#[derive(Clone, Debug)]
pub(super) struct Arrays {
    all: Vec<ArrayState>,
}

#[derive(Clone, Copy, Debug)]
struct ArrayState {
    /// The most tasks that may run at once; none if there is no limit.
    most: Option<u32>,
    running: u32,
    /// When those of its tasks were submitted that came last, and which of these came first.
    head: Option<(Seconds, JobId)>,
}

impl Arrays {
    /// The state before any task was submitted.
    pub(super) fn of(ties: &Ties) -> Self {
        let course = |array: &JobArray| ArrayState { most: array.most, running: 0, head: None };
        Arrays { all: ties.arrays().iter().map(course).collect() }
    }

    /// The job in whose place a task stands in the queue.
    pub(super) fn head(&mut self, task: ArrayTask, waiting: &Waiting) -> JobId {
        // a task that is submitted later does not stand with those before it
        let head = &mut self.all[task.array as usize].head;
        head.take_if(|(submit, _)| *submit != waiting.submit);
        head.get_or_insert((waiting.submit, waiting.job)).1
    }

    /// Counts a job that starts.
    pub(super) fn started(&mut self, job: &JobState) {
        job.task.into_iter().for_each(|task| self.all[task.array as usize].running += 1);
    }

    /// Counts a job that no longer runs.
    pub(super) fn stopped(&mut self, job: &JobState) {
        job.task.into_iter().for_each(|task| self.all[task.array as usize].running -= 1);
    }

    /// How many more tasks of an array may start; none if there is no limit.
    pub(super) fn left(&self, task: ArrayTask) -> Option<u32> {
        let course = &self.all[task.array as usize];
        course.most.map(|most| most.saturating_sub(course.running))
    }

    /// Whether as many tasks of an array run as are allowed to.
    pub(super) fn is_full(&self, task: ArrayTask) -> bool {
        self.left(task) == Some(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_slurm::{Site, Version};

    #[test]
    fn a_job_has_of_its_nodes_what_is_told_or_what_slurm_would_give_it() {
        let mut site = Site::plain(3, Version::default());
        site.nodes.iter_mut().for_each(|node| node.cpus = 8);
        let nodes = Nodes::of(&site);
        let mut room = nodes.room();
        let ask = Ask { node_range: (1, 0), cpus: 10, ..Ask::default() };
        let of = |room: &Room, ask: Ask, held: &[(u32, u32)]| {
            let found = nodes.held_of(room, ask, held)?;
            Some((found.nodes.iter().collect::<Vec<_>>(), found.cpus))
        };
        assert_eq!(of(&room, ask, &[(0, 3), (2, 7)]), Some((vec![0, 2], vec![3, 7])));
        assert_eq!(of(&room, ask, &[(0, 0), (2, 0)]), Some((vec![0, 2], vec![8, 2])));
        assert_eq!(of(&room, ask, &[(1, 0)]), None, "a node has eight");
        let taken = nodes.held_of(&room, ask, &[(0, 3), (2, 7)]).unwrap();
        nodes.take(&mut room, &taken);
        assert_eq!(of(&room, ask, &[(1, 8), (2, 2)]), None, "one is left there");
        assert_eq!(of(&room, ask, &[(0, 0), (2, 0)]), None, "five and one are left");
        assert_eq!(of(&room, ask, &[(0, 0), (1, 0)]), Some((vec![0, 1], vec![5, 5])));
        let whole = Ask { nodes: 1, is_exclusive: true, ..ask };
        assert_eq!(of(&room, whole, &[(2, 0)]), None, "somebody is there");
        assert_eq!(of(&room, whole, &[(1, 4)]), Some((vec![1], vec![])));
    }
}

//! Whether jobs are eligible. Jobs with dependencies wait outside the queue until a pass or a cycle finds that these
//! are over. That takes the nodes of the jobs in question to be given back; for a singleton it is enough that its
//! namesakes do not run.

use super::job::JobState;
use packfair_workload::{JobId, Seconds, Tie, Ties};
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

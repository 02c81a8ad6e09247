//! Whether jobs are eligible: those that come after others wait outside the queue until a pass or a cycle finds that what
//! they come after is over. A job's nodes have been given back then; for a singleton it is enough that it runs no more.

use super::job::Job;
use crate::workload::{JobId, Seconds, Tie, Ties};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Who has started and ended of those that others come after. Jobs are named by their places in the workload.
#[derive(Clone, Debug)]
pub(super) struct Eligibility {
    ties: Arc<Ties>,
    groups: Vec<GroupCourse>,
    /// The groups of each job that is in some, in order.
    members: Vec<(JobId, u32)>,
    started: FxHashSet<JobId>,
    /// Whoever waits or runs, by user and name; nobody where nobody waits for namesakes.
    namesakes: FxHashMap<(i32, i32), Vec<Namesake>>,
    has_singletons: bool,
    /// Somebody has started or ended that others may wait for.
    is_stirred: bool,
    /// The first moment at which a delay after a start is over.
    next: Seconds,
}

/// How far jobs are that are waited for together.
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
    /// Nobody has started yet.
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

    /// A job waits.
    pub(super) fn submitted(&mut self, job: &Job) {
        if self.has_singletons {
            let namesakes = self.namesakes.entry(job.namesakes).or_default();
            match namesakes.iter_mut().find(|other| other.place == job.place) {
                // it was preempted
                Some(known) => known.runs = false,
                None => namesakes.push(Namesake { place: job.place, runs: false }),
            }
        }
    }

    /// A job starts.
    pub(super) fn started(&mut self, job: &Job, now: Seconds) {
        if let Some(namesakes) = self.namesakes.get_mut(&job.namesakes) {
            namesakes.iter_mut().filter(|other| other.place == job.place).for_each(|own| own.runs = true);
        }
        // a job that starts again has started already
        if self.is_member(job.place) && self.started.insert(job.place) {
            self.is_stirred = true;
            for group in groups_of(&self.members, job.place) {
                let course = &mut self.groups[group];
                course.unstarted -= 1;
                course.last_start = now;
            }
        }
    }

    /// A job runs no more, and does not wait again; its nodes are not free yet.
    pub(super) fn stopped(&mut self, job: &Job) {
        if let Some(namesakes) = self.namesakes.get_mut(&job.namesakes) {
            namesakes.retain(|other| other.place != job.place);
            self.is_stirred = true;
        }
    }

    /// A job is over, and its nodes have been given back.
    pub(super) fn ended(&mut self, job: &Job) {
        if self.is_member(job.place) {
            self.is_stirred = true;
            groups_of(&self.members, job.place).for_each(|group| self.groups[group].unended -= 1);
        }
    }

    fn is_member(&self, place: JobId) -> bool {
        groups_of(&self.members, place).next().is_some()
    }

    /// Whether somebody may be eligible now who was not when this was asked last.
    pub(super) fn take_stirred(&mut self, now: Seconds) -> bool {
        let is_over = now >= self.next;
        if is_over {
            self.next = Seconds::MAX;
        }
        std::mem::take(&mut self.is_stirred) || is_over
    }

    /// Whether nothing keeps a job any more.
    pub(super) fn is_free(&mut self, job: &Job, now: Seconds) -> bool {
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

/// The groups of a job, among all memberships.
fn groups_of(members: &[(JobId, u32)], place: JobId) -> impl Iterator<Item = usize> + use<'_> {
    let first = members.partition_point(|&(of, _)| of < place);
    members[first..].iter().take_while(move |&&(of, _)| of == place).map(|&(_, group)| group as usize)
}

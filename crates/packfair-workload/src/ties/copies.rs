//! Ties among copies of jobs: of users who were drawn, and of parts of a log.

use super::{ArrayTask, Tie, Ties};
use crate::{JobId, Seconds, Workload};
use rustc_hash::FxHashMap;
use std::sync::Arc;

impl Ties {
    /// The ties of the jobs of `new`, each of which is a copy of a job of `old`: `copied` has the original of each. A
    /// copy comes after copies of the same user. A job that comes after another user's job comes after the last copy of
    /// that job.
    fn of_copies(&self, old: &Workload, new: &Workload, copied: &[JobId]) -> Option<Self> {
        let named = self.groups.iter().flatten();
        let mut copies: FxHashMap<JobId, Vec<JobId>> = named.map(|&job| (job, Vec::new())).collect();
        for (job, of) in (0..).map(JobId).zip(copied) {
            copies.get_mut(of).into_iter().for_each(|jobs| jobs.push(job));
        }
        let user = |workload: &Workload, job: JobId| workload.request(job).user;
        let copy_of = |on: JobId, job: JobId| {
            let is_own = user(old, on) == user(old, copied[job.index()]);
            let is_meant = |&&copy: &&JobId| !is_own || user(new, copy) == user(new, job);
            let all = &copies[&on];
            all[..all.partition_point(|&copy| copy < job)].iter().rfind(is_meant).copied()
        };
        let mut made = Ties::default();
        let mut arrays: FxHashMap<(u32, i32, Seconds), u32> = FxHashMap::default();
        for (job, &of) in (0..).map(JobId).zip(copied) {
            let before = made.all.len();
            for &(_, tie) in self.of_job(of) {
                let tie = match tie {
                    Tie::Singleton => Some(tie),
                    Tie::Ends(group) | Tie::Starts(group, _) => {
                        let jobs = self.groups[group as usize].iter().filter_map(|&on| copy_of(on, job));
                        let jobs: Vec<JobId> = jobs.collect();
                        (!jobs.is_empty()).then(|| match (made.add_group(jobs), tie) {
                            (group, Tie::Starts(_, delay)) => Tie::Starts(group, delay),
                            (group, _) => Tie::Ends(group),
                        })
                    }
                };
                made.all.extend(tie.map(|tie| (job, tie)));
            }
            if self.is_any_enough(of) && made.all.len() > before + 1 {
                made.alternatives.push(job);
            }
            if let Some(ArrayTask { array, task }) = self.task(of) {
                let request = new.request(job);
                let most = self.arrays[array as usize].most;
                let array =
                    *arrays.entry((array, request.user, request.submit)).or_insert_with(|| made.add_array(most));
                made.arrays[array as usize].tasks.push(job);
                made.tasks.push((job, ArrayTask { array, task }));
            }
        }
        Some(made).filter(|made| !made.is_empty())
    }

    /// Puts tasks of one array into one array whenever they were submitted: the first jobs, copies of jobs that are tasks of
    /// these arrays.
    fn join_arrays(&mut self, originals: impl Iterator<Item = (JobId, u32)>) {
        let mut joined: FxHashMap<u32, u32> = FxHashMap::default();
        for (job, original) in originals {
            let Ok(at) = self.tasks.binary_search_by_key(&job, |&(of, _)| of) else { continue };
            let own = self.tasks[at].1.array;
            let array = *joined.entry(original).or_insert(own);
            if array != own {
                self.tasks[at].1.array = array;
                self.arrays[own as usize].tasks.retain(|&task| task != job);
                self.arrays[array as usize].tasks.push(job);
            }
        }
        self.arrays.iter_mut().for_each(|array| array.tasks.sort_unstable());
    }
}

impl Workload {
    /// Has its first jobs, which are copies of these jobs of another workload, be tasks of one array where these are,
    /// whenever they were submitted.
    pub fn join_arrays_of(&mut self, other: &Workload, copied: impl Iterator<Item = JobId>) {
        if let (Some(ties), Some(of)) = (&mut self.ties, other.ties()) {
            let originals = (0..).map(JobId).zip(copied).filter_map(|(job, copy)| Some((job, of.task(copy)?.array)));
            Arc::make_mut(ties).join_arrays(originals);
        }
    }

    /// Takes the ties of another workload, of whose jobs its own are copies: `copied` has the original of each.
    pub(crate) fn take_ties_of(&mut self, other: &Workload, copied: &[JobId]) {
        self.ties = other.ties().and_then(|ties| ties.of_copies(other, self, copied)).map(Arc::new);
    }
}

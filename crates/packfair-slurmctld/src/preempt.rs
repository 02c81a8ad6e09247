//! Preemption: running jobs give their nodes to a job of a higher tier or QOS, and wait again.

use super::Controller;
use super::job::{AllocatedJob, JobState};
use super::node_set::NodeBits;
use packfair_slurm::PreemptBy;
use packfair_workload::{JobId, Seconds};
use std::cmp::Reverse;

/// How long after its nodes were given back a preempted job is eligible again, seconds: when the credential of its
/// first run is no longer valid (cred_expire).
pub(super) const EXPEDIENT: Seconds = 121;

/// For KillWait and this many seconds (MessageTimeout) a job has no further jobs killed for it.
const MESSAGE_TIMEOUT: Seconds = 10;

/// How often the candidates for preemption are reordered (preempt_reorder_count).
const REORDERED: usize = 1;

/// The weight of the last job that has to go: it comes first when the order is made anew.
const LAST: u32 = 99_999;

impl Controller {
    /// Whether a job may take the nodes of a running one.
    pub(super) fn may_preempt(&self, job: &JobState, run: &AllocatedJob) -> bool {
        let site = self.site();
        match site.preempt_by {
            PreemptBy::Nobody => false,
            PreemptBy::Partition => {
                run.job.tier < job.tier && !(site.preempts_by_priority && job.priority < run.job.priority)
            }
            PreemptBy::Qos => {
                let (Some(own), Some(other)) = (job.qos, run.job.qos) else { return false };
                let rules = &site.qos[own as usize];
                let is_higher = job.priority > run.job.priority;
                if own == other {
                    return (site.preempts_within || rules.preempts_within) && is_higher;
                }
                let needs_higher = site.preempts_by_priority || rules.preempts_by_priority;
                rules.preempts.contains(&site.qos[other as usize].name) && (is_higher || !needs_higher)
            }
        }
    }

    /// Until when nobody preempts a running job (PreemptExemptTime).
    fn exempt_until(&self, run: &AllocatedJob) -> Seconds {
        let site = self.site();
        let of = |qos: Option<u32>| qos.and_then(|at| site.qos[at as usize].exempt_time);
        let time = of(run.job.partition_qos).or_else(|| of(run.job.qos)).unwrap_or(site.exempt_time);
        (run.start.floor() as Seconds).saturating_add(time)
    }

    /// The moments from which on running jobs could be preempted for a job that cannot be yet.
    pub(super) fn ends_of_exemption(&self, job: &JobState, now: Seconds) -> impl Iterator<Item = Seconds> {
        let kills = self.site().kills_preempted();
        let running = kills.then(|| self.running.iter()).into_iter().flatten();
        let meant = running.filter(move |run| self.may_preempt(job, run));
        meant.map(|run| self.exempt_until(run)).filter(move |&until| until > now)
    }

    /// The running jobs that could be preempted for a job. Those of the lowest tier, or of the QOS with the lowest
    /// priority, come first, then those on the fewest nodes, then by number.
    pub(super) fn preemptable(&self, job: &JobState, now: Seconds) -> Vec<&AllocatedJob> {
        let site = self.site();
        // a part preempts nobody: backfill would have to find the others before these are gone
        if !site.kills_preempted() || job.part.is_some() {
            return Vec::new();
        }
        let own = &self.partitions[job.partition as usize];
        let is_meant = |run: &&AllocatedJob| {
            !run.is_over
                && site.kills_preempted_of(run.job.partition, run.job.qos)
                && self.may_preempt(job, run)
                && self.exempt_until(run) <= now
                && run.nodes().meets(own)
                && !self.preempted.contains(&run.job.waiting.job)
        };
        let mut found: Vec<&AllocatedJob> = self.running.iter().filter(is_meant).collect();
        found.sort_by_cached_key(|run| (self.preemption_rank(&run.job), run.nodes().count(), run.job.place));
        found
    }

    /// The jobs that are killed for a job that does not fit on the nodes `open`. The candidates are given back one by
    /// one until the job fits. Then those are put first of whose nodes it would take most, and it is tried again, so
    /// that few have to go. Empty where the job does not fit even then, or has had jobs killed a short while ago.
    pub(super) fn preemption(&self, job: &JobState, open: &NodeBits, now: Seconds) -> Vec<JobId> {
        let wait = self.site().kill_wait + MESSAGE_TIMEOUT;
        if job.preempting.is_some_and(|since| since > now - wait) {
            return Vec::new();
        }
        let candidates = self.preemptable(job, now);
        if candidates.is_empty() {
            return Vec::new();
        }
        // who is suspended for it need not be killed
        let before = self.room_by_suspension(job).unwrap_or_else(|| self.room.clone());
        let mut order: Vec<usize> = (0..candidates.len()).collect();
        let mut tries = 0;
        loop {
            let mut room = before.clone();
            let fits = order.iter().enumerate().find_map(|(at, &one)| {
                let run = candidates[one];
                if !run.nodes().meets(open) {
                    return None;
                }
                self.nodes.give(&mut room, &run.allocation);
                self.nodes.choose(&room, job.ask, open).map(|allocation| (at, allocation))
            });
            let Some((last, allocation)) = fits else { return Vec::new() };
            tries += 1;
            if tries > REORDERED + 1 || candidates.len() <= tries {
                let gone = order[..=last].iter().map(|&one| candidates[one]);
                let has_to = |run: &&AllocatedJob| run.nodes().meets(&allocation.nodes);
                return gone.filter(has_to).map(|run| run.job.waiting.job).collect();
            }
            let mut worth = vec![0; candidates.len()];
            order[..last].iter().for_each(|&one| worth[one] = candidates[one].nodes().count_in(&allocation.nodes));
            worth[order[last]] = LAST;
            order.sort_by_key(|&one| Reverse(worth[one]));
        }
    }

    /// Marks jobs to be preempted.
    pub(super) fn preempt(&mut self, victims: Vec<JobId>) {
        for victim in victims {
            if !self.preempted.contains(&victim) {
                self.preempted.push(victim);
            }
        }
    }
}

//! Suspension: running jobs leave their processors to a job of a higher tier or QOS (PreemptMode=SUSPEND,GANG), keep
//! their memory, GPUs and licences, and run on once nobody who was preferred has one of their processors any more.
//!
//! Who starts on processors that others hold may do so only because it is preferred to all of these. So of two jobs with a
//! processor in common the one that started later runs.

use super::Controller;
use super::job::{AllocatedJob, JobState};
use super::node_set::NodeBits;
use super::room::{Allocation, Room};
use packfair_engine::model::Actions;
use packfair_slurm::PreemptBy;
use packfair_workload::{JobId, Seconds};
use rustc_hash::{FxHashMap, FxHashSet};

/// Which processors jobs hold that run or are suspended, in the order in which they started.
#[derive(Clone, Debug, Default)]
pub(super) struct SuspensionBook {
    holders: Vec<Holder>,
}

#[derive(Clone, Debug)]
struct Holder {
    job: JobId,
    processors: u32,
    rank: u32,
    cores: Cores,
    suspended_since: Option<Seconds>,
}

/// Nodes, and which of their processors.
#[derive(Clone, Debug, Default)]
struct Cores {
    nodes: NodeBits,
    /// A bit for each processor of a node, in the order of the nodes; empty where they are all of them.
    bits: Vec<(usize, Vec<u64>)>,
}

/// Processors of several jobs together.
struct UsedCores {
    whole: NodeBits,
    bits: FxHashMap<usize, Vec<u64>>,
}

impl Cores {
    /// The processors on a node, of so many.
    fn on(&self, node: usize, count: u32) -> Vec<u64> {
        match self.bits.binary_search_by_key(&node, |(own, _)| *own) {
            Ok(at) => self.bits[at].1.clone(),
            Err(_) if self.bits.is_empty() && self.nodes.contains(node) => {
                let mut all = vec![0; (count as usize).div_ceil(64)];
                (0..count as usize).for_each(|core| all[core / 64] |= 1 << (core % 64));
                all
            }
            Err(_) => Vec::new(),
        }
    }
}

impl UsedCores {
    fn none(nodes: usize) -> Self {
        UsedCores { whole: NodeBits::none(nodes), bits: FxHashMap::default() }
    }

    fn put(&mut self, cores: &Cores) {
        if cores.bits.is_empty() {
            self.whole.put_in(&cores.nodes);
        }
        for (node, bits) in &cores.bits {
            let own = self.bits.entry(*node).or_insert_with(|| vec![0; bits.len()]);
            own.iter_mut().zip(bits).for_each(|(own, more)| *own |= more);
        }
    }

    fn meets(&self, cores: &Cores) -> bool {
        let meet = |(node, bits): &(usize, Vec<u64>)| {
            self.bits.get(node).is_some_and(|own| own.iter().zip(bits).any(|(own, more)| own & more != 0))
        };
        self.whole.meets(&cores.nodes)
            || cores.bits.iter().any(meet)
            || cores.bits.is_empty() && self.bits.keys().any(|&node| cores.nodes.contains(node))
    }

    /// How many of the processors of a node, of so many.
    fn count_on(&self, node: usize, count: u32) -> u32 {
        if self.whole.contains(node) {
            return count;
        }
        self.bits.get(&node).map_or(0, |bits| bits.iter().map(|word| word.count_ones()).sum())
    }
}

impl SuspensionBook {
    fn are_any_suspended(&self) -> bool {
        self.holders.iter().any(|holder| holder.suspended_since.is_some())
    }
}

impl Controller {
    /// The place of a job in the order in which jobs are preempted: those of the lowest tier, or of the QOS with the
    /// lowest priority, come first.
    pub(super) fn preemption_rank(&self, run: &JobState) -> u32 {
        let site = self.site();
        match site.preempt_by {
            PreemptBy::Qos => run.qos.map_or(0, |at| site.qos[at as usize].priority.min(0xffff)),
            _ => run.tier,
        }
    }

    /// The jobs that hold something and would be suspended for a job, were it to have their processors.
    fn suspendable(&self, job: &JobState) -> FxHashSet<JobId> {
        // Slurm suspends the parts of a job one by one; here they are one job, which runs or does not
        if self.suspension.is_none() || job.part.is_some() {
            return FxHashSet::default();
        }
        let own = &self.partitions[job.partition as usize];
        let is_meant = |run: &&AllocatedJob| {
            !run.is_over
                && run.job.part.is_none()
                && self.site().suspends_preempted_of(run.job.partition, run.job.qos)
                && self.may_preempt(job, run)
                && run.nodes().meets(own)
                && !self.preempted.contains(&run.job.waiting.job)
        };
        self.running.iter().filter(is_meant).map(|run| run.job.waiting.job).collect()
    }

    /// Whether a running job would be suspended for a job.
    pub(super) fn would_suspend(&self, job: &JobState) -> impl Fn(&AllocatedJob) -> bool + use<> {
        let those = self.suspendable(job);
        move |run| those.contains(&run.job.waiting.job)
    }

    /// What is free to a job once others are suspended for it; none where it can have nobody suspended. Who is suspended
    /// keeps memory and GPUs.
    pub(super) fn room_by_suspension(&self, job: &JobState) -> Option<Room> {
        self.room_without(job, &self.suspendable(job))
    }

    /// What is free to a job once these are suspended; none where that is nobody.
    fn room_without(&self, job: &JobState, gone: &FxHashSet<JobId>) -> Option<Room> {
        let book = self.suspension.as_ref().filter(|_| !gone.is_empty())?;
        let mut nodes = NodeBits::none(self.nodes.count);
        let mut kept = UsedCores::none(self.nodes.count);
        for holder in &book.holders {
            if gone.contains(&holder.job) {
                nodes.put_in(&holder.cores.nodes);
            } else {
                kept.put(&holder.cores);
            }
        }
        let mut room = self.room.clone();
        for node in nodes.iter() {
            let taken = kept.count_on(node, self.nodes.cpus[node]);
            let holders = self.running.iter().filter(|run| run.nodes().contains(node)).map(|run| &run.allocation);
            let is_left = taken == 0 && self.nodes.leaves_enough(job.ask, node, holders);
            self.nodes.set_processors(&mut room, node, taken, is_left);
        }
        Some(room)
    }

    /// The nodes that a job gets now if others are suspended for it. Those that are preempted last are left alone, tier by
    /// tier, as far as the job finds room without theirs.
    pub(super) fn choose_by_suspension(&self, job: &JobState, usable: &NodeBits) -> Option<Allocation> {
        let choose = |gone: &FxHashSet<JobId>| self.nodes.choose(&self.room_without(job, gone)?, job.ask, usable);
        let book = self.suspension.as_ref()?;
        let mut gone = self.suspendable(job);
        let mut chosen = choose(&gone)?;
        let places: Vec<(u32, JobId)> = book.holders.iter().map(|holder| (holder.rank, holder.job)).collect();
        let mut ranks: Vec<u32> =
            places.iter().filter(|(_, holder)| gone.contains(holder)).map(|(rank, _)| *rank).collect();
        ranks.sort_unstable();
        ranks.dedup();
        while ranks.len() > 1 {
            let last = ranks.pop();
            places.iter().filter(|(rank, _)| Some(*rank) == last).for_each(|(_, holder)| _ = gone.remove(holder));
            let Some(better) = choose(&gone) else { break };
            chosen = better;
        }
        Some(chosen)
    }

    /// Whether as many processors of the machine are idle, or will be by suspension, as a job takes that starts here.
    pub(super) fn has_processors(&self, job: &JobState, allocation: &Allocation, free: u32) -> bool {
        let wanted = job.waiting.processors;
        let Some(book) = self.suspension.as_ref().filter(|_| wanted > free) else { return wanted <= free };
        let mut used = UsedCores::none(self.nodes.count);
        used.put(&self.cores_of(job, allocation));
        let runs = book.holders.iter().filter(|holder| holder.suspended_since.is_none() && used.meets(&holder.cores));
        wanted <= runs.fold(free, |sum, holder| sum.saturating_add(holder.processors))
    }

    /// The processors that a job gets on its nodes: those that nobody holds, then those of the jobs that are preempted
    /// first, the first ones of each.
    fn cores_of(&self, job: &JobState, allocation: &Allocation) -> Cores {
        let Some(book) = self.suspension.as_ref().filter(|_| !allocation.cpus.is_empty()) else {
            return Cores { nodes: allocation.nodes.clone(), bits: Vec::new() };
        };
        let gone = self.suspendable(job);
        let of_node = |(node, &wanted): (usize, &u32)| {
            let count = self.nodes.cpus[node];
            let mut ranks = vec![0; count as usize];
            for holder in book.holders.iter().filter(|holder| holder.cores.nodes.contains(node)) {
                let rank =
                    if gone.contains(&holder.job) { holder.rank.saturating_add(1).min(u32::MAX - 1) } else { u32::MAX };
                let held = holder.cores.on(node, count);
                let is_held = |core: usize| held.get(core / 64).is_some_and(|word| word >> (core % 64) & 1 == 1);
                (0..count as usize).filter(|&core| is_held(core)).for_each(|core| ranks[core] = rank.max(ranks[core]));
            }
            let mut order: Vec<usize> = (0..count as usize).collect();
            order.sort_by_key(|&core| ranks[core]);
            let mut bits = vec![0; (count as usize).div_ceil(64)];
            order.into_iter().take(wanted as usize).for_each(|core| bits[core / 64] |= 1_u64 << (core % 64));
            (node, bits)
        };
        let bits = allocation.nodes.iter().zip(&allocation.cpus).map(of_node).collect();
        Cores { nodes: allocation.nodes.clone(), bits }
    }

    /// Suspends whoever holds processors that a job gets that starts now. Returns who runs on in their place, which is to
    /// be resumed once it has started.
    pub(super) fn suspend_for(
        &mut self,
        job: &JobState,
        allocation: &Allocation,
        at: f64,
        actions: &mut Actions,
    ) -> Vec<JobId> {
        if self.suspension.is_none() {
            return Vec::new();
        }
        let cores = self.cores_of(job, allocation);
        self.reconsider(Some(&cores), at, actions)
    }

    /// Notes that a job has begun, after [`Controller::suspend_for`], and that it is in the list of running ones.
    pub(super) fn hold(&mut self, job: JobId) {
        if self.suspension.is_none() {
            return;
        }
        let of_job = self.running.iter().filter(|run| run.job.waiting.job == job);
        let Some(run) = of_job.max_by_key(|run| run.job.part) else { return };
        let holder = Holder {
            job,
            processors: run.job.waiting.processors,
            rank: self.preemption_rank(&run.job),
            cores: self.cores_of(&run.job, &run.allocation),
            suspended_since: None,
        };
        let allocation = run.allocation.clone();
        self.suspension.iter_mut().for_each(|book| book.holders.push(holder.clone()));
        self.settle(&allocation);
    }

    /// Notes that a job, or a part of one, that has left the list of running ones holds nothing any more.
    pub(super) fn let_go(&mut self, run: &AllocatedJob) {
        let Some(book) = &mut self.suspension else { return };
        let is_it = |holder: &Holder| holder.job == run.job.waiting.job && holder.cores.nodes == run.allocation.nodes;
        if let Some(at) = book.holders.iter().position(is_it) {
            book.holders.remove(at);
        }
        self.settle(&run.allocation);
    }

    /// Works out anew what is free on the nodes of a job.
    fn settle(&mut self, allocation: &Allocation) {
        let Some(book) = &self.suspension else { return };
        let mut used = UsedCores::none(self.nodes.count);
        let there = book.holders.iter().filter(|holder| holder.cores.nodes.meets(&allocation.nodes));
        there.for_each(|holder| used.put(&holder.cores));
        for node in allocation.nodes.iter() {
            let holders = || self.running.iter().filter(|run| run.nodes().contains(node)).map(|run| &run.allocation);
            let taken = used.count_on(node, self.nodes.cpus[node]);
            self.nodes.set_processors(&mut self.room, node, taken, holders().next().is_none());
            self.nodes.set_rest(&mut self.room, node, holders());
        }
        if let Some(stranded) = &mut self.stranded {
            stranded.changed(allocation, (&self.nodes, &self.room));
        }
    }

    /// Suspends and finds who is to be resumed: of jobs with a processor in common, the one that started last runs, `new`
    /// before all others.
    fn reconsider(&mut self, new: Option<&Cores>, at: f64, actions: &mut Actions) -> Vec<JobId> {
        let Some(book) = &mut self.suspension else { return Vec::new() };
        let now = at.floor() as Seconds;
        let mut used = UsedCores::none(self.nodes.count);
        new.into_iter().for_each(|cores| used.put(cores));
        if !book.are_any_suspended() && !book.holders.iter().any(|holder| used.meets(&holder.cores)) {
            return Vec::new();
        }
        // who ends in this second has left its processors already
        let over: FxHashSet<JobId> =
            self.running.iter().filter(|run| run.is_over).map(|run| run.job.waiting.job).collect();
        let mut resumed = Vec::new();
        for holder in book.holders.iter_mut().rev() {
            let is_over = over.contains(&holder.job);
            let is_covered = used.meets(&holder.cores);
            match (is_covered, holder.suspended_since) {
                _ if is_over => {}
                (true, None) => {
                    actions.suspend(holder.job, holder.processors);
                    holder.suspended_since = Some(now);
                }
                (false, Some(_)) => resumed.push(holder.job),
                _ => {}
            }
            let is_gone = is_over && holder.suspended_since.is_some();
            if !(is_covered || is_gone) {
                used.put(&holder.cores);
            }
        }
        self.plan = None;
        self.changed(at);
        resumed
    }

    /// Lets those jobs run on whose processors have become free.
    pub(super) fn resume_freed(&mut self, at: f64, actions: &mut Actions) {
        if self.suspension.as_ref().is_some_and(|book| book.are_any_suspended()) {
            let resumed = self.reconsider(None, at, actions);
            self.resume_jobs(resumed, at, actions);
        }
    }

    /// Lets suspended jobs run on. Their time limits end later by the time for which they were suspended.
    pub(super) fn resume_jobs(&mut self, jobs: Vec<JobId>, at: f64, actions: &mut Actions) {
        let Some(book) = &mut self.suspension else { return };
        for job in jobs {
            let Some(holder) = book.holders.iter_mut().find(|holder| holder.job == job) else { continue };
            // by the log a job may have other processors than it holds here; it is looked at again when a job ends
            if holder.processors > actions.free() {
                continue;
            }
            let Some(since) = holder.suspended_since.take() else { continue };
            actions.resume(job, holder.processors);
            if let Some(mut run) = self.running.remove(job) {
                run.end += at.floor() as Seconds - since;
                self.running.insert(run);
            }
        }
    }

    /// Whether no processor has two jobs that run.
    pub(super) fn are_apart(&self) -> bool {
        let Some(book) = &self.suspension else { return true };
        let mut used = UsedCores::none(self.nodes.count);
        book.holders.iter().filter(|holder| holder.suspended_since.is_none()).all(|holder| {
            let is_apart = !used.meets(&holder.cores);
            used.put(&holder.cores);
            is_apart
        })
    }

    /// What running jobs give back when they end, in that order: where two hold the same processors, the one that ends
    /// last. None where no two do.
    pub(super) fn last_holdings(&self) -> Option<Vec<Allocation>> {
        let book = self.suspension.as_ref().filter(|book| book.are_any_suspended())?;
        let mut later = UsedCores::none(self.nodes.count);
        let mut given: Vec<Allocation> = Vec::with_capacity(self.running.len());
        for run in self.running.iter().rev() {
            let is_it =
                |holder: &&Holder| holder.job == run.job.waiting.job && holder.cores.nodes == run.allocation.nodes;
            let mut allocation = run.allocation.clone();
            if let Some(holder) = book.holders.iter().find(is_it) {
                let left = |node: usize, bits: &[u64]| {
                    if later.whole.contains(node) {
                        return 0;
                    }
                    let others = later.bits.get(&node);
                    let is_left = |(at, word): (usize, &u64)| word & !others.map_or(0, |others| others[at]);
                    bits.iter().enumerate().map(|pair| is_left(pair).count_ones()).sum()
                };
                if holder.cores.bits.is_empty() {
                    allocation.nodes.take_out(&later.whole);
                    later.bits.keys().for_each(|&node| allocation.nodes.remove(node));
                } else {
                    allocation.cpus = holder.cores.bits.iter().map(|(node, bits)| left(*node, bits)).collect();
                }
                later.put(&holder.cores);
            }
            given.push(allocation);
        }
        given.reverse();
        Some(given)
    }
}

//! The main pass: starts the jobs that fit in the order of the queue, until a job of each partition does not fit.

use super::Controller;
use super::eligibility::TASK_LIMIT;
use super::node_set::NodeBits;
use super::reason::WaitReason;
use packfair_engine::model::Actions;
use packfair_slurm::SlurmParameter;
use packfair_workload::Seconds;

/// The partitions in which a pass may still start jobs.
struct OpenPartitions {
    /// The nodes that are up, without those of closed partitions.
    usable: NodeBits,
    /// Whether a job of the partition waits for nodes, so that nobody behind it starts.
    has_failed: Vec<bool>,
    /// How many are open.
    left: usize,
    /// The reservations of which a job waits for nodes, so that nobody behind it in the same one starts.
    failed_reservations: Vec<usize>,
}

impl OpenPartitions {
    fn close(&mut self, partition: usize, nodes: &NodeBits) {
        self.usable.take_out(nodes);
        if !std::mem::replace(&mut self.has_failed[partition], true) {
            self.left -= 1;
        }
    }
}

impl Controller {
    /// Goes through the queue, and tries at most `depth` jobs if given. A job that does not fit fails its partition,
    /// and takes the nodes of it out for the rest of the pass. A job that only reservations and outages keep from
    /// fitting does not.
    pub(super) fn main_pass(&mut self, at: f64, depth: Option<i64>, actions: &mut Actions) {
        let now = at.floor() as Seconds;
        // so that wide jobs find consecutive nodes; if so configured, only partitions of completing jobs are held back
        let is_by_partition = self.site().parameters.has(SlurmParameter::ReduceCompletingFrag);
        if !is_by_partition && self.is_completing(now) {
            return;
        }
        self.release(now);
        if self.queue.is_empty() {
            return;
        }
        // the pass notes anew why jobs wait, which is a change
        self.changed(at);
        self.sort();
        let of_partition = self.parameter(SlurmParameter::PartitionJobDepth);
        let most_started = self.parameter(SlurmParameter::SchedMaxJobStart);
        let stops_at_limits = self.site().parameters.has(SlurmParameter::AssocLimitStop);
        let least_priority = self.parameter(SlurmParameter::BfMinPrioReserve) as f64;
        let count = self.partitions.len();
        let mut pass = OpenPartitions {
            usable: self.availability.up.clone(),
            has_failed: vec![false; count],
            left: count,
            failed_reservations: Vec::new(),
        };
        for run in self.lately_ended(now) {
            let own = &self.partitions[run.job.partition as usize];
            for (at, nodes) in self.partitions.iter().enumerate().filter(|(_, nodes)| nodes.meets(own)) {
                pass.close(at, nodes);
            }
        }
        let mut tried_of = vec![0; self.partitions.len()];
        let (mut tried, mut started, mut place) = (0, 0, 0);
        // an array, the partition in which a task of it was refused, and the reason
        let mut refused: Option<(u32, usize, WaitReason)> = None;
        while let Some(job) = self.queue.get(place) {
            let partition = job.partition as usize;
            place += 1;
            let wait_for = |state: &mut Self, reason| {
                state.queue[place - 1].waits.note(reason, now);
                if reason != WaitReason::Priority {
                    state.in_turn = state.in_turn.max(place);
                }
            };
            if !self.is_up(partition) {
                wait_for(self, WaitReason::PartitionDown);
                continue;
            }
            let own = self.reservations_of(job);
            if pass.has_failed[partition] || own.iter().any(|at| pass.failed_reservations.contains(at)) {
                wait_for(self, WaitReason::Priority);
                continue;
            }
            let is_to_come = self.availability.are_to_come(own, now);
            if job.part.is_some() {
                // only backfill starts it, and here nobody of its partition overtakes it
                wait_for(self, WaitReason::Resources);
                pass.close(partition, &self.partitions[partition]);
                if pass.left == 0 {
                    self.leave_in_turn(place, now);
                    break;
                }
                continue;
            }
            let task = job.task;
            if let Some(task) = task {
                if let Some((.., reason)) = refused.filter(|&(array, of, _)| (array, of) == (task.array, partition)) {
                    wait_for(self, reason);
                    continue;
                }
                if self.arrays.is_full(task) {
                    let reason = WaitReason::Limit(TASK_LIMIT);
                    refused = Some((task.array, partition, reason));
                    wait_for(self, reason);
                    continue;
                }
            }
            if self.lacks_licences(job, now) {
                refused = task.map(|task| (task.array, partition, WaitReason::Licences));
                wait_for(self, WaitReason::Licences);
                // backfill plans for it, and nobody is to overtake it
                if self.site().parameters.has(SlurmParameter::BfLicenses) {
                    break;
                }
                continue;
            }
            let held = self.held(job, now);
            if let Some(limit) = held.filter(|_| !stops_at_limits) {
                refused = task.map(|task| (task.array, partition, WaitReason::Limit(limit)));
                wait_for(self, WaitReason::Limit(limit));
                continue;
            }
            if of_partition > 0 && tried_of[partition] >= of_partition {
                continue;
            }
            tried_of[partition] += 1;
            tried += 1;
            if depth.is_some_and(|depth| tried > depth) {
                break;
            }
            self.queue[place - 1].try_at(now);
            let job = &self.queue[place - 1];
            let mut open = pass.usable.clone();
            open.keep(&self.partitions[partition]);
            self.keep_fit(job, &mut open);
            let reserved = self.keep_clear(job, &mut open, now, now);
            let mut nodes = open.clone();
            self.keep_to_user(job, &mut nodes);
            self.completing.iter().for_each(|other| nodes.take_out(other.run.nodes()));
            let ask = job.ask;
            let chosen = self.choose(ask, &nodes, now);
            let job = &self.queue[place - 1];
            let chosen = chosen.or_else(|| self.choose_by_suspension(job, &nodes));
            // how many nodes of a group are taken depends on which ones are chosen
            let held = held.or_else(|| self.held_by_nodes(job, chosen.as_ref()));
            if let Some(limit) = held.filter(|_| !stops_at_limits) {
                refused = task.map(|task| (task.array, partition, WaitReason::Limit(limit)));
                wait_for(self, WaitReason::Limit(limit));
                continue;
            }
            let allocation = match chosen {
                Some(allocation) if held.is_none() && self.has_processors(job, &allocation, actions.free()) => {
                    allocation
                }
                _ => {
                    let reserves = !self.is_young(job, now) && job.priority >= least_priority;
                    // a job that would not fit even if no job ran waits for nodes that are reserved or away, not for
                    // running jobs
                    let could_fit = self.nodes.could_hold(job.ask, &open);
                    let reason = match (held, could_fit, reserved) {
                        (Some(limit), ..) => WaitReason::Limit(limit),
                        (None, ..) if is_to_come => WaitReason::Reservation,
                        (None, true, _) => WaitReason::Resources,
                        (None, false, Some(_)) => WaitReason::Reserved,
                        // nodes on which overlapping partitions have failed are not away
                        (None, false, None) if pass.has_failed.contains(&true) => WaitReason::Priority,
                        (None, false, None) => WaitReason::NodesAway,
                    };
                    let victims = if held.is_none() { self.preemption(job, &nodes, now) } else { Vec::new() };
                    refused = task.map(|task| (task.array, partition, reason));
                    wait_for(self, reason);
                    if !victims.is_empty() {
                        self.queue[place - 1].preempting = Some(now);
                        self.preempt(victims);
                    }
                    let own = self.reservations_of(&self.queue[place - 1]);
                    if reserves && could_fit {
                        pass.failed_reservations.extend(own.iter().filter(|&&at| !self.availability.is_magnetic(at)));
                    }
                    // who waits for nodes of a reservation keeps nobody from others
                    if reserves && could_fit && self.availability.nodes_of(own, now).is_none() {
                        pass.close(partition, &self.partitions[partition]);
                        if pass.left == 0 {
                            self.leave_in_turn(place, now);
                            break;
                        }
                    }
                    continue;
                }
            };
            let job;
            (job, place) = self.take_out(place - 1);
            self.start(job, allocation, at, actions);
            started += 1;
            if most_started > 0 && started >= most_started {
                break;
            }
        }
    }

    /// Notes that all jobs from this place on wait for those before them.
    fn leave_in_turn(&mut self, place: usize, now: Seconds) {
        let others = place..self.in_turn.clamp(place, self.queue.len());
        self.queue[others].iter_mut().for_each(|job| job.waits.note(WaitReason::Priority, now));
        self.in_turn = place;
    }
}

//! What happens to a job that is submitted: it gets an entry in the queue for each partition that it names and that
//! takes it.

use super::Controller;
use super::gpu_limits::KindCounts;
use super::job::JobState;
use super::limits::is_beyond;
use super::node_set::NodeBits;
use super::preempt::EXPEDIENT;
use super::reason::WaitReason;
use super::room::{Ask, MemoryAsk};
use super::tree::SwitchAsk;
use crate::cycle::ClockEvent;
use packfair_engine::model::{View, Waiting};
use packfair_workload::{JobId, Request, Seconds};

impl Controller {
    /// Submits a job somewhere within this second.
    pub(super) fn submitted(&mut self, waiting: Waiting, view: &View<'_>) {
        let place = view.place_in_workload(waiting.job);
        // a job with dependencies waits for these, not for the moment at which they were over by the log
        let hold = if self.ties.of_job(place).is_empty() { self.jobs.hold(place.index()) } else { 0 };
        if self.take(waiting, view, Some(hold)) {
            self.refused += 1;
        }
    }

    /// Lets a preempted job wait again. It is not eligible until some time after its nodes were given back.
    pub(super) fn wait_again(&mut self, waiting: Waiting, view: &View<'_>) {
        self.take(waiting, view, None);
    }

    /// Notes that the nodes of a preempted job were given back. When it becomes eligible again, no pass is asked for.
    pub(super) fn requeued(&mut self, job: JobId, at: f64) {
        let eligible = at.floor() as Seconds + EXPEDIENT;
        let own = self.newcomers.iter_mut().filter(|other| other.waiting.job == job);
        own.for_each(|job| job.eligible = Some(eligible));
        self.clock.at(eligible as f64, ClockEvent::Eligible(job));
    }

    /// Makes the entries of a job, which is seen `after` seconds; none: once its nodes are given back. Returns whether
    /// Slurm would have refused it.
    fn take(&mut self, waiting: Waiting, view: &View<'_>, after: Option<Seconds>) -> bool {
        let own = (view.request(waiting.job), view.place_in_workload(waiting.job));
        let entries = self.entries(&waiting, own);
        let task = self.ties.task(view.place_in_workload(waiting.job));
        let head = task.map(|task| self.arrays.head(task, &waiting));
        let has_others = entries.len() > 1;
        let mut is_refused = false;
        let mut counted = None;
        for job in &entries {
            // each part of a job counts as a job
            if counted.replace(job.part) != Some(job.part) {
                is_refused |= self.limits.submit(job, &self.jobs.site);
            }
        }
        for mut job in entries {
            (job.task, job.has_others) = (task, has_others);
            if let Some((task, head)) = task.zip(head) {
                (job.turn.head, job.turn.task) = (head, task.task);
            }
            if after != Some(0) {
                job.eligible = Some(view.now() + after.unwrap_or(0));
                job.waits.note(WaitReason::BeginTime, view.now());
            }
            self.draw(&mut job);
            is_refused |= self.makes_fit(&mut job);
            self.newcomers.push_back(job);
        }
        // somewhere within the second, after whoever came before; the tasks of an array come together
        if let Some(after) = after {
            let second = (view.now() + after) as f64;
            let (last, last_array) = self.last_submission;
            let array = task.map(|task| task.array);
            let at = if last.floor() != second {
                second + self.clock.uniform()
            } else if array.is_some() && array == last_array {
                last
            } else {
                last + (second + 1.0 - last) * self.clock.uniform()
            };
            self.last_submission = (at, array);
            self.clock.at(at, ClockEvent::Submitted(waiting.job));
        }
        is_refused
    }

    /// The entries of a job: one for each partition that it names and that takes it, or those of its parts.
    fn entries(&self, waiting: &Waiting, own: (&Request, JobId)) -> Vec<JobState> {
        let place = own.1.index();
        // where a job stands as a forecast begins is known of all its nodes together, and only backfill starts parts
        if self.site().has_backfill && self.jobs.held_nodes(place).is_none() {
            let parts = self.jobs.parts(place, waiting.processors);
            let entries = if parts.is_empty() { Vec::new() } else { self.entries_of_parts(waiting, own, parts) };
            if !entries.is_empty() {
                return entries;
            }
        }
        let asks = self.jobs.asks(place);
        let partitions = JobState::partitions(waiting, own, &self.jobs, self.settings.limits);
        let in_partition = |(entry, &partition): (u32, &u32)| {
            let at = (&asks, partition);
            JobState::new(*waiting, at, own, (&self.jobs, &self.nodes), self.settings.limits).in_turn(entry)
        };
        let mut entries: Vec<JobState> = (0..).zip(&partitions).map(in_partition).collect();
        if entries.len() > 1 {
            // it waits in the partitions that take it; if none does, in the first, because by the log it ran
            let takes: Vec<bool> = entries.iter().map(|job| self.takes(job)).collect();
            if takes.contains(&true) {
                let mut takes = takes.into_iter();
                entries.retain(|_| takes.next() == Some(true));
            } else {
                entries.truncate(1);
            }
        }
        entries
    }

    /// Whether the partition of an entry would accept the job.
    pub(super) fn takes(&self, job: &JobState) -> bool {
        let nodes = self.partitions.get(job.partition as usize);
        !is_beyond(job, &self.jobs.site) && nodes.is_some_and(|nodes| self.could_be_held(job, nodes))
    }

    /// Whether these nodes, empty, could hold a job: those of them that have what it wants.
    fn could_be_held(&self, job: &JobState, nodes: &NodeBits) -> bool {
        match &self.nodes.want(job.ask).fit {
            Some(fit) => self.nodes.could_hold(job.ask, &nodes.common(fit)),
            None => self.nodes.could_hold(job.ask, nodes),
        }
    }

    /// Reduces what a job asks for if its empty partition could not hold it, because by the log it ran. Returns whether
    /// even its processors are too many, so that Slurm would have refused it.
    fn makes_fit(&self, job: &mut JobState) -> bool {
        let Some(nodes) = self.partitions.get(job.partition as usize) else { return false };
        if let Some(reserved) = self.availability.nodes_of(self.reservations_of(job), job.waiting.submit) {
            job.is_reserved = self.could_be_held(job, &nodes.common(&reserved));
        }
        if self.could_be_held(job, nodes) {
            return false;
        }
        // tasks that no node could have whole
        job.ask.of_task = 0;
        if self.could_be_held(job, nodes) {
            return false;
        }
        job.ask = Ask { want: 0, kinds: KindCounts::default(), ..job.ask };
        if self.nodes.could_hold(job.ask, nodes) {
            return false;
        }
        // switches that nothing links
        job.ask = Ask { switches: SwitchAsk::Rows, ..job.ask };
        if self.nodes.could_hold(job.ask, nodes) {
            return false;
        }
        let cpus = job.waiting.processors;
        job.ask = Ask { nodes: 0, node_range: (1, 0), cpus, gpus: 0, memory: MemoryAsk::None, ..job.ask };
        let is_refused = !self.nodes.could_hold(job.ask, nodes);
        if is_refused {
            job.ask.cpus = self.nodes.cpus_of(nodes);
        }
        is_refused
    }

    /// Puts the entries of a job into the queue, or sets them aside until the job is eligible. Returns whether there
    /// are any.
    pub(super) fn take_in(&mut self, job: JobId, at: f64) -> bool {
        let now = at.floor() as Seconds;
        let mut is_there = false;
        // most often it is the first
        let place = |state: &Self| state.newcomers.iter().position(|other| other.waiting.job == job);
        while let Some(mut job) = place(self).and_then(|place| self.newcomers.remove(place)) {
            is_there = true;
            self.eligibility.submitted(&job);
            let is_free = self.eligibility.is_free(&job, now);
            if is_free {
                job.waits.note(WaitReason::Priority, now);
            } else {
                job.eligible = None;
                job.waits.note(WaitReason::Dependency, now);
            }
            self.rate(&mut job, now);
            if is_free { self.enqueue(job) } else { self.dependents.push(job) }
        }
        is_there
    }

    /// Gives a job that is new its first priority.
    pub(super) fn rate(&mut self, job: &mut JobState, now: Seconds) {
        job.association.into_iter().for_each(|association| self.shares.settle(association));
        job.priority = self.factors.priority(job, &self.jobs.site, &self.shares, now);
    }

    /// Puts jobs into the queue that have become eligible. Passes and cycles begin with this. The jobs keep the
    /// priority that they were last given.
    pub(super) fn release(&mut self, now: Seconds) {
        if self.dependents.is_empty() || !(self.eligibility.take_stirred(now) || self.is_lifted) {
            return;
        }
        for mut job in std::mem::take(&mut self.dependents) {
            if self.is_lifted || self.eligibility.is_free(&job, now) {
                job.eligible = Some(now);
                job.waits.note(WaitReason::Priority, now);
                self.enqueue(job);
            } else {
                self.dependents.push(job);
            }
        }
    }

    /// Puts an eligible job into the queue.
    fn enqueue(&mut self, job: JobState) {
        let is_last = self.is_sorted && self.queue.last().is_none_or(|last| last.before(&job).is_lt());
        let is_kept_sorted = is_last || self.is_sorted && self.paused.is_none();
        if let Some((book, nodes)) = self.stranded.as_mut().zip(self.partitions.get(job.partition as usize)) {
            book.waits(&job, nodes, (&self.nodes, &self.room));
        }
        if is_last || !is_kept_sorted {
            self.queue.push(Box::new(job));
        } else {
            let place = self.queue.partition_point(|other| other.before(&job).is_lt());
            self.queue.insert(place, Box::new(job));
            self.in_turn += usize::from(place < self.in_turn);
        }
        self.is_sorted = is_kept_sorted;
        if !is_last {
            // a job that comes before others changes what cycles find for these
            self.plan = None;
        }
    }

    /// Takes a job that starts out of the queue with all its entries. Returns the job, and the place of the entry
    /// behind it.
    pub(super) fn take_out(&mut self, place: usize) -> (JobState, usize) {
        let job = *self.queue.remove(place);
        self.waits_no_more(&job);
        if !job.has_others {
            return (job, place);
        }
        let is_other = |other: &JobState| other.waiting.job == job.waiting.job;
        let before = self.queue[..place].iter().filter(|other| is_other(other)).count();
        let others: Vec<Box<JobState>> = self.queue.extract_if(.., |other| is_other(other)).collect();
        others.iter().for_each(|other| self.waits_no_more(other));
        (job, place - before)
    }

    /// Notes that an entry is no longer in the queue.
    pub(super) fn waits_no_more(&mut self, job: &JobState) {
        if let Some(book) = &mut self.stranded {
            book.waits_no_more(job, (&self.nodes, &self.room));
        }
    }
}

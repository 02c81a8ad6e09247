//! A log as its queue was: jobs that wait are known by what they asked for, whatever they were given later, and jobs that
//! left without having started stand in it until they left.

use super::{Cleaning, Log, Record, Request, Seconds, Workload};
use std::borrow::Cow;

/// What a job asked for, or what it was given, where the two differ; -1 means unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Portion {
    pub record: u32,
    pub processors: i32,
    pub nodes: i32,
    pub gpus: i32,
    /// Memory on all its nodes, MiB.
    pub memory: i32,
    pub least_nodes: i32,
    pub most_nodes: i32,
    pub partition: i32,
    /// The time limit with which it was submitted; -1 where that is the one that it has.
    pub limit: Seconds,
}

/// A job that never started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NeverStarted {
    pub record: u32,
    /// When it left the queue.
    pub left: Seconds,
}

/// A job that has no record, for it had not started when the log was made or was deleted before.
#[derive(Clone, Debug, PartialEq)]
pub struct UnstartedJob {
    /// What its record would be.
    pub record: Record,
    /// Its values in the columns of [`Beyond`](super::Beyond).
    pub(super) counts: [i32; 6],
    pub(super) numbers: [i64; 3],
    /// When it left the queue; none where it waited until the log was made.
    pub left: Option<Seconds>,
}

impl Log {
    /// The log as its queue was: with what jobs asked for in place of what they were given
    /// ([`Beyond::given`](super::Beyond::given) tells that), and with those that never started as jobs that wait until they
    /// left ([`Beyond::never_started`](super::Beyond::never_started)).
    pub fn as_queued(&self, cleaning: Cleaning) -> Cow<'_, Log> {
        let mut asked = self.beyond.asked.clone();
        if cleaning.takes_used() {
            let differs = |record: &Record| {
                record.allocated > 0 && record.requested > 0 && record.allocated != record.requested
            };
            let own = (0..).zip(&self.records).filter(|(_, record)| differs(record));
            let is_new =
                |place: u32| self.beyond.asked.binary_search_by_key(&place, |portion| portion.record).is_err();
            asked.extend(own.filter(|(place, _)| is_new(*place)).map(|(place, record)| Portion {
                processors: record.requested,
                ..self.portion(place, true)
            }));
            asked.sort_unstable_by_key(|portion| portion.record);
        }
        let never_started = self.never_started(cleaning);
        let unstarted = || self.beyond.unstarted.iter().filter_map(|unstarted| unstarted.job.as_deref());
        if asked.is_empty() && never_started.is_empty() && unstarted().next().is_none() {
            return Cow::Borrowed(self);
        }
        let mut log = self.clone();
        log.ask(asked, cleaning.takes_used());
        let end = self.end().unwrap_or(0);
        log.beyond.never_started = never_started;
        for UnstartedJob { record, counts, numbers, left } in unstarted() {
            // places fit into 32 bits
            let place = log.records.len() as u32;
            log.beyond.never_started.push(NeverStarted { record: place, left: left.unwrap_or(end + 1) });
            log.beyond.push(log.records.len(), counts, numbers);
            log.records.push(record.clone());
        }
        for NeverStarted { record, .. } in &log.beyond.never_started {
            let record = &mut log.records[*record as usize];
            // nobody reads how long it would have run
            (record.wait, record.run, record.status) = (-1, record.requested_time.max(1), -1);
        }
        Cow::Owned(log)
    }

    /// Has the jobs that have a record here and none in the log that it was made of ([`Log::as_queued`]) leave by `now`.
    pub fn leave_beyond(&mut self, whole: &Log, now: Seconds) {
        let records = whole.records.len();
        for place in records..self.records.len() {
            // places fit into 32 bits
            let record = place as u32;
            match self.beyond.never_started.binary_search_by_key(&record, |never| never.record) {
                Ok(at) => self.beyond.never_started[at].left = self.beyond.never_started[at].left.min(now),
                Err(at) => self.beyond.never_started.insert(at, NeverStarted { record, left: now }),
            }
        }
    }

    /// The records of jobs that never started and of which is known when they left the queue: those that a reader has found,
    /// and those that waited and ran for no time.
    fn never_started(&self, cleaning: Cleaning) -> Vec<NeverStarted> {
        let told = &self.beyond.never_started;
        // a job that never became eligible stood in no queue
        let is_eligible = |place: u32| self.beyond.eligible.get(place as usize).is_none_or(|&time| time >= 0);
        let waited = |(place, record): &(u32, &Record)| {
            record.run <= 0
                && record.wait > 0
                && cleaning.drops(record)
                && !self.is_running(*place as usize)
                && told.binary_search_by_key(place, |never| never.record).is_err()
        };
        let ran_not = (0..).zip(&self.records).filter(waited);
        let ran_not = ran_not.map(|(record, job)| NeverStarted { record, left: job.submit + job.wait });
        let mut all: Vec<NeverStarted> = told.iter().copied().chain(ran_not).collect();
        all.retain(|never| is_eligible(never.record));
        all.sort_unstable_by_key(|never| never.record);
        all
    }

    /// What a record says of a job's part of the machine.
    fn portion(&self, record: u32, takes_used: bool) -> Portion {
        let (place, beyond) = (record as usize, &self.beyond);
        let own = &self.records[place];
        let value = |column: &[i32]| column.get(place).copied().unwrap_or(-1);
        let (first, other) = if takes_used { (own.allocated, own.requested) } else { (own.requested, own.allocated) };
        Portion {
            record,
            processors: if first > 0 { first } else { other },
            nodes: value(&beyond.nodes),
            gpus: value(&beyond.gpus),
            memory: value(&beyond.memory),
            least_nodes: value(&beyond.least_nodes),
            most_nodes: value(&beyond.most_nodes),
            partition: own.partition,
            limit: -1,
        }
    }

    /// Has jobs ask for these portions, and keeps what they were given.
    fn ask(&mut self, asked: Vec<Portion>, takes_used: bool) {
        self.beyond.asked.clear();
        let mut given: Vec<Portion> = asked.iter().map(|own| self.portion(own.record, takes_used)).collect();
        for (given, own) in given.iter_mut().zip(asked) {
            let place = own.record as usize;
            let record = &mut self.records[place];
            (record.requested, record.allocated) = (own.processors, own.processors);
            // only a site knows lists of partitions
            if self.site.is_some() {
                record.partition = own.partition;
            }
            given.limit = own.limit;
            let beyond = &mut self.beyond;
            for (column, value) in [
                (&mut beyond.nodes, own.nodes),
                (&mut beyond.gpus, own.gpus),
                (&mut beyond.memory, own.memory),
                (&mut beyond.least_nodes, own.least_nodes),
                (&mut beyond.most_nodes, own.most_nodes),
            ] {
                column.get_mut(place).into_iter().for_each(|known| *known = value);
            }
        }
        self.beyond.given = given;
    }

    /// What the job of a record was given, where it asked for something else ([`Log::as_queued`]).
    pub(super) fn given(&self, record: usize) -> Option<&Portion> {
        let given = &self.beyond.given;
        Some(&given[given.binary_search_by_key(&record, |portion| portion.record as usize).ok()?])
    }

    /// When the job of a record left the queue without having started ([`Log::as_queued`]).
    pub fn left(&self, record: usize) -> Option<Seconds> {
        left(&self.beyond.never_started, record)
    }
}

fn left(never_started: &[NeverStarted], record: usize) -> Option<Seconds> {
    let place = never_started.binary_search_by_key(&record, |never| never.record as usize).ok()?;
    Some(never_started[place].left)
}

impl Workload {
    /// Takes from the log of which it was made what jobs were given that asked for something else, and who never started.
    /// Such jobs have the limits with which they were submitted.
    pub(super) fn take_queued(&mut self, log: &Log) {
        self.never_started.clone_from(&log.beyond.never_started);
        self.given.clone_from(&log.beyond.given);
        if self.given.is_empty() {
            return;
        }
        for job in self.jobs() {
            let request = &mut self.requests[job.index()];
            let record = self.records[job.index()];
            let Ok(place) = self.given.binary_search_by_key(&record, |portion| portion.record) else { continue };
            let given = &mut self.given[place];
            if given.limit > 0 {
                std::mem::swap(&mut given.limit, &mut request.limit);
            }
        }
    }

    /// What a job was given, where it asked for something else and its log is [`Log::as_queued`].
    pub fn given(&self, job: crate::JobId) -> Option<&Portion> {
        let record = self.records[job.index()];
        Some(&self.given[self.given.binary_search_by_key(&record, |portion| portion.record).ok()?])
    }

    /// When a job left the queue without having started.
    pub fn left(&self, job: crate::JobId) -> Option<Seconds> {
        left(&self.never_started, self.record(job))
    }

    /// Has jobs hold what they were given: each of these jobs is a copy of one of another workload.
    pub fn take_given_of(&mut self, other: &Workload, copies: impl Iterator<Item = (crate::JobId, crate::JobId)>) {
        if other.given.is_empty() {
            return;
        }
        self.forget_derived();
        for (own, of) in copies {
            let Some(given) = other.given(of) else { continue };
            let request = &mut self.requests[own.index()];
            *request = Request {
                // at least 1, and no wider than the machine
                processors: given.processors.max(1).unsigned_abs().min(self.machine.processors),
                partition: given.partition,
                limit: if given.limit > 0 { given.limit } else { request.limit },
                ..request.clone()
            };
            if let Some(site) = &mut self.site {
                std::sync::Arc::make_mut(site).take_given(own.index(), given);
            }
        }
    }

    /// The workload whose jobs all ask for what they were given; none where they do so anyway.
    pub fn as_given(&self) -> Option<Workload> {
        if self.given.is_empty() {
            return None;
        }
        let mut made = self.clone();
        made.take_given_of(self, self.jobs().map(|job| (job, job)));
        Some(made)
    }
}

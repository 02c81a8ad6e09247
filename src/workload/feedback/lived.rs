//! Workloads as they came about.

use super::{FeedbackRule, NoFeedback, Reactions};
use crate::workload::shrink::Shrinking;
use crate::workload::{ExternalColumn, ExternalValues, JobId, Log, Request, Seconds, Workload};
use serde::{Deserialize, Serialize};

/// Where a workload's submissions come from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(in crate::workload) enum Submissions {
    /// From the log.
    #[default]
    Logged,
    /// From users who react to what a simulation does with their jobs; so far they are the log's.
    Reacting(Box<Reactions>),
    /// From a simulation that has ended.
    Lived(Box<Life>),
}

/// What a workload that has come about in a simulation keeps of the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Life {
    /// The log's first and last submission: the interval in which is measured.
    pub span: (Seconds, Seconds),
    /// By job: its place in the log.
    pub places: Vec<JobId>,
    /// By job: its session; empty where there are none.
    pub sessions: Vec<u32>,
}

impl Workload {
    /// Has its users react. `log` is what it was made of.
    ///
    /// # Errors
    /// Where the log tells nothing that somebody could react to.
    pub fn react(&mut self, rule: FeedbackRule, log: &Log) -> Result<(), NoFeedback> {
        self.submissions = Submissions::Reacting(Box::new(Reactions::of(self, log, rule)?));
        Ok(())
    }

    /// Has its users react as those of the workload do that it was drawn from, if they do.
    pub(in crate::workload) fn react_like(&mut self, other: &Workload) {
        // those of the other could react, so there is somebody who can; a draw without anybody who could is replayed
        if let Some(Ok(reactions)) = other.reactions().map(|reactions| Reactions::drawn_from(reactions, self)) {
            self.submissions = Submissions::Reacting(Box::new(reactions));
        }
    }

    /// The same with the submissions that it has, whether or not its users react.
    pub fn replayed(&self) -> Workload {
        let mut replayed = self.clone();
        replayed.submissions = Submissions::Logged;
        replayed
    }

    /// Its users, where they react, do so in the time of the log that is shrunk, whose jobs were submitted at `submits`.
    pub(in crate::workload) fn shrink_reactions(&mut self, shrinking: Shrinking, submits: Vec<Seconds>) {
        if let Submissions::Reacting(reactions) = &mut self.submissions {
            reactions.shrink(shrinking, submits);
        }
    }

    /// Has its users react as those of the workload do that it is a part of, from the job `first` on, if they do. Who waits
    /// for a job of another part comes when the log says.
    pub fn react_as_part(&mut self, whole: &Workload, first: usize) {
        // a part without anybody who could react is replayed
        if let Some(Ok(reactions)) = whole.reactions().map(|reactions| reactions.of_part(self, first)) {
            self.submissions = Submissions::Reacting(Box::new(reactions));
        }
    }

    /// What its submissions wait for, where its users react.
    pub fn reactions(&self) -> Option<&Reactions> {
        match &self.submissions {
            Submissions::Reacting(reactions) => Some(reactions),
            _ => None,
        }
    }

    /// What it keeps of the log, where it has come about in a simulation.
    pub fn life(&self) -> Option<&Life> {
        match &self.submissions {
            Submissions::Lived(life) => Some(life),
            _ => None,
        }
    }

    /// The place of a job in the log: of a workload that has not come about in a simulation, its own.
    pub fn place_in_log(&self, job: JobId) -> JobId {
        self.life().and_then(|life| life.places.get(job.index()).copied()).unwrap_or(job)
    }

    /// Which job has that place in the log; none where there is no such place.
    pub fn job_of_place(&self, place: JobId) -> Option<JobId> {
        match self.life() {
            None => (place.index() < self.len()).then_some(place),
            Some(life) => (0..).map(JobId).zip(&life.places).find(|(_, of)| **of == place).map(|(job, _)| job),
        }
    }

    /// The workload that comes about where its jobs, in log order, are submitted at `submits`: in the order of arrival, of
    /// jobs submitted at once in log order.
    pub fn lived(&self, submits: &[Seconds]) -> Workload {
        let mut order: Vec<(Seconds, JobId)> = submits.iter().copied().zip(self.jobs()).collect();
        order.sort_unstable();
        let places: Vec<JobId> = order.into_iter().map(|(_, place)| place).collect();
        let ends = |requests: &[Request]| {
            requests.first().zip(requests.last()).map_or((0, 0), |(first, last)| (first.submit, last.submit))
        };
        let sessions = self.reactions().map_or(&[][..], Reactions::sessions);
        let life = Life {
            span: ends(&self.requests),
            sessions: if sessions.is_empty() { Vec::new() } else { in_order(sessions, &places) },
            places,
        };
        let places = &life.places;
        let mut lived = Workload::empty(self.name.clone(), self.machine, self.header.clone());
        lived.account = self.account.clone();
        lived.requests = in_order(&self.requests, places);
        lived.requests.iter_mut().zip(places).for_each(|(request, place)| request.submit = submits[place.index()]);
        lived.runs = in_order(&self.runs, places);
        lived.logged_waits = in_order(&self.logged_waits, places);
        lived.records = in_order(&self.records, places);
        lived.external = self.external.iter().map(|column| reordered(column, places)).collect();
        (lived.shrunk, lived.initial) = (self.shrunk, self.initial);
        lived.counting = self.counting.clone();
        lived.set_cluster(self.cluster().cloned());
        lived.take_site_of(self, places);
        lived.submissions = Submissions::Lived(Box::new(life));
        lived
    }
}

/// The values of a column in another order.
fn in_order<T: Clone>(column: &[T], places: &[JobId]) -> Vec<T> {
    places.iter().map(|place| column[place.index()].clone()).collect()
}

fn reordered(column: &ExternalColumn, places: &[JobId]) -> ExternalColumn {
    let values = column.values.as_ref().map(|values| match values {
        ExternalValues::Starts(starts) => ExternalValues::Starts(in_order(starts, places)),
        ExternalValues::Estimates(estimates) => ExternalValues::Estimates(in_order(estimates, places)),
    });
    ExternalColumn { values: values.map_err(Clone::clone), ..column.clone() }
}

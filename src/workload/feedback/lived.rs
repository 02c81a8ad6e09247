//! Lived workloads: workloads as they came about in a simulation whose users react.

use super::{FeedbackRule, Life, NoFeedback, Reactions, Submissions};
use crate::workload::shrink::Shrinking;
use crate::workload::{ExternalColumn, ExternalValues, JobId, Log, Request, Seconds, Workload};

impl Workload {
    /// Lets the users of the workload react. `log` is the log that it was made of.
    ///
    /// # Errors
    /// If the log tells nothing that users could react to.
    pub fn react(&mut self, rule: FeedbackRule, log: &Log) -> Result<(), NoFeedback> {
        self.submissions = Submissions::Reacting(Box::new(Reactions::of(self, log, rule)?));
        Ok(())
    }

    /// Lets its users react as those of `other`, the workload that it was drawn from, if they do.
    pub(in crate::workload) fn react_like(&mut self, other: &Workload) {
        // a draw in which no user could react is replayed
        if let Some(Ok(reactions)) = other.reactions().map(|reactions| Reactions::drawn_from(reactions, self)) {
            self.submissions = Submissions::Reacting(Box::new(reactions));
        }
    }

    /// A copy whose jobs are submitted at the times that it has, whether or not its users react.
    pub fn replayed(&self) -> Workload {
        let mut replayed = self.clone();
        replayed.submissions = Submissions::Logged;
        replayed
    }

    /// Tells users who react that the log's time was shrunk. `submits` are the submit times before that.
    pub(in crate::workload) fn shrink_reactions(&mut self, shrinking: Shrinking, submits: Vec<Seconds>) {
        if let Submissions::Reacting(reactions) = &mut self.submissions {
            reactions.shrink(shrinking, submits);
        }
    }

    /// Lets its users react as those of `whole` do, if they do. The workload is the part of `whole` that begins with
    /// the job `first`. A batch that waits for a job of another part is submitted when the log says.
    pub fn react_as_part(&mut self, whole: &Workload, first: usize) {
        // a part in which no user could react is replayed
        if let Some(Ok(reactions)) = whole.reactions().map(|reactions| reactions.of_part(self, first)) {
            self.submissions = Submissions::Reacting(Box::new(reactions));
        }
    }

    /// What the submissions wait for, where users react.
    pub fn reactions(&self) -> Option<&Reactions> {
        match &self.submissions {
            Submissions::Reacting(reactions) => Some(reactions),
            _ => None,
        }
    }

    /// What a lived workload keeps of the log; none for others.
    pub fn life(&self) -> Option<&Life> {
        match &self.submissions {
            Submissions::Lived(life) => Some(life),
            _ => None,
        }
    }

    /// The place of a job in the log. In a workload that is not lived it is the job itself.
    pub fn place_in_log(&self, job: JobId) -> JobId {
        self.life().and_then(|life| life.places.get(job.index()).copied()).unwrap_or(job)
    }

    /// The job that has this place in the log; none where there is no such place.
    pub fn job_of_place(&self, place: JobId) -> Option<JobId> {
        match self.life() {
            None => (place.index() < self.len()).then_some(place),
            Some(life) => (0..).map(JobId).zip(&life.places).find(|(_, of)| **of == place).map(|(job, _)| job),
        }
    }

    /// The lived workload if the jobs, in log order, are submitted at `submits`. Its jobs are in the order of arrival;
    /// jobs submitted at once are in log order.
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
        lived.take_still_running_of(self);
        (lived.shrunk, lived.initial) = (self.shrunk, self.initial);
        lived.counting = self.counting.clone();
        lived.set_cluster(self.cluster().cloned());
        lived.take_site_of(self, places);
        lived.submissions = Submissions::Lived(Box::new(life));
        lived
    }
}

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

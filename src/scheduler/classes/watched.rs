//! Running jobs that may be killed, in the order in which they are looked at.

use crate::model::JobSet;
use crate::workload::{JobId, Seconds};
use std::collections::VecDeque;

/// Why a running job is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Look {
    /// The job was taken for small and has run for its divider.
    Divider,
    /// The job has run until the second look.
    Again,
}

/// The watched jobs.
///
/// A look at a job that has completed is skipped when its turn comes, so that the simulation need not stop for it.
#[derive(Clone, Debug, Default)]
pub(super) struct Watched {
    by_divider: Looks,
    again: Looks,
    running: JobSet,
    /// How many jobs were added.
    added: u64,
}

type WatchKey = (Seconds, u64, JobId);

/// The looks of one kind, the next one first. Some are at jobs that have completed.
type Looks = VecDeque<WatchKey>;

impl Watched {
    pub(super) fn add(&mut self, job: JobId, at: Seconds, look: Look) {
        self.running.insert(job);
        self.added += 1;
        self.enter((at, self.added, job), look);
    }

    fn enter(&mut self, entry: WatchKey, look: Look) {
        let looks = self.looks(look);
        // nearly always this is the last place, because dividers change once a week
        let place = looks.iter().rposition(|earlier| *earlier < entry).map_or(0, |last| last + 1);
        looks.insert(place, entry);
    }

    /// Notes that a job no longer runs.
    #[inline]
    pub(super) fn completed(&mut self, job: JobId) {
        self.running.remove(job);
    }

    /// The next look at a running job: its time, the job, and why it is looked at.
    #[inline]
    pub(super) fn next(&mut self) -> Option<(Seconds, JobId, Look)> {
        let Watched { by_divider, again, running, .. } = self;
        let is_over = |&mut (_, _, job): &mut WatchKey| !running.contains(job);
        while by_divider.pop_front_if(is_over).is_some() {}
        while again.pop_front_if(is_over).is_some() {}
        match (by_divider.front(), again.front()) {
            (Some(&(at, number, job)), other) if other.is_none_or(|other| (at, number) < (other.0, other.1)) => {
                Some((at, job, Look::Divider))
            }
            (_, other) => other.map(|&(at, _, job)| (at, job, Look::Again)),
        }
    }

    /// Ends the next look: the job was killed.
    pub(super) fn kill(&mut self, job: JobId, look: Look) {
        self.completed(job);
        self.looks(look).pop_front();
    }

    /// Ends the next look: the job runs on. It is looked at once more after `again` seconds, if given.
    pub(super) fn spare(&mut self, look: Look, again: Option<Seconds>) {
        if let Some((at, number, job)) = self.looks(look).pop_front()
            && let Some(again) = again
        {
            self.enter((at + again, number, job), Look::Again);
        }
    }

    fn looks(&mut self, look: Look) -> &mut Looks {
        match look {
            Look::Divider => &mut self.by_divider,
            Look::Again => &mut self.again,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_come_in_order_of_time_and_of_starts_and_completed_jobs_are_passed_over() {
        let mut watched = Watched::default();
        assert_eq!(watched.next(), None);
        for (job, at, look) in [
            (70, 900, Look::Divider),
            (3, 20, Look::Divider),
            (4, 20, Look::Again),
            (5, 20, Look::Divider),
            (6, 10, Look::Divider),
        ] {
            watched.add(JobId(job), at, look);
        }
        watched.completed(JobId(6));
        watched.completed(JobId(1_000));
        let mut order = Vec::new();
        while let Some((at, job, look)) = watched.next() {
            order.push((at, job.0, look));
            match (job.0, look) {
                (5, Look::Divider) => watched.spare(look, Some(7)),
                (70, _) => watched.kill(job, look),
                _ => watched.spare(look, None),
            }
        }
        let expected = [
            (20, 3, Look::Divider),
            (20, 4, Look::Again),
            (20, 5, Look::Divider),
            (27, 5, Look::Again),
            (900, 70, Look::Divider),
        ];
        assert_eq!(order, expected);
    }
}

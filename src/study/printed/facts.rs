//! What a log is known by.

use crate::study::link::SharedStudy;
use crate::workload::{Seconds, Summary, Workload};
use std::collections::BTreeSet;

/// What a log is known by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Jobs in the log, before any cleaning.
    pub lines: usize,
    /// How many of them are simulated.
    pub jobs: usize,
    /// Processors of the machine.
    pub processors: u32,
    /// From the first submission to the last, seconds.
    pub span: Seconds,
    /// Users of the jobs that are simulated; 0 where they are not known.
    pub users: usize,
    /// Whether some job names its executable.
    pub has_executables: bool,
    /// The log of the papers that somebody takes it for ([`paper_log`](super::paper_log)), whatever else is known of it.
    pub taken_for: Option<&'static str>,
}

impl Facts {
    /// Of a workload that was made of a log with so many jobs.
    pub fn of(workload: &Workload, lines: usize) -> Self {
        let requests = workload.requests();
        let (first, last) = (requests.first(), requests.last());
        let users: BTreeSet<i32> = requests.iter().map(|request| request.user).filter(|&user| user >= 0).collect();
        Facts {
            lines,
            jobs: workload.len(),
            processors: workload.machine.processors,
            span: first.zip(last).map_or(0, |(first, last)| last.submit - first.submit),
            users: users.len(),
            has_executables: requests.iter().any(|request| request.executable >= 0),
            taken_for: None,
        }
    }

    /// Of the log of a shared study, which no link carries; none of a link that does not tell.
    pub fn of_shared(shared: &SharedStudy) -> Option<Self> {
        let log = shared.told.as_ref()?.log?;
        Some(Facts {
            // within the limits of a link
            lines: log.lines as usize,
            jobs: shared.workload.jobs,
            processors: shared.workload.machine.processors,
            span: log.span,
            users: log.users as usize,
            has_executables: log.has_executables,
            taken_for: None,
        })
    }

    /// Of the summary of a workload that was made of a log with so many jobs.
    pub fn of_summary(summary: &Summary, lines: usize) -> Self {
        Facts {
            lines,
            jobs: summary.jobs,
            processors: summary.machine.processors,
            span: summary.span.last_submit - summary.span.first_submit,
            users: summary.users,
            has_executables: summary.executables > 0,
            taken_for: None,
        }
    }
}

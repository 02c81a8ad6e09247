//! The facts by which a log is recognised.

use packfair_study::link::SharedStudy;
use packfair_workload::{Seconds, Summary, Workload};
use std::collections::BTreeSet;

/// The facts by which a log is recognised as one of the papers'.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Jobs in the log, before any cleaning.
    pub lines: usize,
    /// The jobs that are simulated.
    pub jobs: usize,
    /// The processors of the machine.
    pub processors: u32,
    /// From the first submission to the last, seconds.
    pub span: Seconds,
    /// Number of users of the simulated jobs; 0 where they are not known.
    pub users: usize,
    /// Whether the log says which program any job runs.
    pub has_executables: bool,
    /// The log of the papers for which a person takes the log ([`paper_log`](super::paper_log)). It overrides the other
    /// facts.
    pub taken_for: Option<&'static str>,
}

impl Facts {
    /// The facts of a workload, made from a log with so many jobs.
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

    /// The facts of the log of a study that was shared; `None` where the link does not tell.
    pub fn of_shared(shared: &SharedStudy) -> Option<Self> {
        let log = shared.sender_view.as_ref()?.log?;
        Some(Facts {
            // A link's limits keep this within range.
            lines: log.lines as usize,
            jobs: shared.workload.jobs,
            processors: shared.workload.machine.processors,
            span: log.span,
            users: log.users as usize,
            has_executables: log.has_executables,
            taken_for: None,
        })
    }

    /// The facts of a summary of a workload, made from a log with so many jobs.
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

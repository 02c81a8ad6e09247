//! How much was done where users react: throughput is a result there, and not what the log says.

use super::Outcome;
use crate::workload::{Life, Seconds};
use serde::{Deserialize, Serialize};

/// What a run came to within the span of its log, from the log's first submission to its last.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Throughput {
    /// Jobs that completed.
    pub jobs: usize,
    /// Jobs in all.
    pub of_jobs: usize,
    /// Processor-seconds of those that completed.
    pub area: f64,
    /// Sessions all of whose jobs completed; none where sessions were not asked for.
    pub sessions: Option<usize>,
    /// Sessions in all.
    pub of_sessions: usize,
    /// From a session's first submission to its last end, on average over those that finished, seconds.
    pub session_s: Option<f64>,
    /// From the first submission to the last, as it came about, seconds.
    pub lived_s: f64,
    /// The log's span, seconds.
    pub span_s: f64,
}

impl Throughput {
    /// Of all jobs of a workload that has come about.
    pub fn of(life: &Life, all: &[Outcome]) -> Self {
        let (first, last) = life.span;
        let done = || all.iter().filter(|job| job.completion() <= last);
        let count = life.sessions.iter().max().map_or(0, |&session| session as usize + 1);
        // first submission, last end, of each
        let mut sessions = vec![(Seconds::MAX, Seconds::MIN); count];
        for job in all {
            if let Some(&session) = life.sessions.get(job.job.index()) {
                let (begin, end) = &mut sessions[session as usize];
                (*begin, *end) = ((*begin).min(job.submit), (*end).max(job.completion()));
            }
        }
        let of_sessions = sessions.iter().filter(|(begin, _)| *begin < Seconds::MAX).count();
        let finished: Vec<Seconds> = sessions
            .iter()
            .filter(|(begin, end)| begin <= end && *end <= last)
            .map(|(begin, end)| end - begin)
            .collect();
        let mean = finished.iter().sum::<Seconds>() as f64 / finished.len() as f64;
        Throughput {
            jobs: done().count(),
            of_jobs: all.len(),
            // in whole numbers, so that the order does not matter
            area: done().map(|job| i128::from(job.processors) * i128::from(job.run)).sum::<i128>() as f64,
            sessions: (count > 0).then_some(finished.len()),
            of_sessions,
            session_s: (!finished.is_empty()).then_some(mean),
            lived_s: all.iter().map(|job| job.submit - first).max().unwrap_or(0) as f64,
            span_s: (last - first) as f64,
        }
    }
}

impl std::fmt::Display for Throughput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Throughput { jobs, of_jobs, area, sessions, of_sessions, session_s, lived_s, span_s } = self;
        let days = |seconds: f64| seconds / 86_400.0;
        write!(
            f,
            "within the log's {:.1} days {jobs} of {of_jobs} jobs and {:.0} processor-hours were done",
            days(*span_s),
            area / 3_600.0
        )?;
        if let Some(finished) = sessions {
            write!(f, ", and {finished} of {of_sessions} sessions")?;
        }
        if let Some(length) = session_s {
            write!(f, " of {:.0} min on average", length / 60.0)?;
        }
        write!(f, "; the last job came after {:.1} days", days(*lived_s))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::JobId;

    #[test]
    fn what_is_done_within_the_log_s_span_counts() {
        let outcome = |job: u32, submit, end| Outcome {
            job: JobId(job),
            processors: 2,
            submit,
            start: submit,
            end,
            run: end - submit,
        };
        let all = [outcome(0, 0, 50), outcome(1, 60, 90), outcome(2, 80, 120)];
        let life = Life { span: (0, 100), places: (0..3).map(JobId).collect(), sessions: vec![0, 0, 1] };
        let found = Throughput::of(&life, &all);
        assert_eq!((found.jobs, found.of_jobs, found.area), (2, 3, 160.0));
        assert_eq!((found.sessions, found.of_sessions, found.session_s), (Some(1), 2, Some(90.0)));
        assert_eq!((found.lived_s, found.span_s), (80.0, 100.0));
        assert!(found.to_string().contains("2 of 3 jobs"), "{found}");
    }
}

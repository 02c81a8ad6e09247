//! How much was done. Where users react, throughput is a result and does not follow from the log.

use super::Outcome;
use super::totals::Totals;
use crate::workload::{Seconds, Workload};

/// What was done within the span of the log, from its first submission to its last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Throughput {
    pub(super) jobs: usize,
    /// Processor-seconds of the jobs that completed.
    pub(super) area: f64,
    /// Number of sessions all of whose jobs completed; `None` where there are no sessions.
    pub(super) sessions: Option<usize>,
    /// Mean time from the first submission of a session to its last end, over finished sessions, seconds.
    pub(super) session_s: Option<f64>,
    /// Time from the first submission to the last where users react, seconds; `None` where they do not.
    pub(super) lived_s: Option<f64>,
}

impl Throughput {
    pub(super) fn of(workload: &Workload, all: &[Outcome], totals: Totals) -> Self {
        let (first, last) = (totals.first_submit, totals.last_submit);
        let life = workload.life();
        let end = life.map_or(last, |life| life.span.1);
        let (mut jobs, mut area) = (0, 0);
        for job in all.iter().filter(|job| job.completion() <= end) {
            jobs += 1;
            // The sum is in whole numbers, so the order does not matter.
            area += i128::from(job.processors) * i128::from(job.run);
        }
        let numbers = life.map_or(&[][..], |life| &life.sessions);
        let count = numbers.iter().max().map_or(0, |&session| session as usize + 1);
        // The first submission and the last end of each session.
        let mut sessions = vec![(Seconds::MAX, Seconds::MIN); count];
        for job in all.iter().take(if count > 0 { all.len() } else { 0 }) {
            if let Some(&session) = numbers.get(job.job.index()) {
                let (begin, end) = &mut sessions[session as usize];
                (*begin, *end) = ((*begin).min(job.submit), (*end).max(job.completion()));
            }
        }
        let is_over = |(begin, last): &&(Seconds, Seconds)| begin <= last && *last <= end;
        let finished: Vec<Seconds> = sessions.iter().filter(is_over).map(|(begin, last)| last - begin).collect();
        let mean = finished.iter().sum::<Seconds>() as f64 / finished.len() as f64;
        Throughput {
            jobs,
            area: area as f64,
            sessions: (count > 0).then_some(finished.len()),
            session_s: (!finished.is_empty()).then_some(mean),
            lived_s: life.map(|_| (last - first) as f64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::outcome::outcomes;
    use crate::model::Schedule;
    use crate::study::Treatment;
    use crate::workload::{FeedbackRule, reading};

    fn throughput(workload: &Workload, schedule: &Schedule) -> Throughput {
        let all = outcomes(workload, schedule);
        Throughput::of(workload, &all, Totals::of(&all).unwrap())
    }

    #[test]
    fn what_is_done_within_the_log_s_span_counts() {
        // One user: the first two jobs belong together, and the third comes a session later.
        let lines = "; Version: 2.2\n1 0 0 50 2 -1 -1 2 60 -1 1 1\n2 10 50 40 2 -1 -1 2 60 -1 1 1\n3 8000 0 40 2 -1 -1 2 60 -1 1 1\n";
        let log = reading::read("log", format!("; MaxProcs: 2\n{lines}").as_bytes()).unwrap();
        let workload = |feedback| Treatment { feedback, ..Treatment::default() }.apply(&log).unwrap();
        let open = workload(FeedbackRule::default());
        let schedule = Schedule::of_starts(&open, vec![0, 7_970, 8_000]);
        let found = throughput(&open, &schedule);
        assert_eq!((found.jobs, found.area), (1, 100.0), "the second ends at 8,010, the last submission is at 8,000");
        assert_eq!((found.sessions, found.session_s, found.lived_s), (None, None, None));
        let lived = workload(FeedbackRule::sessions()).lived(&[0, 10, 7_000]);
        let schedule = Schedule::of_starts(&lived, vec![0, 50, 7_990]);
        let found = throughput(&lived, &schedule);
        assert_eq!((found.jobs, found.area), (2, 180.0));
        assert_eq!((found.sessions, found.session_s, found.lived_s), (Some(1), Some(90.0), Some(7_000.0)));
    }
}

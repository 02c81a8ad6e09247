//! Curves of a schedule, reduced to what a chart can show.

use super::fair_start::{Fair, unfairness};
use super::line::POINTS;
use super::series::{TimeSeries, binned};
use super::timeline::Timeline;
use super::{Envelope, Line, Outcome};
use crate::model::Schedule;
use crate::scheduler::dynp::notes;
use crate::workload::Seconds;
use serde::{Deserialize, Serialize};

/// Into how many bins the whole time of a schedule is reduced.
const BINS: usize = 1_000;

/// The curves of one run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Curves {
    /// Cumulative wait area against job area (METRICS Fig. 3, bottom).
    pub cwa: Line,
    /// Cumulative fraction of jobs against wait, seconds.
    pub waits: Line,
    /// Cumulative fraction of jobs against response, seconds.
    pub responses: Line,
    /// Cumulative fraction of jobs against bounded slowdown.
    pub slowdowns: Line,
    /// Cumulative fraction of scheduling rounds against the number of jobs in the queue (CP Fig. 7).
    pub queue_lengths: Line,
    /// Cumulative fraction of jobs against strict unfairness, seconds; empty without fair start times.
    pub strict_unfairness: Line,
    /// Cumulative fraction of jobs against relaxed unfairness, seconds; likewise.
    pub relaxed_unfairness: Line,
    /// Waiting jobs over time (CP Fig. 5).
    pub queue_jobs: Envelope,
    /// Width of the waiting jobs over time, processors.
    pub queue_width: Envelope,
    /// Share of processors in use over time.
    pub utilisation: Envelope,
    /// Which policy was in force when, of a scheduler that changes it: from each x on, the place of the queue order in
    /// [`Order::OPTIONS`](crate::scheduler::Order::OPTIONS). Where it changed more often than a chart can show, the one that ruled longest.
    #[serde(default)]
    pub policies: Line,
    /// Load offered by submissions over time, as a share of the machine, in the same bins.
    pub offered: Line,
}

impl Curves {
    /// Over values of the jobs that count, `kept`, and over the time of `all`, whose timeline is given.
    /// `bound` is the k of the slowdown, seconds.
    pub(super) fn of(
        schedule: &Schedule,
        all: &[Outcome],
        kept: &[Outcome],
        timeline: &Timeline,
        processors: u32,
        bound: f64,
    ) -> Curves {
        let (first, last) = timeline.span().unwrap_or_default();
        let window = (first as f64, last as f64);
        let TimeSeries { queue_jobs, queue_width, utilisation, offered } =
            binned(all, timeline, processors, window, BINS);
        let slowdowns = kept.iter().map(|job| job.bounded_slowdown(bound)).filter(|slowdown| slowdown.is_finite());
        let unfairness = |fair| {
            let of_each = schedule.fair.as_ref().and_then(|fair_starts| unfairness(kept, fair_starts, fair));
            let of_each = of_each.unwrap_or_default();
            Line::distribution(of_each.into_iter().map(|seconds| seconds as f64).collect()).reduced(POINTS)
        };
        Curves {
            cwa: cumulative_wait_area(kept).reduced(POINTS),
            waits: Line::distribution(kept.iter().map(|job| job.wait() as f64).collect()).reduced(POINTS),
            responses: Line::distribution(kept.iter().map(|job| job.response() as f64).collect()).reduced(POINTS),
            slowdowns: Line::distribution(slowdowns.collect()).reduced(POINTS),
            queue_lengths: Line::distribution(timeline.queue_lengths().map(|jobs| jobs as f64).collect())
                .reduced(POINTS),
            strict_unfairness: unfairness(Fair::Strict),
            relaxed_unfairness: unfairness(Fair::Relaxed),
            queue_jobs,
            queue_width,
            utilisation,
            offered,
            policies: policies(schedule.notes.course(notes::POLICY), window),
        }
    }
}

/// Into how many stretches of equal length a course of policies is reduced where it changes more often.
const STRETCHES: usize = 4_000;

/// Which policy ruled from when on. A course is that of the moments at which it changed.
fn policies(course: &[(Seconds, f64)], (first, last): (f64, f64)) -> Line {
    let mut line = Line::default();
    let mut rules_from = |at: f64, policy: f64| {
        if line.y.last() != Some(&policy) {
            line.x.push(at);
            line.y.push(policy);
        }
    };
    if course.len() <= STRETCHES {
        course.iter().for_each(|&(at, policy)| rules_from(at as f64, policy));
        return line;
    }
    let step = (last - first) / STRETCHES as f64;
    let mut changes = course.iter().map(|&(at, policy)| (at as f64, policy)).peekable();
    let mut policy = None;
    for stretch in 0..STRETCHES {
        let (mut from, end) = (first + step * stretch as f64, first + step * (stretch + 1) as f64);
        let begin = from;
        // of each policy, how long it ruled
        let mut ruled: Vec<(f64, f64)> = Vec::new();
        loop {
            let until = changes.peek().map_or(end, |change| change.0.min(end));
            if let Some(policy) = policy {
                match ruled.iter_mut().find(|(of, _)| *of == policy) {
                    Some((_, time)) => *time += until - from,
                    None => ruled.push((policy, until - from)),
                }
            }
            from = until;
            let Some(change) = changes.next_if(|change| change.0 < end) else { break };
            policy = Some(change.1);
        }
        let longest = ruled.into_iter().reduce(|best, other| if other.1 > best.1 { other } else { best });
        if let Some((policy, _)) = longest {
            rules_from(begin, policy);
        }
    }
    line
}

/// CWA(x) = Σ Q r over the jobs with area r D at most x, processor-seconds (METRICS §V, Fig. 3).
fn cumulative_wait_area(kept: &[Outcome]) -> Line {
    // 2^32 processors for 68 years are 2^63 processor-seconds: nothing real saturates
    let by_processors = |job: &Outcome, time: Seconds| i64::from(job.processors).saturating_mul(time);
    let areas = |job: &Outcome| (by_processors(job, job.run), by_processors(job, job.wait()));
    let mut jobs: Vec<(i64, i64)> = kept.iter().map(areas).collect();
    radsort::sort_by_key(&mut jobs, |&(area, _)| area);
    let mut line = Line::default();
    let mut total = 0;
    for (i, &(area, waited)) in jobs.iter().enumerate() {
        total += i128::from(waited);
        if jobs.get(i + 1).is_none_or(|next| next.0 != area) {
            line.x.push(area as f64);
            line.y.push(total as f64);
        }
    }
    line
}

//! Curves of a schedule, reduced to what a chart can show.

use super::course::policies;
use super::fair_start::{Fair, unfairness};
use super::line::POINTS;
use super::places::Places;
use super::power::power_over_time;
use super::series::TimeSeries;
use super::sorted_waits::SortedWaits;
use super::timeline::QueueLengths;
use super::{Envelope, Line, Outcome};
use crate::model::Schedule;
use packfair_workload::Workload;
use serde::{Deserialize, Serialize};

/// Number of bins into which the whole time of a schedule is reduced.
pub(super) const BINS: usize = 1_000;

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
    /// Cumulative fraction of jobs against relaxed unfairness, seconds; empty without fair start times.
    pub relaxed_unfairness: Line,
    /// Waiting jobs over time (CP Fig. 5).
    pub queue_jobs: Envelope,
    /// Width of the waiting jobs over time, processors.
    pub queue_width: Envelope,
    /// Share of processors in use over time.
    pub utilisation: Envelope,
    /// The policy in force over time, for a scheduler that changes it: from each x on, the index of the policy in
    /// dynP's list of all policies. Where it changes more often than a chart can show, the
    /// one that ruled longest.
    #[serde(default)]
    pub policies: Line,
    /// Load offered by submissions over time, as a share of the machine, in the same bins.
    pub offered: Line,
    /// Waiting jobs of the group that alone counts, over time; empty where all jobs count.
    #[serde(default)]
    pub counted_jobs: Envelope,
    /// Width of the waiting jobs of that group over time, processors; empty where all jobs count.
    #[serde(default)]
    pub counted_width: Envelope,
    /// What is drawn over time, kW; empty where no watts are known (docs/power.md).
    #[serde(default)]
    pub power: Envelope,
}

impl Curves {
    /// The curves of a schedule. `kept` are the jobs that count, whose waits are sorted already; `series` are those of
    /// all jobs, in [`BINS`], and `lengths` the lengths of their queue. `window` is the time of the schedule. `bound` is
    /// the τ of the slowdown, seconds. `of_group` are the series of the group that alone counts, if any.
    pub(super) fn of(
        workload: &Workload,
        schedule: &Schedule,
        (kept, waits): (&[Outcome], &SortedWaits),
        (series, lengths): (TimeSeries, &QueueLengths),
        window: (f64, f64),
        of_group: Option<TimeSeries>,
        bound: f64,
    ) -> Curves {
        let TimeSeries { queue_jobs, queue_width, utilisation, offered, .. } = series;
        let of_group = of_group.unwrap_or_default();
        let slowdowns = kept.iter().map(|job| job.bounded_slowdown(bound)).filter(|slowdown| slowdown.is_finite());
        let unfairness = |fair| {
            let of_each = schedule.fair.as_ref().and_then(|fair_starts| unfairness(kept, fair_starts, fair));
            Line::distribution_of_times(of_each.unwrap_or_default()).reduced(POINTS)
        };
        Curves {
            cwa: cumulative_wait_area(workload, kept).reduced(POINTS),
            waits: waits_of(waits).reduced(POINTS),
            responses: Line::distribution_of_times(kept.iter().map(Outcome::response).collect()).reduced(POINTS),
            slowdowns: Line::distribution(slowdowns.collect()).reduced(POINTS),
            queue_lengths: Line::distribution_of_counts(&lengths.0).reduced(POINTS),
            strict_unfairness: unfairness(Fair::Strict),
            relaxed_unfairness: unfairness(Fair::Relaxed),
            queue_jobs,
            queue_width,
            utilisation,
            offered,
            policies: policies(schedule, window),
            counted_jobs: of_group.queue_jobs,
            counted_width: of_group.queue_width,
            power: power_over_time(workload, schedule, window, BINS),
        }
    }
}

fn waits_of(waits: &SortedWaits) -> Line {
    Line::distribution_of_sorted(waits.jobs().len(), waits.jobs().iter().map(|&(wait, _)| wait))
}

/// CWA(x) = Σ Q r over the jobs with an area r D of at most x, processor-seconds (METRICS §V, Fig. 3). Jobs have the
/// same areas in every schedule, so they are sorted once for all schedules.
fn cumulative_wait_area(workload: &Workload, kept: &[Outcome]) -> Line {
    let places = Places::of(workload, kept);
    let jobs =
        workload.by_area().iter().filter_map(|&job| Some((workload.whole_area(job), &kept[places.of_job(job)?])));
    let (mut line, mut total, mut last) = (Line::default(), 0_i128, None);
    for (area, job) in jobs {
        if let Some(last) = last.replace(area).filter(|last| *last != area) {
            line.x.push(last as f64);
            line.y.push(total as f64);
        }
        total += i128::from(waited_area(job));
    }
    if let Some(last) = last {
        line.x.push(last as f64);
        line.y.push(total as f64);
    }
    line
}

/// Q r in whole processor-seconds. 2^32 processors for 68 years are 2^63, so no real value saturates.
fn waited_area(job: &Outcome) -> i64 {
    i64::from(job.processors).saturating_mul(job.wait())
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_workload::testing::workload;

    /// The same curve, by sorting the jobs of the schedule.
    fn plain(kept: &[Outcome]) -> Line {
        let mut jobs: Vec<(i64, i64)> =
            kept.iter().map(|job| (i64::from(job.processors) * job.run, waited_area(job))).collect();
        jobs.sort_by_key(|job| job.0);
        let (mut line, mut total) = (Line::default(), 0);
        for (i, &(area, waited)) in jobs.iter().enumerate() {
            total += i128::from(waited);
            if jobs.get(i + 1).is_none_or(|next| next.0 != area) {
                line.x.push(area as f64);
                line.y.push(total as f64);
            }
        }
        line
    }

    #[test]
    fn wait_areas_add_up_as_by_sorting_the_jobs_anew() {
        for count in [0, 1, 2, 300] {
            let jobs: Vec<(i64, i64, u32)> =
                (0..count).map(|i| (i, (i * i * 7_919) % 23 * 10, 1 + (i * 31) as u32 % 8)).collect();
            let workload = workload(8, &jobs);
            let starts =
                workload.jobs().map(|job| workload.request(job).submit + (i64::from(job.0) * 37) % 91).collect();
            let all = super::super::outcomes(&workload, &Schedule::of_starts(&workload, starts));
            let some: Vec<Outcome> = all.iter().filter(|job| job.job.0 % 3 != 1).copied().collect();
            assert_eq!(cumulative_wait_area(&workload, &all), plain(&all));
            assert_eq!(cumulative_wait_area(&workload, &some), plain(&some));
        }
    }
}

//! What a cluster did over time: queue, utilisation, offered load.

use super::course::policies;
use super::envelope::Binning;
use super::killed::{KilledRun, killed_runs};
use super::outcome::{Outcome, outcomes};
use super::power::power_over_time;
use super::timeline::{Level, Timeline, Viewer};
use super::{Envelope, Line};
use crate::model::Schedule;
use packfair_workload::Workload;
use serde::{Deserialize, Serialize};

/// What a cluster did in a window of time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TimeSeries {
    /// Waiting jobs (CP Fig. 5).
    pub queue_jobs: Envelope,
    /// Width of the waiting jobs, processors (CP Fig. 5).
    pub queue_width: Envelope,
    /// Share of processors in use.
    pub utilisation: Envelope,
    /// Load offered by submissions, as a share of the machine: for each bin Σ r D of the jobs submitted in it over R ×
    /// its length.
    pub offered: Line,
    /// The policy in force over time, as in [`Curves::policies`](super::Curves::policies).
    pub policies: Line,
    /// What is drawn, kW; empty where no watts are known (docs/power.md).
    #[serde(default)]
    pub power: Envelope,
}

/// The series over [from, until), in `bins` bins of equal length that keep extremes. All jobs count. An empty window,
/// or no bins, gives empty series.
///
/// This looks once at every job submitted before `until`, and only sorts the jobs that touch the window.
pub fn time_series(workload: &Workload, schedule: &Schedule, from: f64, until: f64, bins: usize) -> TimeSeries {
    let touches = |job: &Outcome| (job.submit as f64) < until && job.completion() as f64 >= from;
    let jobs: Vec<Outcome> = outcomes(workload, schedule).into_iter().filter(touches).collect();
    let touches = |run: &KilledRun| jobs.binary_search_by_key(&run.job, |job| job.job).is_ok();
    let killed: Vec<KilledRun> = killed_runs(workload, schedule).into_iter().filter(touches).collect();
    let processors = workload.machine.processors;
    let series = binned(&jobs, &Timeline::new(&jobs, &killed), processors, (from, until), bins);
    if series.offered.x.is_empty() {
        series
    } else {
        let power = power_over_time(workload, schedule, (from, until), bins);
        TimeSeries { policies: policies(schedule, (from, until)), power, ..series }
    }
}

/// The series from `jobs`, which include all jobs that touch the window, and from their timeline; without policies and
/// power.
pub(super) fn binned(
    jobs: &[Outcome],
    timeline: &Timeline,
    processors: u32,
    (from, until): (f64, f64),
    bins: usize,
) -> TimeSeries {
    let Some(mut series) = SeriesInBins::new(timeline, processors, (from, until), bins) else {
        return TimeSeries::default();
    };
    timeline.show(&mut series);
    series.finish(jobs.iter())
}

/// The series as time passes.
pub(super) struct SeriesInBins {
    binning: Binning<3>,
    processors: u32,
    window: (f64, f64),
    bins: usize,
}

impl SeriesInBins {
    /// Begins the series of a timeline; `None` where the window or the number of bins is empty.
    pub(super) fn new(timeline: &Timeline, processors: u32, (from, until): (f64, f64), bins: usize) -> Option<Self> {
        if bins == 0 || !(until - from).is_finite() || until <= from {
            return None;
        }
        let mut binning = Binning::new(from, until, bins);
        if let Some((first, _)) = timeline.span() {
            binning.extend(first as f64, [0.0; 3]);
        }
        Some(SeriesInBins { binning, processors, window: (from, until), bins })
    }

    /// The series without policies and power, once everything has happened to these jobs.
    pub(super) fn finish<'a>(mut self, jobs: impl Iterator<Item = &'a Outcome>) -> TimeSeries {
        self.binning.extend(self.window.1, [0.0; 3]);
        let [queue_jobs, queue_width, utilisation] = self.binning.finish();
        let offered = offered(jobs, self.processors, self.window, self.bins);
        TimeSeries { queue_jobs, queue_width, utilisation, offered, ..TimeSeries::default() }
    }
}

impl Viewer for SeriesInBins {
    #[inline(always)]
    fn level(&mut self, level: &Level) {
        let utilisation = level.busy as f64 / f64::from(self.processors);
        self.binning.extend(level.until as f64, [level.waiting as f64, level.width as f64, utilisation]);
    }
}

fn offered<'a>(
    jobs: impl Iterator<Item = &'a Outcome>,
    processors: u32,
    (from, until): (f64, f64),
    bins: usize,
) -> Line {
    let step = (until - from) / bins as f64;
    let mut areas = vec![0.0; bins];
    for job in jobs {
        let at = (job.submit as f64 - from) / step;
        if at >= 0.0 && (job.submit as f64) < until {
            areas[(at as usize).min(bins - 1)] += job.area();
        }
    }
    Line {
        x: (0..bins).map(|bin| from + bin as f64 * step).collect(),
        y: areas.iter().map(|area| area / (f64::from(processors) * step)).collect(),
    }
}

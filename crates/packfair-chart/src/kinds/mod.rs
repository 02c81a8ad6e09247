//! A function for each kind of chart: from reports, summaries and answers to figures.

mod area;
mod autocorrelation;
mod by_policy;
mod change;
mod class_slowdowns;
mod class_weeks;
mod cwa;
mod distribution;
mod down;
mod estimates;
mod forecast;
mod gantt;
mod gaps;
mod histogram;
mod importances;
mod joint;
mod lost_work;
mod names;
mod policies;
mod power;
mod requests;
mod reservation;
mod slowdown_course;
mod sweep;
mod timeline;
mod tradeoff;
mod wait_map;

pub use area::area_distribution;
pub use autocorrelation::{autocorrelation, user_autocorrelation};
pub use by_policy::{METRICS_BY_POLICY, by_policy};
pub use change::{OnLog, changes, of_baseline};
pub use class_slowdowns::class_slowdowns;
pub use class_weeks::{Rate, class_weeks};
pub use cwa::cwa;
pub use distribution::{queue_lengths, responses, slowdowns, unfairness, waits};
pub use down::with_down_times;
pub use estimates::{JudgedEstimates, OverTime, estimate_density, estimate_errors, estimates_over_time};
pub use forecast::{free_ahead, queue_ahead, start_chances};
pub use gantt::{Colouring, GanttView, gantt, gantt_key};
pub use gaps::gaps;
pub use histogram::{hours, limits, overestimations, run_times, weekdays, widths};
pub use importances::{importance_boxes, importances};
pub use joint::joint;
pub use lost_work::lost_work;
pub use names::run_names;
pub use power::power;
pub use requests::requests;
pub use reservation::reservation;
pub use slowdown_course::{cumulative_slowdown, monthly_slowdown};
pub use sweep::sweeps;
pub use timeline::{queue_jobs, queue_width, utilisation};
pub use tradeoff::tradeoff;
pub use wait_map::{longer_by, longest_median, wait_change_map, wait_map};

use super::{Data, Ink, Series};
use packfair_engine::metric::{ClassCourse, Curves};
use packfair_study::{Run, RunReport};

/// A charted run and its ink, which is the same in every chart of the page.
#[derive(Clone, Copy, Debug)]
pub struct Charted<'a> {
    pub report: &'a RunReport,
    /// The colour and line pattern of the run.
    pub ink: Ink,
}

/// A run, its ink, and how small and large jobs fared in it.
#[derive(Clone, Copy, Debug)]
pub struct Classed<'a> {
    pub run: &'a Run,
    /// The colour and line pattern of the run.
    pub ink: Ink,
    /// How small and large jobs fared.
    pub course: &'a ClassCourse,
}

/// The text of an empty chart of classes.
const NO_CLASSES: &str = "No run that tells small jobs from large ones is chosen, or its schedule is not here";

/// A series for each run that has any data, and what their names leave out.
fn series_of_classed(runs: &[Classed<'_>], data: impl Fn(&ClassCourse) -> Data) -> (Vec<Series>, String) {
    let named: Vec<&Run> = runs.iter().map(|run| run.run).collect();
    let one = |(run, name): (&Classed<'_>, String)| Series::of_run(name, run.run, run.ink, data(run.course));
    let series = runs.iter().zip(run_names(&named)).map(one).filter(|series| !series.data.is_empty()).collect();
    (series, names::common_of(&named))
}

fn series_of(runs: &[Charted<'_>], data: impl Fn(&Curves) -> Data) -> Vec<Series> {
    let names = run_names(&runs.iter().map(|r| &r.report.run).collect::<Vec<_>>());
    let one =
        |(run, name): (&Charted<'_>, String)| Series::of_run(name, &run.report.run, run.ink, data(&run.report.curves));
    runs.iter().zip(names).map(one).collect()
}

/// What all the runs have in common, so that their names leave it out.
fn common(runs: &[Charted<'_>]) -> String {
    names::common_of(&runs.iter().map(|r| &r.report.run).collect::<Vec<_>>())
}

/// The text of an empty chart of runs.
const NO_RUNS: &str = "No run has ended, or the link draws none";

//! One function a kind of chart: from reports, summaries and answers to figures.

mod area;
mod cwa;
mod distribution;
mod estimates;
mod gantt;
mod gaps;
mod histogram;
mod improvement;
mod joint;
mod names;
mod policies;
mod reservation;
mod sweep;
mod timeline;
mod tradeoff;

pub use area::area_distribution;
pub use cwa::cwa;
pub use distribution::{queue_lengths, responses, slowdowns, unfairness, waits};
pub use estimates::{Judged, OverTime, estimate_density, estimate_errors, estimates_over_time};
pub use gantt::{Colouring, gantt};
pub use gaps::gaps;
pub use histogram::{hours, limits, overestimations, run_times, weekdays, widths};
pub use improvement::{OnLog, improvements};
pub use joint::joint;
pub use names::run_names;
pub use reservation::reservation;
pub use sweep::sweeps;
pub use timeline::{queue_jobs, queue_width, utilisation};
pub use tradeoff::tradeoff;

use super::{Data, Ink, Series};
use crate::metric::Curves;
use crate::study::RunReport;

/// A run that is charted, and its ink: the same in every chart of the page.
#[derive(Clone, Copy, Debug)]
pub struct Charted<'a> {
    /// What came out of it.
    pub report: &'a RunReport,
    /// Its colour and line pattern.
    pub ink: Ink,
}

/// One series a run, from its curves.
fn series_of(runs: &[Charted<'_>], data: impl Fn(&Curves) -> Data) -> Vec<Series> {
    let names = run_names(&runs.iter().map(|r| &r.report.run).collect::<Vec<_>>());
    let one =
        |(run, name): (&Charted<'_>, String)| Series::of_run(name, &run.report.run, run.ink, data(&run.report.curves));
    runs.iter().zip(names).map(one).collect()
}

/// What the names of the runs leave out.
fn common(runs: &[Charted<'_>]) -> String {
    names::common_of(&runs.iter().map(|r| &r.report.run).collect::<Vec<_>>())
}

/// What an empty chart of runs says.
const NO_RUNS: &str = "No run has ended, or the link draws none";

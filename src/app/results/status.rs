//! The progress of a run: a sign in its row, a bar while it runs, and remarks below its name.

use super::row::name;
use crate::app::notices::sentence;
use crate::app::prelude::*;
use crate::app::state::{App, Status};
use packfair_study::format::{duration, whole};
use packfair_study::table::TOO_SHORT_CAVEAT;
use packfair_study::{Run, pace};

/// Everything from which the status of a row is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct RunProgress {
    pub run: Run,
    pub status: Status,
    /// How long the simulation of the shown result took, seconds.
    pub wall_s: Option<f64>,
    /// Whether the shown result is for settings other than the present ones.
    pub is_stale: bool,
    /// The number of jobs that started later than guaranteed, and of guarantees that were made again.
    pub late: (u64, u64),
    /// Why the log's own schedule does not fit this machine; `None` if it does.
    pub overfull: Option<String>,
    /// A remark that the queue grew until the end; `None` if it did not.
    pub saturation: Option<String>,
    /// Whether the log is too short to tell whether it is saturated.
    pub is_too_short: bool,
}

/// What pressing the sign of a row's state does.
#[derive(Clone, Copy)]
enum Press {
    Run,
    Cancel,
}

/// The content of a row's status cell: a sign of the state, which is also a button that runs or cancels if possible.
pub fn status(app: App, progress: RunProgress) -> AnyView {
    let RunProgress { run, status, wall_s, is_stale, .. } = progress;
    let (id, sign, said, press) = match status {
        Status::Idle => ("not run", "▷", "not run".to_owned(), Some(Press::Run)),
        Status::Queued => ("queued", "…", "queued".to_owned(), Some(Press::Cancel)),
        Status::Running { completed, jobs, left } => {
            ("running", "×", format!("running, {}", reported(completed, jobs, left)), Some(Press::Cancel))
        }
        Status::Held { seconds } => ("waits", "▷", held(seconds), Some(Press::Run)),
        Status::Measuring => ("measuring", "×", "measuring".to_owned(), Some(Press::Cancel)),
        Status::Done if is_stale => {
            ("done", "↻", "stale: made with other settings than the present ones".to_owned(), Some(Press::Run))
        }
        Status::Done => {
            let time = wall_s.filter(|&s| s > 0.0).map(|s| format!(" in {}", duration(s)));
            ("done", "✓", format!("done{}", time.unwrap_or_default()), None)
        }
        Status::Failed(_) => ("failed", "!", "failed".to_owned(), Some(Press::Run)),
        Status::Cancelled => ("cancelled", "▷", "cancelled".to_owned(), Some(Press::Run)),
    };
    let Some(press) = press else {
        return view! {
            <span class="state" role="img" data-testid="row-status" data-status=id aria-label=said.clone() title=said>
                {sign}
            </span>
        };
    };
    let act = match press {
        Press::Run => "run it",
        Press::Cancel => "cancel it",
    };
    let title = format!("{}; {act}", sentence(&said));
    let label = format!("{title}: {}", name(&run));
    view! {
        <button
            type="button"
            class="state"
            tabindex="-1"
            data-testid="row-status"
            data-status=id
            aria-label=label
            title=title
            on:click=move |_| match press {
                Press::Run => app.run_one(run.clone()),
                Press::Cancel => app.cancel(run.clone()),
            }
        >
            {sign}
        </button>
    }
}

/// Why a run waits for the user's word.
fn held(seconds: Option<f64>) -> String {
    match seconds {
        Some(seconds) => format!("on hold: it takes {}", pace::about(seconds)),
        None => "on hold: the runs before it took long".to_owned(),
    }
}

/// The progress in words, such as "12,000 of 28,481 jobs, 3 s left".
fn reported(completed: usize, jobs: usize, left: Option<f64>) -> String {
    let left = left.map_or(String::new(), |s| format!(", {} left", duration(s)));
    format!("{} of {} jobs{left}", whole(completed as i64), whole(jobs as i64))
}

/// The progress bar of a simulation, at the bottom of the cell that names the run.
pub fn bar(status: &Status) -> AnyView {
    let Status::Running { completed, jobs, left } = *status else { return ().into_any() };
    let fraction = if jobs == 0 { 0.0 } else { completed as f64 / jobs as f64 };
    view! {
        <span
            class="bar"
            role="progressbar"
            aria-label="Jobs simulated"
            aria-valuemin="0"
            aria-valuemax=jobs.to_string()
            aria-valuenow=completed.to_string()
            aria-valuetext=reported(completed, jobs, left)
        >
            <span class="bar-done" style:width=format!("{:.1}%", 100.0 * fraction)></span>
        </span>
    }
}

/// Remarks below the name of a run: what users must know before they trust its numbers, or why it failed.
pub fn remarks(progress: &RunProgress) -> AnyView {
    let RunProgress { status, late, overfull, saturation, is_too_short, .. } = progress.clone();
    match status {
        Status::Failed(why) => {
            view! { <span class="status-why" title=why.clone()>"failed: " {why.clone()}</span> }
        }
        Status::Held { seconds } => {
            view! { <span class="status-why" data-testid="row-waits">{held(seconds)}</span> }.into_any()
        }
        Status::Done => view! {
            {(late.0 > 0).then(|| late_tag(late))}
            {overfull.map(overfull_tag)}
            {saturation.map(saturated_tag)}
            {is_too_short.then(too_short_tag)}
        },
        _ => ().into_any(),
    }
}

/// A tag that says that the run is saturated; its hint explains this.
fn saturated_tag(why: String) -> AnyView {
    view! { <span class="tag" data-testid="row-saturated" title=why>"saturated"</span> }
}

/// A tag that says that the log is too short to tell whether the run is saturated.
fn too_short_tag() -> AnyView {
    view! { <span class="tag" data-testid="row-too-short" title=TOO_SHORT_CAVEAT>"too short to tell"</span> }
}

fn late_tag((late, remade): (u64, u64)) -> impl IntoView {
    let late = whole(late as i64);
    let why = format!(
        "{late} jobs started later than promised, for others outlived their estimates: {} promises were made anew",
        whole(remade as i64)
    );
    view! { <span class="tag is-faulty" title=why data-testid="row-late">{late} " late"</span> }
}

/// A tag that says that the row's numbers are those of an impossible schedule; a note below the table explains this.
fn overfull_tag(why: String) -> AnyView {
    view! { <span class="tag is-faulty" data-testid="row-overfull" title=why>"does not fit"</span> }
}

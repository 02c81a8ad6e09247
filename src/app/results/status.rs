//! How far a run is, as the last cell of its row shows it.

use super::naming::name;
use super::verification::CheckVerdict;
use crate::app::prelude::*;
use crate::app::state::{App, Status};
use crate::study::Run;
use crate::study::format::{duration, whole};

/// What the status of a row is shown from.
#[derive(Clone, Debug, PartialEq)]
pub struct RunProgress {
    /// Which run.
    pub run: Run,
    /// How far it is.
    pub status: Status,
    /// How long the simulation of the result shown took, seconds.
    pub wall_s: Option<f64>,
    /// Whether the result shown is for other settings.
    pub is_stale: bool,
    /// Jobs that started later than they were promised, and promises that were made anew.
    pub late: (u64, u64),
    /// Why the log's own schedule is not one of this machine, where it is not.
    pub overfull: Option<String>,
    /// That the queue grew to the end, where it did.
    pub saturation: Option<String>,
    /// What a check of the schedule said.
    pub verdict: Option<CheckVerdict>,
}

/// The content of a row's status cell.
pub fn status(app: App, progress: RunProgress) -> AnyView {
    let RunProgress { run, status, wall_s, is_stale, late, overfull, saturation, verdict } = progress;
    let stale = is_stale
        .then(|| view! { <span class="tag" title="made with other settings than the present ones">"stale"</span> });
    match status {
        Status::Idle => view! { <StatusLine word="not run"/> {stale} {run_button(app, run, "Run")} },
        Status::Queued => view! { <StatusLine word="queued"/> {stale} {cancel_button(app, run)} },
        Status::Running { completed, jobs, left } => {
            view! { {running(completed, jobs, left)} {cancel_button(app, run)} }
        }
        Status::Measuring => view! {
            <StatusLine word="measuring"/>
            {stale}
            {cancel_button(app, run)}
        },
        Status::Done => view! {
            <StatusLine word="done"/>
            <span class="status-time">{wall_s.filter(|&s| s > 0.0).map(duration)}</span>
            {stale}
            {(late.0 > 0).then(|| late_tag(late))}
            {overfull.map(overfull_tag)}
            {saturation.map(saturated_tag)}
            {verdict.map(verdict_tag)}
        },
        Status::Failed(why) => view! {
            <span class="status-failed" data-testid="row-status" data-status="failed">
                "failed"
            </span>
            <span class="status-why" title=why.clone()>{why.clone()}</span>
            {run_button(app, run, "Run again")}
        },
        Status::Cancelled => view! { <StatusLine word="cancelled"/> {stale} {run_button(app, run, "Run")} },
    }
}

#[component]
fn StatusLine(word: &'static str) -> impl IntoView {
    view! { <span class="status-word" data-testid="row-status" data-status=word>{word}</span> }
}

fn running(completed: usize, jobs: usize, left: Option<f64>) -> impl IntoView + use<> {
    let fraction = if jobs == 0 { 0.0 } else { completed as f64 / jobs as f64 };
    let left = left.map_or(String::new(), |s| format!(", {} left", duration(s)));
    let shown = format!("{} jobs{left}", whole(completed as i64));
    let said = format!("{} of {} jobs{left}", whole(completed as i64), whole(jobs as i64));
    let title = said.clone();
    view! {
        <span class="status-running" data-testid="row-status" data-status="running" title=title>
            <span class="visually-hidden">"running, "</span>
            {shown}
            <span
                class="bar"
                role="progressbar"
                aria-label="Jobs simulated"
                aria-valuemin="0"
                aria-valuemax=jobs.to_string()
                aria-valuenow=completed.to_string()
                aria-valuetext=said
            >
                <span class="bar-done" style:width=format!("{:.1}%", 100.0 * fraction)></span>
            </span>
        </span>
    }
}

/// That the queue grew to the end of the log; what that means is its hint.
fn saturated_tag(why: String) -> AnyView {
    view! { <span class="tag" data-testid="row-saturated" title=why>"queue grows"</span> }
}

fn late_tag((late, remade): (u64, u64)) -> impl IntoView {
    let late = whole(late as i64);
    let why = format!(
        "{late} jobs started later than promised, for others outlived their estimates: {} promises were made anew",
        whole(remade as i64)
    );
    view! { <span class="tag is-faulty" title=why data-testid="row-late">{late} " late"</span> }
}

/// That the numbers of the row are those of a schedule that cannot be; why stands above the table.
fn overfull_tag(why: String) -> AnyView {
    view! { <span class="tag is-faulty" data-testid="row-overfull" title=why>"does not fit"</span> }
}

fn verdict_tag(verdict: CheckVerdict) -> impl IntoView {
    let (class, text) = match verdict {
        CheckVerdict::Checking => ("tag", "checking …".to_owned()),
        CheckVerdict::Valid(_) => ("tag is-valid", "✓ valid".to_owned()),
        CheckVerdict::Faulty(faults) => ("tag is-faulty", format!("{} faults", faults.len())),
        CheckVerdict::Unknown(_) => ("tag is-faulty", "not checked".to_owned()),
    };
    view! { <span class=class data-testid="row-verdict">{text}</span> }
}

fn run_button(app: App, run: Run, label: &'static str) -> impl IntoView {
    let said = format!("{label}: {}", name(&run));
    view! {
        <button type="button" class="cell-button" tabindex="-1" aria-label=said on:click=move |_| app.run_one(run.clone())>
            {label}
        </button>
    }
}

fn cancel_button(app: App, run: Run) -> impl IntoView {
    let said = format!("Cancel: {}", name(&run));
    view! {
        <button type="button" class="cell-button" tabindex="-1" aria-label=said title="Cancel this run" on:click=move |_| app.cancel(run.clone())>
            "×"
        </button>
    }
}

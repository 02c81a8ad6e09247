//! The waiting jobs, each with its band on a common time axis.

use super::copy_link;
use super::state::ForecastOnPage;
use super::time::{Axis, ahead, chance};
use crate::app::charts::{Chart, figure};
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::When;
use packfair_chart::{AxisClock, kinds};
use packfair_study::format::{counted, duration, size, whole};
use packfair_when::{Forecast, HORIZON, MachineCourse, WhenTold};
use packfair_workload::{Seconds, Unit};
use std::sync::Arc;

/// The jobs that are shown at first, and with each press more.
const PAGE: usize = 50;

#[component]
pub fn WaitingJobs(outlook: ForecastOnPage) -> impl IntoView {
    let app = expect_context::<App>();
    let told = RwSignal::from(outlook.told);
    let search = RwSignal::new(String::new());
    let most = RwSignal::new(PAGE);
    let found = Memo::new(move |_| {
        let words = search.get().trim().to_lowercase();
        told.with(|told| {
            let all = told.as_ref().map(|told| told.forecasts.as_slice()).unwrap_or_default();
            let mut found: Vec<usize> = (0..all.len()).filter(|&at| is_found(&all[at], &words)).collect();
            // first who never starts: that is what somebody has to know
            found.sort_by_key(|&at| (!all[at].never, all[at].p50, all[at].p90));
            found
        })
    });
    let count = move || found.with(Vec::len);
    let rows = move || {
        let told = told.get()?;
        let axis = Axis::of(&told);
        let shown = found.with(|found| found.iter().take(most.get()).copied().collect::<Vec<_>>());
        Some(shown.into_iter().map(|at| row(app, &told, at, axis)).collect_view())
    };
    let nobody = move || {
        let all = told.with(|told| told.as_ref().map_or(0, |told| told.forecasts.len()));
        match (all, count()) {
            (0, _) => Some("No job waits at this moment."),
            (_, 0) => Some("No waiting job has this number or user."),
            _ => None,
        }
    };
    let said = move || format!("{} shown", counted(count() as u64, "waiting job", "waiting jobs"));
    view! {
        <div class="row">
            <input
                class="picker-search when-search"
                type="search"
                data-testid="when-search"
                placeholder="Job or user"
                aria-label="Search waiting jobs by number or user"
                prop:value=search
                on:input=move |event| {
                    search.set(event_target_value(&event));
                    most.set(PAGE);
                }
            />
            <button class="button button-quiet" type="button" data-testid="when-copy" on:click=move |_| copy_link(app)>
                "Copy link"
            </button>
            <span class="visually-hidden" role="status">{said}</span>
        </div>
        <p class="quiet" data-testid="when-nobody" hidden=move || nobody().is_none()>{nobody}</p>
        <div class="when-jobs" role="table" aria-label="Waiting jobs" data-testid="when-jobs" hidden=move || count() == 0>
            <div class="when-head" role="row">
                <span role="columnheader">"Job"</span>
                <span role="columnheader">"Start (median)"</span>
                <span role="columnheader" class="when-axis" data-hint="Time from now; near times have more room">{move || told.get().map(|told| axis(&told))}</span>
                <span role="columnheader" class="number" data-hint="The chance to start within 1 hour">"1 h"</span>
                <span role="columnheader" class="number" data-hint="The chance to start within 4 hours">"4 h"</span>
                <span role="columnheader" class="number" data-hint="The chance to start within 24 hours">"24 h"</span>
                <span role="columnheader">"Waits for"</span>
            </div>
            {move || rows()}
        </div>
        <When when=move || { count() > most.get() }>
            <button class="button button-quiet" type="button" on:click=move |_| most.update(|most| *most += PAGE)>
                {move || format!("Show more of {}", whole(count() as i64))}
            </button>
        </When>
    }
}

/// Whether a job has this number, or its user this name; both may be given in part.
fn is_found(forecast: &Forecast, words: &str) -> bool {
    words.is_empty()
        || forecast.job.to_string().starts_with(words)
        || forecast.user.as_ref().is_some_and(|user| user.to_lowercase().contains(words))
}

/// The ticks of the common time axis.
fn axis(told: &WhenTold) -> AnyView {
    let axis = Axis::of(told);
    let label = |at: Seconds| {
        let text = if at == 0 { "now".to_owned() } else { format!("+{}", duration(at as f64)) };
        // there is no room for a label after the last tick
        view! { <span class="when-tick" class:last={at == axis.end} style:--at=share(at, axis)>{text}</span> }
    };
    axis.ticks().into_iter().map(label).collect_view().into_any()
}

fn share(at: Seconds, axis: Axis) -> String {
    format!("{:.2}%", 100.0 * axis.place(at))
}

fn row(app: App, told: &Arc<WhenTold>, at: usize, axis: Axis) -> AnyView {
    let forecast = &told.forecasts[at];
    let Forecast { job, p10, p50, p90, never, .. } = *forecast;
    let unit = app.log.with_untracked(|log| match log {
        crate::app::state::LogState::Ready(log) => log.summary.counting.unit,
        _ => Unit::Processors,
    });
    let user = forecast.user.clone();
    let asks = format!("{}, limit {}", size(forecast.processors, unit), duration(forecast.limit as f64));
    let start = if never { "never".to_owned() } else { ahead(told, p50, HORIZON) };
    let band = if never {
        forecast.reason.clone()
    } else if p90 == 0 {
        "at once".to_owned()
    } else {
        format!("with a chance of 80 % between {} and {}", ahead(told, p10, HORIZON), ahead(told, p90, HORIZON))
    };
    let hint = band.clone();
    let relative = (!never && p50 > 0 && p50 < HORIZON).then(|| format!("in {}", duration(p50 as f64)));
    let of = |within: &'static str, share: f64| {
        view! { <span role="cell" class="number when-chance" data-within=within>{chance(share)}</span> }
    };
    let pick = move |_| ForecastOnPage::of_page().pick(app, Some(job));
    let picked = RwSignal::from(ForecastOnPage::of_page().picked);
    view! {
        <div
            class="when-row"
            class:picked=move || picked.get() == Some(job)
            role="row"
            data-testid="when-row"
            data-job=job.to_string()
            data-value=p50.to_string()
        >
            <span role="rowheader" class="when-job">
                <button class="when-pick" type="button" on:click=pick>
                    {job.to_string()}
                    <span class="when-user">{user}</span>
                </button>
                <span class="quiet">{asks}</span>
            </span>
            <span role="cell" class="when-start">
                <strong>{start}</strong>
                <span class="quiet">{relative}</span>
            </span>
            <span role="cell" class="when-bar" data-hint=hint>
                <span
                    class="when-band"
                    class:beyond={p90 > axis.end}
                    hidden=never
                    style:--from=share(p10, axis)
                    style:--to=share(p90, axis)
                ></span>
                <span class="when-median" hidden={never || p50 > axis.end} style:--at=share(p50, axis)></span>
                <span class="visually-hidden">{band}</span>
            </span>
            {of("1 h", forecast.within_1h)}
            {of("4 h", forecast.within_4h)}
            {of("24 h", forecast.within_24h)}
            <span role="cell" class="when-reason">{forecast.reason.clone()}</span>
        </div>
    }
}

// The machine's next days: how many wait and how much is free, as bands.

#[component]
pub fn NextDays(outlook: ForecastOnPage) -> impl IntoView {
    let app = expect_context::<App>();
    let told = RwSignal::from(outlook.told);
    let has_course =
        Memo::new(move |_| told.with(|told| told.as_ref().is_some_and(|told| !told.course.times.is_empty())));
    let of = |told: &Option<Arc<WhenTold>>| -> (MachineCourse, Seconds, AxisClock) {
        match told {
            Some(told) => (told.course.clone(), told.now, AxisClock::of(&told.clock)),
            None => (MachineCourse::default(), 0, AxisClock::ELAPSED),
        }
    };
    let queue = figure(move || {
        let (course, now, clock) = told.with(of);
        kinds::queue_ahead(&course, now, &clock)
    });
    let free = figure(move || {
        let (course, now, clock) = told.with(of);
        kinds::free_ahead(&course, now, &clock, app.unit().plural())
    });
    view! {
        <When when=move || has_course.get()>
            <h3 class="section-title">"The machine's next days"</h3>
            <div class="chart-grid" data-testid="when-machine">
                <Chart figure=queue height=0.5/>
                <Chart figure=free height=0.5/>
            </div>
        </When>
    }
}

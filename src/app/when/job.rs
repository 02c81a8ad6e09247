//! One waiting job: its fan, who is before it, and what would help.

use super::copy_link;
use super::state::ForecastOnPage;
use super::time::{ahead, chance};
use crate::app::charts::{Chart, figure};
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::When;
use packfair_chart::{AxisClock, kinds};
use packfair_study::format::{duration, size, whole};
use packfair_when::{Before, Forecast, HORIZON, Help, JobTold, WhenTold};
use packfair_workload::Seconds;
use std::sync::Arc;

/// Gains below this, seconds, are none.
const NOTHING: Seconds = 60;

#[component]
pub fn OneJob(outlook: ForecastOnPage) -> impl IntoView {
    let app = expect_context::<App>();
    let ForecastOnPage { told, picked, of_job, share, .. } = outlook;
    let (told, picked) = (RwSignal::from(told), RwSignal::from(picked));
    let (of_job, share) = (RwSignal::from(of_job), RwSignal::from(share));
    let forecast = Memo::new(move |_| {
        let (told, job) = (told.get()?, picked.get()?);
        told.forecasts.iter().find(|forecast| forecast.job == job).cloned()
    });
    let title = move || {
        forecast.get().map(|Forecast { job, user, processors, limit, .. }| {
            let user = user.map(|user| format!(" of {user}")).unwrap_or_default();
            format!("Job {job}{user}: {}, limit {}", size(processors, app.unit()), duration(limit as f64))
        })
    };
    let said = move || told.get().zip(forecast.get()).map(|(told, forecast)| said(&told, &forecast));
    let chances = figure(move || {
        let (told, of_job, forecast) = (told.get(), of_job.get(), forecast.get());
        let (now, clock) = told.map_or((0, AxisClock::ELAPSED), |told| (told.now, AxisClock::of(&told.clock)));
        kinds::start_chances(of_job.as_deref().zip(forecast.as_ref()), now, &clock)
    });
    let before = move || of_job.get().map(|told| befores(app, &told));
    let help = move || told.get().zip(of_job.get()).map(|(told, of_job)| helps(&told, &of_job));
    let close = move |_| ForecastOnPage::of_page().pick(app, None);
    let heading = NodeRef::<leptos::html::H3>::new();
    // what was asked for is what is looked at next
    Effect::new(move |_| {
        picked.track();
        if let Some(heading) = heading.get() {
            let _ = heading.focus();
            heading.scroll_into_view();
        }
    });
    view! {
        <section class="when-one" aria-label="One job" data-testid="when-one">
            <div class="when-one-head">
                <h3 class="section-title" tabindex="-1" node_ref=heading>{move || title()}</h3>
                <button class="button button-quiet" type="button" on:click=move |_| copy_link(app)>"Copy link"</button>
                <button class="button" type="button" data-testid="when-close" on:click=close>"Close"</button>
            </div>
            <p class="conclusion-text" data-testid="when-one-said">{move || said()}</p>
            <When
                when=move || of_job.with(Option::is_some)
                fallback=move || view! {
                    <p class="quiet" role="status">
                        {move || match share.get() {
                            Some(_) => "Who is before it and what would help is being computed…",
                            None => "Stopped.",
                        }}
                    </p>
                }
            >
                <div class="when-one-parts">
                    <Chart figure=chances height=0.5/>
                    <div>
                        {move || help()}
                        {move || before()}
                    </div>
                </div>
            </When>
        </section>
    }
}

/// When a job starts, in a sentence.
fn said(told: &WhenTold, forecast: &Forecast) -> String {
    let Forecast { p10, p50, p90, within_1h, within_4h, within_24h, waited, never, reason, .. } = forecast;
    if *never {
        return format!("It {reason}.");
    }
    if *p90 == 0 {
        return format!(
            "It starts at once: in every future it is the first thing that happens. It has waited for {}.",
            duration(*waited as f64)
        );
    }
    let limits = match forecast.by_limits {
        Some(0) | None => String::new(),
        Some(start) => format!(
            " If every job took its limit and nobody came, as squeue --start reckons, it would start {}.",
            ahead(told, start, HORIZON)
        ),
    };
    format!(
        "Start: {}{}; with a chance of 80 % between {} and {}. Within 1 h: {}, 4 h: {}, 24 h: {}. It has waited for {}. \
         Waits for {reason}.{limits}",
        ahead(told, *p50, HORIZON),
        if *p50 > 0 && *p50 < HORIZON { format!(" (in {})", duration(*p50 as f64)) } else { String::new() },
        ahead(told, *p10, HORIZON),
        ahead(told, *p90, HORIZON),
        chance(*within_1h),
        chance(*within_4h),
        chance(*within_24h),
        duration(*waited as f64)
    )
}

/// What would help, each with its gain and the band of that.
fn helps(told: &Arc<WhenTold>, of_job: &JobTold) -> AnyView {
    let told = told.clone();
    let row = |help: &Help| {
        let Help { what, submitted, p50, gain_p50, gain_p10, gain_p90 } = help;
        let verdict = match () {
            () if *gain_p10 >= NOTHING => "helps",
            () if *gain_p90 <= -NOTHING => "no help",
            () if gain_p50.abs() < NOTHING => "no difference",
            () if *gain_p50 > 0 => "may help",
            () => "may not help",
        };
        let gain = match gain_p50.abs() {
            gain if gain < NOTHING => "as now".to_owned(),
            gain if *gain_p50 > 0 => format!("{} earlier", duration(gain as f64)),
            gain => format!("{} later", duration(gain as f64)),
        };
        let signed = |gain: Seconds| match gain {
            gain if gain.abs() < NOTHING => "0".to_owned(),
            gain if gain > 0 => format!("{} earlier", duration(gain as f64)),
            gain => format!("{} later", duration(-gain as f64)),
        };
        // from less to more, also where all of it is later
        let (from, to) = if *gain_p90 < 0 { (gain_p90, gain_p10) } else { (gain_p10, gain_p90) };
        let band = format!("{} to {}", signed(*from), signed(*to));
        let waits = (*submitted > 0).then(|| match p50 - submitted {
            waits if waits < NOTHING => "; it starts at once then".to_owned(),
            waits => format!("; in the queue for {}", duration(waits as f64)),
        });
        view! {
            <tr data-testid="when-help" data-value=gain_p50.to_string()>
                <th scope="row" class="wrap">{what.clone()}</th>
                <td>{ahead(&told, *p50, HORIZON)}</td>
                <td class="wrap"><strong>{verdict}</strong> ": " {gain} <span class="quiet">" (" {band} ")" {waits}</span></td>
            </tr>
        }
    };
    let rows = of_job.help.iter().map(row).collect_view();
    let futures = format!(
        "Tried in {} of the same futures; in brackets the band in which 80 % of the gains lie.",
        of_job.futures
    );
    view! {
        <h4 class="job-section-title">"What would help"</h4>
        <div class="table-scroll" role="region" tabindex="0" aria-label="What would help">
            <table class="plain-table">
                <caption class="visually-hidden">"What would help"</caption>
                <thead><tr>
                    <th scope="col">"Asked for instead"</th>
                    <th scope="col">"Start (median)"</th>
                    <th scope="col">"Gain"</th>
                </tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        <p class="quiet">{futures}</p>
    }
}

/// Who starts before the job in most futures, and why.
fn befores(app: App, of_job: &JobTold) -> AnyView {
    if of_job.before.is_empty() {
        return view! { <p class="quiet" data-testid="when-before">"No waiting job starts before it in most futures."</p> };
    }
    let row = |before: &Before| {
        let Before { job, user, share, processors, limit, why } = before;
        let asks = format!("{}, limit {}", size(*processors, app.unit()), duration(*limit as f64));
        view! {
            <tr>
                <th scope="row">{job.to_string()}</th>
                <td>{user.clone()}</td>
                <td>{asks}</td>
                <td class="number">{chance(*share)}</td>
                <td class="wrap">{why.clone()}</td>
            </tr>
        }
    };
    let others = of_job.all_before - of_job.before.len().min(of_job.all_before);
    let others = (others > 0).then(|| format!("and {} others", whole(others as i64)));
    let rows = of_job.before.iter().map(row).collect_view();
    view! {
        <h4 class="job-section-title">"Who is before it"</h4>
        <div class="table-scroll when-before" role="region" tabindex="0" aria-label="Who is before it" data-testid="when-before">
            <table class="plain-table">
                <caption class="visually-hidden">"Jobs that start before it in at least half of the futures"</caption>
                <thead><tr>
                    <th scope="col">"Job"</th>
                    <th scope="col">"User"</th>
                    <th scope="col">"Asks for"</th>
                    <th scope="col" class="number">"Futures"</th>
                    <th scope="col">"Why"</th>
                </tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        <p class="quiet">{others}</p>
    }
}

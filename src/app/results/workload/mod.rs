//! The Workload tab: the properties of the log, and how it was treated.

mod facts;

use self::facts::{AccountTable, Facts, HeaderLabels};
use crate::app::charts::WorkloadCharts;
use crate::app::files;
use crate::app::prelude::*;
use crate::app::results::own_order::OnlyButton;
use crate::app::state::{App, DescribedLog, LogState};
use leptos::task::spawn_local;
use packfair_engine::metric::{CountedGroup, Grouping};
use packfair_study::export;
use packfair_study::format::{number, whole};
use packfair_study::query::{Answer, Query};
use packfair_workload::like::{Analysis, OF_DYNP, TimeExtent, Weibull};
use packfair_workload::{Distribution, Summary};
use std::sync::Arc;

/// The active log: facts, distributions, users, repairs and header.
#[component]
pub fn WorkloadView() -> impl IntoView {
    let app = expect_context::<App>();
    let apart = of_partition(app);
    let content = move || match app.log.get() {
        LogState::Ready(_) if app.partition_chosen().is_some() => match apart.get() {
            Some(Ok(log)) => described(&log).into_any(),
            Some(Err(message)) => note(message),
            None => note("The partition is being read.".to_owned()),
        },
        LogState::Ready(log) => described(&log).into_any(),
        LogState::Absent => note("No log is loaded: drop one here to see what it is like.".to_owned()),
        LogState::Loading { name, fraction } => note(format!("{name} is being read: {:.0} %", 100.0 * fraction)),
        LogState::Failed { name, message, .. } => note(format!("{name} cannot be used: {message}")),
    };
    view! {
        <section class="workload" aria-label="Workload" data-testid="workload-view">
            {move || content()}
        </section>
    }
}

/// The log of the partition that is shown by itself, or why it cannot be described; `None` until this is known.
fn of_partition(app: App) -> RwSignal<Option<Result<Arc<DescribedLog>, String>>> {
    let found = RwSignal::new(None);
    Effect::new(move |_| {
        found.set(None);
        let (Some(chosen), LogState::Ready(whole)) = (app.partition_chosen(), app.log.get()) else { return };
        spawn_local(async move {
            let answer = match app.ask(Query::Described).await {
                Ok(Answer::Described(summary, account)) => {
                    Ok(Arc::new(DescribedLog { summary: *summary, account, ..(*whole).clone() }))
                }
                Ok(_) => return,
                Err(message) => Err(message),
            };
            // another partition may have been chosen meanwhile, or the view may be gone
            if untrack(|| app.partition_chosen()).as_ref() == Some(&chosen) {
                let _ = found.try_set(Some(answer));
            }
        });
    });
    found
}

fn note(text: String) -> AnyView {
    view! { <p class="empty-state">{text}</p> }
}

fn described(log: &Arc<DescribedLog>) -> impl IntoView + use<> {
    let summary = Arc::new(log.summary.clone());
    view! {
        <Facts summary=summary.clone() both=log.summary.both_utilisations(&log.account) records=log.records/>
        <WorkloadCharts summary=summary.clone()/>
        <QuantileTable summary=summary.clone()/>
        <LikenessTable summary=summary.clone()/>
        <TopUsers summary/>
        <AccountTable account=log.account.clone() records=log.records/>
        <HeaderLabels header=log.header.clone()/>
    }
}

// The users who used the machine most.

/// The users with the largest area of jobs.
#[component]
pub fn TopUsers(summary: Arc<Summary>) -> impl IntoView {
    if summary.top_users.is_empty() {
        return ().into_any();
    }
    // largest first
    let largest = summary.top_users[0].share.max(f64::MIN_POSITIVE);
    let rows = summary.top_users.iter().map(|user| {
        let share = 100.0 * user.share;
        view! {
            <tr>
                <th scope="row">
                    <OnlyButton
                        group=CountedGroup { by: Grouping::User, group: user.user.into() }
                        name=user.name.clone().unwrap_or_else(|| format!("User {}", user.user))
                    />
                </th>
                <td class="number">{whole(user.jobs as i64)}</td>
                <td class="number">{number(user.area / 3600.0)}</td>
                <td class="number">{format!("{share:.1} %")}</td>
                <td class="share-cell" aria-hidden="true">
                    <span class="share-bar" style:width=format!("{:.1}%", 100.0 * user.share / largest)></span>
                </td>
            </tr>
        }
    });
    let area = format!("Area ({}-hours)", summary.counting.unit.singular());
    view! {
        <h3 class="section-title">"Largest users"</h3>
        <div class="table-scroll" role="region" tabindex="0" aria-label="Users by area">
            <table class="plain-table" data-testid="top-users">
                <caption class="visually-hidden">"Users by area"</caption>
                <thead>
                    <tr>
                        <th scope="col">"User"</th>
                        <th scope="col" class="number">"Jobs"</th>
                        <th scope="col" class="number">{area}</th>
                        <th scope="col" class="number">"Share of area"</th>
                        <th class="share-cell" aria-hidden="true"></th>
                    </tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </div>
    }
}

// The distributions of run times, requests and over-estimation, in numbers.

/// Quantiles of the distributions that the charts show.
#[component]
pub fn QuantileTable(summary: Arc<Summary>) -> impl IntoView {
    // quantiles are values that occur in the log, and its times are whole seconds
    let seconds = |x: f64| whole(x as i64);
    let line = |name: &'static str, distribution: &Distribution, text: fn(f64) -> String| {
        let q = distribution.quantiles;
        let values = [q.min, q.p10, q.p25, q.median, q.p75, q.p90, q.p99, q.max];
        view! {
            <tr>
                <th scope="row">{name}</th>
                {values.map(|value| view! { <td class="number">{text(value)}</td> }).collect_view()}
                <td class="number">{number(distribution.mean)}</td>
            </tr>
        }
    };
    let headings = ["Least", "10 %", "25 %", "Median", "75 %", "90 %", "99 %", "Most", "Mean"];
    view! {
        <h3 class="section-title">"Distributions over jobs"</h3>
        <div class="table-scroll" role="region" tabindex="0" aria-label="Quantiles over jobs">
            <table class="plain-table" data-testid="quantiles">
                <caption class="visually-hidden">"Quantiles over jobs"</caption>
                <thead>
                    <tr>
                        <th scope="col">"Quantity"</th>
                        {headings.map(|heading| view! { <th scope="col" class="number">{heading}</th> }).collect_view()}
                    </tr>
                </thead>
                <tbody>
                    {line("Run time (s)", &summary.runs, seconds)}
                    {line("Requested time (s)", &summary.limits, seconds)}
                    {line("Requested / run", &summary.overestimation, number)}
                </tbody>
            </table>
        </div>
    }
}

// The figures from which similar workloads are generated: the rows of DYNP Table 2.

/// Jobs, widths, times and the law of arrivals, and why these differ from DYNP's own laws.
#[component]
pub fn LikenessTable(summary: Arc<Summary>) -> impl IntoView {
    let row = |(name, value): (&'static str, String)| {
        view! {
            <tr>
                <th scope="row">{name}</th>
                <td class="number">{value}</td>
            </tr>
        }
    };
    let app = expect_context::<App>();
    let joint = summary.arrivals.joint.clone();
    let save = move |_| {
        if let Err(why) = files::save("joint-distribution.csv", "text/csv", export::joint_classes(&joint).as_bytes()) {
            app.complain(why);
        }
    };
    let of_dynp = OF_DYNP.map(|(log, Weibull { alpha, beta }, _)| format!("{log} {alpha}, {beta} s")).join("; ");
    view! {
        <h3 class="section-title">"As in Table 2 of DYNP"</h3>
        <div class="table-scroll" role="region" tabindex="0" aria-label="Rows of DYNP Table 2">
            <table class="plain-table" data-testid="likeness">
                <caption class="visually-hidden">"Rows of DYNP Table 2"</caption>
                <tbody>{rows(&summary.arrivals).into_iter().map(row).collect_view()}</tbody>
            </table>
        </div>
        <button class="button button-quiet" type="button" data-testid="save-joint" on:click=save>
            "Save the joint distribution (CSV)"
        </button>
        <p class="quiet">
            "Table 2 prints other alpha and beta (" {of_dynp} "). They are not those of maximum likelihood, however gaps \
             of 0 s are treated: they look like a fit of the distribution function on a grid of 0.05 and 10 s. With \
             those of maximum likelihood a workload has more jobs a day than the log (KTH-SP2 21 %, CTC-SP2 11 %). So \
             alpha, beta and p0 can be set. What Table 2 calls the likelihood of interarrival time is p0."
        </p>
    }
}

fn rows(analysis: &Analysis) -> Vec<(&'static str, String)> {
    let seconds =
        |extent: &TimeExtent| format!("{} (from {} to {})", number(extent.mean), whole(extent.min), whole(extent.max));
    let jobs = |count: usize| whole(count as i64);
    let mut rows = vec![
        ("Jobs", jobs(analysis.jobs)),
        ("Mean width", format!("{:.2}", analysis.mean_width)),
        ("Largest width", format!("{} of {}", whole(analysis.max_width), whole(analysis.processors))),
        ("Mean requested time (s)", seconds(&analysis.requested)),
        ("Mean run time (s)", seconds(&analysis.run)),
        ("Mean time between submissions (s)", seconds(&analysis.gap)),
        ("Jobs that ran for longer than requested", jobs(analysis.overruns)),
        ("Combinations of width, requested and run time", jobs(analysis.combinations)),
        ("p0: gaps of 0 s to jobs", format!("{:.7} ({})", analysis.p0, whole(analysis.zero_gaps as i64))),
    ];
    match &analysis.fit {
        Ok(fit) => rows.extend([
            ("Weibull law of gaps > 0: alpha", format!("{:.6}", fit.law.alpha)),
            ("beta (s)", format!("{:.4}", fit.law.beta)),
            ("Log-likelihood, the largest there is", format!("{:.1}", fit.log_likelihood)),
        ]),
        Err(none) => rows.push(("Weibull law of gaps > 0", none.to_string())),
    }
    rows
}

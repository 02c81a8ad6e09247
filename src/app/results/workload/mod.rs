//! The Workload tab: the properties of the log, and how it was treated.

mod account;
mod facts;
mod header;
mod likeness;
mod quantiles;
mod users;

use self::account::AccountTable;
use self::facts::Facts;
use self::header::HeaderLabels;
use self::likeness::LikenessTable;
use self::quantiles::QuantileTable;
use self::users::TopUsers;
use crate::app::charts::WorkloadCharts;
use crate::app::prelude::*;
use crate::app::state::{App, DescribedLog, LogState};
use crate::study::query::{Answer, Query};
use leptos::task::spawn_local;
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

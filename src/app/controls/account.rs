//! What was repaired and dropped when the jobs were made from the log.

use super::section::Fold;
use crate::app::prelude::*;
use crate::app::state::DescribedLog;
use crate::app::widget::When;
use crate::app::wording::{jobs, lines};
use packfair_study::format;
use packfair_workload::AccountLine;
use packfair_workload::reading::Limits;
use std::sync::Arc;

/// Every reason with its count and the first lines concerned; nothing if the log was clean.
#[component]
pub fn AccountList(
    /// The active log.
    described: Memo<Option<Arc<DescribedLog>>>,
) -> impl IntoView {
    let is_clean = Memo::new(move |_| described.with(|d| d.as_ref().is_none_or(|d| d.account.entries().is_empty())));
    let entries = move || described.with(|d| d.as_ref().map(|d| d.account.entries().to_vec()).unwrap_or_default());
    let warnings = Memo::new(move |_| described.with(|d| d.as_ref().map(|d| warnings(d)).unwrap_or_default()));
    view! {
        <When when=move || warnings.with(|warnings| !warnings.is_empty())>
            <div role="alert" data-testid="account-warnings">
                {move || warnings.get().into_iter().map(|said| view! { <p class="field-error">{said}</p> }).collect_view()}
            </div>
        </When>
        <When when=move || !is_clean.get()>
            <Fold title="Repairs" chosen=Signal::derive(move || described.with(in_short))>
                <ul class="account">{move || entries().into_iter().map(entry).collect_view()}</ul>
            </Fold>
        </When>
    }
}

/// What of the log was not understood, where that is more than a person should find out by looking, and what can hardly
/// be true of it.
fn warnings(described: &DescribedLog) -> Vec<String> {
    let account = &described.account;
    let (lost, records) = account.not_understood(described.records);
    let share = u64::from(Limits::LOST_UNASKED) * records;
    let lost = (lost * u64::from(Limits::ALL_LOST) > share).then(|| {
        let (lost, records) = (format::whole(lost as i64), format::whole(records as i64));
        format!(
            "{lost} of {records} records were not understood; what follows is of the others. {}",
            account.examples_in_words()
        )
    });
    lost.into_iter().chain(account.doubts(described.records).map(ToString::to_string)).collect()
}

fn in_short(described: &Option<Arc<DescribedLog>>) -> String {
    let Some(described) = described else { return String::new() };
    let dropped = described.account.dropped();
    let kept = described.account.entries().iter().filter(|entry| !entry.reason.drops());
    let repaired: u64 = kept.map(|entry| entry.count).sum();
    let mut parts = Vec::new();
    if dropped > 0 {
        parts.push(format!("{} left out", jobs(dropped as usize)));
    }
    if repaired > 0 {
        parts.push(format!("{} repaired", lines(repaired as usize)));
    }
    parts.join(", ")
}

fn entry(entry: AccountLine) -> impl IntoView {
    let numbers = entry.lines.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    let and_more = if entry.count > entry.lines.len() as u64 { ", …" } else { "" };
    let first = if entry.lines.len() == 1 { "line " } else { "lines " };
    view! {
        <li>
            <span class="numeric account-count">{format::whole(entry.count)}</span>
            <span>
                {entry.reason.describe()}
                {(!numbers.is_empty()).then(|| view! { <span class="quiet numeric">{first} {numbers} {and_more}</span> })}
            </span>
        </li>
    }
}

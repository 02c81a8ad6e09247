//! What was repaired and dropped when the jobs were made from the log.

use super::section::Fold;
use crate::app::prelude::*;
use crate::app::state::DescribedLog;
use crate::app::widget::When;
use crate::app::wording::{lines, sentence};
use crate::study::format;
use crate::workload::AccountLine;
use crate::workload::reading::Limits;
use std::sync::Arc;

/// What became of the records in one line; below it every reason with its count, its work and the first lines concerned,
/// where not all is well.
#[component]
pub fn AccountList(described: Memo<Option<Arc<DescribedLog>>>) -> impl IntoView {
    let is_clean = Memo::new(move |_| described.with(|d| d.as_ref().is_none_or(|d| d.account.entries().is_empty())));
    let entries = move || described.with(|d| d.as_ref().map(|d| d.account.entries().to_vec()).unwrap_or_default());
    let warnings = Memo::new(move |_| described.with(|d| d.as_ref().map(|d| warnings(d)).unwrap_or_default()));
    view! {
        <When when=move || warnings.with(|warnings| !warnings.is_empty())>
            <div role="alert" data-testid="account-warnings">
                {move || warnings.get().into_iter().map(|said| view! { <p class="field-error">{said}</p> }).collect_view()}
            </div>
        </When>
        <When when=move || is_clean.get() && described.with(Option::is_some)>
            <p class="quiet" data-testid="account-line">{move || described.with(in_short)}</p>
        </When>
        <When when=move || !is_clean.get()>
            <Fold title="Account" chosen=Signal::derive(move || described.with(in_short))>
                <ul class="account">{move || entries().into_iter().map(entry).collect_view()}</ul>
            </Fold>
        </When>
    }
}

/// What of the log was not understood, where that is more than a person should find out by looking, and what can hardly
/// be true of it.
fn warnings(described: &DescribedLog) -> Vec<String> {
    let account = &described.account;
    let (lost, _) = account.not_understood(described.records);
    let records = described.records as u64;
    let share = u64::from(Limits::LOST_UNASKED) * records;
    let lost = (lost * u64::from(Limits::ALL_LOST) > share).then(|| {
        let (lost, records) = (format::whole(lost as i64), format::whole(records as i64));
        format!(
            "{lost} of {records} records were not understood; what follows is of the others. {}",
            account.examples_in_words()
        )
    });
    let both = described.summary.both_utilisations(account);
    let both = both.map(|both| format!("Utilisation as logged: {}.", both.in_words()));
    let doubts = account.doubts(described.records).map(ToString::to_string);
    lost.into_iter()
        .chain(doubts)
        .chain(both)
        .chain(described.summary.why_none_counts().map(|why| sentence(&why)))
        .collect()
}

fn in_short(described: &Option<Arc<DescribedLog>>) -> String {
    let Some(described) = described else { return String::new() };
    let kept = described.account.entries().iter().filter(|entry| !entry.reason.drops());
    let repaired: u64 = kept.map(|entry| entry.count).sum();
    let mut said = described.account.in_short(described.records as u64);
    if repaired > 0 {
        said = format!("{said}; {} repaired", lines(repaired as usize));
    }
    said
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
                {(entry.work > 0).then(|| view! { <span class="quiet numeric">{work(entry.work)}</span> })}
                {(!numbers.is_empty()).then(|| view! { <span class="quiet numeric">{first} {numbers} {and_more}</span> })}
            </span>
        </li>
    }
}

/// An amount of work in words.
fn work(work: u64) -> String {
    format!(" ({} processor-hours) ", format::whole((work as f64 / 3_600.0).round() as i64))
}

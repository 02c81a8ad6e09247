//! What was repaired and dropped when the jobs were made from the log.

use crate::app::prelude::*;
use crate::study::format::whole;
use crate::workload::Account;

/// What was repaired and dropped, with the first lines concerned.
#[component]
pub fn AccountTable(
    /// The repairs and drops.
    account: Account,
    records: usize,
) -> impl IntoView {
    let entries = account.entries().to_vec();
    let in_short = account.in_short(records as u64);
    let others = account.others().in_words();
    let in_short = if others.is_empty() { in_short } else { format!("{in_short}; beside them {others}") };
    if entries.is_empty() {
        return view! {
            <h3 class="section-title">"Account"</h3>
            <p class="headline" data-testid="account-line">{in_short}</p>
        };
    }
    let rows = entries.into_iter().map(|entry| {
        let mut lines = entry.lines.iter().map(|&line| whole(line)).collect::<Vec<_>>().join(", ");
        if entry.count > entry.lines.len() as u64 && !lines.is_empty() {
            lines.push_str(", …");
        }
        let (class, effect) = if entry.reason.drops() { ("tag is-faulty", "dropped") } else { ("tag", "kept") };
        view! {
            <tr>
                <td class="number">{whole(entry.count)}</td>
                <td><span class=class>{effect}</span></td>
                <td class="wrap">{entry.reason.describe()}</td>
                <td class="number">
                    {(entry.work > 0).then(|| whole((entry.work as f64 / 3_600.0).round() as i64))}
                </td>
                <td class="lines">{lines}</td>
            </tr>
        }
    });
    view! {
        <h3 class="section-title">"Account"</h3>
        <p class="headline" data-testid="account-line">{in_short}</p>
        <div class="table-scroll" role="region" tabindex="0" aria-label="What was repaired or dropped">
            <table class="plain-table" data-testid="account">
                <caption class="visually-hidden">"What was repaired or dropped"</caption>
                <thead>
                    <tr>
                        <th scope="col" class="number">"Records"</th>
                        <th scope="col">"Effect"</th>
                        <th scope="col">"Why"</th>
                        <th scope="col" class="number">"Processor-hours"</th>
                        <th scope="col">"First lines of the file"</th>
                    </tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </div>
    }
}

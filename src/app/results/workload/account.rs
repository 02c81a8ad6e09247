//! What was repaired and dropped when the jobs were made from the log.

use crate::app::prelude::*;
use packfair_study::format::whole;
use packfair_workload::Account;

/// What was repaired and dropped, with the first lines concerned.
#[component]
pub fn AccountTable(
    /// The repairs and drops.
    account: Account,
    /// The number of jobs in the file.
    records: usize,
) -> impl IntoView {
    let entries = account.entries().to_vec();
    if entries.is_empty() {
        return view! {
            <h3 class="section-title">"Repairs"</h3>
            <p class="headline">{format!("None: all {} records were used as they are.", whole(records as i64))}</p>
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
                <td class="lines">{lines}</td>
            </tr>
        }
    });
    view! {
        <h3 class="section-title">"Repairs"</h3>
        <div class="table-scroll" role="region" tabindex="0" aria-label="What was repaired or dropped">
            <table class="plain-table" data-testid="account">
                <caption class="visually-hidden">"What was repaired or dropped"</caption>
                <thead>
                    <tr>
                        <th scope="col" class="number">"Jobs"</th>
                        <th scope="col">"Effect"</th>
                        <th scope="col">"Why"</th>
                        <th scope="col">"First lines of the file"</th>
                    </tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </div>
    }
}

//! The users who used the machine most.

use crate::app::prelude::*;
use crate::app::results::only::OnlyButton;
use crate::metric::{CountedGroup, Grouping};
use crate::study::format::{number, whole};
use crate::workload::Summary;
use std::sync::Arc;

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

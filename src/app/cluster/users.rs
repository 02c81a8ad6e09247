//! Who waits longer and who less under a change.

use crate::app::prelude::*;
use packfair_study::format::{change, duration, whole};
use packfair_study::what_if::UserChange;

/// The users that are shown; those between them and who gains most are left out.
const SHOWN: usize = 30;

pub(super) fn users_table(users: Vec<UserChange>) -> AnyView {
    if users.is_empty() {
        return view! { <p class="quiet">"No user has the 20 jobs that this table needs."</p> };
    }
    let left_out = users.len().saturating_sub(SHOWN);
    let row = |user: UserChange| {
        let side = match user.more {
            more if more > 0.0 => "longer",
            more if more < 0.0 => "shorter",
            _ => "same",
        };
        view! {
            <tr>
                <th scope="row">{user.user.clone()}</th>
                <td class="number">{whole(user.jobs)}</td>
                <td class="number">{duration(user.before)}</td>
                <td class="number">{duration(user.before + user.more)}</td>
                <td class="number" data-side=side>{change(user.relative())}</td>
            </tr>
        }
    };
    let more = (left_out > 0).then(|| format!("and {left_out} more, who lose less or gain"));
    view! {
        <div class="table-scroll cluster-users">
            <table class="plain-table" data-testid="cluster-users">
                <caption class="visually-hidden">"Mean waits of users now and with the change"</caption>
                <thead>
                    <tr>
                        <th scope="col">"User"</th>
                        <th scope="col" class="number">"Jobs"</th>
                        <th scope="col" class="number">"Mean wait now"</th>
                        <th scope="col" class="number">"With the change"</th>
                        <th scope="col" class="number">"Change"</th>
                    </tr>
                </thead>
                <tbody>{users.into_iter().take(SHOWN).map(row).collect_view()}</tbody>
            </table>
        </div>
        <p class="quiet">{more}</p>
    }
}

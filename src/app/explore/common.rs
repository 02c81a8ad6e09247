//! What the non-dominated settings have in common: how often each value occurs among them and among all settings tried.

use super::course::SearchOnPage;
use super::shares::ValueShares;
use crate::app::prelude::*;
use std::collections::BTreeMap;

/// The largest number of values that are shown for a setting.
const MOST_VALUES: usize = 6;

/// A small picture for each setting.
#[component]
pub fn Common(course: SearchOnPage) -> impl IntoView {
    let (findings, shares) = (course.findings.clone(), course.shares.clone());
    let pictures = move || {
        let mut front = ValueShares::default();
        findings.with(|findings| {
            findings.iter().flat_map(|found| &found.front).for_each(|member| front.count(&member.run))
        });
        let all = shares.get();
        let settings = front.counts.iter().filter(|(setting, _)| all.counts.get(*setting).is_some_and(|v| v.len() > 1));
        settings.map(|(setting, values)| picture(setting, values, &front, &all)).collect_view()
    };
    view! {
        <h3>"What the good ones have in common"</h3>
        <p class="quiet">"Share of the settings that nothing beats (upper bar) and of all that were tried (lower bar) with each value."</p>
        <div class="explore-common" data-testid="explore-common">{pictures}</div>
    }
}

fn picture(setting: &str, values: &BTreeMap<String, u32>, front: &ValueShares, all: &ValueShares) -> AnyView {
    let mut ordered: Vec<(&String, u32)> = values.iter().map(|(value, count)| (value, *count)).collect();
    ordered.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let bar = |(value, _): (&String, u32)| {
        let (good, tried) = (front.of(setting, value), all.of(setting, value));
        let width = |share: f64| format!("{:.1}%", share * 100.0);
        let label = format!("{:.0} % of the good ones, {:.0} % of all", good * 100.0, tried * 100.0);
        view! {
            <div class="explore-bar">
                <span>{value.clone()}</span>
                <svg width="100%" height="12" role="img" aria-label=label>
                    <rect x="0" y="0" width=width(good) height="6" fill="var(--accent)"></rect>
                    <rect x="0" y="7" width=width(tried) height="4" fill="var(--border-strong)"></rect>
                </svg>
            </div>
        }
    };
    let bars = ordered.into_iter().take(MOST_VALUES).map(bar).collect_view();
    view! {
        <div>
            <h4>{setting.to_owned()}</h4>
            {bars}
        </div>
    }
}

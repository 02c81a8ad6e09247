//! The Slurm site whose files are beside the log: what was read of it, and what-if questions about it.

use super::section::Fold;
use super::site_settings::site_settings;
use crate::app::prelude::*;
use crate::app::state::{App, LogState, RunOutcome};
use crate::app::widget::When;
use crate::run_queue::TakenSite;
use leptos::task::spawn_local;
use packfair_schedulers::Policy;
use packfair_slurm::{Patch, Site};
use packfair_study::GroupedWaits;
use packfair_study::query::Query;
use packfair_study::what_if::{AnsweredRow, answer, judged_on, to_do};
use std::sync::Arc;

/// The largest number of findings that are shown.
const SHOWN: usize = 50;

/// A table of what was read of the site, findings about its lines, and buttons for what-if questions; nothing if no
/// file of a site is beside the log.
pub fn site_panel(app: App) -> AnyView {
    let site = app.site;
    let in_short = move || {
        site.with(|site| {
            let Some(site) = site else { return String::new() };
            let nodes = site.parts.first().map_or(String::new(), |(_, words)| words.clone());
            match site.findings.len() {
                0 => nodes,
                1 => format!("{nodes}, 1 line to look at"),
                some => format!("{nodes}, {some} lines to look at"),
            }
        })
    };
    let contents = move || site.get().map(|site| contents(app, &site));
    view! {
        <When when=move || site.with(Option::is_some)>
            <Fold title="Slurm site" chosen=Signal::derive(in_short)>
                {move || contents()}
            </Fold>
        </When>
    }
}

fn contents(app: App, site: &Arc<TakenSite>) -> AnyView {
    let part = |(name, words): &(String, String)| {
        view! {
            <tr>
                <th scope="row">{name.clone()}</th>
                <td>{words.clone()}</td>
            </tr>
        }
    };
    let finding = |words: &String| view! { <li>{words.clone()}</li> };
    let more = site.findings.len().saturating_sub(SHOWN);
    let has_findings = !site.findings.is_empty();
    let findings = site.findings.iter().take(SHOWN).map(finding).collect_view();
    let questions = site.questions.iter().map(|(name, row)| question(app, name, row)).collect_view();
    view! {
        <table class="site-parts" data-testid="site-parts">
            <caption class="quiet">"As its files say"</caption>
            <tbody>{site.parts.iter().map(part).collect_view()}</tbody>
        </table>
        {has_findings
            .then(|| {
                view! {
                    <p>"Lines to look at"</p>
                    <ul class="site-list" data-testid="site-findings">{findings}</ul>
                    {(more > 0).then(|| view! { <p class="quiet">{format!("and {more} more")}</p> })}
                }
            })}
        {site_settings(app, site.settings.clone())}
        <p>"What if…"</p>
        <div class="site-questions" role="group" aria-label="What if" data-testid="site-questions">{questions}</div>
        <p class="quiet">"Each adds a row beside Slurm as configured."</p>
        {to_apply(app)}
        <button class="link" type="button" data-testid="drop-site" on:click=move |_| app.drop_site()>
            "Remove the site"
        </button>
    }
}

/// For each row that changes the site: the effect of the change, and how to apply it at the site.
fn to_apply(app: App) -> AnyView {
    let changed = Memo::new(move |_| {
        app.study.with(|study| {
            study.schedulers.iter().filter(|policy| policy.as_configured().is_some()).cloned().collect::<Vec<_>>()
        })
    });
    let is_some = move || changed.with(|changed| !changed.is_empty());
    let rows = move || {
        let site = app.site_beside();
        changed.get().into_iter().map(|policy| applied(app, policy, site.as_ref())).collect_view()
    };
    view! {
        <When when=is_some>
            <p>"To apply"</p>
            <div data-testid="site-to-apply">{move || rows()}</div>
        </When>
    }
}

fn applied(app: App, policy: Policy, site: Option<&Site>) -> AnyView {
    let Some(site) = site else { return ().into_any() };
    let (patch, asks) = to_do(&policy, site);
    let shown = site.clone();
    let own = policy.clone();
    let waits = waits_of_users(app, &policy);
    let effects = move || {
        let results = app.results();
        let columns = app.study.with(|study| study.columns.clone());
        let repeated = app.repeats.with(|state| state.as_ref().map(|state| state.repeated.clone()));
        let of = |policy: &Policy| results.iter().find(|outcome| outcome.report.run.scheduler == *policy).cloned();
        let (Some(row), Some(base)) = (of(&own), own.as_configured().and_then(|base| of(&base))) else {
            return vec!["Run it and Slurm as configured to see what it does.".to_owned()];
        };
        let waits = waits.get();
        let beside = AnsweredRow { report: &base.report, waits: waits.as_ref().map(|(_, before)| before) };
        let row = AnsweredRow { report: &row.report, waits: waits.as_ref().map(|(own, _)| own) };
        let judged = app.log.with(|log| match log {
            LogState::Ready(log) => judged_on(&log.summary.name, log.summary.jobs),
            _ => String::new(),
        });
        let is_repeated = repeated.is_some();
        match answer(row, beside, &columns, repeated.as_deref(), |policy| to_do(policy, &shown)) {
            Some(answer) => vec![
                format!("Effect: {}.", answer.effect),
                format!("Price: {}.", answer.price),
                format!("Certainty: {}{}.", answer.certainty, if is_repeated { "" } else { " (Measure, Repeats)" }),
                format!("Judged on: {judged}."),
            ],
            None => Vec::new(),
        }
    };
    view! {
        <details class="fold">
            <summary>
                <span class="fold-title">{policy.name()}</span>
            </summary>
            <div class="fold-body">
                <ul class="site-list">
                    {move || effects().into_iter().map(|line| view! { <li>{line}</li> }).collect_view()}
                </ul>
                {what_to_do(patch, &asks)}
            </div>
        </details>
    }
    .into_any()
}

/// The diff, the commands and what users are asked for, so that a change can be made at the site.
pub fn what_to_do(patch: Patch, asks: &str) -> AnyView {
    let asks = (!asks.is_empty()).then(|| view! { <p>{format!("To do: {asks}.")}</p> });
    let lines = [patch.diff, patch.commands.join("\n")].into_iter().filter(|text| !text.is_empty());
    let lines = lines.map(|text| view! { <pre class="site-diff" tabindex="0">{text}</pre> }).collect_view();
    view! {
        {asks}
        {lines}
    }
    .into_any()
}

/// The waits of each user in a row that changes something, and as configured; none before both are there.
fn waits_of_users(app: App, policy: &Policy) -> RwSignal<Option<(GroupedWaits, GroupedWaits)>> {
    let waits = RwSignal::new(None);
    let policy = policy.clone();
    // other rows that get their results meanwhile ask nothing anew
    let pair = Memo::new(move |_| {
        let results = app.results();
        let of = |policy: &Policy| {
            let is_it = |outcome: &&Arc<RunOutcome>| outcome.report.run.scheduler == *policy && outcome.has_schedule;
            results.iter().find(is_it).cloned()
        };
        Some((of(&policy)?, of(&policy.as_configured()?)?))
    });
    Effect::new(move |_| {
        let Some((row, base)) = pair.get() else { return waits.set(None) };
        spawn_local(async move {
            let ask = |outcome: &RunOutcome| app.ask(Query::UserWaits { run: outcome.report.run.clone() });
            let own = ask(&row).await.and_then(|answer| answer.decoded());
            let before = ask(&base).await.and_then(|answer| answer.decoded());
            if let (Ok(own), Ok(before)) = (own, before) {
                // the view may be gone when an answer comes
                let _ = waits.try_set(Some((own, before)));
            }
        });
    });
    waits
}

/// A button that adds the row of a question, or removes it.
fn question(app: App, name: &str, row: &str) -> AnyView {
    // the worker has built the row, so it can be parsed
    let Ok(policy) = row.parse::<Policy>() else { return ().into_any() };
    let asked = policy.clone();
    let is_asked = Memo::new(move |_| app.study.with(|study| study.schedulers.contains(&asked)));
    let toggle = move |_| {
        let policy = policy.clone();
        if is_asked.get_untracked() {
            app.edit(move |study| study.schedulers.retain(|other| *other != policy));
        } else {
            app.ask_of_site(policy);
        }
    };
    view! {
        <button
            class="link"
            type="button"
            aria-pressed=move || is_asked.get().to_string()
            data-hint=row.to_owned()
            on:click=toggle
        >
            {name.to_owned()}
        </button>
    }
}

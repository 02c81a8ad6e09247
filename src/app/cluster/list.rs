//! The finding, and the cards in their order; picked ones can be run as one change, and are rows elsewhere.

use super::card::{WhiskerScale, card_row};
use super::report::copy_report;
use super::state::{CardsOnPage, DrawProgress};
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{List, When};
use packfair_study::format::counted;
use packfair_study::what_if::{ChangeCard, combined, finding};
use packfair_study::{Run, Study};

#[component]
pub(super) fn Cards(cards: CardsOnPage) -> impl IntoView {
    let app = expect_context::<App>();
    let (all, base, order) =
        (RwSignal::from(cards.cards.clone()), RwSignal::from(cards.base.clone()), RwSignal::from(cards.order.clone()));
    let (progress, fault) = (RwSignal::from(cards.progress.clone()), RwSignal::from(cards.fault.clone()));
    // what is picked is a row of the study, so that charts and waits are about it
    let picked = Memo::new(move |_| {
        let runs = app.study.with(Study::runs);
        let is_row = |card: &&ChangeCard| runs.contains(&card.run);
        all.with(|all| all.iter().filter(is_row).map(|card| card.run.id()).collect::<Vec<_>>())
    });
    let said = Memo::new(move |_| all.with(|all| base.with(|base| finding(all, base))));
    let scale = Memo::new(move |_| {
        all.with(|all| base.with(|base| WhiskerScale::of(all.iter().filter_map(|card| card.effect(base)))))
    });
    let ids = move || {
        order.with(|order| {
            all.with(|all| order.iter().filter_map(|&at| Some(all.get(at)?.run.id())).collect::<Vec<_>>())
        })
    };
    let heading = move || said.get().unwrap_or_else(|| "What would each change bring?".to_owned());
    let state = move || match (progress.get(), base.with(Vec::len)) {
        (Some(DrawProgress { is_further: false, done, of }), _) => {
            format!("{done} of {of} changes computed once; how sure they are follows.")
        }
        (Some(DrawProgress { is_further: true, done, of }), _) => {
            format!(
                "Repeating with other draws of what differs from run to run of a real Slurm: {done} of {of} changes done."
            )
        }
        (None, 0) => String::new(),
        (None, draws) => {
            let fewer = all.with(|all| all.iter().any(|card| card.fault.is_none() && card.draws.len() < draws));
            format!(
                "Each compared with Slurm as configured over {}{}; the line shows where 95 % of further draws lie.",
                counted(draws as u64, "draw", "draws"),
                if fewer { ", or fewer where they take long" } else { "" }
            )
        }
    };
    let combine = move |_| {
        let runs: Vec<Run> = all.with_untracked(|all| {
            let is_picked = |card: &&ChangeCard| picked.with_untracked(|picked| picked.contains(&card.run.id()));
            all.iter().filter(is_picked).map(|card| card.run.clone()).collect()
        });
        let page = CardsOnPage::of_page();
        let base = page.base_run().ok_or_else(|| "The log is not at hand any more. Drop it again.".to_owned());
        let one = base.and_then(|base| combined(&base, &runs));
        match one.and_then(|run| page.add(app, run.clone()).map(|_| run)) {
            Ok(run) => show_rows(app, vec![run], runs),
            Err(why) => app.complain(why),
        }
    };
    let count = Memo::new(move |_| picked.with(Vec::len));
    let of_page = cards.clone();
    let row = move |id: String| card_row(app, of_page.clone(), id, picked, scale);
    let report = cards.clone();
    view! {
        <div class="cluster-head">
            <h3 class="cluster-finding" data-testid="cluster-finding" aria-live="polite">{heading}</h3>
            <p class="quiet" data-testid="cluster-state" role="status">{state}</p>
            <p class="field-error" role="alert" hidden=move || fault.with(Option::is_none)>{move || fault.get()}</p>
        </div>
        <div class="cluster-tools">
            <button
                class="button"
                type="button"
                data-testid="cluster-combine"
                disabled=move || { count.get() < 2 }
                on:click=combine
            >
                {move || match count.get() {
                    0 | 1 => "Run the selected changes together".to_owned(),
                    some => format!("Run the {some} selected changes together"),
                }}
            </button>
            <button class="button button-quiet" type="button" on:click=move |_| copy_report(app, &report)>
                "Copy all as a report"
            </button>
            <When when=move || { count.get() > 0 }>
                <span class="quiet">"Selected changes are rows in Compare, Charts and Waits."</span>
            </When>
        </div>
        <ol class="cluster-cards" data-testid="cluster-cards">
            <List each=ids key=|id: &String| id.clone() children=row/>
        </ol>
    }
}

/// Makes rows of runs, and takes others out of the rows.
pub(super) fn show_rows(app: App, shown: Vec<Run>, gone: Vec<Run>) {
    app.edit(move |study| {
        for run in gone {
            if run.what_if.is_some() {
                study.what_ifs.retain(|own| Some(own) != run.what_if.as_ref());
            }
            if run.scheduler.as_configured().is_some() {
                study.schedulers.retain(|own| *own != run.scheduler);
            }
        }
        for run in shown {
            if !study.schedulers.contains(&run.scheduler) {
                study.schedulers.push(run.scheduler);
            }
            if let Some(what_if) = run.what_if.filter(|what_if| !study.what_ifs.contains(what_if)) {
                study.what_ifs.push(what_if);
            }
        }
    });
}

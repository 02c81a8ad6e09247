//! The tab My cluster: how near the model of a Slurm site is, and what changes of its configuration would bring, ranked.
//! The changes run by themselves; [`packfair_study::what_if`] says what each is and how it came out.

mod card;
mod fit;
mod list;
mod plan;
mod report;
mod state;
mod users;

use self::fit::Nearness;
use self::list::Cards;
use self::plan::PlanForm;
use self::state::CardsOnPage;
use crate::app::prelude::*;
use crate::app::state::{App, LogState, Status};
use crate::app::widget::When;
use packfair_study::Study;

/// The content of the tab.
#[component]
pub fn ClusterView() -> impl IntoView {
    let app = expect_context::<App>();
    let has_site = Memo::new(move |_| app.site.with(Option::is_some));
    let is_ready = Memo::new(move |_| app.log.with(|log| matches!(log, LogState::Ready(_))));
    let words = move || match (has_site.get(), is_ready.get()) {
        (false, _) => {
            "No Slurm site is at hand. Drop sacct.txt and slurm.conf here (or what scontrol shows), and what sacctmgr \
             prints of associations and QOS: then you see what each change of the configuration would bring."
        }
        (true, false) => "The log of this cluster is being read.",
        (true, true) => "",
    };
    view! {
        <section class="cluster" aria-label="My cluster" data-testid="cluster">
            <When
                when=move || has_site.get() && is_ready.get()
                fallback=move || view! { <p class="empty-state">{words}</p> }
            >
                {contents(app)}
            </When>
        </section>
    }
}

// most of the tab: a function of its own, which belongs to the late part (scripts/split)
#[inline(never)]
fn contents(app: App) -> AnyView {
    let cards = CardsOnPage::of_page();
    let follower = cards.clone();
    Effect::new(move |_| follower.follow(app));
    // who looks at this tab wants these rows, however long they take
    Effect::new(move |_| {
        let held: Vec<_> = app.rows.with(|rows| {
            let is_held = |row: &&crate::app::state::RunRow| matches!(row.status, Status::Held { .. });
            rows.iter()
                .filter(is_held)
                .filter(|row| row.run.scheduler.goes_by_site())
                .map(|row| row.run.clone())
                .collect()
        });
        held.into_iter().for_each(|run| app.run_one(run));
    });
    view! {
        <Nearness/>
        <Cards cards=cards.clone()/>
        <PlanForm cards/>
        {others(app)}
    }
}

/// Other schedulers, folded: what they do not know, and a way to compare them all the same.
fn others(app: App) -> AnyView {
    let usual = move || app.study.with(|study| Study::on(study.source.clone()).schedulers);
    let others = Memo::new(move |_| {
        let has_some = |study: &Study| study.schedulers.iter().filter(|policy| !policy.goes_by_site()).count();
        app.study.with(has_some)
    });
    let compare = move |_| {
        app.edit(move |study| {
            let more = Study::on(study.source.clone()).schedulers;
            study.schedulers.extend(more.into_iter().filter(|policy| !policy.goes_by_site()));
            *study = study.clone().without_repeats();
        });
    };
    let leave = move |_| app.edit(|study| study.schedulers.retain(packfair_schedulers::Policy::goes_by_site));
    let names = move || usual().iter().map(|policy| policy.name()).collect::<Vec<_>>().join(", ");
    view! {
        <details class="fold cluster-others" data-testid="cluster-others">
            <summary>
                <span class="fold-title">"Other schedulers"</span>
                <span class="fold-chosen">"know neither partitions nor limits"</span>
            </summary>
            <div class="fold-body">
                <p>
                    {move || format!(
                        "{} and the like see one pool of processors and a queue. They know no partitions, no limits of QOS and \
                         accounts, no priorities of Slurm and no reservations: a better result of theirs may be the price of \
                         these rules, which the cards above tell, and none of them can be installed in place of Slurm.",
                        names()
                    )}
                </p>
                <When when=move || others.get() == 0>
                    <button class="button" type="button" data-testid="cluster-compare-others" on:click=compare>
                        "Compare them beside Slurm"
                    </button>
                </When>
                <When when=move || { others.get() > 0 }>
                    <button class="button" type="button" on:click=leave>"Leave them out"</button>
                </When>
            </div>
        </details>
    }
}

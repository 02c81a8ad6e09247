//! The tab My cluster: how near the model of a Slurm site is, and what changes of its configuration would bring, ranked.
//! The changes run by themselves; [`packfair_study::what_if`] says what each is and how it came out.

mod card;
mod state;

use self::card::Nearness;
use self::state::CardsOnPage;
use crate::app::notices::sentence;
use crate::app::prelude::*;
use crate::app::state::{App, LogState, Status};
use crate::app::widget::{ChoiceOption, List, Select, When};
use card::{WhiskerScale, card_row, copy_report};
use packfair_study::format::{change, counted, duration, whole};
use packfair_study::what_if::{ChangeCard, PlanKind, UserChange, combined, finding, planned};
use packfair_study::{Run, Study};
use state::DrawProgress;

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

// The finding, and the cards in their order; picked ones can be run as one change, and are rows elsewhere.

#[component]
fn Cards(cards: CardsOnPage) -> impl IntoView {
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
fn show_rows(app: App, shown: Vec<Run>, gone: Vec<Run>) {
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

// Who waits longer and who less under a change.

/// The users that are shown; those between them and who gains most are left out.
const SHOWN: usize = 30;

fn users_table(users: Vec<UserChange>) -> AnyView {
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

// Changes with fields: nodes more or fewer, nodes drained, maintenance, a partition, any line.

/// A text that the field of a kind takes, with dates of the log where it takes dates.
fn example(app: App, kind: PlanKind) -> String {
    let key = match kind {
        PlanKind::Drain => "drain=",
        PlanKind::Maintenance => "maintenance=",
        _ => return kind.example().to_owned(),
    };
    let asked = app.site.with_untracked(|site| {
        let questions = site.as_ref().map(|site| site.questions.as_slice()).unwrap_or_default();
        let value = questions.iter().find_map(|(_, row)| Some(row.split_once(key)?.1.split_once('@')?.1.to_owned()));
        value.map(|value| value.split(',').next().unwrap_or_default().replace('/', " "))
    });
    let times = asked.unwrap_or_default();
    if kind == PlanKind::Drain { format!("20 {times}") } else { times }
}

#[component]
fn PlanForm(cards: CardsOnPage) -> impl IntoView {
    let app = expect_context::<App>();
    let site = RwSignal::from(cards.site.clone());
    let kind = RwSignal::new(PlanKind::Nodes);
    let partition = RwSignal::new(String::new());
    let value = RwSignal::new(PlanKind::Nodes.example().to_owned());
    let said = RwSignal::new(None::<Result<String, String>>);
    let kinds = Signal::derive(|| PlanKind::ALL.map(|kind| ChoiceOption::new(kind.id(), kind.name(), "")).to_vec());
    let partitions = Signal::derive(move || {
        site.with(|site| {
            let all = site.as_ref().map(|site| site.partitions.as_slice()).unwrap_or_default();
            all.iter().map(|own| ChoiceOption::new(own.name.clone(), own.name.clone(), "")).collect::<Vec<_>>()
        })
    });
    let chosen = Signal::derive(move || {
        let usual = || {
            site.with(|site| {
                site.as_ref().map(|site| {
                    let usual = site.partitions.iter().find(|own| own.is_default).or(site.partitions.first());
                    usual.map(|own| own.name.clone()).unwrap_or_default()
                })
            })
        };
        Some(partition.get()).filter(|name| !name.is_empty()).or_else(usual).unwrap_or_default()
    });
    let take_kind = move |id: String| {
        if let Some(taken) = PlanKind::ALL.into_iter().find(|kind| kind.id() == id) {
            kind.set(taken);
            value.set(example(app, taken));
            said.set(None);
        }
    };
    let try_it = move || {
        let page = CardsOnPage::of_page();
        let made = page.site.get_untracked().zip(page.base_run()).ok_or_else(|| "the log is not at hand".to_owned());
        let made = made.and_then(|(site, base)| {
            planned(&base, &site, kind.get_untracked(), &chosen.get_untracked(), &value.get_untracked())
        });
        let added = made.and_then(|run: Run| page.add(app, run));
        said.set(Some(added.map_err(|why| sentence(why.trim_end_matches('.')) + ".")));
    };
    let wrong = move || said.with(|said| said.as_ref().and_then(|said| said.as_ref().err().cloned()));
    let done = move || {
        said.with(|said| {
            said.as_ref().and_then(|said| said.as_ref().ok()).map(|label| format!("Among the changes: {label}."))
        })
    };
    view! {
        <form
            class="cluster-plan"
            data-testid="cluster-plan"
            aria-label="Try a change"
            on:submit=move |event| {
                event.prevent_default();
                try_it();
            }
        >
            <h3 class="section-title">"Try a change"</h3>
            <div class="row">
                <Select
                    label="What"
                    help="What is otherwise"
                    options=kinds
                    value=Signal::derive(move || kind.get().id().to_owned())
                    on_change=take_kind
                />
                <span class="cluster-plan-part" hidden=move || !kind.get().is_of_partition()>
                    <Select
                        label="Partition"
                        help="The partition whose nodes these are"
                        options=partitions
                        value=chosen
                        on_change=move |name: String| partition.set(name)
                    />
                </span>
                <label class="field cluster-plan-value">
                    <span class="field-label">{move || kind.get().asks()}</span>
                    <span class="field-input">
                        <input
                            type="text"
                            autocomplete="off"
                            spellcheck="false"
                            data-testid="cluster-plan-value"
                            aria-invalid=move || wrong().is_some().to_string()
                            prop:value=move || value.get()
                            on:input=move |event| value.set(event_target_value(&event))
                        />
                    </span>
                </label>
                <button class="button" type="submit" data-testid="cluster-try">"Try it"</button>
            </div>
            <p class="field-error" role="alert" hidden=move || wrong().is_none()>{wrong}</p>
            <p class="quiet" role="status">{done}</p>
        </form>
    }
}

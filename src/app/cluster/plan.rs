//! Changes with fields: nodes more or fewer, nodes drained, maintenance, a partition, any line.

use super::state::CardsOnPage;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{ChoiceOption, Select};
use crate::app::wording::sentence;
use packfair_study::Run;
use packfair_study::what_if::{PlanKind, planned};

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
pub(super) fn PlanForm(cards: CardsOnPage) -> impl IntoView {
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

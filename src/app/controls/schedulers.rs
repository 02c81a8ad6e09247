//! Section 3: the schedulers that are compared.

use super::builder::{Builder, Workshop};
use super::picker::Picker;
use super::section::Section;
use crate::app::dialogs::Dialogs;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{Chip, List};
use crate::app::wording::sentence;
use crate::app::writing::ScriptDraft;
use crate::scheduler::{Policy, Schedulers as Catalogue};
use crate::study::advice;

/// What is unfolded below the chips.
#[derive(Clone, Debug, PartialEq)]
enum Adding {
    Nothing,
    Named,
    /// The form for a user's own scheduler, or to change a chosen one.
    Built(Option<Policy>),
}

/// Chips of the chosen schedulers, and the ways to add more.
#[component]
pub fn Schedulers() -> impl IntoView {
    let app = expect_context::<App>();
    let chosen = Memo::new(move |_| app.study.with(|s| s.schedulers.clone()));
    let is_last = Signal::derive(move || chosen.with(Vec::len) <= 1);
    let adding = RwSignal::new(Adding::Nothing);
    let toggle = move |what: Adding| adding.update(|now| *now = if *now == what { Adding::Nothing } else { what });

    let dialogs = expect_context::<Dialogs>();
    let write = move |draft: ScriptDraft| {
        dialogs.draft.set(draft);
        dialogs.writing.set(true);
    };
    let chip = move |policy: Policy| {
        let (edited, removed) = (policy.clone(), policy.clone());
        view! {
            <Chip
                name=policy.name()
                help=help_of(&policy)
                on_edit=Callback::new(move |()| match ScriptDraft::of(&edited) {
                    Some(draft) => write(draft),
                    None => adding.set(Adding::Built(Some(edited.clone()))),
                })
                on_remove=Callback::new(move |()| remove(app, removed.clone()))
                stays=is_last
            />
        }
    };
    let done = Callback::new(move |()| adding.set(Adding::Nothing));
    let unfolded = move || match adding.get() {
        Adding::Nothing => ().into_any(),
        Adding::Named => view! { <Picker on_done=done /> },
        Adding::Built(changed) => {
            let put = {
                let changed = changed.clone();
                move |id: String| put(app, changed.clone(), &id)
            };
            let ids = Signal::derive(move || chosen.with(|all| all.iter().map(Policy::to_string).collect()));
            let changed = changed.map(|policy| policy.to_string());
            let workshop = Workshop::of::<Catalogue>().advised(|text| advice::of_scheduler(&text.parse().ok()?));
            view! { <Builder workshop changed chosen=ids on_built=put on_done=done /> }
        }
    };
    let count = move || chosen.with(Vec::len).to_string();
    view! {
        <Section number=3 title="Schedulers" chosen=Signal::derive(count)>
            <ul class="chips" aria-label="Chosen schedulers">
                <List each=move || chosen.get() key=Policy::to_string children=chip />
            </ul>
            <div class="row">
                <button
                    class="button"
                    type="button"
                    aria-expanded=move || (adding.get() == Adding::Named).to_string()
                    on:click=move |_| toggle(Adding::Named)
                >
                    "+ Add"
                </button>
                <button
                    class="button"
                    type="button"
                    aria-expanded=move || matches!(adding.get(), Adding::Built(_)).to_string()
                    on:click=move |_| toggle(Adding::Built(None))
                >
                    "Build one"
                </button>
                <button
                    class="button"
                    type="button"
                    aria-haspopup="dialog"
                    data-testid="write-one"
                    on:click=move |_| dialogs.writing.set(true)
                >
                    "Write one"
                </button>
            </div>
            {move || unfolded()}
        </Section>
    }
}

/// One line of help on a policy: that of its preset or of its family.
fn help_of(policy: &Policy) -> String {
    let help = policy.preset().map_or(policy.family().entry.help, |preset| preset.help);
    format!("{}. Click to change its settings.", sentence(help))
}

fn remove(app: App, policy: Policy) {
    app.edit(move |study| study.schedulers.retain(|other| *other != policy));
}

fn put(app: App, changed: Option<Policy>, id: &str) {
    // the builder returns only ids that can be parsed
    let Ok(policy) = id.parse::<Policy>() else { return };
    app.edit(move |study| {
        let place = changed.and_then(|changed| study.schedulers.iter().position(|p| *p == changed));
        match place {
            Some(i) => study.schedulers[i] = policy,
            None => study.schedulers.push(policy),
        }
    });
}

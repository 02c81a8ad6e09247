//! Section 3: the schedulers that are compared.

use super::builder::{Builder, Workshop};
use super::section::Section;
use crate::app::dialogs::Dialogs;
use crate::app::notices::sentence;
use crate::app::prelude::*;
use crate::app::results::ShownAs;
use crate::app::state::App;
use crate::app::widget::{Chip, ChoiceOption, List, Select, When};
use crate::app::writing::ScriptDraft;
use leptos::{ev, html};
use packfair_base::catalogue::Preset;
use packfair_engine::estimator::{Estimate, Method};
use packfair_schedulers::{PRESETS, Policy, Schedulers as Catalogue};
use packfair_study::{Baseline, Run, Study, advice, format};

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

// The list of named schedulers.

/// A searchable list of all presets; a click adds or removes one.
#[component]
pub fn Picker(on_done: Callback<()>) -> impl IntoView {
    let app = expect_context::<App>();
    let search = RwSignal::new(String::new());
    let node = NodeRef::<html::Input>::new();
    Effect::new(move || {
        if let Some(input) = node.get() {
            let _ = input.focus();
        }
    });
    let matching = move || {
        let found = PRESETS.iter().filter(|preset| search.with(|words| matches(preset, words)));
        // every preset can be parsed: a test of the catalogue checks this
        found.filter_map(|preset| Some((preset, preset.id.parse().ok()?))).collect::<Vec<(_, Policy)>>()
    };
    let on_key = move |event: ev::KeyboardEvent| {
        if event.key() == "Escape" {
            event.stop_propagation();
            on_done.run(());
        }
    };
    view! {
        <div class="picker" on:keydown=on_key>
            <input
                class="picker-search"
                type="search"
                placeholder="Search schedulers"
                aria-label="Search schedulers"
                autocomplete="off"
                node_ref=node
                prop:value=search
                on:input=move |event| search.set(event_target_value(&event))
            />
            <ul class="picker-list" aria-label="Schedulers">
                <List each=matching key=|(preset, _)| preset.id children=move |(preset, policy)| entry(app, preset, policy) />
            </ul>
            <When when=move || matching().is_empty()>
                <p class="quiet">"No scheduler has these words. Build one instead."</p>
            </When>
        </div>
    }
}

fn entry(app: App, preset: &'static Preset, policy: Policy) -> AnyView {
    let compared = policy.clone();
    let is_chosen = Memo::new(move |_| app.study.with(|s| s.schedulers.contains(&compared)));
    let is_only = move || app.study.with(|s| s.schedulers.len() == 1) && is_chosen.get();
    view! {
        <li>
            <label class="option">
                <input
                    type="checkbox"
                    disabled=move || is_only()
                    prop:checked=is_chosen
                    on:change=move |_| toggle(app, policy.clone())
                />
                <span class="option-text">
                    {preset.name} <span class="option-help">{preset.help}</span>
                </span>
            </label>
        </li>
    }
}

fn toggle(app: App, policy: Policy) {
    app.edit(move |study| {
        if study.schedulers.contains(&policy) {
            study.schedulers.retain(|other| *other != policy);
        } else {
            study.schedulers.push(policy);
        }
    });
}

/// Whether every word of `words` is in the preset's name or help.
fn matches(preset: &Preset, words: &str) -> bool {
    let text = format!("{} {} {}", preset.id, preset.name, preset.help).to_ascii_lowercase();
    words.to_ascii_lowercase().split_whitespace().all(|word| text.contains(word))
}

// What values are compared with.

/// Ways of choosing a baseline.
const KINDS: [(&str, &str); 4] =
    [("none", "Nothing"), ("scheduler", "A scheduler"), ("estimate", "An estimate"), ("run", "One run")];

/// What values are compared with, and whether the change or the value itself is shown.
#[component]
pub fn BaselineForm() -> impl IntoView {
    let app = expect_context::<App>();
    let baseline = Memo::new(move |_| app.study.with(|s| s.baseline.clone()));
    let kind = Memo::new(move |_| kind_of(&baseline.get()));
    let set_kind = move |id: String| {
        app.edit(move |study| {
            if let Some(first) = candidates(study, &id).into_iter().next() {
                study.baseline = first.0;
            }
        });
    };
    let of_kind = Memo::new(move |_| app.study.with(|s| candidates(s, kind.get())));
    let options = Signal::derive(move || {
        of_kind
            .with(|all| all.iter().map(|(b, name)| ChoiceOption::new(id_of(b), name.clone(), "")).collect::<Vec<_>>())
    });
    let set = move |id: String| {
        let found = of_kind.with_untracked(|all| all.iter().find(|(b, _)| id_of(b) == id).cloned());
        if let Some((baseline, _)) = found {
            app.edit(move |study| study.baseline = baseline);
        }
    };
    let kinds = KINDS.map(|(id, name)| ChoiceOption::new(id, name, "")).to_vec();
    view! {
        <div class="baseline-form">
            <Select
                label="Compared with"
                help="A scheduler: each run is compared with that scheduler under the same estimates. An estimate: each run is compared with the same scheduler under that estimate."
                options=Signal::stored(kinds)
                value=Signal::derive(move || kind.get().to_owned())
                on_change=set_kind
            />
            <When when=move || kind.get() != "none">
                <Select
                    label="Which"
                    options=options
                    value=Signal::derive(move || id_of(&baseline.get()))
                    on_change=set
                />
                <div class="field">
                    <span class="field-label">"Shown as"</span>
                    <ShownAs />
                </div>
            </When>
        </div>
    }
}

fn kind_of(baseline: &Baseline) -> &'static str {
    match baseline {
        Baseline::None => "none",
        Baseline::Run(_) => "run",
        Baseline::Scheduler(_) => "scheduler",
        Baseline::Estimate(_) => "estimate",
    }
}

fn id_of(baseline: &Baseline) -> String {
    match baseline {
        Baseline::None => String::new(),
        Baseline::Run(run) => run.id(),
        Baseline::Scheduler(scheduler) => scheduler.to_string(),
        Baseline::Estimate(estimate) => estimate.to_string(),
    }
}

/// Every baseline of a kind that `study` offers, with its name. If the study no longer contains the run of the present
/// baseline, that baseline comes first.
fn candidates(study: &Study, kind: &str) -> Vec<(Baseline, String)> {
    let mut all: Vec<(Baseline, String)> = match kind {
        "run" => study.runs().into_iter().map(|run| (Baseline::Run(run.clone()), run_name(&run))).collect(),
        "scheduler" => study.schedulers.iter().map(|s| (Baseline::Scheduler(s.clone()), s.name())).collect(),
        "estimate" => {
            let of = |method| study.distortions.iter().map(move |&k| Estimate { method: Method::clone(method), k });
            let named = |estimate: Estimate| (Baseline::Estimate(estimate.clone()), estimate_name(&estimate));
            study.methods.iter().flat_map(of).map(named).collect()
        }
        _ => vec![(Baseline::None, String::new())],
    };
    if kind_of(&study.baseline) == kind && !all.iter().any(|(baseline, _)| *baseline == study.baseline) {
        let name = match &study.baseline {
            Baseline::None => String::new(),
            Baseline::Run(run) => run_name(run),
            Baseline::Scheduler(scheduler) => scheduler.name(),
            Baseline::Estimate(estimate) => estimate_name(estimate),
        };
        all.insert(0, (study.baseline.clone(), format!("{name} (not among the runs)")));
    }
    all
}

fn run_name(run: &Run) -> String {
    let shrink = run.shrink.map(|shrink| format!(", f = {}", format::factor(shrink))).unwrap_or_default();
    format!("{}, {}{shrink}", run.scheduler_name(), estimate_name(&run.estimate))
}

fn estimate_name(estimate: &Estimate) -> String {
    let name = estimate.method.name();
    if estimate.k == 1.0 { name } else { format!("{name} x {}", format::factor(estimate.k)) }
}

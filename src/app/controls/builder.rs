//! A form for any scheduler of any family, made from the catalogue.

use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{Choice, Field, Select, When};
use crate::catalogue::{Kind, Parameter};
use crate::scheduler::{FAMILIES, Family, Policy};

/// Puts a scheduler together, to add it or in place of `changed`.
#[component]
pub fn Builder(
    /// The chosen scheduler that is being changed, if one is.
    changed: Option<Policy>,
    /// Folds the form up.
    on_done: Callback<()>,
) -> impl IntoView {
    let app = expect_context::<App>();
    let draft = RwSignal::new(changed.clone().unwrap_or_else(|| Policy::of(&FAMILIES[0])));
    let family = Memo::new(move |_| draft.with(|p| p.family().entry.id));
    let families = FAMILIES.iter().map(|f| Choice::new(f.entry.id, f.entry.name, f.entry.help)).collect::<Vec<_>>();
    let choose_family = move |id: String| {
        if let Some(family) = FAMILIES.iter().find(|f| f.entry.id == id) {
            draft.set(Policy::of(family));
        }
    };
    let about = move || draft.with(|p| format!("{} ({})", p.family().entry.help, p.family().entry.source));
    let form = move || {
        let family = family_of(family.get());
        family.entry.parameters.iter().map(|parameter| parameter_field(draft, parameter)).collect_view()
    };
    let is_there = {
        let changed = changed.clone();
        move || draft.with(|p| changed.as_ref() != Some(p) && app.study.with(|s| s.schedulers.contains(p)))
    };
    let is_unchanged = {
        let changed = changed.clone();
        move || draft.with(|p| changed.as_ref() == Some(p))
    };
    let take = {
        let changed = changed.clone();
        move |_| {
            put(app, changed.clone(), draft.get_untracked());
            on_done.run(());
        }
    };
    let verb = if changed.is_some() { "Change to" } else { "Add" };
    let is_there = Memo::new(move |_| is_there());
    view! {
        <div class="builder" role="group" aria-label="Build a scheduler">
            <Select
                label="Family"
                options=Signal::stored(families)
                value=Signal::derive(move || family.get().to_owned())
                on_change=choose_family
            />
            <p class="quiet">{move || about()}</p>
            {move || form()}
            <div class="row">
                <button class="button button-accent" type="button" disabled=move || is_there.get() || is_unchanged() on:click=take>
                    {verb} " " {move || draft.with(Policy::name)}
                </button>
                <button class="button button-quiet" type="button" on:click=move |_| on_done.run(())>"Close"</button>
            </div>
            <When when=move || is_there.get()>
                <p class="quiet">"It is in the study already."</p>
            </When>
        </div>
    }
}

fn family_of(id: &str) -> &'static Family {
    FAMILIES.iter().find(|f| f.entry.id == id).unwrap_or(&FAMILIES[0])
}

/// The field of one parameter.
fn parameter_field(draft: RwSignal<Policy>, parameter: &'static Parameter) -> AnyView {
    let value = Signal::derive(move || draft.with(|policy| value_of(policy, parameter)));
    let set = move |text: String| draft.update(|policy| drop(policy.set(parameter.id, &text)));
    match parameter.kind {
        Kind::Choice { options, .. } => {
            let options = options.iter().map(|(id, name)| Choice::new(*id, *name, "")).collect::<Vec<_>>();
            view! {
                <Select
                    label=parameter.name
                    help=parameter.help
                    options=Signal::stored(options)
                    value=value
                    on_change=set
                />
            }
        }
        Kind::Whole { unit, .. } | Kind::Real { unit, .. } => {
            let read = Callback::new(move |text: String| {
                let text = if text.trim().is_empty() { "off".to_owned() } else { text };
                parameter.parse(&text).map(|value| value.to_string()).ok_or_else(|| parameter.takes())
            });
            view! {
                <Field
                    label=parameter.name
                    help=parameter.help
                    unit=unit
                    value=value
                    read=read
                    on_change=set
                />
            }
        }
    }
}

fn value_of(policy: &Policy, parameter: &Parameter) -> String {
    let found = policy.settings().iter().find(|(other, _)| other.id == parameter.id);
    found.map(|(_, value)| value.to_string()).unwrap_or_default()
}

/// Puts `policy` in place of `changed`, or at the end.
fn put(app: App, changed: Option<Policy>, policy: Policy) {
    app.edit(move |study| {
        let place = changed.and_then(|changed| study.schedulers.iter().position(|p| *p == changed));
        match place {
            Some(i) => study.schedulers[i] = policy,
            None => study.schedulers.push(policy),
        }
    });
}

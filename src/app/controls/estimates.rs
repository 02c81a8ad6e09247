//! Section 4: the estimates of run times that schedulers get.

use super::builder::{Builder, Workshop};
use super::distortion::Distortions;
use super::section::{Fold, Section};
use super::setting::StudyForm;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{Chip, List, When};
use crate::app::wording::sentence;
use crate::estimator::{Estimators, Method};
use crate::study::settings;

/// The state of the form: `None` if closed, `Some(None)` for a new estimator, `Some(Some(method))` to change one.
type Building = Option<Option<Method>>;

/// Estimation methods, distortion factors, and the rules of a run.
#[component]
pub fn Estimates() -> impl IntoView {
    let app = expect_context::<App>();
    let chosen = move || {
        let (methods, factors) = app.study.with(|s| (s.methods.len(), s.distortions.len()));
        if factors > 1 { format!("{methods} x {factors} k") } else { methods.to_string() }
    };
    let offered = Method::offered();
    let own = {
        let offered = offered.clone();
        Memo::new(move |_| {
            let methods = app.study.with(|s| s.methods.clone());
            methods.into_iter().filter(|method| !offered.contains(method)).collect::<Vec<_>>()
        })
    };
    let is_last = Signal::derive(move || app.study.with(|s| s.methods.len() <= 1));
    let building = RwSignal::new(Building::None);
    let chip = move |method: Method| {
        let (edited, removed) = (method.clone(), method.clone());
        view! {
            <Chip
                name=method.name()
                help=format!("{}. Click to change its settings.", sentence(method.help()))
                on_edit=Callback::new(move |()| building.set(Some(Some(edited.clone()))))
                on_remove=Callback::new(move |()| toggle(app, removed.clone()))
                stays=is_last
            />
        }
    };
    let done = Callback::new(move |()| building.set(None));
    let rules = StudyForm::of(app);
    let form = move || {
        let changed = building.get()?;
        let put = {
            let changed = changed.clone();
            move |id: String| put(app, changed.clone(), &id)
        };
        let ids = Signal::derive(move || app.study.with(|s| s.methods.iter().map(Method::to_string).collect()));
        let changed = changed.map(|method| method.to_string());
        let workshop = Workshop::of::<Estimators>();
        Some(view! { <Builder workshop changed chosen=ids on_built=put on_done=done /> })
    };
    view! {
        <Section number=4 title="Estimates" chosen=Signal::derive(chosen)>
            <ul class="options" aria-label="Estimation methods">
                {offered.into_iter().map(|method| method_option(app, method)).collect_view()}
            </ul>
            <When when=move || !own.with(Vec::is_empty)>
                <ul class="chips" aria-label="Estimators with settings of their own" data-testid="own-estimators">
                    <List each=move || own.get() key=Method::to_string children=chip />
                </ul>
            </When>
            <div class="row">
                <button
                    class="button"
                    type="button"
                    data-testid="build-estimator"
                    aria-expanded=move || building.with(Option::is_some).to_string()
                    on:click=move |_| building.update(|form| *form = if form.is_some() { None } else { Some(None) })
                >
                    "Build one"
                </button>
            </div>
            {move || form()}
            <Distortions />
            <Fold title=settings::Section::Rules.title() chosen=rules.in_short(settings::Section::Rules)>
                <div class="rules" data-testid="rules">{rules.fields(settings::Section::Rules)}</div>
            </Fold>
        </Section>
    }
}

fn method_option(app: App, method: Method) -> AnyView {
    let (name, help, source) = (method.name(), method.help(), method.source());
    let is_chosen = {
        let method = method.clone();
        Memo::new(move |_| app.study.with(|s| s.methods.contains(&method)))
    };
    let is_only = move || is_chosen.get() && app.study.with(|s| s.methods.len() == 1);
    view! {
        <li>
            <label class="option" data-hint=source>
                <input
                    type="checkbox"
                    disabled=move || is_only()
                    prop:checked=is_chosen
                    on:change=move |_| toggle(app, method.clone())
                />
                <span class="option-text">
                    {name} <span class="option-help">{help}</span>
                </span>
            </label>
        </li>
    }
}

fn toggle(app: App, method: Method) {
    app.edit(move |study| {
        if study.methods.contains(&method) {
            study.methods.retain(|other| *other != method);
        } else {
            study.methods.push(method);
        }
    });
}

fn put(app: App, changed: Option<Method>, id: &str) {
    // the builder returns only ids that can be parsed
    let Ok(method) = id.parse::<Method>() else { return };
    app.edit(move |study| {
        let place = changed.and_then(|changed| study.methods.iter().position(|m| *m == changed));
        match place {
            Some(i) => study.methods[i] = method,
            None => study.methods.push(method),
        }
    });
}

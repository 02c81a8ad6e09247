//! Section 4: the estimates of run times that schedulers get.

use super::builder::{Builder, Workshop};
use super::section::{Fold, Section};
use super::setting::StudyForm;
use crate::app::notices::sentence;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{Chip, Field, List, When, real};
use packfair_engine::estimator::{Estimators, K_RANGE, Method};
use packfair_study::{format, settings};

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

// The distortion factors k, by which every estimate is multiplied.

/// The number of slider steps on either side of k = 1.
const STEPS: f64 = 100.0;

/// Chips of the chosen factors, with a slider and a field to add one.
#[component]
pub fn Distortions() -> impl IntoView {
    let app = expect_context::<App>();
    let chosen = Memo::new(move |_| app.study.with(|s| s.distortions.clone()));
    let is_last = Signal::derive(move || chosen.with(Vec::len) <= 1);
    let factor = RwSignal::new(2.0);
    let is_there = move || chosen.with(|all| all.contains(&factor.get()));
    let chip = move |k: f64| {
        let help = match k {
            1.0 => "Estimates as they are".to_owned(),
            k if k < 1.0 => format!("Every estimate times {}: too short", format::factor(k)),
            k => format!("Every estimate times {}: too long", format::factor(k)),
        };
        view! {
            <Chip
                name=format!("k = {}", format::factor(k))
                help=help
                on_remove=Callback::new(move |()| app.edit(move |study| study.distortions.retain(|&other| other != k)))
                stays=is_last
            />
        }
    };
    let add = move |_| {
        let k = factor.get_untracked();
        app.edit(move |study| {
            if !study.distortions.contains(&k) {
                study.distortions.push(k);
                study.distortions.sort_unstable_by(f64::total_cmp);
            }
        });
    };
    let on_slide = move |event| {
        if let Ok(position) = event_target_value(&event).parse::<f64>() {
            factor.set(factor_at(position));
        }
    };
    view! {
        <div class="distortion" role="group" aria-label="Distortion factors k">
            <p
                class="field-label"
                data-hint="Every estimate is multiplied by k, to see how much a scheduler depends on good estimates"
            >
                "Distorted by k"
            </p>
            <ul class="chips">
                <List each=move || chosen.get() key=|k| k.to_bits() children=chip />
            </ul>
            <div class="distortion-add">
                <input
                    type="range"
                    min=-STEPS
                    max=STEPS
                    step="1"
                    aria-label="Factor k to add, logarithmic"
                    aria-valuetext=move || factor.get().to_string()
                    prop:value=move || position_of(factor.get()).to_string()
                    on:input=on_slide
                />
                <Field
                    label="k"
                    value=Signal::derive(move || factor.get().to_string())
                    read=real(K_RANGE)
                    on_change=move |k| factor.set(k)
                />
                <button class="button" type="button" disabled=move || is_there() on:click=add>"Add"</button>
            </div>
        </div>
    }
}

/// The factor at a slider position: 10 to the power of the position, rounded to 2 decimals or 3 digits.
fn factor_at(position: f64) -> f64 {
    let factor = 10_f64.powf(position / STEPS);
    ((factor * 100.0).round() / 100.0).clamp(*K_RANGE.start(), *K_RANGE.end())
}

fn position_of(factor: f64) -> f64 {
    (factor.log10() * STEPS).round()
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn the_slider_spans_the_range_evenly() {
        assert_eq!(factor_at(-100.0), 0.1);
        assert_eq!(factor_at(0.0), 1.0);
        assert_eq!(factor_at(100.0), 10.0);
        assert_eq!(position_of(0.1), -100.0);
        assert_eq!(position_of(factor_at(30.0)), 30.0);
    }
}

//! Section 3: what schedulers are told of run times.

use super::distortion::Distortions;
use super::section::{Fold, Section};
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{Choice, Choices, List};
use crate::estimator::Method;
use crate::simulation::Correction;

/// Estimation methods, distortion factors, and what becomes of estimates that run out.
#[component]
pub fn Estimates() -> impl IntoView {
    let app = expect_context::<App>();
    let chosen = move || {
        let (methods, factors) = app.study.with(|s| (s.methods.len(), s.distortions.len()));
        if factors > 1 { format!("{methods} x {factors} k") } else { methods.to_string() }
    };
    let methods = Memo::new(move |_| app.study.with(|s| options(&s.methods)));
    let option = move |method: Method| method_option(app, method);
    let rules = Correction::ALL.iter().map(|rule| Choice::new(rule.id(), rule_name(*rule), rule.help())).collect();
    let rule = Memo::new(move |_| app.study.with(|s| s.correction));
    let set_rule = move |id: String| {
        if let Some(rule) = Correction::ALL.into_iter().find(|rule| rule.id() == id) {
            app.edit(move |study| study.correction = rule);
        }
    };
    view! {
        <Section number=3 title="Estimates" chosen=Signal::derive(chosen)>
            <ul class="options" aria-label="Estimation methods">
                <List each=move || methods.get() key=Method::to_string children=option />
            </ul>
            <Distortions />
            <Fold title="When an estimate runs out" chosen=Signal::derive(move || rule_name(rule.get()).to_owned())>
                <Choices
                    legend="The estimate of a job that outlives it"
                    options=rules
                    value=Signal::derive(move || rule.get().id().to_owned())
                    on_change=set_rule
                />
            </Fold>
        </Section>
    }
}

fn rule_name(rule: Correction) -> &'static str {
    match rule {
        Correction::Request => "Requested time",
        Correction::Incremental => "Incremental",
        Correction::Doubling => "Doubling",
    }
}

/// The methods that are offered by name, and the chosen ones with settings of their own.
fn options(chosen: &[Method]) -> Vec<Method> {
    let mut methods = Method::offered();
    for method in chosen {
        if !methods.contains(method) {
            methods.push(method.clone());
        }
    }
    methods
}

fn method_option(app: App, method: Method) -> AnyView {
    let (name, help, source) = (method.name(), method.help(), method.source());
    let is_chosen = {
        let method = method.clone();
        Memo::new(move |_| app.study.with(|s| s.methods.contains(&method)))
    };
    let is_only = move || is_chosen.get() && app.study.with(|s| s.methods.len() == 1);
    let toggle = move |_| {
        let method = method.clone();
        app.edit(move |study| {
            if study.methods.contains(&method) {
                study.methods.retain(|other| *other != method);
            } else {
                study.methods.push(method);
            }
        });
    };
    view! {
        <li>
            <label class="option" data-hint=source>
                <input type="checkbox" disabled=move || is_only() prop:checked=is_chosen on:change=toggle />
                <span class="option-text">
                    {name} <span class="option-help">{help}</span>
                </span>
            </label>
        </li>
    }
}

//! The rules that all runs of a study follow.

use super::section::Fold;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{ChoiceOption, Choices};
use crate::model::{Reestimation, RoundTrigger};
use crate::simulation::Correction;
use crate::study::Rules;

/// The id of doing as the papers did.
const PAPERS: &str = "papers";

/// What becomes of estimates that run out, when waiting jobs are estimated, and which submissions trigger a round.
#[component]
pub fn RunRules() -> impl IntoView {
    let app = expect_context::<App>();
    let rules = Memo::new(move |_| app.study.with(|s| s.rules()));
    let corrections = Correction::ALL.map(|rule| ChoiceOption::new(rule.id(), rule.name(), rule.help()));
    let reestimations = Reestimation::ALL.map(|when| ChoiceOption::new(when.id(), when.name(), when.help()));
    let askings = RoundTrigger::ALL.map(|which| ChoiceOption::new(which.id(), which.name(), which.help()));
    let set_correction = move |id: String| {
        if let Some(rule) = Correction::ALL.into_iter().find(|rule| rule.id() == id) {
            app.edit(move |study| study.correction = rule);
        }
    };
    let set_reestimation = move |id: String| {
        let when = Reestimation::ALL.into_iter().find(|when| when.id() == id);
        app.edit(move |study| study.reestimation = when);
    };
    let set_asking = move |id: String| {
        let which = RoundTrigger::ALL.into_iter().find(|which| which.id() == id);
        app.edit(move |study| study.trigger = which);
    };
    let reestimation = move || rules.get().reestimation.map_or(PAPERS, Reestimation::id).to_owned();
    let trigger = move || rules.get().trigger.map_or(PAPERS, RoundTrigger::id).to_owned();
    view! {
        <Fold title="Rules of a run" chosen=Signal::derive(move || summary(rules.get()))>
            <div class="rules" data-testid="rules">
                <Choices
                    legend="The estimate of a job that outlives it"
                    options=corrections.to_vec()
                    value=Signal::derive(move || rules.get().correction.id().to_owned())
                    on_change=set_correction
                />
                <Choices
                    legend="Waiting jobs are estimated"
                    options=with_papers("JustBF, Aggressive and EASY with learned estimates: in every round; all others: at submission", &reestimations)
                    value=Signal::derive(reestimation)
                    on_change=set_reestimation
                />
                <Choices
                    legend="A scheduling round is asked for by"
                    options=with_papers("EASY with learned estimates: submissions of jobs that fit; all others: every submission", &askings)
                    value=Signal::derive(trigger)
                    on_change=set_asking
                />
            </div>
        </Fold>
    }
}

/// The options, after that of doing as the papers did.
fn with_papers(help: &str, options: &[ChoiceOption]) -> Vec<ChoiceOption> {
    std::iter::once(ChoiceOption::new(PAPERS, "As in the papers", help)).chain(options.iter().cloned()).collect()
}

/// What differs from the papers, in a few words.
fn summary(rules: Rules) -> String {
    let correction = (rules.correction != Correction::default()).then(|| rules.correction.name());
    let names = [correction, rules.reestimation.map(Reestimation::name), rules.trigger.map(RoundTrigger::name)];
    match names.into_iter().flatten().collect::<Vec<_>>() {
        names if names.is_empty() => "As in the papers".to_owned(),
        names => names.join(", "),
    }
}

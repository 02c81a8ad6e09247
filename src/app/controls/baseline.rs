//! What values are compared with.

use crate::app::prelude::*;
use crate::app::results::ShownAs;
use crate::app::state::App;
use crate::app::widget::{ChoiceOption, Select, When};
use packfair_engine::estimator::{Estimate, Method};
use packfair_study::{Baseline, Run, Study, format};

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

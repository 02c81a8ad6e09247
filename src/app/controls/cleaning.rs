//! How the log's jobs are cleaned, the machine's size, and the load.

use super::section::Fold;
use crate::app::prelude::*;
use crate::app::state::{App, DescribedLog};
use crate::app::widget::{ChoiceOption, Choices, Field, optional, reals, whole};
use crate::study::check::{PROCESSOR_RANGE, SHRINK_RANGE};
use crate::study::{Study, format};
use crate::workload::Cleaning;
use std::sync::Arc;

/// The cleaning profile.
#[component]
pub fn CleaningForm() -> impl IntoView {
    let app = expect_context::<App>();
    let cleaning = Memo::new(move |_| app.study.with(|s| s.treatment.cleaning));
    let options = Cleaning::ALL.into_iter().map(|c| ChoiceOption::new(c.id(), name_of(c), c.help())).collect();
    let set = move |id: String| {
        if let Some(cleaning) = Cleaning::ALL.into_iter().find(|c| c.id() == id) {
            app.edit(move |study| study.treatment.cleaning = cleaning);
        }
    };
    view! {
        <Fold title="Cleaning" chosen=Signal::derive(move || name_of(cleaning.get()).to_owned())>
            <Choices
                legend="Cleaning profile"
                options=options
                value=Signal::derive(move || cleaning.get().id().to_owned())
                on_change=set
            />
        </Fold>
    }
}

fn name_of(cleaning: Cleaning) -> &'static str {
    match cleaning {
        Cleaning::Metrics => "As METRICS",
        Cleaning::Fairness => "As FAIRNESS",
        Cleaning::Raw => "Raw",
    }
}

/// The machine's size and the shrinking factors.
#[component]
pub fn LoadForm(
    /// The active log.
    described: Memo<Option<Arc<DescribedLog>>>,
) -> impl IntoView {
    let app = expect_context::<App>();
    let processors = Memo::new(move |_| app.study.with(|s| s.treatment.processors));
    let shrinks = Memo::new(move |_| app.study.with(Study::all_shrinks));
    let sweep = move |factors: Vec<f64>| app.edit(move |study| study.set_shrinks(&factors));
    let found = move || {
        let size = described.with(|d| d.as_ref().map(|d| d.summary.machine.processors));
        size.map(format::whole).unwrap_or_default()
    };
    let chosen = move || {
        let size = processors.get().map(|n| format!("{} processors", format::whole(n)));
        size.into_iter().chain(load_factors(&shrinks.get())).collect::<Vec<_>>().join(", ")
    };
    view! {
        <Fold title="Machine and load" chosen=Signal::derive(chosen)>
            <Field
                label="Machine size"
                help="Processors of the cluster; leave it empty to take the log's own size. Wider jobs are dropped."
                unit="processors"
                placeholder=Signal::derive(found)
                value=Signal::derive(move || processors.get().map(format::whole).unwrap_or_default())
                read=optional(whole(PROCESSOR_RANGE))
                on_change=move |n| app.edit(move |study| study.treatment.processors = n)
            />
            <Field
                label="Shrinking factors"
                help="Every time between two submissions is multiplied by it: 0.8 means 25 % more load. Several, as 1, 0.9, \
                      0.8, make a row each, and charts against the load."
                unit=Signal::derive(move || load_factors(&shrinks.get()).unwrap_or_default())
                value=Signal::derive(move || shrinks.get().iter().map(f64::to_string).collect::<Vec<_>>().join(", "))
                read=reals(SHRINK_RANGE)
                on_change=sweep
            />
        </Fold>
    }
}

/// By how much shrinking factors raise the load; nothing where they leave it alone.
fn load_factors(shrinks: &[f64]) -> Option<String> {
    match shrinks {
        [1.0] => None,
        [one] => Some(format!("load x {}", format::factor(1.0 / one))),
        several => Some(format!("{} loads", several.len())),
    }
}

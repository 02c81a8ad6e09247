//! How the log's jobs are cleaned, the machine's size, and the load.

use super::section::Fold;
use crate::app::prelude::*;
use crate::app::state::{App, DescribedLog};
use crate::app::widget::{ChoiceOption, Choices, Field, Select, When, optional, reals, whole};
use crate::app::wording::size;
use crate::study::check::{PROCESSOR_RANGE, SHRINK_RANGE};
use crate::study::{Study, format};
use crate::workload::{Cleaning, Counting, InitialJobs, Since, Unit};
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
    // partitions that are machines of their own have sizes of their own
    let is_one = Memo::new(move |_| app.study.with(|s| s.partitions.is_empty()));
    let found = move || {
        let size = described.with(|d| d.as_ref().map(|d| d.summary.machine.processors));
        size.map(format::whole).unwrap_or_default()
    };
    let chosen = move || {
        let size = processors.get().map(|n| size(n, app.unit()));
        size.into_iter().chain(load_factors(&shrinks.get())).collect::<Vec<_>>().join(", ")
    };
    view! {
        <Fold title="Machine and load" chosen=Signal::derive(chosen)>
            <When when=move || is_one.get()>
                <Field
                    label="Machine size"
                    help="Leave it empty to take the log's own size. Wider jobs are dropped."
                    unit=Signal::derive(move || app.unit().plural().to_owned())
                    placeholder=Signal::derive(found)
                    value=Signal::derive(move || processors.get().map(format::whole).unwrap_or_default())
                    read=optional(whole(PROCESSOR_RANGE))
                    on_change=move |n| app.edit(move |study| study.treatment.processors = n)
                />
            </When>
            {move || counted_in(app, described)}
            {initial_jobs(app)}
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

/// In what jobs and machine are counted, and since when a job waits, where the log leaves a choice.
#[inline(never)]
fn counted_in(app: App, described: Memo<Option<Arc<DescribedLog>>>) -> AnyView {
    let counting = Memo::new(move |_| described.with(|d| d.as_ref().map(|d| d.summary.counting.clone())));
    let choices = move || {
        let known = counting.with(|counting| counting.as_ref().map_or(0, |counting| counting.known.len()));
        (known > 1).then(|| units(app, counting))
    };
    let since = move || {
        let tells = counting.with(|counting| counting.as_ref().is_some_and(|counting| counting.tells_eligible));
        tells.then(|| waiting_since(app))
    };
    view! {
        {move || choices()}
        {move || since()}
    }
}

fn units(app: App, counting: Memo<Option<Counting>>) -> AnyView {
    let options = move || {
        let Some(counting) = counting.get() else { return Vec::new() };
        let fits = ChoiceOption::new("", format!("what fits ({} now)", counting.unit.plural()), "");
        let known = counting.known.iter().map(|unit| ChoiceOption::new(unit.id(), unit.plural(), ""));
        std::iter::once(fits).chain(known).collect()
    };
    view! {
        <Select
            label="Counted in"
            help="What jobs and the machine are counted in: nodes where most jobs take whole ones, else processors. Jobs \
                  without any of it are left out."
            options=Signal::derive(options)
            value=Signal::derive(move || app.study.with(|s| s.treatment.unit.map(Unit::id).unwrap_or_default().to_owned()))
            on_change=move |id: String| app.edit(move |study| {
                study.treatment.unit = id.parse().ok();
                // a size in one unit means nothing in another
                study.treatment.processors = None;
            })
        />
    }
}

fn initial_jobs(app: App) -> AnyView {
    let options = vec![
        ChoiceOption::new("", "what fits the log", ""),
        ChoiceOption::new(InitialJobs::Held.id(), "hold their part of the machine", ""),
        ChoiceOption::new(InitialJobs::Ordinary.id(), "are jobs as all others", ""),
    ];
    view! {
        <Select
            label="Jobs under way at the beginning"
            help="Jobs from before the log's first moment, or before the filter's: who runs then holds its part until \
                  it ends, and is left out of averages. A dump of accounting that begins with jobs under way is read so."
            options=Signal::derive(move || options.clone())
            value=Signal::derive(move || {
                app.study.with(|s| s.treatment.initial.map(InitialJobs::id).unwrap_or_default().to_owned())
            })
            on_change=move |id: String| app.edit(move |study| study.treatment.initial = id.parse().ok())
        />
    }
}

fn waiting_since(app: App) -> AnyView {
    let options = vec![
        ChoiceOption::new(Since::Submit.id(), "its submission", ""),
        ChoiceOption::new(Since::Eligible.id(), "it was eligible", ""),
    ];
    view! {
        <Select
            label="A job waits since"
            help="Eligible: no hold and no dependency kept it any more"
            options=Signal::derive(move || options.clone())
            value=Signal::derive(move || app.study.with(|s| s.treatment.since.id().to_owned()))
            on_change=move |id: String| app.edit(move |study| study.treatment.since = id.parse().unwrap_or_default())
        />
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

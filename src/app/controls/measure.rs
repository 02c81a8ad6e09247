//! Section 5: what is measured, over which jobs, against which baseline, and how often the study is repeated.

use super::baseline::BaselineForm;
use super::columns::Columns;
use super::section::{Fold, Section};
use super::setting::StudyForm;
use crate::app::prelude::*;
use crate::app::state::{App, LogState};
use packfair_study::grouped::describe_group;
use packfair_study::settings;

/// The columns, the baseline, the jobs that count, the parameters of the chosen metrics, and the repeats.
#[component]
pub fn Measures() -> impl IntoView {
    let app = expect_context::<App>();
    let form = StudyForm::of(app);
    let count = move || format!("{} metrics", app.study.with(|s| s.columns.len()));
    view! {
        <Section number=5 title="Measure" chosen=Signal::derive(count)>
            <BaselineForm />
            <Columns />
            <Fold title=settings::Section::Counted.title() chosen=form.in_short(settings::Section::Counted)>
                {form.fields(settings::Section::Counted)}
                {counted_group(app)}
            </Fold>
            {form.fields(settings::Section::Parameters)}
            {repeats(form)}
        </Section>
    }
}

/// The only group of jobs that counts, in words.
fn counted_group(app: App) -> AnyView {
    let means = move || {
        let only = app.study.with(|study| study.measure.only)?;
        let group = app.log.with(|log| match log {
            LogState::Ready(described) => describe_group(only, &described.header),
            _ => only.to_string(),
        });
        Some(format!("All jobs are simulated, and {group} alone counts."))
    };
    view! { <p class="quiet" data-testid="counted-group">{move || means()}</p> }
}

/// The number of further workloads on which the study is repeated.
fn repeats(form: StudyForm) -> AnyView {
    view! {
        <Fold title=settings::Section::Repeats.title() chosen=form.in_short(settings::Section::Repeats)>
            <div class="rules" data-testid="repeats">
                <p class="quiet">
                    "Is a change real, or luck of this log? All runs are repeated on other workloads of the same users, \
                     and the table says between which numbers the truth lies, with 95 % certainty."
                </p>
                {form.fields(settings::Section::Repeats)}
            </div>
        </Fold>
    }
}

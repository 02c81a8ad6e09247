//! Sections 1 and 2: which jobs are simulated, and on which machine.

use super::logs::{Columns, LogPicker};
use super::machine::machine;
use super::schedulers::BaselineForm;
use super::section::{Fold, Section};
use super::setting::StudyForm;
use super::treatment::treatment;
use crate::app::prelude::*;
use crate::app::state::{App, DescribedLog, LogState};
use packfair_study::grouped::describe_group;
use packfair_study::{format, settings};
use packfair_workload::WorkloadPeriod;
use std::sync::Arc;

/// The log, the facts about it, and its treatment before it is simulated.
#[component]
pub fn WorkloadPanel() -> impl IntoView {
    let app = expect_context::<App>();
    let name = move || app.study.with(|s| s.source.name());
    let described = described(app);
    view! {
        <Section number=1 title="Workload" chosen=Signal::derive(name)>
            <LogPicker />
            <Facts described=described />
            {treatment(described)}
        </Section>
    }
}

/// The machine: its size, its cells, partitions and changes, and what-ifs.
#[component]
pub fn MachinePanel() -> impl IntoView {
    let app = expect_context::<App>();
    let described = described(app);
    let form = StudyForm::of(app);
    let in_short = form.in_short(settings::Section::Machine);
    let size = move || {
        let of =
            |log: &DescribedLog| format!("{} {}", format::whole(log.summary.machine.processors), app.unit().plural());
        described.with(|log| log.as_ref().map(|log| of(log)).unwrap_or_default())
    };
    let chosen = move || Some(in_short.get()).filter(|told| !told.is_empty()).unwrap_or_else(size);
    view! {
        <Section number=2 title="Machine" chosen=Signal::derive(chosen) open=false>
            {machine_fields(form, described)}
        </Section>
    }
}

/// The fields of all settings of the machine.
fn machine_fields(form: StudyForm, described: Memo<Option<Arc<DescribedLog>>>) -> AnyView {
    view! {
        {form.fields(settings::Section::Machine)}
        {machine(expect_context::<App>(), described)}
    }
    .into_any()
}

/// The description of the active log; `None` until it is read.
fn described(app: App) -> Memo<Option<Arc<DescribedLog>>> {
    Memo::new(move |_| match app.log.get() {
        LogState::Ready(described) => Some(described),
        _ => None,
    })
}

// Section 5: what is measured, over which jobs, against which baseline, and how often the study is repeated.

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

// The active log at a glance.

/// The number of jobs, the number of processors and how it is known, the period and the load.
#[component]
pub fn Facts(described: Memo<Option<Arc<DescribedLog>>>) -> impl IntoView {
    let list = move |described: Arc<DescribedLog>| {
        let summary = &described.summary;
        let of = (described.records != summary.jobs)
            .then(|| format!(" of {} records", format::whole(described.records as i128)));
        let load = summary.offered_load.map(|load| {
            view! {
                <dt data-hint="All job area over what the machine can do between the first and the last submission">
                    "Load"
                </dt>
                <dd class="numeric" class:overload={ load > 1.0 }>
                    {percent(load)} " " <span class="quiet">{offered(load)}</span>
                </dd>
            }
        });
        view! {
            <dl class="facts">
                <dt>"Jobs"</dt>
                <dd class="numeric">{format::whole(summary.jobs as i128)} <span class="quiet">{of}</span></dd>
                <dt>"Machine"</dt>
                <dd class="numeric">
                    {format::whole(summary.machine.processors)} " " {summary.counting.unit.plural()} " "
                    <span class="quiet">{summary.machine.source.describe()}</span>
                </dd>
                <dt>"Span"</dt>
                <dd class="numeric">
                    {format::duration((summary.span.last_submit - summary.span.first_submit) as f64)} " "
                    <span class="quiet">{dates(&summary.span)}</span>
                </dd>
                {load}
            </dl>
        }
    };
    move || described.get().map(list)
}

/// The offered load in words, with what it means.
fn offered(load: f64) -> &'static str {
    if load > 1.0 { "offered: more than the machine can do" } else { "offered" }
}

fn percent(share: f64) -> String {
    format!("{} %", format::whole((share * 100.0).round() as i64))
}

fn dates(span: &WorkloadPeriod) -> Option<String> {
    let day = |date: &Option<String>| date.as_ref().and_then(|date| date.split(' ').next()).map(str::to_owned);
    Some(format!("{} to {}", day(&span.first_date)?, day(&span.last_date)?))
}

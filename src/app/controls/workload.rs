//! Sections 1 and 2: which jobs are simulated, and on which machine.

use super::facts::Facts;
use super::logs::LogPicker;
use super::machine::machine;
use super::section::Section;
use super::setting::StudyForm;
use super::treatment::treatment;
use crate::app::prelude::*;
use crate::app::state::{App, DescribedLog, LogState};
use packfair_study::{format, settings};
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

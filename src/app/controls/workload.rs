//! Section 1: which jobs are simulated.

use super::account::AccountList;
use super::cleaning::{CleaningForm, LoadForm};
use super::facts::Facts;
use super::filter::FilterForm;
use super::like::LikeForm;
use super::logs::LogPicker;
use super::section::Section;
use crate::app::files::FileInputs;
use crate::app::late;
use crate::app::prelude::*;
use crate::app::state::{App, DescribedLog, LogState};
use crate::app::widget::When;
use std::sync::Arc;

/// The log, what is known of it, and what is done to it before it is simulated.
#[component]
pub fn WorkloadPanel() -> impl IntoView {
    let app = expect_context::<App>();
    let name = move || app.study.with(|s| s.source.name());
    let described = described(app);
    let is_whole = late::signal();
    view! {
        <Section number=1 title="Workload" chosen=Signal::derive(name)>
            <LogPicker />
            <Facts described=described />
            // behind what a first view needs
            <div class="late-place">
                <When when=move || is_whole.get()>{late::apart(treatment as fn(_) -> _)(described)}</When>
            </div>
        </Section>
    }
}

/// What is done to the log before it is simulated. Comes late (scripts/late/page.txt).
fn treatment(described: Memo<Option<Arc<DescribedLog>>>) -> AnyView {
    let app = expect_context::<App>();
    let inputs = expect_context::<FileInputs>();
    let is_table = move || described.with(|log| log.as_ref().is_some_and(|log| log.is_table));
    view! {
        <p class="samples">
            <When when=is_table>
                <button
                    class="link"
                    type="button"
                    data-testid="ask-columns"
                    on:click=move |_| app.ask_columns_of_log()
                >
                    "Columns…"
                </button>
            </When>
            <button class="link" type="button" data-testid="pick-beside" on:click=move |_| inputs.pick_beside()>
                "Add a schedule or estimates…"
            </button>
        </p>
        <AccountList described=described />
        <CleaningForm />
        <LoadForm described=described />
        <FilterForm described=described />
        <LikeForm described=described />
    }
}

/// The active log where it is there.
fn described(app: App) -> Memo<Option<Arc<DescribedLog>>> {
    Memo::new(move |_| match app.log.get() {
        LogState::Ready(described) => Some(described),
        _ => None,
    })
}

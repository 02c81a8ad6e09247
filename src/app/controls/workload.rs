//! Section 1: which jobs are simulated.

use super::facts::Facts;
use super::logs::LogPicker;
use super::section::Section;
use super::treatment::treatment;
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

/// The active log where it is there.
fn described(app: App) -> Memo<Option<Arc<DescribedLog>>> {
    Memo::new(move |_| match app.log.get() {
        LogState::Ready(described) => Some(described),
        _ => None,
    })
}

//! The left side: what is asked. Four numbered sections and the button that runs them.

mod account;
mod baseline;
mod builder;
mod cleaning;
mod columns;
mod distortion;
mod estimates;
mod facts;
mod filter;
mod like;
mod logs;
mod measure;
mod picker;
mod repeats;
mod rules;
mod run_bar;
mod schedulers;
mod section;
mod workload;

pub use logs::GenerateDialog;
pub use run_bar::RunBar;

use crate::app::prelude::*;
use crate::app::widget::Later;
use estimates::Estimates;
use measure::Measures;
use schedulers::Schedulers;
use workload::WorkloadPanel;

/// All settings, from the workload to the measures.
#[component]
pub fn RunSettings() -> impl IntoView {
    view! {
        <Later><WorkloadPanel /></Later>
        <Later><Schedulers /></Later>
        <Later><Estimates /></Later>
        <Later><Measures /></Later>
    }
}

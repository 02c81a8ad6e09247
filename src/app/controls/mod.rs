//! The left side: what is asked. Five numbered sections and the button that runs them.

mod account;
mod baseline;
mod builder;
mod columns;
mod distortion;
mod estimates;
mod facts;
mod like;
mod logs;
mod machine;
mod machine_arrival;
mod measure;
mod picker;
mod power;
mod run_bar;
mod schedulers;
mod section;
mod setting;
mod site;
mod site_settings;
mod treatment;
mod workload;

pub use logs::GenerateDialog;
pub use machine_arrival::take_text as take_machine;
pub use power::take_series;
pub use run_bar::RunBar;
pub use site::what_to_do;

use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::Later;
use estimates::Estimates;
use measure::Measures;
use schedulers::Schedulers;
use setting::Problems;
use workload::{MachinePanel, WorkloadPanel};

/// All settings, from the workload to the measures.
#[component]
pub fn RunSettings() -> impl IntoView {
    provide_context(Problems::of(expect_context::<App>()));
    view! {
        <Later><WorkloadPanel /></Later>
        <Later><MachinePanel /></Later>
        <Later><Schedulers /></Later>
        <Later><Estimates /></Later>
        <Later><Measures /></Later>
    }
}

//! The left side: what is asked. Five numbered sections and the button that runs them.

mod builder;
mod estimates;
mod logs;
mod machine;
mod power;
mod run_bar;
mod schedulers;
mod section;
mod setting;
mod site;
mod treatment;
mod workload;

pub use logs::GenerateDialog;
pub use power::take_series;
pub use run_bar::RunBar;
pub use site::{take_text as take_machine, what_to_do};

use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::Later;
use estimates::Estimates;
use schedulers::Schedulers;
use setting::Problems;
use workload::{MachinePanel, Measures, WorkloadPanel};

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

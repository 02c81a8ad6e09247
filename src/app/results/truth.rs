//! What was simulated, shown right below the table: the sizes of the machines, and how closely the model reproduces the
//! log.

use super::machine_used::machine_used;
use super::site_fit::site_fit;
use super::trying::Trying;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::When;
use packfair_study::table::{how_true, machines};
use packfair_study::verdict::Fit;
use packfair_study::{claiming, models};

/// The scheduler that comes closest to the log, and how close it comes.
#[component]
pub fn Truth() -> impl IntoView {
    sentence(expect_context::<App>())
}

// a function of its own, which belongs to the late part (scripts/split)
#[inline(never)]
fn sentence(app: App) -> AnyView {
    let words = Memo::new(move |_| {
        let outcomes = app.results();
        app.study.with(|study| how_true(models(study, outcomes.iter().map(|outcome| &outcome.report))))
    });
    let sizes = Memo::new(move |_| {
        let outcomes = app.results();
        app.study.with(|study| machines(study, outcomes.iter().map(|outcome| &outcome.report)))
    });
    let is_on_cells = Memo::new(move |_| app.results().iter().any(|outcome| outcome.report.machine_use.is_some()));
    // what may be wrong is offered beside the fit, which stands here where no row claims to be the cluster's own
    let has_own = Memo::new(move |_| {
        let outcomes = app.results();
        app.study.with(|study| Fit::of(claiming(study, outcomes.iter().map(|outcome| &outcome.report))).is_some())
    });
    let has_site = Memo::new(move |_| app.study.with(|study| !study.treatment.site.is_empty()));
    view! {
        <When when=move || is_on_cells.get()>{machine_used(app)}</When>
        <p class="headline" data-testid="machines" hidden=move || sizes.with(Option::is_none)>{move || sizes.get()}</p>
        <p class="headline" data-testid="truth" hidden=move || words.with(Option::is_none)>{move || words.get()}</p>
        <When when=move || !has_own.get()>
            <Trying/>
        </When>
        <When when=move || has_site.get()>{site_fit(app)}</When>
    }
    .into_any()
}

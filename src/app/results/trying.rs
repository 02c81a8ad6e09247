//! Trials of remedies for a model that explains little of the log: they run in the background, and the best is offered
//! below the fit.

use crate::app::prelude::*;
use crate::app::state::{App, TrialsState};
use crate::app::widget::When;
use packfair_study::pace::AT_ONCE;
use packfair_study::verdict::Trials;

/// The trials under way, with a button that stops them; then the remedy that explains more, with a button that applies
/// it.
#[component]
pub fn Trying() -> impl IntoView {
    let app = expect_context::<App>();
    let state = Memo::new(move |_| {
        let is_of = |state: &TrialsState| app.study.with(|study| state.is_of(study));
        app.trials.get().filter(is_of)
    });
    // the trials start once, when all runs have results; stopped trials do not start again
    let due = Memo::new(move |_| {
        let is_due = state.with(Option::is_none) && !app.is_busy() && app.pending() == 0;
        is_due.then(|| app.trials_due()).flatten()
    });
    Effect::new(move |_| {
        let Some(trials) = due.get() else { return };
        if app.seconds_trials(&trials).is_some_and(|seconds| seconds <= AT_ONCE) {
            app.want_trials(trials);
        }
    });
    let goes_on = move || state.with(|state| state.as_ref().is_some_and(|state| state.goes_on));
    let tried = move || state.with(|state| state.as_ref().map(|state| Trials::in_words(&state.trials)));
    let offer = Memo::new(move |_| state.with(|state| state.as_ref().and_then(|state| state.offer.clone())));
    let take = move |_| {
        if let Some(offer) = offer.get_untracked() {
            app.take_offer(offer);
        }
    };
    view! {
        <When when=goes_on>
            <p class="quiet" data-testid="trying">
                "Trying what may be wrong: " {tried} ". "
                <button class="link" type="button" data-testid="stop-trying" on:click=move |_| app.stop_trials()>
                    "Cancel"
                </button>
            </p>
        </When>
        <When when=move || offer.with(Option::is_some)>
            <p class="conclusion-fit" data-testid="offer">
                {move || offer.with(|offer| offer.as_ref().map(|offer| offer.text.clone()))} " "
                <button class="button" type="button" data-testid="take-offer" on:click=take>"Use it"</button>
            </p>
        </When>
    }
}

//! The page's address is always that of what is on screen; Back and Forward lead through what was.

use crate::address::{HistoryStep, PagePlace, Picked, Tab, question_in};
use crate::app::prelude::*;
use crate::app::remembered;
use crate::app::results::{JobsChoice, Memory};
use crate::app::state::{App, LogState};
use crate::study::Treatment;
use crate::study::query::JobRow;
use crate::workload::Reason;
use wasm_bindgen::JsValue;

/// Makes the browser's address follow the page, and the page follow the address. Called once, below [`Memory`].
pub fn keep_address() {
    let app = expect_context::<App>();
    let jobs = Memory::of_page().jobs;
    let opened = opened_with(app);
    note_question();
    jobs.wanted.set(opened.job.filter(|_| opened.view == Some(Tab::Jobs)));
    let bar = StoredValue::new(opened);
    let on_screen = Memo::new(move |_| (shown(app, jobs), is_settled(app), app.study.with(|s| s.treatment.clone())));
    let say = move |(mut place, is_settled, treatment): (PagePlace, bool, Treatment)| {
        let before = bar.get_value();
        if !is_settled {
            // until the log is there, the address says which one is meant
            let is_same_tab = before.view.unwrap_or_default() == place.view.unwrap_or_default();
            place = PagePlace { view: place.view, job: before.job.filter(|_| is_same_tab), ..before.clone() };
        }
        // and what was done to it when it was left stays with it
        write(before.step_to(&place), &place, is_settled.then_some(&treatment));
        bar.set_value(place);
    };
    Effect::new(move |_| say(on_screen.get()));
    let follow = move || {
        note_question();
        let place = PagePlace::of_page();
        if bar.with_value(|before| before.fragment() == place.fragment()) {
            return;
        }
        bar.set_value(place.clone());
        jobs.wanted.set(place.job.filter(|_| place.view == Some(Tab::Jobs)));
        if place.job.is_none() {
            jobs.picked.set(None);
        }
        if !app.go_to(&place, left_with()) {
            // what leads nowhere is not to be in the way of Back
            bar.set_value(PagePlace { view: place.view, ..PagePlace::default() });
            say(on_screen.get_untracked());
        }
    };
    // the second alone is heard where somebody types an address, in some browsers; both listen as long as the page lives
    for event in ["popstate", "hashchange"] {
        window_event_listener_untyped(event, move |_| follow());
    }
}

/// A question to look for an answer to that the address asks, is kept for the tab that shows it: the address itself is soon
/// another.
fn note_question() {
    let fragment = window().location().hash().unwrap_or_default();
    if let Some(question) = question_in(&fragment) {
        remembered::set_of_tab(remembered::QUESTION, &question);
    }
}

/// What the address says as the page opens; a link that could not be opened leads nowhere.
fn opened_with(app: App) -> PagePlace {
    let place = PagePlace::of_page();
    if place.link.is_some() && app.shared.with_untracked(Option::is_none) {
        return PagePlace { view: place.view, ..PagePlace::default() };
    }
    place
}

/// The place that is on screen.
fn shown(app: App, jobs: JobsChoice) -> PagePlace {
    let view = app.view.get();
    let link = app.shared.with(|shared| shared.as_ref().map(|shared| shared.link.to_string()));
    let log = link.is_none().then(|| app.study.with(|study| study.source.clone()));
    let picked = || jobs.picked.with(|picked| picked.as_ref().map(|row| named(app, row)));
    let job = (view == Tab::Jobs).then(|| jobs.wanted.get().or_else(picked)).flatten();
    PagePlace { link, log, view: Some(view), job }
}

/// A job as addresses name it: by its number, where that says which one it is.
fn named(app: App, row: &JobRow) -> Picked {
    let number = row.request.number;
    let is_unique = app.log.with(|log| match log {
        LogState::Ready(log) => log.account.count(Reason::DuplicateNumber) == 0,
        _ => true,
    });
    Picked { number, job: (number < 0 || !is_unique).then_some(row.job) }
}

/// Whether the log on screen is the one that the address means.
fn is_settled(app: App) -> bool {
    app.log.with(|log| matches!(log, LogState::Ready(_) | LogState::Absent))
}

/// Puts a place into the address, with what is to be known when it is come back to.
fn write(step: HistoryStep, place: &PagePlace, treatment: Option<&Treatment>) {
    if step == HistoryStep::Stay && treatment.is_none() {
        return;
    }
    let Ok(history) = window().history() else { return };
    // plain data
    let state = JsValue::from(serde_json::to_string(&treatment).unwrap_or_default());
    let fragment = place.fragment();
    let address = match fragment.as_str() {
        "" => window().location().pathname().unwrap_or_default(),
        fragment => format!("#{fragment}"),
    };
    // browsers refuse where there are very many in a short time; the next one says it all again
    let _ = match step {
        HistoryStep::Advance => history.push_state_with_url(&state, "", Some(&address)),
        HistoryStep::Rewrite => history.replace_state_with_url(&state, "", Some(&address)),
        HistoryStep::Stay => history.replace_state(&state, ""),
    };
}

/// What was done to the log of the place come back to.
fn left_with() -> Option<Treatment> {
    serde_json::from_str(&window().history().ok()?.state().ok()?.as_string()?).ok()
}

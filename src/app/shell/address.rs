//! Keeps the page's address equal to what is on screen. Back and Forward return to earlier places.

use crate::address::{HistoryStep, PagePlace, Picked, Tab, forecast_in, question_in};
use crate::app::prelude::*;
use crate::app::remembered;
use crate::app::results::{JobsChoice, Memory};
use crate::app::state::{App, LogState};
use crate::app::{explore, when};
use packfair_study::Treatment;
use packfair_study::query::JobRow;
use packfair_workload::Reason;
use std::time::Duration;
use wasm_bindgen::JsValue;

/// Makes the browser's address follow the page, and the page follow the address. Called once, inside [`Memory`].
pub fn keep_address() {
    let app = expect_context::<App>();
    let jobs = Memory::of_page().jobs;
    let opened = opened_with(app);
    if note_question(&fragment_of_page()) {
        write(HistoryStep::Rewrite, &opened, None);
    }
    jobs.wanted.set(opened.job.filter(|_| opened.view == Some(Tab::Jobs)));
    let bar = StoredValue::new(opened);
    let on_screen = Memo::new(move |_| (shown(app, jobs), is_settled(app), app.study.with(|s| s.treatment.clone())));
    let say = move |(mut place, is_settled, treatment): (PagePlace, bool, Treatment)| {
        let before = bar.get_value();
        if !is_settled {
            // until the log is loaded, the address keeps naming it
            let is_same_tab = before.view.unwrap_or_default() == place.view.unwrap_or_default();
            place = PagePlace {
                view: place.view,
                job: before.job.filter(|_| is_same_tab),
                lesson: place.lesson,
                ..before.clone()
            };
        }
        // the treatment of the log when the place is left is stored with it
        write(before.step_to(&place), &place, is_settled.then_some(&treatment));
        bar.set_value(place);
    };
    Effect::new(move |_| say(on_screen.get()));
    let go = move |place: PagePlace| {
        jobs.wanted.set(place.job.filter(|_| place.view == Some(Tab::Jobs)));
        if place.job.is_none() {
            jobs.picked.set(None);
        }
        if !app.go_to(&place, left_with()) {
            // an address that leads nowhere must not stay in the way of Back
            bar.set_value(PagePlace { view: place.view, ..PagePlace::default() });
            say(on_screen.get_untracked());
        }
    };
    let follow = move || {
        let fragment = fragment_of_page();
        let place = PagePlace::parse(&fragment);
        if note_question(&fragment) {
            // the address goes on without it
            write(HistoryStep::Rewrite, &place, None);
            explore::open_link(app);
            when::open_link();
        }
        if bar.with_value(|before| before.fragment() == place.fragment()) {
            return;
        }
        bar.set_value(place.clone());
        if place.link.is_none() {
            return go(place);
        }
        // a link may be long: what it carries is shown in a task of its own
        set_timeout(move || go(place), Duration::ZERO);
    };
    // some browsers fire only `hashchange` when the user types an address; both listeners live as long as the page
    for event in ["popstate", "hashchange"] {
        window_event_listener_untyped(event, move |_| follow());
    }
}

fn fragment_of_page() -> String {
    window().location().hash().unwrap_or_default()
}

/// Stores a question of Explore or a forecast that the address contains, for this tab: the address goes on without them, so
/// that a reload comes back to what they have led to. Returns whether there was one.
fn note_question(fragment: &str) -> bool {
    let (forecast, question) = (forecast_in(fragment), question_in(fragment));
    if let Some(forecast) = forecast {
        remembered::set_of_tab(remembered::FORECAST, &forecast);
    }
    if let Some(question) = question {
        remembered::set_of_tab(remembered::QUESTION, &question);
    }
    forecast.is_some() || question.is_some()
}

/// The place in the address with which the page opened; the default place if its link could not be opened.
fn opened_with(app: App) -> PagePlace {
    let place = PagePlace::of_page();
    if place.link.is_some() && app.shared.with_untracked(Option::is_none) {
        return PagePlace { view: place.view, ..PagePlace::default() };
    }
    place
}

fn shown(app: App, jobs: JobsChoice) -> PagePlace {
    let view = app.view.get();
    let link = app.shared.with(|shared| shared.as_ref().map(|shared| shared.link.to_string()));
    let log = link.is_none().then(|| app.study.with(|study| study.source.clone()));
    let picked = || jobs.picked.with(|picked| picked.as_ref().map(|row| named(app, row)));
    let job = (view == Tab::Jobs).then(|| jobs.wanted.get().or_else(picked)).flatten();
    let lesson = (view == Tab::Learn).then(|| app.lesson.get()).flatten();
    PagePlace { link, log, view: Some(view), job, lesson }
}

/// A job as addresses name it: by its number if this is unique, else also by its index.
fn named(app: App, row: &JobRow) -> Picked {
    let number = row.request.number;
    let is_unique = app.log.with(|log| match log {
        LogState::Ready(log) => log.account.count(Reason::DuplicateNumber) == 0,
        _ => true,
    });
    Picked { number, job: (number < 0 || !is_unique).then_some(row.job) }
}

/// Whether the log that the address names is loaded or known to be absent.
fn is_settled(app: App) -> bool {
    app.log.with(|log| matches!(log, LogState::Ready(_) | LogState::Absent))
}

fn write(step: HistoryStep, place: &PagePlace, treatment: Option<&Treatment>) {
    if step == HistoryStep::Stay && treatment.is_none() {
        return;
    }
    let Ok(history) = window().history() else { return };
    // plain data can always be written
    let state = JsValue::from(serde_json::to_string(&treatment).unwrap_or_default());
    let fragment = place.fragment();
    let address = match fragment.as_str() {
        "" => window().location().pathname().unwrap_or_default(),
        fragment => format!("#{fragment}"),
    };
    // browsers refuse very frequent changes; the next change writes the whole place again
    let _ = match step {
        HistoryStep::Advance => history.push_state_with_url(&state, "", Some(&address)),
        HistoryStep::Rewrite => history.replace_state_with_url(&state, "", Some(&address)),
        HistoryStep::Stay => history.replace_state(&state, ""),
    };
}

fn left_with() -> Option<Treatment> {
    serde_json::from_str(&window().history().ok()?.state().ok()?.as_string()?).ok()
}

//! The When tab: when the waiting jobs of a moment start, as far as anybody can say. [`packfair_when`] makes the
//! forecasts, in the log worker.

mod job;
mod list;
mod state;
mod time;

use self::job::OneJob;
use self::list::{NextDays, WaitingJobs};
use self::state::ForecastOnPage;
use self::time::{MomentForm, instant, sentence};
use crate::app::files;
use crate::app::prelude::*;
use crate::app::state::{App, LogState};
use crate::app::widget::When;
use crate::run_queue::Encoded;
use crate::run_queue::protocol::{ForecastNews, Ticket};
use leptos::task::spawn_local;
use packfair_study::Engine;
use packfair_study::format::whole;
use packfair_when::BackTest;

/// The content of the tab.
#[component]
pub fn WhenView() -> impl IntoView {
    let app = expect_context::<App>();
    let outlook = ForecastOnPage::of_page();
    let opened = RwSignal::from(outlook.opened.clone());
    let is_there =
        Memo::new(move |_| opened.with(Option::is_some) || app.log.with(|log| matches!(log, LogState::Ready(_))));
    view! {
        <section class="when" aria-label="When" data-testid="when-view">
            <When
                when=move || is_there.get()
                fallback=|| view! {
                    <p class="empty-state">
                        "No log is at hand. Drop the accounting log of a cluster here and, beside it, what squeue --json prints: then you see when the waiting jobs start."
                    </p>
                }
            >
                {contents(app)}
            </When>
        </section>
    }
}

// most of the tab: a function of its own, which belongs to the late part (scripts/split)
#[inline(never)]
fn contents(app: App) -> AnyView {
    let outlook = ForecastOnPage::of_page();
    let follower = outlook.clone();
    Effect::new(move |_| follower.follow(app));
    let left = outlook.clone();
    on_cleanup(move || left.stop(app));
    let told = RwSignal::from(outlook.told.clone());
    let failure = RwSignal::from(outlook.failure.clone());
    let picked = RwSignal::from(outlook.picked.clone());
    let share = RwSignal::from(outlook.share.clone());
    let opened = RwSignal::from(outlook.opened.clone());
    let said = move || told.with(|told| told.as_ref().map(|told| sentence(told)));
    let tested = move || {
        told.with(|told| {
            let told = told.as_ref()?;
            let is_known = told.test.is_some() || !told.course.times.is_empty();
            let line = if is_known {
                BackTest::sentence(told.test.as_ref())
            } else if share.with(Option::is_some) {
                "their accuracy is being measured on the weeks before".to_owned()
            } else {
                "it was stopped before their accuracy on the weeks before was known; the bands are not calibrated"
                    .to_owned()
            };
            Some(format!("{}.", capital(&line)))
        })
    };
    let notes = move || {
        let notes = told.with(|told| told.as_ref().map(|told| told.notes.clone())).unwrap_or_default();
        notes.into_iter().map(|note| view! { <p class="note">{capital(&note)} "."</p> }).collect_view()
    };
    view! {
        <When when=move || opened.with(Option::is_none)>
            <MomentForm outlook=ForecastOnPage::of_page()/>
        </When>
        <FromLink outlook=ForecastOnPage::of_page()/>
        <p class="field-error" role="alert" data-testid="when-fault">{failure}</p>
        <When when=move || told.with(Option::is_some)>
            <p class="conclusion-text" role="status" data-testid="when-said">{move || said()}</p>
            <p class="quiet" data-testid="when-test">{move || tested()}</p>
            <div class="notes">{move || notes()}</div>
            <When when=move || picked.with(Option::is_some)>
                <OneJob outlook=ForecastOnPage::of_page()/>
            </When>
            <WaitingJobs outlook=ForecastOnPage::of_page()/>
            <NextDays outlook=ForecastOnPage::of_page()/>
        </When>
    }
}

/// The origin of an answer that a link has brought.
#[component]
fn FromLink(outlook: ForecastOnPage) -> impl IntoView {
    let opened = outlook.opened.clone();
    move || {
        let link = opened.get()?;
        let told = &link.told;
        let of = format!(
            "A forecast for {} of the moment {}, with {}; {} jobs waited.",
            link.source.name(),
            instant(told, 0),
            told.asked.run.scheduler.name(),
            whole(link.waiting as i64)
        );
        let other = (link.engine != Engine::THIS).then_some(" Another version of Packfair made it.");
        Some(view! {
            <div class="note sureness" data-testid="when-link">
                <p>{of} {other}</p>
                <button class="button" type="button" on:click=move |_| ForecastOnPage::of_page().leave_link()>
                    "Forecast the open log"
                </button>
            </div>
        })
    }
}

/// Copies a link with the answer alone.
fn copy_link(app: App) {
    let Some(address) = ForecastOnPage::of_page().address(app) else {
        return app.complain("There is nothing to link yet.");
    };
    spawn_local(async move {
        match files::copy(&address).await {
            Ok(()) => app.notify("A link with this answer alone is in the clipboard; it carries no log.", None),
            Err(message) => app.complain(message),
        }
    });
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Takes in the forecast of a link that this tab has been given.
pub fn open_link() {
    ForecastOnPage::of_page();
}

/// Takes news of a forecast from the run queue.
pub fn hear(question: Ticket, news: Result<Encoded<ForecastNews>, String>) {
    state::hear(question, news);
}

/// Lets the next forecast be of the moment of a queue that has just been given.
pub fn look_at_queue() {
    state::look_at_queue();
}

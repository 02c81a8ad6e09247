//! The form: whose rules decide, and which moment is now.

use super::state::{ForecastOnPage, drains, schedulers};
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{ChoiceOption, Select, When};
use packfair_when::Whence;
use packfair_workload::write_moment;

/// The steps of the slider over the log.
const STEPS: i64 = 1_000;

#[component]
pub fn MomentForm(outlook: ForecastOnPage) -> impl IntoView {
    let app = expect_context::<App>();
    let ForecastOnPage { scheduler, moment, drain, told, share, .. } = outlook;
    let (scheduler, moment, drain) = (RwSignal::from(scheduler), RwSignal::from(moment), RwSignal::from(drain));
    let (told, share) = (RwSignal::from(told), RwSignal::from(share));
    let options = Signal::derive(move || {
        schedulers(app)
            .iter()
            .map(|policy| ChoiceOption::new(policy.to_string(), policy.name(), ""))
            .collect::<Vec<_>>()
    });
    let chosen = Signal::derive(move || {
        let first = || schedulers(app).first().map(ToString::to_string).unwrap_or_default();
        scheduler.get().unwrap_or_else(first)
    });
    let can_drain = Memo::new(move |_| {
        let chosen = chosen.get();
        schedulers(app).iter().any(|policy| policy.to_string() == chosen && drains(app, policy))
    });
    // the moment that was forecast last, for the form while another is being computed
    let last = RwSignal::new(None);
    Effect::new(move |_| {
        if let Some(told) = told.get() {
            last.set(Some((told.now, told.span, told.clock.clone())));
        }
    });
    let shown = move || {
        last.with(|last| last.as_ref().map(|(now, _, clock)| write_moment(Some(clock), *now))).unwrap_or_default()
    };
    let place = move || {
        last.with(|last| {
            let (now, (first, end), _) = last.as_ref()?;
            Some((now - first) * STEPS / (end - first).max(1))
        })
        .unwrap_or(STEPS)
    };
    let take = move |text: String| {
        if text != shown() {
            moment.set(text);
        }
    };
    let slide = move |event| {
        let Ok(place) = event_target_value(&event).parse::<i64>() else { return };
        let text = last.with_untracked(|last| {
            let (_, (first, end), clock) = last.as_ref()?;
            Some(write_moment(Some(clock), first + (end - first) * place / STEPS))
        });
        if let Some(text) = text {
            moment.set(text);
        }
    };
    let of_queue = Memo::new(move |_| told.with(|told| told.as_ref().is_some_and(|told| told.whence == Whence::Queue)));
    let cancel = move |_| ForecastOnPage::of_page().stop(app);
    let percent = move || format!("{:.0}", 100.0 * share.get().unwrap_or(0.0));
    view! {
        <div class="row when-form">
            <Select
                label="Scheduler"
                help="Whose rules decide who starts"
                options=options
                value=chosen
                on_change=move |id: String| scheduler.set(Some(id))
            />
            {typed(
                "Now",
                "when-moment",
                "The moment from which is forecast: what became known later is hidden. Empty: the moment of the queue or, \
                 without one, one at which many wait",
                "",
                Signal::derive(shown),
                Callback::new(take),
            )}
            <When when=move || can_drain.get()>
                {typed(
                    "Drained",
                    "when-drain",
                    "Nodes that take no jobs: how many, or which, and from when on, as 20@18:00 or \
                     n[1-8]@2026-11-23T18:00/2026-11-24T08:00. Empty: none",
                    "20@18:00",
                    drain.into(),
                    Callback::new(move |text| drain.set(text)),
                )}
            </When>
            <label class="field when-slider">
                <span class="field-label">"Through the log"</span>
                <input
                    type="range"
                    min="0"
                    max=STEPS.to_string()
                    data-testid="when-slider"
                    aria-valuetext=shown
                    prop:value=move || place().to_string()
                    on:change=slide
                />
            </label>
            <When when=move || of_queue.get()>
                <button
                    class="button button-quiet"
                    type="button"
                    data-testid="when-drop-queue"
                    on:click=move |_| app.drop_queue()
                >
                    "Leave out the queue"
                </button>
            </When>
            <When when=move || share.with(Option::is_some)>
                <span class="when-progress">
                    <progress max="100" value=percent aria-label="Futures drawn"></progress>
                    <button class="button" type="button" data-testid="when-cancel" on:click=cancel>"Cancel"</button>
                </span>
            </When>
        </div>
    }
}

/// A field of the form for a text, which is taken without blanks around it.
fn typed(
    label: &'static str,
    id: &'static str,
    hint: &'static str,
    placeholder: &'static str,
    value: Signal<String>,
    on_change: Callback<String>,
) -> impl IntoView {
    view! {
        <div class="field when-moment" data-hint=hint>
            <label class="field-label" for=id>{label}</label>
            <span class="field-input">
                <input
                    id=id
                    data-testid=id
                    type="text"
                    autocomplete="off"
                    spellcheck="false"
                    placeholder=placeholder
                    prop:value=move || value.get()
                    on:change=move |event| on_change.run(event_target_value(&event).trim().to_owned())
                />
            </span>
        </div>
    }
}

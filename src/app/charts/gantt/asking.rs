//! Asks the workers for the boxes of the window, which arrive some time later.

use crate::app::fault::MISUNDERSTOOD;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::study::Run;
use crate::study::format::whole;
use crate::study::query::{Answer, BoxesAsked, GanttBox, Query};
use crate::workload::Seconds;
use leptos::task::spawn_local;
use std::sync::Arc;
use std::time::Duration;

/// The largest number of boxes that are drawn: more could not be told apart and would be too slow in a browser.
const MOST_BOXES: usize = 4_000;

/// How long a window must stay unchanged before its boxes are requested.
const REST: Duration = Duration::from_millis(120);

/// The state of the boxes of a window.
#[derive(Clone, PartialEq)]
pub enum Boxes {
    Asked,
    There(Arc<Vec<GanttBox>>),
    /// There are too many boxes to be told apart; the number of them.
    TooMany(usize),
    /// There are no boxes; the reason, for the user.
    Failed(String),
}

/// Asks for the boxes whenever the run, the window or the instant changes. Also returns whether reservations are being
/// computed, which simulates the run again.
pub fn ask(
    app: App,
    run: Signal<Option<Run>>,
    shown: Memo<Option<(f64, f64)>>,
    instant: Memo<Option<Seconds>>,
) -> (RwSignal<Boxes>, RwSignal<bool>) {
    let (boxes, computing) = (RwSignal::new(Boxes::Asked), RwSignal::new(false));
    let latest = StoredValue::new(0_u32);
    let only = Memo::new(move |_| app.study.with(|study| study.measure.only));
    let rules = Memo::new(move |_| app.rules_of(&run.get()?));
    Effect::new(move |_| {
        let (Some(run), Some((from, until))) = (run.get(), shown.get()) else { return };
        latest.update_value(|n| *n += 1);
        let number = latest.get_value();
        let (from, until) = (from.floor() as Seconds, until.ceil() as Seconds);
        let asked = BoxesAsked { most: MOST_BOXES, only: only.get() };
        // the chart stays unchanged meanwhile
        computing.set(instant.get().is_some());
        let query = match instant.get().zip(rules.get()) {
            None => Query::Gantt { run, from, until, boxes: asked },
            Some((at, rules)) => Query::Outlook { run, rules, at, from, boxes: asked },
        };
        let send = move || {
            spawn_local(async move {
                let answer = app.ask(query).await;
                // an answer for an earlier window is dropped
                if latest.try_get_value() == Some(number) {
                    computing.set(false);
                    boxes.set(match answer {
                        Ok(Answer::Gantt { total, .. }) if total > MOST_BOXES => Boxes::TooMany(total),
                        Ok(Answer::Gantt { boxes, .. }) => Boxes::There(Arc::new(boxes)),
                        Ok(_) => Boxes::Failed(MISUNDERSTOOD.to_owned()),
                        Err(message) => Boxes::Failed(message),
                    });
                }
            });
        };
        let timer = set_timeout_with_handle(send, REST).ok();
        on_cleanup(move || timer.into_iter().for_each(|timer| timer.clear()));
    });
    (boxes, computing)
}

/// The message about the state of the boxes, if there is one.
pub fn in_words(boxes: &Boxes) -> Option<String> {
    match boxes {
        Boxes::Asked => Some("The schedule is being read…".to_owned()),
        Boxes::There(_) => None,
        Boxes::TooMany(total) => Some(format!(
            "{} boxes lie in this window, more than can be told apart: make it shorter.",
            whole(*total as i128)
        )),
        Boxes::Failed(message) => Some(message.clone()),
    }
}

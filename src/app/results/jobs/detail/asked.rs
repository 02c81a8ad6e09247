//! A question about the picked job. It is asked again when the job or the run changes.

use crate::app::prelude::*;
use crate::app::state::App;
use crate::study::query::{Answer, Query};
use leptos::task::spawn_local;
use std::time::Duration;

/// How long a job must stay picked before a worker is asked, so that moving through the table with the arrow keys does
/// not ask about every job.
const REST: Duration = Duration::from_millis(180);

/// The state of a question: `None` until there is an answer.
pub type AnswerSignal = RwSignal<Option<Result<Answer, String>>>;

/// Asks `query` whenever it changes. The result holds the answer, or `None` if there is no question or no answer yet.
pub fn ask(query: Memo<Option<Query>>) -> AnswerSignal {
    let app = expect_context::<App>();
    let answer = RwSignal::new(None);
    let latest = StoredValue::new(0_u32);
    Effect::new(move |_| {
        answer.set(None);
        latest.update_value(|n| *n += 1);
        let number = latest.get_value();
        let Some(asked) = query.get() else { return };
        let ask = move || {
            spawn_local(async move {
                let received = app.ask(asked).await;
                // the section may be gone, or another job may have been picked meanwhile and then this one again
                if latest.try_get_value() == Some(number) {
                    answer.set(Some(received));
                }
            });
        };
        let timer = set_timeout_with_handle(ask, REST).ok();
        on_cleanup(move || timer.into_iter().for_each(|timer| timer.clear()));
    });
    answer
}

/// A list of labels and values, as the sections show them.
pub fn facts(facts: Vec<(&'static str, String)>) -> AnyView {
    let facts = facts.into_iter().map(|(label, value)| view! { <div><dt>{label}</dt><dd>{value}</dd></div> });
    view! { <dl class="workload-facts">{facts.collect::<Vec<_>>()}</dl> }
}

/// The answer, or the view to show instead while there is none or if the question failed.
pub fn waiting_or_why<T>(answer: Option<Result<T, String>>) -> Result<T, AnyView> {
    match answer {
        Some(Ok(answer)) => Ok(answer),
        Some(Err(why)) => Err(view! { <p class="headline">{why}</p> }),
        None => Err(view! { <p class="headline">"Computing …"</p> }),
    }
}

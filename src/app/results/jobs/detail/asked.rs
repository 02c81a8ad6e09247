//! A question about the picked job, asked again when the job or the run changes.

use crate::app::prelude::*;
use crate::app::state::App;
use crate::study::query::{Answer, Query};
use leptos::task::spawn_local;
use std::time::Duration;

/// How long a job must stay picked before a worker is asked: whoever goes through the table with the
/// arrow keys does not stop at each.
const REST: Duration = Duration::from_millis(180);

/// How far an answer is.
pub type Asked = RwSignal<Option<Result<Answer, String>>>;

/// The answer to `query`; none while there is nothing to ask, or no answer yet.
pub fn ask(query: Memo<Option<Query>>) -> Asked {
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
                let came = app.ask(asked).await;
                // the section may be gone, or another job picked meanwhile, and then perhaps this one again
                if latest.try_get_value() == Some(number) {
                    answer.set(Some(came));
                }
            });
        };
        let timer = set_timeout_with_handle(ask, REST).ok();
        on_cleanup(move || timer.into_iter().for_each(|timer| timer.clear()));
    });
    answer
}

/// Labels with their values, as the sections show them.
pub fn facts(facts: Vec<(&'static str, String)>) -> AnyView {
    let facts = facts.into_iter().map(|(label, value)| view! { <div><dt>{label}</dt><dd>{value}</dd></div> });
    view! { <dl class="workload-facts">{facts.collect::<Vec<_>>()}</dl> }
}

/// What is shown while there is no answer, and where there will be none.
pub fn waiting_or_why<T>(answer: Option<Result<T, String>>) -> Result<T, AnyView> {
    match answer {
        Some(Ok(answer)) => Ok(answer),
        Some(Err(why)) => Err(view! { <p class="headline">{why}</p> }),
        None => Err(view! { <p class="headline">"Computing …"</p> }),
    }
}

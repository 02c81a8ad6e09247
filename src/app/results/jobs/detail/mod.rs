//! All that is known of the picked job, a file for each section.

mod facts;
mod outcomes;

use self::facts::Facts;
use self::outcomes::Outcomes;
use super::choice::JobsChoice;
use super::columns::Telling;
use crate::study::Run;
use leptos::prelude::*;

/// The picked job's fields, and what became of it under each run.
#[component]
pub fn JobDetail(
    /// What is picked.
    choice: JobsChoice,
    /// The runs shown.
    runs: Memo<Vec<Run>>,
    /// How times are told.
    telling: Memo<Telling>,
) -> impl IntoView {
    let content = move || {
        let row = choice.picked.get()?;
        Some(view! { <Facts row=row.clone() telling/> <Outcomes row runs telling/> })
    };
    view! {
        <section class="job-detail" aria-label="The picked job" aria-live="polite" data-testid="job-detail">
            <Show
                when=move || choice.picked.with(Option::is_some)
                fallback=|| view! { <p class="headline">"Pick a job to see all of its fields and when it ran."</p> }
            >
                {content}
            </Show>
        </section>
    }
}

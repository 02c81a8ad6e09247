//! Everything known about the picked job, with a file for each section.

mod asked;
mod estimated;
mod facts;
mod fair;
mod outcomes;
mod reservation;
mod waited;

use self::estimated::WhyEstimated;
use self::facts::Facts;
use self::fair::FairStart;
use self::outcomes::Outcomes;
use self::reservation::ReservationOverTime;
use self::waited::WhyItWaited;
use super::choice::JobsChoice;
use super::columns::{Telling, start};
use crate::app::prelude::*;
use crate::app::widget::When;
use packfair_study::Run;

/// The fields of the picked job, and its outcome in each run.
#[component]
pub fn JobDetail(
    choice: JobsChoice,
    runs: Memo<Vec<Run>>,
    /// How cells are formatted.
    telling: Memo<Telling>,
) -> impl IntoView {
    let run = Memo::new(move |_| runs.with(|runs| runs.first().cloned()));
    let content = move || {
        let row = choice.picked.get()?;
        let of_run = (start(&row, 0).is_some()).then(|| {
            view! {
                <div class="job-section">
                    <FairStart row=row.clone() run telling/>
                    <ReservationOverTime row=row.clone() run telling/>
                </div>
                <WhyEstimated row=row.clone() run telling/>
            }
            .into_any()
        });
        // the most important answer comes first
        let why = (start(&row, 0).is_some()).then(|| view! { <WhyItWaited row=row.clone() run telling/> }.into_any());
        Some(view! { {why} <Facts row=row.clone() telling/> <Outcomes row runs telling/> <div class="job-sections">{of_run}</div> }.into_any())
    };
    view! {
        <section
            class="job-detail"
            class:job-panel=move || choice.picked.with(Option::is_some)
            aria-label="The selected job"
            aria-live="polite"
            data-testid="job-detail"
        >
            <When
                when=move || choice.picked.with(Option::is_some)
                fallback=|| view! { <p class="headline">"Pick a job to see all of its fields and when it ran."</p> }
            >
                {move || content()}
            </When>
        </section>
    }
}

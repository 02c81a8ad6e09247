//! Switches the study between the log's own jobs and generated jobs like them.

use super::section::Fold;
use super::setting::StudyForm;
use crate::app::prelude::*;
use crate::app::state::{App, DescribedLog};
use crate::app::widget::{ChoiceOption, Select, When};
use crate::app::wording::sentence;
use packfair_study::settings::Section;
use packfair_workload::like::{Arrivals, Likeness, NoFit, OF_DYNP};
use std::sync::Arc;

/// The number of jobs that are generated at first: the job sets of DYNP have this many.
const JOBS: u32 = 10_000;

/// Generates jobs like the log's (DYNP §4), or returns to the log's own jobs.
#[component]
pub fn LikeForm(described: Memo<Option<Arc<DescribedLog>>>) -> impl IntoView {
    let app = expect_context::<App>();
    let like = Memo::new(move |_| app.study.with(|s| s.treatment.like));
    let form = StudyForm::of(app);
    let fault = move || described.with(no_fit).map(|fault| sentence(&fault.to_string()));
    let make = move |_| {
        let [_, (_, of_kth, _), ..] = OF_DYNP;
        // if the log has no fitted law of its own, begins with another log's, which the user can change
        let law = described.with_untracked(|described| no_fit(described).map(|_| of_kth));
        let arrivals = Arrivals { alpha: law.map(|law| law.alpha), beta: law.map(|law| law.beta), p0: None };
        app.edit(move |study| study.treatment.like = Some(Likeness { jobs: JOBS, seed: 1, arrivals }));
    };
    view! {
        <Fold title=Section::Like.title() chosen=form.in_short(Section::Like)>
            <p class="quiet">
                "Jobs drawn from the log's own widths, requested and run times, at times of a Weibull law (DYNP §4). A \
                 link makes them again where the log is at hand."
            </p>
            <When when=move || like.with(Option::is_some)>
                {law(app, described)}
                {form.fields(Section::Like)}
                <p class="field-error" role="status" data-testid="no-fit">{fault}</p>
                <button
                    class="button button-quiet"
                    type="button"
                    data-testid="unlike"
                    on:click=move |_| app.edit(|study| study.treatment.like = None)
                >
                    "Use the log's own jobs"
                </button>
            </When>
            <When when=move || like.with(Option::is_none)>
                <button class="button" type="button" data-testid="like" on:click=make>"Make one like this"</button>
            </When>
        </Fold>
    }
}

/// Sets the law of the interarrival times: that of a log of DYNP, or the log's own.
fn law(app: App, described: Memo<Option<Arc<DescribedLog>>>) -> AnyView {
    let laws = std::iter::once(ChoiceOption::new("own", "The log's own, by maximum likelihood", ""))
        .chain(OF_DYNP.iter().map(|(log, ..)| ChoiceOption::new(*log, format!("DYNP Table 2: {log}"), "")))
        .chain(std::iter::once(ChoiceOption::new("set", "As set below", "")));
    let laws: Vec<ChoiceOption> = laws.collect();
    let law_of = |id: &str| {
        let of_dynp = OF_DYNP.iter().find(|(log, ..)| *log == id);
        of_dynp.map_or(Arrivals::default(), |(_, law, p0)| Arrivals {
            alpha: Some(law.alpha),
            beta: Some(law.beta),
            p0: Some(*p0),
        })
    };
    let law = move || {
        let arrivals = app.study.with(|study| study.treatment.like.map(|like| like.arrivals)).unwrap_or_default();
        let ids = std::iter::once("own").chain(OF_DYNP.iter().map(|(log, ..)| *log));
        ids.into_iter().find(|id| law_of(id) == arrivals).unwrap_or("set").to_owned()
    };
    let choose = move |id: String| {
        let has_none = described.with_untracked(|described| no_fit(described).is_some());
        if id != "set" && !(id == "own" && has_none) {
            let arrivals = law_of(&id);
            app.edit(move |study| {
                if let Some(like) = &mut study.treatment.like {
                    like.arrivals = arrivals;
                }
            });
        }
    };
    view! {
        <Select
            label="Law of arrivals"
            help="DYNP's laws are not of maximum likelihood; the Workload tab says more"
            options=Signal::stored(laws)
            value=Signal::derive(law)
            on_change=choose
        />
    }
}

/// Why no law can be fitted to the log; `None` if one is fitted, or nothing is known about the log.
fn no_fit(described: &Option<Arc<DescribedLog>>) -> Option<NoFit> {
    let described = described.as_ref()?;
    described.unfiltered.as_deref().unwrap_or(&described.summary).arrivals.fit.clone().err()
}

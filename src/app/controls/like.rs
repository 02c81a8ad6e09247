//! Whether the study is on the log's own jobs, or on jobs made like them.

use super::section::Fold;
use crate::app::prelude::*;
use crate::app::state::{App, DescribedLog};
use crate::app::widget::{ChoiceOption, Field, Select, When, optional, real, whole};
use crate::app::wording::sentence;
use crate::study::check::GENERATED_RANGE;
use crate::study::format;
use crate::workload::like::{ALPHA_RANGE, Analysis, Arrivals, BETA_RANGE, Likeness, NoFit, OF_DYNP, P0_RANGE};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// As many jobs are made at first: the job sets of DYNP have so many.
const JOBS: u32 = 10_000;

/// Makes jobs that are like the log's (DYNP §4), or goes back to the log's own.
#[component]
pub fn LikeForm(
    /// The active log.
    described: Memo<Option<Arc<DescribedLog>>>,
) -> impl IntoView {
    let app = expect_context::<App>();
    let like = Memo::new(move |_| app.study.with(|s| s.treatment.like));
    let chosen = move || like.get().map(|like| format!("{} jobs", format::whole(like.jobs))).unwrap_or_default();
    let make = move |_| {
        let [_, (_, of_kth, _), ..] = OF_DYNP;
        // where a log has no law of its own, another's, to be changed
        let law = described.with_untracked(|described| no_fit(described).map(|_| of_kth));
        let arrivals = Arrivals { alpha: law.map(|law| law.alpha), beta: law.map(|law| law.beta), p0: None };
        app.edit(move |study| study.treatment.like = Some(Likeness { jobs: JOBS, seed: 1, arrivals }));
    };
    view! {
        <Fold title="Make one like this" chosen=Signal::derive(chosen)>
            <p class="quiet">
                "Jobs drawn from the log's own widths, requested and run times, at times of a Weibull law (DYNP §4). A \
                 link makes them again where the log is at hand."
            </p>
            <When when=move || like.with(Option::is_some)>
                <LikeFields like described/>
                <button
                    class="button button-quiet"
                    type="button"
                    data-testid="unlike"
                    on:click=move |_| app.edit(|study| study.treatment.like = None)
                >
                    "Take the log's own jobs"
                </button>
            </When>
            <When when=move || like.with(Option::is_none)>
                <button class="button" type="button" data-testid="like" on:click=make>"Make one like this"</button>
            </When>
        </Fold>
    }
}

/// How many jobs, and how they follow each other.
#[component]
fn LikeFields(like: Memo<Option<Likeness>>, described: Memo<Option<Arc<DescribedLog>>>) -> impl IntoView {
    let app = expect_context::<App>();
    let arrivals = move || like.get().map(|like| like.arrivals).unwrap_or_default();
    let text = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    // the log's own, by maximum likelihood
    let own = move |of: fn(&Analysis) -> Option<f64>, digits: usize| {
        let value =
            described.with(|d| d.as_ref().and_then(|d| of(&d.unfiltered.as_deref().unwrap_or(&d.summary).arrivals)));
        value.map(|value| format!("{value:.digits$}")).unwrap_or_default()
    };
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
        let arrivals = arrivals();
        let ids = std::iter::once("own").chain(OF_DYNP.iter().map(|(log, ..)| *log));
        ids.into_iter().find(|id| law_of(id) == arrivals).unwrap_or("set").to_owned()
    };
    // without a law of its own the log needs both numbers
    let law_number = move |range: RangeInclusive<f64>| {
        let (free, needed) = (optional(real(range.clone())), real(range));
        let has_none = move || described.with_untracked(|described| no_fit(described).is_some());
        Callback::new(move |text| if has_none() { needed.run(text).map(Some) } else { free.run(text) })
    };
    let fault = move || described.with(no_fit).map(|fault| sentence(&fault.to_string()));
    view! {
        <Field
            label="Jobs"
            value=Signal::derive(move || like.get().map(|like| format::whole(like.jobs)).unwrap_or_default())
            read=whole(GENERATED_RANGE)
            on_change=move |jobs| edit(app, move |like| like.jobs = jobs)
        />
        <Field
            label="Seed"
            help="The same seed gives the same jobs everywhere"
            value=Signal::derive(move || like.get().map(|like| like.seed.to_string()).unwrap_or_default())
            read=whole(0..=u64::MAX)
            on_change=move |seed| edit(app, move |like| like.seed = seed)
        />
        <Select
            label="Law of arrivals"
            help="DYNP's laws are not of maximum likelihood; the Workload tab says more"
            options=Signal::stored(laws)
            value=Signal::derive(law)
            on_change=move |id: String| {
                let has_none = described.with_untracked(|described| no_fit(described).is_some());
                if id != "set" && !(id == "own" && has_none) {
                    let arrivals = law_of(&id);
                    edit(app, move |like| like.arrivals = arrivals);
                }
            }
        />
        <Field
            label="alpha"
            help="Shape of the Weibull law of gaps above 0 s; empty: the log's own"
            placeholder=Signal::derive(move || own(|a| a.fit.as_ref().ok().map(|fit| fit.law.alpha), 6))
            value=Signal::derive(move || text(arrivals().alpha))
            read=law_number(ALPHA_RANGE)
            on_change=move |alpha| edit(app, move |like| like.arrivals.alpha = alpha)
        />
        <Field
            label="beta"
            help="Scale of that law; empty: the log's own"
            unit="s"
            placeholder=Signal::derive(move || own(|a| a.fit.as_ref().ok().map(|fit| fit.law.beta), 4))
            value=Signal::derive(move || text(arrivals().beta))
            read=law_number(BETA_RANGE)
            on_change=move |beta| edit(app, move |like| like.arrivals.beta = beta)
        />
        <p class="field-error" role="status" data-testid="no-fit">{fault}</p>
        <Field
            label="p0"
            help="Share of jobs that are submitted together with the one before; empty: the log's own"
            placeholder=Signal::derive(move || own(|a| Some(a.p0), 7))
            value=Signal::derive(move || text(arrivals().p0))
            read=optional(real(P0_RANGE))
            on_change=move |p0| edit(app, move |like| like.arrivals.p0 = p0)
        />
    }
}

/// Why the log has no law of its own; none where it has one, or nothing is known of it.
fn no_fit(described: &Option<Arc<DescribedLog>>) -> Option<NoFit> {
    let described = described.as_ref()?;
    described.unfiltered.as_deref().unwrap_or(&described.summary).arrivals.fit.clone().err()
}

/// Changes how the jobs are made, if they are.
fn edit(app: App, change: impl FnOnce(&mut Likeness) + 'static) {
    app.edit(move |study| {
        if let Some(like) = &mut study.treatment.like {
            change(like);
        }
    });
}

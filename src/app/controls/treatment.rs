//! The treatment of the log before its jobs are simulated.

use super::logs::AccountList;
use super::section::Fold;
use super::setting::StudyForm;
use super::site::site_panel;
use crate::app::files::FileInputs;
use crate::app::notices::sentence;
use crate::app::prelude::*;
use crate::app::state::{App, DescribedLog, RunOutcome};
use crate::app::widget::{ChoiceOption, Field, Select, When, optional, whole};
use packfair_study::check::PROCESSOR_RANGE;
use packfair_study::settings::Section;
use packfair_study::{RunPartition, format};
use packfair_workload::like::{Arrivals, Likeness, NoFit, OF_DYNP};
use packfair_workload::{DataSet, Filter, data_set_of};
use std::sync::Arc;

/// The fields for the whole treatment of the log. Belongs to the late part (scripts/split).
pub fn treatment(described: Memo<Option<Arc<DescribedLog>>>) -> AnyView {
    let app = expect_context::<App>();
    let form = StudyForm::of(app);
    let inputs = expect_context::<FileInputs>();
    let is_table = move || described.with(|log| log.as_ref().is_some_and(|log| log.is_table));
    view! {
        <p class="samples">
            <When when=is_table>
                <button
                    class="link"
                    type="button"
                    data-testid="ask-columns"
                    on:click=move |_| app.ask_columns_of_log()
                >
                    "Columns…"
                </button>
            </When>
            <button class="link" type="button" data-testid="pick-beside" on:click=move |_| inputs.pick_beside()>
                "Add a schedule or estimates…"
            </button>
        </p>
        {move || described.with(|log| log.as_ref().and_then(|log| data_set_of(&log.header)).map(data_set))}
        {site_panel(app)}
        <AccountList described=described />
        <Fold title=Section::Cleaning.title() chosen=form.in_short(Section::Cleaning)>
            {form.fields(Section::Cleaning)}
        </Fold>
        <Fold title=Section::Load.title() chosen=form.in_short(Section::Load)>
            {form.fields(Section::Load)}
        </Fold>
        {filter(app, form, described)}
        <LikeForm described=described />
    }
}

/// The public data set that the log is of: where it is from, and what to cite.
fn data_set(set: &'static DataSet) -> AnyView {
    view! {
        <p class="samples" data-testid="data-set">
            <a href=set.from target="_blank" rel="noopener">{set.name}</a>
            <span class="quiet">{format!(" Cite: {}.", set.cite)}</span>
        </p>
    }
    .into_any()
}

/// The fields for the jobs that are taken, and for the sizes of partitions that are machines of their own.
fn filter(app: App, form: StudyForm, described: Memo<Option<Arc<DescribedLog>>>) -> AnyView {
    let is_set = Memo::new(move |_| app.study.with(|study| study.treatment.filter != Filter::default()));
    let zone = move || described.with(|log| Some(format!("Times: {}.", log.as_ref()?.summary.clock.zone.describe())));
    view! {
        <Fold title=Section::Filter.title() chosen=form.in_short(Section::Filter)>
            {form.fields(Section::Filter)}
            {sizes(app)}
            <p class="quiet">{move || zone()}</p>
            <When when=move || is_set.get()>
                <button
                    class="link"
                    type="button"
                    on:click=move |_| app.edit(|study| study.treatment.filter = Filter::default())
                >
                    "Use all jobs again"
                </button>
            </When>
        </Fold>
    }
}

/// A field for the size of each partition's machine, if partitions are machines of their own.
fn sizes(app: App) -> AnyView {
    let each = Memo::new(move |_| {
        app.study.with(|study| study.partitions.iter().map(|of| (of.number, of.name.clone())).collect::<Vec<_>>())
    });
    let field = move |(number, name): (i32, String)| {
        let is_it = move |of: &&RunPartition| of.number == number;
        let value = move || app.study.with(|study| study.partitions.iter().find(is_it).and_then(|of| of.processors));
        let found = move || {
            let of = |outcome: &Arc<RunOutcome>| {
                let report = &outcome.report;
                report.run.partition.as_ref().filter(is_it).and(report.machine).map(|machine| machine.processors)
            };
            app.results().iter().find_map(of).map(format::whole).unwrap_or_default()
        };
        let set = move |processors: Option<u32>| {
            app.edit(move |study| {
                for of in study.partitions.iter_mut().filter(|of| of.number == number) {
                    of.processors = processors;
                }
            });
        };
        view! {
            <Field
                label=format!("Size of {name}")
                help="Leave it empty to take the largest number that its jobs held at once in the log."
                unit=Signal::derive(move || app.unit().plural().to_owned())
                placeholder=Signal::derive(found)
                value=Signal::derive(move || value().map(format::whole).unwrap_or_default())
                read=optional(whole(PROCESSOR_RANGE))
                on_change=set
            />
        }
    };
    (move || each.get().into_iter().map(field).collect_view()).into_any()
}

// Switches the study between the log's own jobs and generated jobs like them.

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

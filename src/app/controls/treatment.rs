//! The treatment of the log before its jobs are simulated.

use super::account::AccountList;
use super::like::LikeForm;
use super::section::Fold;
use super::setting::StudyForm;
use super::site::site_panel;
use crate::app::files::FileInputs;
use crate::app::prelude::*;
use crate::app::state::{App, DescribedLog, RunOutcome};
use crate::app::widget::{Field, When, optional, whole};
use packfair_study::check::PROCESSOR_RANGE;
use packfair_study::settings::Section;
use packfair_study::{RunPartition, format};
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

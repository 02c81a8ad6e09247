//! The dialog that asks what a file is: a schedule or estimates of the open log, or a table whose columns the user
//! names.

use crate::app::pool::{AskedFile, FileQuestion};
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{ChoiceOption, Choices, Modal};
use crate::run_queue::GivenFile;
use packfair_study::format::whole;
use packfair_workload::{ColumnMap, ExternalKind, LogColumn, TablePreview, ValueForm};
use std::sync::Arc;

/// The longest name that is taken, characters.
const LONGEST: usize = 32;

/// The units of numeric times. The first stands for numbers or dates that are recognised as they look.
const FORMS: [&str; 7] = ["", "ms", "s", "min", "h", "d", "excel"];
const PATTERN: &str = "date";

#[component]
pub fn Asked() -> impl IntoView {
    let app = expect_context::<App>();
    view! {
        <Modal open=app.file_dialog() title="What is in this file?">
            {contents()}
        </Modal>
    }
}

// a function of its own, which belongs to the late part (scripts/split)
#[inline(never)]
fn contents() -> AnyView {
    let app = expect_context::<App>();
    match app.asked.get_untracked() {
        None => ().into_any(),
        Some(AskedFile { name, question: FileQuestion::Beside { kinds, content } }) => {
            beside(app, name, &kinds, content)
        }
        Some(AskedFile { name, question: FileQuestion::Columns { preview, said } }) => {
            columns(app, &name, preview, &said)
        }
    }
}

fn id_of(kind: ExternalKind) -> &'static str {
    match kind {
        ExternalKind::Schedule => "schedule",
        ExternalKind::Estimates => "estimates",
        ExternalKind::Site => "site",
    }
}

/// The form for a file of starts or estimates.
fn beside(app: App, file: String, kinds: &[ExternalKind], content: Arc<Vec<u8>>) -> AnyView {
    let log = app.study.with_untracked(|study| study.source.name());
    let stem = file.rsplit_once('.').map_or(file.as_str(), |(stem, _)| stem);
    let name = RwSignal::new(stem.chars().take(LONGEST).collect::<String>());
    // starts, if the file has both starts and estimates
    let kind = RwSignal::new(kinds.first().copied().unwrap_or(ExternalKind::Schedule));
    let option = |kind: ExternalKind| match kind {
        ExternalKind::Schedule => ChoiceOption::new(
            id_of(kind),
            "A schedule",
            "its starts become a row of the table, once they are checked: nobody starts before submission, and no \
             processor is used twice",
        ),
        ExternalKind::Estimates => ChoiceOption::new(
            id_of(kind),
            "Estimates",
            "schedulers can work with them; jobs that the file does not have keep their requested times",
        ),
        // a file of a site is recognised by its first lines, so that the user is never asked
        ExternalKind::Site => ChoiceOption::new(id_of(kind), "A site", "one of the files of a Slurm site"),
    };
    let options: Vec<ChoiceOption> = kinds.iter().copied().map(option).collect();
    let choose = move |id: String| {
        let all = [ExternalKind::Schedule, ExternalKind::Estimates];
        kind.set(all.into_iter().find(|kind| id_of(*kind) == id).unwrap_or(ExternalKind::Schedule));
    };
    let add = move |_| {
        let content = content.as_ref().clone();
        app.give(GivenFile { name: name.get_untracked(), kind: kind.get_untracked(), content });
        app.close_question();
    };
    let as_log = move |_| {
        app.close_question();
        app.load_asked();
    };
    view! {
        <p data-testid="asked-beside">
            <strong>{file}</strong>
            " has information about jobs, by their numbers. It can be added to the open log, "
            {log}
            ", if it is about the jobs of that log."
        </p>
        <Choices
            legend="Use it as"
            options=options
            value=Signal::derive(move || id_of(kind.get()).to_owned())
            on_change=choose
        />
        <label class="field asked-name">
            <span class="field-label">"Name"</span>
            <span class="field-input">
                <input
                    type="text"
                    maxlength=LONGEST
                    autocomplete="off"
                    data-testid="asked-name"
                    prop:value=move || name.get()
                    on:input=move |event| name.set(event_target_value(&event))
                />
            </span>
        </label>
        <div class="row">
            <button class="button button-accent" type="button" data-testid="asked-add" on:click=add>
                "Add it"
            </button>
            <button class="button" type="button" data-testid="asked-log" on:click=as_log>
                "Open it as a log instead"
            </button>
        </div>
    }
    .into_any()
}

/// The form for a table whose columns the user names.
fn columns(app: App, file: &str, preview: Arc<TablePreview>, said: &ColumnMap) -> AnyView {
    let chosen = RwSignal::new(preview.guessed(said));
    let jobs = {
        let preview = preview.clone();
        Memo::new(move |_| chosen.with(|chosen| preview.jobs(&preview.said(chosen))))
    };
    let is_whole = preview.is_whole;
    let account = move || {
        let jobs = jobs.get();
        let rows = whole(jobs.rows as i128);
        let of = if is_whole { format!("Of {rows} rows") } else { format!("Of the first {rows} rows") };
        let mut text = format!("{of}, {} would be jobs that can be simulated.", whole(jobs.jobs as i128));
        for (what, more) in [("Missing: ", jobs.missing), ("", jobs.left_out)] {
            if !more.is_empty() {
                text = format!("{text} {what}{more}.");
            }
        }
        text
    };
    let column = |(place, name): (usize, &String)| column_head(chosen, place, name);
    let row = |row: &Vec<String>| {
        let values = row.iter().map(|value| view! { <td>{value.clone()}</td> }).collect_view();
        view! { <tr>{values}</tr> }
    };
    let heads = preview.names.iter().enumerate().map(column).collect_view();
    let rows = preview.shown().iter().map(row).collect_view();
    let read = move |_| {
        let columns = chosen.with_untracked(|chosen| preview.said(chosen));
        app.close_question();
        app.load_mapped(&preview, columns);
    };
    view! {
        <p>
            "What are the columns of " <strong>{file.to_owned()}</strong>
            "? Needed are the submission; the run time, or start and end; and processors or nodes. Your choices are \
             remembered for files with the same columns."
        </p>
        <div class="asked-table" tabindex="0" role="region" aria-label="First rows of the table">
            <table data-testid="asked-columns">
                <thead>
                    <tr>{heads}</tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        <p role="status" data-testid="asked-jobs" data-value=move || jobs.with(|jobs| jobs.jobs)>{account}</p>
        <div class="row">
            <button
                class="button button-accent"
                type="button"
                data-testid="asked-read"
                disabled=move || jobs.with(|jobs| jobs.jobs == 0)
                on:click=read
            >
                "Read it"
            </button>
            <button class="button" type="button" on:click=move |_| app.close_question()>"Cancel"</button>
        </div>
    }
    .into_any()
}

type ChosenColumns = RwSignal<Vec<(Option<LogColumn>, ValueForm)>>;

fn words(field: LogColumn) -> &'static str {
    match field {
        LogColumn::Id => "job id",
        LogColumn::Submit => "submission",
        LogColumn::Eligible => "eligible since",
        LogColumn::Start => "start",
        LogColumn::End => "end",
        LogColumn::Run => "run time",
        LogColumn::Wait => "wait",
        LogColumn::Limit => "time limit",
        LogColumn::Processors => "processors",
        LogColumn::Nodes => "nodes",
        LogColumn::Gpus => "GPUs",
        LogColumn::Tres => "TRES of Slurm",
        LogColumn::User => "user",
        LogColumn::Group => "account or group",
        LogColumn::Queue => "queue",
        LogColumn::Partition => "partition",
        LogColumn::Executable => "name or program",
        LogColumn::Status => "state",
        LogColumn::Watts => "watts",
        LogColumn::Energy => "energy, joules",
    }
}

/// The heading of a column: its name, its meaning, and how its times are written.
fn column_head(chosen: ChosenColumns, place: usize, name: &str) -> AnyView {
    let field = Memo::new(move |_| chosen.with(|chosen| chosen[place].0));
    let form = Memo::new(move |_| chosen.with(|chosen| chosen[place].1.clone()));
    let set_field = move |event| {
        let id = event_target_value(&event);
        let field = LogColumn::ALL.into_iter().find(|field| field.id() == id);
        chosen.update(|chosen| {
            // each field of a job is in one column only
            let others = chosen.iter_mut().filter(|(other, _)| other.is_some() && *other == field);
            others.for_each(|other| other.0 = None);
            chosen[place] = (field, ValueForm::AsItLooks);
        });
    };
    let set_form = move |text: &str| {
        // the same words as on the command line
        let form = match text {
            "" => Some(ValueForm::AsItLooks),
            PATTERN => Some(ValueForm::Date("%d.%m.%Y %H:%M:%S".to_owned())),
            text if text.contains('%') => Some(ValueForm::Date(text.to_owned())),
            text => format!("run=x:{text}").parse().ok().map(|mapped: packfair_workload::MappedColumn| mapped.form),
        };
        if let Some(form) = form {
            chosen.update(|chosen| chosen[place].1 = form);
        }
    };
    let fields = LogColumn::ALL.map(|option| {
        view! { <option value=option.id() prop:selected=move || field.get() == Some(option)>{words(option)}</option> }
    });
    let forms = FORMS.map(|option| {
        let name = match option {
            "" => "as it looks".to_owned(),
            "excel" => "days of a spreadsheet".to_owned(),
            unit => format!("numbers, {unit}"),
        };
        view! { <option value=option prop:selected=move || form.with(|f| f.to_string() == option)>{name}</option> }
    });
    let (of_field, of_form, of_pattern) =
        (format!("What {name} is"), format!("How {name} is written"), format!("Pattern of the dates of {name}"));
    let is_pattern = move || form.with(|form| matches!(form, ValueForm::Date(_)));
    let pattern = move || {
        is_pattern().then(|| {
            view! {
                <input
                    type="text"
                    aria-label=of_pattern.clone()
                    prop:value=move || form.with(ToString::to_string)
                    on:change=move |event| {
                        let text = event_target_value(&event);
                        // a text without a pattern field is no pattern
                        set_form(if text.contains('%') { text.as_str() } else { PATTERN });
                    }
                />
            }
        })
    };
    let how = view! {
        <select
            aria-label=of_form
            hidden=move || !field.get().is_some_and(LogColumn::is_of_time)
            on:change=move |event| set_form(&event_target_value(&event))
        >
            {forms.into_iter().collect_view()}
            <option value=PATTERN prop:selected=is_pattern>"dates by a pattern"</option>
        </select>
    };
    view! {
        <th scope="col">
            <span class="asked-column">{name.to_owned()}</span>
            <select aria-label=of_field data-testid=format!("asked-column-{place}") on:change=set_field>
                <option value="" prop:selected=move || field.get().is_none()>"not used"</option>
                {fields.into_iter().collect_view()}
            </select>
            {how}
            {pattern}
        </th>
    }
    .into_any()
}

//! Saves the schedule of a run as a file.

use super::Dialogs;
use crate::app::files;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{ChoiceOption, Choices, Modal, Select};
use packfair_study::Run;
use packfair_study::query::{Answer, Query, ScheduleFormat};

/// Each format with its id, name, help, file ending and media type.
const FORMATS: [(ScheduleFormat, &str, &str, &str, &str, &str); 5] = [
    (ScheduleFormat::Swf, "swf", "SWF", "The log again, with the simulated waits", "swf", "text/plain"),
    (
        ScheduleFormat::BatsimJobs,
        "batsim",
        "jobs.csv",
        "As Batsim writes and evalys reads it",
        "batsim.csv",
        "text/csv",
    ),
    (ScheduleFormat::Starts, "starts", "Starts", "Job, start and estimate, as CSV", "csv", "text/csv"),
    (ScheduleFormat::Jobs, "jobs", "Jobs", "Each job with all that is known of it, as CSV", "jobs.csv", "text/csv"),
    (ScheduleFormat::Killed, "killed", "Killed", "Executions that were killed, as CSV", "killed.csv", "text/csv"),
];

/// The dialog that asks for the run and the format.
#[component]
pub fn ExportSchedule() -> impl IntoView {
    let dialogs = expect_context::<Dialogs>();
    view! {
        <Modal open=dialogs.schedule title="Save a schedule">
            <Form />
        </Modal>
    }
}

#[component]
fn Form() -> impl IntoView {
    let app = expect_context::<App>();
    let dialogs = expect_context::<Dialogs>();
    let runs = Memo::new(move |_| {
        let with_schedule = app.results().into_iter().filter(|outcome| outcome.has_schedule);
        with_schedule.map(|outcome| outcome.report.run.clone()).collect::<Vec<_>>()
    });
    let first = runs.with_untracked(|runs| app.highlighted.get_untracked().filter(|run| runs.contains(run)));
    let first = first.or_else(|| runs.with_untracked(|runs| runs.first().cloned()));
    let chosen = RwSignal::new(first.map(|run| run.id()).unwrap_or_default());
    let format = RwSignal::new("swf".to_owned());
    let making = RwSignal::new(false);
    let failure = RwSignal::new(None::<String>);

    let options = Signal::derive(move || {
        runs.with(|runs| runs.iter().map(|run| ChoiceOption::new(run.id(), name_of(run), "")).collect::<Vec<_>>())
    });
    let formats = FORMATS.iter().map(|(_, id, name, help, ..)| ChoiceOption::new(*id, *name, *help)).collect();
    let save = move |_| {
        let run = runs.with_untracked(|runs| runs.iter().find(|run| run.id() == chosen.get_untracked()).cloned());
        let Some(run) = run else { return };
        making.set(true);
        leptos::task::spawn_local(async move {
            let outcome = export(app, run, &format.get_untracked()).await;
            // the dialog may be closed by now
            making.try_set(false);
            match outcome {
                Ok(()) => dialogs.schedule.set(false),
                Err(message) => drop(failure.try_set(Some(message))),
            }
        });
    };
    view! {
        <Select label="Run" options=options value=chosen on_change=move |id| chosen.set(id) />
        <Choices legend="As" options=formats value=format on_change=move |id| format.set(id) />
        <p class="field-error" role="alert">{failure}</p>
        <div class="row">
            <button class="button button-accent" type="button" disabled=making on:click=save>
                {move || if making.get() { "Being made…" } else { "Save" }}
            </button>
        </div>
    }
}

fn name_of(run: &Run) -> String {
    format!("{}, {}", run.scheduler.name(), run.estimate)
}

async fn export(app: App, run: Run, format: &str) -> Result<(), String> {
    let found = FORMATS.iter().find(|(_, id, ..)| *id == format);
    let (format, .., ending, media_type) = found.ok_or("Choose a format.")?;
    let name = files::of_log(app, &format!("{}.{ending}", run.file_stem()));
    match app.ask(Query::Export { run, format: *format }).await? {
        Answer::File(bytes) => files::save(&name, media_type, &bytes),
        _ => Err("The schedule cannot be written.".to_owned()),
    }
}

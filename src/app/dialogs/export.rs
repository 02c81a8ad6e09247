//! Exports of studies, results, tables and schedules for other programs.

use super::{CopyButton, Dialogs};
use crate::app::actions::ShareLink;
use crate::app::files;
use crate::app::notices::runs;
use crate::app::prelude::*;
use crate::app::remembered;
use crate::app::state::{App, LogState};
use crate::app::widget::{ChoiceOption, Choices, Modal, Select};
use leptos::{ev, html};
use packfair_chart::kinds::run_names;
use packfair_study::query::{Answer, Query, ScheduleFormat};
use packfair_study::{Run, format};

// Saves the log as an SWF file, with or without its names.

/// The storage key of the anonymisation key: two months anonymised with the same key agree.
const KEY: &str = "packfair.anonymous";

/// The length of a new key, bytes.
const KEY_LENGTH: usize = 16;

/// The dialog that asks whether names stay.
#[component]
pub fn ExportLog() -> impl IntoView {
    let dialogs = expect_context::<Dialogs>();
    view! {
        <Modal open=dialogs.log title="Save the log as SWF">
            {form()}
        </Modal>
    }
}

// a function of its own, which belongs to the late part (scripts/split)
#[inline(never)]
fn form() -> AnyView {
    let app = expect_context::<App>();
    let dialogs = expect_context::<Dialogs>();
    let chosen = RwSignal::new("names".to_owned());
    let key = RwSignal::new(remembered::get_newest::<String>(KEY).unwrap_or_default());
    let failure = RwSignal::new(None::<String>);
    let options = vec![
        ChoiceOption::new("names", "With names", "Users, groups, queues and partitions are named in its header"),
        ChoiceOption::new(
            "anonymous",
            "Anonymous",
            "Users, groups, queues, partitions and programs become numbers that only those who have the key can trace back; job \
             numbers, memory and comments are left out",
        ),
    ];
    let is_anonymous = move || chosen.with(|chosen| chosen == "anonymous");
    let save = move |_| {
        let key = is_anonymous().then(|| {
            let given = key.with_untracked(|key| key.trim().to_owned());
            let key = if given.is_empty() { new_key() } else { Some(given) };
            key.inspect(|key| remembered::set_newest(KEY, key))
        });
        let key = match key {
            Some(None) => return failure.set(Some("The browser has no random numbers: type a key.".to_owned())),
            key => key.flatten(),
        };
        leptos::task::spawn_local(async move {
            match export(app, key).await {
                Ok(()) => dialogs.log.set(false),
                // the dialog may be closed by now
                Err(message) => drop(failure.try_set(Some(message))),
            }
        });
    };
    view! {
        <Choices legend="Names" options value=chosen on_change=move |id| chosen.set(id) />
        <label class="field" hidden=move || !is_anonymous()>
            <span class="field-label">"Key"</span>
            <span class="field-input">
                <input
                    type="text"
                    data-testid="anonymous-key"
                    placeholder="made where there is none"
                    autocomplete="off"
                    spellcheck="false"
                    prop:value=key
                    on:input=move |event| key.set(event_target_value(&event))
                />
            </span>
            <span class="choice-help">
                "The same key gives a user the same number in every log. This browser remembers it; the command line takes \
                 it as --anonymise=KEY."
            </span>
        </label>
        <p class="field-error" role="alert">{failure}</p>
        <div class="row">
            <button class="button button-accent" type="button" data-testid="save-log" on:click=save>"Save"</button>
        </div>
    }
}

/// A new random key; `None` if the browser has no random numbers.
fn new_key() -> Option<String> {
    let mut bytes = [0; KEY_LENGTH];
    window().crypto().ok()?.get_random_values_with_u8_array(&mut bytes).ok()?;
    Some(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

async fn export(app: App, key: Option<String>) -> Result<(), String> {
    let name = match &key {
        Some(_) => "anonymous.swf".to_owned(),
        None => format!("{}.swf", app.study.with_untracked(|study| study.source.name())),
    };
    match app.ask(Query::Log { key }).await? {
        Answer::File(bytes) => files::save(&name, "text/plain", &bytes),
        _ => Err("The log cannot be written.".to_owned()),
    }
}

// Saves the schedule of a run as a file.

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
            let outcome = export_schedule_export(app, run, &format.get_untracked()).await;
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

async fn export_schedule_export(app: App, run: Run, format: &str) -> Result<(), String> {
    let found = FORMATS.iter().find(|(_, id, ..)| *id == format);
    let (format, .., ending, media_type) = found.ok_or("Choose a format.")?;
    let name = files::of_log(app, &format!("{}.{ending}", run.file_stem()));
    match app.ask(Query::Export { run, format: *format }).await? {
        Answer::File(bytes) => files::save(&name, media_type, &bytes),
        _ => Err("The schedule cannot be written.".to_owned()),
    }
}

// The link that carries the study and its results.

#[component]
pub fn Share() -> impl IntoView {
    let dialogs = expect_context::<Dialogs>();
    view! {
        <Modal open=dialogs.share title="Share">
            <LinkNow />
        </Modal>
    }
}

/// The link of the study on screen when the dialog opens. If the log is still being read, the link is made again once
/// it is loaded.
#[component]
fn LinkNow() -> impl IntoView {
    let app = expect_context::<App>();
    let is_read = Memo::new(move |_| matches!(app.log.get(), LogState::Ready(_)));
    let link = move || {
        // subscribes to the memo: only memos that have been read announce changes
        let _ = is_read.get();
        match untrack(|| app.link()) {
            Ok(link) => view! { <LinkForm link /> },
            Err(message) => view! { <p class="field-error" role="alert">{message}</p> },
        }
    };
    view! { {move || link()} }
}

/// What a link carries of a study on the log `trace`, in words.
fn carries(link: &ShareLink, trace: &str) -> String {
    let numbers = format!(
        "the numbers of {} on {trace}, the verdict for what matters to you, the recipe and the partition",
        runs(link.results)
    );
    let numbers = if link.has_front { format!("{numbers}, what Explore found") } else { numbers };
    let again = "Whoever has the same log can drop it there to compute everything again";
    if link.charted.len() == link.results {
        return format!("It carries the study, {numbers} and their charts, but not the log itself. {again}.");
    }
    let names = run_names(&link.charted.iter().collect::<Vec<_>>()).join("; ");
    let charts = match link.charted.len() {
        0 => "no charts, for which there is no room".to_owned(),
        some => format!("the charts of {some} of them, for which there is room ({names})"),
    };
    format!(
        "It carries the study, {numbers} and {charts}, but not the log itself. {again} and draw the other charts. Choose \
         under Charts whose charts come first."
    )
}

/// The files that are needed beside the log to compute everything again, in words.
fn files_needed(app: App) -> String {
    let needed = app.study.with_untracked(packfair_study::Study::needed_files);
    let names: Vec<String> = needed.iter().map(|needed| needed.file.name().to_owned()).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => format!(" The file {one} is needed for that, too: the link does not carry it."),
        more => format!(" The files {} are needed for that, too: the link does not carry them.", more.join(", ")),
    }
}

#[component]
fn LinkForm(link: ShareLink) -> impl IntoView {
    let app = expect_context::<App>();
    let trace = app.study.with_untracked(|s| s.source.name());
    let carries = carries(&link, &trace);
    let ShareLink { address, short, .. } = link;
    let length = |link: &str| format!("{} characters", format::whole(link.len() as i128));
    let (of_whole, of_short) = (length(&address), length(&short));
    view! {
        <p data-testid="share-carries">{carries} {files_needed(app)}</p>
        {one_link("Link", "share-link", "Copy link", address)}
        <p class="quiet numeric">{of_whole} ", all within the link; nothing is stored on a server."</p>
        <p>"A shorter one carries the values alone, without charts, for a mail or a chat:"</p>
        {one_link("Short link, values alone", "share-short", "Copy short link", short)}
        <p class="quiet numeric">{of_short}</p>
    }
}

/// The field of a link, with the button that copies it.
fn one_link(name: &'static str, id: &'static str, label: &'static str, link: String) -> AnyView {
    let node = NodeRef::<html::Input>::new();
    let select = move |_: ev::FocusEvent| {
        if let Some(input) = node.get_untracked() {
            input.select();
        }
    };
    view! {
        <div class="share-link">
            <input
                type="text"
                readonly
                aria-label=name
                data-testid=id
                value=link.clone()
                node_ref=node
                on:focus=select
            />
            <CopyButton text=Signal::stored(link) label />
        </div>
    }
}

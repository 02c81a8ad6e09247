//! The machine: its cells and partitions as small tables, and its changes on a time line. Belongs to the late part
//! (scripts/split).

use super::power::power;
use super::setting::Problems;
use super::site::{change, set, take};
use crate::app::arrival;
use crate::app::notices::sentence;
use crate::app::prelude::*;
use crate::app::state::{App, DescribedLog};
use crate::app::widget::When;
use leptos::ev;
use packfair_base::machine::{
    CELL_COLUMNS, CHANGE_COLUMNS, ChangeDescription, MachineDescription, MachineText, PARTITION_COLUMNS, SheetColumn,
};
use packfair_study::{machine_of_partitions, machine_of_site, overlap_of_partitions};
use packfair_workload::{Seconds, Summary, write_moment};
use std::sync::Arc;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement};

/// The width of the time line, in its own units.
const WIDTH: f64 = 1_000.0;

/// The shortest drag that makes a window, in units of the time line.
const LEAST: f64 = 4.0;

/// The largest number of rows that a table shows: a calendar of thousands belongs in a file.
const MOST_ROWS: usize = 100;

type LogMemo = Memo<Option<Arc<DescribedLog>>>;

/// Cells, partitions and changes of the machine, as tables, on a time line and as a file.
pub fn machine(app: App, log: LogMemo) -> AnyView {
    let described = Memo::new(move |_| app.study.with(|study| study.treatment.machine.as_deref().cloned()));
    let has_cells = Memo::new(move |_| described.with(|of| of.as_ref().is_some_and(|of| !of.cells.is_empty())));
    let problems = use_context::<Problems>();
    let describe = move |_| {
        let processors = log.with_untracked(|log| log.as_ref().map_or(1, |log| log.summary.machine.processors));
        change(app, move |machine| machine.cells = MachineDescription::of_processors(processors).cells);
        app.edit(|study| study.treatment.processors = None);
    };
    let forget = move |_| app.edit(|study| study.treatment.machine = None);
    view! {
        <div class="machine-form" data-testid="machine-form">
            <When when=move || has_cells.get()>
                <p class="quiet">"Cells: nodes of one size that the same partitions may use."</p>
                {cells(app, described)}
                {press("Add a cell", "machine-add-cell", move |_| change(app, MachineDescription::add_cell))}
                {power(app, described, log)}
                {partitions(app, described)}
                {press("Add a partition", "machine-add-partition", move |_| change(app, MachineDescription::add_partition))}
            </When>
            <When when=move || !has_cells.get()>
                {press("Describe its cells", "machine-describe", describe)}
                {known_elsewhere(app, log)}
            </When>
            {changes(app, log, described)}
            <p class="field-error" role="status" data-testid="machine-problem">
                {move || problems.and_then(|problems| problems.about("machine"))}
            </p>
            {as_file(app, described)}
            <When when=move || described.with(Option::is_some)>
                {press("Use the log's own machine", "machine-forget", forget)}
            </When>
        </div>
    }
}

/// Other sources from which cells can be taken: the partitions of the log, and the files of a Slurm site beside it.
fn known_elsewhere(app: App, log: LogMemo) -> AnyView {
    let has_partitions = move || log.with(|log| log.as_ref().is_some_and(|log| log.summary.partitions.len() > 1));
    let has_site = move || app.site.with(Option::is_some);
    let of_log = move |_| {
        let Some(log) = log.get_untracked() else { return };
        match machine_of_partitions(&log.summary) {
            Err(problem) => app.complain(format!("{}.", sentence(&problem))),
            Ok(machine) => {
                let more = overlap_of_partitions(&log.summary, &machine);
                let more = more.map(|more| format!(" {}.", sentence(&more))).unwrap_or_default();
                take(app, "What the partitions of the log make", machine, &more);
            }
        }
    };
    let of_site = move |_| {
        let Some(site) = app.site_beside() else { return };
        let announced = app.study.with_untracked(|study| study.treatment.announced);
        match machine_of_site(&site, announced) {
            Err(problem) => app.complain(format!("{}.", sentence(&problem))),
            Ok(machine) => take(app, "The site", machine, ""),
        }
    };
    view! {
        <When when=has_partitions>{press("Use the log's partitions", "machine-of-partitions", of_log)}</When>
        <When when=has_site>{press("Use the Slurm site's nodes", "machine-of-site", of_site)}</When>
    }
    .into_any()
}

fn press(label: &'static str, id: &'static str, on_press: impl Fn(ev::MouseEvent) + 'static) -> AnyView {
    view! {
        <button class="link" type="button" data-testid=id on:click=on_press>
            {label}
        </button>
    }
}

type DescriptionMemo = Memo<Option<MachineDescription>>;

fn rows<T: Clone>(described: DescriptionMemo, of: fn(&MachineDescription) -> &Vec<T>) -> Vec<T> {
    described.with(|machine| machine.as_ref().map(|machine| of(machine).clone()).unwrap_or_default())
}

fn cells(app: App, described: DescriptionMemo) -> AnyView {
    let row = move |(place, cell): (usize, packfair_base::machine::CellDescription)| {
        let name = cell.name.clone();
        let rename = move |text: String| {
            let mut trial = described.get_untracked().unwrap_or_default();
            trial.rename_cell(place, &text)?;
            app.edit(move |study| set(study, trial));
            Ok(())
        };
        let fields = CELL_COLUMNS.iter().map(|column| {
            let take = move |text: String| take_into(app, column, |machine| &mut machine.cells, place, &text);
            input(format!("{} of cell {name}", column.title), column.help, (column.get)(&cell), "number-cell", take)
        });
        let remove = move |_| change(app, move |machine| machine.remove_cell(place));
        view! {
            <tr>
                <td>{input(format!("Name of cell {}", place + 1), "", name.clone(), "", rename)}</td>
                {fields.map(|field| view! { <td>{field}</td> }).collect_view()}
                <td>{remove_button(format!("Remove cell {name}"), remove)}</td>
            </tr>
        }
    };
    let headings = std::iter::once("Name").chain(CELL_COLUMNS.iter().map(|column| column.title));
    let body = move || rows(described, |of| &of.cells).into_iter().enumerate().take(MOST_ROWS).map(row).collect_view();
    table("Cells", "machine-cells", headings.collect(), move || body().into_any())
}

fn partitions(app: App, described: DescriptionMemo) -> AnyView {
    let body = move || {
        let rows = rows(described, |of| &of.partitions);
        plain_rows(app, rows, &PARTITION_COLUMNS, "partition", |machine| &mut machine.partitions, |_, text| text)
    };
    let is_any = move || described.with(|of| of.as_ref().is_some_and(|of| !of.partitions.is_empty()));
    let headings: Vec<&'static str> = PARTITION_COLUMNS.iter().map(|column| column.title).collect();
    view! {
        <When when=is_any>{table("Partitions", "machine-partitions", headings.clone(), body)}</When>
    }
}

/// The changes of the machine, on a time line and as a table.
fn changes(app: App, log: LogMemo, described: DescriptionMemo) -> AnyView {
    let is_any = move || described.with(|of| of.as_ref().is_some_and(|of| !of.changes.is_empty()));
    // times that are given in seconds are shown as dates of the log's clock
    let shown = move |column: &SheetColumn<ChangeDescription>, text: String| match text.parse::<Seconds>() {
        Ok(seconds) if column.is_moment => {
            log.with_untracked(|log| write_moment(log.as_ref().map(|log| &log.summary.clock), seconds))
        }
        _ => text,
    };
    let body = move || {
        let rows = rows(described, |of| &of.changes);
        plain_rows(app, rows, &CHANGE_COLUMNS, "change", |machine| &mut machine.changes, shown)
    };
    let add = move |_| {
        let span = log.with_untracked(|log| log.as_ref().map(|log| span(log)));
        let (begin, end) = span.unwrap_or((0, 86_400));
        let middle = begin + (end - begin) / 2;
        add_window(app, middle, middle + ((end - begin) / 50).max(1));
    };
    let headings: Vec<&'static str> = CHANGE_COLUMNS.iter().map(|column| column.title).collect();
    view! {
        {time_line(app, log, described)}
        {press("Add a window", "machine-add-window", add)}
        <When when=is_any>{table("Changes of its nodes", "machine-changes", headings.clone(), body)}</When>
    }
}

fn add_window(app: App, from: Seconds, until: Seconds) {
    change(app, move |machine| machine.add_window(from, until));
}

/// The submit times of the log's first and last jobs.
fn span(log: &DescribedLog) -> (Seconds, Seconds) {
    let span = &log.summary.span;
    (span.first_submit, span.last_submit.max(span.first_submit + 1))
}

/// The changes over the span of the log: fewer nodes below the line, more nodes above it. Dragging makes a window.
fn time_line(app: App, log: LogMemo, described: DescriptionMemo) -> AnyView {
    let dragged = RwSignal::new(None::<(f64, f64)>);
    let at = |event: &ev::PointerEvent| {
        let target = event.current_target().and_then(|target| target.dyn_into::<Element>().ok())?;
        let frame = target.get_bounding_client_rect();
        let share = (f64::from(event.client_x()) - frame.left()) / frame.width().max(1.0);
        Some(share.clamp(0.0, 1.0) * WIDTH)
    };
    let down = move |event: ev::PointerEvent| {
        if let Some(x) = at(&event) {
            dragged.set(Some((x, x)));
            event.prevent_default();
        }
    };
    let moved = move |event: ev::PointerEvent| {
        if let (Some((from, _)), Some(x)) = (dragged.get_untracked(), at(&event)) {
            dragged.set(Some((from, x)));
        }
    };
    let up = move |_: ev::PointerEvent| {
        let Some((one, other)) = dragged.get_untracked() else { return };
        dragged.set(None);
        let (from, until) = (one.min(other), one.max(other));
        let Some((begin, end)) = log.with_untracked(|log| log.as_ref().map(|log| span(log))) else { return };
        if until - from >= LEAST {
            let time = |x: f64| begin + ((end - begin) as f64 * x / WIDTH).round() as Seconds;
            add_window(app, time(from), time(until));
        }
    };
    let bars = move || {
        log.with(|log| {
            let Some(log) = log else { return Vec::new() };
            described.with(|machine| machine.as_ref().map(|machine| bars(machine, log)).unwrap_or_default())
        })
    };
    let bar = |ChangeBar { x, width, comes, announced, label }: ChangeBar| {
        let (y, class) = if comes { ("4", "bar-comes") } else { ("18", "bar-goes") };
        let notice = announced.map(|from| {
            view! { <rect class="bar-notice" x=from.to_string() y="22" width=(x - from).max(0.0).to_string() height="4"/> }
        });
        view! {
            <g>
                {notice}
                <rect class=class x=x.to_string() y=y width=width.to_string() height="12"><title>{label}</title></rect>
            </g>
        }
    };
    let drag = move || {
        let (one, other) = dragged.get()?;
        let width = (one - other).abs().to_string();
        Some(view! { <rect class="bar-drag" x=one.min(other).to_string() y="0" width=width height="34"/> })
    };
    let ends = move || {
        log.with(|log| {
            let log = log.as_ref()?;
            let (begin, end) = span(log);
            let clock = &log.summary.clock;
            Some(format!("{} to {}", write_moment(Some(clock), begin), write_moment(Some(clock), end)))
        })
    };
    view! {
        <figure class="time-line" data-testid="machine-time-line">
            <svg
                viewBox="0 0 1000 34"
                preserveAspectRatio="none"
                role="img"
                aria-label="Changes of the machine over the log's span; the table below says the same"
                on:pointerdown=down
                on:pointermove=moved
                on:pointerup=up
                on:pointerleave=move |_| dragged.set(None)
            >
                <line class="bar-axis" x1="0" x2="1000" y1="17" y2="17"/>
                {move || bars().into_iter().map(bar).collect_view()}
                {drag}
            </svg>
            <figcaption class="quiet">{ends} ". Drag to make a window."</figcaption>
        </figure>
    }
}

/// A change as it is drawn on the time line.
struct ChangeBar {
    x: f64,
    width: f64,
    comes: bool,
    /// The position of its announcement.
    announced: Option<f64>,
    label: String,
}

/// A bar for each occurrence of each change whose dates can be read.
fn bars(machine: &MachineDescription, log: &DescribedLog) -> Vec<ChangeBar> {
    let clock = &log.summary.clock;
    let (begin, end) = span(log);
    let x = |time: Seconds| ((time - begin) as f64 / (end - begin) as f64 * WIDTH).clamp(0.0, WIDTH);
    let summary: &Summary = &log.summary;
    let Ok(made) = machine.on(summary) else { return Vec::new() };
    let bar = |change: &packfair_base::machine::Change| {
        let (from, until) = (x(change.from), x(change.until.unwrap_or(end)));
        let until_text = change.until.map_or("for ever".to_owned(), |until| write_moment(Some(clock), until));
        ChangeBar {
            x: from,
            width: (until - from).max(2.0),
            comes: change.nodes > 0,
            announced: change.announced.map(x).filter(|&at| at < from),
            label: format!(
                "{} nodes of {}, {} to {until_text}",
                change.nodes,
                made.cells()[change.cell].name,
                write_moment(Some(clock), change.from)
            ),
        }
    };
    made.calendar().iter().take(MOST_ROWS * 10).map(bar).collect()
}

/// The rows of a table whose cells are given by `columns`.
fn plain_rows<T: Clone + 'static>(
    app: App,
    rows: Vec<T>,
    columns: &'static [SheetColumn<T>],
    what: &'static str,
    of: fn(&mut MachineDescription) -> &mut Vec<T>,
    shown: impl Fn(&SheetColumn<T>, String) -> String + Copy + 'static,
) -> AnyView {
    let row = move |(place, row): (usize, T)| {
        let fields = columns.iter().map(|column| {
            let take = move |text: String| take_into(app, column, of, place, &text);
            let label = format!("{} of {what} {}", column.title, place + 1);
            view! { <td>{input(label, column.help, shown(column, (column.get)(&row)), "", take)}</td> }
        });
        let remove = move |_| {
            change(app, move |machine| {
                let rows = of(machine);
                if place < rows.len() {
                    rows.remove(place);
                }
            });
        };
        view! {
            <tr>
                {fields.collect_view()}
                <td>{remove_button(format!("Remove {what} {}", place + 1), remove)}</td>
            </tr>
        }
    };
    rows.into_iter().enumerate().take(MOST_ROWS).map(row).collect_view().into_any()
}

/// Sets a field of a row of the description from a text.
fn take_into<T: 'static>(
    app: App,
    column: &'static SheetColumn<T>,
    of: fn(&mut MachineDescription) -> &mut Vec<T>,
    place: usize,
    text: &str,
) -> Result<(), &'static str> {
    let mut machine = app.study.with_untracked(|study| study.treatment.machine.as_deref().cloned()).unwrap_or_default();
    if let Some(row) = of(&mut machine).get_mut(place) {
        (column.set)(row, text)?;
    }
    app.edit(move |study| set(study, machine));
    Ok(())
}

fn table(
    caption: &'static str,
    id: &'static str,
    headings: Vec<&'static str>,
    body: impl Fn() -> AnyView + Send + 'static,
) -> AnyView {
    view! {
        <div class="table-scroll">
            <table class="plain-table machine-table" data-testid=id>
                <caption class="visually-hidden">{caption}</caption>
                <thead>
                    <tr>
                        {headings.into_iter().map(|title| view! { <th scope="col">{title}</th> }).collect_view()}
                        <th><span class="visually-hidden">"Remove"</span></th>
                    </tr>
                </thead>
                <tbody>{body}</tbody>
            </table>
        </div>
    }
}

/// A field in a table. If it does not take a value, its hint says why, and the previous value stays in force.
fn input(
    label: String,
    help: &'static str,
    value: String,
    class: &'static str,
    take: impl Fn(String) -> Result<(), &'static str> + 'static,
) -> AnyView {
    let wrong = RwSignal::new(None::<&'static str>);
    let on_change = move |event: ev::Event| wrong.set(take(event_target_value(&event)).err());
    view! {
        <input
            type="text"
            class=class
            autocomplete="off"
            spellcheck="false"
            aria-label=label
            data-hint=help
            aria-invalid=move || wrong.get().is_some().to_string()
            prop:value=value
            on:change=on_change
        />
        <span class="field-error" role="status">
            {move || wrong.get().map(|takes| format!("Accepts {takes}."))}
        </span>
    }
}

fn remove_button(label: String, remove: impl Fn(ev::MouseEvent) + 'static) -> AnyView {
    view! {
        <button class="link" type="button" aria-label=label on:click=remove>
            "\u{d7}"
        </button>
    }
}

/// The machine as a file: to open, paste, change and copy.
fn as_file(app: App, described: DescriptionMemo) -> AnyView {
    let text = move || described.with(|machine| machine.as_ref().map(MachineDescription::to_toml).unwrap_or_default());
    let problem = RwSignal::new(None::<String>);
    let typed = move |event: ev::Event| {
        let text = event_target_value(&event);
        let read = match MachineText::recognise(&text) {
            _ if text.trim().is_empty() => Ok(MachineDescription::default()),
            Some(kind) => kind.read(&text, described.get_untracked().as_ref()),
            None => {
                Err("it begins with neither [[cells]], [[partitions]], [[changes]] nor from,until,nodes".to_owned())
            }
        };
        problem.set(read.as_ref().err().cloned());
        if let Ok(machine) = read {
            app.edit(move |study| set(study, machine));
        }
    };
    let picked = move |event: ev::Event| {
        let Some(input) = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok()) else { return };
        if let Some(list) = input.files() {
            arrival::take(app, &list);
        }
        input.set_value("");
    };
    view! {
        <details class="machine-file">
            <summary>"As a file"</summary>
            <textarea
                class="machine-text"
                rows="8"
                spellcheck="false"
                aria-label="The machine as a file, TOML or a table of changes"
                data-testid="machine-text"
                prop:value=text
                on:change=typed
            ></textarea>
            <p class="field-error" role="status">{move || problem.get().map(|problem| sentence(&problem))}</p>
            <label class="quiet">
                "Open a machine file: " <input type="file" data-testid="machine-input" on:change=picked/>
            </label>
        </details>
    }
}

//! The non-dominated settings, with their values on both parts of the log side by side.

use super::course::SearchOnPage;
use super::make_row;
use crate::app::files;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::When;
use leptos::task::spawn_local;
use packfair_base::catalogue::{Kind, Parameter, Value};
use packfair_study::Run;
use packfair_study::explore::{self, Aspect, Findings, FrontMember, FrontOrder, OtherMachine, PartValues, in_words};
use packfair_study::export::for_spreadsheets;
use packfair_study::format::{MISSING, TimeUnit, change, duration, whole};
use packfair_workload::Unit;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The largest number of rows before the user asks for all.
const FIRST: usize = 60;

/// The table of the non-dominated settings.
#[component]
pub fn FrontTable(course: SearchOnPage) -> impl IntoView {
    let app = expect_context::<App>();
    let findings = course.findings.clone();
    let found = Memo::new(move |_| findings.get());
    let sorting = RwSignal::new(FrontOrder::default());
    let has_all = RwSignal::new(false);
    let count = move || found.with(|found| found.as_ref().map_or(0, |found| found.front.len()));
    let has_more = move || !has_all.get() && count() > FIRST;
    let save = move |_| {
        let Some(found) = found.get_untracked() else { return };
        let csv = for_spreadsheets(&explore::csv(&found));
        if let Err(message) = files::save(&files::of_log(app, "explore.csv"), "text/csv", csv.as_bytes()) {
            app.complain(message);
        }
    };
    view! {
        <div class="row">
            <button class="button" type="button" data-testid="explore-save" on:click=save>"Save as CSV"</button>
            <p class="quiet">
                "What is better than the baseline on the choose and the select part comes first; a click on a heading sorts by it, another one back."
            </p>
        </div>
        <div class="table-scroll">
            {move || found.get().map(|found| rows(app, &found, sorting, has_all.get()))}
        </div>
        <When when=has_more>
            <button class="button" type="button" data-testid="explore-all" on:click=move |_| has_all.set(true)>
                {move || format!("Show all {}", whole(count() as i64))}
            </button>
        </When>
    }
}

fn rows(app: App, found: &Arc<Findings>, sorting: RwSignal<FrontOrder>, has_all: bool) -> AnyView {
    let aspects = found.question.aspects();
    let unit = app.unit();
    let headings = aspects.iter().enumerate().map(|(place, aspect)| {
        let (name, help) = (aspect.name(), aspect.help().in_unit(unit));
        [
            heading(name.clone(), help.clone(), FrontOrder::Chosen(place), sorting),
            heading(format!("{name}, select"), help, FrontOrder::Rest(place), sorting),
        ]
        .collect_view()
    });
    let headings = headings.collect_view();
    let baseline = &found.baseline;
    let cells = aspects.iter().enumerate().map(|(place, &aspect)| {
        [&baseline.choose, &baseline.select]
            .map(|part| cell(aspect, part.get(place).copied().flatten(), None))
            .collect_view()
    });
    let own = view! {
        <tr data-testid="explore-baseline">
            <th scope="row">{found.baseline_name()} <p class="plain-help">"baseline"</p></th>
            <td></td>
            {cells.collect_view()}
        </tr>
    };
    let members = found.in_order(sorting.get());
    let shown = if has_all { members.len() } else { FIRST };
    let lines: Vec<AnyView> =
        members.into_iter().take(shown).map(|member| line(app, found, member, &aspects)).collect();
    view! {
        <table class="plain-table" data-testid="explore-front">
            <caption class="visually-hidden">"Settings that nothing beats, on the choose and the select part of the log"</caption>
            <thead>
                <tr>
                    <th scope="col">"Settings that nothing beats"</th>
                    <th scope="col"><span class="visually-hidden">"Comparison"</span></th>
                    {headings}
                </tr>
            </thead>
            <tbody>{own} {lines}</tbody>
        </table>
    }
}

/// The values of the baseline and these settings on other machines, a table for each machine.
#[component]
pub fn OtherMachines(course: SearchOnPage) -> impl IntoView {
    let app = expect_context::<App>();
    let findings = course.findings.clone();
    move || {
        let found = findings.get()?;
        let unit = app.unit();
        let tables = found.machines.iter().map(|machine| on_machine(&found, machine, unit)).collect_view();
        Some(view! { <div data-testid="explore-machines">{tables}</div> })
    }
}

fn on_machine(found: &Findings, machine: &OtherMachine, unit: Unit) -> AnyView {
    let aspects = found.question.aspects();
    let headings = aspects.iter().map(|aspect| {
        let help = aspect.help().in_unit(unit);
        let heading = |name: String| view! { <th scope="col" class="number" data-hint=help.clone()>{name}</th> };
        [heading(aspect.name()), heading(format!("{}, select", aspect.name()))].collect_view()
    });
    let headings = headings.collect_view();
    let lines = machine.runs.iter().take(1 + FIRST).enumerate().map(|(place, member)| {
        let cells = cells(found, &member.values, &aspects);
        let name = if place == 0 { found.baseline_name() } else { in_words(&member.run) };
        view! {
            <tr>
                <th scope="row" class="wrap">{name}</th>
                {cells}
            </tr>
        }
    });
    let lines = lines.collect_view();
    let title = format!("With {}", machine.what_if.name());
    view! {
        <div class="table-scroll">
            <table class="plain-table">
                <caption>{title} <p class="plain-help">"Changes are to the baseline on the machine as it is."</p></caption>
                <thead>
                    <tr>
                        <th scope="col">"Settings"</th>
                        {headings}
                    </tr>
                </thead>
                <tbody>{lines}</tbody>
            </table>
        </div>
    }
}

/// The values of a run on both parts of the log, with their changes against the baseline.
fn cells(found: &Findings, values: &PartValues, aspects: &[Aspect]) -> AnyView {
    let cells = aspects.iter().enumerate().map(|(place, &aspect)| {
        let at = |values: &[Option<f64>]| values.get(place).copied().flatten();
        let baseline = &found.baseline;
        let chosen = cell(aspect, at(&values.choose), at(&baseline.choose));
        [chosen, cell(aspect, at(&values.select), at(&baseline.select))].collect_view()
    });
    cells.collect_view().into_any()
}

/// A heading that sorts by its column, the best first.
fn heading(name: String, help: String, own: FrontOrder, sorting: RwSignal<FrontOrder>) -> AnyView {
    let is_own = move || sorting.get() == own;
    let click = move |_| sorting.set(if sorting.get_untracked() == own { FrontOrder::Best } else { own });
    view! {
        <th
            scope="col"
            class="number"
            data-hint=help
            aria-sort=move || if is_own() { "ascending" } else { "none" }
        >
            <button class="plain-heading" type="button" on:click=click>
                {name} <span aria-hidden="true">{move || if is_own() { " ▾" } else { "" }}</span>
            </button>
        </th>
    }
}

fn line(app: App, found: &Findings, member: &FrontMember, aspects: &[Aspect]) -> AnyView {
    let cells = cells(found, &member.values, aspects);
    let run = member.run.clone();
    let id = run.id();
    let (label, copies) = (format!("Make {id} a row of the comparison"), format!("Copy the id {id}"));
    let copied = id.clone();
    let copy = move |_| {
        let copied = copied.clone();
        spawn_local(async move {
            match files::copy(&copied).await {
                Ok(()) => app.notify("The id is in the clipboard: the command line takes it.", None),
                Err(message) => app.complain(message),
            }
        });
    };
    view! {
        <tr data-testid="explore-line" data-run=id data-better=found.is_better_on_both(member).to_string()>
            <th scope="row" class="wrap">
                {in_words(&run)}
                <p class="plain-help">{found.verdict(member)}</p>
            </th>
            <td>
                <button
                    class="button button-quiet"
                    type="button"
                    aria-label=label
                    data-testid="explore-take"
                    on:click=move |_| make_row(app, run.clone())
                >
                    "Add row"
                </button>
                <button class="button button-quiet" type="button" aria-label=copies on:click=copy>"Copy id"</button>
            </td>
            {cells}
        </tr>
    }
}

/// A value with its change against the baseline below it. It has no colour: settings were chosen and selected by these
/// parts, so that no change on them is a fact.
fn cell(aspect: Aspect, own: Option<f64>, baseline: Option<f64>) -> AnyView {
    let told = own.map_or(MISSING.to_owned(), |own| aspect.text(own, TimeUnit::Fitting));
    let both = own.zip(baseline).filter(|_| aspect.has_changes());
    let relative = both.map(|(own, baseline)| if own == baseline { 0.0 } else { (own - baseline) / baseline.abs() });
    view! {
        <td class="number">
            {told} {relative.map(|relative| view! { <br /><span class="plain-help">{change(relative)}</span> })}
        </td>
    }
}

// How often each value of each setting occurs among runs.

/// For each setting, by name, the number of runs with each value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValueShares {
    pub(super) counts: BTreeMap<String, BTreeMap<String, u32>>,
}

impl ValueShares {
    /// Counts one more run.
    pub fn count(&mut self, run: &Run) {
        let family = run.scheduler.family().entry.name;
        self.add("Family".to_owned(), family.to_owned());
        self.add("Estimates".to_owned(), run.estimate.to_string());
        for (parameter, value) in run.scheduler.settings().iter() {
            if let (Kind::Changes { tried }, Value::Changes(changes)) = (parameter.kind, value) {
                for (key, _) in tried {
                    let changed = changes.pairs().find(|(own, _)| own == key).map(|(_, value)| value);
                    self.add(format!("{family}: {key}"), changed.unwrap_or("as it is").to_owned());
                }
                continue;
            }
            let value = match value {
                Value::Written(_) => "A formula".to_owned(),
                Value::Whole(Some(number)) if is_time(parameter) => duration(number as f64),
                other => other.to_string(),
            };
            self.add(format!("{family}: {}", parameter.name), value);
        }
    }

    fn add(&mut self, setting: String, value: String) {
        *self.counts.entry(setting).or_default().entry(value).or_default() += 1;
    }

    /// The share of a value among the runs that have the setting.
    pub(super) fn of(&self, setting: &str, value: &str) -> f64 {
        let Some(values) = self.counts.get(setting) else { return 0.0 };
        let all: u32 = values.values().sum();
        f64::from(values.get(value).copied().unwrap_or_default()) / f64::from(all.max(1))
    }
}

fn is_time(parameter: &Parameter) -> bool {
    matches!(parameter.kind, Kind::Whole { unit: "s", .. })
}

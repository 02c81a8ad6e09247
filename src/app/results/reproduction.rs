//! The figure or table that a recipe reproduces: the figure enlarged, the table beside the paper's own numbers.

use crate::app::charts::{NamedFigure, sizes};
use crate::app::prelude::*;
use crate::app::state::{App, DescribedLog, LogState};
use crate::app::widget::When;
use packfair_engine::classifier::evaluation::Shares;
use packfair_papers::printed::{Facts, PrintedComparison, PrintedTable, paper_log};
use packfair_papers::recipe::Recipe;
use packfair_study::table::GridLine;

/// The recipe chosen last, as long as the study runs what it says.
fn followed(app: App) -> Memo<Option<&'static Recipe>> {
    Memo::new_with_compare(move |_| still(app), |_, _| true)
}

fn printed_table(recipe: Option<&'static Recipe>) -> Option<&'static PrintedTable> {
    PrintedTable::of_recipe(recipe?.entry.id)
}

/// The recipe's name, and the button that closes it.
fn head(app: App, recipe: Memo<Option<&'static Recipe>>) -> AnyView {
    view! {
        <div class="compare-head">
            <h2>{move || recipe.get().map_or("", |recipe| recipe.entry.name)}</h2>
            <button type="button" class="button button-quiet" on:click=move |_| app.close_recipe()>"Close"</button>
        </div>
    }
    .into_any()
}

/// The paper's figures beside ours, above the comparison table. They disappear when the study no longer runs what the
/// recipe says; further rows change nothing of them.
#[component]
pub fn Reproduction() -> impl IntoView {
    let app = expect_context::<App>();
    let recipe = followed(app);
    let table = move || printed_table(recipe.get());
    let sizes = sizes(app, Memo::new(move |_| table().is_some_and(PrintedTable::has_shares)));
    // the choice by hand holds for this log only: another log is recognised again
    let content = Memo::new(move |_| app.log.with(|log| described(log).and_then(|described| described.fingerprint)));
    Effect::watch(
        move || content.get(),
        move |now, before, _| {
            if before.copied().flatten().is_some() && before != Some(now) {
                app.take_for(None);
            }
        },
        false,
    );
    let compared = Memo::new(move |_| {
        let shares = sizes.with(|sizes| sizes.as_ref().and_then(|sizes| sizes.shares));
        compare(app, recipe.get()?, app.taken_for.get(), shares)
    });
    let help = move || recipe.get().map_or("", |recipe| recipe.entry.help);
    let logs = Memo::new(move |_| table().map_or_else(Vec::new, |table| table.logs().collect()));
    view! {
        <When when=move || table().is_some()>
            <section
                class="reproduction"
                data-testid="reproduction"
                aria-label=move || recipe.get().map_or("", |recipe| recipe.entry.name)
            >
                {head(app, recipe)}
                <Beside compared help=Signal::derive(help)/>
                <TakeFor table=logs/>
            </section>
        </When>
    }
}

/// The figure that a recipe reproduces, enlarged, below the comparison table.
#[component]
pub fn ReproducedFigure() -> impl IntoView {
    let app = expect_context::<App>();
    let recipe = followed(app);
    let id = Memo::new(move |_| recipe.get().map_or("", |recipe| recipe.entry.id));
    let has_table = move || printed_table(recipe.get()).is_some();
    let help = move || recipe.get().map_or("", |recipe| recipe.entry.help);
    view! {
        <When when=move || !id.get().is_empty()>
            <section
                class="reproduction"
                data-testid=move || if has_table() { "reproduced-figure" } else { "reproduction" }
                aria-label=move || format!("{}, figure", recipe.get().map_or("", |recipe| recipe.entry.name))
            >
                <When when=move || !has_table()>
                    {head(app, recipe)}
                    <p class="note recipe-help">{move || help()} "."</p>
                </When>
                {move || view! { <NamedFigure id=id.get()/> }}
            </section>
        </When>
    }
}

/// The chosen recipe, as long as the study runs what it says, whatever else it runs.
fn still(app: App) -> Option<&'static Recipe> {
    let recipe = app.recipe.get()?;
    let study = app.study.get();
    let mut own = study.clone();
    recipe.apply(&mut own);
    let is_still = own.schedulers.iter().all(|scheduler| study.schedulers.contains(scheduler))
        && own.methods.iter().all(|method| study.methods.contains(method))
        && own.distortions == study.distortions;
    is_still.then_some(recipe)
}

/// The description of a log that is loaded.
fn described(log: &LogState) -> Option<&DescribedLog> {
    match log {
        LogState::Ready(described) => Some(described),
        _ => None,
    }
}

/// The paper's table beside ours, if the log is one of the paper's or is taken for one.
fn compare(
    app: App,
    recipe: &Recipe,
    taken_for: Option<&'static str>,
    shares: Option<Shares>,
) -> Option<PrintedComparison> {
    let of_log = app.log.with(|log| {
        let described = described(log)?;
        Some(Facts::of_summary(&described.summary, described.records))
    });
    // a link carries the facts by which its log is recognised
    let of_link = || app.shared.with(|shared| shared.as_ref().and_then(|shared| Facts::of_shared(&shared.carried)));
    let facts = Facts { taken_for, ..of_log.or_else(of_link)? };
    let results = app.results();
    let reports = results.iter().map(|outcome| &outcome.report);
    app.study.with(|study| PrintedComparison::of(recipe, study, &facts, shares.as_ref(), reports))
}

/// The choice for which of the paper's logs this log is taken.
#[component]
fn TakeFor(table: Memo<Vec<&'static str>>) -> impl IntoView {
    let app = expect_context::<App>();
    let taken_for = app.taken_for;
    let choose = move |event| app.take_for(paper_log(&event_target_value(&event)).ok());
    let option = move |name: &'static str| {
        view! { <option value=name selected=taken_for.get() == Some(name)>{name}</option> }
    };
    let options = move || table.get().into_iter().map(option).collect_view();
    view! {
        <label class="quiet take-for">
            "Treat the log as "
            <select data-testid="take-for" on:change=choose>
                <option value="" selected=move || taken_for.get().is_none()>"what it is recognised as"</option>
                {options}
            </select>
        </label>
    }
}

/// The paper's table beside ours, or why there is none.
#[component]
fn Beside(compared: Memo<Option<PrintedComparison>>, help: Signal<&'static str>) -> impl IntoView {
    let table = move || compared.get().map(|compared| comparison(&compared));
    view! {
        <When
            when=move || compared.with(Option::is_some)
            fallback=move || {
                view! {
                    <p class="note" data-testid="not-printed">
                        "The paper's numbers are for its own, whole logs. This log is none of them, or it is measured otherwise, so they cannot be compared. The table above is the recipe's, on this log. "
                        {move || help.get()}
                        "."
                    </p>
                }
            }
        >
            {move || table()}
        </When>
    }
}

fn comparison(compared: &PrintedComparison) -> AnyView {
    let grid = compared.grid();
    let headings = grid.headings.iter().map(|text| view! { <th scope="col" class="number">{text.clone()}</th> });
    let headings = headings.collect_view();
    let labels = grid.labels.iter().map(|text| view! { <th scope="col">{text.clone()}</th> }).collect_view();
    let row = |line: &GridLine| {
        let labels = line.labels.iter().map(|text| view! { <th scope="row">{text.clone()}</th> }).collect_view();
        let cell = |(i, text): (usize, &String)| {
            // every third value of a metric is the difference
            let differs = i % 3 == 2 && text.bytes().any(|b| matches!(b, b'1'..=b'9'));
            view! { <td class="number" class:differs=differs>{text.clone()}</td> }
        };
        let values = line.values.iter().enumerate().map(cell).collect_view();
        view! { <tr>{labels}{values}</tr> }
    };
    let rows = grid.lines.iter().map(row).collect_view();
    let title = format!("{}: as printed, and ours. {}.", compared.title(), compared.agreement());
    view! {
        <p class="headline" data-testid="agreement">{title}</p>
        <div class="table-scroll">
            <table class="plain-table" data-testid="printed">
                <thead><tr>{labels}{headings}</tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        <p class="quiet">{compared.caption()} " " {compared.known_by()}</p>
    }
}

//! What a recipe names, enlarged, and the paper's own numbers beside those that came out.

use crate::app::charts::{NamedFigure, sizes};
use crate::app::prelude::*;
use crate::app::state::{App, LogState};
use crate::app::widget::When;
use crate::classifier::evaluation::Shares;
use crate::study::printed::{Facts, PrintedComparison, PrintedTable};
use crate::study::recipe::Recipe;
use crate::study::table::GridLine;

/// The recipe whose table or figure is shown.
pub type Named = RwSignal<Option<&'static Recipe>>;

/// The panel under the comparison table. It goes where the study runs something else than the recipe's.
#[component]
pub fn Reproduction(
    /// The recipe that was taken last.
    named: Named,
) -> impl IntoView {
    let app = expect_context::<App>();
    let recipe = Memo::new_with_compare(move |_| app.study.with(|_| still(app, named)), |_, _| true);
    let id = Memo::new(move |_| recipe.get().map_or("", |recipe| recipe.entry.id));
    let name = move || recipe.get().map_or("", |recipe| recipe.entry.name);
    let table = move || PrintedTable::of_recipe(id.get());
    let sizes = sizes(app, Memo::new(move |_| table().is_some_and(PrintedTable::has_shares)));
    let compared = Memo::new(move |_| {
        let shares = sizes.with(|sizes| sizes.as_ref().and_then(|sizes| sizes.shares));
        compare(app, recipe.get()?, shares)
    });
    let has_table = move || table().is_some();
    let help = move || recipe.get().map_or("", |recipe| recipe.entry.help);
    view! {
        <When when=move || !id.get().is_empty()>
            <section class="reproduction" data-testid="reproduction" aria-label=move || name()>
                <div class="compare-head">
                    <h2>{move || name()}</h2>
                    <button type="button" class="button button-quiet" on:click=move |_| named.set(None)>"Close"</button>
                </div>
                <When when=has_table fallback=move || view! { <p class="note recipe-help">{move || help()} "."</p> }><Beside compared/></When>
                {move || view! { <NamedFigure id=id.get()/> }}
            </section>
        </When>
    }
}

/// The recipe, as long as the study runs what it says.
fn still(app: App, named: Named) -> Option<&'static Recipe> {
    let recipe = named.get()?;
    let study = app.study.get();
    let mut own = study.clone();
    recipe.apply(&mut own);
    let is_still =
        own.schedulers == study.schedulers && own.methods == study.methods && own.distortions == study.distortions;
    is_still.then_some(recipe)
}

/// The paper's table beside ours, where the log is one of the paper's.
fn compare(app: App, recipe: &Recipe, shares: Option<Shares>) -> Option<PrintedComparison> {
    let facts = app.log.with(|log| match log {
        LogState::Ready(described) => Some(Facts::from(&described.summary)),
        _ => None,
    })?;
    let results = app.results();
    let reports = results.iter().map(|outcome| &outcome.report);
    app.study.with(|study| PrintedComparison::of(recipe, study, &facts, shares.as_ref(), reports))
}

/// The paper's table beside ours; why there is none, elsewhere.
#[component]
fn Beside(compared: Memo<Option<PrintedComparison>>) -> impl IntoView {
    let table = move || compared.get().map(|compared| beside(&compared));
    view! {
        <When
            when=move || compared.with(Option::is_some)
            fallback=|| {
                view! {
                    <p class="note" data-testid="not-printed">
                        "The paper prints its figures for its own logs, whole and as they are: this is none of them, or it is measured otherwise. The table above is the recipe's, on this log."
                    </p>
                }
            }
        >
            {move || table()}
        </When>
    }
}

fn beside(compared: &PrintedComparison) -> AnyView {
    let grid = compared.grid();
    let headings = grid.headings.iter().map(|text| view! { <th scope="col" class="number">{text.clone()}</th> });
    let headings = headings.collect_view();
    let labels = grid.labels.iter().map(|text| view! { <th scope="col">{text.clone()}</th> }).collect_view();
    let row = |line: &GridLine| {
        let labels = line.labels.iter().map(|text| view! { <th scope="row">{text.clone()}</th> }).collect_view();
        let cell = |(i, text): (usize, &String)| {
            // the third of each metric is the difference
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
        <p class="quiet">{compared.caption()} " " {compared.log.known_by()}</p>
    }
}

//! The dialog of recipes and recent studies.

use super::Dialogs;
use crate::app::notices::runs;
use crate::app::prelude::*;
use crate::app::state::{App, RecentStudy};
use crate::app::widget::{Glyph, Icon, Modal, When, closest};
use packfair_papers::papers::{PAPERS, Paper};
use packfair_papers::recipe::Recipe;
use wasm_bindgen::JsCast;

/// The largest number of recent studies that are offered.
const OFFERED: usize = 5;

/// The largest number of schedulers of a recent study that are named.
const NAMED: usize = 3;

/// The selector of the items through which the arrow keys move.
const PICKS: &str = "[data-pick]";

#[component]
pub fn RecipesButton() -> impl IntoView {
    let dialogs = expect_context::<Dialogs>();
    view! {
        <button
            class="button button-quiet"
            type="button"
            aria-label="Recipes"
            aria-haspopup="dialog"
            data-testid="recipes"
            data-hint="The papers' tables and figures on this workload, and earlier studies"
            on:click=move |_| dialogs.recipes.set(true)
        >
            <Icon glyph=Glyph::Recipes />
            <span class="button-text">"Recipes"</span>
        </button>
    }
}

/// All recipes by paper, and the recent studies. A recipe replaces the study but not its workload.
#[component]
pub fn Recipes() -> impl IntoView {
    let dialogs = expect_context::<Dialogs>();
    view! { <Modal open=dialogs.recipes title="Recipes">{contents()}</Modal> }
}

// most of the dialog: a function of its own, which belongs to the late part (scripts/split)
#[inline(never)]
fn contents() -> AnyView {
    let app = expect_context::<App>();
    let search = RwSignal::new(String::new());
    let paper = move |paper: &'static Paper| {
        let own = move || paper.recipes().iter();
        let is_empty = move || search.with(|words| !own().any(|recipe| recipe.matches(words)));
        view! {
            <section hidden=is_empty>
                <h3>{paper.name} <span class="quiet">{format!(" {}", paper.subject)}</span></h3>
                {own().map(|recipe| item(app, recipe, search)).collect_view()}
            </section>
        }
    };
    let nothing = move || search.with(|words| !Recipe::all().any(|recipe| recipe.matches(words)));
    let on_key = move |event: web_sys::KeyboardEvent| {
        let Some(list) = closest(event.target(), ".recipes") else { return };
        let picks: Vec<web_sys::HtmlElement> = match list.query_selector_all(PICKS) {
            Ok(found) => (0..found.length()).filter_map(|i| found.item(i)?.dyn_into().ok()).collect(),
            Err(_) => return,
        };
        let seen: Vec<&web_sys::HtmlElement> = picks.iter().filter(|pick| pick.offset_height() > 0).collect();
        let here = closest(event.target(), PICKS);
        let at = seen.iter().position(|pick| Some(pick.unchecked_ref::<web_sys::Element>()) == here.as_ref());
        let next = match (event.key().as_str(), at) {
            ("ArrowDown", at) => at.map_or(0, |at| at + 1),
            ("ArrowUp", Some(at)) if at > 0 => at - 1,
            ("Enter", None) => {
                // Enter picks the first match
                event.prevent_default();
                return seen.first().into_iter().for_each(|pick| pick.click());
            }
            _ => return,
        };
        event.prevent_default();
        // if there is no such item, the focus stays
        let _ = seen.get(next).map(|pick| pick.focus());
    };
    view! {
        <div class="recipes" on:keydown=on_key>
            <input
                type="search"
                class="recipes-search"
                placeholder="Search: table, figure, scheduler, what it shows"
                aria-label="Search the recipes"
                autocomplete="off"
                spellcheck="false"
                autofocus
                data-testid="recipes-search"
                prop:value=move || search.get()
                on:input=move |event| search.set(event_target_value(&event))
            />
            <p class="quiet">"A recipe sets everything but the workload: schedulers, estimates, load, cleaning, measures."</p>
            {PAPERS.iter().map(paper).collect_view()}
            <p class="empty-state" hidden=move || !nothing()>"No recipe has all of these words."</p>
            <When when=move || !app.recent.with(Vec::is_empty)>
                <h3>"Earlier studies"</h3>
            </When>
            {move || app.recent.get().into_iter().take(OFFERED).map(|recent| recent_item(app, recent)).collect_view()}
        </div>
    }
}

fn item(app: App, recipe: &'static Recipe, search: RwSignal<String>) -> impl IntoView {
    let dialogs = expect_context::<Dialogs>();
    let entry = recipe.entry;
    let apply = move |_| {
        app.follow_recipe(recipe);
        dialogs.recipes.set(false);
        // a user who picks a recipe wants its results, however long they take
        app.run_all();
        show_what_came();
    };
    view! {
        <button
            class="recipe"
            type="button"
            data-pick=""
            data-testid=format!("recipe-{}", entry.id)
            hidden=move || search.with(|words| !recipe.matches(words))
            on:click=apply
        >
            <span class="menu-item-name">{entry.name}</span>
            <span class="menu-item-help">{entry.help}</span>
        </button>
    }
}

/// Scrolls to the recipe's figure or, if the paper has a table, to the top of the comparison.
fn show_what_came() {
    let scroll = || {
        let find = |selector: &str| document().query_selector(selector).ok().flatten();
        let place = find(".reproduction:has(.chart, .chart-grid)").or_else(|| find(".compare"));
        if let Some(place) = place {
            place.scroll_into_view();
        }
    };
    // the tab is shown in the next frame, and the figure below it in the one after
    request_animation_frame(move || request_animation_frame(scroll));
}

/// A recent study, and the button that forgets it.
fn recent_item(app: App, recent: RecentStudy) -> impl IntoView {
    let dialogs = expect_context::<Dialogs>();
    let name = recent.study.source.name();
    let count = runs(recent.study.runs().len());
    let mut schedulers =
        recent.study.schedulers.iter().take(NAMED).map(|policy| policy.name()).collect::<Vec<_>>().join(", ");
    if recent.study.schedulers.len() > NAMED {
        schedulers.push_str(", …");
    }
    let forget = format!("Forget this study of {name}");
    let (opened, forgotten) = (recent.clone(), recent);
    let open = move |_| {
        dialogs.recipes.set(false);
        app.open_recent(opened.clone());
    };
    view! {
        <div class="menu-row">
            <button class="recipe" type="button" data-pick="" on:click=open>
                <span class="menu-item-name">{name}</span>
                <span class="menu-item-help numeric">{count} ": " {schedulers}</span>
            </button>
            <button
                class="icon-button"
                type="button"
                aria-label=forget.clone()
                data-hint=forget
                on:click=move |_| app.forget_recent(&forgotten)
            >
                "×"
            </button>
        </div>
    }
}

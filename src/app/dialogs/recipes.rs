//! Studies of the papers, and those that were on screen before.

use crate::app::prelude::*;
use crate::app::results::Memory;
use crate::app::state::{App, RecentStudy, Tab};
use crate::app::widget::{ButtonMenu, Edge, Glyph, Icon, MenuItem, MenuLabel, When};
use crate::app::wording::runs;
use crate::scheduler::Policy;
use crate::study::recipe::{RECIPES, Recipe};

/// Most recent studies that are offered.
const OFFERED: usize = 5;

/// Most schedulers that are named of a recent study.
const NAMED: usize = 3;

/// A menu of all recipes, which replace the study but not its workload, and of recent studies.
#[component]
pub fn RecipesMenu() -> impl IntoView {
    let app = expect_context::<App>();
    let face = || {
        view! {
            <Icon glyph=Glyph::Recipes />
            <span class="button-text">"Recipes"</span>
            <Icon glyph=Glyph::Open />
        }
    };
    view! {
        <ButtonMenu name="Recipes" testid="recipes" class="button button-quiet" edge=Edge::End face=face>
            <MenuLabel text="Studies of the papers, on this workload" />
            {RECIPES.iter().map(|recipe| item(app, recipe)).collect_view()}
            <When when=move || !app.recent.with(Vec::is_empty)>
                <MenuLabel text="Studies before" />
            </When>
            {move || app.recent.get().into_iter().take(OFFERED).map(|recent| recent_item(app, recent)).collect_view()}
        </ButtonMenu>
    }
}

fn item(app: App, recipe: &'static Recipe) -> impl IntoView {
    let entry = recipe.entry;
    let named = Memory::of_page().recipe;
    let apply = move || {
        let mut study = app.study.get_untracked();
        recipe.apply(&mut study);
        app.replace_study(study, format!("The study is now that of {}.", entry.name));
        // what the paper shows is in its order, under the comparison
        app.sorting.set(None);
        app.view.set(Tab::Compare);
        named.set(Some(recipe));
    };
    view! {
        <MenuItem on_pick=apply testid=format!("recipe-{}", entry.id)>
            <span class="menu-item-name">{entry.name}</span>
            <span class="menu-item-help">{entry.help}</span>
        </MenuItem>
    }
}

/// A study that was on screen before, and the button that forgets it.
fn recent_item(app: App, recent: RecentStudy) -> impl IntoView {
    let name = recent.study.source.name();
    let count = runs(recent.study.runs().len());
    let mut schedulers = recent.study.schedulers.iter().take(NAMED).map(Policy::name).collect::<Vec<_>>().join(", ");
    if recent.study.schedulers.len() > NAMED {
        schedulers.push_str(", …");
    }
    let forget = format!("Forget this study of {name}");
    let (opened, forgotten) = (recent.clone(), recent);
    view! {
        <div class="menu-row" role="presentation">
            <MenuItem on_pick=move || app.open_recent(opened.clone())>
                <span class="menu-item-name">{name}</span>
                <span class="menu-item-help numeric">{count} ": " {schedulers}</span>
            </MenuItem>
            <button
                class="menu-item menu-item-side"
                type="button"
                role="menuitem"
                tabindex="-1"
                aria-label=forget.clone()
                data-hint=forget
                on:click=move |_| app.forget_recent(&forgotten)
            >
                "×"
            </button>
        </div>
    }
}

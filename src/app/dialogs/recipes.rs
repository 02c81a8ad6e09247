//! Studies of the papers.

use crate::app::state::App;
use crate::app::widget::{Edge, Glyph, Icon, Menu, MenuItem};
use crate::study::recipe::{RECIPES, Recipe};
use leptos::prelude::*;

/// A menu of all recipes; picking one replaces the study but not its workload.
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
        <Menu name="Recipes" testid="recipes" class="button button-quiet" edge=Edge::End face=face>
            {RECIPES.iter().map(|recipe| item(app, recipe)).collect_view()}
        </Menu>
    }
}

fn item(app: App, recipe: &'static Recipe) -> impl IntoView {
    let entry = recipe.entry;
    let apply = move || {
        let mut study = app.study.get_untracked();
        recipe.apply(&mut study);
        app.replace_study(study, format!("The study is now that of {}.", entry.name));
    };
    view! {
        <MenuItem on_pick=apply testid=format!("recipe-{}", entry.id)>
            <span class="menu-item-name">{entry.name}</span>
            <span class="menu-item-help">{entry.help}</span>
        </MenuItem>
    }
}

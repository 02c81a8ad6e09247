//! The questions in the header, and the views of the results, one at a time.

use super::log_switcher::{LogSwitcher, PartitionSwitch};
use crate::app::charts::ChartsView;
use crate::app::cluster::ClusterView;
use crate::app::dialogs::{Dialogs, ExportMenu, RecipesButton};
use crate::app::explore::ExploreView;
use crate::app::learn::LearnView;
use crate::app::prelude::*;
use crate::app::results::{CompareView, EstimatesView, FirstScreen, JobsView, OnlyCounts, WaitsView, WorkloadView};
use crate::app::state::{App, Tab, ThemeChoice};
use crate::app::when::WhenView;
use crate::app::widget::{Glyph, Icon, Later, closest};
use leptos::ev;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// A tab: its view, the id from which its elements' ids are made, and its name.
type NamedTab = (Tab, &'static str, &'static str);

/// The questions, which the page's header has. Compare is chosen while any of its own tabs is shown.
const QUESTIONS: [NamedTab; 4] = [
    (Tab::Compare, "compare", "Compare"),
    (Tab::Cluster, "cluster", "My cluster"),
    (Tab::When, "when", "When"),
    (Tab::Learn, "learn", "Learn"),
];

/// What Compare shows, one at a time.
const RESULTS: [NamedTab; 7] = [
    (Tab::Compare, "table", "Table"),
    (Tab::Charts, "charts", "Charts"),
    (Tab::Jobs, "jobs", "Jobs"),
    (Tab::Waits, "waits", "Waits"),
    (Tab::Workload, "workload", "Workload"),
    (Tab::Estimates, "estimates", "Estimates"),
    (Tab::Explore, "explore", "Explore"),
];

/// The question to which a view belongs.
fn question_of(view: Tab) -> Tab {
    QUESTIONS.iter().map(|(tab, ..)| *tab).find(|tab| *tab == view).unwrap_or_default()
}

/// The tab of a row that stands for a view.
fn chosen_of(tabs: &'static [NamedTab], view: Tab) -> Option<&'static NamedTab> {
    let of = |view| tabs.iter().find(|(tab, ..)| *tab == view);
    of(view).or_else(|| of(question_of(view)))
}

/// The questions as tabs.
#[component]
pub fn Questions() -> impl IntoView {
    view! { <TabRow tabs=&QUESTIONS name="Questions" class="tabs questions" /> }
}

/// A row of tabs, of which arrow keys choose the next.
#[component]
fn TabRow(tabs: &'static [NamedTab], name: &'static str, class: &'static str) -> impl IntoView {
    let app = expect_context::<App>();
    let chosen = Memo::new(move |_| chosen_of(tabs, app.view.get()).map(|(tab, ..)| *tab));
    let on_key = move |event: ev::KeyboardEvent| {
        let at = tabs.iter().position(|(tab, ..)| Some(*tab) == chosen.get_untracked()).unwrap_or(0);
        let next = match event.key().as_str() {
            "ArrowRight" => (at + 1) % tabs.len(),
            "ArrowLeft" => (at + tabs.len() - 1) % tabs.len(),
            "Home" => 0,
            "End" => tabs.len() - 1,
            _ => return,
        };
        event.prevent_default();
        app.show_tab(tabs[next].0);
        let tab = document().get_element_by_id(&format!("tab-{}", tabs[next].1));
        if let Some(tab) = tab.and_then(|tab| tab.dyn_into::<HtmlElement>().ok()) {
            let _ = tab.focus();
        }
    };
    // on a phone not all tabs fit: a link or a dropped file may open one that is out of sight
    Effect::new(move |_| {
        let chosen = chosen.get();
        if let Some((_, id, _)) = tabs.iter().find(|(tab, ..)| Some(*tab) == chosen) {
            request_animation_frame(move || _ = bring_into_sight(&format!("tab-{id}")));
        }
    });
    let tab = move |&(own, id, name): &'static NamedTab| {
        let is_chosen = move || chosen.get() == Some(own);
        view! {
            <button
                class="tab"
                type="button"
                role="tab"
                id=format!("tab-{id}")
                data-testid=format!("tab-{id}")
                aria-selected=move || is_chosen().to_string()
                aria-controls="panel"
                tabindex=move || if is_chosen() { "0" } else { "-1" }
                on:click=move |_| app.show_tab(own)
            >
                {name}
            </button>
        }
    };
    view! {
        <div class=class role="tablist" aria-label=name on:keydown=on_key>
            {tabs.iter().map(tab).collect_view()}
        </div>
    }
}

/// The tabs of Compare, and the panel of what is chosen.
#[component]
pub fn Tabs() -> impl IntoView {
    let app = expect_context::<App>();
    let view = Memo::new(move |_| app.view.get());
    let is_first = Memo::new(move |_| app.is_new.get() && view.get() == Tab::Compare);
    let of_compare = move || question_of(view.get()) == Tab::Compare;
    let named = move || {
        let tabs: &'static [NamedTab] = if of_compare() && !is_first.get() { &RESULTS } else { &QUESTIONS };
        chosen_of(tabs, view.get())
    };
    let heading = move || named().map(|(.., name)| *name);
    let labelled_by = move || named().map(|(_, id, _)| format!("tab-{id}"));
    view! {
        // its room is kept on the first screen, so that nothing moves when results take its place
        <div class="results-tabs" class:out-of-use=move || is_first.get() hidden=move || !of_compare()>
            <TabRow tabs=&RESULTS name="Results" class="tabs" />
        </div>
        <div class="panel" id="panel" role="tabpanel" aria-labelledby=move || labelled_by()>
            <h2 class="visually-hidden">{move || heading()}</h2>
            <OnlyCounts />
            {move || match is_first.get() {
                true => view! { <Later><FirstScreen /></Later> }.into_any(),
                false => {
                    let view = view.get();
                    view! { <Later>{panel(view)}</Later> }.into_any()
                }
            }}
        </div>
    }
}

/// Scrolls the row of tabs so that the tab of this id is in its middle, where there are more than fit.
fn bring_into_sight(id: &str) -> Option<()> {
    let tab = document().get_element_by_id(id)?.dyn_into::<HtmlElement>().ok()?;
    let row = tab.parent_element()?.dyn_into::<HtmlElement>().ok()?;
    if row.scroll_width() > row.client_width() {
        let middle = tab.offset_left() - row.offset_left() + tab.offset_width() / 2;
        row.set_scroll_left(middle - row.client_width() / 2);
    }
    Some(())
}

fn panel(view: Tab) -> AnyView {
    match view {
        Tab::Compare => view! { <CompareView /> },
        Tab::Cluster => view! { <ClusterView /> },
        Tab::Charts => view! { <ChartsView /> },
        Tab::Workload => view! { <WorkloadView /> },
        Tab::Jobs => view! { <JobsView /> },
        Tab::Waits => view! { <WaitsView /> },
        Tab::Estimates => view! { <EstimatesView /> },
        Tab::Explore => view! { <ExploreView /> },
        Tab::When => view! { <WhenView /> },
        Tab::Learn => view! { <LearnView /> },
    }
}

// The line at the top: the active log, and actions on the whole study.

/// Brand, questions, log switcher, recipes, share, export, help, theme.
#[component]
pub fn Header() -> impl IntoView {
    let dialogs = expect_context::<Dialogs>();
    let app = expect_context::<App>();
    let by_key = window_event_listener(leptos::ev::keydown, move |event| {
        // in a text field, the browser undoes the typing itself
        if closest(event.target(), "input, select, textarea").is_some() {
            return;
        }
        let is_undo = (event.ctrl_key() || event.meta_key()) && !event.shift_key() && event.key() == "z";
        if event.key() == "?" {
            dialogs.help.set(true);
        } else if is_undo && app.undo_last() {
            event.prevent_default();
        }
    });
    on_cleanup(move || by_key.remove());
    view! {
        <header class="header">
            <h1 class="brand">
                <Icon glyph=Glyph::Brand />
                <span class="brand-name">"Packfair"</span>
            </h1>
            <Questions />
            <LogSwitcher />
            <PartitionSwitch />
            <nav class="header-actions" aria-label="Study">
                <RecipesButton />
                <button
                    class="button button-quiet"
                    type="button"
                    aria-label="Share"
                    data-testid="share"
                    data-hint="A link that carries the study and its results"
                    on:click=move |_| dialogs.share.set(true)
                >
                    <Icon glyph=Glyph::Share />
                    <span class="button-text">"Share"</span>
                </button>
                <ExportMenu />
                <button
                    class="button button-quiet"
                    type="button"
                    aria-label="Help"
                    data-hint="What this is, its words, the papers, keys (?)"
                    on:click=move |_| dialogs.help.set(true)
                >
                    <Icon glyph=Glyph::Help />
                </button>
                <ThemeSwitch />
            </nav>
        </header>
    }
}

// Light, dark, or as the system has it.

/// A button that switches to the next theme.
#[component]
pub fn ThemeSwitch() -> impl IntoView {
    let app = expect_context::<App>();
    Effect::new(move || {
        let Some(root) = document().document_element() else { return };
        // setting an attribute of the root element cannot fail
        let _ = match app.theme.get() {
            ThemeChoice::System => root.remove_attribute("data-theme"),
            ThemeChoice::Light => root.set_attribute("data-theme", "light"),
            ThemeChoice::Dark => root.set_attribute("data-theme", "dark"),
        };
    });
    let label = move || match app.theme.get() {
        ThemeChoice::System => "Theme: as the system",
        ThemeChoice::Light => "Theme: light",
        ThemeChoice::Dark => "Theme: dark",
    };
    let glyph = move || match app.theme.get() {
        ThemeChoice::System => Glyph::System,
        ThemeChoice::Light => Glyph::Light,
        ThemeChoice::Dark => Glyph::Dark,
    };
    view! {
        <button
            class="button button-quiet"
            type="button"
            aria-label=move || label()
            data-hint=move || label()
            data-testid="theme"
            on:click=move |_| app.switch_theme()
        >
            {move || view! { <Icon glyph=glyph() /> }}
        </button>
    }
}

//! The views of the results, one at a time.

use crate::app::charts::ChartsView;
use crate::app::cluster::ClusterView;
use crate::app::explore::ExploreView;
use crate::app::learn::LearnView;
use crate::app::prelude::*;
use crate::app::results::{CompareView, EstimatesView, JobsView, OnlyCounts, WaitsView, WorkloadView};
use crate::app::state::{App, Tab};
use crate::app::when::WhenView;
use crate::app::widget::Later;
use leptos::ev;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// The tabs: the view of each, the id from which its elements' ids are made, and its name.
const TABS: [(Tab, &str, &str); 10] = [
    (Tab::Compare, "compare", "Compare"),
    (Tab::Cluster, "cluster", "My cluster"),
    (Tab::Charts, "charts", "Charts"),
    (Tab::Workload, "workload", "Workload"),
    (Tab::Jobs, "jobs", "Jobs"),
    (Tab::Waits, "waits", "Waits"),
    (Tab::Estimates, "estimates", "Estimates"),
    (Tab::Explore, "explore", "Explore"),
    (Tab::When, "when", "When"),
    (Tab::Learn, "learn", "Learn"),
];

/// The tab buttons and the panel of the chosen tab.
#[component]
pub fn Tabs() -> impl IntoView {
    let app = expect_context::<App>();
    let view = Memo::new(move |_| app.view.get());
    let on_key = move |event: ev::KeyboardEvent| {
        let shown: Vec<_> = TABS.iter().filter(|(tab, ..)| untrack(|| is_offered(app, *tab))).collect();
        let at = shown.iter().position(|(tab, ..)| *tab == view.get_untracked()).unwrap_or(0);
        let next = match event.key().as_str() {
            "ArrowRight" => (at + 1) % shown.len(),
            "ArrowLeft" => (at + shown.len() - 1) % shown.len(),
            "Home" => 0,
            "End" => shown.len() - 1,
            _ => return,
        };
        event.prevent_default();
        app.show_tab(shown[next].0);
        let tab = document().get_element_by_id(&format!("tab-{}", shown[next].1));
        if let Some(tab) = tab.and_then(|tab| tab.dyn_into::<HtmlElement>().ok()) {
            let _ = tab.focus();
        }
    };
    // on a phone not all tabs fit: a link or a dropped file may open one that is out of sight
    Effect::new(move |_| {
        let id = id_of(view.get());
        request_animation_frame(move || _ = bring_into_sight(&format!("tab-{id}")));
    });
    let tab = move |(own, id, name): (Tab, &'static str, &'static str)| {
        view! {
            <button
                class="tab"
                type="button"
                role="tab"
                id=format!("tab-{id}")
                data-testid=format!("tab-{id}")
                aria-selected=move || (view.get() == own).to_string()
                aria-controls="panel"
                hidden=move || !is_offered(app, own)
                tabindex=move || if view.get() == own { "0" } else { "-1" }
                on:click=move |_| app.show_tab(own)
            >
                {name}
            </button>
        }
    };
    let heading = move || TABS.iter().find(|(tab, ..)| *tab == view.get()).map(|(.., name)| *name);
    let labelled_by = move || format!("tab-{}", id_of(view.get()));
    view! {
        <div class="tabs" role="tablist" aria-label="Results" on:keydown=on_key>
            {TABS.map(tab).collect_view()}
        </div>
        <div class="panel" id="panel" role="tabpanel" aria-labelledby=move || labelled_by()>
            <h2 class="visually-hidden">{move || heading()}</h2>
            <OnlyCounts />
            {move || {
                let view = view.get();
                view! { <Later>{panel(view)}</Later> }
            }}
        </div>
    }
}

/// Whether a tab is there: that of a site is once a site is, or where an address leads to it.
fn is_offered(app: App, tab: Tab) -> bool {
    tab != Tab::Cluster || app.site.with(Option::is_some) || app.view.get() == Tab::Cluster
}

fn id_of(view: Tab) -> &'static str {
    TABS.iter().find(|(tab, ..)| *tab == view).map_or("", |(_, id, _)| id)
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

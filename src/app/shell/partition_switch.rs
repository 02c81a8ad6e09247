//! The switch at the top for the log's partitions: all as one machine, or each by itself with all or one of them shown.

use crate::app::late;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::When;

/// A list beside the log's name, if the log has several partitions.
#[component]
pub fn PartitionSwitch() -> impl IntoView {
    let app = expect_context::<App>();
    let is_whole = late::signal();
    view! { <When when=move || is_whole.get()>{switch(app)}</When> }
}

// belongs to the late part (scripts/split)
#[inline(never)]
fn switch(app: App) -> AnyView {
    let each = Memo::new(move |_| app.partitions_apart());
    let is_apart = move || app.study.with(|study| !study.partitions.is_empty());
    let value = Memo::new(move |_| match (is_apart(), app.partition_chosen()) {
        (false, _) => "one".to_owned(),
        (true, None) => "each".to_owned(),
        (true, Some(chosen)) => chosen.number.to_string(),
    });
    let option = move |id: String, name: String| {
        let own = id.clone();
        view! { <option value=id prop:selected=move || value.get() == own>{name}</option> }
    };
    let choose = move |event| match event_target_value(&event).as_str() {
        "one" => app.take_as_one(),
        number => app.take_each(number.parse().ok()),
    };
    let options = move || {
        let two = [("one", "One machine"), ("each", "Each partition by itself")];
        let two = two.map(|(id, name)| (id.to_owned(), name.to_owned()));
        let named = each.get().into_iter().map(|of| (of.number.to_string(), format!("Partition {}", of.name)));
        two.into_iter().chain(named).map(|(id, name)| option(id, name)).collect_view()
    };
    view! {
        <When when=move || is_apart() || each.with(|each| each.len() > 1)>
            <select
                class="chart-add"
                aria-label="Partitions"
                data-testid="partition-switch"
                data-hint="The log's partitions as one machine, or each as a machine of its own"
                on:change=choose
            >
                {options}
            </select>
        </When>
    }
}

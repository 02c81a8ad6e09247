//! On how many further workloads the study is repeated.

use super::section::Fold;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{ChoiceOption, Choices, Field, When, optional, whole};
use crate::study::format;
use crate::study::limits::REPEAT_RANGE;
use crate::study::sureness::Repeats;
use crate::workload::Resampling;

/// How many repeats, how their workloads are made, and the seed.
#[component]
pub fn RepeatsForm() -> impl IntoView {
    let app = expect_context::<App>();
    let repeats = Memo::new(move |_| app.study.with(|study| study.repeats));
    let chosen = move || match repeats.get() {
        Some(repeats) => format!("{}, {}", format::whole(repeats.count), repeats.way.name()),
        None => "Not repeated".to_owned(),
    };
    let ways = Resampling::ALL.map(|way| ChoiceOption::new(way.id(), way.name(), way.help())).to_vec();
    let set_count = move |count: Option<u32>| {
        app.edit(move |study| {
            let before = study.repeats;
            study.repeats = count.map(|count| Repeats { count, ..before.unwrap_or(Repeats::of(count)) });
        });
    };
    let set_way = move |id: String| {
        if let Ok(way) = id.parse() {
            edit(app, move |repeats| repeats.way = way);
        }
    };
    view! {
        <Fold title="Repeats" chosen=Signal::derive(chosen)>
            <div class="rules" data-testid="repeats">
                <p class="quiet">
                    "Is a change real, or luck of this log? All runs are repeated on other workloads of the same users, \
                     and the table says where 95 % of the results lie."
                </p>
                <Field
                    label="Repeats"
                    help="On so many workloads; empty: not repeated. 100 give an interval that can be relied on"
                    value=Signal::derive(move || repeats.get().map(|repeats| repeats.count.to_string()).unwrap_or_default())
                    read=optional(whole(REPEAT_RANGE))
                    on_change=set_count
                />
                <When when=move || repeats.with(Option::is_some)>
                    <Choices
                        legend="How their workloads are made"
                        options=ways.clone()
                        value=Signal::derive(move || repeats.get().unwrap_or(Repeats::of(2)).way.id().to_owned())
                        on_change=set_way
                    />
                    <Field
                        label="Seed"
                        help="The same seed gives the same workloads everywhere"
                        value=Signal::derive(move || repeats.get().map(|repeats| repeats.seed.to_string()).unwrap_or_default())
                        read=whole(0..=u64::MAX)
                        on_change=move |seed| edit(app, move |repeats| repeats.seed = seed)
                    />
                </When>
            </div>
        </Fold>
    }
}

/// Changes how the repeats are made, if there are some.
fn edit(app: App, change: impl FnOnce(&mut Repeats) + 'static) {
    app.edit(move |study| {
        if let Some(repeats) = &mut study.repeats {
            change(repeats);
        }
    });
}

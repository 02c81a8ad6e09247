//! Small and large jobs of the active log, asked from the workers.

use super::charted::summary;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::study::query::{Answer, LearnedSizes, Query};
use leptos::task::spawn_local;
use std::sync::Arc;

/// What there is to be learned from the active log, where `is_wanted`; asked anew when the log changes.
pub fn sizes(app: App, is_wanted: Memo<bool>) -> RwSignal<Option<Arc<LearnedSizes>>> {
    let summary = summary(app);
    let sizes = RwSignal::new(None);
    let round = StoredValue::new(0_u32);
    Effect::new(move |_| {
        let is_there = summary.with(Option::is_some) && is_wanted.get();
        round.update_value(|round| *round += 1);
        let number = round.get_value();
        sizes.set(None);
        if !is_there {
            return;
        }
        spawn_local(async move {
            // late, where another workload is shown by now; or the view is gone
            if let Ok(Answer::Sizes(known)) = app.ask(Query::Sizes).await
                && round.try_get_value() == Some(number)
            {
                sizes.set(Some(Arc::new(known)));
            }
        });
    });
    sizes
}

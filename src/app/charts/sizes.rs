//! The small and large jobs of the active log, as the workers classify them.

use super::charted::summary;
use crate::app::prelude::*;
use crate::app::state::App;
use leptos::task::spawn_local;
use packfair_study::query::{Answer, LearnedSizes, Query};
use std::sync::Arc;

/// What can be learned from the active log about job sizes, while `is_wanted` holds. Asked again when the log changes.
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
            // the answer may be late: another workload may be shown by now, or the view is gone
            if let Ok(Answer::Sizes(known)) = app.ask(Query::Sizes).await
                && round.try_get_value() == Some(number)
            {
                sizes.set(Some(Arc::new(known)));
            }
        });
    });
    sizes
}

//! The machine's next days: how many wait and how much is free, as bands.

use super::state::ForecastOnPage;
use crate::app::charts::{Chart, figure};
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::When;
use packfair_chart::{AxisClock, kinds};
use packfair_when::{MachineCourse, WhenTold};
use packfair_workload::Seconds;
use std::sync::Arc;

#[component]
pub fn NextDays(outlook: ForecastOnPage) -> impl IntoView {
    let app = expect_context::<App>();
    let told = RwSignal::from(outlook.told);
    let has_course =
        Memo::new(move |_| told.with(|told| told.as_ref().is_some_and(|told| !told.course.times.is_empty())));
    let of = |told: &Option<Arc<WhenTold>>| -> (MachineCourse, Seconds, AxisClock) {
        match told {
            Some(told) => (told.course.clone(), told.now, AxisClock::of(&told.clock)),
            None => (MachineCourse::default(), 0, AxisClock::ELAPSED),
        }
    };
    let queue = figure(move || {
        let (course, now, clock) = told.with(of);
        kinds::queue_ahead(&course, now, &clock)
    });
    let free = figure(move || {
        let (course, now, clock) = told.with(of);
        kinds::free_ahead(&course, now, &clock, app.unit().plural())
    });
    view! {
        <When when=move || has_course.get()>
            <h3 class="section-title">"The machine's next days"</h3>
            <div class="chart-grid" data-testid="when-machine">
                <Chart figure=queue height=0.5/>
                <Chart figure=free height=0.5/>
            </div>
        </When>
    }
}

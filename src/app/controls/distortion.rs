//! The distortion factors k, by which every estimate is multiplied.

use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{Chip, Field, List, real};
use packfair_engine::estimator::K_RANGE;
use packfair_study::format;

/// The number of slider steps on either side of k = 1.
const STEPS: f64 = 100.0;

/// Chips of the chosen factors, with a slider and a field to add one.
#[component]
pub fn Distortions() -> impl IntoView {
    let app = expect_context::<App>();
    let chosen = Memo::new(move |_| app.study.with(|s| s.distortions.clone()));
    let is_last = Signal::derive(move || chosen.with(Vec::len) <= 1);
    let factor = RwSignal::new(2.0);
    let is_there = move || chosen.with(|all| all.contains(&factor.get()));
    let chip = move |k: f64| {
        let help = match k {
            1.0 => "Estimates as they are".to_owned(),
            k if k < 1.0 => format!("Every estimate times {}: too short", format::factor(k)),
            k => format!("Every estimate times {}: too long", format::factor(k)),
        };
        view! {
            <Chip
                name=format!("k = {}", format::factor(k))
                help=help
                on_remove=Callback::new(move |()| app.edit(move |study| study.distortions.retain(|&other| other != k)))
                stays=is_last
            />
        }
    };
    let add = move |_| {
        let k = factor.get_untracked();
        app.edit(move |study| {
            if !study.distortions.contains(&k) {
                study.distortions.push(k);
                study.distortions.sort_unstable_by(f64::total_cmp);
            }
        });
    };
    let on_slide = move |event| {
        if let Ok(position) = event_target_value(&event).parse::<f64>() {
            factor.set(factor_at(position));
        }
    };
    view! {
        <div class="distortion" role="group" aria-label="Distortion factors k">
            <p
                class="field-label"
                data-hint="Every estimate is multiplied by k, to see how much a scheduler depends on good estimates"
            >
                "Distorted by k"
            </p>
            <ul class="chips">
                <List each=move || chosen.get() key=|k| k.to_bits() children=chip />
            </ul>
            <div class="distortion-add">
                <input
                    type="range"
                    min=-STEPS
                    max=STEPS
                    step="1"
                    aria-label="Factor k to add, logarithmic"
                    aria-valuetext=move || factor.get().to_string()
                    prop:value=move || position_of(factor.get()).to_string()
                    on:input=on_slide
                />
                <Field
                    label="k"
                    value=Signal::derive(move || factor.get().to_string())
                    read=real(K_RANGE)
                    on_change=move |k| factor.set(k)
                />
                <button class="button" type="button" disabled=move || is_there() on:click=add>"Add"</button>
            </div>
        </div>
    }
}

/// The factor at a slider position: 10 to the power of the position, rounded to 2 decimals or 3 digits.
fn factor_at(position: f64) -> f64 {
    let factor = 10_f64.powf(position / STEPS);
    ((factor * 100.0).round() / 100.0).clamp(*K_RANGE.start(), *K_RANGE.end())
}

fn position_of(factor: f64) -> f64 {
    (factor.log10() * STEPS).round()
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn the_slider_spans_the_range_evenly() {
        assert_eq!(factor_at(-100.0), 0.1);
        assert_eq!(factor_at(0.0), 1.0);
        assert_eq!(factor_at(100.0), 10.0);
        assert_eq!(position_of(0.1), -100.0);
        assert_eq!(position_of(factor_at(30.0)), 30.0);
    }
}

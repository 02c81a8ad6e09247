//! Section 4: what is measured, over which jobs, and compared with what.

use super::baseline::BaselineForm;
use super::columns::Columns;
use super::repeats::RepeatsForm;
use super::section::{Fold, Section};
use crate::app::late;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{ChoiceOption, Choices, Field, When, real};
use crate::metric::{Counted, Measure, Metric};
use crate::study::check::{ALPHA_RANGE, BOUND_RANGE, NORM_RANGE};

/// Columns, baseline, which jobs count, and the parameters of the chosen metrics.
#[component]
pub fn Measures() -> impl IntoView {
    let app = expect_context::<App>();
    let count = move || format!("{} metrics", app.study.with(|s| s.columns.len()));
    let is_whole = late::signal();
    view! {
        <Section number=4 title="Measure" chosen=Signal::derive(count)>
            <BaselineForm />
            <Columns />
            <CountedJobs />
            <Parameters />
            <When when=move || is_whole.get()>
                <RepeatsForm />
            </When>
        </Section>
    }
}

/// Which jobs count.
#[component]
fn CountedJobs() -> impl IntoView {
    let app = expect_context::<App>();
    let counted = Memo::new(move |_| app.study.with(|s| s.measure.counted));
    let options = COUNTED.iter().map(|(_, id, name, help)| ChoiceOption::new(*id, *name, *help)).collect();
    let set = move |id: String| {
        if let Some((counted, ..)) = COUNTED.iter().find(|(_, other, ..)| *other == id) {
            app.edit(move |study| study.measure.counted = *counted);
        }
    };
    let line = move || COUNTED.iter().find(|(c, ..)| *c == counted.get()).map_or(("", ""), |c| (c.1, c.2));
    view! {
        <Fold title="Jobs that count" chosen=Signal::derive(move || line().1.to_owned())>
            <Choices
                legend="Jobs that count"
                options=options
                value=Signal::derive(move || line().0.to_owned())
                on_change=set
            />
        </Fold>
    }
}

/// Each choice with its id, name and help.
const COUNTED: [(Counted, &str, &str, &str); 3] = [
    (Counted::All, "all", "All", "Every job"),
    (
        Counted::Metrics,
        "metrics",
        "As METRICS",
        "All but those that complete at the very last moment, as in METRICS' and CP's tables",
    ),
    (
        Counted::Steady,
        "steady",
        "Steady state",
        "Without the first 1 % to complete, and without those that complete after the last submission",
    ),
];

/// A parameter of some metrics.
struct MeasureParameter {
    label: &'static str,
    help: &'static str,
    unit: &'static str,
    metric: Metric,
    range: std::ops::RangeInclusive<f64>,
    get: fn(&Measure) -> f64,
    set: fn(&mut Measure, f64),
}

const PARAMETERS: [MeasureParameter; 4] = [
    MeasureParameter {
        label: "Bound of BSLD",
        help: "Run times below it count as this long: 10 s in METRICS and CP, 60 s in CLASSIFY",
        unit: "s",
        metric: Metric::Bsld,
        range: BOUND_RANGE,
        get: |m| m.bsld_bound,
        set: |m, x| m.bsld_bound = x,
    },
    MeasureParameter {
        label: "Exponent a of PᵃSF",
        help: "The larger, the more long waits weigh",
        unit: "",
        metric: Metric::Pasf,
        range: ALPHA_RANGE,
        get: |m| m.alpha,
        set: |m, x| m.alpha = x,
    },
    MeasureParameter {
        label: "p of the l_p norm",
        help: "1 is the sum of the response times; the larger, the more the longest weigh",
        unit: "",
        metric: Metric::Lp,
        range: NORM_RANGE,
        get: |m| m.norm,
        set: |m, x| m.norm = x,
    },
    MeasureParameter {
        label: "Bound of SLDwW",
        help: "Run times below it count as this long: 60 or 300 s in DYNP",
        unit: "s",
        metric: Metric::Sldww,
        range: BOUND_RANGE,
        get: |m| m.sldww_bound,
        set: |m, x| m.sldww_bound = x,
    },
];

/// A field for each parameter of a metric that is shown.
#[component]
fn Parameters() -> impl IntoView {
    let app = expect_context::<App>();
    let shown = Memo::new(move |_| app.study.with(|s| PARAMETERS.each_ref().map(|p| s.columns.contains(&p.metric))));
    let field = move |parameter: &'static MeasureParameter| {
        let value = Memo::new(move |_| app.study.with(|s| (parameter.get)(&s.measure)));
        view! {
            <Field
                label=parameter.label
                help=parameter.help
                unit=parameter.unit
                value=Signal::derive(move || value.get().to_string())
                read=real(parameter.range.clone())
                on_change=move |x| app.edit(move |study| (parameter.set)(&mut study.measure, x))
            />
        }
    };
    static ALL: &[MeasureParameter] = &PARAMETERS;
    move || {
        let shown = shown.get();
        ALL.iter().zip(shown).filter(|(_, shown)| *shown).map(|(parameter, _)| field(parameter)).collect_view()
    }
}

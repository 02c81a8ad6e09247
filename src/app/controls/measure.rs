//! Section 4: what is measured, over which jobs, and compared with what.

use super::baseline::BaselineForm;
use super::columns::Columns;
use super::repeats::RepeatsForm;
use super::section::{Fold, Section};
use crate::app::late;
use crate::app::prelude::*;
use crate::app::state::{App, LogState};
use crate::app::widget::{ChoiceOption, Choices, Field, When, real};
use crate::metric::{Counted, CountedGroup, Measure, Metric};
use crate::study::check::{ALPHA_RANGE, BOUND_RANGE, NORM_RANGE};
use crate::study::grouped::describe_group;
use crate::workload::Header;

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
    let only = Memo::new(move |_| app.study.with(|s| s.measure.only));
    let chosen = move || match only.get() {
        None => line().1.to_owned(),
        Some(group) => [line().1, ", ", &group.to_string()].concat(),
    };
    view! {
        <Fold title="Jobs that count" chosen=Signal::derive(chosen)>
            <Choices
                legend="Jobs that count"
                options=options
                value=Signal::derive(move || line().0.to_owned())
                on_change=set
            />
            {only_of_group(app)}
        </Fold>
    }
}

/// Of which group they are.
fn only_of_group(app: App) -> AnyView {
    let only = Memo::new(move |_| app.study.with(|s| s.measure.only));
    let header = Memo::new(move |_| {
        app.log.with(|log| match log {
            LogState::Ready(described) => described.header.clone(),
            _ => Header::default(),
        })
    });
    let read = Callback::new(move |text: String| {
        let text = text.trim();
        if text.is_empty() {
            return Ok(None);
        }
        header.with_untracked(|header| CountedGroup::read(text, header)).map(Some)
    });
    let value = move || only.get().map_or_else(String::new, |group| group.to_string());
    let means = move || {
        let group = header.with(|header| only.get().map(|group| describe_group(group, header)))?;
        Some(format!("All jobs are simulated, and {group} alone counts."))
    };
    view! {
        <Field
            label="Only"
            help="A user, queue, partition, account, class of widths or of run times, hour or week: user=12, queue=1, \
                  width=64, runtime=3600, hour=9, week=5. The Waits tab lists them, and takes one with a press"
            placeholder="all jobs"
            value=Signal::derive(value)
            read=read
            on_change=move |only| app.edit(move |study| study.measure.only = only)
        />
        <p class="quiet" data-testid="counted-group">{move || means()}</p>
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

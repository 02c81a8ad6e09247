//! The form of the question: the metrics to improve, and the settings to search.

use super::course::SearchOnPage;
use super::front::ValueShares;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{ChoiceOption, Field, ReadText, Select, real, whole};
use crate::run_queue::SearchStatus;
use packfair_base::catalogue::Catalogue;
use packfair_base::expression::Template;
use packfair_engine::estimator::Estimate;
use packfair_engine::metric::Metric;
use packfair_schedulers::{Policy, Schedulers};
use packfair_study::Run;
use packfair_study::explore::{ExploreQuestion, KeptBound, MOST_EXPLORED, SHARES};
use packfair_workload::{Unit, UnitText};
use std::collections::BTreeMap;

/// The metrics that are offered.
const METRICS: [Metric; 10] = [
    Metric::Bsld,
    Metric::Af,
    Metric::Awf,
    Metric::P2sf,
    Metric::MaxWait,
    Metric::Aq,
    Metric::Lp,
    Metric::Loc,
    Metric::Utilisation,
    Metric::Sldww,
];

/// The baselines that are offered.
const BASELINES: [&str; 6] = ["easy", "as-logged", "slurm", "fcfs", "saf-easy", "conservative"];

/// What suffers when a metric is bad, in a few words.
fn hurts(metric: Metric, unit: Unit) -> String {
    let words = match metric {
        Metric::Bsld => "short jobs are slowed down",
        Metric::Af => "results take long",
        Metric::Awf => "wide and long jobs wait",
        Metric::P2sf => "waits are unfair",
        Metric::MaxWait => "somebody waits very long",
        Metric::Aq => "jobs wait long, on average",
        Metric::Lp => "late results weigh most",
        Metric::Sldww => "wide jobs are slowed down",
        Metric::Loc => &format!("{} idle while jobs wait", unit.plural()),
        Metric::Utilisation => "the machine is not used",
        _ => return metric.about().name.to_owned(),
    };
    format!("{words} ({})", metric.about().name)
}

#[component]
pub fn QuestionForm(course: SearchOnPage) -> impl IntoView {
    let app = expect_context::<App>();
    let (draft, status) = (course.draft.clone(), course.status.clone());
    let draft = RwSignal::from(draft);
    let is_running = Memo::new(move |_| status.with(|status| *status == SearchStatus::Running));
    let of = move |text: fn(&ExploreQuestion) -> String| Signal::derive(move || draft.with(text));
    let metric = move |metric: Metric| {
        let about = metric.about();
        let toggle = move |question: &mut ExploreQuestion| toggle(&mut question.minimise, metric);
        check(
            Signal::derive(move || hurts(metric, app.unit())),
            about.help,
            Signal::derive(move || draft.with(|q| q.minimise.contains(&metric))),
            move || draft.update(toggle),
        )
    };
    let family = move |id: &'static str, name: &'static str, help: &'static str| {
        let toggle = move |question: &mut ExploreQuestion| toggle(&mut question.families, id.to_owned());
        check(
            Signal::stored(name.to_owned()),
            UnitText::new(help),
            Signal::derive(move || draft.with(|q| q.families.iter().any(|own| own == id))),
            move || draft.update(toggle),
        )
    };
    let families = Schedulers::FAMILIES.iter().filter(|family| {
        let policy = Policy::of(family);
        !policy.is_given() && !policy.is_offline() && !policy.is_script()
    });
    let families = families.map(|f| (f.entry.id, f.entry.name, f.entry.help)).chain(ExploreQuestion::formulas());
    let families = families.map(|(id, name, help)| family(id, name, help)).collect_view();
    let baselines: Vec<ChoiceOption> = BASELINES
        .iter()
        .filter_map(|id| id.parse::<Policy>().ok())
        .map(|policy| ChoiceOption::new(policy.to_string(), policy.name(), policy.help()))
        .collect();
    let compare = move |id: String| {
        if let Ok(scheduler) = id.parse::<Policy>() {
            draft.update(|question| question.baseline = Run::new(scheduler, requested()));
        }
    };
    let set_templates = move |templates: Vec<Template>| draft.update(|question| question.set_templates(&templates));
    view! {
        <fieldset class="explore-form" disabled=move || is_running.get() data-testid="explore-form">
            <legend class="visually-hidden">"What to look for"</legend>
            <fieldset class="choices several">
                <legend class="field-label">"What hurts?"</legend>
                {METRICS.map(metric).collect_view()}
            </fieldset>
            <fieldset class="choices">
                <legend class="field-label">"What must hold?"</legend>
                <div class="explore-fields">
                <Field
                    label="Keep"
                    help="Bounds that settings must keep: max_wait<=2d, utilisation>=70%, or loss(user)<=10% (no user waits 10 % longer than under the scheduler compared with; loss(partition), loss(account) likewise)"
                    placeholder=Signal::stored("max_wait<=2d, loss(user)<=10%".to_owned())
                    value=of(|q| listed(&q.keep))
                    read=bounds()
                    on_change=move |keep| draft.update(|q| q.keep = keep)
                />
                </div>
            </fieldset>
            <fieldset class="choices several">
                <legend class="field-label">"What may be changed?"</legend>
                {families}
                <div class="explore-fields explore-formulas">
                <Field
                    label="Formulas"
                    help="Queue orders of your own, in which letters stand for numbers to look for"
                    placeholder=Signal::stored("(wait/estimate)^a*processors where a=0..4".to_owned())
                    value=of(told_templates)
                    read=templates()
                    on_change=set_templates
                />
                </div>
            </fieldset>
            <div class="explore-fields">
                <Field
                    label="Runs"
                    help="How many settings to try"
                    value=of(|q| q.runs.to_string())
                    read=whole(1..=MOST_EXPLORED as i64)
                    on_change=move |runs: i64| draft.update(|q| q.runs = runs as usize)
                />
                <Field
                    label="Seed"
                    help="The same seed comes to the same answer"
                    value=of(|q| q.seed.to_string())
                    read=whole(0..=i64::from(u32::MAX))
                    on_change=move |seed: i64| draft.update(|q| q.seed = seed as u64)
                />
                <Field
                    label="Share to choose on"
                    help="Of the jobs, those submitted first. Of the others, one half selects a setting and the other confirms it"
                    value=of(|q| q.share.to_string())
                    read=real(SHARES)
                    on_change=move |share| draft.update(|q| q.share = share)
                />
                <Field
                    label="Estimates"
                    help="What to choose from: requested, last2, hierarchy*1.5"
                    value=of(|q| listed(&q.estimates))
                    read=estimates()
                    on_change=move |estimates| draft.update(|q| q.estimates = estimates)
                />
                <Select
                    label="Compare with"
                    help="With requested times"
                    options=Signal::stored(baselines)
                    value=of(|q| q.baseline.scheduler.to_string())
                    on_change=compare
                />
            </div>
        </fieldset>
    }
}

/// A checkbox with a label and help.
fn check(
    name: Signal<String>,
    help: UnitText,
    is_on: Signal<bool>,
    toggle: impl Fn() + Send + Sync + 'static,
) -> AnyView {
    let app = expect_context::<App>();
    view! {
        <label class="option" data-hint=move || help.in_unit(app.unit())>
            <input type="checkbox" prop:checked=move || is_on.get() on:change=move |_| toggle() />
            <span class="option-text">{name}</span>
        </label>
    }
}

fn toggle<T: PartialEq>(list: &mut Vec<T>, item: T) {
    match list.iter().position(|own| *own == item) {
        Some(place) => drop(list.remove(place)),
        None => list.push(item),
    }
}

fn requested() -> Estimate {
    Estimate::of(packfair_engine::estimator::Method::requested())
}

fn listed(items: &[impl ToString]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn words(text: &str) -> Vec<&str> {
    text.split(',').map(str::trim).filter(|word| !word.is_empty()).collect()
}

fn bounds() -> ReadText<Vec<KeptBound>> {
    Callback::new(|text: String| {
        let read = |word: &str| {
            word.parse::<KeptBound>().map_err(|why| format!("bounds such as max_wait<=2d or utilisation>=70%: {why}"))
        };
        words(&text).into_iter().map(read).collect()
    })
}

fn told_templates(question: &ExploreQuestion) -> String {
    let told: Vec<String> = question.templates().map(|one| one.to_string()).collect();
    told.join("; ")
}

fn templates() -> ReadText<Vec<Template>> {
    Callback::new(|text: String| {
        let formulas = text.split(';').map(str::trim).filter(|formula| !formula.is_empty());
        formulas.map(|formula| formula.parse().map_err(|why| format!("{formula}: {why}"))).collect()
    })
}

fn estimates() -> ReadText<Vec<Estimate>> {
    Callback::new(|text: String| {
        let read: Result<Vec<Estimate>, String> =
            words(&text).into_iter().map(|word| word.parse().map_err(|error| format!("{error}"))).collect();
        read.and_then(|list| if list.is_empty() { Err("at least one".to_owned()) } else { Ok(list) })
    })
}

// What the non-dominated settings have in common: how often each value occurs among them and among all settings tried.

/// The largest number of values that are shown for a setting.
const MOST_VALUES: usize = 6;

/// A small picture for each setting.
#[component]
pub fn Common(course: SearchOnPage) -> impl IntoView {
    let (findings, shares) = (course.findings.clone(), course.shares.clone());
    let pictures = move || {
        let mut front = ValueShares::default();
        findings.with(|findings| {
            findings.iter().flat_map(|found| &found.front).for_each(|member| front.count(&member.run))
        });
        let all = shares.get();
        let settings = front.counts.iter().filter(|(setting, _)| all.counts.get(*setting).is_some_and(|v| v.len() > 1));
        settings.map(|(setting, values)| picture(setting, values, &front, &all)).collect_view()
    };
    view! {
        <h3>"What the good ones have in common"</h3>
        <p class="quiet">"Share of the settings that nothing beats (upper bar) and of all that were tried (lower bar) with each value."</p>
        <div class="explore-common" data-testid="explore-common">{pictures}</div>
    }
}

fn picture(setting: &str, values: &BTreeMap<String, u32>, front: &ValueShares, all: &ValueShares) -> AnyView {
    let mut ordered: Vec<(&String, u32)> = values.iter().map(|(value, count)| (value, *count)).collect();
    ordered.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let bar = |(value, _): (&String, u32)| {
        let (good, tried) = (front.of(setting, value), all.of(setting, value));
        let width = |share: f64| format!("{:.1}%", share * 100.0);
        let label = format!("{:.0} % of the good ones, {:.0} % of all", good * 100.0, tried * 100.0);
        view! {
            <div class="explore-bar">
                <span>{value.clone()}</span>
                <svg width="100%" height="12" role="img" aria-label=label>
                    <rect x="0" y="0" width=width(good) height="6" fill="var(--accent)"></rect>
                    <rect x="0" y="7" width=width(tried) height="4" fill="var(--border-strong)"></rect>
                </svg>
            </div>
        }
    };
    let bars = ordered.into_iter().take(MOST_VALUES).map(bar).collect_view();
    view! {
        <div>
            <h4>{setting.to_owned()}</h4>
            {bars}
        </div>
    }
}

//! One card: what is changed, what that brings, what it costs, and what is to be done.

use super::state::CardsOnPage;
use super::{show_rows, users_table};
use crate::app::dialogs::CopyButton;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::When;
use crate::app::{files, while_shown};
use leptos::task::spawn_local;
use packfair_engine::metric::Metric;
use packfair_slurm::Patch;
use packfair_study::format::{change, duration, time_instead_of};
use packfair_study::verdict::Fit;
use packfair_study::what_if::{CardEffect, ChangeCard, Standing, finding, nodes_patch, ranked, to_do};
use packfair_study::{Run, claiming};
use std::fmt::Write as _;

/// The part of the scale on which whiskers are drawn.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct WhiskerScale {
    pub low: f64,
    pub high: f64,
}

impl WhiskerScale {
    /// The scale on which all effects are seen; what more than doubles waits is beyond its end.
    pub(super) fn of(effects: impl Iterator<Item = CardEffect>) -> Self {
        let mut scale = WhiskerScale { low: -0.05, high: 0.05 };
        for effect in effects {
            let (low, high) = effect.interval.map_or((effect.change, effect.change), |of| (of.low, of.high));
            scale.low = scale.low.min(low);
            scale.high = scale.high.max(high);
        }
        WhiskerScale { low: scale.low.max(-1.0), high: scale.high.min(1.0) }
    }

    fn place(self, value: f64) -> String {
        let share = (value.clamp(self.low, self.high) - self.low) / (self.high - self.low);
        format!("{:.2}%", 100.0 * share)
    }
}

/// What a card shows now.
#[derive(Clone, PartialEq)]
struct CardShown {
    standing: &'static str,
    effect: Option<CardEffect>,
    prices: Vec<String>,
    fault: Option<String>,
}

fn shown(card: &ChangeCard, cards: &CardsOnPage) -> CardShown {
    cards.base.with(|base| {
        let standing = match card.standing(base) {
            Standing::Shorter => "shorter",
            Standing::Nothing => "nothing",
            Standing::Longer => "longer",
            Standing::Unknown => "unknown",
        };
        let fault = card.fault.clone().filter(|_| card.draws.is_empty());
        CardShown { standing, effect: card.effect(base), prices: card.prices(base), fault }
    })
}

/// The card of the run with this id.
pub(super) fn card_row(
    app: App,
    cards: CardsOnPage,
    id: String,
    picked: Memo<Vec<String>>,
    scale: Memo<WhiskerScale>,
) -> AnyView {
    let found = cards.cards.with_untracked(|all| all.iter().find(|card| card.run.id() == id).cloned());
    let Some(card) = found else { return ().into_any() };
    let (run, label) = (card.run.clone(), card.label.clone());
    let (of_page, own) = (cards.clone(), id.clone());
    let now = while_shown(move || {
        of_page.cards.with(|all| all.iter().find(|card| card.run.id() == own).map(|card| shown(card, &of_page)))
    });
    let of = move |read: fn(&CardShown) -> String| now.with(|now| now.as_ref().map(read).unwrap_or_default());
    let effect = while_shown(move || now.with(|now| now.as_ref().and_then(|now| now.effect)));
    let (own, toggled) = (id.clone(), run.clone());
    let is_picked = while_shown(move || picked.with(|picked| picked.contains(&own)));
    let toggle = move |_| match is_picked.get_untracked() {
        true => show_rows(app, Vec::new(), vec![toggled.clone()]),
        false => show_rows(app, vec![toggled.clone()], Vec::new()),
    };
    let wait = move || effect.get().map(|effect| format!("mean wait {}", change(effect.change)));
    let bar = move || effect.get().map(|effect| whisker(effect, scale.get()));
    let price = move || {
        now.with(|now| {
            let Some(now) = now.as_ref() else { return String::new() };
            match (&now.fault, now.effect, now.prices.first()) {
                (Some(why), ..) => why.clone(),
                (None, None, _) => "…".to_owned(),
                (_, _, Some(price)) => format!("price: {price}"),
                (_, _, None) => "no price".to_owned(),
            }
        })
    };
    let todo = StoredValue::new(todo_of(&cards, &run));
    let text = Signal::derive(move || todo.with_value(|todo| todo.text.clone()));
    let is_open = RwSignal::new(false);
    let details = move || details(&cards, &id, todo.get_value());
    let details = StoredValue::new_local(details);
    let testid = run.id();
    view! {
        <li
            class="cluster-card"
            data-testid="cluster-card"
            data-row=testid
            data-standing=move || of(|now| now.standing.to_owned())
            data-value=move || effect.get().map(|effect| format!("{}", effect.change))
        >
            <div class="cluster-card-line">
                <label class="cluster-pick">
                    <input type="checkbox" prop:checked=move || is_picked.get() on:change=toggle />
                    <span>{label.clone()}</span>
                </label>
                <span class="cluster-effect">{wait}</span>
                <span class="cluster-whisker-place">{bar}</span>
                <span class="cluster-price">{price}</span>
                <CopyButton text label="Copy diff"/>
            </div>
            <details class="cluster-details" on:toggle=move |_| is_open.update(|open| *open = !*open)>
                <summary>"Who waits longer, and what to do"</summary>
                <When when=move || is_open.get()>{move || details.with_value(|details| details())}</When>
            </details>
        </li>
    }
}

/// A dot for the effect and a line for where further draws lie, with a mark at no change.
fn whisker(effect: CardEffect, scale: WhiskerScale) -> AnyView {
    let ends = effect.interval.map(|of| (scale.place(of.low), scale.place(of.high)));
    let (from, to) = ends.unwrap_or_else(|| (scale.place(effect.change), scale.place(effect.change)));
    let said = effect.certainty();
    view! {
        <span class="cluster-whisker" role="img" aria-label=said.clone() data-hint=said>
            <span class="whisker-zero" style:--at=scale.place(0.0)></span>
            <span class="whisker-line" style:--from=from style:--to=to></span>
            <span class="whisker-dot" style:--at=scale.place(effect.change)></span>
        </span>
    }
}

/// What is to be done at the site for a change.
#[derive(Clone)]
pub(super) struct ToDo {
    patch: Patch,
    asks: String,
    /// All of it, to copy: the diff, then the commands.
    pub text: String,
}

pub(super) fn todo_of(cards: &CardsOnPage, run: &Run) -> ToDo {
    let made = cards.site.with_untracked(|site| {
        let site = site.as_ref()?;
        Some((nodes_patch(site, &run.scheduler, run.what_if.as_ref()), to_do(&run.scheduler, site).1))
    });
    let (patch, asks) = made.unwrap_or_default();
    let commands = patch.commands.join("\n");
    let request = if asks.is_empty() { String::new() } else { format!("# to do: {asks}") };
    let parts = [patch.diff.trim_end(), commands.as_str(), request.as_str()];
    let text = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n");
    ToDo { patch, asks, text: format!("{text}\n") }
}

/// Effect, price and certainty in full, the waits of users, and what is to be done.
fn details(cards: &CardsOnPage, id: &str, ToDo { patch, asks, .. }: ToDo) -> AnyView {
    let (of_page, own) = (cards.clone(), id.to_owned());
    let told = move || {
        of_page.cards.with(|all| {
            let card = all.iter().find(|card| card.run.id() == own)?;
            let now = shown(card, &of_page);
            let effect = now.effect?;
            let wait = time_instead_of(effect.after, effect.before);
            let prices = if now.prices.is_empty() { "no metric gets worse".to_owned() } else { now.prices.join("; ") };
            let users = of_page.base.with(|base| users_table(card.users(base)));
            let lines = [
                format!("Effect: mean wait {wait} ({}).", change(effect.change)),
                format!("Price: {prices}."),
                format!("Certainty: {}.", effect.certainty()),
            ];
            Some(view! {
                <ul class="site-list">
                    {lines.into_iter().map(|line| view! { <li>{line}</li> }).collect_view()}
                </ul>
                {users}
            })
        })
    };
    view! {
        <div class="cluster-details-body">
            <div>{told}</div>
            <div>{crate::app::controls::what_to_do(patch, &asks)}</div>
        </div>
    }
}

// How near Slurm as configured comes to the log: a sentence, and a gauge.

/// What is told of the model.
#[derive(Clone, PartialEq)]
struct NearnessTold {
    grade: &'static str,
    /// The share of the logged starts that are met.
    near: f64,
    words: String,
}

#[component]
pub(super) fn Nearness() -> impl IntoView {
    let app = expect_context::<App>();
    let told = Memo::new(move |_| {
        let outcomes = app.results();
        app.study.with(|study| {
            let fit = Fit::of(claiming(study, outcomes.iter().map(|outcome| &outcome.report)))?;
            Some(NearnessTold { grade: fit.grade().id(), near: fit.closeness.near, words: fit.in_words() })
        })
    });
    let now = Memo::new(move |_| {
        let outcomes = app.results();
        let own = outcomes.iter().find(|outcome| {
            let policy = &outcome.report.run.scheduler;
            policy.goes_by_site() && policy.as_configured().is_none()
        })?;
        own.report.values.get(&Metric::Aq).copied()
    });
    let grade = move || told.with(|told| told.as_ref().map_or("none", |told| told.grade));
    let percent = move || told.with(|told| told.as_ref().map_or(0.0, |told| 100.0 * told.near));
    let words = move || {
        told.with(|told| match told {
            Some(told) => told.words.clone(),
            None if now.with(Option::is_some) => {
                "The log does not tell when its jobs started, so how near the model is cannot be told.".to_owned()
            }
            None => "How near Slurm as configured comes to the log is being computed.".to_owned(),
        })
    };
    let wait = move || now.get().map(|wait| format!("Mean wait as configured: {}.", duration(wait)));
    view! {
        <div class="cluster-fit" data-testid="cluster-fit" data-grade=grade>
            <div
                class="gauge"
                role="meter"
                aria-label="Logged starts that the model explains, percent"
                aria-valuemin="0"
                aria-valuemax="100"
                aria-valuenow=move || format!("{:.0}", percent())
            >
                <span class="gauge-level" style:--level=move || format!("{:.1}%", percent())></span>
                <span class="gauge-number">
                    {move || told.with(|told| told.as_ref().map(|told| format!("{:.0} %", 100.0 * told.near)))}
                </span>
            </div>
            <p class="cluster-fit-words">{words} " " {wait}</p>
        </div>
    }
}

// All cards as a text to send: what would be changed, what it brings, what it costs, how sure that is, and the diff.

/// Copies the report as Markdown.
pub(super) fn copy_report(app: App, cards: &CardsOnPage) {
    let text = report(app, cards);
    spawn_local(async move {
        match files::copy(&text).await {
            Ok(()) => app.notify("The report is in the clipboard, as Markdown.", None),
            Err(why) => app.complain(why),
        }
    });
}

fn report(app: App, cards: &CardsOnPage) -> String {
    let name = app.study.with_untracked(|study| study.source.name());
    let mut text = format!("# What would change on this cluster\n\nJudged on {name}, beside Slurm as configured.\n");
    cards.cards.with_untracked(|all| {
        cards.base.with_untracked(|base| {
            if let Some(said) = finding(all, base) {
                // writing into a string cannot fail
                let _ = writeln!(text, "\n**{said}**");
            }
            for place in ranked(all, base) {
                let card = &all[place];
                let (Some(said), Some(effect)) = (card.sentence(base), card.effect(base)) else { continue };
                let todo = todo_of(cards, &card.run);
                let _ = writeln!(text, "\n- {said}; certainty: {}\n\n```\n{}```", effect.certainty(), todo.text);
            }
        });
    });
    text
}

//! The cards on the page. They outlive the tab, so that a user who returns finds them as they were.

use crate::app::prelude::*;
use crate::app::state::{App, LogState};
use crate::run_queue::protocol::Ticket;
use crate::run_queue::{DescribedLog, Event, TakenSite};
use futures_util::future::join_all;
use leptos::task::spawn_local;
use packfair_engine::metric::Measure;
use packfair_schedulers::Policy;
use packfair_slurm::Site;
use packfair_study::query::Query;
use packfair_study::what_if::{CARD_METRICS, ChangeCard, RunDraw, ranked, with_changes};
use packfair_study::{Rules, Run};
use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

/// How many draws rank the cards.
const FIRST: u32 = 1;

/// The draws that tell how sure the ranks are, in two parts: from how many to how many.
const FURTHER: [(u32, u32); 2] = [(FIRST, 5), (5, 20)];

/// Further draws of a card that would take longer than this are left out, milliseconds.
const LONGEST: f64 = 60_000.0;

/// The cards on the page.
#[derive(Clone)]
pub(super) struct CardsOnPage {
    pub cards: ArcRwSignal<Vec<ChangeCard>>,
    /// The draws of Slurm as configured, with which cards are compared.
    pub base: ArcRwSignal<Vec<RunDraw>>,
    /// The places of the cards in the order in which they are shown.
    pub order: ArcRwSignal<Vec<usize>>,
    /// How far the draws are, while they are made.
    pub progress: ArcRwSignal<Option<DrawProgress>>,
    pub fault: ArcRwSignal<Option<String>>,
    /// The site that the cards change.
    pub site: ArcRwSignal<Option<Arc<Site>>>,
    /// What the cards are about: whether that has changed since is seen by this.
    about: ArcRwSignal<Option<CardsAbout>>,
}

/// How far the draws are.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct DrawProgress {
    /// Whether these are the draws after the first, which tell how sure the ranks are.
    pub is_further: bool,
    /// How many cards have them, and how many are to have them.
    pub done: usize,
    pub of: usize,
}

/// The workload, the rules and the base of all cards.
#[derive(Clone)]
struct CardsAbout {
    log: Arc<DescribedLog>,
    site: Arc<TakenSite>,
    base: Run,
    rules: Rules,
    measure: Measure,
}

impl PartialEq for CardsAbout {
    fn eq(&self, other: &Self) -> bool {
        // both are held, so that no others are ever at their addresses
        Arc::ptr_eq(&self.log, &other.log)
            && Arc::ptr_eq(&self.site, &other.site)
            && self.base == other.base
            && self.rules == other.rules
            && self.measure == other.measure
    }
}

thread_local! {
    static CARDS: OnceCell<CardsOnPage> = const { OnceCell::new() };
    /// The questions whose answers are awaited.
    static AWAITED: RefCell<Vec<Ticket>> = const { RefCell::new(Vec::new()) };
}

impl CardsAbout {
    /// `None` until the log is described and the study has its site.
    fn of(app: App) -> Option<Self> {
        let site = app.site.get()?;
        let log = app.log.with(|log| match log {
            LogState::Ready(log) => Some(log.clone()),
            _ => None,
        })?;
        app.study.with(|study| {
            let is_there = !study.treatment.site.is_empty() && log.treatment == study.treatment;
            let is_base = |policy: &&Policy| policy.goes_by_site() && policy.as_configured().is_none();
            let usual = || "slurm".parse().ok();
            let base = study.schedulers.iter().find(is_base).cloned().or_else(usual)?;
            let base = Run::new(base, "requested".parse().ok()?);
            let (rules, measure) = (study.rules(), study.measure.clone());
            is_there.then(|| CardsAbout { log: log.clone(), site: site.clone(), base, rules, measure })
        })
    }
}

impl CardsOnPage {
    /// The cards of the page.
    pub(super) fn of_page() -> CardsOnPage {
        CARDS.with(|cards| cards.get_or_init(CardsOnPage::new).clone())
    }

    fn new() -> CardsOnPage {
        CardsOnPage {
            cards: ArcRwSignal::new(Vec::new()),
            base: ArcRwSignal::new(Vec::new()),
            order: ArcRwSignal::new(Vec::new()),
            progress: ArcRwSignal::new(None),
            fault: ArcRwSignal::new(None),
            site: ArcRwSignal::new(None),
            about: ArcRwSignal::new(None),
        }
    }

    /// Makes the cards of the site and the log as they are now, and computes them, unless that is done already.
    pub(super) fn follow(&self, app: App) {
        let Some(about) = CardsAbout::of(app) else { return };
        if self.about.get_untracked().as_ref() == Some(&about) {
            return;
        }
        let asked = AWAITED.take();
        if !asked.is_empty() {
            app.search(Event::Unasked(asked));
        }
        let Some(site) = app.site_beside() else { return };
        let cards = offered(&about, &site, &app.study.with_untracked(|study| study.schedulers.clone()));
        self.site.set(Some(Arc::new(site)));
        self.base.set(Vec::new());
        self.order.set((0..cards.len()).collect());
        self.cards.set(cards);
        self.fault.set(None);
        self.about.set(Some(about));
        let own = self.clone();
        spawn_local(async move { own.compute(app).await });
    }

    /// Makes all draws: one of each card, which ranks them, then those that tell how sure that is. Each card goes on by
    /// itself, so that a slow one holds up no other, and stops where its next draws would take too long.
    async fn compute(&self, app: App) {
        let Some(about) = self.about.get_untracked() else { return };
        let is_current = || self.about.get_untracked().as_ref() == Some(&about);
        // the base is asked for first: without it no card can be told
        let base = about.base.id();
        let cards = self.cards.with_untracked(|cards| cards.iter().map(|card| card.run.id()).collect::<Vec<_>>());
        let ids: Vec<&String> = std::iter::once(&base).chain(&cards).collect();
        let of = cards.len();
        let started = js_sys::Date::now();
        self.progress.set(Some(DrawProgress { is_further: false, done: 0, of }));
        let first = ids.iter().map(|&id| async {
            self.bring_up(app, &about, id, FIRST).await;
            // cards come in one by one at first; later they keep their places
            if is_current() {
                self.rank();
                self.note_progress(*id != base);
            }
        });
        join_all(first).await;
        if !is_current() {
            return;
        }
        let once = js_sys::Date::now() - started;
        self.progress.set(Some(DrawProgress { is_further: true, done: 0, of }));
        let further = ids.iter().map(|&id| async {
            self.go_on(app, &about, id, once).await;
            if is_current() {
                self.note_progress(*id != base);
                // only the slowest is missing, which would hold up the ranks for long
                if self.progress.get_untracked().is_some_and(|progress| progress.done + 1 == of) {
                    self.rank();
                }
            }
        });
        join_all(further).await;
        if is_current() {
            self.rank();
            self.progress.set(None);
        }
    }

    /// Makes the further draws of a run, as far as they would not take too long. One took `per_draw` milliseconds.
    async fn go_on(&self, app: App, about: &CardsAbout, id: &str, mut per_draw: f64) {
        for (begin, end) in FURTHER {
            let draws = f64::from(end - begin);
            if per_draw * draws > LONGEST || self.about.get_untracked().as_ref() != Some(about) {
                return;
            }
            let started = js_sys::Date::now();
            self.bring_up(app, about, id, end).await;
            per_draw = (js_sys::Date::now() - started) / draws;
        }
    }

    /// Makes the draws of a run that are not there yet, of as many as are wanted.
    async fn bring_up(&self, app: App, about: &CardsAbout, id: &str, wanted: u32) {
        let is_base = id == about.base.id();
        let own = |cards: &Vec<ChangeCard>| cards.iter().position(|card| card.run.id() == id);
        let (run, has) = if is_base {
            (about.base.clone(), self.base.with_untracked(Vec::len))
        } else {
            let found = self.cards.with_untracked(|cards| {
                let card = &cards[own(cards)?];
                card.fault.is_none().then(|| (card.run.clone(), card.draws.len()))
            });
            let Some(found) = found else { return };
            found
        };
        let draws = (has as u32, wanted);
        if draws.0 >= draws.1 {
            return;
        }
        let (rules, measure) = (about.rules, about.measure.clone());
        let query = Query::Drawn { run, draws, rules, measure, metrics: CARD_METRICS.to_vec() };
        let question = app.with_queue_mut(|queue| queue.number());
        AWAITED.with_borrow_mut(|awaited| awaited.push(question));
        let answer = app.ask_as(question, query).await;
        AWAITED.with_borrow_mut(|awaited| awaited.retain(|own| *own != question));
        if self.about.get_untracked().as_ref() != Some(about) {
            return;
        }
        let made: Result<Vec<Result<RunDraw, String>>, String> = answer.and_then(|answer| answer.decoded());
        let made = made.unwrap_or_else(|why| vec![Err(why)]);
        if is_base {
            if let Some(Err(why)) = made.iter().find(|draw| draw.is_err()) {
                self.fault.set(Some(why.clone()));
            }
            self.base.update(|base| base.extend(made.into_iter().flatten()));
        } else {
            self.cards.update(|cards| {
                if let Some(place) = own(cards) {
                    cards[place].take(made);
                }
            });
        }
    }

    fn note_progress(&self, is_card: bool) {
        self.progress.update(|progress| {
            if let Some(progress) = progress.as_mut().filter(|_| is_card) {
                progress.done += 1;
            }
        });
    }

    fn rank(&self) {
        let order = self.cards.with_untracked(|cards| self.base.with_untracked(|base| ranked(cards, base)));
        self.order.set(order);
    }

    /// Adds the card of a further change, and computes it. Returns its label.
    ///
    /// # Errors
    /// What is wrong with the change, as a sentence.
    pub(super) fn add(&self, app: App, run: Run) -> Result<String, String> {
        let (about, site) = (self.about.get_untracked(), self.site.get_untracked());
        let (Some(about), Some(site)) = (about, site) else {
            return Err("The log or the files of the site are not at hand any more. Drop them again.".to_owned());
        };
        site.changed(&run.scheduler.site_changes()).map_err(|why| format!("{why}."))?;
        if let Some(nodes) = run.what_if.as_ref().and_then(packfair_base::machine::WhatIf::nodes_alone) {
            let mut made = Site::clone(&site);
            for (more, partition) in nodes {
                made = made.resized(partition.unwrap_or_default(), more).map_err(|why| format!("{why}."))?;
            }
        }
        let card = ChangeCard::of(run, &site).ok_or("This changes nothing: it is configured so already.")?;
        let (id, label) = (card.run.id(), card.label.clone());
        if self.cards.with_untracked(|cards| cards.iter().any(|own| own.run.id() == id)) {
            return Ok(label);
        }
        self.cards.update(|cards| cards.push(card));
        self.rank();
        let own = self.clone();
        spawn_local(async move {
            let started = js_sys::Date::now();
            own.bring_up(app, &about, &id, FIRST).await;
            own.rank();
            own.go_on(app, &about, &id, js_sys::Date::now() - started).await;
            own.rank();
        });
        Ok(label)
    }

    /// The run of Slurm as configured, from which further changes begin.
    pub(super) fn base_run(&self) -> Option<Run> {
        self.about.with_untracked(|about| about.as_ref().map(|about| about.base.clone()))
    }
}

/// A card for each question of the site, and for each row of the study that changes it.
fn offered(about: &CardsAbout, site: &Site, schedulers: &[Policy]) -> Vec<ChangeCard> {
    let asked = about.site.questions.iter().filter_map(|(_, row)| {
        let (_, changes) = row.split_once(':')?;
        with_changes(&about.base.scheduler, changes)
    });
    let rows =
        schedulers.iter().filter(|policy| policy.as_configured().as_ref() == Some(&about.base.scheduler)).cloned();
    let mut cards: Vec<ChangeCard> = Vec::new();
    for policy in asked.chain(rows) {
        let run = Run { scheduler: policy, ..about.base.clone() };
        let card = ChangeCard::of(run, site);
        cards.extend(card.filter(|card| cards.iter().all(|other| other.run != card.run)));
    }
    cards
}

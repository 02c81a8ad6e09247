//! The visible state of a search, which the run queue drives. It outlives the tab, so that a user who returns finds it
//! unchanged.

use super::front::ValueShares;
use crate::address::{PagePlace, Tab};
use crate::app::prelude::*;
use crate::app::remembered;
use crate::app::state::{App, LogState};
use crate::run_queue::{Event, SearchNews, SearchStatus, TriedValues};
use packfair_study::explore::{ExploreLink, ExploreQuestion, Findings, SearchedLog, SharedFindings};
use packfair_study::{Engine, Run};
use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

/// The visible state of a search.
#[derive(Clone)]
pub struct SearchOnPage {
    pub draft: ArcRwSignal<ExploreQuestion>,
    /// The question that is being answered, or was answered last.
    pub asked: ArcRwSignal<Option<ExploreQuestion>>,
    pub status: ArcRwSignal<SearchStatus>,
    pub points: ArcRwSignal<Vec<TriedValues>>,
    pub findings: ArcRwSignal<Option<Arc<Findings>>>,
    /// Findings from a link or from before a reload, until a search is started here.
    pub opened: ArcRwSignal<Option<Arc<SharedFindings>>>,
    /// What the question of a link is about, until its log is open and is treated and measured so.
    pub awaited: ArcRwSignal<Option<Arc<SearchedLog>>>,
    /// The remaining time, seconds, if it is known.
    pub left: ArcRwSignal<Option<f64>>,
    /// How often each setting has each value, among all settings tried.
    pub shares: ArcRwSignal<ValueShares>,
}

thread_local! {
    static COURSE: OnceCell<SearchOnPage> = const { OnceCell::new() };
    /// The text that was taken in last, from a link or from before a reload. It is taken in only once, because the user
    /// may have changed the form since.
    static TAKEN_IN: RefCell<String> = const { RefCell::new(String::new()) };
}

/// The log on which a search would run now: the study's log, or the partition of it that is shown by itself.
pub fn searched(app: App) -> SearchedLog {
    app.study.track();
    app.partition.track();
    app.with_queue(|queue| queue.searched())
}

/// Stores a search so that it survives a reload.
fn remember(link: &ExploreLink) {
    if let Ok(text) = link.to_text() {
        remembered::set_of_tab(remembered::QUESTION, &text);
        TAKEN_IN.set(text);
    }
}

impl SearchOnPage {
    /// The course of the page. Takes in a question from a link or from before a reload.
    pub fn of_page(app: App) -> SearchOnPage {
        let course = COURSE.with(|course| course.get_or_init(SearchOnPage::new).clone());
        course.take_in(app);
        course
    }

    /// Takes in a question and its findings, from a link or from before a reload.
    fn take_in(&self, app: App) {
        if self.status.get_untracked() == SearchStatus::Running {
            return;
        }
        let Some(text) = remembered::get_of_tab::<String>(remembered::QUESTION) else { return };
        if TAKEN_IN.replace(text.clone()) == text {
            return;
        }
        match ExploreLink::parse(&text) {
            Ok(ExploreLink { question, on, shared }) => {
                self.draft.set(question);
                self.awaited.set(on.map(Arc::new));
                if let Some(shared) = shared {
                    self.show(app, Arc::new(shared));
                }
            }
            Err(error) => self.status.set(SearchStatus::Failed(format!("What was found could not be opened: {error}"))),
        }
    }

    /// Treats and measures the log as the question of a link has it, once that log is open.
    pub fn follow_link(&self, app: App) {
        let is_open = app.log.with(|log| matches!(log, LogState::Ready(_)));
        let Some(on) = self.awaited.get().filter(|on| is_open && on.source.key() == searched(app).source.key()) else {
            return;
        };
        self.awaited.set(None);
        // after a reload the question is taken in again, and the user may have treated the log otherwise since
        remember(&ExploreLink { question: self.draft.get_untracked(), on: None, shared: None });
        if on.measures_as(&searched(app)) && on.machines == searched(app).machines {
            return;
        }
        let before = app.study.get_untracked();
        let on = Arc::unwrap_or_clone(on);
        app.edit(move |study| on.set(study));
        app.notify(
            "The log is treated and measured as in the link.",
            Some(Arc::new(move || {
                let before = before.clone();
                app.edit(move |study| *study = before);
            })),
        );
    }

    fn show(&self, app: App, shared: Arc<SharedFindings>) {
        app.with_queue_mut(|queue| queue.forget_search());
        let findings = &shared.findings;
        self.status.set(SearchStatus::Idle);
        self.asked.set(Some(findings.question.clone()));
        self.shares.set(ValueShares::default());
        self.points.set(findings.front.iter().map(|member| member.values.choose.clone().into()).collect());
        self.findings.set(Some(Arc::new(findings.clone())));
        self.opened.set(Some(shared));
    }

    pub fn hear(&self, app: App, news: SearchNews) {
        let SearchNews { status, is_new, tried, findings, left } = news;
        if is_new {
            self.opened.set(None);
            self.points.set(Vec::new());
            self.findings.set(None);
            self.shares.set(ValueShares::default());
            self.asked.set(Some(self.draft.get_untracked()));
        }
        if !tried.is_empty() {
            self.shares.update(|shares| tried.iter().for_each(|(run, _)| shares.count(run)));
            self.points.update(|points| points.extend(tried.into_iter().map(|(_, values)| values)));
        }
        if findings.is_some() {
            self.findings.set(findings);
        }
        self.left.set(left);
        let was_under_way = matches!(self.status.get_untracked(), SearchStatus::Running | SearchStatus::Again(_));
        let is_answered = was_under_way && status != SearchStatus::Running;
        self.status.set(status);
        if is_answered {
            self.link(app).iter().for_each(remember);
        }
    }

    /// The findings and the log they are about, if they answer the question in the form.
    fn link(&self, app: App) -> Option<ExploreLink> {
        let on = self.opened.with_untracked(|opened| opened.as_ref().map(|opened| (opened.on.clone(), opened.engine)));
        let of_queue = || app.with_queue(|queue| queue.search_on().cloned()).map(|on| (on, Engine::THIS));
        let (on, engine) = on.or_else(of_queue)?;
        let findings = self.findings.get_untracked()?;
        let is_asked = self.draft.with_untracked(|draft| *draft == findings.question);
        let shared = SharedFindings { findings: (*findings).clone(), on, engine };
        is_asked.then(|| ExploreLink { question: findings.question.clone(), on: None, shared: Some(shared) })
    }

    /// The findings that a link to the study carries, as text; `None` if they are not about the study's log.
    pub fn text_for(app: App) -> Option<String> {
        let link = SearchOnPage::of_page(app).link(app)?;
        let is_on = |shared: &SharedFindings| app.with_queue(|queue| queue.searched()).measures_as(&shared.on);
        link.shared.as_ref().filter(|shared| is_on(shared))?;
        link.to_text().ok()
    }

    fn new() -> SearchOnPage {
        SearchOnPage {
            draft: ArcRwSignal::new(ExploreQuestion::default()),
            asked: ArcRwSignal::new(None),
            status: ArcRwSignal::new(SearchStatus::Idle),
            points: ArcRwSignal::new(Vec::new()),
            findings: ArcRwSignal::new(None),
            opened: ArcRwSignal::new(None),
            awaited: ArcRwSignal::new(None),
            left: ArcRwSignal::new(None),
            shares: ArcRwSignal::new(ValueShares::default()),
        }
    }

    /// The page's address with the findings or, without them, with the question in the form and what it is about. Also
    /// returns whether it carries findings.
    ///
    /// # Errors
    /// A message: the question makes no sense, or is too long for an address.
    pub fn address(&self, app: App) -> Result<(String, bool), String> {
        let told = self.link(app).and_then(|link| Some((link.to_text().ok()?, link.shared?.on.source)));
        let has_front = told.is_some();
        let (text, source) = match told {
            Some(told) => told,
            None => {
                let on = app.with_queue(|queue| queue.searched());
                let source = on.source.clone();
                let asking = ExploreLink::asking(self.draft.get_untracked(), on);
                (asking.to_text().map_err(|error| format!("No link could be made: {error}"))?, source)
            }
        };
        let place = PagePlace { log: Some(source), view: Some(Tab::Explore), ..PagePlace::default() };
        let location = window().location();
        let page = format!("{}{}", location.origin().unwrap_or_default(), location.pathname().unwrap_or_default());
        Ok((format!("{page}#{}&explore={text}", place.fragment()), has_front))
    }

    /// Starts a search for the question in the form.
    pub fn start(&self, app: App) {
        let question = self.draft.get_untracked();
        self.awaited.set(None);
        remember(&ExploreLink { question: question.clone(), on: None, shared: None });
        app.search(Event::SearchWanted(Box::new(question)));
    }

    /// Whether the search, if there is one, is about the log that the study is about now.
    pub fn is_on(app: App) -> bool {
        let now = searched(app);
        app.with_queue(|queue| queue.search_on().is_none_or(|on| on.measures_as(&now)))
    }

    /// The run that was tried under this number.
    pub fn run(&self, app: App, number: usize) -> Option<Run> {
        let opened = || {
            let opened = self.opened.get_untracked()?;
            opened.findings.front.get(number).map(|member| member.run.clone())
        };
        app.with_queue(|queue| queue.search_run(number)).or_else(opened)
    }
}

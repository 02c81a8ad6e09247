//! A search under way. It outlives the tab: whoever comes back finds it where it is.

use super::common::Shares;
use crate::address::{PagePlace, Tab};
use crate::app::actions::now;
use crate::app::prelude::*;
use crate::app::remembered;
use crate::app::state::App;
use crate::explore::{
    ExploreLink, ExploreQuestion, Findings, PartValues, QuestionFault, Search, SearchedLog, SharedFindings,
};
use crate::study::query::{Answer, Query};
use crate::study::{Engine, LogPart, Run};
use futures_util::future::join;
use leptos::task::spawn_local;
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

/// Why no search begins where no machine is chosen.
const ONE_PARTITION: &str = "Each partition is a machine of its own here: choose one of them at the top of the page, for a \
                             search is for one machine.";

/// What a search is of now: the study's log, or the partition of it that is looked at by itself.
pub fn searched(app: App) -> SearchedLog {
    let on = app.study.with(SearchedLog::of);
    match app.partition_chosen() {
        Some(partition) => SearchedLog { treatment: partition.treatment(on.treatment), ..on },
        None => on,
    }
}

/// How far a search is.
#[derive(Clone, Debug, PartialEq)]
pub enum CourseStatus {
    /// None was begun.
    Idle,
    /// It goes on.
    Running,
    /// It was cancelled, and can go on.
    Stopped,
    /// It has ended.
    Ended,
    /// It cannot go on: why.
    Failed(String),
}

/// Values of settings that were tried, in the order of the question's metrics.
pub type TriedValues = Arc<[Option<f64>]>;

/// What is seen of a search.
#[derive(Clone)]
pub struct Course {
    /// The question as it stands in the form.
    pub draft: ArcRwSignal<ExploreQuestion>,
    /// The question that is being answered, or was.
    pub asked: ArcRwSignal<Option<ExploreQuestion>>,
    /// How far it is.
    pub status: ArcRwSignal<CourseStatus>,
    /// What was tried, by its number.
    pub points: ArcRwSignal<Vec<TriedValues>>,
    /// What has come out so far.
    pub findings: ArcRwSignal<Option<Arc<Findings>>>,
    /// What a link brought, as long as no search is begun here.
    pub opened: ArcRwSignal<Option<Arc<SharedFindings>>>,
    /// Seconds left, where that can be told.
    pub left: ArcRwSignal<Option<f64>>,
    /// How often each setting has each value, among all that were tried.
    pub shares: ArcRwSignal<Shares>,
}

/// What is behind it.
struct Underway {
    search: Search,
    /// Of the baseline, and the jobs of both parts; none until it was measured.
    baseline: Option<(PartValues, [usize; 2])>,
    /// What settings came to on the rest, by the run's id.
    judged: HashMap<String, Vec<Option<f64>>>,
    /// The log, its treatment and what is measured.
    on: SearchedLog,
    /// What workers are asked now.
    open: Vec<Query>,
    /// When it was begun or gone on with, in milliseconds of the page's clock, and how many settings were tried then.
    since: (f64, usize),
    /// Which of the tasks that drive it is the present one.
    turn: u32,
}

thread_local! {
    static COURSE: OnceCell<Course> = const { OnceCell::new() };
    static UNDERWAY: RefCell<Option<Underway>> = const { RefCell::new(None) };
    /// What was taken in of a link or of before a reload: once, for the form may be another since.
    static TAKEN_IN: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Something of the search that is under way.
fn with_underway<T>(of: impl FnOnce(&mut Underway) -> T) -> Option<T> {
    UNDERWAY.with_borrow_mut(|underway| underway.as_mut().map(of))
}

/// Keeps a search for a reload.
fn remember(link: &ExploreLink) {
    if let Ok(text) = link.to_text() {
        remembered::set_of_tab(remembered::QUESTION, &text);
        TAKEN_IN.set(text);
    }
}

impl Course {
    /// That of the page. A question that a link asks, or that was asked before a reload, is in the form.
    pub fn of_page() -> Course {
        let course = COURSE.with(|course| course.get_or_init(Course::new).clone());
        course.take_in();
        course
    }

    /// Takes in a question, and what was found, out of a link or of before a reload.
    fn take_in(&self) {
        if self.status.get_untracked() == CourseStatus::Running {
            return;
        }
        let Some(text) = remembered::get_of_tab::<String>(remembered::QUESTION) else { return };
        if TAKEN_IN.replace(text.clone()) == text {
            return;
        }
        match ExploreLink::parse(&text) {
            Ok(ExploreLink { question, shared }) => {
                self.draft.set(question);
                if let Some(shared) = shared {
                    self.show(Arc::new(shared));
                }
            }
            Err(error) => self.status.set(CourseStatus::Failed(format!("What was found could not be opened: {error}"))),
        }
    }

    /// Shows what a link brought.
    fn show(&self, shared: Arc<SharedFindings>) {
        UNDERWAY.set(None);
        let findings = &shared.findings;
        self.status.set(CourseStatus::Idle);
        self.asked.set(Some(findings.question.clone()));
        self.shares.set(Shares::default());
        self.points.set(findings.front.iter().map(|member| member.values.chosen.clone().into()).collect());
        self.findings.set(Some(Arc::new(findings.clone())));
        self.opened.set(Some(shared));
    }

    /// What was found, on what, where that answers the question of the form.
    fn told(&self) -> Option<ExploreLink> {
        let on = self.opened.with_untracked(|opened| opened.as_ref().map(|opened| (opened.on.clone(), opened.engine)));
        let on = on.or_else(|| with_underway(|underway| (underway.on.clone(), Engine::THIS)));
        let (on, engine) = on?;
        let findings = self.findings.get_untracked()?;
        let is_asked = self.draft.with_untracked(|draft| *draft == findings.question);
        let shared = SharedFindings { findings: (*findings).clone(), on, engine };
        is_asked.then(|| ExploreLink { question: findings.question.clone(), shared: Some(shared) })
    }

    /// What a link to the study carries besides it, as text: what was found on the study's log.
    pub fn text_for(app: App) -> Option<String> {
        let link = Course::of_page().told()?;
        let is_on = |shared: &SharedFindings| untrack(|| searched(app)) == shared.on;
        link.shared.as_ref().filter(|shared| is_on(shared))?;
        link.to_text().ok()
    }

    fn new() -> Course {
        Course {
            draft: ArcRwSignal::new(ExploreQuestion::default()),
            asked: ArcRwSignal::new(None),
            status: ArcRwSignal::new(CourseStatus::Idle),
            points: ArcRwSignal::new(Vec::new()),
            findings: ArcRwSignal::new(None),
            opened: ArcRwSignal::new(None),
            left: ArcRwSignal::new(None),
            shares: ArcRwSignal::new(Shares::default()),
        }
    }

    /// The page's address with what was found, or with the question of the form, and whether it has what was found.
    pub fn address(&self, app: App) -> (String, bool) {
        let told = self.told().and_then(|link| Some((link.to_text().ok()?, link.shared?.on.source)));
        let has_front = told.is_some();
        let (text, source) = told.unwrap_or_else(|| {
            let question = ExploreLink::asking(self.draft.get_untracked());
            (question.to_text().unwrap_or_default(), app.study.with_untracked(|study| study.source.clone()))
        });
        let place = PagePlace { log: Some(source), view: Some(Tab::Explore), ..PagePlace::default() };
        let location = window().location();
        let page = format!("{}{}", location.origin().unwrap_or_default(), location.pathname().unwrap_or_default());
        (format!("{page}#{}&explore={text}", place.fragment()), has_front)
    }

    /// Begins to answer the question of the form.
    pub fn start(&self, app: App) {
        let question = self.draft.get_untracked();
        if let Err(fault) = question.check() {
            self.status.set(CourseStatus::Failed(fault.to_string()));
            return;
        }
        if untrack(|| app.partition_chosen()).is_none()
            && app.study.with_untracked(|study| !study.partitions.is_empty())
        {
            self.status.set(CourseStatus::Failed(ONE_PARTITION.to_owned()));
            return;
        }
        self.cancel(app);
        remember(&ExploreLink::asking(question.clone()));
        self.opened.set(None);
        let turn = with_underway(|underway| underway.turn).unwrap_or_default();
        let underway = Underway {
            search: Search::begin(question.clone()),
            baseline: None,
            judged: HashMap::new(),
            on: untrack(|| searched(app)),
            open: Vec::new(),
            since: (0.0, 0),
            turn,
        };
        UNDERWAY.with_borrow_mut(|place| *place = Some(underway));
        self.points.set(Vec::new());
        self.findings.set(None);
        self.shares.set(Shares::default());
        self.asked.set(Some(question));
        self.go_on(app);
    }

    /// Stops it where it is.
    pub fn cancel(&self, app: App) {
        if self.status.get_untracked() == CourseStatus::Running {
            self.status.set(CourseStatus::Stopped);
            self.told().iter().for_each(remember);
        }
        let open = with_underway(|underway| {
            underway.turn += 1;
            std::mem::take(&mut underway.open)
        });
        for query in open.unwrap_or_default() {
            app.take_back(&query);
        }
    }

    /// Goes on where it was stopped.
    pub fn go_on(&self, app: App) {
        let Some(turn) = with_underway(|underway| {
            underway.turn += 1;
            underway.since = (now(), underway.search.tried());
            underway.turn
        }) else {
            return;
        };
        self.status.set(CourseStatus::Running);
        self.left.set(None);
        let course = self.clone();
        spawn_local(async move {
            let end = course.drive(app, turn).await;
            // where it was stopped, somebody else says what is
            if with_underway(|underway| underway.turn) == Some(turn) {
                course.status.set(end.map_or_else(CourseStatus::Failed, |()| CourseStatus::Ended));
                course.told().iter().for_each(remember);
            }
        });
    }

    /// Drives it to its end, or until it is another's turn.
    async fn drive(&self, app: App, turn: u32) -> Result<(), String> {
        let is_on = || with_underway(|underway| underway.turn == turn).unwrap_or(false);
        let question = with_underway(|underway| underway.search.question().clone()).unwrap_or_default();
        if with_underway(|underway| underway.baseline.is_none()) == Some(true) {
            let baseline = || vec![question.baseline.clone()];
            let (first, mut chosen) = self.measure(app, turn, baseline(), question.choosing()).await?;
            let (rest, mut judged) = self.measure(app, turn, baseline(), question.judging()).await?;
            if first == 0 || rest == 0 {
                return Err(QuestionFault::TooFewJobs.to_string());
            }
            let (Some(chosen), Some(judged)) = (chosen.pop().flatten(), judged.pop().flatten()) else {
                return Err("The baseline cannot be measured on this log: compare with another scheduler.".to_owned());
            };
            with_underway(|underway| underway.baseline = Some((PartValues { chosen, rest: judged }, [first, rest])));
        }
        let propose = || with_underway(|underway| underway.search.propose()).unwrap_or_default();
        let mut runs = propose();
        while is_on() && !runs.is_empty() {
            // what comes next does not depend on what is judged: so no worker waits for the other part
            let measured = self.measure(app, turn, runs.clone(), question.choosing());
            let (measured, judged) = join(measured, self.judge(app, turn, &question)).await;
            let ((_, values), ()) = (measured?, judged?);
            if !is_on() {
                return Ok(());
            }
            let metrics = question.metrics().len();
            let tried = values.iter().map(|values| values.clone().unwrap_or_else(|| vec![None; metrics]).into());
            self.points.update(|points| points.extend(tried));
            self.shares.update(|shares| runs.iter().for_each(|run| shares.count(run)));
            let left = with_underway(|underway| {
                underway.search.take_in(values);
                let (begun, before) = underway.since;
                let (tried, all) = (underway.search.tried(), question.runs);
                (now() - begun) / 1_000.0 * (all - tried) as f64 / (tried - before).max(1) as f64
            });
            self.left.set(left);
            runs = propose();
        }
        self.judge(app, turn, &question).await
    }

    /// Judges what has come to the front on the rest of the log, and shows it.
    async fn judge(&self, app: App, turn: u32, question: &ExploreQuestion) -> Result<(), String> {
        let unjudged = |underway: &mut Underway| -> Vec<Run> {
            let front = underway.search.front().into_iter().map(|number| underway.search.run(number));
            front.filter(|run| !underway.judged.contains_key(&run.id())).collect()
        };
        let new = with_underway(unjudged).unwrap_or_default();
        if !new.is_empty() {
            let (_, values) = self.measure(app, turn, new.clone(), question.judging()).await?;
            let none = vec![None; question.metrics().len()];
            with_underway(|underway| {
                for (run, values) in new.iter().zip(values) {
                    underway.judged.insert(run.id(), values.unwrap_or_else(|| none.clone()));
                }
            });
        }
        let found = with_underway(|underway| {
            let (baseline, jobs) = underway.baseline.clone()?;
            let mut findings = Findings::of(&underway.search, baseline, jobs);
            for member in &mut findings.front {
                member.values.rest = underway.judged.get(&member.run.id()).cloned().unwrap_or_default();
            }
            Some(Arc::new(findings))
        });
        self.findings.set(found.flatten());
        Ok(())
    }

    /// Has runs measured on a part of the log: how many jobs that has, and the values.
    async fn measure(
        &self,
        app: App,
        turn: u32,
        runs: Vec<Run>,
        part: LogPart,
    ) -> Result<(usize, Vec<Option<Vec<Option<f64>>>>), String> {
        let asked =
            with_underway(|underway| (underway.search.question().metrics(), underway.on.clone(), underway.turn));
        let Some((metrics, on, present)) = asked else { return Err(String::new()) };
        if on != untrack(|| searched(app)) {
            return Err("The log, or what is done to it or counted, is another now: start again.".to_owned());
        }
        if present != turn {
            return Err(String::new());
        }
        let (rules, measure) = app.study.with_untracked(|study| (study.rules(), study.measure));
        let query = Query::Measured { runs, rules, measure, metrics, part };
        with_underway(|underway| underway.open.push(query.clone()));
        let answer = app.ask(query.clone()).await;
        with_underway(|underway| underway.open.retain(|open| *open != query));
        match answer? {
            Answer::Measured { jobs, values } => Ok((jobs, values)),
            _ => Err("The question was lost. Start again.".to_owned()),
        }
    }

    /// Whether the search is on what the study is on now.
    pub fn is_on(app: App) -> bool {
        let now = searched(app);
        with_underway(|underway| underway.on == now).unwrap_or(true)
    }

    /// The run that was tried as that number.
    pub fn run(number: usize) -> Option<Run> {
        let tried = with_underway(|underway| (number < underway.search.tried()).then(|| underway.search.run(number)));
        let opened = || {
            let opened = Course::of_page().opened.get_untracked()?;
            opened.findings.front.get(number).map(|member| member.run.clone())
        };
        tried.flatten().or_else(opened)
    }
}

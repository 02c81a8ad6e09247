//! A search under way. It outlives the tab: whoever comes back finds it where it is.

use super::common::Shares;
use crate::address::{PagePlace, Tab};
use crate::app::prelude::*;
use crate::app::remembered;
use crate::app::state::App;
use crate::explore::{ExploreQuestion, Findings, PartValues, QuestionFault, Search};
use crate::metric::Measure;
use crate::study::query::{Answer, Query};
use crate::study::{LogPart, Run, Source, Study, Treatment};
use leptos::task::spawn_local;
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

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
    on: (String, Treatment, Measure),
    /// What a worker is asked now.
    open: Option<Query>,
    /// Which of the tasks that drive it is the present one.
    turn: u32,
}

thread_local! {
    static COURSE: OnceCell<Course> = const { OnceCell::new() };
    static UNDERWAY: RefCell<Option<Underway>> = const { RefCell::new(None) };
}

/// Something of the search that is under way.
fn with_underway<T>(of: impl FnOnce(&mut Underway) -> T) -> Option<T> {
    UNDERWAY.with_borrow_mut(|underway| underway.as_mut().map(of))
}

/// What the study is on.
fn log_of(study: &Study) -> (String, Treatment, Measure) {
    (study.source.key(), study.treatment.clone(), study.measure)
}

impl Course {
    /// That of the page. A question that a link asks, or that was asked before a reload, is in the form.
    pub fn of_page() -> Course {
        let course = COURSE.with(|course| course.get_or_init(Course::new).clone());
        if course.status.with_untracked(|status| *status == CourseStatus::Idle)
            && let Some(question) = remembered::get_of_tab::<String>(remembered::QUESTION)
                .and_then(|text| ExploreQuestion::from_link(&text))
        {
            course.draft.set(question);
        }
        course
    }

    fn new() -> Course {
        Course {
            draft: ArcRwSignal::new(ExploreQuestion::default()),
            asked: ArcRwSignal::new(None),
            status: ArcRwSignal::new(CourseStatus::Idle),
            points: ArcRwSignal::new(Vec::new()),
            findings: ArcRwSignal::new(None),
            shares: ArcRwSignal::new(Shares::default()),
        }
    }

    /// The page's address with the question of the form.
    pub fn address(&self, app: App) -> String {
        let source: Source = app.study.with_untracked(|study| study.source.clone());
        let place = PagePlace { log: Some(source), view: Some(Tab::Explore), ..PagePlace::default() };
        let question = self.draft.with_untracked(ExploreQuestion::to_link);
        let location = window().location();
        let page = format!("{}{}", location.origin().unwrap_or_default(), location.pathname().unwrap_or_default());
        format!("{page}#{}&explore={question}", place.fragment())
    }

    /// Begins to answer the question of the form.
    pub fn start(&self, app: App) {
        let question = self.draft.get_untracked();
        if let Err(fault) = question.check() {
            self.status.set(CourseStatus::Failed(fault.to_string()));
            return;
        }
        self.cancel(app);
        remembered::set_of_tab(remembered::QUESTION, &question.to_link());
        let turn = with_underway(|underway| underway.turn).unwrap_or_default();
        let underway = Underway {
            search: Search::begin(question.clone()),
            baseline: None,
            judged: HashMap::new(),
            on: app.study.with_untracked(log_of),
            open: None,
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
        }
        let open = with_underway(|underway| {
            underway.turn += 1;
            underway.open.take()
        });
        if let Some(query) = open.flatten() {
            app.take_back(&query);
        }
    }

    /// Goes on where it was stopped.
    pub fn go_on(&self, app: App) {
        let Some(turn) = with_underway(|underway| {
            underway.turn += 1;
            underway.turn
        }) else {
            return;
        };
        self.status.set(CourseStatus::Running);
        let course = self.clone();
        spawn_local(async move {
            let end = course.drive(app, turn).await;
            // where it was stopped, somebody else says what is
            if with_underway(|underway| underway.turn) == Some(turn) {
                course.status.set(end.map_or_else(CourseStatus::Failed, |()| CourseStatus::Ended));
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
        while is_on() {
            let runs = with_underway(|underway| underway.search.propose()).unwrap_or_default();
            if runs.is_empty() {
                return Ok(());
            }
            let (_, values) = self.measure(app, turn, runs.clone(), question.choosing()).await?;
            if !is_on() {
                break;
            }
            let metrics = question.metrics().len();
            let tried = values.iter().map(|values| values.clone().unwrap_or_else(|| vec![None; metrics]).into());
            self.points.update(|points| points.extend(tried));
            self.shares.update(|shares| runs.iter().for_each(|run| shares.count(run)));
            with_underway(|underway| underway.search.take_in(values));
            self.judge(app, turn, &question).await?;
        }
        Ok(())
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
        let (metrics, on, present) = asked.unwrap_or_default();
        if on != app.study.with_untracked(log_of) {
            return Err("The log, or what is done to it or counted, is another now: start again.".to_owned());
        }
        if present != turn {
            return Err(String::new());
        }
        let (rules, measure) = app.study.with_untracked(|study| (study.rules(), study.measure));
        let query = Query::Measured { runs, rules, measure, metrics, part };
        with_underway(|underway| underway.open = Some(query.clone()));
        let answer = app.ask(query).await;
        match answer? {
            Answer::Measured { jobs, values } => Ok((jobs, values)),
            _ => Err("The question was lost. Start again.".to_owned()),
        }
    }

    /// Whether the search is on what the study is on now.
    pub fn is_on(app: App) -> bool {
        let now = app.study.with(log_of);
        with_underway(|underway| underway.on == now).unwrap_or(true)
    }

    /// The run that was tried as that number.
    pub fn run(number: usize) -> Option<Run> {
        with_underway(|underway| (number < underway.search.tried()).then(|| underway.search.run(number))).flatten()
    }
}

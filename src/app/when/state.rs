//! The forecast on the page. It outlives the tab, so that a user who returns finds it unchanged.

use crate::address::{PagePlace, Tab};
use crate::app::prelude::*;
use crate::app::remembered;
use crate::app::state::{App, LogState};
use crate::run_queue::protocol::{ForecastNews, ForecastTask, Ticket};
use crate::run_queue::{DescribedLog, Encoded, Event};
use packfair_schedulers::Policy;
use packfair_study::Run;
use packfair_when::{JobTold, WhenAsked, WhenLink, WhenTold};
use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

/// The forecast on the page.
#[derive(Clone)]
pub struct ForecastOnPage {
    /// The id of the scheduler that the user has chosen; `None`: the usual one.
    pub scheduler: ArcRwSignal<Option<String>>,
    /// The moment as the user has written it; empty: the usual one.
    pub moment: ArcRwSignal<String>,
    /// The nodes that are drained, as the user has written it; empty: none.
    pub drain: ArcRwSignal<String>,
    pub told: ArcRwSignal<Option<Arc<WhenTold>>>,
    /// The number of the job that the user looks at.
    pub picked: ArcRwSignal<Option<i64>>,
    pub of_job: ArcRwSignal<Option<Arc<JobTold>>>,
    /// How far the forecast under way has come, from 0 to 1; `None` if none is.
    pub share: ArcRwSignal<Option<f64>>,
    pub failure: ArcRwSignal<Option<String>>,
    /// An answer from a link, until a forecast is asked for here.
    pub opened: ArcRwSignal<Option<Arc<WhenLink>>>,
    /// The question whose news is awaited.
    ticket: ArcRwSignal<Ticket>,
    /// What the last question was about: whether the log has changed since is seen by this.
    asked: ArcRwSignal<Option<(LogVersion, WhenAsked)>>,
}

thread_local! {
    static OUTLOOK: OnceCell<ForecastOnPage> = const { OnceCell::new() };
    /// The text of the link that was taken in last.
    static TAKEN_IN: RefCell<String> = const { RefCell::new(String::new()) };
}

/// The log as it is treated now. It is held, so that no other is ever at its address.
#[derive(Clone)]
struct LogVersion(Arc<DescribedLog>);

impl PartialEq for LogVersion {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// `None` until the log is described.
fn version(app: App) -> Option<LogVersion> {
    app.log.with(|log| match log {
        LogState::Ready(described) => Some(LogVersion(described.clone())),
        _ => None,
    })
}

/// The schedulers of the study that can be asked, Slurm as configured first where a site is there.
pub fn schedulers(app: App) -> Vec<Policy> {
    let usual = if app.site.with(Option::is_some) { "slurm" } else { "easy" };
    let mut all: Vec<Policy> = usual.parse().into_iter().collect();
    let of_study = app.study.with(|study| study.schedulers.clone());
    for policy in of_study {
        if !policy.is_given() && !policy.is_offline() && !all.contains(&policy) {
            all.push(policy);
        }
    }
    all
}

/// Whether nodes can be drained as a question: a Slurm site names them.
pub fn drains(app: App, scheduler: &Policy) -> bool {
    app.site.with(Option::is_some) && scheduler.family().entry.id == "slurm"
}

impl ForecastOnPage {
    /// The forecast of the page. Takes in an answer from a link.
    pub fn of_page() -> ForecastOnPage {
        let outlook = OUTLOOK.with(|outlook| outlook.get_or_init(ForecastOnPage::new).clone());
        outlook.take_in();
        outlook
    }

    fn new() -> ForecastOnPage {
        ForecastOnPage {
            scheduler: ArcRwSignal::new(None),
            moment: ArcRwSignal::new(String::new()),
            drain: ArcRwSignal::new(String::new()),
            told: ArcRwSignal::new(None),
            picked: ArcRwSignal::new(None),
            of_job: ArcRwSignal::new(None),
            share: ArcRwSignal::new(None),
            failure: ArcRwSignal::new(None),
            opened: ArcRwSignal::new(None),
            ticket: ArcRwSignal::new(0),
            asked: ArcRwSignal::new(None),
        }
    }

    fn take_in(&self) {
        let Some(text) = remembered::get_of_tab::<String>(remembered::FORECAST) else { return };
        if TAKEN_IN.replace(text.clone()) == text {
            return;
        }
        match WhenLink::parse(&text) {
            Ok(link) => {
                self.told.set(Some(Arc::new(link.told.clone())));
                self.picked.set(link.of_job.as_ref().map(|of_job| of_job.job));
                self.of_job.set(link.of_job.clone().map(Arc::new));
                self.opened.set(Some(Arc::new(link)));
            }
            Err(error) => self.failure.set(Some(format!("The forecast of the link could not be opened: {error}"))),
        }
    }

    /// What the form asks for now.
    fn question(&self, app: App) -> Option<WhenAsked> {
        let chosen = self.scheduler.get();
        let all = schedulers(app);
        let found = all.iter().find(|policy| Some(policy.to_string()) == chosen).or(all.first())?.clone();
        let rules = app.study.with(|study| study.rules());
        let drain = if drains(app, &found) { self.drain.get() } else { String::new() };
        let run = Run::new(found, "requested".parse().ok()?);
        Some(WhenAsked { now: self.moment.get(), drain, ..WhenAsked::of(run, rules) })
    }

    /// Asks for a forecast of what the form says and the log is now, unless that is what is told already.
    pub fn follow(&self, app: App) {
        let (version, question) = (version(app), self.question(app));
        let (Some(version), Some(question)) = (version, question) else { return };
        if self.opened.get().is_some() {
            return;
        }
        let asked = Some((version, question.clone()));
        let is_told = self.asked.get_untracked() == asked
            && (self.share.get_untracked().is_some() || self.told.get_untracked().is_some());
        if is_told {
            return;
        }
        self.asked.set(asked);
        self.told.set(None);
        self.picked.set(None);
        self.of_job.set(None);
        self.ask(app, question, None);
    }

    /// Leaves the answer of a link, and looks at the open log.
    pub fn leave_link(&self) {
        remembered::forget_of_tab(remembered::FORECAST);
        TAKEN_IN.take();
        self.told.set(None);
        self.picked.set(None);
        self.of_job.set(None);
        self.opened.set(None);
    }

    /// Looks at one job; `None`: at all.
    pub fn pick(&self, app: App, job: Option<i64>) {
        if self.opened.get_untracked().is_some() {
            // a link carries only what it is about
            let is_told = self.of_job.with_untracked(|told| told.as_ref().map(|told| told.job) == job);
            self.picked.set(job.filter(|_| is_told));
            return;
        }
        self.picked.set(job);
        self.of_job.set(None);
        if let (Some(job), Some((_, question))) = (job, self.asked.get_untracked()) {
            self.ask(app, question, Some(job));
        }
    }

    fn ask(&self, app: App, asked: WhenAsked, job: Option<i64>) {
        self.failure.set(None);
        self.share.set(Some(0.0));
        let question = app.with_queue_mut(|queue| queue.number());
        self.ticket.set(question);
        app.search(Event::ForecastWanted { question, task: Encoded::of(&ForecastTask { asked, job }) });
    }

    /// Stops the forecast under way.
    pub fn stop(&self, app: App) {
        if self.share.get_untracked().is_some() {
            self.share.set(None);
            self.ticket.set(0);
            if self.told.with_untracked(|told| told.as_ref().is_none_or(|told| told.course.times.is_empty())) {
                // what is told is not all: it is asked for again when the user returns
                self.asked.set(None);
            }
            app.search(Event::ForecastStopped);
        }
    }

    fn hear(&self, question: Ticket, news: Result<Encoded<ForecastNews>, String>) {
        if self.ticket.get_untracked() != question {
            return;
        }
        match news.and_then(|news| news.decode().ok_or_else(|| "The answer was lost. Ask again.".to_owned())) {
            Err(message) => {
                self.share.set(None);
                self.failure.set(Some(message));
            }
            Ok(ForecastNews { share, told, of_job }) => {
                let is_last = of_job.is_some() || share >= 1.0 && self.picked.get_untracked().is_none();
                self.share.set((!is_last).then_some(share));
                if let Some(told) = told {
                    self.told.set(Some(Arc::new(told)));
                }
                if let Some(of_job) = of_job {
                    self.of_job.set(Some(Arc::new(of_job)));
                }
            }
        }
    }

    /// An address with the answer alone: what is told of the picked job or, if none is, of all.
    pub fn address(&self, app: App) -> Option<String> {
        let told = self.told.get_untracked()?;
        let of_job = self.of_job.get_untracked().filter(|_| self.picked.get_untracked().is_some());
        let source = match self.opened.get_untracked() {
            Some(opened) => opened.source.clone(),
            None => app.study.with_untracked(|study| study.source.clone()),
        };
        let text = WhenLink::of(source, &told, of_job.as_deref()).to_text().ok()?;
        let place = PagePlace { view: Some(Tab::When), ..PagePlace::default() };
        let location = window().location();
        let page = format!("{}{}", location.origin().unwrap_or_default(), location.pathname().unwrap_or_default());
        Some(format!("{page}#{}&forecast={text}", place.fragment()))
    }
}

/// Takes news of a forecast from the run queue.
pub fn hear(question: Ticket, news: Result<Encoded<ForecastNews>, String>) {
    OUTLOOK.with(|outlook| {
        if let Some(outlook) = outlook.get() {
            outlook.hear(question, news);
        }
    });
}

/// Lets the next forecast be of the moment of a queue that has just been given.
pub fn look_at_queue() {
    let outlook = ForecastOnPage::of_page();
    outlook.leave_link();
    outlook.moment.set(String::new());
    outlook.drain.set(String::new());
    outlook.scheduler.set(None);
}

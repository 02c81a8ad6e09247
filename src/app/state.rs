//! The state of the page: what is loaded, what was asked, and the results.
//!
//! Components read the signals, and call the methods of [`super::actions`], which alone change them.
//! Rows and log are copies of the run queue's ([`crate::run_queue`]), which alone changes them.

pub use super::Act;
use super::pool::{AskedFile, Backend, OfferedScripts};
pub use crate::address::Tab;
use crate::app::prelude::*;
use crate::run_queue::TakenSite;
pub use crate::run_queue::{
    DescribedLog, LogState, RepeatsState, RunOutcome, RunRow, RunSettings, Status, TrialsState,
};
use packfair_engine::metric::Metric;
use packfair_papers::recipe::Recipe;
use packfair_study::link::SharedAgreement;
use packfair_study::verdict::Concern;
use packfair_study::{Run, Source, Study, link};
use packfair_workload::Unit;
use std::sync::Arc;

/// Everything from which the page is made. It is cheap to copy, since it holds only signals.
#[derive(Clone, Copy)]
pub struct App {
    /// The study; always valid.
    pub study: RwSignal<Study>,
    /// Every log of this session and every remembered log. The active one is the study's source.
    pub library: RwSignal<Vec<KnownLog>>,
    pub log: RwSignal<LogState>,
    /// One row for each run of the study, in the table's order. If one partition is shown by itself, only its rows.
    pub rows: RwSignal<Vec<RunRow>>,
    /// The number of the partition that is shown by itself, if the study takes each partition by itself; `None` shows
    /// all.
    pub partition: RwSignal<Option<i32>>,
    pub view: RwSignal<Tab>,
    /// Whether Compare shows the first screen: nobody has opened a log or asked for anything yet.
    pub is_new: RwSignal<bool>,
    /// The lesson that Learn shows; `None` for what it shows at first.
    pub lesson: RwSignal<Option<String>>,
    pub highlighted: RwSignal<Option<Run>>,
    /// Whether the table shows changes against the baseline, not absolute values.
    pub relative: RwSignal<bool>,
    /// The column that sorts the table, and whether descending; `None` for the study's own order.
    pub sorting: RwSignal<Option<(Metric, bool)>>,
    /// The runs whose curves are drawn, up to a maximum; if empty, the first runs of the table.
    pub charted: RwSignal<Vec<Run>>,
    /// The window of time to which all time charts are zoomed.
    pub window: RwSignal<Option<(f64, f64)>>,
    /// Whether the study is being run on one log after the other.
    pub on_several_logs: RwSignal<bool>,
    /// The fairness metric against which packing is plotted.
    pub fairness: RwSignal<Metric>,
    /// Messages at the foot of the page.
    pub notices: RwSignal<Vec<Notice>>,
    /// The verdict of the comparison, one sentence; `None` until there is one.
    pub verdict: RwSignal<Option<String>>,
    /// The concern of the user, by which the comparison is judged.
    pub concern: RwSignal<Concern>,
    /// The recipe whose table or figure is shown under the comparison.
    pub recipe: RwSignal<Option<&'static Recipe>>,
    /// The name of the papers' log that the user says this log is.
    pub taken_for: RwSignal<Option<&'static str>>,
    /// The link from which the content on screen came, and whether a recomputation agrees with it.
    pub shared: RwSignal<Option<LinkOrigin>>,
    /// A shared result that another log has replaced, until the user says which of the two is wanted.
    pub shared_before: RwSignal<Option<LinkOrigin>>,
    /// What was read from the files of the Slurm site beside the open log.
    pub site: RwSignal<Option<Arc<TakenSite>>>,
    pub asked: RwSignal<Option<AskedFile>>,
    /// Whether the dialog that asks about this file is shown.
    pub asks: RwSignal<bool>,
    /// Scripts of other people; the user is asked whether they may run.
    pub offered: RwSignal<Option<OfferedScripts>>,
    /// Whether the dialog that asks about these scripts is shown.
    pub offers: RwSignal<bool>,
    /// Light, dark, or as the system is set.
    pub theme: RwSignal<ThemeChoice>,
    /// Studies that were on screen before, latest first.
    pub recent: RwSignal<Vec<RecentStudy>>,
    /// The state of the study's repeats, once they were asked for.
    pub repeats: RwSignal<Option<RepeatsState>>,
    /// The state of the trials of remedies, once they were asked for.
    pub trials: RwSignal<Option<TrialsState>>,
    pub(super) backend: StoredValue<Backend, LocalStorage>,
}

impl App {
    /// The unit in which the jobs and the machine of the active log are counted.
    pub fn unit(self) -> Unit {
        self.log.with(|log| match log {
            LogState::Ready(log) => log.summary.counting.unit,
            _ => Unit::Processors,
        })
    }
}

/// A study that was on screen before.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct RecentStudy {
    pub study: Study,
    /// When it left the screen, in milliseconds since 1970.
    pub left_at: f64,
}

/// A log that can be made the active one.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownLog {
    pub source: Source,
    pub name: String,
    pub records: usize,
    /// The size of the file, bytes; 0 for a generated workload.
    pub bytes: u64,
}

/// A message at the foot of the page.
#[derive(Clone)]
pub struct Notice {
    /// The number that distinguishes this message from others.
    pub id: u32,
    pub message: String,
    /// Whether something went wrong.
    pub is_error: bool,
    pub label: &'static str,
    /// Undoes what the message reports, or does what the button says.
    pub undo: Option<Act>,
}

/// The link from which the content on screen came.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkOrigin {
    pub link: Arc<str>,
    pub carried: Arc<link::SharedStudy>,
    /// Whether the recomputation on the same log agrees.
    pub verdict: LinkVerdict,
}

/// Whether shared numbers agree with a recomputation.
#[derive(Clone, Debug, PartialEq)]
pub enum LinkVerdict {
    Unchecked,
    /// All values that were compared are the same.
    Agrees(SharedAgreement),
    /// Some values differ; lists them in words.
    Differs(Vec<String>),
}

/// Light, dark, or as the system is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum ThemeChoice {
    System,
    Light,
    Dark,
}

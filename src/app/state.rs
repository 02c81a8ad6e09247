//! The state of the page: what is loaded, what was asked, what came out.
//!
//! Components read the signals and call the methods (in [`super::actions`]); nothing else changes them. Rows, log and
//! speeds are copies of what the run queue has ([`crate::run_queue`]), which alone changes them.

use super::actions::AskedFile;
use super::backend::Backend;
pub use crate::address::Tab;
use crate::app::prelude::*;
use crate::app::writing::OfferedScripts;
use crate::metric::Metric;
use crate::run_queue::TakenSite;
pub use crate::run_queue::{
    DescribedLog, LogState, RepeatsState, RunOutcome, RunRow, RunSettings, Status, TrialsState,
};
use crate::study::cost::Speeds;
use crate::study::link::Agreement;
use crate::study::recipe::Recipe;
use crate::study::verdict::Concern;
use crate::study::{Run, Source, Study, link};
use crate::workload::Unit;
use std::sync::Arc;

/// Everything the page is made from. Copied freely: it holds only signals.
#[derive(Clone, Copy)]
pub struct App {
    /// What is asked; always valid.
    pub study: RwSignal<Study>,
    /// Every log of this session and every remembered one; the active one is that of the study's source.
    pub library: RwSignal<Vec<KnownLog>>,
    /// The active log.
    pub log: RwSignal<LogState>,
    /// One row for each run of the study, in the table's order; where a partition is looked at by itself, its rows.
    pub rows: RwSignal<Vec<RunRow>>,
    /// The number of the partition that is looked at by itself, where the study takes each so; none: all are.
    pub partition: RwSignal<Option<i32>>,
    /// Which tab is shown.
    pub view: RwSignal<Tab>,
    /// The run that is pointed out everywhere.
    pub highlighted: RwSignal<Option<Run>>,
    /// Whether to show the change to the baseline (else absolute values).
    pub relative: RwSignal<bool>,
    /// Table order: column and descending; none for the study's own order.
    pub sorting: RwSignal<Option<(Metric, bool)>>,
    /// The runs whose curves are drawn, at most some; empty: the first of the table.
    pub charted: RwSignal<Vec<Run>>,
    /// The window of time to which all time charts are zoomed.
    pub window: RwSignal<Option<(f64, f64)>>,
    /// Whether the study is being run on one log after the other.
    pub on_several_logs: RwSignal<bool>,
    /// By which metric packing is set against fairness.
    pub fairness: RwSignal<Metric>,
    /// Messages at the foot of the page.
    pub notices: RwSignal<Vec<Notice>>,
    /// What the comparison says in one sentence, once it says something.
    pub verdict: RwSignal<Option<String>>,
    /// What a person cares for, by which the comparison is judged.
    pub concern: RwSignal<Concern>,
    /// The recipe whose table or figure is shown under the comparison.
    pub recipe: RwSignal<Option<&'static Recipe>>,
    /// The log of the papers that the log is taken for by hand, by its name.
    pub taken_for: RwSignal<Option<&'static str>>,
    /// What can be taken back, the latest last, with the number of its message; also when the message is gone.
    pub undoable: StoredValue<Vec<(u32, Act)>>,
    /// Where what is shown came out of a link: from where, and whether it agrees with a recomputation.
    pub shared: RwSignal<Option<LinkOrigin>>,
    /// A shared result that another log has taken the place of, until a person says which of the two is wanted.
    pub shared_before: RwSignal<Option<LinkOrigin>>,
    /// What was read of the Slurm site whose files are beside the open log.
    pub site: RwSignal<Option<Arc<TakenSite>>>,
    /// The file of which a person is asked what it is.
    pub asked: RwSignal<Option<AskedFile>>,
    /// Whether the dialog is shown that asks it.
    pub asks: RwSignal<bool>,
    /// Scripts of others of which a person is asked whether they may run.
    pub offered: RwSignal<Option<OfferedScripts>>,
    /// Whether the dialog is shown that asks it.
    pub offers: RwSignal<bool>,
    /// Light, dark or as the system has it.
    pub theme: RwSignal<ThemeChoice>,
    /// Whether this browser has not seen the page before.
    pub first_visit: RwSignal<bool>,
    /// Studies that were on screen before, latest first.
    pub recent: RwSignal<Vec<RecentStudy>>,
    /// How fast runs were in this browser.
    pub speeds: RwSignal<Speeds>,
    /// The repeats of the study, once they were wanted.
    pub repeats: RwSignal<Option<RepeatsState>>,
    /// What is tried where the model explains little of the log, once that was wanted.
    pub trials: RwSignal<Option<TrialsState>>,
    /// The run queue and its workers.
    pub(super) backend: StoredValue<Backend, LocalStorage>,
}

impl App {
    /// In what jobs and machine of the active log are counted.
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
    /// The study.
    pub study: Study,
    /// When it left the screen, in milliseconds since 1970.
    pub left_at: f64,
}

/// A log that can be made the active one.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownLog {
    /// What studies call it.
    pub source: Source,
    /// Display name.
    pub name: String,
    /// Jobs, as read.
    pub records: usize,
    /// Bytes of the file; 0 for a generated workload.
    pub bytes: u64,
}

/// A message at the foot of the page.
#[derive(Clone)]
pub struct Notice {
    /// Tells notices apart.
    pub id: u32,
    /// For a person.
    pub message: String,
    /// Whether something went wrong.
    pub is_error: bool,
    /// What the button says.
    pub label: &'static str,
    /// Takes back what the message tells of, or does what the button says.
    pub undo: Option<Act>,
}

/// What a button of a message does. It is freed with its message; a `Callback` made in an event handler never is.
pub type Act = Arc<dyn Fn() + Send + Sync>;

/// Where what is shown came out of a link.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkOrigin {
    /// The link's own text.
    pub link: Arc<str>,
    /// What the link carried.
    pub carried: Arc<link::SharedStudy>,
    /// Whether the same log has been computed again, and agrees.
    pub verdict: LinkVerdict,
}

/// Whether shared numbers agree with a recomputation.
#[derive(Clone, Debug, PartialEq)]
pub enum LinkVerdict {
    /// Not computed again yet.
    Unchecked,
    /// All values that were compared are the same.
    Agrees(Agreement),
    /// Some are not: which, in words.
    Differs(Vec<String>),
}

/// Light, dark, or as the system has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum ThemeChoice {
    /// As the system has it.
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

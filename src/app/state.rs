//! The state of the page: what is loaded, what was asked, what came out.
//!
//! Components read the signals and call the methods (in [`super::actions`]); nothing else changes them.

use super::engine::Engine;
use super::protocol::ScheduleKey;
pub use crate::address::View;
use crate::app::prelude::*;
use crate::metric::{Measure, Metric};
use crate::study::cost::Speeds;
use crate::study::{Rules, Run, RunReport, Source, Study, Treatment, link};
use crate::workload::{Account, Fingerprint, Header, Summary};
use std::sync::Arc;

/// Everything the page is made from. Copied freely: it holds only signals.
#[derive(Clone, Copy)]
pub struct App {
    /// What is asked; always valid.
    pub study: RwSignal<Study>,
    /// Every log of this session and every remembered one; the active one is that of the study's source.
    pub library: RwSignal<Vec<Shelved>>,
    /// The active log.
    pub log: RwSignal<LogState>,
    /// One row for each run of the study, in the table's order.
    pub rows: RwSignal<Vec<Row>>,
    /// Which tab is shown.
    pub view: RwSignal<View>,
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
    pub touring: RwSignal<bool>,
    /// By which metric packing is set against fairness.
    pub fairness: RwSignal<Metric>,
    /// Messages at the foot of the page.
    pub notices: RwSignal<Vec<Notice>>,
    /// Where what is shown came out of a link: from where, and whether it agrees with a recomputation.
    pub shared: RwSignal<Option<Shared>>,
    /// A shared result that another log has taken the place of, until a person says which of the two is wanted.
    pub left: RwSignal<Option<Shared>>,
    /// Light, dark or as the system has it.
    pub theme: RwSignal<Theme>,
    /// Whether this browser has not seen the page before.
    pub first_visit: RwSignal<bool>,
    /// Studies that were on screen before, latest first.
    pub recent: RwSignal<Vec<RecentStudy>>,
    /// How fast runs were in this browser.
    pub speeds: RwSignal<Speeds>,
    /// Workers and what they are at.
    pub(super) engine: StoredValue<Engine, LocalStorage>,
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
pub struct Shelved {
    /// What studies call it.
    pub source: Source,
    /// Display name.
    pub name: String,
    /// Jobs, as read.
    pub records: usize,
    /// Bytes of the file; 0 for a generated workload.
    pub bytes: u64,
}

/// How far the active log is.
#[derive(Clone, Debug, PartialEq)]
pub enum LogState {
    /// Nothing is loaded (a shared result is shown without its log).
    Absent,
    /// It is being read or made.
    Loading {
        /// Its name.
        name: String,
        /// From 0 to 1.
        fraction: f64,
    },
    /// It cannot be used, and why.
    Failed {
        /// Its name.
        name: String,
        /// For a person.
        message: String,
    },
    /// It is there.
    Ready(Arc<Described>),
}

/// The active log, cleaned.
#[derive(Clone, Debug, PartialEq)]
pub struct Described {
    /// What the workload is like after filter and cleaning.
    pub summary: Summary,
    /// What it would be like without the filter, where there is one.
    pub unfiltered: Option<Box<Summary>>,
    /// What was repaired and dropped.
    pub account: Account,
    /// The log's header.
    pub header: Header,
    /// Of the log's content.
    pub fingerprint: Option<Fingerprint>,
    /// Jobs as read, before filter and cleaning.
    pub records: usize,
    /// What was done to it: where this differs from the study's, a new description is under way.
    pub treatment: Treatment,
}

/// A row of the table: a run and how far it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Which run.
    pub run: Run,
    /// How far it is.
    pub status: Status,
    /// The last result, which may be for other settings than the present ones.
    pub result: Option<Arc<Outcome>>,
}

/// How far a run is.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// Not run yet, or not with the present settings.
    Idle,
    /// Waits for a worker.
    Queued,
    /// A worker runs it.
    Running {
        /// Jobs completed.
        completed: usize,
        /// Jobs in all.
        jobs: usize,
        /// Seconds left, where that can be told.
        left: Option<f64>,
    },
    /// A worker has simulated it and measures its schedule.
    Measuring,
    /// It has ended and its result is there.
    Done,
    /// It failed, and why.
    Failed(String),
    /// It was stopped.
    Cancelled,
}

/// A result and what it is the result of.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The settings it was made with.
    pub basis: Basis,
    /// What came out.
    pub report: RunReport,
    /// Whether the schedule is at hand, so that jobs, Gantt and exports can be shown.
    pub has_schedule: bool,
}

impl Outcome {
    /// What was done to the log before it was simulated.
    pub fn treatment(&self) -> Treatment {
        self.report.run.treatment(&self.basis.treatment)
    }
}

/// All settings besides the run itself that a result depends on.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Basis {
    /// The log.
    pub source: Source,
    /// What was done to it.
    pub treatment: Treatment,
    /// What became of estimates that ran out, and when jobs were estimated anew.
    pub rules: Rules,
    /// Which jobs counted, and how.
    pub measure: Measure,
}

impl Basis {
    /// Of a study as it stands.
    pub fn of(study: &Study) -> Self {
        Basis {
            source: study.source.clone(),
            treatment: study.treatment.clone(),
            rules: study.rules(),
            measure: study.measure,
        }
    }

    /// Identifies the result of `run` with these settings, by this engine: what another one stored is not found, and
    /// computed again.
    pub fn key(&self, run: &Run) -> ScheduleKey {
        // plain data under keys that are text, so this does not fail
        let text = serde_json::to_string(&(self, run)).unwrap();
        let digest = xxhash_rust::xxh3::xxh3_128(text.as_bytes());
        format!("{}|{}-{digest:032x}", self.source.key(), crate::study::Engine::THIS)
    }
}

impl Row {
    /// Whether the result shown is for other settings than the present ones.
    pub fn is_stale(&self, study: &Study) -> bool {
        self.result.as_ref().is_some_and(|r| r.basis != Basis::of(study))
    }
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
    pub undo: Option<Callback<()>>,
}

/// Where what is shown came out of a link.
#[derive(Clone, Debug, PartialEq)]
pub struct Shared {
    /// The link's own text.
    pub link: Arc<str>,
    /// What the link carried.
    pub carried: Arc<link::Shared>,
    /// Whether the same log has been computed again, and agrees.
    pub verdict: Verdict,
}

/// Whether shared numbers agree with a recomputation.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Not computed again yet.
    Unchecked,
    /// All values are the same.
    Agrees,
    /// Some are not: which, in words.
    Differs(Vec<String>),
}

/// Light, dark, or as the system has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Theme {
    /// As the system has it.
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

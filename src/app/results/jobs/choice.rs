//! What the table of jobs shows: which runs, which jobs, and in which order.

use super::columns::{KnownOfRun, Times};
use crate::address::Picked;
use crate::app::long_lived::LongLived;
use crate::app::prelude::*;
use crate::app::state::{App, RunRow};
use packfair_engine::metric::Metric;
use packfair_study::Run;
use packfair_study::query::{JobColumn, JobField, JobRow};

/// The second run of the table.
#[derive(Clone, Debug, PartialEq)]
pub enum SecondRun {
    /// The baseline of the first run, if that is another run.
    Baseline,
    /// No second run.
    Nothing,
    Run(Run),
}

/// The user's choices for the table of jobs. They outlive the view.
#[derive(Clone, Copy)]
pub struct JobsChoice {
    /// The first run. If none is chosen, it is the highlighted run or, without one, the first run available that is
    /// compared with another.
    pub first: RwSignal<Option<Run>>,
    /// The second run.
    pub second: RwSignal<SecondRun>,
    /// The search text as typed.
    pub search: RwSignal<String>,
    pub sorting: RwSignal<(JobColumn, bool)>,
    /// How points in time are shown.
    pub times: RwSignal<Times>,
    pub picked: RwSignal<Option<JobRow>>,
    /// A job that an address names, until the job is found.
    pub wanted: RwSignal<Option<Picked>>,
}

impl JobsChoice {
    pub(in crate::app::results) fn new() -> Self {
        JobsChoice {
            first: RwSignal::new(None),
            second: RwSignal::new(SecondRun::Baseline),
            search: RwSignal::new(String::new()),
            sorting: RwSignal::new((JobField::Number.into(), false)),
            times: RwSignal::new(Times::Dates),
            picked: RwSignal::new(None),
            wanted: RwSignal::new(None),
        }
    }

    /// Drops the subscribers of the choices (see [`LongLived::forget_readers`]): the view is made again each time it is
    /// shown.
    pub(super) fn forget_readers(self) {
        self.first.forget_readers();
        self.second.forget_readers();
        self.search.forget_readers();
        self.sorting.forget_readers();
        self.times.forget_readers();
        self.picked.forget_readers();
        self.wanted.forget_readers();
    }

    /// The effective order in a table of `runs` runs: the order of the log if the chosen order is by a run that is not
    /// in the table.
    pub fn sorting_with(self, runs: usize) -> (JobColumn, bool) {
        let (column, descending) = self.sorting.get();
        if column.runs() > runs { (JobField::Number.into(), false) } else { (column, descending) }
    }

    /// The runs shown: at most two of those whose schedules are available.
    pub fn runs(self, app: App) -> Memo<Vec<Run>> {
        let available = available(app);
        Memo::new(move |_| {
            let is_there = |run: &Run| available.with(|runs| runs.contains(run));
            let chosen = self.first.get().filter(is_there);
            let first = chosen.or_else(|| app.highlighted.get_untracked().filter(is_there));
            let is_compared = |run: &&Run| {
                let baseline = app.study.with(|study| study.baseline_of(run));
                baseline.is_some_and(|baseline| baseline != **run && is_there(&baseline))
            };
            let usual = || available.with(|runs| runs.iter().find(is_compared).or(runs.first()).cloned());
            let Some(first) = first.or_else(usual) else { return Vec::new() };
            let second = match self.second.get() {
                SecondRun::Nothing => None,
                SecondRun::Run(run) => Some(run),
                SecondRun::Baseline => app.study.with(|study| study.baseline_of(&first)),
            };
            let second = second.filter(|run| *run != first && is_there(run));
            std::iter::once(first).chain(second).collect()
        })
    }
}

/// Which facts are known about the jobs of the runs shown.
pub fn known(app: App, runs: Memo<Vec<Run>>) -> Memo<Vec<KnownOfRun>> {
    let of = |row: &RunRow| {
        let result = row.result.as_ref();
        KnownOfRun {
            promises: result.is_some_and(|result| result.report.values.contains_key(&Metric::Late)),
            fair: result.is_some_and(|result| result.has_fair_starts()),
            kills: result.is_some_and(|result| result.report.values.contains_key(&Metric::Kills)),
            classes: row.run.scheduler.family().entry.id == "classes",
        }
    };
    Memo::new(move |_| {
        let find = |run: &Run| app.rows.with(|rows| rows.iter().find(|row| row.run == *run).map(of));
        runs.with(|runs| runs.iter().map(|run| find(run).unwrap_or_default()).collect())
    })
}

/// The runs whose schedules are available and were made with the present settings.
pub fn available(app: App) -> Memo<Vec<Run>> {
    let has_schedule = |row: &&RunRow| row.result.as_ref().is_some_and(|r| r.has_schedule);
    Memo::new(move |_| {
        app.study.with(|study| {
            app.rows.with(|rows| {
                let fresh = rows.iter().filter(has_schedule).filter(|row| !row.is_stale(study));
                fresh.map(|row| row.run.clone()).collect()
            })
        })
    })
}

//! Finer curves of the zoomed window of time, computed by the workers.

use super::charted::ChartedRuns;
use crate::app::prelude::*;
use crate::app::state::App;
use leptos::task::spawn_local;
use packfair_chart::kinds::Charted;
use packfair_chart::{Ink, inks};
use packfair_engine::metric::TimeSeries;
use packfair_study::query::{Answer, Query};
use packfair_study::{Run, RunReport};
use std::sync::Arc;
use std::time::Duration;

/// The number of bins into which a window is reduced: about one for each pixel.
const BINS: usize = 800;

/// How long a window must stay unchanged before the workers are asked.
const REST: Duration = Duration::from_millis(120);

/// The finer curves that have arrived.
#[derive(Clone, Copy)]
pub struct Finer {
    window: RwSignal<Option<(f64, f64)>>,
    series: RwSignal<Vec<(Run, Arc<TimeSeries>)>>,
}

impl Finer {
    /// Keeps the curves up to date with the page's window and the charted runs.
    pub fn of(app: App, runs: ChartedRuns) -> Self {
        // a window of another log's time has no meaning
        let log = Memo::new(move |_| app.study.with(|study| (study.source.clone(), study.treatment.shrink)));
        Effect::new(move |before: Option<_>| {
            let now = log.get();
            if before.is_some_and(|before| before != now) {
                app.zoom_out();
            }
            now
        });
        let finer = Finer { window: RwSignal::new(None), series: RwSignal::new(Vec::new()) };
        Effect::new(move |_| {
            let window = app.window.get();
            let chosen = runs.chosen.get();
            // results may change while the runs stay the same
            runs.all.track();
            finer.window.set(window);
            finer.series.set(Vec::new());
            let Some(window) = window else { return };
            let ask = move || {
                for run in chosen {
                    spawn_local(finer.ask(app, run, window));
                }
            };
            let timer = set_timeout_with_handle(ask, REST).ok();
            on_cleanup(move || timer.into_iter().for_each(|timer| timer.clear()));
        });
        finer
    }

    async fn ask(self, app: App, run: Run, window: (f64, f64)) {
        let (from, until) = window;
        // without an answer, the coarse curves stay; a shared result has no schedules, for example
        let Ok(Answer::Window(series)) = app.ask(Query::Window { run: run.clone(), from, until, bins: BINS }).await
        else {
            return;
        };
        if self.window.try_get_untracked().flatten() == Some(window) {
            self.series.update(|known| known.push((run, Arc::new(series))));
        }
    }

    /// Replaces the report's curves by the finer ones of the window, if they have arrived.
    pub fn refine(self, mut report: RunReport) -> RunReport {
        self.series.with(|known| {
            if let Some((_, series)) = known.iter().find(|(run, _)| *run == report.run) {
                report.curves.queue_jobs = series.queue_jobs.clone();
                report.curves.queue_width = series.queue_width.clone();
                report.curves.utilisation = series.utilisation.clone();
                report.curves.power = series.power.clone();
                report.curves.offered = series.offered.clone();
                report.curves.policies = series.policies.clone();
            }
        });
        report
    }
}

impl ChartedRuns {
    /// Calls `make` with the chosen runs. Their curves are the finest that have arrived.
    pub fn with_chosen<T>(self, finer: Finer, make: impl FnOnce(&[Charted<'_>]) -> T) -> T {
        let chosen = self.chosen.get();
        let inks = inks(&chosen);
        let reports: Vec<(RunReport, Ink)> = self.all.with(|all| {
            let find = |(i, run): (usize, &Run)| {
                let outcome = all.iter().find(|outcome| outcome.report.run == *run)?;
                Some((finer.refine(outcome.report.clone()), inks[i]))
            };
            chosen.iter().enumerate().filter_map(find).collect()
        });
        let charted: Vec<Charted<'_>> = reports.iter().map(|(report, ink)| Charted { report, ink: *ink }).collect();
        make(&charted)
    }
}

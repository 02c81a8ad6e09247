//! How good the estimates of the charted runs are. The workers compute this.

use super::chart::figure;
use super::charted::{ChartedRuns, clock};
use crate::app::fault::MISUNDERSTOOD;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::chart::kinds::{self, JudgedEstimates, OverTime};
use crate::chart::{Figure, inks};
use crate::metric::Accuracy;
use crate::study::Run;
use crate::study::query::{Answer, Query};
use crate::workload::Summary;
use leptos::task::spawn_local;
use std::sync::Arc;

/// A worker's answer about the estimates of a run, or why there is none.
pub type Said = Result<Arc<Accuracy>, String>;

/// The answers about the estimates of the charted runs.
#[derive(Clone, Copy)]
pub struct EstimateJudging {
    runs: ChartedRuns,
    said: RwSignal<Vec<(Run, Said)>>,
}

impl EstimateJudging {
    /// Asks about each charted run, again whenever the results or the jobs that count change.
    pub fn of(app: App, runs: ChartedRuns) -> Self {
        let said = RwSignal::new(Vec::new());
        let counted = Memo::new(move |_| app.study.with(|study| study.measure.jobs()));
        let round = StoredValue::new(0_u32);
        Effect::new(move |_| {
            runs.all.track();
            let (chosen, counted) = (runs.chosen.get(), counted.get());
            round.update_value(|round| *round += 1);
            let number = round.get_value();
            said.set(Vec::new());
            for run in chosen {
                spawn_local(async move {
                    let answer = match app.ask(Query::Accuracy { run: run.clone(), counted }).await {
                        Ok(Answer::Accuracy(accuracy)) => Ok(Arc::new(accuracy)),
                        Ok(_) => Err(MISUNDERSTOOD.to_owned()),
                        Err(message) => Err(message),
                    };
                    // the answer may be late: other runs may be charted by now, or the view is gone
                    if round.try_get_value() == Some(number) {
                        said.update(|all| all.push((run, answer)));
                    }
                });
            }
        });
        EstimateJudging { runs, said }
    }

    /// The answer about a run; `None` until it arrives.
    pub fn of_run(self, run: &Run) -> Option<Said> {
        self.said.with(|all| all.iter().find(|(other, _)| other == run).map(|(_, said)| said.clone()))
    }

    /// A figure of the distribution of errors.
    pub fn errors(self) -> Signal<Arc<Figure>> {
        figure(move || self.with_judged(kinds::estimate_errors))
    }

    /// A figure of how good the estimates are over time.
    pub fn over_time(self, what: OverTime, summary: Memo<Option<Arc<Summary>>>) -> Signal<Arc<Figure>> {
        figure(move || self.with_judged(|judged| kinds::estimates_over_time(judged, what, &clock(summary))))
    }

    /// Calls `make` with the charted runs whose answers have arrived, in their inks.
    fn with_judged(self, make: impl Fn(&[JudgedEstimates<'_>]) -> Figure) -> Figure {
        let chosen = self.runs.chosen.get();
        let inks = inks(&chosen);
        let known: Vec<(usize, Arc<Accuracy>)> =
            chosen.iter().enumerate().filter_map(|(place, run)| Some((place, self.of_run(run)?.ok()?))).collect();
        let judged =
            known.iter().map(|(place, accuracy)| JudgedEstimates { run: &chosen[*place], ink: inks[*place], accuracy });
        make(&judged.collect::<Vec<_>>())
    }
}

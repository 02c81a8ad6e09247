//! How long runs take, by what they were measured to take.

use crate::app::prelude::*;
use crate::app::state::{App, RunRow, RunSettings, Status};
use packfair_study::verdict::Trials;
use packfair_study::{Run, Study, pace};

impl App {
    /// How long the runs that "Run" would start take, seconds; `None` while one of them has not been tried.
    pub fn seconds_pending(self) -> Option<f64> {
        let study = self.study.read();
        let settings = RunSettings::of(&study);
        self.seconds_held(|row| row.is_pending(&study, &settings))
    }

    /// How long it takes to compute the results of a link again, seconds; `None` while one of them has not been tried.
    pub fn seconds_unchecked(self) -> Option<f64> {
        self.seconds_held(|row| self.is_unchecked(row))
    }

    /// How long the runs of these rows take, by how far they came before they were held.
    fn seconds_held(self, is_meant: impl Fn(&RunRow) -> bool) -> Option<f64> {
        let seconds = |row: &RunRow| match row.status {
            Status::Held { seconds } => seconds,
            _ => None,
        };
        let each: Option<Vec<f64>> =
            self.rows.with(|rows| rows.iter().filter(|row| is_meant(row)).map(seconds).collect());
        Some(pace::together(each?, self.at_a_time()))
    }

    /// How long `count` repeats of all runs take, seconds, by what the runs took; `None` while one has no result.
    #[inline(never)]
    pub fn seconds_repeats(self, count: usize) -> Option<f64> {
        let (runs, results) = (self.study.with(Study::repeated_runs), self.results());
        let of_run =
            |run: &Run| results.iter().find(|outcome| outcome.report.run == *run).map(|of| pace::again(&of.report));
        let once = runs.iter().map(of_run).sum::<Option<f64>>()?;
        Some(once * count as f64 / self.at_a_time() as f64)
    }

    /// How long the trials take, seconds, by what the run that they are made with took; `None` if it has no result.
    pub fn seconds_trials(self, trials: &Trials) -> Option<f64> {
        let run = self.results().into_iter().find(|outcome| trials.is_tried_with(&outcome.report.run))?;
        Some(trials.seconds(pace::again(&run.report)) / self.at_a_time() as f64)
    }

    fn at_a_time(self) -> usize {
        self.with_backend(|backend| backend.queue.most_runners()).max(1)
    }
}

//! Estimates of how long runs will take.

use crate::app::long_lived::LongLived;
use crate::app::prelude::*;
use crate::app::remembered;
use crate::app::state::{App, LogState, RunRow, RunSettings};
use crate::study::cost::{Size, Speeds};
use crate::study::{Run, Study};

/// The storage key of this browser's measured speeds.
const KEY: &str = "packfair.speeds";

/// How fast earlier runs were in this browser.
pub(super) fn remembered_speeds() -> Speeds {
    remembered::get_newest(KEY).unwrap_or_default()
}

impl App {
    /// The size of the study's log after its treatment, which run times depend on; `None` until it is known.
    fn size(self) -> Option<Size> {
        let study = self.study.read();
        match &*self.log.read() {
            LogState::Ready(described) if described.treatment == study.treatment => {
                Some(Size::of(study.source.key(), &study.treatment, &described.summary))
            }
            _ => None,
        }
    }

    /// How long the runs that "Run" would start will take, seconds; `None` while this is unknown.
    pub fn seconds_pending(self) -> Option<f64> {
        let runs: Vec<Run> = self.study.with(|study| {
            let settings = RunSettings::of(study);
            let is_pending = |row: &&RunRow| row.is_pending(study, &settings);
            self.rows.with(|rows| rows.iter().filter(is_pending).map(|row| row.run.clone()).collect())
        });
        self.seconds(&runs)
    }

    /// How long it takes to compute the results of a link again, seconds; `None` while this is unknown.
    pub fn seconds_unchecked(self) -> Option<f64> {
        let rows = self.rows.get();
        let runs: Vec<Run> = rows.iter().filter(|row| self.is_unchecked(row)).map(|row| row.run.clone()).collect();
        self.seconds(&runs)
    }

    fn seconds(self, runs: &[Run]) -> Option<f64> {
        let size = self.size()?;
        let at_a_time = self.with_backend(|backend| backend.queue.most_runners());
        Some(self.study.with(|study| self.speeds.with(|speeds| speeds.together(study, runs, &size, at_a_time))))
    }

    /// How long `count` repeats of all runs take, seconds; `None` while this is unknown.
    #[inline(never)]
    pub fn seconds_repeats(self, count: usize) -> Option<f64> {
        let runs = self.study.with(Study::repeated_runs);
        Some(self.seconds(&runs)? * count as f64)
    }

    /// How long `count` runs like this one take on a share of the jobs, seconds; `None` while this is unknown.
    #[inline(never)]
    pub fn seconds_exploring(self, run: &Run, share: f64, count: usize) -> Option<f64> {
        let at_a_time = self.with_backend(|backend| backend.queue.most_runners()).max(1);
        Some(self.seconds(std::slice::from_ref(run))? * share * count as f64 / at_a_time as f64)
    }

    /// Keeps the speeds that finished runs have shown.
    pub(super) fn keep_speeds(self) {
        let (speeds, is_idle) = self.with_backend(|backend| (backend.queue.speeds().clone(), backend.queue.is_idle()));
        if is_idle {
            // if nothing can be stored, the next visit begins with a guess
            remembered::set_newest(KEY, &speeds);
        }
        self.speeds.renew(speeds);
    }
}

//! Waits over all partitions, if each is taken by itself.

use crate::app::state::App;
use crate::study::Run;

pub fn on_all(app: App, runs: &[Run]) -> Vec<Run> {
    let results = app.results();
    let mut all: Vec<Run> = Vec::new();
    for run in runs {
        let alike = |other: &Run| other.clone().on_partition(run.partition.clone()) == *run;
        let on_others = results.iter().map(|outcome| &outcome.report.run).filter(|other| alike(other));
        for run in on_others {
            if !all.contains(run) {
                all.push(run.clone());
            }
        }
    }
    all
}

//! The log's partitions: taken together as one machine, or each by itself. In the second case, the page can show a
//! single one.

use crate::app::prelude::*;
use crate::app::state::{App, LogState, RunOutcome, RunRow, RunSettings};
use crate::run_queue::Event;
use crate::study::RunPartition;
use std::sync::Arc;

impl App {
    /// The partitions that can each be taken by themselves; empty if the log has only one.
    pub fn partitions_apart(self) -> Vec<RunPartition> {
        self.log.with(|log| match log {
            LogState::Ready(described) => self.study.with(|study| described.facts().partitions_apart(study)),
            _ => self.study.with(|study| study.partitions.clone()),
        })
    }

    /// The partition that is shown by itself; `None` if all partitions of the study are shown.
    pub fn partition_chosen(self) -> Option<RunPartition> {
        let number = self.partition.get()?;
        self.study.with(|study| study.partitions.iter().find(|of| of.number == number).cloned())
    }

    /// Takes all partitions as one machine, and starts the runs that this makes necessary.
    pub fn take_as_one(self) {
        self.look_at(None);
        self.edit(|study| study.partitions.clear());
    }

    /// Takes each partition by itself, and shows one of them or, with `None`, all.
    pub fn take_each(self, looked_at: Option<i32>) {
        let each = untrack(|| self.partitions_apart());
        self.edit(move |study| {
            // sizes that the user has set stay
            if study.partitions.is_empty() {
                study.partitions = each;
            }
        });
        self.look_at(looked_at);
    }

    pub(super) fn look_at(self, partition: Option<i32>) {
        if self.partition.get_untracked() != partition {
            self.partition.set(partition);
            self.tell(Event::PartitionChosen(partition));
            self.show_rows();
        }
    }

    pub(super) fn looked_at(self, mut rows: Vec<RunRow>) -> Vec<RunRow> {
        if self.partition.with_untracked(Option::is_some) {
            let chosen = untrack(|| self.partition_chosen());
            rows.retain(|row| chosen.is_none() || row.run.partition == chosen);
        }
        rows
    }

    /// The results of all partitions that are not stale, in the table's order.
    pub(super) fn results_of_all(self) -> Vec<Arc<RunOutcome>> {
        if untrack(|| self.partition_chosen()).is_none() {
            return self.results();
        }
        let settings = self.study.with(RunSettings::of);
        let fresh = |row: &RunRow| row.result.clone().filter(|result| result.settings == settings);
        self.with_backend(|backend| backend.queue.rows().iter().filter_map(fresh).collect())
    }
}

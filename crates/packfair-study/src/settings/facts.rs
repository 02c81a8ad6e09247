//! What settings need to know of a log.

use crate::{RunPartition, Study};
use packfair_workload::{Clock, Header, Summary, Unit};

/// What is known of a study's log. The default knows nothing, as before a log is read.
#[derive(Clone, Copy, Default)]
pub struct LogFacts<'a> {
    /// The log's header, with the names of users, queues and partitions.
    pub header: Option<&'a Header>,
    /// How the log's seconds become dates.
    pub clock: Option<&'a Clock>,
    /// The summary of the workload that the study's treatment makes of it.
    pub summary: Option<&'a Summary>,
    /// The summary that it would have without the filter, where the study has a filter.
    pub unfiltered: Option<&'a Summary>,
    /// The log's partitions, where no summary tells them.
    pub partitions: &'a [RunPartition],
}

impl LogFacts<'_> {
    /// The unit in which jobs and the machine are counted.
    pub fn unit(&self) -> Unit {
        self.summary.map_or(Unit::Processors, |summary| summary.counting.unit)
    }

    /// The summary of the log before the filter, which shows what can be chosen.
    pub fn whole(&self) -> Option<&Summary> {
        self.unfiltered.or(self.summary)
    }

    /// The partitions that a study simulates separately, if it does so: those in its filter, or all.
    pub fn partitions_apart(&self, study: &Study) -> Vec<RunPartition> {
        let chosen = &study.treatment.filter.partitions;
        let mut each = self.partitions();
        each.retain(|of| chosen.is_empty() || chosen.contains(&of.number));
        each
    }

    /// The log's partitions.
    pub fn partitions(&self) -> Vec<RunPartition> {
        let told = self.whole().map(|summary| &summary.partitions[..]).unwrap_or_default();
        let of_summary = told.iter().map(|choice| RunPartition {
            number: choice.id,
            name: choice.name.clone().unwrap_or_else(|| choice.id.to_string()),
            processors: None,
        });
        self.partitions.iter().cloned().chain(of_summary).collect()
    }
}

//! What settings need to know of a log.

use crate::study::{RunPartition, Study};
use crate::workload::{Clock, Header, Summary, Unit};

/// What is known of the log that a study is about; nothing by default, as before it is read.
#[derive(Clone, Copy, Default)]
pub struct LogFacts<'a> {
    /// Its header, with the names of users, queues and partitions.
    pub header: Option<&'a Header>,
    /// How its seconds become dates.
    pub clock: Option<&'a Clock>,
    /// What it is like as it is treated.
    pub summary: Option<&'a Summary>,
    /// What it would be like without the filter, where there is one.
    pub unfiltered: Option<&'a Summary>,
    /// Its partitions, where no summary tells them.
    pub partitions: &'a [RunPartition],
}

impl LogFacts<'_> {
    /// What jobs and machine are counted in.
    pub fn unit(&self) -> Unit {
        self.summary.map_or(Unit::Processors, |summary| summary.counting.unit)
    }

    /// What it is like before the filter: what can be taken.
    pub fn whole(&self) -> Option<&Summary> {
        self.unfiltered.or(self.summary)
    }

    /// The partitions that a study takes each by itself where it does so: of those in its filter, else of all.
    pub fn partitions_apart(&self, study: &Study) -> Vec<RunPartition> {
        let chosen = &study.treatment.filter.partitions;
        let mut each = self.partitions();
        each.retain(|of| chosen.is_empty() || chosen.contains(&of.number));
        each
    }

    /// Its partitions.
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

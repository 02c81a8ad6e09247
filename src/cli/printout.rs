//! What is printed of the results of a study on a log, whether one process has computed them or several.

use super::args::OutputFormat;
use super::{results, what_if};
use crate::metric::Metric;
use crate::slurm::Patch;
use crate::study::sureness::Repeated;
use crate::study::table::FailedRun;
use crate::study::verdict::{Concern, Judged};
use crate::study::{GroupedWaits, RunReport, SiteFit, Study};
use crate::workload::Summary;
use std::collections::BTreeMap;

pub(super) struct Printout<'a> {
    pub(super) study: &'a Study,
    pub(super) summary: &'a Summary,
    /// What became of the log's records, in a sentence.
    pub(super) account: String,
    pub(super) reports: &'a [RunReport],
    pub(super) failed: &'a [FailedRun],
    pub(super) repeated: Option<&'a Repeated>,
    /// Whether the table tells how near its schedulers come to what the cluster did.
    pub(super) tells_fit: bool,
    pub(super) waits: &'a BTreeMap<String, GroupedWaits>,
    /// By run id, what is to be done at a Slurm site ([`what_if::to_do`]).
    pub(super) to_do: &'a BTreeMap<String, (Patch, String)>,
    /// How close Slurm as configured comes to the log, if that is asked for.
    pub(super) site_fit: Option<&'a SiteFit>,
}

impl Printout<'_> {
    /// The table of these columns, and below it how the machine was used, the verdict, and the answers to questions
    /// about a site.
    pub(super) fn text(&self, columns: &[Metric], matters: Concern, format: OutputFormat) -> String {
        let Printout { study, summary, reports, failed, .. } = self;
        let repeated = self.repeated;
        let judged = Judged {
            reports: reports.iter().collect(),
            missing: Vec::new(),
            columns,
            baseline: &study.baseline,
            repeated,
            load: summary.offered_load,
            has_site: !study.treatment.site.is_empty(),
        };
        let table = results::table(study, reports, failed, repeated, columns, self.account.clone());
        let table = if self.tells_fit { table } else { table.without_truth() };
        [
            results::render(&table, format),
            results::of_machine(reports, &summary.clock, format),
            results::in_words(study, &judged, matters, format),
            self.site_fit.map_or_else(String::new, |fit| results::of_site(fit, format)),
            what_if::answers(&judged, self.waits, self.to_do, summary, format),
        ]
        .concat()
    }
}

//! The columns of the table of jobs: their headings, and what they show of a job.

use crate::metric::CountedGroup;
use crate::study::format::{MISSING, SPACE, number, whole};
use crate::study::query::{FieldKind, FieldOf, FieldShown, JobColumn, JobField, JobOutcome, JobRow};
use crate::workload::{Clock, Header, Seconds, Unit};
use std::sync::Arc;

/// How submit times and start times are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    Dates,
    Seconds,
}

/// What is known about the jobs of a run, besides start and wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KnownOfRun {
    pub promises: bool,
    /// Whether fair start times were computed.
    pub fair: bool,
    pub kills: bool,
    /// Whether jobs were classified by size.
    pub classes: bool,
}

impl KnownOfRun {
    pub fn columns(self, run: usize) -> Vec<JobColumn> {
        fields(FieldOf::Run, self).map(|field| field.under(run)).collect()
    }

    fn shows(self, shown: FieldShown) -> bool {
        match shown {
            FieldShown::Always => true,
            FieldShown::Promises => self.promises,
            FieldShown::FairStarts => self.fair,
            FieldShown::Kills => self.kills,
            FieldShown::Classes => self.classes,
            FieldShown::Never => false,
        }
    }
}

/// The fields of this kind that the table shows when this much is known.
fn fields(of: FieldOf, known: KnownOfRun) -> impl Iterator<Item = JobField> {
    let is_shown = move |field: &JobField| field.about().of == of && known.shows(field.about().shown);
    JobField::ALL.iter().copied().filter(is_shown)
}

pub fn columns_of(runs: &[KnownOfRun]) -> Vec<JobColumn> {
    let job = fields(FieldOf::Job, KnownOfRun::default()).map(JobColumn::from);
    let both = fields(FieldOf::Both, KnownOfRun::default()).map(JobColumn::from).filter(|_| runs.len() == 2);
    let of_runs = runs.iter().enumerate().flat_map(|(run, known)| known.columns(run));
    job.chain(of_runs).chain(both).collect()
}

/// What is needed to format cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Telling {
    /// The clock of the log, if a log is loaded.
    pub clock: Option<Clock>,
    /// Whether to show dates or seconds.
    pub times: Times,
    /// The header of the log, which names users, groups, queues and partitions.
    pub header: Arc<Header>,
    /// The only group of jobs that counts, if one is chosen.
    pub only: Option<CountedGroup>,
    pub unit: Unit,
}

impl Telling {
    /// Whether a group of jobs was chosen and this job is not in it.
    pub fn is_aside(&self, row: &JobRow) -> bool {
        let group = self.only.zip(self.clock.as_ref());
        group.is_some_and(|(group, clock)| !group.has(&row.request, row.run, clock))
    }

    /// The name that header comments with this label give to a user, group, queue or partition; otherwise the number.
    /// -1 stands for unknown.
    pub fn named(&self, label: &str, number: i32) -> String {
        self.header.name_of(label, number.into()).map_or_else(|| known(number), str::to_owned)
    }

    /// A point in time, as a date or in seconds.
    pub fn time(&self, time: Seconds) -> String {
        let date = match self.times {
            Times::Dates => self.clock.as_ref().and_then(|clock| clock.date(time)),
            Times::Seconds => None,
        };
        date.unwrap_or_else(|| whole(time))
    }

    /// A point in time without its year, for use near one that is shown in full.
    pub fn short_time(&self, time: Seconds) -> String {
        let told = self.time(time);
        match told.split_once('-') {
            // this is "1996-09-23 ...", not a negative number
            Some((year, rest)) if year.len() == 4 => rest.to_owned(),
            _ => told,
        }
    }

    /// Whether points in time can be shown as dates.
    pub fn has_dates(&self) -> bool {
        self.clock.as_ref().is_some_and(|clock| clock.unix_start.is_some())
    }
}

/// The unit in a column's heading; empty if the column has none.
pub fn unit(column: JobColumn) -> &'static str {
    match column.field.about().kind {
        FieldKind::Span | FieldKind::Change => "s",
        _ => "",
    }
}

pub fn text(column: JobColumn, row: &JobRow, telling: &Telling) -> String {
    let Some(value) = row.value(column) else { return MISSING.to_owned() };
    let seconds = || value as Seconds;
    match column.field.about().kind {
        FieldKind::Number => seconds().to_string(),
        FieldKind::Named(label) => telling.named(label, value as i32),
        FieldKind::Count | FieldKind::Span => whole(value.round() as Seconds),
        FieldKind::Ratio => number(value),
        FieldKind::Change => signed(seconds()),
        // the times of a run stand near the submit time, which is shown in full
        FieldKind::Moment if column.field.about().of == FieldOf::Run => telling.short_time(seconds()),
        FieldKind::Moment => telling.time(seconds()),
        FieldKind::Share => format!("{:.0}{SPACE}%", 100.0 * value),
        FieldKind::Class => if value > 0.0 { "large" } else { "small" }.to_owned(),
    }
}

/// The number of a user, group, executable, queue or partition; a placeholder if it is unknown (-1).
pub fn known(number: i32) -> String {
    if number < 0 { MISSING.to_owned() } else { number.to_string() }
}

pub fn outcome(row: &JobRow, run: usize) -> Option<JobOutcome> {
    row.outcomes.get(run).copied().flatten()
}

pub fn start(row: &JobRow, run: usize) -> Option<Seconds> {
    outcome(row, run).map(|outcome| outcome.start)
}

/// A difference with its sign.
pub fn signed(seconds: Seconds) -> String {
    if seconds > 0 { format!("+{}", whole(seconds)) } else { whole(seconds) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Class, SizeClass};
    use crate::workload::{JobId, Request};
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn a_job_is_told_with_its_waits_and_their_difference() {
        let request = Request {
            number: 7,
            submit: 100,
            processors: 1_024,
            limit: 3_600,
            user: -1,
            group: 2,
            executable: 3,
            queue: 4,
            partition: 5,
        };
        let first = JobOutcome {
            submit: 100,
            start: 1_100,
            end: 1_150,
            kills: 0,
            estimate: 60.0,
            promise: Some(1_200),
            fair: Some((900, 1_000)),
            hybrid: Some(950),
            independent: Some(800),
            share: None,
            class: None,
            because: None,
        };
        let small = SizeClass { class: Class::Small, divider: Some(40) };
        let second = JobOutcome {
            submit: 100,
            start: 150,
            end: 200,
            kills: 2,
            promise: None,
            fair: None,
            hybrid: None,
            independent: None,
            share: None,
            class: Some(small),
            ..first
        };
        let row = JobRow { job: JobId(0), request, run: 60, outcomes: vec![Some(first), Some(second)] };
        let header = Arc::new(Header::default());
        let telling = Telling { clock: None, times: Times::Dates, header, only: None, unit: Unit::Processors };
        let texts_of = |known: [KnownOfRun; 2]| {
            columns_of(&known).into_iter().map(|column| text(column, &row, &telling)).collect::<Vec<_>>()
        };
        let texts = texts_of([KnownOfRun::default(); 2]);
        assert_eq!(texts, ["7", "100", "1,024", "3,600", "60", "–", "1,100", "1,000", "150", "50", "+950"]);
        let known = KnownOfRun { promises: true, fair: true, ..KnownOfRun::default() };
        let classed = KnownOfRun { kills: true, classes: true, ..KnownOfRun::default() };
        let all = texts_of([known, classed]);
        assert_eq!(all[6..14], ["1,100", "1,000", "1,200", "−100", "900", "200", "1,000", "100"]);
        assert_eq!(all[14..], ["950", "800", "150", "50", "small", "–", "40", "2", "+950"]);
        let alone = JobRow { outcomes: Vec::new(), ..row };
        assert_eq!(alone.value(JobField::Difference.into()), None);
    }
}

//! The columns of the table of jobs: their headings and what they show of a job.

use super::choice::Times;
use crate::metric::CountedGroup;
use crate::study::format::{MISSING, SPACE, number, whole};
use crate::study::query::{FieldKind, FieldOf, FieldShown, JobColumn, JobField, JobOutcome, JobRow};
use crate::workload::{Clock, Header, Seconds, Unit};
use std::sync::Arc;

/// What more than start and wait is known of the jobs of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KnownOfRun {
    /// Starts were guaranteed.
    pub promises: bool,
    /// Fair start times were computed.
    pub fair: bool,
    /// Jobs can be killed.
    pub kills: bool,
    /// Jobs were told apart by size.
    pub classes: bool,
}

impl KnownOfRun {
    /// The columns of the run of that index.
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

/// The fields of the table that are of this, where so much is known.
fn fields(of: FieldOf, known: KnownOfRun) -> impl Iterator<Item = JobField> {
    let is_shown = move |field: &JobField| field.about().of == of && known.shows(field.about().shown);
    JobField::ALL.iter().copied().filter(is_shown)
}

/// The columns of a table of these runs.
pub fn columns_of(runs: &[KnownOfRun]) -> Vec<JobColumn> {
    let job = fields(FieldOf::Job, KnownOfRun::default()).map(JobColumn::from);
    let both = fields(FieldOf::Both, KnownOfRun::default()).map(JobColumn::from).filter(|_| runs.len() == 2);
    let of_runs = runs.iter().enumerate().flat_map(|(run, known)| known.columns(run));
    job.chain(of_runs).chain(both).collect()
}

/// What cells are told by.
#[derive(Clone, Debug, PartialEq)]
pub struct Telling {
    /// The log's clock, where a log is there.
    pub clock: Option<Clock>,
    /// Dates or seconds.
    pub times: Times,
    /// What users and their like are called.
    pub header: Arc<Header>,
    /// The group that alone counts.
    pub only: Option<CountedGroup>,
    /// What jobs and machine are counted in.
    pub unit: Unit,
}

impl Telling {
    /// Whether a job is not of the group that alone counts.
    pub fn is_aside(&self, row: &JobRow) -> bool {
        let group = self.only.zip(self.clock.as_ref());
        group.is_some_and(|(group, clock)| !group.has(&row.request, row.run, clock))
    }

    /// A user, group, queue or partition: what comments of this label call it, else its number; -1 where not known.
    pub fn named(&self, label: &str, number: i32) -> String {
        self.header.name_of(label, number.into()).map_or_else(|| known(number), str::to_owned)
    }

    /// A point of time.
    pub fn time(&self, time: Seconds) -> String {
        let date = match self.times {
            Times::Dates => self.clock.as_ref().and_then(|clock| clock.date(time)),
            Times::Seconds => None,
        };
        date.unwrap_or_else(|| whole(time))
    }

    /// A point of time near another one that is told in full: without its year.
    pub fn short_time(&self, time: Seconds) -> String {
        let told = self.time(time);
        match told.split_once('-') {
            // "1996-09-23 ..." and not a number below 0
            Some((year, rest)) if year.len() == 4 => rest.to_owned(),
            _ => told,
        }
    }

    /// Whether points of time can be told as dates.
    pub fn has_dates(&self) -> bool {
        self.clock.as_ref().is_some_and(|clock| clock.unix_start.is_some())
    }
}

/// The unit in a column's heading; empty where it has none.
pub fn unit(column: JobColumn) -> &'static str {
    match column.field.about().kind {
        FieldKind::Span | FieldKind::Change => "s",
        _ => "",
    }
}

/// What a column shows of a job.
pub fn text(column: JobColumn, row: &JobRow, telling: &Telling) -> String {
    let Some(value) = row.value(column) else { return MISSING.to_owned() };
    let seconds = || value as Seconds;
    match column.field.about().kind {
        FieldKind::Number => seconds().to_string(),
        FieldKind::Named(label) => telling.named(label, value as i32),
        FieldKind::Count | FieldKind::Span => whole(value.round() as Seconds),
        FieldKind::Ratio => number(value),
        FieldKind::Change => signed(seconds()),
        // those of a run stand near the submission, which is told in full
        FieldKind::Moment if column.field.about().of == FieldOf::Run => telling.short_time(seconds()),
        FieldKind::Moment => telling.time(seconds()),
        FieldKind::Share => format!("{:.0}{SPACE}%", 100.0 * value),
        FieldKind::Class => if value > 0.0 { "large" } else { "small" }.to_owned(),
    }
}

/// A user, group, executable, queue or partition; they are numbers, -1 where not known.
pub fn known(number: i32) -> String {
    if number < 0 { MISSING.to_owned() } else { number.to_string() }
}

/// What becomes of the job under the run of that index.
pub fn outcome(row: &JobRow, run: usize) -> Option<JobOutcome> {
    row.outcomes.get(run).copied().flatten()
}

/// When the job starts under the run of that index.
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
        assert_eq!(texts, ["7", "100", "1,024", "3,600", "60", "–", "1,100", "1,000", "150", "50", "−950"]);
        let known = KnownOfRun { promises: true, fair: true, ..KnownOfRun::default() };
        let classed = KnownOfRun { kills: true, classes: true, ..KnownOfRun::default() };
        let all = texts_of([known, classed]);
        assert_eq!(all[6..14], ["1,100", "1,000", "1,200", "−100", "900", "200", "1,000", "100"]);
        assert_eq!(all[14..], ["950", "800", "150", "50", "small", "–", "40", "2", "−950"]);
        let alone = JobRow { outcomes: Vec::new(), ..row };
        assert_eq!(alone.value(JobField::Difference.into()), None);
    }
}

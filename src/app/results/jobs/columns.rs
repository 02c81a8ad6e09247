//! The columns of the table of jobs: their headings and what they show of a job.

use super::choice::Times;
use crate::metric::CountedGroup;
use crate::study::format::{MISSING, whole};
use crate::study::query::{JobColumn, JobOutcome, JobRow};
use crate::workload::{Clock, Header, Seconds, Unit};
use std::sync::Arc;

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableColumn {
    /// One that can be sorted by.
    Sorted(JobColumn),
    /// When the job starts under the run of that index.
    Start(usize),
    /// The start that it was guaranteed.
    Promise(usize),
    /// Its strict fair start.
    StrictFairStart(usize),
    /// Its relaxed fair start.
    RelaxedFairStart(usize),
}

/// What more than start and wait is known of the jobs of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KnownOfRun {
    /// Starts were guaranteed.
    pub promises: bool,
    /// Fair start times were computed.
    pub fair: bool,
}

impl KnownOfRun {
    /// The columns of the run of that index.
    pub fn columns(self, run: usize) -> Vec<TableColumn> {
        let mut columns = vec![TableColumn::Start(run), TableColumn::Sorted(JobColumn::Wait(run))];
        if self.promises {
            columns.extend([TableColumn::Promise(run), TableColumn::Sorted(JobColumn::Delay(run))]);
        }
        if self.fair {
            columns.extend([TableColumn::StrictFairStart(run), TableColumn::Sorted(JobColumn::StrictUnfairness(run))]);
            columns
                .extend([TableColumn::RelaxedFairStart(run), TableColumn::Sorted(JobColumn::RelaxedUnfairness(run))]);
        }
        columns
    }
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

impl TableColumn {
    /// The columns of a table of these runs.
    pub fn all(runs: &[KnownOfRun]) -> Vec<TableColumn> {
        use JobColumn::{Difference, Limit, Number, Processors, Run, Submit, User};
        let mut columns: Vec<TableColumn> =
            [Number, Submit, Processors, Limit, Run, User].map(TableColumn::Sorted).into();
        for (run, known) in runs.iter().enumerate() {
            columns.extend(known.columns(run));
        }
        if runs.len() == 2 {
            columns.push(TableColumn::Sorted(Difference));
        }
        columns
    }

    /// Its heading.
    pub fn name(self) -> &'static str {
        match self {
            TableColumn::Sorted(JobColumn::Number) => "Job",
            TableColumn::Sorted(JobColumn::Submit) => "Submit",
            TableColumn::Sorted(JobColumn::Processors) => "Width",
            TableColumn::Sorted(JobColumn::Limit) => "Requested",
            TableColumn::Sorted(JobColumn::Run) => "Run",
            TableColumn::Sorted(JobColumn::User) => "User",
            TableColumn::Sorted(JobColumn::Wait(_)) => "Wait",
            TableColumn::Sorted(JobColumn::Difference) => "Difference",
            TableColumn::Sorted(JobColumn::Delay(_)) => "Delay",
            TableColumn::Sorted(JobColumn::StrictUnfairness(_)) => "Unfair",
            TableColumn::Sorted(JobColumn::RelaxedUnfairness(_)) => "Relaxed unfair",
            TableColumn::Start(_) => "Start",
            TableColumn::Promise(_) => "Promised",
            TableColumn::StrictFairStart(_) => "Fair start",
            TableColumn::RelaxedFairStart(_) => "Relaxed start",
        }
    }

    /// What it means.
    pub fn help(self) -> &'static str {
        match self {
            TableColumn::Sorted(JobColumn::Number) => "Job number in the log",
            TableColumn::Sorted(JobColumn::Submit) => "Submit time",
            TableColumn::Sorted(JobColumn::Processors) => "How many processors it takes",
            TableColumn::Sorted(JobColumn::Limit) => "Requested time, seconds",
            TableColumn::Sorted(JobColumn::Run) => "Actual run time, seconds",
            TableColumn::Sorted(JobColumn::User) => "User",
            TableColumn::Sorted(JobColumn::Wait(_)) => "Wait under this run, seconds",
            TableColumn::Sorted(JobColumn::Difference) => {
                "Wait under the second run less wait under the first, seconds"
            }
            TableColumn::Sorted(JobColumn::Delay(_)) => "Start less promised start, seconds: below 0 it starts earlier",
            TableColumn::Sorted(JobColumn::StrictUnfairness(_)) => {
                "Strict unfairness: how much later it starts than if nobody had come after it, seconds"
            }
            TableColumn::Sorted(JobColumn::RelaxedUnfairness(_)) => {
                "Relaxed unfairness: the same, had it waited for the others queued at its arrival to start, seconds"
            }
            TableColumn::Start(_) => "Start under this run",
            TableColumn::Promise(_) => "Start that it was guaranteed when it was submitted",
            TableColumn::StrictFairStart(_) => {
                "Strict fair start: when it would have started, had nobody come after it"
            }
            TableColumn::RelaxedFairStart(_) => {
                "Relaxed fair start: the same, had it waited for the others queued at its arrival to start"
            }
        }
    }

    /// The unit in its heading; empty where it has none.
    pub fn unit(self) -> &'static str {
        match self {
            TableColumn::Sorted(JobColumn::Number | JobColumn::Submit | JobColumn::Processors | JobColumn::User)
            | TableColumn::Start(_)
            | TableColumn::Promise(_)
            | TableColumn::StrictFairStart(_)
            | TableColumn::RelaxedFairStart(_) => "",
            TableColumn::Sorted(_) => "s",
        }
    }

    /// What it shows of a job.
    pub fn text(self, row: &JobRow, telling: &Telling) -> String {
        let missing = || MISSING.to_owned();
        match self {
            TableColumn::Sorted(JobColumn::Number) => row.request.number.to_string(),
            TableColumn::Sorted(JobColumn::Submit) => telling.time(row.request.submit),
            TableColumn::Sorted(JobColumn::Processors) => whole(row.request.processors),
            TableColumn::Sorted(JobColumn::Limit) => whole(row.request.limit),
            TableColumn::Sorted(JobColumn::Run) => whole(row.run),
            TableColumn::Sorted(JobColumn::User) => telling.named("User", row.request.user),
            TableColumn::Sorted(JobColumn::Wait(run)) => wait(row, run).map_or_else(missing, whole),
            TableColumn::Sorted(JobColumn::Difference) => difference(row).map_or_else(missing, signed),
            TableColumn::Sorted(JobColumn::Delay(run)) => {
                outcome(row, run).and_then(|o| o.delay()).map_or_else(missing, signed)
            }
            TableColumn::Sorted(JobColumn::StrictUnfairness(run)) => {
                outcome(row, run).and_then(|o| o.strict_unfairness()).map_or_else(missing, whole)
            }
            TableColumn::Sorted(JobColumn::RelaxedUnfairness(run)) => {
                outcome(row, run).and_then(|o| o.relaxed_unfairness()).map_or_else(missing, whole)
            }
            TableColumn::Start(run) => start(row, run).map_or_else(missing, |start| telling.short_time(start)),
            TableColumn::Promise(run) => {
                outcome(row, run).and_then(|o| o.promise).map_or_else(missing, |promise| telling.short_time(promise))
            }
            TableColumn::StrictFairStart(run) => {
                outcome(row, run).and_then(|o| o.fair).map_or_else(missing, |(strict, _)| telling.short_time(strict))
            }
            TableColumn::RelaxedFairStart(run) => {
                outcome(row, run).and_then(|o| o.fair).map_or_else(missing, |(_, relaxed)| telling.short_time(relaxed))
            }
        }
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

/// How long it waits.
pub fn wait(row: &JobRow, run: usize) -> Option<Seconds> {
    start(row, run).map(|start| start - row.request.submit)
}

/// How much longer it waits under the second run.
pub fn difference(row: &JobRow) -> Option<Seconds> {
    Some(wait(row, 1)? - wait(row, 0)?)
}

/// A difference with its sign.
pub fn signed(seconds: Seconds) -> String {
    if seconds > 0 { format!("+{}", whole(seconds)) } else { whole(seconds) }
}

#[cfg(test)]
mod tests {
    use super::*;
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
            start: 1_100,
            end: 1_150,
            kills: 0,
            estimate: 60.0,
            promise: Some(1_200),
            fair: Some((900, 1_000)),
        };
        let second = JobOutcome { start: 150, end: 200, kills: 0, estimate: 60.0, promise: None, fair: None };
        let row = JobRow { job: JobId(0), request, run: 60, outcomes: vec![Some(first), Some(second)] };
        let header = Arc::new(Header::default());
        let telling = Telling { clock: None, times: Times::Dates, header, only: None, unit: Unit::Processors };
        let texts_of = |known: [KnownOfRun; 2]| {
            TableColumn::all(&known).into_iter().map(|column| column.text(&row, &telling)).collect::<Vec<_>>()
        };
        let texts = texts_of([KnownOfRun::default(); 2]);
        assert_eq!(texts, ["7", "100", "1,024", "3,600", "60", "–", "1,100", "1,000", "150", "50", "−950"]);
        let all = texts_of([KnownOfRun { promises: true, fair: true }, KnownOfRun::default()]);
        assert_eq!(all[6..14], ["1,100", "1,000", "1,200", "−100", "900", "200", "1,000", "100"]);
        let alone = JobRow { outcomes: Vec::new(), ..row };
        assert_eq!(difference(&alone), None);
    }
}

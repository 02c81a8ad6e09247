//! The account of what was repaired or dropped on the way from a log's bytes to its jobs.

mod law;

pub use law::{OtherLine, OtherLines};

use serde::{Deserialize, Serialize};
use std::fmt;

/// How many line numbers an [`AccountLine`] keeps.
const LINES_KEPT: usize = 10;

/// How many lines that were not understood are kept as examples, and how much of each, in characters.
const EXAMPLES: usize = 3;
const EXAMPLE_LENGTH: usize = 60;

/// Everything that was repaired or dropped, by reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    entries: Vec<AccountLine>,
    /// Lines that are no records.
    #[serde(default)]
    others: OtherLines,
    /// The work of all jobs by the processors that they were given, and by those that they asked for, where these
    /// differ in many; processor-seconds.
    #[serde(default)]
    works: Option<(u64, u64)>,
}

/// One reason, how often it applied, and where first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountLine {
    /// What was done and why.
    pub reason: Reason,
    /// How many lines it applied to.
    pub count: u64,
    /// The work of these jobs where it is known, processor-seconds.
    #[serde(default)]
    pub work: u64,
    /// The numbers of the first of these lines, counted from 1.
    pub lines: Vec<u32>,
    /// The file that these lines are of, where the log is made of several.
    #[serde(default)]
    pub file: String,
    /// The beginnings of the first of these lines, where they were not understood.
    #[serde(default)]
    pub examples: Vec<String>,
}

/// Why a line was repaired or dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Reason {
    /// Reading: fewer than 18 fields; the missing ones count as unknown.
    FewerFields,
    /// Reading: more than 18 fields; the surplus is ignored.
    MoreFields,
    /// Reading: a time or a count with decimals was rounded half up to a whole number.
    RoundedTime,
    /// Reading: a field that is not a number; it counts as unknown.
    NotANumber,
    /// Reading: the line holds no job at all (no number where job and submit time should be); dropped.
    NotAJob,
    /// Reading: a number too large to be meant; it counts as unknown.
    OutOfRange,
    /// Reading: the job number was used before; both jobs are kept.
    DuplicateNumber,
    /// Reading: submitted before the line above; jobs are put into submit order.
    Unsorted,
    /// Reading: submit time unknown or negative; dropped.
    NoSubmitTime,
    /// Filtering: outside the chosen time range, users, queues or partitions; dropped.
    Filtered,
    /// Cleaning: ran for no time, or the run time is unknown; dropped.
    NoRunTime,
    /// Cleaning: ran longer than requested; the run time was cut to the request.
    CutToRequest,
    /// Cleaning: neither requested nor allocated processors are known; dropped.
    NoProcessors,
    /// Cleaning: requested processors unknown; taken from the allocated ones.
    ProcessorsFilled,
    /// Cleaning: no requested time; the run time stands in for it.
    NoRequestedTime,
    /// Cleaning: wider than the machine, so it could never run; dropped.
    WiderThanMachine,
    /// Cleaning: a partial execution of a checkpointed job (status 2, 3, 4); dropped.
    PartialExecution,
    /// Cleaning: cancelled before it ran (status 5 without run time); dropped.
    CancelledUnstarted,
    /// Reading: a step of a job that has a line of its own; left out.
    JobStep,
    /// Reading: the part of an array that has not started; left out.
    PendingArray,
    /// Reading: still waiting when the log was made; left out.
    NotStarted,
    /// Reading: still running when the log was made; it holds its processors until then, and does not count.
    StillRunning,
    /// Reading: the same job again, as happens where two dumps overlap; counted once.
    Repeated,
    /// Reading: a part of a heterogeneous job; its width is added to that of the other parts.
    PartOfJob,
    /// Reading: a text that contains the delimiter; its parts were joined again.
    DelimiterInText,
    /// Reading: a text that contains a line break; its parts were joined again.
    BrokenLine,
    /// Reading: a job array as a whole, whose tasks have lines of their own; left out.
    WholeArray,
    /// Reading: the job was put back into its queue; only its last run counts.
    Rerun,
    /// Reading: the part of a job on one of its hosts; left out, because the job has a line of its own.
    PartOnHost,
    /// Reading: a file of an archive is not a log; left out.
    NoLog,
    /// Reading: nodes and processors were taken from a description in field 21.
    WidthDescribed,
    /// Cleaning: widths are counted in nodes, because most jobs take whole nodes.
    InNodes,
    /// Cleaning: running when the log begins; part of the initial state.
    UnderWay,
    /// Cleaning: waiting when the log begins; part of the initial state.
    WaitingAtBegin,
    /// Reading: a job of Batsim whose profile is not a delay, so that its run time is unknown; left out.
    NoDelay,
    /// Cleaning: had ended when the log begins, by the run time that counts; left out.
    EndedBefore,
    /// Cleaning: ran longer than requested; the request was raised to the run time.
    RaisedToRun,
    /// Cleaning: asks for more graphics processors than the machine has where it may run; dropped.
    ShortOfGpus,
    /// Cleaning: asks for more memory than the machine has where it may run; dropped.
    ShortOfMemory,
    /// Alone on the machine it would draw more than the cap of power.
    ShortOfPower,
    /// Cleaning: asks for more of another resource than the machine has where it may run; dropped.
    ShortOfResource,
    /// Cleaning: of a partition that the machine does not have; dropped.
    NoSuchPartition,
    /// Cleaning: wider than jobs are allowed to be; split up into several jobs.
    SplitUp,
    /// Reading: another row has the same job id and differs from it; both are jobs.
    SharedId,
    /// Reading: it starts before it is submitted.
    StartsBeforeSubmit,
    /// Reading: it ends before it starts.
    EndsBeforeStart,
    /// Reading: from its start to its end is another time than it says to have run for.
    ElapsedDiffers,
    /// Reading: the limits of the file are minutes.
    LimitInMinutes,
    /// Reading: the limits of the file are hours.
    LimitInHours,
    /// Reading: the limits of the file, though seconds by its format, would fit the run times as minutes or hours.
    LimitDoubtful,
    /// Reading: the processors that it was given are not those that it asked for.
    WidthsDiffer,
    /// Reading: as [`Reason::WidthsDiffer`], in a log whose jobs are simulated with what they were given.
    HeldOtherWidth,
    /// Reading: half of all jobs ran for less than a second or for more than 60 days.
    RunsDoubtful,
    /// Reading: the submissions lie more than 50 years apart.
    SpanDoubtful,
    /// Reading: a time, a duration or a count that is there and was not understood; it counts as unknown.
    ValueNotUnderstood,
    /// Reading: it was suspended between its start and its end.
    Suspended,
    /// Reading: run times or waits are in another unit than seconds.
    SpansInOtherUnit,
}

impl Reason {
    /// Whether the job is gone, rather than changed.
    pub fn drops(self) -> bool {
        matches!(
            self,
            Reason::NotAJob
                | Reason::NoSubmitTime
                | Reason::Filtered
                | Reason::NoRunTime
                | Reason::NoProcessors
                | Reason::WiderThanMachine
                | Reason::PartialExecution
                | Reason::CancelledUnstarted
                | Reason::JobStep
                | Reason::PendingArray
                | Reason::NotStarted
                | Reason::StillRunning
                | Reason::Repeated
                | Reason::PartOfJob
                | Reason::WholeArray
                | Reason::Rerun
                | Reason::PartOnHost
                | Reason::NoDelay
                | Reason::NoLog
                | Reason::EndedBefore
                | Reason::ShortOfGpus
                | Reason::ShortOfMemory
                | Reason::ShortOfPower
                | Reason::ShortOfResource
                | Reason::NoSuchPartition
        )
    }

    /// Whether a record, or a value of it that counts, is gone because the reader did not understand it, rather than for what
    /// became of the job.
    pub fn is_of_reader(self) -> bool {
        matches!(self, Reason::NotAJob | Reason::NoSubmitTime | Reason::ValueNotUnderstood)
    }

    /// Whether it tells of lines that are no records: steps, the whole of an array, files.
    fn is_of_other_kind(self) -> bool {
        matches!(self, Reason::JobStep | Reason::WholeArray | Reason::PartOnHost | Reason::NoLog | Reason::Rerun)
    }

    /// The share of all jobs above which it makes the log doubtful; none where it never does.
    fn doubtful_above(self) -> Option<f64> {
        match self {
            Reason::StartsBeforeSubmit | Reason::EndsBeforeStart => Some(0.001),
            Reason::ElapsedDiffers => Some(0.01),
            Reason::SharedId
            | Reason::LimitInMinutes
            | Reason::LimitInHours
            | Reason::LimitDoubtful
            | Reason::WidthsDiffer
            | Reason::HeldOtherWidth
            | Reason::RunsDoubtful
            | Reason::SpansInOtherUnit
            | Reason::SpanDoubtful => Some(0.0),
            _ => None,
        }
    }

    /// Whether the job is gone because the machine could never hold it.
    pub fn is_of_machine(self) -> bool {
        matches!(
            self,
            Reason::WiderThanMachine
                | Reason::ShortOfGpus
                | Reason::ShortOfMemory
                | Reason::ShortOfPower
                | Reason::ShortOfResource
                | Reason::NoSuchPartition
        )
    }

    /// The reason in words, to follow a count of lines.
    pub fn describe(self) -> &'static str {
        match self {
            Reason::FewerFields => "fewer than 18 fields; the missing ones count as unknown",
            Reason::MoreFields => "more than 18 fields; the surplus is ignored",
            Reason::RoundedTime => "times with decimals, rounded to whole seconds",
            Reason::NotANumber => "a field that is not a number; it counts as unknown",
            Reason::NotAJob => "no job on the line; dropped",
            Reason::OutOfRange => "a number too large to be meant; it counts as unknown",
            Reason::DuplicateNumber => "job number used before; both jobs are kept",
            Reason::Unsorted => "submitted before the line above; put into submit order",
            Reason::NoSubmitTime => "submit time unknown or negative; dropped",
            Reason::Filtered => "outside the chosen filter; left out",
            Reason::NoRunTime => "no run time; dropped",
            Reason::RaisedToRun => "ran longer than requested; request raised to the run time",
            Reason::CutToRequest => "ran longer than requested; run time cut to the request",
            Reason::NoProcessors => "no processors known; dropped",
            Reason::ProcessorsFilled => "requested processors unknown; the allocated ones are used",
            Reason::NoRequestedTime => "no requested time; the run time stands in for it",
            Reason::WiderThanMachine => "wider than the machine, could never run; dropped",
            Reason::PartialExecution => "partial execution of a checkpointed job; dropped",
            Reason::CancelledUnstarted => "cancelled before it ran; dropped",
            Reason::JobStep => "a step of a job, which is there itself; left out",
            Reason::PendingArray => "the part of a job array that has not started; left out",
            Reason::NotStarted => "not started when the log was made; left out",
            Reason::StillRunning => {
                "still running when the log was made; holds its processors until then, at most as long as its limit, and is left \
                 out of averages"
            }
            Reason::Repeated => "the same job again; counted once",
            Reason::PartOfJob => "a part of a heterogeneous job; its processors are added to those of the first part",
            Reason::DelimiterInText => "a name with the delimiter in it; put together again",
            Reason::BrokenLine => "a text with line breaks in it; put together again",
            Reason::WholeArray => "a job array as a whole, whose jobs are there themselves; left out",
            Reason::Rerun => "put back into the queue; only the last run of the job counts",
            Reason::PartOnHost => "a job's part on one host, the job is there itself; left out",
            Reason::InNodes => "counted in nodes instead of processors, for most jobs take whole nodes",
            Reason::UnderWay => {
                "under way when the log begins; holds its processors until it ends, and is left out of averages"
            }
            Reason::WaitingAtBegin => "waiting when the log begins; waits from then on, and is left out of averages",
            Reason::NoDelay => "a profile that is no delay, so that the run time is unknown; left out",
            Reason::EndedBefore => "had ended, by the run time that counts, when the log begins; left out",
            Reason::ShortOfGpus => "more GPUs than the machine has for it, could never run; dropped",
            Reason::ShortOfPower => "would draw more than the cap of power, could never run; dropped",
            Reason::ShortOfMemory => "more memory than the machine has for it, could never run; dropped",
            Reason::ShortOfResource => "more of a resource than the machine has for it, could never run; dropped",
            Reason::NoSuchPartition => "of a partition that the machine does not have; dropped",
            Reason::SplitUp => "wider than the widest job shall be; split up into several of the same area",
            Reason::SharedId => {
                "a job id that other rows have, too, with another start, run time or width (tasks of an array, or \
                 requeues); every row is a job"
            }
            Reason::StartsBeforeSubmit => {
                "starts before its submission, its wait counts as 0 (the clock changed, times of another zone, or \
                 columns exchanged); print times in UTC, as with TZ=UTC sacct"
            }
            Reason::EndsBeforeStart => {
                "ends before its start, its run time counts as 0 unless another column tells it (the clock changed, or \
                 columns exchanged); print times in UTC, as with TZ=UTC sacct"
            }
            Reason::ElapsedDiffers => {
                "from start to end it is another time than the run time, which counts (suspended, or the clock changed)"
            }
            Reason::Suspended => {
                "suspended for some of the time from start to end, which is no run time; as-logged runs them in one piece, so \
                 they end earlier there"
            }
            Reason::LimitInMinutes => {
                "limits are taken for minutes, because as seconds many jobs would outlive them; --columns limit=NAME:s \
                 says otherwise"
            }
            Reason::LimitInHours => {
                "limits are taken for hours, because as seconds many jobs would outlive them; --columns limit=NAME:s \
                 says otherwise"
            }
            Reason::SpansInOtherUnit => {
                "run times or waits are taken for minutes, hours, days or thousandths of seconds, by the times between which \
                 they are or by their size; --columns run=NAME:s says otherwise"
            }
            Reason::LimitDoubtful => {
                "outlives its limit, which would fit if it were minutes or hours: look at the limits' unit"
            }
            Reason::WidthsDiffer => {
                "was given another number of processors than it asked for; the requested ones are simulated, unless a \
                 cleaning with processors used is chosen"
            }
            Reason::HeldOtherWidth => {
                "was given another number of processors than it asked for; those that it was given are simulated"
            }
            Reason::RunsDoubtful => {
                "half of all jobs ran for less than a second or more than 60 days: look at the columns"
            }
            Reason::SpanDoubtful => "submissions lie more than 50 years apart: look at the columns",
            Reason::ValueNotUnderstood => {
                "a time, a duration or a number of processors that was not understood; it counts as unknown"
            }
            Reason::NoLog => "a file of the archive that is no log; left out",
            Reason::WidthDescribed => "nodes and processors as field 21 describes them",
        }
    }
}

impl AccountLine {
    fn empty(reason: Reason) -> Self {
        AccountLine { reason, count: 0, work: 0, lines: Vec::new(), file: String::new(), examples: Vec::new() }
    }
}

impl fmt::Display for AccountLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.count == 1 { "" } else { "s" };
        write!(f, "{} line{plural}: {}", self.count, self.reason.describe())?;
        if let Some((first, others)) = self.lines.split_first() {
            write!(f, " (line{plural} {first}")?;
            others.iter().try_for_each(|line| write!(f, ", {line}"))?;
            if !self.file.is_empty() {
                write!(f, " of {}", self.file)?;
            }
            f.write_str(if self.count > self.lines.len() as u64 { ", ...)" } else { ")" })?;
        }
        Ok(())
    }
}

impl Account {
    /// Counts `reason` once, for `line` (from 1; 0 where there is no line).
    pub fn note(&mut self, reason: Reason, line: u32) {
        let entry = match self.entries.iter_mut().find(|e| e.reason == reason) {
            Some(entry) => entry,
            None => {
                self.entries.push(AccountLine::empty(reason));
                // just pushed, so there is a last one
                self.entries.last_mut().unwrap()
            }
        };
        entry.count += 1;
        if line > 0 && entry.lines.len() < LINES_KEPT {
            entry.lines.push(line);
        }
    }

    /// As [`Account::note`], for a line that was not understood, the first of which are kept as examples.
    pub fn note_text(&mut self, reason: Reason, line: u32, text: &[u8]) {
        self.note(reason, line);
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.reason == reason)
            && entry.examples.len() < EXAMPLES
        {
            let begin = String::from_utf8_lossy(&text[..text.len().min(4 * EXAMPLE_LENGTH)]);
            entry.examples.push(super::printable(&begin).chars().take(EXAMPLE_LENGTH).collect());
        }
    }

    /// What can hardly be true of these `jobs` jobs, or was guessed because it can hardly be true otherwise.
    pub fn doubts(&self, jobs: usize) -> impl Iterator<Item = &AccountLine> {
        let is_doubt = move |entry: &&AccountLine| {
            entry.reason.doubtful_above().is_some_and(|share| entry.count as f64 > share * jobs as f64)
        };
        self.entries.iter().filter(is_doubt)
    }

    /// What was not understood, with the first such lines, in words.
    pub fn examples_in_words(&self) -> String {
        let lost = self.entries.iter().filter(|entry| entry.reason.is_of_reader());
        let said = lost.map(|entry| {
            let lines = entry.lines.iter().zip(&entry.examples);
            let lines = lines.map(|(line, text)| format!("\n  line {line} reads \"{text}\"")).collect::<String>();
            format!("{entry}{lines}")
        });
        said.collect::<Vec<_>>().join("\n")
    }

    /// All entries, in the order in which the reasons first applied.
    pub fn entries(&self) -> &[AccountLine] {
        &self.entries
    }

    /// How often `reason` applied.
    pub fn count(&self, reason: Reason) -> u64 {
        self.entries.iter().find(|e| e.reason == reason).map_or(0, |e| e.count)
    }

    /// How many lines were dropped.
    pub fn dropped(&self) -> u64 {
        self.entries.iter().filter(|e| e.reason.drops()).map(|e| e.count).sum()
    }

    /// All entries in words, as "3 lines: no run time; dropped (lines 4, 7, 9)".
    pub fn in_words(&self) -> String {
        self.entries.iter().map(AccountLine::to_string).collect::<Vec<_>>().join("; ")
    }

    pub fn followed_by(&self, later: &Account) -> Account {
        let entries = self.entries.iter().chain(&later.entries).cloned().collect();
        Account { entries, others: self.others.with(later.others), works: self.works.or(later.works) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_it_holds() {
        let mut account = Account::default();
        assert_eq!(account.in_words(), "");
        account.note(Reason::MoreFields, 3);
        (1..=12).for_each(|line| account.note(Reason::NoRunTime, line));
        assert_eq!(
            account.in_words(),
            "1 line: more than 18 fields; the surplus is ignored (line 3); \
             12 lines: no run time; dropped (lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ...)"
        );
        assert_eq!(account.dropped(), 12);
    }
}
